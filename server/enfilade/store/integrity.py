"""Check that a stored table is consistent: its row, log and replies, and that the log leads to the scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.errors import Damaged, NotFound
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import TABLE_SEAT, Entry, ViewSeq
from enfilade.scene.model import Scene, Value, seat_of
from enfilade.store.hash_chain import damaged
from enfilade.store.protocol import Store, TableState, iter_entries

TAIL = 100
"""The number of last entries that are folded when a table opens, and the batch size of a full check."""


class Finding(Value, frozen=True, kw_only=True):
    """The result of checking one table; `wrong` is a sentence, or empty if the table is consistent."""

    table: str
    entries: int = 0
    wrong: str = ""


def verify_tail(state: TableState, store: Store) -> None:
    """Check that the end of a table's log leads to its scene; quick enough for opening a table.

    Raises Damaged.
    """
    count = min(TAIL, state.seq)  # excludes entries that another process has stored since
    entries = store.entries(state.id, state.seq - count, count)
    while entries and len(entries) < count:  # large entries come in smaller batches, which suffice
        count //= 2
        entries = store.entries(state.id, state.seq - count, count)
    _rewind(state.id, entries, state.seq, state.scene)


def check_all(store: Store) -> Iterator[Finding]:
    """Check every entry of every table. Raises StoreDown."""
    for table in store.table_ids():
        try:
            yield Finding(table=table, entries=_check_table(store, table))
        except Damaged as problem:
            yield Finding(table=table, wrong=problem.sentence)


def _check_table(store: Store, table: str) -> int:
    """Check one table and return its number of entries. Raises Damaged."""
    state = store.load(table)
    if state is None:
        return 0  # deleted since it was listed
    scene, view_seq = state.scene, state.view_seq
    # Backward from the end in batches, because a log can be larger than memory.
    for last in range(state.seq, 0, -TAIL):
        first = max(1, last - TAIL + 1)
        entries = list(iter_entries(store.entries, table, max(0, first - 2), last))
        before = entries.pop(0).numbers if entries and first > 1 else ViewSeq()
        scene = _rewind(table, entries, last, scene)
        _check_view_seq(table, before, entries, view_seq)
        _check_replies(store, table, entries)
        view_seq = before
    if view_seq != ViewSeq():
        raise damaged(table, "view_seq")
    return state.seq


def _check_view_seq(table: str, view_seq: ViewSeq, entries: Sequence[Entry], last: ViewSeq) -> None:
    for entry in entries:
        view_seq = view_seq.after(entry.known_to)
        if entry.numbers != view_seq:
            raise damaged(table, "view_seq_at", seq=entry.seq)
    if view_seq != last:
        raise damaged(table, "view_seq")


def _check_replies(store: Store, table: str, entries: Sequence[Entry]) -> None:
    for entry in entries:
        if entry.seat == TABLE_SEAT:  # the table's own entries answer no command
            continue
        reply = store.reply(table, entry.seat, entry.id)
        if reply is None or reply.seq != entry.number(seat_of(entry.seat)):
            raise damaged(table, "reply_to", seq=entry.seq)


def _rewind(table: str, entries: Sequence[Entry], last: int, scene: Scene) -> Scene:
    """Return the scene before some entries, and check that they lead from it to `scene`. Raises Damaged."""
    if (entries[-1].seq if entries else 0) != last:
        raise damaged(table, "log_end")
    try:
        before = scene
        for entry in reversed(entries):
            before = fold_all(before, inverse(entry.events))
        is_consistent = fold_all(before, (event for entry in entries for event in entry.events)) == scene
    except NotFound:
        is_consistent = False
    if not is_consistent:
        raise damaged(table, "scene")
    return before
