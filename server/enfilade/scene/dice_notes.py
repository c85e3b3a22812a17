"""What a table's log says of its dice, so that everybody can check them (docs/fair-dice.md).

A table's dice are committed to before they are rolled: it keeps a secret chain of links, each the SHA-256 of
the next, and shows the chain's head. Every act that rolls uses up the next link and then shows it. What is
rolled in secret has a chain of its own, so that the others' numbers do not tell of it.
"""

from __future__ import annotations

from enfilade.scene.model import Value


class RulesVersion(Value, frozen=True, kw_only=True):
    """The rules that dice fell under: the ruleset's key and the house rules chosen."""

    ruleset: str
    house_rules: dict[str, bool | int | str] = {}


class HiddenHead(Value, frozen=True, kw_only=True):
    """What hidden rolls are committed to: the name, the head and the length of their own chain."""

    epoch: str
    head: str
    links: int


class Part(Value, frozen=True, kw_only=True):
    """A player's part in the dice: what the seat committed to, and the bytes themselves once they are given.

    Both in hexadecimal; `value` is empty as long as it has not been given.
    """

    seat: str
    commitment: str
    value: str = ""


class ChainNote(Value, frozen=True, tag_field="type", kw_only=True):
    """What an entry says of the chain. `epoch` is the chain's own random name."""

    epoch: str


class ChainOpened(ChainNote, frozen=True, kw_only=True, tag="opened"):
    """A chain was made and committed to by its head (hexadecimal); `reason` says why one was needed.

    `hidden` is the chain of hidden rolls that was made with it; older logs have none.
    """

    head: str
    links: int
    reason: str
    hidden: HiddenHead | None = None


class _Link(ChainNote, frozen=True, kw_only=True):
    """A link of a chain, and all that the dice followed from.

    `command` is the id of the command that took it, `random` the client's own bytes with that command
    (hexadecimal, empty where it sent none), `players` the hash of what the players gave before (empty where
    they gave nothing). `void` says why the dice do not count; empty where they do. `is_hidden`: it is of the
    chain of hidden rolls.
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
    """A link was used up for a command's dice, and is shown."""


class IndexShown(_Link, frozen=True, kw_only=True, tag="shown"):
    """A hidden roll of before is shown to all."""


class IndexHidden(ChainNote, frozen=True, kw_only=True, tag="hidden"):
    """A link of the open chain was used up for something that this seat may not know of."""

    index: int


class IndexSealed(ChainNote, frozen=True, kw_only=True, tag="sealed"):
    """The dice are of the chain of hidden rolls; which link it was is told when the game master shows it."""


class PartsCommitted(ChainNote, frozen=True, kw_only=True, tag="committed"):
    """What players have committed to, none of whom had seen another's bytes."""

    parts: tuple[Part, ...]


class PartsGiven(ChainNote, frozen=True, kw_only=True, tag="given"):
    """The bytes that players had committed to; who did not give theirs has none.

    From here on `players`, the hash of all this, goes into the dice.
    """

    parts: tuple[Part, ...]
    players: str


AnyChainNote = ChainOpened | IndexUsed | IndexShown | IndexHidden | IndexSealed | PartsCommitted | PartsGiven


def is_about_contributions(note: AnyChainNote | None) -> bool:
    """Whether an entry is about the players' parts alone."""
    return isinstance(note, PartsCommitted | PartsGiven)
