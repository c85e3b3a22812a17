"""Replies to commands, stored so that a repeated command gets the same one; and the exported log.

An exported log has one JSON value a line, each after a hash of all lines so far: `<SHA-256 of the previous
hash and this line's JSON> <JSON>`. It has a head, one line for each entry, and an end. It holds everything
that the GM may know, and of the dice only what the table has published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

from enfilade.errors import IdReused
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult, fingerprint
from enfilade.play.context import Decision
from enfilade.play.redaction.choices import choice_for_seat
from enfilade.play.redaction.scene import can_read
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import large_json
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import Store, StoredReply, TableState, iter_entries
from enfilade.time_budget import checkpoint

FORMAT = "enfilade-log/1"


def build_reply(
    seat: Seat, command: Command, decision: Decision, entry: Entry | None, state: TableState, ruleset: Ruleset
) -> StoredReply:
    """Return the reply to a command, to store with its effect; `state` is the table's state after it."""
    return StoredReply(
        seat=seat.key,
        id=command.id,
        fingerprint=fingerprint(command, seat),
        seq=state.view_seq.of(seat, state.seq),
        result=_as_stored(_result(seat, decision, entry, state.scene, ruleset)),
    )


def repeat_reply(known: StoredReply, command: Command, seat: Seat) -> CommandResult:
    """Return the stored result of a repeated command. Raises IdReused if the command differs."""
    if known.fingerprint != fingerprint(command, seat):
        raise IdReused(localize("play.id_reused"))
    return CommandResult(seq=known.seq, result=known.result, is_again=True)


def _result(
    seat: Seat, decision: Decision, entry: Entry | None, after: Scene, ruleset: Ruleset
) -> dict[str, Any]:
    """Return the result for the sender; empty if the sender may not read the entry's text."""
    if decision.pending and not decision.events:
        waiting = msgspec.to_builtins(choice_for_seat(decision.pending, after, seat, ruleset))
        return {"waiting": waiting, **decision.result}
    return decision.result if entry is None or entry.plain or can_read(entry, seat) else {}


def _as_stored(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the store returns it, so that a repeated reply is identical."""
    return dict(msgspec.json.decode(msgspec.json.encode(result, order="sorted")))


def export_log(store: Store, table: str) -> Iterator[str]:
    """Yield the lines of a table's log, each with its line end."""
    sealed = ""
    for value in _values(store, table):
        data = large_json.encode(value, "deterministic")
        checkpoint()
        hashed = hashlib.sha256(f"{sealed} ".encode())
        hashed.update(data)
        sealed = hashed.hexdigest()
        checkpoint()
        yield f"{sealed} {data.decode()}\n"


def _values(store: Store, table: str) -> Iterator[Any]:
    yield {"format": FORMAT, "table": table}
    count = 0
    for entry in iter_entries(store.entries, table, 0):
        count = entry.seq
        yield entry
    yield {"end": count}
