"""Commands on their way through a table: the context they run in, the act requested, and the decision.

A decision is the effect of a command before it is stored. Commands compute decisions; the table stores them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.play.hidden_map import shade
from enfilade.play.view import view, without_units
from enfilade.rules.dice import Dice, Die, Faces
from enfilade.rules.group_moves import moved_tokens
from enfilade.rules.procedures import Act
from enfilade.rules.profiles import read_act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.lazy import lazy
from enfilade.scene import events as ev
from enfilade.scene.entry import PublicText
from enfilade.scene.model import AUTOMATIC, GM, Scene, Seat, Value
from enfilade.scene.proofs import AnyChainNote, SealedAnswers
from enfilade.store.protocol import PendingAct, Store, TableState, Webhook

Body = dict[str, Any]


class Decision(Value, frozen=True, kw_only=True):
    """The effect of a command before it is stored.

    `text` and `facts` are for the log. A `secret` entry is only for the GM and the `readers`; None means the
    players who own every hidden token in it. `plain` is the text for all other seats, without what is hidden;
    `own` is the readers' text if it differs, `shown` the text of a hidden roll after its reveal. `is_unseen`
    means that there is no text for all. `request` is the act, as the log keeps it to resolve it again. `void`
    says why dice already taken do not count, `dice` is the entry's note about its chain, `sealed` the sealed
    answers that the act used. `webhook` replaces the table's; None keeps it.
    """

    events: tuple[ev.AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    result: dict[str, Any] = {}
    undoes: int | None = None
    pending: PendingAct | None = None
    secret: bool = False
    readers: tuple[str, ...] | None = None
    void: str = ""
    dice: AnyChainNote | None = None
    sealed: tuple[SealedAnswers, ...] = ()
    webhook: Webhook | None = None
    plain: PublicText | None = None
    own: PublicText | None = None
    shown: PublicText | None = None
    is_unseen: bool = False
    request: dict[str, Any] | None = None


class First(Exception):
    """Something must be stored before a command can be decided; then it is decided again from the new row."""


class LinkFirst(First):
    """The command takes the next link of a dice chain: its dice are fixed before anyone knows them."""


class ClosingFirst(First):
    """A question closes: the log gets the commitments to its answers before the act continues."""

    def __init__(self, pending: PendingAct) -> None:
        super().__init__(pending.id)
        self.pending = pending


class LazyDice:
    """Dice that are fetched at the first roll: most commands roll none."""

    def __init__(self, fetch: Callable[[], Dice]) -> None:
        """`fetch` may raise LinkFirst."""
        self._fetch = fetch
        self._dice: Dice | None = None

    def roll(self, die: Die, count: int) -> Faces:
        """Return the faces of `count` dice, in the order rolled."""
        self._dice = self._dice or self._fetch()
        return self._dice.roll(die, count)


@dataclass(frozen=True)
class TableAccess:
    """The parts of its table that a command may look at beyond the scene; it changes none of them.

    `store` is read: the log, and the members' names. `hosts` are the hosts that webhooks may use.
    """

    state: TableState
    store: Store
    dice: Dice
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True)
class CommandContext:
    """The scene that a command is decided on, the rulesets, the sender's seat, and the table."""

    rulesets: Rulesets
    scene: Scene
    seat: Seat = GM
    access: TableAccess | None = None

    @property
    def table(self) -> TableAccess:
        """Return the access to the table that a command runs at."""
        assert self.access is not None, "commands run at a table"
        return self.access

    @lazy
    def seen(self) -> Scene:
        """Return the scene in the sender's view; the same value if nothing is hidden."""
        return view(self.scene, self.seat)

    @property
    def is_seen_whole(self) -> bool:
        """Return whether the sender knows the whole scene."""
        return self.seen is self.scene or without_units(self.seen) == without_units(self.scene)

    @property
    def ruleset(self) -> Ruleset:
        """Return the ruleset of the scene."""
        return ruleset_for(self.rulesets, self.scene)


class ActRequest(Value, frozen=True, kw_only=True):
    """An act as requested, with all faces and decisions so far.

    `questions` are those that the decisions answer, in order; empty for an act from before they were stored.
    `reason` is the GM's reason to override the rules, or "". With `secret` only the GM may read the result.
    `is_stopped` marks a path that something unseen cuts short. `seat` is the sender's key.
    """

    command: str
    act: Act
    faces: tuple[int | str, ...] = ()
    decisions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    is_typed: bool = False
    reason: str = ""
    secret: bool = False
    is_stopped: bool = False
    seat: str = GM.key


def read_request(ruleset: Ruleset, stored: dict[str, Any]) -> ActRequest:
    """Return a request as it is stored with a pending act, the act's body in its shape."""
    return replace(msgspec.convert(stored, ActRequest), act=read_act(ruleset, stored["act"]))


def automatic_sides(scene: Scene, request: ActRequest) -> frozenset[str]:
    """Return the sides whose choices take their defaults.

    None does in a hidden token's move: a default such as a reaction would reveal it, so the GM decides.
    """
    hidden = {token.id for token in shade(scene).tokens if token.hidden}
    if hidden and not hidden.isdisjoint(moved_tokens(request.act)):
        return frozenset()
    return frozenset(side.id for side in scene.sides if side.has(AUTOMATIC))


def automatic_tokens(scene: Scene) -> frozenset[str]:
    """Return the tokens whose choices take their defaults: those of players who are away."""
    return frozenset(token.id for token in scene.tokens if token.has(AUTOMATIC))
