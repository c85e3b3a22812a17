"""The sub-actions of a Move Action and what each costs, and climbs that go on (KOV-034 to KOV-044).

A climb or a descent longer than a Move Action goes on in the next one. Until it arrives, a climber keeps the
square that it came from and hangs there above or below its ground. It climbs on, or back to its square; from
there it may go elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.rules.procedures import Steps, set_condition, set_track
from enfilade.rulesets.knights_of_valour.battlefield import FEET, HANGING
from enfilade.scene.model import Scene, Token

How = Literal["walk", "vault", "leap", "climb", "descend"]

DIFFICULT = 2
"""What each foot costs in difficult terrain, on a climb and on a long descent (KOV-035)."""
LEAP_HEIGHTS = 2
"""How often its own height a creature can leap (KOV-041)."""


class SubAction(NamedTuple):
    """A part of a Move Action: how a creature moves, and the feet of Movement it costs."""

    how: How
    cost: int


SubActions = tuple[SubAction, ...]


class Leg(NamedTuple):
    """The sub-actions from one square to the next where a creature can stand."""

    start: Cell
    end: Cell
    parts: SubActions

    @property
    def cost(self) -> int:
        """Return the feet of Movement of all its sub-actions (KOV-034)."""
        return sum(part.cost for part in self.parts)


def vault_cost(own_height: int, obstacle: int, five: int = FEET) -> int | None:
    """Return the cost to vault an obstacle, in feet; None if it is too high (KOV-039, KOV-040)."""
    return five if obstacle <= own_height else None


def leap_cost(own_height: int, width: int) -> int | None:
    """Return the cost to leap a gap, in feet; None if it is too wide (KOV-041)."""
    return width if width <= LEAP_HEIGHTS * own_height else None


def climb_cost(rise: int) -> int:
    """Return the cost to climb so many feet (KOV-042)."""
    return DIFFICULT * rise


def descent_cost(own_height: int, drop: int, is_excess_only: bool = False) -> int:
    """Return the cost to descend so many feet; nothing up to the own height (KOV-043, KOV-044).

    A longer drop costs double for its whole distance, or by a house rule for what is beyond the own height
    (C-9).
    """
    if drop <= own_height:
        return 0
    return DIFFICULT * (drop - own_height if is_excess_only else drop)


class MoveRules(NamedTuple):
    """The numbers of a creature and its rules that decide its legs, beside the map."""

    height: int
    """Its height in feet."""
    five: int
    """The feet of a vault (C-1)."""
    counts_excess: bool
    """Whether a long descent costs double only beyond the own height (C-9)."""
    difficult_diagonal: int
    """The feet of a diagonal step onto difficult terrain; 0: twice the step (C-10)."""


# Long climbs


CLIMBING, PAID = "climbing", "climb paid"
"""The condition with the square that a climb leads to, and the track of the feet of Movement spent on it."""


class Climb(NamedTuple):
    """A climb that goes on: the square it leads to, the feet of Movement spent, and the height reached."""

    goal: Cell
    paid: int
    height: int


def climb_of(token: Token) -> Climb | None:
    """Return the climb on which a creature hangs; None if it stands."""
    note = token.conditions.get(CLIMBING, "")
    x, comma, y = note.partition(",")
    if not comma or token.at is None:
        return None
    return Climb((int(x), int(y)), token.track(PAID), token.track(HANGING))


def broken_off(path: Sequence[Leg], feet: int, whole: int) -> tuple[tuple[Leg, ...], Climb, Leg] | None:
    """Return the legs of a path that some feet pay for, and the climb that they begin, with its leg.

    None if the first leg that is too long has no climb or descent, or if a `whole` Move Action pays for it.
    """
    done: list[Leg] = []
    for leg in path:
        if leg.cost <= feet:
            done.append(leg)
            feet -= leg.cost
            continue
        height = height_after(leg, feet)
        return (tuple(done), Climb(leg.end, feet, height), leg) if leg.cost > whole and height else None
    return None


def height_after(leg: Leg, paid: int) -> int:
    """Return the feet above the ground of a leg's start (below: negative) after some feet of Movement."""
    height = 0
    for part in leg.parts:
        spent = min(part.cost, paid)
        paid -= spent
        if part.how in ("climb", "descend"):
            height += spent // DIFFICULT * (1 if part.how == "climb" else -1)
    return height


def rest_of(leg: Leg, paid: int) -> Leg:
    """Return what is left of a leg after some feet of Movement."""
    parts = []
    for part in leg.parts:
        spent = min(part.cost, paid)
        paid -= spent
        if part.cost > spent:
            parts.append(SubAction(part.how, part.cost - spent))
    return leg._replace(parts=tuple(parts))


def way_back(climb: Climb, at: Cell, rules: MoveRules) -> Leg:
    """Return the leg from a climb back to the ground of its square."""
    if climb.height < 0:
        return Leg(at, at, (SubAction("climb", climb_cost(-climb.height)),))
    down = descent_cost(rules.height, climb.height, rules.counts_excess)
    return Leg(at, at, (SubAction("descend", down),))


def note_climb(scene: Scene, token_id: str, climb: Climb | None) -> Steps:
    """Note where a creature hangs, or that it stands; return the scene."""
    token = scene.token(token_id)
    if climb is None and not token.has(CLIMBING):
        return scene
    goal = None if climb is None else f"{climb.goal[0]},{climb.goal[1]}"
    scene = yield set_condition(scene, token_id, CLIMBING, goal)
    scene = yield set_track(scene, token_id, PAID, None if climb is None else climb.paid)
    return (yield set_track(scene, token_id, HANGING, None if climb is None else climb.height))
