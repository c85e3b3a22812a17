"""Every error a caller can meet, in one tree, each with the code it has on the wire.

EnfiladeError                    what all of them are
├── BadInput                     something from outside cannot be used as it stands
│   ├── BadMessage    bad-schema     a message or file does not have the published shape
│   ├── BadFile       bad-file       a file is not what it says it is; names the place
│   ├── WrongVersion  version        the other side speaks a contract version this one does not
│   └── WrongGrid     wrong-grid     the ruleset is not played on this kind of grid
├── NotFound          not-found      no such table, token, door, entry, ruleset
├── Forbidden         forbidden      this seat may not do that
│   └── OtherBridge   other-bridge   another page speaks for the tabletop at this table
├── TooMany           too-many       there is no room for another
├── IllegalAct                       the rules refuse; names the rule
│   ├── OutOfTurn     not-your-turn  the token's turn has not come, or it is over
│   ├── OutOfReach    out-of-reach   too far, out of the arc, or out of sight
│   ├── CannotPay     cannot-pay     not enough movement, ammunition, story points
│   └── (itself)      illegal-act    any other reason in the rules
├── StaleBase         stale-base     decided on an older scene than the table's
├── IdReused          id-reused      a command id came back with another body
├── Busy              busy           a choice is waiting; answer it first
├── RateLimited       rate-limited   too much was asked in too short a time; says when to ask again
├── TooSlow           too-slow       the answer would take longer than one may take
├── StoreDown         storage-down   nothing can be stored now, so nothing is acknowledged
└── Damaged           damaged        what is stored of one table is not what was written; it stays closed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class EnfiladeError(Exception):
    """An answer to be given to a person: `code` for programs, `sentence` for people."""

    code = "internal"
    retryable = False

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class BadInput(EnfiladeError):
    """Something from outside cannot be used as it stands."""

    code = "bad-input"


class BadMessage(BadInput):
    """A message does not have the published shape; `fields` maps a path to what is wrong there."""

    code = "bad-schema"

    def __init__(self, fields: Mapping[str, Sequence[str]], sentence: str = "") -> None:
        places = "; ".join(f"{path}: {' '.join(problems)}" for path, problems in fields.items())
        super().__init__(sentence or places)
        self.fields = {path: list(problems) for path, problems in fields.items()}


class BadFile(BadInput):
    """A file is not what it says it is; `place` says where in it, like `portals[2].bounds`."""

    code = "bad-file"

    def __init__(self, sentence: str, place: str = "") -> None:
        super().__init__(f"{place}: {sentence}" if place else sentence)
        self.place = place


class WrongVersion(BadInput):
    """The other side speaks a version of the contract that this one does not."""

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
    """Another page speaks for the tabletop at this table, or this one has not claimed to."""

    code = "other-bridge"
    retryable = True


class TooMany(EnfiladeError):
    """There is no room for another: a member, an invitation."""

    code = "too-many"


class IllegalAct(EnfiladeError):
    """The rules refuse an act; `rule` is the ID of the rule that does, like `CDG-044`."""

    code = "illegal-act"

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.rule = rule


class OutOfTurn(IllegalAct):
    """The token's turn has not come, or it is over."""

    code = "not-your-turn"


class OutOfReach(IllegalAct):
    """The target is too far, out of the arc, or out of sight."""

    code = "out-of-reach"


class CannotPay(IllegalAct):
    """The act costs more than the token has left."""

    code = "cannot-pay"


class StaleBase(EnfiladeError):
    """A command was decided on an older scene than the table's; `current` is the table's position."""

    code = "stale-base"
    retryable = True

    def __init__(self, sentence: str, current: int) -> None:
        super().__init__(sentence)
        self.current = current


class IdReused(EnfiladeError):
    """A command id came back with another body."""

    code = "id-reused"


class Busy(EnfiladeError):
    """A choice is waiting at this table; it must be answered first."""

    code = "busy"
    retryable = True


class RateLimited(EnfiladeError):
    """Too much was asked in too short a time; the same may be asked again after `retry_after_ms`."""

    code = "rate-limited"
    retryable = True

    def __init__(self, sentence: str, retry_after_ms: int) -> None:
        super().__init__(sentence)
        self.retry_after_ms = retry_after_ms


class TooSlow(EnfiladeError):
    """An answer would take longer than one may take, so that others are not kept waiting."""

    code = "too-slow"


class StoreDown(EnfiladeError):
    """Nothing can be stored now, so nothing is acknowledged."""

    code = "storage-down"
    retryable = True


class Damaged(EnfiladeError):
    """What is stored of one table is not what was once written; it stays closed, others go on."""

    code = "damaged"
