"""Whether what is stored of a table holds together: its row, its log, and that the log leads to the scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.errors import Damaged, NotFound
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import TABLE_SEAT, Entry
from enfilade.scene.model import Scene, Value
from enfilade.scene.seat import seat_of
from enfilade.scene.view_seq import ViewSeq
from enfilade.store.hash_chain import damaged
from enfilade.store.log import iter_entries
from enfilade.store.protocol import Store, TableState

TAIL = 100
"""How many of the last entries are folded when a table is opened, and how many at once where all are."""


class Finding(Value, frozen=True, kw_only=True):
    """What the check of one table found; `wrong` is a sentence, or empty where all of it holds."""

    table: str
    entries: int = 0
    wrong: str = ""


def verify_tail(kept: TableState, store: Store) -> None:
    """Raises Damaged where the end of a table's log does not lead to its scene; quick enough for opening."""
    number = min(TAIL, kept.seq)  # and no entry that somebody else has stored since
    entries = store.entries(kept.id, kept.seq - number, number)
    while entries and len(entries) < number:  # they are large: fewer are enough
        number = number // 2
        entries = store.entries(kept.id, kept.seq - number, number)
    _scene_before(kept.id, entries, kept.seq, kept.scene)


def check_all(store: Store) -> Iterator[Finding]:
    """Checks every entry of every table; raises StoreDown."""
    for table in store.table_ids():
        try:
            yield Finding(table=table, entries=_checked(store, table))
        except Damaged as problem:
            yield Finding(table=table, wrong=problem.sentence)


def _checked(store: Store, table: str) -> int:
    kept = store.load(table)
    if kept is None:
        return 0  # gone since it was listed
    scene, numbers = kept.scene, kept.view_seq
    # From its end back, for there may be more of it than there is memory for.
    for last in range(kept.seq, 0, -TAIL):
        first = max(1, last - TAIL + 1)
        entries = list(iter_entries(store.entries, table, max(0, first - 2), last))
        before = entries.pop(0).numbers if entries and first > 1 else ViewSeq()
        scene = _scene_before(table, entries, last, scene)
        _must_be_numbered(table, before, entries, numbers)
        _must_be_answered(store, table, entries)
        numbers = before
    if numbers != ViewSeq():
        raise damaged(table, "the numbers of its views")
    return kept.seq


def _must_be_numbered(table: str, numbers: ViewSeq, entries: Sequence[Entry], last: ViewSeq) -> None:
    for entry in entries:
        numbers = numbers.after(entry.known_to)
        if entry.numbers != numbers:
            raise damaged(table, f"the views' numbers at entry {entry.seq}")
    if numbers != last:
        raise damaged(table, "the numbers of its views")


def _must_be_answered(store: Store, table: str, entries: Sequence[Entry]) -> None:
    for entry in entries:
        if entry.seat == TABLE_SEAT:  # nobody waits for an answer to what the table itself says
            continue
        answered = store.reply(table, entry.seat, entry.id)
        if answered is None or answered.seq != entry.number(seat_of(entry.seat)):
            raise damaged(table, f"the answer to entry {entry.seq}")


def _scene_before(table: str, entries: Sequence[Entry], last: int, scene: Scene) -> Scene:
    """The scene before some entries, which lead from it to the scene after the last of them."""
    if (entries[-1].seq if entries else 0) != last:
        raise damaged(table, "the end of its log")
    try:
        before = _taken_back(scene, entries)
        holds = fold_all(before, (event for entry in entries for event in entry.events)) == scene
    except NotFound:
        holds = False
    if not holds:
        raise damaged(table, "the scene, to which its log does not lead,")
    return before


def _taken_back(scene: Scene, entries: Sequence[Entry]) -> Scene:
    for entry in reversed(entries):
        scene = fold_all(scene, inverse(entry.events))
    return scene
