"""Outgoing messages: the envelopes of updates, acknowledgements and errors."""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec
import orjson

from enfilade.errors import EnfiladeError, StaleBase
from enfilade.messages.load import VERSION
from enfilade.messages.outgoing import Ack, Problem
from enfilade.play.command import CommandResult
from enfilade.scene import scene_json

_DETAILS = ("rule", "cause", "fields", "current", "retry_after_ms", "process")
"""The further attributes of some errors, with the same names on the wire."""


def update(table: str, epoch: str, kind: str, seq: int, value: Any) -> dict[str, Any]:
    """Return an update: `value` (a Snapshot, Entries, Overlay...) in the shape of its kind's schema."""
    return envelope(table, epoch, kind, seq, plain(value))


def written(
    table: str, epoch: str, kind: str, seq: int, value: Any, is_small: bool = False
) -> dict[str, Any]:
    """Return the same update for orjson, with a body that is already JSON.

    A large scene has a hundred thousand values. As dictionaries they take five times as long, and slow the
    garbage collector down. Entries are sent for every command.
    """
    if is_small:
        return envelope(table, epoch, kind, seq, orjson.Fragment(scene_json.encode_small(value, _ORDER)))
    return envelope(table, epoch, kind, seq, fragment(value))


def fragment(value: Any) -> orjson.Fragment:
    """Return a value as JSON that orjson embeds as it is."""
    return orjson.Fragment(json_bytes(value))


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON in UTF-8."""
    return scene_json.encode(value, _ORDER)


def envelope(table: str, epoch: str, kind: str, seq: int, body: Any) -> dict[str, Any]:
    """Return an update with a body that is dictionaries, or JSON already."""
    return {"v": VERSION, "table": table, "epoch": epoch, "kind": kind, "seq": seq, "body": body}


def ack(command_id: str, done: CommandResult) -> dict[str, Any]:
    """Return the answer to a successful command: the last entry of its seat's view, and the result.

    A value of the result may be a fragment.
    """
    result = {
        name: value if isinstance(value, orjson.Fragment) else plain(value)
        for name, value in sorted(done.result.items())
    }
    answer: Ack = {"ok": True, "id": command_id, "seq": done.seq, "result": result}
    if done.is_again:
        answer["dup"] = True
    return cast(dict[str, Any], answer)


def refusal(command_id: str, problem: EnfiladeError) -> dict[str, Any]:
    """Return the answer to a refused command; `command_id` is empty if none could be read."""
    return {"ok": False, "id": command_id, "error": error(problem)}


def error(problem: EnfiladeError) -> dict[str, Any]:
    """Return an error: its code, its sentence, and its details if it has some."""
    reason: Problem = {"code": problem.code, "sentence": problem.sentence, "retryable": problem.retryable}
    found = cast(dict[str, Any], reason)
    for name in _DETAILS:
        value = getattr(problem, name, None)
        if value not in (None, "", {}):
            found[name] = value
    if isinstance(problem, StaleBase):
        found["missing"] = plain(problem.missing)
    return found


def plain(value: Any) -> Any:
    """Return a value as dictionaries, lists, numbers and strings."""
    return msgspec.to_builtins(value, str_keys=True, order=_ORDER)


_ORDER: Literal["deterministic"] = "deterministic"
"""Names are sorted, because their order of arrival would reveal an undone edit of a hidden thing."""
