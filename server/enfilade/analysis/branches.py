"""Branches of a table: played like it, while nothing of them is in the table's log.

A branch starts from a seat's view of one moment of the table. So it reveals nothing, and its owner may play
in it every act. The owner plays it as its GM, with rolled or typed dice. If the owner shows it, the other
seats see it as spectators see a table. Branches are kept in memory, and end when they are not used.

Places are shares: a new branch takes the place of the one that was not used for longest, a player's of the
same table, or one of the table that has most. So guests who hold branches take none from another table.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
from enfilade.scene.model import GM, SPECTATOR, Scene, Seat, Token, Value
from enfilade.store.memory import MemoryStore
from enfilade.store.protocol import TableState

MAX_OF_SEAT = 2
"""The most branches of one seat at the same time. All spectators share one seat."""

MAX_OF_TABLE = 8
"""The most branches of a table's players and spectators; the GM's own come on top."""

MAX_OF_SERVER = 64
"""The most branches of all tables."""

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
        "area.ask",
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
    """One branch: its own table in memory, its owner, and the entry that it starts after.

    `source` is the ID of the table that it is a branch of.
    """

    id: str
    source: str
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


def _ignore(_ended: Branch) -> None:
    """Do nothing."""


@dataclass
class Branches:
    """All branches of one server; `ended` is called with each that ends."""

    rulesets: Rulesets
    clock: Callable[[], float] = time.monotonic
    ended: Callable[[Branch], None] = _ignore
    _known: dict[str, Branch] = field(default_factory=dict)

    def open(self, table: Table, seat: Seat, at: int | None = None) -> Branch:
        """Open a branch of the present, or of the moment after an entry of the seat's view.

        Another one may end for it. Raises TooMany, NotFound.
        """
        self._end_idle()
        self._require_place_of_seat(table.id, seat)
        branch = self._new(table, seat, at)  # which lets others go on, so that they may have opened some
        self._require_place_of_seat(table.id, seat)
        self._make_room(table.id, seat)
        self._known[branch.id] = branch
        return branch

    def _new(self, table: Table, seat: Seat, at: int | None) -> Branch:
        scene = table.scene if at is None else past_of(table).scene(table, seat, at)
        branch_id = secrets.token_hex(8)
        state = TableState(id=branch_id, seq=0, scene=without_units(view(scene, seat)))
        store = MemoryStore()
        store.create(state, {})
        return Branch(
            id=branch_id,
            source=table.id,
            table=Table(state, store, self.rulesets, SystemDice()),
            owner=seat,
            owner_name=table.player_name(seat),
            at=table.number(seat) if at is None else at,
            has_advice=seat.role == "gm" or (seat.role == "player" and bool(setting(table.scene, ADVICE))),
            used=self.clock(),
        )

    def find(self, table: Table, seat: Seat, branch_id: str) -> Branch:
        """Return a branch that a seat may see: its own, or one that is shown. Raises NotFound."""
        branch = self._find(table, branch_id, lambda one: one.is_shown or one.owner == seat)
        branch.used = self.clock()
        return branch

    def own(self, table: Table, seat: Seat, branch_id: str) -> Branch:
        """Return a branch of a seat's own. Raises NotFound, Forbidden."""
        branch = self.find(table, seat, branch_id)
        if branch.owner != seat:
            raise Forbidden(localize("play.not_your_branch"))
        return branch

    def close(self, table: Table, seat: Seat, branch_id: str) -> None:
        """Throw a branch away: a seat its own, the GM any of the table. Raises NotFound, Forbidden."""
        branch = self._find(table, branch_id, lambda one: _is_listed(one, seat))
        if branch.owner != seat and seat.role != "gm":
            raise Forbidden(localize("play.not_your_branch"))
        self._end(branch)

    def list(self, table: Table, seat: Seat) -> Sequence[BranchInfo]:
        """Return the branches that a seat may see; for the GM all of the table."""
        self._end_idle()
        return [info_of(one, seat) for one in self._of(table.id) if _is_listed(one, seat)]

    def all(self) -> Sequence[Branch]:
        """Return the branches of all tables."""
        return [*self._known.values()]

    def forget(self, table: str) -> None:
        """End the branches of a table that is gone from this process."""
        for branch in self._of(table):
            self._end(branch)

    def _find(self, table: Table, branch_id: str, may: Callable[[Branch], bool]) -> Branch:
        self._end_idle()
        branch = self._known.get(branch_id)
        if branch is None or branch.source != table.id or not may(branch):
            raise NotFound(localize("play.no_such_branch"))
        return branch

    def _of(self, table: str) -> Sequence[Branch]:
        return [one for one in self._known.values() if one.source == table]

    def _require_place_of_seat(self, table: str, seat: Seat) -> None:
        if sum(one.owner == seat for one in self._of(table)) >= MAX_OF_SEAT:
            raise TooMany(localize("play.branches_of_seat", most=MAX_OF_SEAT))

    def _make_room(self, table: str, seat: Seat) -> None:
        """End a branch if there is no place for another one. Raises TooMany if none has to give way."""
        guests = [one for one in self._of(table) if one.owner.role != "gm"]
        if seat.role != "gm" and len(guests) >= MAX_OF_TABLE:
            self._end(_oldest(guests))
        elif len(self._known) >= MAX_OF_SERVER:
            richest = self._richer_than(table) or guests
            if not richest:
                raise TooMany(localize("play.branches_full"))
            self._end(_oldest(richest))

    def _richer_than(self, table: str) -> Sequence[Branch]:
        """Return the branches that may give way of the table with most, if it has two more than a table."""
        counts = Counter(one.source for one in self._known.values())
        richest, most = counts.most_common(1)[0]
        if most < counts[table] + 2:
            return ()
        found = self._of(richest)
        return [one for one in found if one.owner.role != "gm"] or found

    def _end_idle(self) -> None:
        oldest = self.clock() - IDLE_SECONDS
        for branch in [one for one in self._known.values() if one.used < oldest]:
            self._end(branch)

    def _end(self, branch: Branch) -> None:
        del self._known[branch.id]
        self.ended(branch)


def _oldest(branches: Iterable[Branch]) -> Branch:
    """Return the branch that was not used for longest."""
    return min(branches, key=lambda one: one.used)


def _is_listed(branch: Branch, seat: Seat) -> bool:
    return branch.is_shown or branch.owner == seat or seat.role == "gm"


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
    """Return the units that differ between the present and a branch, each as the seat sees it."""
    now, then = _tokens(view(table.scene, seat)), _tokens(view(branch.table.scene, branch.seat_of(seat)))
    return [
        Difference(token=key, name=(then.get(key) or now[key]).name, now=now.get(key), then=then.get(key))
        for key in sorted(now.keys() | then.keys())
        if now.get(key) != then.get(key)
    ]


def _tokens(scene: Scene) -> dict[str, Token]:
    return {token.id: token for token in scene.tokens}
