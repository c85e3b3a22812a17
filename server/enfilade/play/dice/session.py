"""The committed dice of one table: the chain of each act, and the log's notes about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import Decision
from enfilade.play.dice.chains import Chains, opening_note, take_link
from enfilade.play.dice.contributions import Name, close, is_complete, request_bytes, reset, should_request
from enfilade.play.log.entries import next_state, now_ms, system_entry
from enfilade.play.redaction.scene import is_visible
from enfilade.rules.group_moves import named_members
from enfilade.rules.procedures import Act
from enfilade.scene.dice_notes import AnyChainNote, IndexUsed
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.seat import GM, Seat
from enfilade.store.protocol import DiceChainState, DiceContributions, PendingAct, PendingCommand, TableState

Place = Literal["dice", "hidden_dice"]
"""The field of a table's state that holds a chain: open rolls, or hidden ones."""

PLACES: tuple[Place, ...] = ("dice", "hidden_dice")


class CommittedDice:
    """The committed dice of one table; every call happens while the table executes one command."""

    def __init__(
        self,
        chains: Chains,
        state: Callable[[], TableState],
        keep: Callable[[Seat, TableState, Entry | None], None],
        name: Name,
    ) -> None:
        """`state` is the table's row now, `keep` stores the next one for a seat, `name` is a player's."""
        self._chains = chains
        self._state = state
        self._keep = keep
        self._name = name
        self._sound: tuple[DiceChainState, DiceChainState] | None = None

    @property
    def pending_command(self) -> PendingCommand | None:
        """Return the command that took dice and has not ended."""
        chained = self._begun()[1]
        return chained.pending if chained else None

    def chain_for(self, command: Command) -> tuple[Place, DiceChainState]:
        """Return the chain for a command's dice, and its field."""
        place, begun = self._begun()
        if begun is None:
            place = "hidden_dice" if is_hidden_roll(self._state(), command) else "dice"
            begun = getattr(self._state(), place)
        assert begun is not None, "every table has its chains once it is prepared"
        return place, begun

    def key(self, seat: Seat, command: Command) -> bytes:
        """Return the key for the dice now; the command, its bytes and the link are stored first."""
        place, chained = self.chain_for(command)
        if chained.pending is None:
            state = self._state()
            chained = take_link(chained, state.scene, command, seat, state.parts.players_hash)
            self._keep(seat, next_state(state, None, **{place: chained}), None)
        assert chained.pending is not None
        return self._chains.key(self._state().id, chained, chained.pending)

    def settled(self, decision: Decision) -> tuple[dict[Place, DiceChainState], IndexUsed | None]:
        """Return the chain after a decision, by its field, and the entry's note; none with a pending act."""
        place, chained = self._begun()
        if chained is None or chained.pending is None or decision.pending:
            return {}, None
        return {place: replace(chained, pending=None)}, self._used(place, chained, decision.void)

    def cancel(self, pending: PendingAct) -> Decision:
        """Return the decision that cancels a pending act and voids its dice."""
        result = {"cancelled": pending.choice["question"]}
        place, chained = self._begun()
        if chained is None:
            return Decision(result=result)
        void, is_secret = localize("play.act_cancelled"), pending.is_secret or place == "hidden_dice"
        return Decision(
            result=result, text=localize("play.dice_void", reason=void), void=void, secret=is_secret
        )

    def void(self, seat: Seat, command: Command) -> None:
        """Record that the dice of a failed command do not count."""
        place, chained = self._begun()
        if chained is None or chained.pending is None or not _is_of(chained.pending, seat, command):
            return
        void = localize("play.act_failed")
        note = self._used(place, chained, void)
        freed: dict[str, Any] = {place: replace(chained, pending=None), "pending": self._state().pending}
        self._say("dice.void", note, localize("play.dice_void", reason=void), **freed)

    def open_if_needed(self) -> bool:
        """Open new chains if the table cannot continue with the current ones; return whether it did."""
        state = self._state()
        why = self._unusable_reason(state)
        if not why:
            return False
        self._chains.forget(state.id)
        chained, hidden = self._chains.open(state.id), self._chains.open(state.id)
        row: dict[str, Any] = {
            "dice": chained,
            "hidden_dice": hidden,
            "pending": None if self.pending_command else state.pending,
            "parts": reset(state.parts),
        }
        text = localize("play.chain_opened", head=chained.head[:16], reason=why)
        self._say("dice.opened", opening_note(chained, hidden, why), text, **row)
        return True

    def process_contributions(self) -> bool:
        """Request or apply players' contributions if it is time; return whether it did."""
        state, now = self._state(), now_ms()
        if state.dice is None or self.pending_command:
            return False
        if is_complete(state.parts, now):
            parts, given, text = close(state.parts, state.id, state.dice.epoch, self._name)
            self._say("dice.given", given, text, parts=parts)
            return True
        round_number = state.scene.track("round")
        if not should_request(state.parts, round_number, now):
            return False
        parts, note, text = request_bytes(state.parts, state.dice.epoch, round_number, now, self._name)
        self._ask_for(parts, note, text)
        return True

    def _ask_for(self, parts: DiceContributions, note: AnyChainNote | None, text: str) -> None:
        if note is None:
            self._keep(GM, next_state(self._state(), None, parts=parts), None)
        else:
            self._say("dice.committed", note, text, parts=parts)

    def _begun(self) -> tuple[Place, DiceChainState | None]:
        for place in PLACES:
            chained: DiceChainState | None = getattr(self._state(), place)
            if chained and chained.pending:
                return place, chained
        return "dice", None

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

    def _used(self, place: Place, chained: DiceChainState, void: str) -> IndexUsed:
        assert chained.pending is not None
        return self._chains.used(self._state().id, chained, chained.pending, void, place == "hidden_dice")

    def _say(self, kind: str, note: AnyChainNote, text: str, **row: Any) -> None:
        """Store a system entry about the dice."""
        entry = system_entry(self._state(), kind, text, note)
        self._keep(GM, next_state(self._state(), entry, **row), entry)


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
    return any(token.id in ids and not is_visible(token) for token in scene.tokens)
