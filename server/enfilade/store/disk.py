"""How a disk is waited for: here and now, or aside while others go on; for oneself or for many at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Offload = Callable[..., Any]
"""Calls a function with its arguments, gives its result, raises what it raises."""

Gather = Callable[[], None]
"""Waits a moment for others who are about to write, so that one sync serves all of them."""


def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function here and now, and has everybody else in this process wait for it."""
    return function(*arguments)


def nothing() -> None:
    """Waits for nobody, and puts nothing on disk."""


@dataclass(frozen=True)
class CommitHooks:
    """How whoever writes waits for the disk: what waits is called `aside`, once `gather` has returned.

    `first` puts on disk what must be there before a commit is, and waits for that.
    """

    aside: Offload = at_once
    gather: Gather = nothing
    first: Callable[[], None] = nothing


INLINE = CommitHooks()
"""For a process with nobody else in it."""
