"""Sealed answers: what log entries say of answers given at the same time, so that anyone can check them.

When a question closes, an entry has a commitment to each answer: a SHA-256 over the answer and a random salt.
The entry of the act's result has the same commitments with the answers and the salts
(docs/decisions/0075-sealed-answers.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.scene.model import Value
from enfilade.scene.seat import GM, Seat
from enfilade.scene.state_hash import canonical_json

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
