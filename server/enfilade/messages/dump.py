"""From values to what goes out: the envelopes of updates, acknowledgements and errors."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import orjson

from enfilade.errors import EnfiladeError, StaleBase
from enfilade.messages.load import VERSION
from enfilade.play.command import CommandResult

_DETAILS = ("rule", "fields", "current", "retry_after_ms")
"""What some errors carry beyond a code and a sentence, under the same name on the wire."""


def update(table: str, epoch: str, kind: str, seq: int, value: Any) -> dict[str, Any]:
    """An update: `value` (a Snapshot, Entries, Overlay...) as its kind's schema shows it."""
    return _update(table, epoch, kind, seq, plain(value))


def written(table: str, epoch: str, kind: str, seq: int, value: Any) -> dict[str, Any]:
    """The same update, to be written by orjson: its body is written already.

    A large scene is a hundred thousand values; as dictionaries they take five times as long, and all of the
    garbage collector's next round. Entries are told for every command.
    """
    return _update(table, epoch, kind, seq, orjson.Fragment(msgspec.json.encode(value, order=_ORDER)))


def _update(table: str, epoch: str, kind: str, seq: int, body: Any) -> dict[str, Any]:
    return {"v": VERSION, "table": table, "epoch": epoch, "kind": kind, "seq": seq, "body": body}


def ack(command_id: str, done: CommandResult) -> dict[str, Any]:
    """The answer to a command that was done: where its seat's view then stood, and what was asked for."""
    answer = {"ok": True, "id": command_id, "seq": done.seq, "result": plain(done.result)}
    return {**answer, "dup": True} if done.is_again else answer


def refusal(command_id: str, problem: EnfiladeError) -> dict[str, Any]:
    """The answer to a command that was refused; `command_id` is empty where none could be read."""
    return {"ok": False, "id": command_id, "error": error(problem)}


def error(problem: EnfiladeError) -> dict[str, Any]:
    """An error: its code, its sentence, and its details where it has any."""
    details = {name: getattr(problem, name, None) for name in _DETAILS}
    missing = {"missing": plain(problem.missing)} if isinstance(problem, StaleBase) else {}
    return {
        "code": problem.code,
        "sentence": problem.sentence,
        "retryable": problem.retryable,
        **{name: value for name, value in details.items() if value not in (None, "", {})},
        **missing,
    }


def plain(value: Any) -> Any:
    """A value of ours as dictionaries, lists, numbers and strings."""
    return msgspec.to_builtins(value, str_keys=True, order=_ORDER)


_ORDER: Literal["deterministic"] = "deterministic"
"""Names are in their order of letters: the order in which they came would tell what was taken back unseen."""
