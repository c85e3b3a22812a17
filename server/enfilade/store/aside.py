"""How what waits for a disk is called: here and now, or aside, so that others go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Aside = Callable[..., Any]
"""Calls a function with its arguments, gives its result, raises what it raises."""


def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function here and now, and has everybody else in this process wait for it."""
    return function(*arguments)


First = Callable[[], None]
"""Puts on disk what must be there before anything else is, and waits for that."""


def nothing_first() -> None:
    """Has nothing on disk before anything else."""


Gather = Callable[[], None]
"""Waits a moment for others who are about to write, so that one sync serves all of them."""


def for_nobody() -> None:
    """Waits for nobody: whoever writes now is synced now."""
