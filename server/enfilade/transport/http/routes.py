"""The rules by which an address is found: read one way only, as no page of this server writes addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import BuildError, Rule


class OneWayRule(Rule):
    """A rule that only matches: making what would write addresses takes a server that starts 15 ms."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        del append_unknown
        return _refuse


def _refuse(rule: Rule, **values: Any) -> tuple[str, str]:
    """Raises BuildError: nobody asks for an address by its rule here."""
    raise BuildError(rule.endpoint, values, None)
