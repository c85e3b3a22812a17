"""What is asked of a table and what comes back."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec

from enfilade.geometry.board.mask import Run
from enfilade.rules.house_rules import TABLE_RULES
from enfilade.rules.procedures import Answer
from enfilade.rules.ruleset import Area, Bar, Ruleset
from enfilade.scene.dice_notes import HiddenHead
from enfilade.scene.entry import Entry, RedactedEntry
from enfilade.scene.model import Scene, Value
from enfilade.scene.seat import Role, Seat


class Command(Value, frozen=True, kw_only=True):
    """A command whose shape has been checked; `body` is as its kind's schema loads it.

    `random` are the sender's own fresh bytes for the dice, in hexadecimal; empty where it sent none.
    """

    id: str
    kind: str
    base: int | None = None
    body: dict[str, Any] = {}
    random: str = ""


def fingerprint(command: Command, seat: Seat) -> str:
    """What tells whether a command that comes under a known id is the same again, from the same seat."""
    # A game master's is as it was before there were players.
    who = [] if seat.role == "gm" else [seat.key]
    words = msgspec.json.encode([command.kind, command.body, *who], order="deterministic")
    return hashlib.sha256(words).hexdigest()


class Done(Value, frozen=True, kw_only=True):
    """What a command did: where its seat's view stands after it (`seq`), what was asked for, its entry.

    `is_again` where it was done before and this is the answer of then. Not everything makes an entry.
    """

    seq: int
    result: dict[str, Any]
    entry: Entry | None = None
    is_again: bool = False


class Choice(Value, frozen=True, kw_only=True):
    """A decision the table waits for: whose, what is asked, the answers, the one taken by default.

    `token` is the miniature whose own decision it is; empty where it is the side's. `facts` is what has been
    said and has fallen up to the question: the modifiers, the dice.
    """

    id: str
    side: str
    question: str
    options: tuple[Answer, ...]
    default: str
    token: str = ""
    facts: dict[str, Any] = {}


class ChainHead(Value, frozen=True, kw_only=True):
    """What a table's dice are committed to: the chain's name, its head, its length, the next link.

    `hidden` is the chain of hidden rolls, whose next link nobody is told; `players` is the hash of the
    players' parts that go into the dice now, empty where there are none.
    """

    epoch: str
    head: str
    links: int
    next: int
    hidden: HiddenHead | None = None
    players: str = ""


class WebhookState(Value, frozen=True, kw_only=True):
    """What a game master may know of the table's webhook: never its URL.

    `hosts` are those that the server posts to, `host` the one that is set (empty: none); `outcome` says how
    the last attempt went, at `at_ms` (0: none yet).
    """

    hosts: tuple[str, ...]
    host: str = ""
    outcome: str = ""
    at_ms: int = 0
    is_stopped: bool = False


class Snapshot(Value, frozen=True, kw_only=True):
    """A table as a whole, as a seat may know it.

    `seat` is the id of the player who looks, as it stands in the `owners` of tokens; empty for others.
    `regions` are the parts of the board beyond its cells, `bodies` the cells of each token that fills others
    than its size says, `bars` the hit points of each and the most they may be, `hash` is the scene's
    (scene/state_hash.py). `webhook` is None where the server posts nowhere, and for all but the game master.
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
    dice: ChainHead | None = None
    webhook: WebhookState | None = None
    hash: str


class Entries(Value, frozen=True, kw_only=True):
    """New entries as a seat may know them, the choice the table now waits for, the bodies and bars now.

    `regions` is None where they are still the same, `hash` (of the scene now) where it is not its turn.
    """

    entries: tuple[RedactedEntry, ...]
    choice: Choice | None
    regions: tuple[Area, ...] | None = None
    bodies: dict[str, tuple[Run, ...]] = {}
    bars: dict[str, Bar] = {}
    webhook: WebhookState | None = None
    hash: str | None = None


class Known(Value, frozen=True):
    """What a client says it knows: the epoch, the number of its view's last entry, its scene's hash or ""."""

    epoch: str
    number: int
    hash: str = ""


class News(Value, frozen=True, kw_only=True):
    """What a seat has to be told, and when that was: the table's place in its log, its row's revision.

    `number` is the place as the seat's view counts it, the only one of these that a seat may be told.
    """

    place: int
    revision: int
    number: int
    body: Snapshot | Entries


def about(ruleset: Ruleset) -> dict[str, Any]:
    """What a front end needs to know of a ruleset: its catalogue, its options, the form of a profile."""
    return {
        "key": ruleset.key,
        "title": ruleset.title,
        "catalogue": msgspec.to_builtins(ruleset.catalogue),
        "house_rules": msgspec.to_builtins((*ruleset.house_rules, *TABLE_RULES)),
        "acts": [{"kind": kind, "label": label} for kind, label in ruleset.acts.items()],
        "profile_schema": _form_of(ruleset.profile),
        "tracks": dict(ruleset.tracks),
        "conditions": dict(ruleset.conditions),
        "layers": ["reach", *ruleset.layers, "targets"],
        "faces": list(ruleset.faces),
    }


@cache
def _form_of(profile: type) -> dict[str, Any]:
    """The JSON Schema of a ruleset's profiles: five milliseconds that no snapshot needs to take again."""
    return msgspec.json.schema(profile)
