"""Remembering what was worked out for a value that is known by being the very same one.

Scenes are immutable, but too big to compare, and a procedure looks at the same scene many times over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

FEW = 16
"""For what is large: the fields and obstacles of the scenes that are looked at now."""

MANY = 512
"""For what is small and asked for every target."""

MAPS = 256
"""For what hangs on a map alone: as many tables are played in turn without working it out anew."""

TOKENS = 8_192
"""For what hangs on a token alone: those of as many tables."""


class _Same:
    """A value as a key: equal to itself alone. It holds the value, so that no other gets its identity."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value


def remembered(most: int) -> Callable[[F], F]:
    """Has a pure function remember its last answers: the first argument by its identity, others by value."""

    def remembering(function: F) -> F:
        @lru_cache(maxsize=most)
        def known(same: _Same, *arguments: Any) -> Any:
            return function(same.value, *arguments)

        @wraps(function)
        def asked(value: Any, *arguments: Any) -> Any:
            return known(_Same(value), *arguments)

        return cast(F, asked)

    return remembering
