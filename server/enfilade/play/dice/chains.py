"""Chains of served tables' dice: committed to in advance, one link for each command.

The random sources are a table's secret, drawn when its chain is made, and the client's bytes in each command.
The link and the bytes are stored before the dice exist, so a crash in between changes no die.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.rules.fair import Chain, derive_key
from enfilade.scene.model import Scene, Seat
from enfilade.scene.proofs import ChainOpened, HiddenHead, IndexUsed, RulesVersion
from enfilade.store.dice_secrets import SECRET_BYTES, DiceSecrets
from enfilade.store.protocol import DiceChainState, PendingAct, PendingCommand

LINKS = 2**14
"""The number of acts with dice in one chain; the next chain follows automatically."""


class Chains:
    """The chains of all tables of one server."""

    def __init__(
        self, seeds: DiceSecrets, links: int = LINKS, draw: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        """`draw(size)` returns `size` random bytes."""
        self._seeds = seeds
        self._links = links
        self._draw = draw
        self._walked: dict[tuple[str, str], Chain] = {}

    def open(self, table: str) -> DiceChainState:
        """Open a new chain for a table and store its secret."""
        epoch, secret = self._draw(8).hex(), self._draw(SECRET_BYTES)
        self._seeds.add(table, epoch, secret)
        chain = Chain(secret, self._links)
        self._walked[table, epoch] = chain
        return DiceChainState(epoch=epoch, head=chain.link(0).hex(), links=self._links)

    def forget(self, table: str) -> None:
        """Drop the cached chains of a table."""
        self._walked = {known: chain for known, chain in self._walked.items() if known[0] != table}

    def unusable_reason(self, table: str, chained: DiceChainState) -> str:
        """Return why a table cannot continue with a chain; "" if it can."""
        if self._seeds.secret(table, chained.epoch) is None:
            return localize("play.chain_secret_missing")
        last = chained.next - 1
        if self._seeds.last_spent(table, chained.epoch) > last:
            return localize("play.chain_rewound")
        if chained.next > chained.links and chained.pending is None:
            return localize("play.chain_used_up")
        return ""

    def key(self, table: str, chained: DiceChainState, pending: PendingCommand) -> bytes:
        """Return the key of a stored pending command, and record its link as spent."""
        self._seeds.spend(table, chained.epoch, pending.index)
        return self.peek_key(table, chained, pending)

    def peek_key(self, table: str, chained: DiceChainState, pending: PendingCommand) -> bytes:
        """Return the key of a pending command without spending its link."""
        return derive_key(
            self._link(table, chained, pending.index),
            table=table,
            epoch=chained.epoch,
            index=pending.index,
            command=pending.command["id"],
            random=pending.random,
            rules=pending.rules,
            players=pending.players,
        )

    def used(
        self, table: str, chained: DiceChainState, pending: PendingCommand, void: str, is_hidden: bool
    ) -> IndexUsed:
        """Return the log's note about a finished pending command."""
        return IndexUsed(
            epoch=chained.epoch,
            index=pending.index,
            link=self._link(table, chained, pending.index).hex(),
            command=pending.command["id"],
            random=pending.random,
            rules=pending.rules,
            void=void,
            players=pending.players,
            is_hidden=is_hidden,
        )

    def _link(self, table: str, chained: DiceChainState, index: int) -> bytes:
        known = table, chained.epoch
        if known not in self._walked:
            secret = self._seeds.secret(table, chained.epoch)
            assert secret is not None, "a chain is used after lack() has found nothing"
            self._walked[known] = Chain(secret, chained.links)
        return self._walked[known].link(index)


def take_link(
    chained: DiceChainState, scene: Scene, command: Command, seat: Seat, players: str
) -> DiceChainState:
    """Return the chain after a command took its next link."""
    pending = PendingCommand(
        index=chained.next,
        command=msgspec.to_builtins(command),
        random=command.random,
        seat=seat.key,
        rules=RulesVersion(ruleset=scene.ruleset, house_rules=scene.house_rules),
        players=players,
    )
    return replace(chained, next=chained.next + 1, pending=pending)


def opening_note(chained: DiceChainState, hidden: DiceChainState, reason: str) -> ChainOpened:
    """Return the log's note about two new chains, one open and one for hidden rolls."""
    head = HiddenHead(epoch=hidden.epoch, head=hidden.head, links=hidden.links)
    return ChainOpened(
        epoch=chained.epoch, head=chained.head, links=chained.links, reason=reason, hidden=head
    )


def rolled_before(pending: PendingAct | None) -> int:
    """Return the number of dice already rolled for the pending act; 0 without one."""
    asked: dict[str, Any] = pending.request if pending else {}
    return len(asked.get("faces", ()))
