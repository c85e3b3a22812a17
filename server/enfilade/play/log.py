"""Replies to commands, stored so that a repeated command gets the same one; and the exported log.

An exported log has one JSON value a line, each after a hash of all lines so far: `<SHA-256 of the previous
hash and this line's JSON> <JSON>`. It has a head, one line for each entry, and an end. It holds everything
that the GM may know, and of the dice only what the table has published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from enfilade.errors import IdReused
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult, fingerprint
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.model import Seat
from enfilade.store.protocol import Store, StoredReply, iter_entries

FORMAT = "enfilade-log/1"


def repeat_reply(known: StoredReply, command: Command, seat: Seat) -> CommandResult:
    """Return the stored result of a repeated command. Raises IdReused if the command differs."""
    if known.fingerprint != fingerprint(command, seat):
        raise IdReused(localize("play.id_reused"))
    return CommandResult(seq=known.seq, result=known.result, is_again=True)


def export_log(store: Store, table: str) -> Iterator[str]:
    """Yield the lines of a table's log, each with its line end."""
    sealed = ""
    for value in _values(store, table):
        data = scene_json.encode(value, "deterministic")
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
