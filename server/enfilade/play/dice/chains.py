"""The dice of served tables: committed to by a chain, and taken from it one link a command.

What is random is a table's secret, drawn when its chain is made, and the client's bytes in each command. A
command's link and bytes are stored before its dice exist; so a crash in between changes no die.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.play.command import Command
from enfilade.rules.fair import Chain, derive_key
from enfilade.scene.dice_notes import ChainOpened, HiddenHead, IndexUsed, RulesVersion
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.dice_secrets import SECRET_BYTES, DiceSecrets
from enfilade.store.protocol import DiceChainState, PendingAct, PendingCommand

LINKS = 2**14
"""How many acts with dice a chain lasts for; the next chain follows by itself."""


class Chains:
    """The chains of all tables of one server."""

    def __init__(
        self, seeds: DiceSecrets, links: int = LINKS, draw: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`draw` gives so many random bytes."""
        self._seeds = seeds
        self._links = links
        self._draw = draw
        self._walked: dict[tuple[str, str], Chain] = {}

    def opened(self, table: str) -> DiceChainState:
        """A new chain for a table, its secret kept."""
        epoch, secret = self._draw(8).hex(), self._draw(SECRET_BYTES)
        self._seeds.add(table, epoch, secret)
        chain = Chain(secret, self._links)
        self._walked[table, epoch] = chain
        return DiceChainState(epoch=epoch, head=chain.link(0).hex(), links=self._links)

    def forget(self, table: str) -> None:
        """Lets go of what is remembered of a table's chains, as others follow them."""
        self._walked = {known: chain for known, chain in self._walked.items() if known[0] != table}

    def lack(self, table: str, chained: DiceChainState) -> str:
        """Why a table cannot go on with a chain; empty where it can."""
        if self._seeds.secret(table, chained.epoch) is None:
            return "The secret of the chain before is not on this server."
        last = chained.next - 1
        if self._seeds.last_spent(table, chained.epoch) > last:
            return "The table was put back to an earlier day, and its next dice had been shown."
        if chained.next > chained.links and chained.pending is None:
            return "The chain before is used up."
        return ""

    def key(self, table: str, chained: DiceChainState, intake: PendingCommand) -> bytes:
        """The key of an intake that is stored; its link is spent from now on, which is noted."""
        self._seeds.spend(table, chained.epoch, intake.index)
        return self.key_to_come(table, chained, intake)

    def key_to_come(self, table: str, chained: DiceChainState, intake: PendingCommand) -> bytes:
        """The key that an intake has, or would have; nothing is spent."""
        return derive_key(
            self._link(table, chained, intake.index),
            table=table,
            epoch=chained.epoch,
            index=intake.index,
            command=intake.command["id"],
            random=intake.random,
            rules=intake.rules,
            players=intake.players,
        )

    def used(
        self, table: str, chained: DiceChainState, intake: PendingCommand, void: str, is_hidden: bool
    ) -> IndexUsed:
        """What the log says of an intake that has ended."""
        return IndexUsed(
            epoch=chained.epoch,
            index=intake.index,
            link=self._link(table, chained, intake.index).hex(),
            command=intake.command["id"],
            random=intake.random,
            rules=intake.rules,
            void=void,
            players=intake.players,
            is_hidden=is_hidden,
        )

    def _link(self, table: str, chained: DiceChainState, index: int) -> bytes:
        known = table, chained.epoch
        if known not in self._walked:
            secret = self._seeds.secret(table, chained.epoch)
            assert secret is not None, "a chain is used after lack() has found nothing"
            self._walked[known] = Chain(secret, chained.links)
        return self._walked[known].link(index)


def taken(
    chained: DiceChainState, scene: Scene, command: Command, seat: Seat, players: str
) -> DiceChainState:
    """The chain after a command has taken its next link."""
    intake = PendingCommand(
        index=chained.next,
        command=msgspec.to_builtins(command),
        random=command.random,
        seat=seat.key,
        rules=RulesVersion(ruleset=scene.ruleset, house_rules=scene.house_rules),
        players=players,
    )
    return replace(chained, next=chained.next + 1, pending=intake)


def announced(chained: DiceChainState, hidden: DiceChainState, reason: str) -> ChainOpened:
    """What the log says of two new chains, one for dice that all see and one for hidden ones."""
    head = HiddenHead(epoch=hidden.epoch, head=hidden.head, links=hidden.links)
    return ChainOpened(
        epoch=chained.epoch, head=chained.head, links=chained.links, reason=reason, hidden=head
    )


def fallen_before(pending: PendingAct | None) -> int:
    """How many dice have fallen for the act that waits; 0 where none waits."""
    asked: dict[str, Any] = pending.request if pending else {}
    return len(asked.get("faces", ()))
