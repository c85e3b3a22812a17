"""Outgoing messages: the shapes of those that no other package has, and the envelopes of all."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

import msgspec
import orjson

from enfilade.analysis.branches import BranchInfo, Difference
from enfilade.analysis.rules_diff import RulesDiff
from enfilade.errors import Cause, EnfiladeError, StaleBase
from enfilade.geometry.board.base import Cell
from enfilade.messages.load import VERSION
from enfilade.play.command import CommandResult, Entries
from enfilade.scene import scene_json
from enfilade.scene.model import Role, Value


class Update(TypedDict):
    """The envelope of every update. Its numbers belong to their `epoch`: a restored log has another one."""

    v: Literal[1]
    table: str
    epoch: str
    kind: Literal["snapshot", "entries", "overlay", "hello", "players", "ping", "branch"]
    seq: int
    """The last entry of this view."""
    body: dict[str, Any]
    """By `kind`, in the shape of `updates/`."""


class Problem(TypedDict):
    """The reason for a refusal: a code for programs, a sentence for people."""

    code: str
    sentence: str
    retryable: bool
    rule: NotRequired[str]
    """The ID of the rule that refuses."""
    cause: NotRequired[Cause]
    """Why the rules refuse, for programs."""
    fields: NotRequired[dict[str, list[str]]]
    """All wrong fields, by path."""
    current: NotRequired[int]
    """For a stale command, the last entry of this view."""
    missing: NotRequired[Entries | None]
    """For a stale command, the entries since `base`; null if they are too many: then ask for a snapshot
    (`sync`)."""
    retry_after_ms: NotRequired[int]
    """The time after which the client may send the same again."""
    process: NotRequired[str]
    """The name of the process that serves the table. The client opens its next connection with it in the
    address (`/socket.io/?table=ID&process=NAME`)."""


class Ack(TypedDict):
    """The answer to a command: its result, or the error."""

    ok: bool
    id: str
    seq: NotRequired[int]
    """The last entry of this view after the command."""
    result: NotRequired[dict[str, Any]]
    dup: NotRequired[Literal[True]]
    """The command had been done before; this is the answer of the first time."""
    error: NotRequired[Problem]


class Hello(Value, frozen=True, kw_only=True):
    """The first update of a connection: its seat."""

    seat: str
    role: Role
    name: str


class Pinged(Value, frozen=True, kw_only=True):
    """A place that a seat points at, in 64ths of a cell, with the player's name ("" for the GM)."""

    at: Cell
    name: str


class BranchNews(Value, frozen=True, kw_only=True):
    """A branch that a seat shows or shows no longer, or that ended, with the player's name ("" for the GM).

    The GM is told of those that are not shown, too.
    """

    branch: str
    name: str
    is_shown: bool


class SeatInfo(Value, frozen=True, kw_only=True):
    """The seat of a key."""

    seat: str
    role: Role
    name: str
    seated: bool
    """False while a player waits for the GM."""


class MemberInfo(SeatInfo, frozen=True, kw_only=True):
    """A member of the table with a key, in the GM's list."""

    online: bool


class InvitationInfo(Value, frozen=True, kw_only=True):
    """An invitation that is valid until `expires_ms`."""

    id: str
    role: Role
    expires_ms: int


class Players(Value, frozen=True, kw_only=True):
    """All members with a key, all waiting players, and all valid invitations."""

    members: tuple[MemberInfo, ...]
    invitations: tuple[InvitationInfo, ...]


class Joined(Value, frozen=True, kw_only=True):
    """A new seat and its key, which is sent only once. A player's key is useless until the GM approves."""

    seat: str
    role: Role
    seated: bool
    key: str


class TicketInfo(Value, frozen=True, kw_only=True):
    """A ticket for one connection, valid for some seconds and for a page of the same origin."""

    ticket: str
    seconds: int
    process: str
    """The name of the process that serves the table, for the address of the connection
    (`/socket.io/?table=ID&process=NAME`); empty for a server that is no cluster."""


class ReplacedKey(Value, frozen=True, kw_only=True):
    """A new key, which is sent only once. The one before it opens nothing any more."""

    role: Role
    key: str


class BranchComparison(BranchInfo, frozen=True, kw_only=True):
    """A branch with the units that it has otherwise than the table now."""

    differences: tuple[Difference, ...]


class RulesDiffJob(Value, frozen=True, kw_only=True):
    """A run under other house rules: `done` of `of` entries, the result or null, and why it failed or "".

    It is waiting until it is the table's turn.
    """

    job: str
    is_waiting: bool
    done: int
    of: int
    result: RulesDiff | None
    failed: str


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
