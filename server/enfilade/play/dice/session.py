"""One table's dice that are committed to: which chain an act rolls from, and what the log says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.play.command import Command
from enfilade.play.commands.edits import Draft
from enfilade.play.dice.chains import Chains, announced, taken
from enfilade.play.dice.contributions import Name, are_over, are_to_be_asked, asked, of_a_new_chain, over
from enfilade.play.log.entries import now_ms, own_entry, row_after
from enfilade.play.redaction.scene import is_shown
from enfilade.rules.procedures import Act
from enfilade.scene.dice_notes import AnyChainNote, IndexUsed
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.seat import GM, Seat
from enfilade.store.protocol import DiceChainState, DiceContributions, PendingAct, PendingCommand, TableState

Place = Literal["dice", "hidden_dice"]
"""Where in a table's row a chain stands: that of what all see, or that of what is rolled in secret."""

PLACES: tuple[Place, ...] = ("dice", "hidden_dice")


class Rolling:
    """The committed dice of one table. All of it happens while the table does one command."""

    def __init__(
        self,
        chains: Chains,
        kept: Callable[[], TableState],
        keep: Callable[[Seat, TableState, Entry | None], None],
        name: Name,
    ) -> None:
        """`kept` is the table's row now, `keep` stores the next one for a seat, `name` is a player's."""
        self._chains = chains
        self._kept = kept
        self._keep = keep
        self._name = name
        self._sound: tuple[DiceChainState, DiceChainState] | None = None

    @property
    def intake(self) -> PendingCommand | None:
        """The command whose dice have been taken and that has not ended."""
        chained = self._begun()[1]
        return chained.pending if chained else None

    def chain_for(self, command: Command) -> tuple[Place, DiceChainState]:
        """The chain that a command's dice are of, and where it stands."""
        place, begun = self._begun()
        if begun is None:
            place = "hidden_dice" if is_hidden_roll(self._kept(), command) else "dice"
            begun = getattr(self._kept(), place)
        assert begun is not None, "every table has its chains once it is prepared"
        return place, begun

    def key(self, seat: Seat, command: Command) -> bytes:
        """The key of the dice that fall now. The command, its bytes and the link are stored before that."""
        place, chained = self.chain_for(command)
        if chained.pending is None:
            kept = self._kept()
            chained = taken(chained, kept.scene, command, seat, kept.parts.players_hash)
            self._keep(seat, row_after(kept, None, **{place: chained}), None)
        assert chained.pending is not None
        return self._chains.key(self._kept().id, chained, chained.pending)

    def settled(self, draft: Draft) -> tuple[dict[Place, DiceChainState], IndexUsed | None]:
        """The chain that a draft is done with, by its place, and what the entry says; none while it waits."""
        place, chained = self._begun()
        if chained is None or chained.pending is None or draft.pending:
            return {}, None
        return {place: replace(chained, pending=None)}, self._used(place, chained, draft.void)

    def called_off(self, pending: PendingAct) -> Draft:
        """What becomes of the dice of an act that waited and is called off."""
        result = {"cancelled": pending.choice["question"]}
        place, chained = self._begun()
        if chained is None:
            return Draft(result=result)
        void, is_secret = "The act that waited was called off.", pending.is_secret or place == "hidden_dice"
        return Draft(result=result, text=f"{void} Its dice do not count.", void=void, secret=is_secret)

    def void(self, seat: Seat, command: Command) -> None:
        """Says that the dice of a seat's command that came to nothing do not count."""
        place, chained = self._begun()
        if chained is None or chained.pending is None or not _is_of(chained.pending, seat, command):
            return
        void = "The act could not be finished."
        note = self._used(place, chained, void)
        freed: dict[str, Any] = {place: replace(chained, pending=None), "pending": self._kept().pending}
        self._say("dice.void", note, f"{void} Its dice do not count.", **freed)

    def open_where_needed(self) -> bool:
        """Makes new chains where the table cannot go on with those it has; says whether it did."""
        kept = self._kept()
        why = self._lack(kept)
        if not why:
            return False
        self._chains.forget(kept.id)
        chained, hidden = self._chains.opened(kept.id), self._chains.opened(kept.id)
        row: dict[str, Any] = {
            "dice": chained,
            "hidden_dice": hidden,
            "pending": None if self.intake else kept.pending,
            "parts": of_a_new_chain(kept.parts),
        }
        text = f"New dice are ready, committed to by {chained.head[:16]}… {why}"
        self._say("dice.opened", announced(chained, hidden, why), text, **row)
        return True

    def tend_parts(self) -> bool:
        """Asks for the players' parts, or has them go into the dice, where it is time; whether it did."""
        kept, now = self._kept(), now_ms()
        if kept.dice is None or self.intake:
            return False
        if are_over(kept.parts, now):
            parts, given, text = over(kept.parts, kept.id, kept.dice.epoch, self._name)
            self._say("dice.given", given, text, parts=parts)
            return True
        round_number = kept.scene.track("round")
        if not are_to_be_asked(kept.parts, round_number, now):
            return False
        parts, note, text = asked(kept.parts, kept.dice.epoch, round_number, now, self._name)
        self._ask_for(parts, note, text)
        return True

    def _ask_for(self, parts: DiceContributions, note: AnyChainNote | None, text: str) -> None:
        if note is None:
            self._keep(GM, row_after(self._kept(), None, parts=parts), None)
        else:
            self._say("dice.committed", note, text, parts=parts)

    def _begun(self) -> tuple[Place, DiceChainState | None]:
        for place in PLACES:
            chained: DiceChainState | None = getattr(self._kept(), place)
            if chained and chained.pending:
                return place, chained
        return "dice", None

    def _lack(self, kept: TableState) -> str:
        if kept.dice is None:
            return "The table is new."
        if kept.hidden_dice is None:
            no_own = "Hidden rolls have a chain of their own from now on."
            return self._chains.lack(kept.id, kept.dice) or ("" if kept.dice.pending else no_own)
        return self._lack_of_both(kept.id, kept.dice, kept.hidden_dice)

    def _lack_of_both(self, table: str, dice: DiceChainState, hidden: DiceChainState) -> str:
        """Why a table cannot go on with its chains; the very same ones are looked at once."""
        if self._sound and self._sound[0] is dice and self._sound[1] is hidden:
            return ""
        why = self._chains.lack(table, dice) or self._chains.lack(table, hidden)
        self._sound = None if why else (dice, hidden)
        return why

    def _used(self, place: Place, chained: DiceChainState, void: str) -> IndexUsed:
        assert chained.pending is not None
        return self._chains.used(self._kept().id, chained, chained.pending, void, place == "hidden_dice")

    def _say(self, kind: str, note: AnyChainNote, text: str, **row: Any) -> None:
        """Stores an entry of the table's own about its dice."""
        entry = own_entry(self._kept(), kind, text, note)
        self._keep(GM, row_after(self._kept(), entry, **row), entry)


def _is_of(intake: PendingCommand, seat: Seat, command: Command) -> bool:
    """Whether dice were taken for a seat's command: another seat may give its own the same id."""
    return (intake.seat, intake.command["id"]) == (seat.key, command.id)


def is_hidden_roll(kept: TableState, command: Command) -> bool:
    """Whether an act that has no dice yet rolls in secret: so it was asked for, or not all know who is in it.

    By the tokens that the act itself names: what comes of it cannot be known before its dice.
    """
    body = command.body
    if kept.pending:
        return kept.pending.is_secret or _names_hidden(kept.scene, kept.pending.request["act"])
    return bool(body.get("secret")) or _names_hidden(kept.scene, body.get("act", body))


def _names_hidden(scene: Scene, act: Mapping[str, Any] | Act) -> bool:
    named = msgspec.to_builtins(act)
    ids = {named.get("token"), named.get("target")}
    return any(token.id in ids and not is_shown(token) for token in scene.tokens)
