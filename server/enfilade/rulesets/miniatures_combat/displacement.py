"""Displacement: straight ways of models, and where lunges, pushes and sweeps move them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.movement.gridless import CLOSE, distance_to, is_clear, near
from enfilade.geometry.movement.round_bases import RoundBase, gap
from enfilade.rules.battle.displace import Cause, Landing, Obstacle, displace
from enfilade.rules.procedures import Change, Steps, set_condition
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

SEARCH_STEP = 4
"""The distance between the places that a model looks for room at: a 16th of an inch."""
SEARCH_TURNS = tuple(sign * math.pi * part / 8 for part in range(9) for sign in (1, -1))
"""The directions in which it looks, straight back first."""


class ForcedMoves:
    """The map of a scene for `displace`: bases go straight as far as it lets them."""

    def __init__(self, scene: Scene) -> None:
        self._field = battlefield(scene)

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the farthest place on the straight way of a base from its `at`."""
        return way_toward(self._field, token, self._field.center_at(token, to))

    def crowd(self, token: Token, at: Cell) -> Sequence[str]:
        """Return the tokens whose bases a token's base would overlap at a place."""
        return self._field.overlaps(token, at)

    def nearest_free(self, token: Token, source: Token, most: int) -> Cell | None:
        """Return the nearest place without another base, first straight away from another token."""
        direction = away_from(self._field, token, [self._field.base(source).at])
        return nearest_free_place(self._field, token, direction, most)


def way_toward(field: Battlefield, token: Token, center: Point) -> Landing:
    """Return the farthest place on the straight way of a base toward a center.

    Walls, closed terrain and the edge of the board stop it; what stands there does not matter.
    """
    base = field.base(token)
    (x, y), r = center, base.radius
    inside = max(r, min(field.board.width - r, x)), max(r, min(field.board.height - r, y))
    far = math.ceil(math.dist(base.at, inside))
    around = near(field.board, base, far, field.walls, ())
    toward = (inside[0] - base.at[0], inside[1] - base.at[1])
    for step in range(far, 0, -1):
        at = field.place(
            token,
            inside if step == far else _shifted(base.at, toward, step),
        )
        if is_clear(around, *base.at, *field.center_at(token, at)):
            if step < far:
                return Landing(at, _obstacle(field, base, inside))
            return Landing(at, "" if inside == center else "edge")
    assert token.at is not None
    return Landing(token.at, _obstacle(field, base, inside) if far else "")


def _obstacle(field: Battlefield, base: RoundBase, center: Point) -> Obstacle:
    """Return what stops a base on its straight way to a center: a wall, or closed terrain."""
    far = math.ceil(math.dist(base.at, center))
    walls = near(field.board, base, far, field.positions.map.barriers, ())
    return "ground" if is_clear(walls, *base.at, *center) else "wall"


def straight(field: Battlefield, token: Token, direction: tuple[float, float], distance: int) -> Cell:
    """Return the farthest place up to a distance in a direction that the map leaves to a base."""
    return way_toward(field, token, _shifted(field.base(token).at, direction, distance)).at


def nearest_free_place(
    field: Battlefield, token: Token, direction: tuple[float, float], distance: int
) -> Cell | None:
    """Return the nearest place without another base, first in a direction, then to the sides of it."""
    x, y = direction
    for step in range(0, distance + 1, SEARCH_STEP):
        for turn in SEARCH_TURNS:
            turned = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            at = straight(field, token, turned, step)
            if not field.overlaps(token, at):
                return at
    return None


def away_from(field: Battlefield, token: Token, points: Collection[Point]) -> tuple[float, float]:
    """Return the direction straight away from the middle of some points."""
    middle = (
        sum(point[0] for point in points) / len(points),
        sum(point[1] for point in points) / len(points),
    )
    x, y = field.base(token).at
    across, down = x - middle[0], y - middle[1]
    return (across, down) if (across, down) != (0, 0) else (0, -1)


def free_place(
    field: Battlefield,
    fighter: Fighter,
    direction: tuple[float, float],
    distance: int,
    keeps: int = 0,
    may_pass: Collection[str] = (),
) -> Cell:
    """Return the farthest place straight in a direction that a model reaches without touching another.

    It stays farther than `keeps` from each enemy that it does not move away from. It may pass the models
    in `may_pass`, but not end on them.
    """
    token = fighter.token
    assert token.at is not None
    start = field.bases[fighter.id]
    enemies = {one.id for one in field.enemies(fighter)}
    others = [
        (base, keeps if key in enemies else 0)
        for key, base in field.bases.items()
        if key not in (fighter.id, *may_pass)
    ]
    length = math.hypot(*direction)
    if not length:
        return token.at
    unit = (direction[0] / length, direction[1] / length)
    free = min((_free_distance(start, unit, *other) for other in others), default=math.inf)
    around = near(field.board, start, distance, field.walls, ())
    for step in range(math.ceil(min(free, distance)), 0, -1):
        at = field.place(token, _shifted(start.at, direction, step))
        base = field.base_at(token, at)
        is_far = math.dist(start.at, base.at) > distance
        if is_far or not field.is_on_board(token, at) or not is_clear(around, *start.at, *base.at):
            continue
        if any(_comes_near(start, base, other, limit) for other, limit in others):
            continue
        if not field.overlaps(token, at):
            return at
    return token.at


def touches_on_way(field: Battlefield, fighter: Fighter, at: Cell) -> bool:
    """Return whether a model would touch another on the straight line to a place (MNC-104).

    It does not touch a model that it only leaves.
    """
    start, end = field.bases[fighter.id], field.base_at(fighter.token, at)
    line = (*start.at, *end.at)
    across, down = end.at[0] - start.at[0], end.at[1] - start.at[1]
    return any(
        distance_to(*other.at, *line) <= start.radius + other.radius + CLOSE
        and (other.at[0] - start.at[0]) * across + (other.at[1] - start.at[1]) * down > 0
        for key, other in field.bases.items()
        if key != fighter.id
    )


def contact_place(field: Battlefield, fighter: Fighter, other: Fighter) -> Cell:
    """Return the nearest place on the straight line to another model at which the bases touch."""
    base, target = field.bases[fighter.id], field.bases[other.id]
    apart = math.dist(base.at, target.at)
    share = (apart - base.radius - target.radius) / apart if apart else 0.0
    return field.place(
        fighter.token,
        (
            base.at[0] + math.trunc((target.at[0] - base.at[0]) * share),
            base.at[1] + math.trunc((target.at[1] - base.at[1]) * share),
        ),
    )


def _free_distance(start: RoundBase, unit: tuple[float, float], other: RoundBase, limit: int) -> float:
    """Return how far a base moves in a direction until it is within a limit of another; infinity if never."""
    x, y = other.at[0] - start.at[0], other.at[1] - start.at[1]
    along, apart = x * unit[0] + y * unit[1], start.radius + other.radius + limit
    across = x * unit[1] - y * unit[0]
    if along <= 0 or abs(across) > apart:
        return math.inf
    return max(0.0, along - math.sqrt(apart * apart - across * across))


def _shifted(at: Point, direction: tuple[float, float], distance: int) -> Point:
    length = math.hypot(*direction) or 1.0
    return (round(at[0] + direction[0] * distance / length), round(at[1] + direction[1] * distance / length))


def _comes_near(start: RoundBase, base: RoundBase, other: RoundBase, limit: int) -> bool:
    """Return whether a moved base is within a limit of another, nearer than it was at the start."""
    is_nearer = math.dist(base.at, other.at) < math.dist(start.at, other.at)
    return is_nearer and gap(base, other) <= limit


LUNGE_DISTANCE = 2 * INCH
"""How far a lunge moves a model (MNC-093)."""
LUNGE_REACH = LUNGE_DISTANCE + ENGAGED
"""How far away at most the target of a lunge may be (MNC-091, MNC-093)."""
MOST_ROOM = 6 * INCH
"""How far at most a model is moved back to make room."""


def lunge_place(scene: Scene, fighter: Fighter, target: Fighter) -> Cell | None:
    """Return where a lunge ends, or None if it is blocked: straight at the target, within its reach.

    The lunger goes no farther than it must, touches no enemy, and ends within 1" (MNC-091, MNC-093).
    """
    field = battlefield(scene)
    known, key = field.positions.lunges, (fighter.id, target.id, fighter.reach)
    if key not in known:
        known[key] = _lunge_place(field, fighter, target)
    return known[key]


def _lunge_place(field: Battlefield, fighter: Fighter, target: Fighter) -> Cell | None:
    apart = field.gap(fighter.id, target.id)
    if apart > LUNGE_REACH or not field.has_clear_line(fighter.id, target.id):
        return None
    (x, y), (to_x, to_y) = field.bases[fighter.id].at, field.bases[target.id].at
    distance = min(LUNGE_DISTANCE, apart - min(ENGAGED, max(1, fighter.reach)))
    # Places are whole 64ths of an inch, so that the lunger may need one more.
    for far in (distance, distance + 1):
        at = free_place(field, fighter, (to_x - x, to_y - y), far)
        if field.gap_at(fighter.token, at, target.id) <= ENGAGED:
            return at
    return None


def straight_back(scene: Scene, fighter: Fighter, target: Fighter, distance: int) -> Cell:
    """Return the place straight back from a model, taken or not (MNC-097, MNC-103)."""
    field = battlefield(scene)
    across, down = away_from(field, target.token, [field.bases[fighter.id].at])
    (x, y), length = field.bases[target.id].at, math.hypot(across, down)
    return field.place(
        target.token, (round(x + across * distance / length), round(y + down * distance / length))
    )


def move_to(scene: Scene, key: str, at: Cell, cause: Cause) -> Steps:
    """Move a model by a push or a sweep; return the scene.

    Without room at the place the model is prone and the others there are moved back (MNC-098, MNC-104). A
    model pushed against a wall, closed ground or the edge has no room there either. A sweep knocks it prone
    as well if it meets a model on the way.
    """
    field = battlefield(scene)
    end, by = ForcedMoves(scene).way(scene.token(key), at)
    is_prone = bool(field.overlaps(scene.token(key), end)) or (cause == "push" and by != "")
    if cause == "sweep":
        is_prone = is_prone or touches_on_way(field, field.fighters[key], end)
    was = field.base(scene.token(key)).at
    scene, _ = yield from displace(scene, key, at, cause, ForcedMoves, crowd="make room", most=MOST_ROOM)
    moved = round(math.dist(was, battlefield(scene).base(scene.token(key)).at))
    yield Change(Explained(kind="moved back", facts={"token": key, "act": cause, "length": moved}))
    if is_prone:
        scene = yield set_condition(scene, key, "prone")
        yield Change(Explained(kind="knocked prone", facts={"token": key}))
    return scene
