"""Values that enter and leave a table: commands, results, choices, snapshots and entries."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from typing import Any, TypedDict

import msgspec

from enfilade.errors import BadMessage
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Run
from enfilade.i18n import localize
from enfilade.rules.house_rules import TABLE_RULES, HouseRule
from enfilade.rules.procedures import Answer
from enfilade.rules.ruleset import Area, Bar, Ruleset, Turn, Unit
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.entry import Entry, RedactedEntry
from enfilade.scene.model import GridKind, Role, Scene, Seat, Value
from enfilade.scene.proofs import HiddenHead


class Command(Value, frozen=True, kw_only=True):
    """A command of valid shape; `body` is what its kind's schema loads.

    `random` holds the sender's fresh bytes for the dice, in hexadecimal, or "".
    """

    id: str
    kind: str
    base: int | None = None
    body: dict[str, Any] = {}
    random: str = ""


def fingerprint(command: Command, seat: Seat) -> str:
    """Return a hash that identifies a command and its sender, to detect a reused ID."""
    # The GM's hash has no key: logs from before there were players hold it so.
    who = [] if seat.role == "gm" else [seat.key]
    encoded = scene_json.encode((command.kind, command.body, *who), "deterministic")
    checkpoint()
    return hashlib.sha256(encoded).hexdigest()


def require_on_board(scene: Scene, places: Iterable[Cell], field: str) -> None:
    """Check that the places in a command's field are on the board. Raises BadMessage."""
    if not all(at in scene.grid for at in places):
        raise BadMessage({field: [localize("play.off_board")]})


class CommandResult(Value, frozen=True, kw_only=True):
    """The result of a command: the sender's view number after it (`seq`), the result and the entry.

    `is_again` marks the stored result of a repeated command. A command without effect has no entry.
    """

    seq: int
    result: dict[str, Any]
    entry: Entry | None = None
    is_again: bool = False


class Allocation(Value, frozen=True, kw_only=True):
    """The numbers of a choice that splits a pool over its options; the lists are in their order.

    The sum is from `least` to `pool`, the number of each option within its `limits`. `default` is the split
    that the ruleset recommends. `chances` has for each option the chance of success with 0, 1, 2 and so on;
    it is empty if the ruleset does not work them out, or hidden things have a part in them.
    """

    pool: int
    least: int
    limits: tuple[tuple[int, int], ...]
    default: tuple[int, ...]
    chances: tuple[tuple[tuple[int, int], ...], ...] = ()


class Choice(Value, frozen=True, kw_only=True):
    """A decision that the table waits for: the side, the question, the answers and the default.

    `token` is the token that decides, or "" for the side. `facts` holds the modifiers and dice so far. With
    an `allocation` the answer is a split over the options, and `default` is "". `others` are the choices that
    the seat has at the same time, `given` is its answer that waits for those of others. `is_sealed`: the log
    proves the answers. `has_odds`: the seat may ask for the odds of its answers.
    """

    id: str
    side: str
    question: str
    options: tuple[Answer, ...]
    default: str
    token: str = ""
    facts: dict[str, Any] = {}
    allocation: Allocation | None = None
    is_sealed: bool = False
    has_odds: bool = False
    given: str = ""
    others: tuple[Choice, ...] = ()

    @property
    def version(self) -> str:
        """Return a text that differs if a seat has other choices or answers than before."""
        return " ".join(f"{choice.id}:{choice.given}" for choice in (self, *self.others))


class ChainHead(Value, frozen=True, kw_only=True):
    """The commitment to a table's dice: the chain's name, head and length, and the next link.

    `hidden` is the chain of hidden rolls, whose next link stays secret. `players` is the hash of the players'
    contributions in use, or "".
    """

    epoch: str
    head: str
    links: int
    next: int
    hidden: HiddenHead | None = None
    players: str = ""


class WebhookState(Value, frozen=True, kw_only=True):
    """The webhook as the GM may know it, never with its URL.

    `hosts` are the hosts that the server allows, `host` the current one or "". `outcome` describes the last
    attempt, at `at_ms` (0: none).
    """

    hosts: tuple[str, ...]
    host: str = ""
    outcome: str = ""
    at_ms: int = 0
    is_stopped: bool = False


class History(Value, frozen=True, kw_only=True):
    """The entries that undo and redo would take next, and the first one that can be undone; None for none."""

    undo: int | None = None
    redo: int | None = None
    first: int | None = None


class Snapshot(Value, frozen=True, kw_only=True):
    """The whole table in a seat's view.

    `seat` is the player's ID as in the tokens' `owners`, or "". `regions` are parts of the board beyond
    cells, `bodies` the cells of tokens whose body differs from their size, `bars` their hit points, `turn`
    the turn order as the seat sees it, `hash` the scene's (scene/scene_json.py). `webhook` and `history` are
    for the GM.
    """

    role: Role
    seat: str
    scene: Scene
    log: tuple[RedactedEntry, ...]
    choice: Choice | None
    ruleset: dict[str, Any]
    regions: tuple[Area, ...] = ()
    bodies: dict[str, tuple[Run, ...]] = {}
    bars: dict[str, Bar] = {}
    turn: Turn = Turn(round=0)
    dice: ChainHead | None = None
    webhook: WebhookState | None = None
    history: History | None = None
    hash: str


class Entries(Value, frozen=True, kw_only=True):
    """New entries in a seat's view, with the open choice, the bodies, the bars and the turn.

    `regions` is None if they did not change, `hash` is None if it is not due.
    """

    entries: tuple[RedactedEntry, ...]
    choice: Choice | None
    regions: tuple[Area, ...] | None = None
    bodies: dict[str, tuple[Run, ...]] = {}
    bars: dict[str, Bar] = {}
    turn: Turn = Turn(round=0)
    webhook: WebhookState | None = None
    history: History | None = None
    hash: str | None = None


class ReplicaPosition(Value, frozen=True):
    """A client's position: the epoch, the number of its last entry, and its scene's hash or ""."""

    epoch: str
    number: int
    hash: str = ""


class Delta(Value, frozen=True, kw_only=True):
    """The updates that a seat lacks, and the log position and revision of the table.

    `number` is the position in the seat's view, the only one of these that the client may know.
    """

    place: int
    revision: int
    number: int
    body: Snapshot | Entries


class ActInfo(TypedDict):
    """A kind of act: the label of its button, and the JSON Schema of its form, or None without a form."""

    kind: str
    label: str
    body: dict[str, Any] | None


class RulesetInfo(TypedDict):
    """A ruleset for a front end: its catalog, options, and the form of a profile."""

    key: str
    title: str
    catalog: list[Unit]
    house_rules: list[HouseRule]
    acts: list[ActInfo]
    profile_schema: dict[str, Any]
    tracks: dict[str, str]
    conditions: dict[str, str]
    layers: list[str]
    """The overlay layers that it supports."""
    grids: list[GridKind]
    """The kinds of grid that it is played on."""
    faces: list[str]
    """The named faces of its dice; none if they show numbers."""


def ruleset_info(ruleset: Ruleset) -> dict[str, Any]:
    """Return what a front end needs of a ruleset: catalog, options, and the form of a profile."""
    return {
        "key": ruleset.key,
        "title": ruleset.title,
        "catalog": msgspec.to_builtins(ruleset.catalog),
        "house_rules": msgspec.to_builtins((*ruleset.house_rules, *TABLE_RULES)),
        "acts": [
            {"kind": kind, "label": act.label, "body": form_of(act.body) if act.body else None}
            for kind, act in ruleset.acts.items()
        ],
        "profile_schema": form_of(ruleset.profile),
        "tracks": dict(ruleset.tracks),
        "conditions": dict(ruleset.conditions),
        "layers": ["reach", *ruleset.layers, "targets"],
        "grids": sorted(ruleset.grids),
        "faces": list(ruleset.faces),
    }


@cache
def form_of(shape: type) -> dict[str, Any]:
    """Return the JSON Schema of a shape; cached, because that of profiles takes five milliseconds."""
    schema = msgspec.json.schema(shape)
    for part in (schema, *schema.get("$defs", {}).values()):
        if "description" in part:  # Python 3.12 leaves the indents of docstrings
            part["description"] = inspect.cleandoc(part["description"])
    return schema
