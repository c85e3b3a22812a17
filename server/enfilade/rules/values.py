"""The values that a ruleset's functions return: moves, sight, areas, offers, turns, cards.

A front end shows them as they are, so that each is also a part of the published contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from enfilade.errors import Cause, IllegalAct
from enfilade.geometry.board.base import Cell, Point, Segment
from enfilade.geometry.board.mask import Run
from enfilade.rules.procedures import Act
from enfilade.scene.model import Value


class Unit(Value, frozen=True):
    """A ready-made miniature of a ruleset's catalog."""

    key: str
    name: str
    profile: dict[str, Any]


class CardLine(Value, frozen=True):
    """A line of a miniature's card: a label, a value, and its source."""

    label: str
    value: str
    note: str = ""


class Provocation(Value, frozen=True):
    """A token that a move provokes, by ID, and the attack that it may make.

    `chance` is the chance of harm and `damage` the expected damage, both as (numerator, denominator), from
    the situation before the move; they are None if the game does not work them out.
    """

    token: str
    act: str
    chance: tuple[int, int] | None = None
    damage: tuple[int, int] | None = None


class Area(Value, frozen=True):
    """A part of the board in one overlay layer under one label: cells, or an outline on a gridless board.

    `rings` and `lines` are x, y, x, y, ... in 64ths of an inch. A point is in the area if a ring goes around
    it; rings may overlap, and all go clockwise on the board. The lines are the border where no wall makes it.
    """

    layer: str
    label: str
    runs: tuple[Run, ...] = ()
    rings: tuple[tuple[int, ...], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()


class Reach(Value, frozen=True):
    """The cells that a token can move to: its budget, and (column, row, cost) of each cell.

    `provokes` has (column, row, indices in `provocations`) of each cell whose cheapest path provokes any.
    `safe` has (column, row, cost) of the cheapest path that provokes none, for those of these cells that have
    one within the budget. On a gridless board the cells are some of the places in reach, in 64ths of an inch,
    and `bands` have the outline of all; several if dice are still to be rolled, the smallest first.
    """

    budget: int
    cells: tuple[tuple[int, int, int], ...]
    provocations: tuple[Provocation, ...] = ()
    provokes: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    safe: tuple[tuple[int, int, int], ...] = ()
    bands: tuple[Area, ...] = ()


class PathStep(Value, frozen=True):
    """A step of a path: the cell where it ends, how the token moves, the cost, and what it provokes."""

    at: Cell
    how: str
    cost: int
    provokes: tuple[Provocation, ...] = ()


class Ruling(Value, frozen=True):
    """The judgment of a move: allowed or not, its cost (None: no path) out of the budget, and the reasons.

    `path` has the cells from the start to the end. `steps` has them with what each step provokes, in a game
    whose moves are chains of steps. `causes` has the causes of the reasons that refuse the move.
    """

    allowed: bool
    cost: int | None
    budget: int
    reasons: tuple[str, ...] = ()
    path: tuple[Cell, ...] = ()
    steps: tuple[PathStep, ...] = ()
    causes: tuple[Cause, ...] = ()


MOVES = frozenset({"move", "move_group"})
"""The kinds of act that move tokens by their own will, one or a group."""

_RULE_ID = re.compile(r"\b[A-Z]{3}-\d{3}\b")


def refused_move(ruling: Ruling) -> IllegalAct:
    """Return the error that refuses a move, with the first rule that its reasons name (none if none does)."""
    sentence = " ".join(ruling.reasons)
    named = _RULE_ID.search(sentence)
    return IllegalAct(sentence, named.group() if named else "", ruling.causes[0] if ruling.causes else "")


class PlayedAttack(NamedTuple):
    """An attack that was made: attacker, target, result, and the expected result.

    `chance` is the chance to hit, `expected` the mean damage; None if the rules have no odds for it.
    """

    token: str
    target: str
    is_hit: bool
    damage: int
    chance: Fraction | None
    expected: Fraction | None


class Blocker(Value, frozen=True):
    """A thing that blocks a line of sight, by its ID and its name.

    `id` is empty if it is not a thing of the scene, such as the corner between two bodies.
    """

    kind: Literal["wall", "door", "token", "terrain", "corner"]
    id: str = ""
    name: str = ""


CoverLevel = Literal["", "lesser", "half", "three_quarters", "total"]
"""A kind of cover, whatever the game calls it; empty without any."""


class Sight(Value, frozen=True, kw_only=True):
    """The line of sight between two tokens.

    `line` is the line in 64ths of a cell, as walls are; `at` is the point where `blocker` stops it. `why`
    says in a sentence why the target is not seen, `cover` which cover it has, `distance` the distance in the
    game's unit, like "3 squares". A field without content is empty or None. `is_seen` is None in a game
    without lines of sight. `cover_level` and `cover_bonus` are the cover for programs: its kind, and what it
    adds to the target's defense; None behind total cover, which no attack passes.
    """

    is_seen: bool | None = None
    why: str = ""
    cover: str = ""
    cover_level: CoverLevel = ""
    cover_bonus: int | None = 0
    distance: str = ""
    line: Segment | None = None
    at: Point | None = None
    blocker: Blocker | None = None


class Caught(Value, frozen=True, kw_only=True):
    """A token in a drawn area, by ID, and its cover from the area's origin; spared behind total cover."""

    token: str
    cover: str = ""
    cover_level: CoverLevel = ""
    cover_bonus: int | None = 0
    is_spared: bool = False


class Engagement(Value, frozen=True):
    """Two tokens that are engaged with each other, by ID, and the effect."""

    tokens: tuple[str, str]
    label: str


class Offer(Value, frozen=True):
    """An act of a token: legal now, or refused with a sentence, the rule's ID and the cause."""

    act: Act
    label: str
    cost: int = 0
    why: str = ""
    rule: str = ""
    cause: Cause | Literal[""] = ""

    @property
    def is_legal(self) -> bool:
        """Return whether the act is legal now."""
        return not self.why


class TurnPlace(Value, frozen=True):
    """A token in the order of turns, by ID, and the number that gave it its place; None without one."""

    token: str
    number: int | None = None


class Budget(Value, frozen=True):
    """A part of a turn that a token may still spend: its name, how much is left, and of how much."""

    label: str
    left: int
    of: int


class State(Value, frozen=True, kw_only=True):
    """A condition of a token for people: its name among the game's conditions, its source, and its end."""

    condition: str
    source: str = ""
    ends: str = ""


class Turn(Value, frozen=True, kw_only=True):
    """The state of the turn order: the round (0: not started), and the sides or the one token that may act.

    `token` is empty if any token of `sides` may act. `order` has the tokens in their order, in a game in
    which each has its own turn. `opening` is the kind of the GM's act that begins the battle, before it, in a
    game without one that starts each round. `winners` are the sides that have won; a battle that `is_over`
    without winners is a draw.
    """

    round: int
    sides: tuple[str, ...] = ()
    token: str = ""
    order: tuple[TurnPlace, ...] = ()
    opening: str = ""
    is_over: bool = False
    winners: tuple[str, ...] = ()


class Bar(Value, frozen=True):
    """A token's bar on a tabletop: a track and its maximum."""

    track: str
    most: int


class Modifier(Value, frozen=True):
    """One term of a number, with its reason; `rule` is the rule's ID."""

    reason: str
    value: int
    rule: str = ""
    counts: bool = True


def total(modifiers: Iterable[Modifier]) -> int:
    """Return the sum of the modifiers that count."""
    return sum(modifier.value for modifier in modifiers if modifier.counts)
