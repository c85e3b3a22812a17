"""Fair dice: faces that follow from a committed secret and the client's own bytes, and from nothing else.

Pure: who keeps the secret, and when a link is used up, is play's to say. docs/fair-dice.md has the whole
scheme in words; enfilade.verify and the board's verify-dice.js work it out on their own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from enfilade.rules.dice import Die, Face, Faces
from enfilade.scene.dice_notes import Part, RulesVersion

SCHEME = "dice/v1"
WITH_PLAYERS = "dice/v2"
"""The scheme of a key into which the players' parts went."""

WORD_BITS = 32
_STRIDE = 128
"""Every so many links one is remembered, and all between two of these while they are in use: so a long chain
costs little to keep, and walking it costs one hash a link."""


class Chain:
    """Links 0 (the head) to `links`, the last one the secret; each is the SHA-256 of the next."""

    def __init__(self, secret: bytes, links: int) -> None:
        self._links = links
        self._remembered = {links: secret}
        self._in_use: dict[int, bytes] = {}
        link = secret
        for index in range(links - 1, -1, -1):
            link = hashlib.sha256(link).digest()
            if index % _STRIDE == 0:
                self._remembered[index] = link

    def link(self, index: int) -> bytes:
        """One link; raises KeyError beyond the chain. They are asked for one after the other, from 0 up."""
        if index not in self._in_use:
            start = min(-(-index // _STRIDE) * _STRIDE, self._links)
            self._in_use = {start: self._remembered[start]}
            for before in range(start, index, -1):
                self._in_use[before - 1] = hashlib.sha256(self._in_use[before]).digest()
        return self._in_use[index]


def canonical(value: Any) -> bytes:
    """A value as JSON in its one form: keys sorted, nothing between the parts, UTF-8."""
    return msgspec.json.encode(value, order="deterministic")


def rules_hash(rules: RulesVersion) -> str:
    """The rules that dice fall under as one hash, in hexadecimal."""
    return hashlib.sha256(canonical([rules.ruleset, rules.house_rules])).hexdigest()


def derive_key(
    link: bytes,
    *,
    table: str,
    epoch: str,
    index: int,
    command: str,
    random: str,
    rules: RulesVersion,
    players: str = "",
) -> bytes:
    """The key that a command's dice fall from: the link, and all that the link was used for."""
    what = [SCHEME, table, epoch, index, command, random, rules_hash(rules)]
    if players:
        what = [WITH_PLAYERS, *what[1:-1], players, what[-1]]
    return hmac.digest(link, canonical(what), "sha256")


def commitment(table: str, seat: str, value: str) -> str:
    """What a player commits to who will give these bytes (hexadecimal): no other seat can give the same."""
    return hashlib.sha256(canonical(["part/v1", table, seat, value])).hexdigest()


def players_hash(table: str, epoch: str, parts: Sequence[Part]) -> str:
    """What the players' parts come to, whether or not all of them were given, as hexadecimal."""
    told = [[part.seat, part.commitment, part.value] for part in parts]
    return hashlib.sha256(canonical(["players/v1", table, epoch, told])).hexdigest()


def word(key: bytes, number: int, attempt: int) -> int:
    """The 32-bit word of an act's die (counted from 0), at the first attempt (0) or a later one."""
    message = SCHEME.encode() + number.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    return int.from_bytes(hmac.digest(key, message, "sha256")[: WORD_BITS // 8], "big")


def place(words: Callable[[int], int], sides: int) -> int:
    """A place from 0 to `sides` - 1, every one as likely: words beyond the last whole multiple are rejected.

    `words` gives the word of an attempt, counted from 0.
    """
    limit = (1 << WORD_BITS) - (1 << WORD_BITS) % sides
    attempt = 0
    while (found := words(attempt)) >= limit:
        attempt += 1
    return found % sides


def sorted_faces(faces: Sequence[Face]) -> Faces:
    """A die's faces in the one order that fair dice count them in: numbers, then words.

    The order that the die is written down in is not asked, so that it cannot be chosen afterwards.
    """
    numbers = sorted(face for face in faces if isinstance(face, int))
    words = sorted((face for face in faces if isinstance(face, str)), key=lambda f: f.encode("utf-16-be"))
    return (*numbers, *words)


class FairDice:
    """The dice of one command. The first one rolled takes a link; each has its own words after that."""

    def __init__(self, take: Callable[[], bytes], fallen: int = 0) -> None:
        """`take` gives the key, once it is stored what it is for; so many dice of it have fallen before."""
        self._take = take
        self._fallen = fallen
        self._key = b""

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell; raises what keeps the key from being taken."""
        self._key = self._key or self._take()
        faces = sorted_faces(die.faces)
        first, self._fallen = self._fallen, self._fallen + count
        return tuple(faces[self._place(number, len(faces))] for number in range(first, first + count))

    def _place(self, number: int, sides: int) -> int:
        return place(lambda attempt: word(self._key, number, attempt), sides)
