"""All errors that a caller can meet, in one tree, with their codes on the wire.

EnfiladeError                    the base class
├── BadInput                     input from outside is invalid
│   ├── BadMessage    bad-schema     a message or file does not have the published shape
│   ├── BadFile       bad-file       a file is not of its declared kind; names the place
│   ├── WrongVersion  version        the other side speaks another version of the contract
│   └── WrongGrid     wrong-grid     the ruleset is not played on this kind of grid
├── NotFound          not-found      no such table, token, door, entry, ruleset
├── Forbidden         forbidden      this seat may not do that
│   └── OtherBridge   other-bridge   another page is the bridge of this table
├── TooMany           too-many       a limit is reached: members, invitations
├── IllegalAct                       the rules refuse; names the rule
│   ├── OutOfTurn     not-your-turn  it is not the token's turn
│   ├── OutOfReach    out-of-reach   too far, out of the arc, or out of sight
│   ├── CannotPay     cannot-pay     not enough movement, ammunition, story points
│   └── (itself)      illegal-act    any other reason in the rules
├── StaleBase         stale-base     decided on an older scene than the table's
├── OutOfOrder        out-of-order   a connection's commands did not arrive in order
├── IdReused          id-reused      a command ID was used before, with another body
├── Busy              busy           a choice is waiting for an answer
├── RateLimited       rate-limited   too many requests; gives the time of the next one
├── TooSlow           too-slow       the answer would take too long
├── StoreDown         storage-down   the store cannot write now, so that nothing is acknowledged
├── OtherProcess      other-process  another process of the cluster serves this table; names it
└── Damaged           damaged        a table's stored data is damaged; the table stays closed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal


class EnfiladeError(Exception):
    """The base class of all errors: `code` is for programs, `sentence` for people."""

    code = "internal"
    retryable = False

    def __init__(self, sentence: str) -> None:
        Exception.__init__(self, sentence)  # `super` takes longer, and offers refuse hundreds of acts
        self.sentence = sentence


class BadInput(EnfiladeError):
    """Input from outside is invalid."""

    code = "bad-input"


class BadMessage(BadInput):
    """A message does not have the published shape. `fields` maps each wrong path to its problems."""

    code = "bad-schema"

    def __init__(self, fields: Mapping[str, Sequence[str]], sentence: str = "") -> None:
        places = "; ".join(f"{path}: {' '.join(problems)}" for path, problems in fields.items())
        super().__init__(sentence or places)
        self.fields = {path: list(problems) for path, problems in fields.items()}


class BadFile(BadInput):
    """A file is not of its declared kind. `place` is the place in the file, like `portals[2].bounds`."""

    code = "bad-file"

    def __init__(self, sentence: str, place: str = "") -> None:
        super().__init__(f"{place}: {sentence}" if place else sentence)
        self.place = place


class WrongVersion(BadInput):
    """The other side speaks another version of the contract."""

    code = "version"


class WrongGrid(BadInput):
    """The ruleset is not played on this kind of grid."""

    code = "wrong-grid"


class NotFound(EnfiladeError):
    """No such table, token, door, entry or ruleset."""

    code = "not-found"


class Forbidden(EnfiladeError):
    """This seat may not do that."""

    code = "forbidden"


class OtherBridge(Forbidden):
    """Another page is the bridge of this table, or this page has not claimed to be."""

    code = "other-bridge"
    retryable = True


class TooMany(EnfiladeError):
    """A limit is reached, for example that of members or invitations."""

    code = "too-many"


Cause = Literal[
    "wall",
    "closed",
    "ground",
    "edge",
    "occupied",
    "height",
    "distance",
    "arc",
    "sight",
    "turn",
    "cost",
    "ban",
    "duty",
    "marker",
    "missing",
    "target",
    "request",
]
"""Why the rules refuse an act, a move or a target, for programs; the sentence says it for people.

What is between or in the way: a wall or door, closed terrain, the ground, the edge of the board, a full
place, a height, the distance, an arc, no line of sight. What the token lacks now: its turn, the price, a
state that allows it, a duty done, a weapon or a tile; or a marker forbids it. What is asked for: a target
that is none, or a request that no rule knows.
"""


class IllegalAct(EnfiladeError):
    """The rules refuse an act. `rule` is the rule's ID, like `CDG-044`; `cause` is empty if none is told."""

    code = "illegal-act"
    cause: Cause | Literal[""] = ""

    def __init__(self, sentence: str, rule: str = "", cause: Cause | Literal[""] = "") -> None:
        EnfiladeError.__init__(self, sentence)
        self.rule = rule
        if cause:
            self.cause = cause


class OutOfTurn(IllegalAct):
    """It is not the token's turn."""

    code = "not-your-turn"
    cause = "turn"


class OutOfReach(IllegalAct):
    """The target is too far, out of the arc, or out of sight."""

    code = "out-of-reach"


class CannotPay(IllegalAct):
    """The act costs more than the token has left."""

    code = "cannot-pay"
    cause = "cost"


class StaleBase(EnfiladeError):
    """A command was decided on an older scene. `current` is the last entry of its seat's view.

    `missing` has the entries that the sender lacks (play.command.Entries). It is None if they are unknown or
    too many.
    """

    code = "stale-base"
    retryable = True

    def __init__(self, sentence: str, current: int, missing: object = None) -> None:
        super().__init__(sentence)
        self.current = current
        self.missing = missing


class OutOfOrder(EnfiladeError):
    """A connection's commands did not arrive in order. The client must open a new connection."""

    code = "out-of-order"
    retryable = True


class IdReused(EnfiladeError):
    """A command ID was used before, with another body."""

    code = "id-reused"


class Busy(EnfiladeError):
    """A choice is waiting for an answer at this table."""

    code = "busy"
    retryable = True


class RateLimited(EnfiladeError):
    """The client sent too many requests. It may send the same one again after `retry_after_ms`."""

    code = "rate-limited"
    retryable = True

    def __init__(self, sentence: str, retry_after_ms: int) -> None:
        super().__init__(sentence)
        self.retry_after_ms = retry_after_ms


class SeatFull(RateLimited):
    """The seat is open in as many pages as it may be; the client may ask to close the others."""

    code = "seat-full"


class TooSlow(EnfiladeError):
    """The answer would take too long and delay other clients."""

    code = "too-slow"


class StoreDown(EnfiladeError):
    """The store cannot write now, so that nothing is acknowledged."""

    code = "storage-down"
    retryable = True


class StoreBroken(StoreDown):
    """The database's file is damaged or no database: only a backup helps."""

    code = "storage-broken"
    retryable = False


class OtherProcess(EnfiladeError):
    """Another process of the cluster serves this table, or this one drains or cannot renew its lease.

    `process` is the name of the right one; it is empty if the proxy must choose one.
    """

    code = "other-process"
    retryable = True

    def __init__(self, sentence: str, process: str = "") -> None:
        super().__init__(sentence)
        self.process = process
        self.retry_after_ms = 500


class Damaged(EnfiladeError):
    """The stored data of one table is damaged. That table stays closed; the others continue."""

    code = "damaged"
