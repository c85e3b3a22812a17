"""Overlays of one table, each computed once for all seats and clients that look at the same scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enfilade.runtime.time_budget import UnmeteredRLock
from enfilade.scene.model import Scene
from enfilade.tactics.overlays import Overlay

_SIZE = 16
"""The overlays of a state that are kept; on the largest board each takes a few megabytes."""

_Key = tuple[int, str, tuple[str, ...] | None]


@dataclass(eq=False)
class _OfState:
    """The overlays of one state of the table."""

    state: Scene
    found: dict[_Key, tuple[Scene, Overlay]] = field(default_factory=dict)
    locks: dict[_Key, UnmeteredRLock] = field(default_factory=dict)


class OverlayCache:
    """The overlays of a table's current state, and of the one that is being stored.

    Seats that know the same of a scene see the same value (`Views`), so its identity stands for what a seat
    may know. A request for an overlay that is being computed waits for it.
    """

    def __init__(self) -> None:
        self._last: tuple[_OfState, ...] = ()
        """The two states that were asked for last, the newest first."""

    def get(
        self,
        state: Scene,
        seen: Scene,
        token: str,
        layers: Sequence[str] | None,
        compute: Callable[[], Overlay],
    ) -> Overlay:
        """Return the overlay of a token in a view `seen` of the table's scene `state`."""
        key, kept = _key(seen, token, layers), self._of(state)
        with kept.locks.setdefault(key, UnmeteredRLock()):
            if key not in kept.found:
                overlay = compute()
                if len(kept.found) >= _SIZE:
                    kept.found.clear()
                kept.found[key] = seen, overlay  # the view is kept, so that no other gets its identity
                return overlay
            return kept.found[key][1]

    def has(self, state: Scene, seen: Scene, token: str, layers: Sequence[str] | None) -> bool:
        """Return whether the overlay is already computed."""
        return _key(seen, token, layers) in self._of(state).found

    def _of(self, state: Scene) -> _OfState:
        for kept in self._last:
            if kept.state is state:
                return kept
        self._last = (_OfState(state), *self._last[:1])
        return self._last[0]


def _key(seen: Scene, token: str, layers: Sequence[str] | None) -> _Key:
    return id(seen), token, None if layers is None else tuple(layers)
