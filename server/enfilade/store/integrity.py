"""The integrity of stored tables: what protects a row, a log and its replies, and the check that they agree.

What is stored is canonical JSON, protected by checksums and by the hash chain of the log. The hash of an
entry is SHA-256 over the previous hash and the entry's canonical JSON (RFC 8785: sorted keys, no whitespace,
UTF-8), as stored. To change, remove, swap or insert an entry, an attacker must rewrite every later hash. The
check also follows the log back from the scene that it leads to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from enfilade.errors import Damaged, NotFound
from enfilade.i18n import localize
from enfilade.scene import scene_json
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import TABLE_SEAT, Entry, ViewSeq
from enfilade.scene.model import Scene, Value, seat_of
from enfilade.scene.scene_json import canonical_json, with_encoded_map
from enfilade.store.protocol import Store, TableState, iter_entries


def first_link(table: str) -> bytes:
    """Return the hash before the first entry. It differs by table, so a log cannot pass for another's."""
    return hashlib.sha256(canonical_json(["log/v1", table])).digest()


def link(prev: bytes, entry: bytes) -> bytes:
    """Return the hash of an entry (canonical JSON) that follows the hash `prev`."""
    hashed = hashlib.sha256(prev)
    hashed.update(entry)  # joined they would be copied, which takes a millisecond for a large scene
    return hashed.digest()


def seal(*parts: bytes | str) -> bytes:
    """Return a checksum over several parts and their lengths, for rows that are not in the chain."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()


def damaged(table: str, part: str, **values: object) -> Damaged:
    """Return the error for a table with a damaged part: the last word of a key `store.part_...`."""
    return Damaged(localize("store.damaged", table=table, part=localize(f"store.part_{part}", **values)))


def encode_state(state: TableState) -> bytes:
    """Return the canonical JSON of a row. Only the thread that serves may call this."""
    row = replace(state, scene=with_encoded_map(state.scene))
    if len(state.scene.tokens) <= scene_json.PART:  # walls and terrain are JSON already
        return scene_json.encode_small(row, "sorted")
    return canonical_json(row)


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
