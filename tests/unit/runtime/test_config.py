"""A server's configuration: invalid settings are refused at the start, and keys stay out of its repr."""

from __future__ import annotations

import pytest

from enfilade.errors import BadInput
from enfilade.runtime.config import load_config

KEYS = ("OPERATOR_KEY", "METRICS_KEY")


@pytest.mark.parametrize("name", KEYS)
def test_a_short_key_is_refused(monkeypatch, name):
    monkeypatch.setenv(f"ENFILADE_{name}", "x" * 23)
    with pytest.raises(BadInput, match="at least 24 characters"):
        load_config()


@pytest.mark.parametrize("name", KEYS)
def test_a_configurations_repr_has_no_key(monkeypatch, name):
    monkeypatch.setenv(f"ENFILADE_{name}", "open-sesame-and-let-me-in")
    assert "sesame" not in repr(load_config())
