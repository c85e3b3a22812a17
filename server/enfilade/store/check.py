"""Whether what is stored of a table holds together: its row, its log, and that the log leads to the scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.errors import Damaged, NotFound
from enfilade.scene.entry import TABLE_SEAT, Entry
from enfilade.scene.fold import fold_all, taken_back
from enfilade.scene.model import Scene, Value
from enfilade.scene.numbers import Numbers
from enfilade.scene.seat import seat_of
from enfilade.store.chain import damaged
from enfilade.store.kept import Kept, Store
from enfilade.store.log import entries_from

TAIL = 100
"""How many of the last entries are folded when a table is opened."""


class Finding(Value, frozen=True, kw_only=True):
    """What the check of one table found; `wrong` is a sentence, or empty where all of it holds."""

    table: str
    entries: int = 0
    wrong: str = ""


def must_hold_together(kept: Kept, store: Store) -> None:
    """Raises Damaged where the end of a table's log does not lead to its scene; quick enough for opening."""
    number = min(TAIL, kept.seq)  # and no entry that somebody else has stored since
    entries = store.entries(kept.id, kept.seq - number, number)
    while entries and len(entries) < number:  # they are large: fewer are enough
        number = number // 2
        entries = store.entries(kept.id, kept.seq - number, number)
    _must_lead_to(kept, entries)


def check_all(store: Store) -> Iterator[Finding]:
    """Checks every entry of every table; raises StoreDown."""
    for table in store.ids():
        try:
            yield Finding(table=table, entries=_checked(store, table))
        except Damaged as problem:
            yield Finding(table=table, wrong=problem.sentence)


def _checked(store: Store, table: str) -> int:
    kept = store.load(table)
    if kept is None:
        return 0  # gone since it was listed
    entries = list(entries_from(store.entries, table, 0, kept.seq))
    _must_lead_to(kept, entries)
    _must_be_numbered(kept, entries)
    for entry in entries:
        if entry.seat != TABLE_SEAT:  # nobody waits for an answer to what the table itself says
            _must_be_answered(store, table, entry)
    return len(entries)


def _must_be_numbered(kept: Kept, entries: Sequence[Entry]) -> None:
    numbers = Numbers()
    for entry in entries:
        numbers = numbers.after(entry.known_to)
        if entry.numbers != numbers:
            raise damaged(kept.id, f"the views' numbers at entry {entry.seq}")
    if kept.numbers != numbers:
        raise damaged(kept.id, "the numbers of its views")


def _must_be_answered(store: Store, table: str, entry: Entry) -> None:
    answered = store.answered(table, entry.seat, entry.id)
    if answered is None or answered.seq != entry.number(seat_of(entry.seat)):
        raise damaged(table, f"the answer to entry {entry.seq}")


def _must_lead_to(kept: Kept, entries: Sequence[Entry]) -> None:
    if (entries[-1].seq if entries else 0) != kept.seq:
        raise damaged(kept.id, "the end of its log")
    try:
        holds = _goes_back_and_forth(kept.scene, entries)
    except NotFound:
        holds = False
    if not holds:
        raise damaged(kept.id, "the scene, to which its log does not lead,")


def _goes_back_and_forth(scene: Scene, entries: Sequence[Entry]) -> bool:
    start = scene
    for entry in reversed(entries):
        start = fold_all(start, taken_back(entry.events))
    return fold_all(start, (event for entry in entries for event in entry.events)) == scene
