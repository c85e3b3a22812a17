"""Branches of a table: played like it, while nothing of them is in the table's log.

A branch starts from a seat's view of one moment of the table. So it reveals nothing, and its owner may play
in it every act. The owner plays it as its GM, with rolled or typed dice. If the owner shows it, the other
seats see it as spectators see a table. Branches are kept in memory, and end when they are not used.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enfilade.analysis.past import past_of
from enfilade.errors import Forbidden, NotFound, TooMany
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult
from enfilade.play.table import Table
from enfilade.play.view import view, without_units
from enfilade.rules.dice import SystemDice
from enfilade.rules.house_rules import ADVICE, setting
from enfilade.rules.registry import Rulesets
from enfilade.scene.model import Scene, Token, Value
from enfilade.scene.seat import GM, SPECTATOR, Seat
from enfilade.store.memory import MemoryStore
from enfilade.store.protocol import TableState

MAX_OF_SEAT = 2
MAX_OF_TABLE = 8
MAX_OF_SERVER = 64
"""The most branches at the same time. All spectators share one seat."""

MAX_ENTRIES = 200
"""The most entries of one branch: with the limits on scenes this bounds its memory."""

IDLE_SECONDS = 1_800
"""A branch that is not used for this time ends."""

KINDS = frozenset(
    (
        "act",
        "act.preview",
        "choice.answer",
        "choice.close",
        "decision.ask",
        "door.set",
        "focus.ask",
        "matchup.ask",
        "overlay.show",
        "path.ask",
        "redo",
        "token.move",
        "token.place",
        "token.remove",
        "undo",
        "verdict.ask",
    )
)
"""The kinds of commands in a branch: all that play, and edits of units."""

_ADVICE = frozenset(("decision.ask", "focus.ask"))


class Difference(Value, frozen=True, kw_only=True):
    """A unit that a branch and the present have otherwise: None on the side that lacks it."""

    token: str
    name: str
    now: Token | None
    then: Token | None


class BranchInfo(Value, frozen=True, kw_only=True):
    """A branch as a seat may know it: its ID, its owner's name ("" for the GM), and its size in entries.

    `at` is the entry of the table that it starts after, in the view of the owner; others get 0.
    """

    branch: str
    owner: str
    is_own: bool
    is_shown: bool
    at: int
    entries: int


@dataclass
class Branch:
    """One branch: its own table in memory, its owner, and the entry that it starts after."""

    id: str
    table: Table
    owner: Seat
    owner_name: str
    at: int
    has_advice: bool
    used: float
    is_shown: bool = False

    def seat_of(self, seat: Seat) -> Seat:
        """Return the seat of a table's member in the branch."""
        return GM if seat == self.owner else SPECTATOR

    def execute(self, seat: Seat, command: Command) -> CommandResult:
        """Execute a command of the owner. Raises Forbidden, TooMany, and what the command raises."""
        if command.kind not in KINDS:
            raise NotFound(localize("play.not_in_a_branch", kind=command.kind))
        if seat != self.owner:
            raise Forbidden(localize("play.not_your_branch"))
        if command.kind in _ADVICE and not self.has_advice:
            raise Forbidden(localize("tactics.advice_gm_only"))
        if self.table.seq >= MAX_ENTRIES:
            raise TooMany(localize("play.branch_full", most=MAX_ENTRIES))
        return self.table.execute(GM, command)


@dataclass
class Branches:
    """All branches of one server."""

    rulesets: Rulesets
    clock: Callable[[], float] = time.monotonic
    _known: dict[str, dict[str, Branch]] = field(default_factory=dict)

    def open(self, table: Table, seat: Seat, at: int | None = None) -> Branch:
        """Open a branch of the present, or of the moment after an entry of the seat's view.

        Raises TooMany, NotFound.
        """
        self._end_idle()
        own = self._known.setdefault(table.id, {})
        of_seat = [one for one in own.values() if one.owner == seat]
        total = sum(len(each) for each in self._known.values())
        if len(of_seat) >= MAX_OF_SEAT:
            raise TooMany(localize("play.branches_of_seat", most=MAX_OF_SEAT))
        if len(own) >= MAX_OF_TABLE or total >= MAX_OF_SERVER:
            raise TooMany(localize("play.branches_full"))
        scene = table.scene if at is None else past_of(table).scene(table, seat, at)
        branch_id = secrets.token_hex(8)
        state = TableState(id=branch_id, seq=0, scene=without_units(view(scene, seat)))
        store = MemoryStore()
        store.create(state, {})
        branch = Branch(
            id=branch_id,
            table=Table(state, store, self.rulesets, SystemDice()),
            owner=seat,
            owner_name=table.player_name(seat),
            at=table.number(seat) if at is None else at,
            has_advice=seat.role == "gm" or (seat.role == "player" and bool(setting(table.scene, ADVICE))),
            used=self.clock(),
        )
        own[branch_id] = branch
        return branch

    def find(self, table: Table, seat: Seat, branch_id: str) -> Branch:
        """Return a branch that a seat may see: its own, or one that is shown. Raises NotFound."""
        self._end_idle()
        branch = self._known.get(table.id, {}).get(branch_id)
        if branch is None or not (branch.is_shown or branch.owner == seat):
            raise NotFound(localize("play.no_such_branch"))
        branch.used = self.clock()
        return branch

    def own(self, table: Table, seat: Seat, branch_id: str) -> Branch:
        """Return a branch of a seat's own. Raises NotFound, Forbidden."""
        branch = self.find(table, seat, branch_id)
        if branch.owner != seat:
            raise Forbidden(localize("play.not_your_branch"))
        return branch

    def close(self, table: Table, seat: Seat, branch_id: str) -> Branch:
        """Throw a branch away, and return it; the GM may throw away every shown one.

        Raises NotFound, Forbidden.
        """
        branch = self.find(table, seat, branch_id)
        if branch.owner != seat and seat.role != "gm":
            raise Forbidden(localize("play.not_your_branch"))
        return self._known[table.id].pop(branch_id)

    def list(self, table: Table, seat: Seat) -> Sequence[BranchInfo]:
        """Return the branches that a seat may see."""
        self._end_idle()
        known = self._known.get(table.id, {}).values()
        return [info_of(one, seat) for one in known if one.is_shown or one.owner == seat]

    def _end_idle(self) -> None:
        oldest = self.clock() - IDLE_SECONDS
        for table, branches in list(self._known.items()):
            kept = {key: one for key, one in branches.items() if one.used >= oldest}
            if kept:
                self._known[table] = kept
            else:
                del self._known[table]


def info_of(branch: Branch, seat: Seat) -> BranchInfo:
    """Return a branch as a seat may know it."""
    is_own = branch.owner == seat
    return BranchInfo(
        branch=branch.id,
        owner=branch.owner_name,
        is_own=is_own,
        is_shown=branch.is_shown,
        at=branch.at if is_own else 0,
        entries=branch.table.number(branch.seat_of(seat)),
    )


def compare(table: Table, branch: Branch, seat: Seat) -> Sequence[Difference]:
    """Return the units that the present and a branch have otherwise, each in what the seat sees of it."""
    now, then = _tokens(view(table.scene, seat)), _tokens(view(branch.table.scene, branch.seat_of(seat)))
    return [
        Difference(token=key, name=(then.get(key) or now[key]).name, now=now.get(key), then=then.get(key))
        for key in sorted(now.keys() | then.keys())
        if now.get(key) != then.get(key)
    ]


def _tokens(scene: Scene) -> dict[str, Token]:
    return {token.id: token for token in scene.tokens}
