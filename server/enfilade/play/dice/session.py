"""The committed dice of one table: the chain of each act, and the log's notes about it."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.commit import Commit, next_state, system_entry
from enfilade.play.context import Decision, LinkFirst
from enfilade.play.dice.chains import Chains, opening_note, rolled_before, take_link
from enfilade.play.fog import shade
from enfilade.play.view import is_visible
from enfilade.rules.dice import Dice
from enfilade.rules.fair import FairDice
from enfilade.rules.group_moves import named_members
from enfilade.rules.procedures import Act
from enfilade.scene.model import Scene, Seat
from enfilade.scene.proofs import AnyChainNote, IndexUsed
from enfilade.store.protocol import DiceChainState, DiceContributions, PendingCommand, TableState

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
