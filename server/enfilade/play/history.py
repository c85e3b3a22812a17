"""The history of a battle as the GM may know it: the entries that undo and redo can reach.

The history begins with the battle. Setting up an empty board starts it anew, so that undo never takes away
the map under an untouched battle.
"""

from __future__ import annotations

from enfilade.play.command import History
from enfilade.store.protocol import TableState


def history_of(state: TableState) -> History:
    """Return what the GM may know of a table's history."""
    return History(
        undo=state.undoable[-1] if state.undoable else None,
        redo=state.redoable[-1].seq if state.redoable else None,
        first=state.undoable[0] if state.undoable else None,
    )
