"""Fair dice: faces that follow only from a committed secret and from the bytes of clients.

This module is pure. The module play.dice keeps the secrets and decides when a link is used. docs/fair-
dice.md explains the scheme; enfilade.cli.verify and the page's verify-dice.js implement it independently.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence

from enfilade.rules.dice import Die, Face, Faces
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.proofs import RulesVersion
from enfilade.scene.scene_json import canonical_json

SCHEME = "dice/v1"
WITH_PLAYERS = "dice/v2"
"""The scheme of a key that includes the contributions of players."""

WORD_BITS = 32
_STRIDE = 128
"""Every so many links one is remembered, and all between two of these while they are in use: so a long chain
costs little to keep, and walking it costs one hash a link."""


class Chain:
    """Links 0 (the head) to `links`, the last of which is the secret; each is the SHA-256 of the next."""

    def __init__(self, secret: bytes, links: int) -> None:
        self._links = links
        self._cache = {links: secret}
        self._in_use: dict[int, bytes] = {}
        link = secret
        for index in range(links - 1, -1, -1):
            link = hashlib.sha256(link).digest()
            if index % _STRIDE == 0:
                checkpoint()
                self._cache[index] = link

    def link(self, index: int) -> bytes:
        """Return one link. Raises KeyError beyond the chain. Callers ask for links in order, from 0 up."""
        if index not in self._in_use:
            start = min(-(-index // _STRIDE) * _STRIDE, self._links)
            self._in_use = {start: self._cache[start]}
            for before in range(start, index, -1):
                self._in_use[before - 1] = hashlib.sha256(self._in_use[before]).digest()
        return self._in_use[index]


def rules_hash(rules: RulesVersion) -> str:
    """Return the hash of the rules that apply to a roll, in hexadecimal."""
    return hashlib.sha256(canonical_json([rules.ruleset, rules.house_rules])).hexdigest()


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
    """Return the key for the dice of a command, from the link and everything the link was used for."""
    what = [SCHEME, table, epoch, index, command, random, rules_hash(rules)]
    if players:
        what = [WITH_PLAYERS, *what[1:-1], players, what[-1]]
    return hmac.digest(link, canonical_json(what), "sha256")


def word(key: bytes, number: int, attempt: int) -> int:
    """Return the 32-bit word of a die (counted from 0) at an attempt (the first is 0)."""
    message = SCHEME.encode() + number.to_bytes(4, "big") + attempt.to_bytes(4, "big")
    return int.from_bytes(hmac.digest(key, message, "sha256")[: WORD_BITS // 8], "big")


def place(next_word: Callable[[int], int], sides: int) -> int:
    """Return an index from 0 to `sides` - 1, all equally likely.

    `next_word` returns the word of an attempt, counted from 0. Words beyond the last whole multiple of
    `sides` are rejected.
    """
    limit = (1 << WORD_BITS) - (1 << WORD_BITS) % sides
    attempt = 0
    while (found := next_word(attempt)) >= limit:
        attempt += 1
    return found % sides


def sorted_faces(faces: Sequence[Face]) -> Faces:
    """Return the faces of a die in the order in which fair dice count them: numbers, then words.

    The order in the die's definition does not count, so that no one can choose it afterwards.
    """
    numbers = sorted(face for face in faces if isinstance(face, int))
    next_word = sorted((face for face in faces if isinstance(face, str)), key=lambda f: f.encode("utf-16-be"))
    return (*numbers, *next_word)


class FairDice:
    """The dice of one command: the first roll takes a link, and each die has its own words of the key."""

    def __init__(self, take: Callable[[], bytes], rolled: int = 0) -> None:
        """`take` stores the key's purpose and returns it; `rolled` counts the dice already drawn."""
        self._take = take
        self._rolled = rolled
        self._key = b""

    def roll(self, die: Die, count: int) -> Faces:
        """Return the faces of `count` dice, in the order rolled. Raises what prevents taking the key."""
        self._key = self._key or self._take()
        faces = sorted_faces(die.faces)
        first, self._rolled = self._rolled, self._rolled + count
        return tuple(faces[self._place(number, len(faces))] for number in range(first, first + count))

    def _place(self, number: int, sides: int) -> int:
        return place(lambda attempt: word(self._key, number, attempt), sides)
