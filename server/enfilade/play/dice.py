"""The committed dice of tables: a chain for each, one link for each act, and the log's notes about it.

The random sources are a table's secret, drawn when its chain is made, and the client's bytes in each command.
The link and the bytes are stored before the dice exist, so a crash in between changes no die.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.commit import Commit, next_state, system_entry
from enfilade.play.context import Decision, LinkFirst
from enfilade.play.hidden_map import shade
from enfilade.play.view import is_visible
from enfilade.rules.dice import Dice
from enfilade.rules.fair import Chain, FairDice, derive_key
from enfilade.rules.group_moves import named_members
from enfilade.rules.procedures import Act
from enfilade.scene.model import Scene, Seat
from enfilade.scene.proofs import AnyChainNote, ChainOpened, HiddenHead, IndexUsed, RulesVersion
from enfilade.store.dice_secrets import SECRET_BYTES, DiceSecrets
from enfilade.store.protocol import DiceChainState, DiceContributions, PendingAct, PendingCommand, TableState

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


Place = Literal["dice", "hidden_dice"]
"""The field of a table's state that holds a chain: open rolls, or hidden ones."""

WATCHED = attrgetter("dice", "hidden_dice")
"""The chains: without a change of one the dice have nothing to do after a commit."""


class CommittedDice:
    """The committed dice of one table: from its row, what the table has to store next.

    Nothing here stores: each answer is a `Commit` for the table, or None for nothing to do.
    """

    def __init__(self, chains: Chains) -> None:
        self._chains = chains
        self._sound: tuple[DiceChainState, DiceChainState] | None = None

    def taken(self, state: TableState, seat: Seat, command: Command) -> Commit:
        """Return the commit of a command with its bytes and the link that it takes, before the dice exist."""
        place: Place = "hidden_dice" if is_hidden_roll(state, command) else "dice"
        chained: DiceChainState | None = getattr(state, place)
        assert chained is not None, "every table has its chains once it is prepared"
        chained = take_link(chained, state.scene, command, seat, state.parts.players_hash)
        return Commit(state, next_state(state, None, **{place: chained}))

    def of_command(self, state: TableState) -> Dice:
        """Return the dice of the command that holds a link. Raises LinkFirst if none does."""
        _, chained = _begun(state)
        if chained is None or chained.pending is None:
            raise LinkFirst
        key = self._chains.key(state.id, chained, chained.pending)
        return FairDice(lambda: key, rolled_before(state.pending))

    def settled(
        self, state: TableState, decision: Decision
    ) -> tuple[dict[Place, DiceChainState], IndexUsed | None]:
        """Return the chain after a decision, by its field, and the entry's note; none with a pending act."""
        place, chained = _begun(state)
        if chained is None or chained.pending is None or decision.pending:
            return {}, None
        return {place: replace(chained, pending=None)}, self._used(state, place, chained, decision.void)

    def voided(self, state: TableState, seat: Seat, command: Command) -> Commit | None:
        """Return the commit that says that the dice of a failed command do not count."""
        place, chained = _begun(state)
        if chained is None or chained.pending is None or not _is_of(chained.pending, seat, command):
            return None
        void = localize("play.act_failed")
        note = self._used(state, place, chained, void)
        freed: dict[str, Any] = {place: replace(chained, pending=None), "pending": state.pending}
        return _said(state, "dice.void", note, localize("play.dice_void", reason=void), **freed)

    def opened(self, state: TableState) -> Commit | None:
        """Return the commit of new chains if the table cannot continue with the current ones."""
        why = self._unusable_reason(state)
        if not why:
            return None
        self._chains.forget(state.id)
        chained, hidden = self._chains.open(state.id), self._chains.open(state.id)
        row: dict[str, Any] = {
            "dice": chained,
            "hidden_dice": hidden,
            "pending": None if state.rolling else state.pending,
            "parts": DiceContributions(),
        }
        text = localize("play.chain_opened", head=chained.head[:16], reason=why)
        return _said(state, "dice.opened", opening_note(chained, hidden, why), text, **row)

    def on_commit(self, commit: Commit) -> Commit | None:
        """Return what follows a command that changed a chain: new chains if one is used up."""
        return self.opened(commit.after)

    def _unusable_reason(self, state: TableState) -> str:
        if state.dice is None:
            return localize("play.chain_new_table")
        if state.hidden_dice is None:
            no_own = localize("play.chain_for_hidden")
            return self._chains.unusable_reason(state.id, state.dice) or (
                "" if state.dice.pending else no_own
            )
        return self._unusable_reason_of_both(state.id, state.dice, state.hidden_dice)

    def _unusable_reason_of_both(self, table: str, dice: DiceChainState, hidden: DiceChainState) -> str:
        """Return why the table cannot continue with its chains; the same pair is checked once."""
        if self._sound and self._sound[0] is dice and self._sound[1] is hidden:
            return ""
        why = self._chains.unusable_reason(table, dice) or self._chains.unusable_reason(table, hidden)
        self._sound = None if why else (dice, hidden)
        return why

    def _used(self, state: TableState, place: Place, chained: DiceChainState, void: str) -> IndexUsed:
        assert chained.pending is not None
        return self._chains.used(state.id, chained, chained.pending, void, place == "hidden_dice")


def _begun(state: TableState) -> tuple[Place, DiceChainState | None]:
    """Return the chain whose link a command holds, and its field."""
    if state.dice and state.dice.pending:
        return "dice", state.dice
    if state.hidden_dice and state.hidden_dice.pending:
        return "hidden_dice", state.hidden_dice
    return "dice", None


def _said(state: TableState, kind: str, note: AnyChainNote, text: str, **row: Any) -> Commit:
    """Return the commit of a system entry about the dice."""
    entry = system_entry(state, kind, text, note)
    return Commit(state, next_state(state, entry, **row), entry)


def _is_of(intake: PendingCommand, seat: Seat, command: Command) -> bool:
    """Return whether a pending command is this one: another seat may use the same ID."""
    return (intake.seat, intake.command["id"]) == (seat.key, command.id)


def is_hidden_roll(state: TableState, command: Command) -> bool:
    """Return whether an act rolls in secret: by request, or because a token in it is hidden.

    It looks only at the tokens that the act names, because its result is unknown before the dice.
    """
    body = command.body
    if state.pending:
        return state.pending.is_secret or _names_hidden(state.scene, state.pending.request["act"])
    return bool(body.get("secret")) or _names_hidden(state.scene, body.get("act", body))


def _names_hidden(scene: Scene, act: Mapping[str, Any] | Act) -> bool:
    named = msgspec.to_builtins(act)
    ids = {named.get("token"), named.get("target"), *named_members(named)}
    return any(token.id in ids and not is_visible(token) for token in shade(scene).tokens)
