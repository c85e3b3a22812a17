"""A server's settings: what is refused when it starts, and what no line of a log may show."""

from __future__ import annotations

import pytest

from enfilade.config import load_config
from enfilade.errors import BadInput

KEYS = ("OPERATOR_KEY", "METRICS_KEY")


@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_could_be_guessed_is_refused(monkeypatch, name):
    monkeypatch.setenv(f"ENFILADE_{name}", "x" * 23)
    with pytest.raises(BadInput, match="at least 24 characters"):
        load_config()


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_not_shown_with_the_settings(monkeypatch, name):
    monkeypatch.setenv(f"ENFILADE_{name}", "open-sesame-and-let-me-in")
    assert "sesame" not in repr(load_config())
