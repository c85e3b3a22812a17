"""The history of a battle as the GM may know it: the entries that undo and redo can reach.

The history begins with the battle. Setting up an empty board starts it anew, so that undo never takes away
the map under an untouched battle.
"""

from __future__ import annotations

from enfilade.play.command import History
from enfilade.scene.entry import Entry
from enfilade.scene.events import SceneSet
from enfilade.store.protocol import TableState

UNDO_DEPTH = 100
"""The number of entries that can be undone."""


def starts_battle(entry: Entry) -> bool:
    """Return whether an entry sets the scene of a table that had no tokens."""
    return any(isinstance(e, SceneSet) and (e.was is None or not e.was.tokens) for e in entry.events)


def history_of(state: TableState) -> History:
    """Return what the GM may know of a table's history."""
    return History(
        undo=state.undoable[-1] if state.undoable else None,
        redo=state.redoable[-1].seq if state.redoable else None,
        first=state.undoable[0] if state.undoable else None,
    )
