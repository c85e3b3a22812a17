"""What a table's log says of its dice, so that everybody can check them (docs/fair-dice.md).

A table's dice are committed to before they are rolled: it keeps a secret chain of links, each the SHA-256 of
the next, and shows the chain's head. Every act that rolls uses up the next link and then shows it.
"""

from __future__ import annotations

from enfilade.scene.model import Value


class Played(Value, frozen=True, kw_only=True):
    """The rules that dice fell under: the ruleset's key and the house rules chosen."""

    ruleset: str
    house_rules: dict[str, bool | int | str] = {}


class ChainNote(Value, frozen=True, tag_field="type", kw_only=True):
    """What an entry says of the chain. `epoch` is the chain's own random name."""

    epoch: str


class ChainOpened(ChainNote, frozen=True, kw_only=True, tag="opened"):
    """A chain was made and committed to by its head (hexadecimal); `reason` says why one was needed."""

    head: str
    links: int
    reason: str


class IndexUsed(ChainNote, frozen=True, kw_only=True, tag="used"):
    """A link was used up for a command's dice, and is shown.

    `command` is the id of the command that took it, `random` the client's own bytes with that command
    (hexadecimal, empty where it sent none). `void` says why the dice do not count; empty where they do.
    """

    index: int
    link: str
    command: str
    random: str
    rules: Played
    void: str = ""


class IndexHidden(ChainNote, frozen=True, kw_only=True, tag="hidden"):
    """A link was used up for something that this seat may not know of."""

    index: int


AnyChainNote = ChainOpened | IndexUsed | IndexHidden
