"""Remembering what was worked out for a value that is known by being the very same one.

Scenes are immutable, but too big to compare, and a procedure looks at the same scene many times over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
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


def remembered(most: int) -> Callable[[F], F]:
    """Has a pure function remember its last answers: the first argument by its identity, others by value."""

    def remembering(function: F) -> F:
        # With each answer stands the value itself, so that no other gets its identity.
        known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

        @wraps(function)
        def asked(value: Any, *arguments: Any) -> Any:
            key = (id(value), *arguments)
            found = known.get(key)
            if found is None:
                found = value, function(value, *arguments)
                while len(known) >= most:
                    known.pop(next(iter(known)))
                known[key] = found
            return found[1]

        return cast(F, asked)

    return remembering
