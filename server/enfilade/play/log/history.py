"""The history of a battle: the entries that undo and redo can reach.

The history begins with the battle. Setting up an empty board starts it anew, so that undo never takes away
the map under an untouched battle.
"""

from __future__ import annotations

from enfilade.play.command import History
from enfilade.scene.entry import Entry
from enfilade.scene.events import SceneSet
from enfilade.store.protocol import TableState, UndoneEntry

UNDO_DEPTH = 100
"""The number of entries that can be undone."""


def next_history(state: TableState, entry: Entry | None) -> tuple[tuple[int, ...], tuple[UndoneEntry, ...]]:
    """Return the entries that can be undone and redone after an entry; the next of each is last."""
    undoable, redoable = state.undoable, state.redoable
    if entry is None or not (entry.events or entry.undoes):
        return undoable, redoable
    if entry.undoes is None:
        kept = () if _starts_battle(entry) else (*undoable, entry.seq)[-UNDO_DEPTH:]
        return kept, ()
    if redoable and redoable[-1].by == entry.undoes:
        return (*undoable, redoable[-1].seq), redoable[:-1]
    left = tuple(seq for seq in undoable if seq != entry.undoes)
    return left, (*redoable, UndoneEntry(seq=entry.undoes, by=entry.seq))


def _starts_battle(entry: Entry) -> bool:
    """Return whether an entry sets the scene of a table that had no tokens."""
    return any(isinstance(e, SceneSet) and (e.was is None or not e.was.tokens) for e in entry.events)


def history_of(state: TableState) -> History:
    """Return what the GM may know of a table's history."""
    return History(
        undo=state.undoable[-1] if state.undoable else None,
        redo=state.redoable[-1].seq if state.redoable else None,
        first=state.undoable[0] if state.undoable else None,
    )
