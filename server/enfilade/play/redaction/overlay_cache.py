"""Overlays of one table, each computed once for all seats and clients that look at the same scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enfilade.scene.model import Scene
from enfilade.tactics.overlays import Overlay
from enfilade.time_budget import UnmeteredRLock

_SIZE = 32
"""The overlays of a state that are kept; on the largest board each takes a few megabytes."""

_Key = tuple[int, str, tuple[str, ...] | None]


class OverlayCache:
    """The overlays of a table's current state.

    Seats that know the same of a scene see the same value (`Views`), so its identity stands for what a seat
    may know. A request for an overlay that is being computed waits for it.
    """

    def __init__(self) -> None:
        self._state: Scene | None = None
        self._found: dict[_Key, tuple[Scene, Overlay]] = {}
        self._locks: dict[_Key, UnmeteredRLock] = {}

    def get(
        self,
        state: Scene,
        seen: Scene,
        token: str,
        layers: Sequence[str] | None,
        compute: Callable[[], Overlay],
    ) -> Overlay:
        """Return the overlay of a token in a view `seen` of the table's scene `state`."""
        if self._state is not state:
            self._state, self._found, self._locks = state, {}, {}
        key = (id(seen), token, None if layers is None else tuple(layers))
        found, lock = self._found, self._locks.setdefault(key, UnmeteredRLock())
        with lock:
            if key not in found:
                overlay = compute()
                if len(found) >= _SIZE:
                    found.clear()
                found[key] = seen, overlay  # the view is kept, so that no other gets its identity
                return overlay
            return found[key][1]
