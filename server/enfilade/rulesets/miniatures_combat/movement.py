"""Moves: the places in reach, the ruling on a move, and the move itself (MNC-104 to MNC-110)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise, product
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.movement.gridless import CLOSE
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, occupied, off_board, ruling
from enfilade.rules.battle.laws import MOVES
from enfilade.rules.house_rules import setting
from enfilade.rules.outlook import with_token
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps, set_condition, set_track
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import contact_place
from enfilade.rulesets.miniatures_combat.groups import spot_group
from enfilade.rulesets.miniatures_combat.laws import LAWS
from enfilade.rulesets.miniatures_combat.movement_dice import bands_of, planned_bands
from enfilade.rulesets.miniatures_combat.positions import is_free_of
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter, inches_text, read_fighter
from enfilade.rulesets.miniatures_combat.special_acts import carry_along
from enfilade.rulesets.miniatures_combat.turn import (
    is_engaged_group,
    is_group_active,
    is_movement_over,
    pay_dice,
    require_active,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

STEP = 2 * INCH
"""How far one die moves a model of an engaged group (MNC-108)."""


def budget(scene: Scene, fighter: Fighter) -> int:
    """Return how far a model may move now, in 64ths of an inch (MNC-106)."""
    token = fighter.token
    if not token.has("active"):
        return 0
    if not is_engaged_group(scene):
        return 0 if is_movement_over(scene, fighter) else token.track("allowance")
    return STEP * (token.track("dice") + token.track("movement dice"))


def why_not(scene: Scene, fighter: Fighter) -> IllegalAct | None:
    """Return the error that refuses any move of a model now, or None."""
    refused = check_refusal(require_active, scene, fighter.token)
    refused = refused or LAWS.refusal(scene, Act(kind="move", token=fighter.id, at=fighter.token.at), MOVES)
    if refused is None and not is_engaged_group(scene) and "rolled" not in scene.conditions:
        return OutOfTurn(localize("miniatures_combat.refuse_no_roll"), "MNC-109")
    return refused


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move along waypoints; one waypoint means the shortest path."""
    del facing  # models have no facing
    fighter = read_fighter(token)
    most = budget(scene, fighter)
    stopped = why_not(scene, fighter)
    if stopped or not path:
        nowhere = IllegalAct(localize("miniatures_combat.refuse_no_path"), "MNC-106", "request")
        return ruling((stopped or nowhere,), None, most)
    cost, reasons = travel_cost(scene, fighter, path, most), end_problems(scene, fighter, path[-1])
    if cost is None and not reasons:
        reasons = [_barred(scene, fighter, path, most)]
    return ruling(reasons, cost, most, (token.at, *path) if token.at else ())


def _barred(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> IllegalAct:
    """Return the refusal of a place that a model does not get to, by what bars its way."""
    inches = inches_text(most, is_limit=True)
    far = localize("miniatures_combat.refuse_far", name=fighter.name, inches=inches)

    def leads_there(less: Scene) -> bool:
        return travel_cost(less, fighter, path, most) is not None

    return barred(scene, fighter.token, leads_there, "MNC-106", IllegalAct(far, "MNC-106", "distance"))


def end_problems(scene: Scene, fighter: Fighter, at: Cell) -> list[IllegalAct]:
    """Return why a model may not end a move at a place, if not for the distance."""
    field, token = battlefield(scene), fighter.token
    reasons: list[IllegalAct] = []
    if not field.is_on_board(token, at):
        reasons.append(off_board("MNC-106"))
    if below := field.overlaps(token, at):
        reasons.append(occupied(scene.token(below[0]).name, "MNC-106"))
    refused = LAWS.refusal(scene, Act(kind="move", token=token.id, at=at), MOVES)
    return [*reasons, refused] if refused else reasons


def travel_cost(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> int | None:
    """Return the length of a move in 64ths of an inch, rounded up; None if it is not clear or too long."""
    field = battlefield(scene)
    if len(path) > 1:
        length = field.path_length(fighter, path, most)
    else:
        length = field.field(fighter, most).cost(field.center_at(fighter.token, path[-1]))
    cost = None if length is None else math.ceil(length - CLOSE)
    return None if cost is None or cost > most else cost


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return places that a model can move to: cells, or without a grid places an inch apart.

    Without a grid the model can also stop between them; `judge` rules on every place.
    """
    fighter = read_fighter(token)
    if fighter.id not in battlefield(scene).fighters:
        return None
    most = _budget_now(scene, fighter)
    if not most:
        return Reach(0, (), bands=planned_bands(scene, fighter))
    label = localize("miniatures_combat.band_reach", inches=inches_text(most, is_limit=True))
    bands = bands_of(scene, [fighter], {label: most})
    return Reach(most, tuple(_places(scene, fighter, most)), bands=bands)


def cells_in_reach(scene: Scene, token: Token) -> Sequence[Cell]:
    """Return the places of a model's `reach` without their costs and outlines."""
    fighter = read_fighter(token)
    if fighter.id not in battlefield(scene).fighters:
        return ()
    most = _budget_now(scene, fighter)
    return [(x, y) for x, y, _ in _places(scene, fighter, most)] if most else ()


def _places(scene: Scene, fighter: Fighter, most: int) -> list[tuple[int, int, int]]:
    """Return the places within a length of a move at which it may end, with what each costs."""
    field, key = battlefield(scene), fighter.id
    candidates = _candidates(scene, fighter, most)
    costs = field.field(fighter, most).costs(list(candidates.values()))
    others = field.positions.others_within(key, most)
    banned = LAWS.at_places(scene, Act(kind="move", token=key), MOVES)
    return sorted(
        (*at, math.ceil(cost - CLOSE))
        for (at, center), cost in zip(candidates.items(), costs, strict=True)
        if cost is not None
        and is_free_of(others, center)
        and not (banned and banned(Act(kind="move", token=key, at=at)))
    )


def may_move(scene: Scene, token: Token) -> bool:
    """Return whether a model may move now: whether its reach has a budget, which takes longer to work out."""
    fighter = read_fighter(token)
    return fighter.id in battlefield(scene).fighters and _budget_now(scene, fighter) > 0


def _budget_now(scene: Scene, fighter: Fighter) -> int:
    return 0 if why_not(scene, fighter) else budget(scene, fighter)


# Outlines on a gridless board


def _candidates(scene: Scene, fighter: Fighter, most: int) -> dict[Cell, Point]:
    """Return the places on the board that are not too far away to move to, with the center of each."""
    field, grid, token = battlefield(scene), scene.grid, fighter.token
    scale, size = field.scale, token.size
    if grid.kind == "gridless":
        x, y = field.bases[fighter.id].at
        far = most // INCH * INCH
        columns, rows = (range(middle - far, middle + far + INCH, INCH) for middle in (x, y))
        around = [scale.place(size, center) for center in product(columns, rows)]
        contacts = [contact_place(field, fighter, enemy) for enemy in field.enemies(fighter)]
        places = list(dict.fromkeys((*around, *contacts)))
    else:
        places = [(column, row) for column in range(grid.columns) for row in range(grid.rows)]
    start, radius, positions = field.base(token).at, scale.radius(size), field.positions
    return {
        at: center
        for at in places
        if math.dist(start, center := scale.center(size, at)) <= most
        and positions.is_on_board(center, radius)
    }


ROUNDING = 1
"""What the rounding of places may add to a move, in 64ths of an inch."""
SAMPLE = 32
"""The distance between the places on a path at which archers look: half an inch."""


def move(scene: Scene, act: Act) -> Steps:
    """Move a model along its path; an illegal move on the tabletop is recorded as it is."""
    fighter, field = read_fighter(scene.token(act.token)), battlefield(scene)
    path = act.waypoints or ((fighter.token.at,) if fighter.token.at is not None else ())
    if not path or not field.is_on_board(fighter.token, path[-1]):
        raise IllegalAct(localize("miniatures_combat.refuse_off_board"), "MNC-106", "edge")
    ruling = judge(scene, fighter.token, path, act.facing)
    was_engaged, route = field.is_engaged(fighter), _route_with(scene, fighter, path, ruling.budget)
    before, points = scene, way_points(scene, fighter, path)
    facts = {
        "token": fighter.id,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "allowed": ruling.allowed,
        "reasons": list(ruling.reasons),
    }
    yield Change(Explained(kind="move", facts=facts))
    if is_group_active(scene) and fighter.token.has("active"):
        scene = yield from _pay(scene, fighter, ruling)
    start = fighter.token.at
    for at in path:
        scene = yield Step(fighter.id, at, act.facing)
    scene = yield from carry_along(scene, fighter, start)
    if fighter.token.has("active") and fighter.id in battlefield(scene).fighters:
        scene = yield from mark_moved(scene, fighter)
        if not was_engaged:
            is_direct = partial(is_direct_route, before, fighter, path, ruling.budget)
            scene = yield from note_charge(scene, fighter, is_direct)
        if route is not None and not is_engaged_group(scene):
            scene = yield set_condition(scene, fighter.id, "moved", route.note)
        scene = yield from spot_group(scene, fighter.id, points)
    return Outcome("moved")


_NOTE = re.compile(r"(\d{1,6}),(\d{1,6}),(\d{1,6}\.\d\d),(\d{1,4})", re.ASCII)
"""The note of a route."""


class Route(NamedTuple):
    """The way of a model in its activation so far: where it began, its length, and how many moves it took."""

    start: Cell
    length: float
    moves: int

    @property
    def note(self) -> str:
        """Return the route as the note of a condition."""
        return f"{self.start[0]},{self.start[1]},{self.length:.2f},{self.moves}"


def _route_so_far(scene: Scene, fighter: Fighter) -> Route | None:
    """Return the route that a model has gone in its activation, or the start of one; None off the board.

    A note that a GM or a file has written otherwise is no route.
    """
    noted = _NOTE.fullmatch(fighter.token.conditions.get("moved", ""))
    if noted:
        x, y, length, moves = noted.groups()
        start = int(x), int(y)
        if battlefield(scene).is_on_board(fighter.token, start):
            return Route(start, float(length), int(moves))
    return None if fighter.token.at is None else Route(fighter.token.at, 0, 0)


def _route_with(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> Route | None:
    """Return the route of a model in its activation with one more path; None if the path is no legal way."""
    field, before = battlefield(scene), _route_so_far(scene, fighter)
    if before is None or fighter.id not in field.fighters:
        return None
    if len(path) == 1:
        length = field.field(fighter, most).cost(field.center_at(fighter.token, path[0]))
    else:
        length = field.path_length(fighter, path, most)
    if length is None:
        return None
    return Route(before.start, before.length + length, before.moves + 1)


def is_direct_route(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> bool:
    """Return whether a model's moves in this activation are the most direct route to a path's end (MNC-110).

    They are no longer than the shortest way from where it began, but for the rounding of each move.
    """
    route = _route_with(scene, fighter, path, most)
    if route is None:
        return True
    begun = replace(fighter.token, at=route.start)
    field = battlefield(with_token(scene, begun))
    shortest = field.field(field.fighters[begun.id], math.ceil(route.length)).cost(
        field.center_at(begun, path[-1])
    )
    return shortest is None or route.length <= shortest + ROUNDING * route.moves


def way_points(scene: Scene, fighter: Fighter, path: Sequence[Cell]) -> list[Point]:
    """Return centers on the way of a move, half an inch apart, at which archers may see the model."""
    field = battlefield(scene)
    if fighter.id not in field.fighters:
        return []
    centers = [field.bases[fighter.id].at, *(field.center_at(fighter.token, at) for at in path)]
    points = [centers[0]]
    for (x, y), (to_x, to_y) in pairwise(centers):
        count = math.ceil(math.dist((x, y), (to_x, to_y)) / SAMPLE)
        points += [
            (x + round((to_x - x) * i / count), y + round((to_y - y) * i / count))
            for i in range(1, count + 1)
        ]
    return points


def _pay(scene: Scene, fighter: Fighter, ruling: Ruling) -> Steps:
    """Pay for a move: from the allowance, or 2" a die, free movement dice first (MNC-108, MNC-109)."""
    length = ruling.budget if ruling.cost is None else ruling.cost
    if not is_engaged_group(scene):
        return (yield set_track(scene, fighter.id, "allowance", fighter.token.track("allowance") - length))
    return (yield from pay_dice(scene, fighter, -(-length // STEP)))


def mark_moved(scene: Scene, fighter: Fighter) -> Steps:
    """Note that a model moved, so that a shield gives one die less (MNC-015); return the scene."""
    token = scene.token(fighter.id)
    if token.has("moved"):
        return scene
    scene = yield set_condition(scene, fighter.id, "moved")
    left = token.track("defense dice")
    if fighter.profile.shield == "shield" and left:
        scene = yield set_track(scene, fighter.id, "defense dice", left - 1)
    return scene


def note_charge(scene: Scene, fighter: Fighter, is_direct: Callable[[], bool]) -> Steps:
    """Note that an unengaged model has moved into a fight, if it has; return the scene.

    It owes defenses unless it came by the most direct route (MNC-073, MNC-110).
    """
    field = battlefield(scene)
    if not field.is_engaged(field.fighters[fighter.id]):
        return scene
    scene = yield set_condition(scene, fighter.id, "charged")
    needs_direct = setting(scene, house_rules.CHARGE_EXEMPTION) == "direct and no attack"
    if needs_direct and not is_direct():
        scene = yield set_condition(scene, fighter.id, "must defend")
    return scene
