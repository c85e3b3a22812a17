"""Proofs: what log entries say of dice and of sealed answers, so that anyone can check them.

A table commits to its dice before a roll. It keeps a secret chain of links, each the SHA-256 of the next, and
publishes the head. Each act that rolls uses the next link and then publishes it. Hidden rolls have their own
chain, so that the numbers of the open chain do not reveal them (docs/fair-dice.md).

When a question that several answer at the same time closes, an entry has a commitment to each answer: a
SHA-256 over the answer and a random salt. The entry of the act's result has the same commitments with the
answers and the salts (docs/decisions/0075-sealed-answers.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.scene.model import GM, Seat, Value
from enfilade.scene.scene_json import canonical_json


class RulesVersion(Value, frozen=True, kw_only=True):
    """The rules that apply to a roll: the ruleset's key and the house rules."""

    ruleset: str
    house_rules: dict[str, bool | int | str] = {}


class HiddenHead(Value, frozen=True, kw_only=True):
    """The commitment to hidden rolls: the name, head and length of their chain."""

    epoch: str
    head: str
    links: int


class Part(Value, frozen=True, kw_only=True):
    """A player's contribution to the dice: the seat's commitment, then its bytes.

    Both are hexadecimal; `value` is empty until the player gives it.
    """

    seat: str
    commitment: str
    value: str = ""


class ChainNote(Value, frozen=True, tag_field="type", kw_only=True):
    """A note about a chain; `epoch` is the chain's random name."""

    epoch: str


class ChainOpened(ChainNote, frozen=True, kw_only=True, tag="opened"):
    """The server made a chain and committed to its head (hexadecimal); `reason` says why.

    `hidden` is the chain of hidden rolls made with it; older logs have none.
    """

    head: str
    links: int
    reason: str
    hidden: HiddenHead | None = None


class _Link(ChainNote, frozen=True, kw_only=True):
    """A link of a chain, and everything that determines its dice.

    `command` is the ID of the command that used the link, `random` the client's bytes (hexadecimal, or
    empty), `players` the hash of the players' contributions (or empty). `void` says why the dice do not
    count; it is empty if they do. `is_hidden` marks a link of the hidden chain.
    """

    index: int
    link: str
    command: str
    random: str
    rules: RulesVersion
    void: str = ""
    players: str = ""
    is_hidden: bool = False


class IndexUsed(_Link, frozen=True, kw_only=True, tag="used"):
    """A command used this link for its dice; the note publishes it."""


class IndexShown(_Link, frozen=True, kw_only=True, tag="shown"):
    """The GM revealed a hidden roll."""


class IndexHidden(ChainNote, frozen=True, kw_only=True, tag="hidden"):
    """A command used a link of the open chain for an event that this seat may not know."""

    index: int


class IndexSealed(ChainNote, frozen=True, kw_only=True, tag="sealed"):
    """The dice belong to the hidden chain; the reveal tells which link."""


class PartsCommitted(ChainNote, frozen=True, kw_only=True, tag="committed"):
    """The commitments of players; none had seen the bytes of another."""

    parts: tuple[Part, ...]


class PartsGiven(ChainNote, frozen=True, kw_only=True, tag="given"):
    """The bytes of players; a player who did not give them has none.

    From here on `players`, the hash of all of them, goes into the dice.
    """

    parts: tuple[Part, ...]
    players: str


AnyChainNote = ChainOpened | IndexUsed | IndexShown | IndexHidden | IndexSealed | PartsCommitted | PartsGiven


def is_about_contributions(note: AnyChainNote | None) -> bool:
    """Return whether an entry concerns only the players' contributions."""
    return isinstance(note, PartsCommitted | PartsGiven)


SCHEME = "answer/v1"


class SealedAnswer(Value, frozen=True, kw_only=True):
    """One sealed answer: its choice, the token that decides, the seat that answered, and the commitment.

    `seat` is empty for a default that the GM's close took. `answer`, `label` and `salt` are empty until the
    reveal. `label` is the answer in the words of the question; the commitment covers the answer alone.
    `readers` are the IDs of the players who may know of it besides the GM; None means all seats. Only the
    stored log has them.
    """

    choice: str
    token: str
    seat: str
    commitment: str
    answer: str = ""
    salt: str = ""
    label: str = ""
    readers: tuple[str, ...] | None = None


class SealedAnswers(Value, frozen=True, kw_only=True):
    """The answers to one question at the same time; `is_open` after the reveal."""

    question: str
    answers: tuple[SealedAnswer, ...]
    is_open: bool = False

    def closed(self) -> SealedAnswers:
        """Return the commitments alone, as the log has them before the reveal."""
        closed = (replace(one, answer="", salt="", label="") for one in self.answers)
        return replace(self, answers=tuple(closed))

    def opened(self) -> SealedAnswers:
        """Return the same answers after the reveal."""
        return replace(self, is_open=True)


def seal(table: str, question: str, choice: str, seat: str, answer: str, salt: str) -> str:
    """Return the commitment to an answer, in hexadecimal; it holds for no other table, question or seat."""
    return hashlib.sha256(canonical_json([SCHEME, table, question, choice, seat, answer, salt])).hexdigest()


def for_seat(sealed: Sequence[SealedAnswers], seat: Seat) -> tuple[SealedAnswers, ...]:
    """Return the sealed answers that a seat may know."""
    found = (replace(one, answers=tuple(_shown(one, seat))) for one in sealed)
    return tuple(one for one in found if one.answers)


def _shown(sealed: SealedAnswers, seat: Seat) -> list[SealedAnswer]:
    known = [one for one in sealed.answers if seat == GM or one.readers is None or seat.id in one.readers]
    return [replace(one, readers=None) for one in known]
