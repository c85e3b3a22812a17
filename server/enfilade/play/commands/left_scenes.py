"""Find a scene again that the tabletop has left and comes back to: its battle goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.play.context import TableAccess
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.entry import Entry
from enfilade.scene.events import SceneSet
from enfilade.scene.model import Scene
from enfilade.store.protocol import iter_entries

LOOK_BACK = 2_000
"""The number of entries that are searched, newest first."""

_STEP = 50


def find_left_scene(table: TableAccess, given: Scene) -> Scene | None:
    """Return a scene as the table left it last; None if it never had it, or too long ago.

    It is the same scene if its name and grid are the same, and a token of it is still there.
    """
    tokens = {token.id for token in given.tokens}
    for entry in _newest_first(table):
        for event in reversed(entry.events):
            was = event.was if isinstance(event, SceneSet) else None
            if was is None or (was.name, was.grid) != (given.name, given.grid):
                continue
            if any(token.id in tokens for token in was.tokens):
                return was
    return None


def _newest_first(table: TableAccess) -> Iterator[Entry]:
    state = table.state
    for last in range(state.seq, max(0, state.seq - LOOK_BACK), -_STEP):
        checkpoint()
        yield from reversed(list(iter_entries(table.store.entries, state.id, max(0, last - _STEP), last)))
