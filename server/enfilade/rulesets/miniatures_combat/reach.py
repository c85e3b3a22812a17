"""Reach: how far a model may move now, where it may end, and the judgment of a move (MNC-106 to MNC-110)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.gridless import outline
from enfilade.geometry.movement.obstacles import CLOSE
from enfilade.geometry.movement.round_bases import RoundBase
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, occupied, off_board, ruling
from enfilade.rules.battle.laws import MOVES
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Area, Reach, Ruling
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.laws import LAWS
from enfilade.rulesets.miniatures_combat.movement_dice import moved_by_die, movement_dice, slowest
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter, inches_text, read_fighter
from enfilade.rulesets.miniatures_combat.straight_ways import contact_place
from enfilade.rulesets.miniatures_combat.turn import (
    group,
    is_engaged_group,
    is_movement_over,
    require_active,
)
from enfilade.runtime.time_budget import checkpoint
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
    return _end_problems(scene, fighter, at, battlefield(scene).bodies)


def _end_problems(
    scene: Scene, fighter: Fighter, at: Cell, bodies: Mapping[str, RoundBase]
) -> list[IllegalAct]:
    """Return the same if only some bases can be where the move ends."""
    checkpoint()
    token, field = fighter.token, battlefield(scene)
    center, radius = field.center_at(token, at), field.bodies[token.id].radius
    reasons = []
    if not field.positions.is_on_board(center, radius):
        reasons.append(off_board("MNC-106"))
    if below := field.positions.overlapping(center, radius, (token.id,), bodies):
        reasons.append(occupied(scene.token(below[0]).name, "MNC-106"))
    if banned := LAWS.refusal(scene, Act(kind="move", token=token.id, at=at), MOVES):
        reasons.append(banned)
    return reasons


def travel_cost(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> int | None:
    """Return the length of a move in 64ths of an inch, rounded up; None if it is not clear or too long."""
    field = battlefield(scene)
    if len(path) > 1:
        length = field.path_length(fighter, path, most)
    else:
        length = field.field(fighter, most).cost(field.center_at(fighter.token, path[-1]))
    return None if length is None or length > most + CLOSE else math.ceil(length - CLOSE)


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
    bands = _bands(scene, [fighter], {label: most})
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
    field, token = battlefield(scene), fighter.token
    candidates = _candidates(scene, fighter, most)
    costs = field.field(fighter, most).costs([field.center_at(token, at) for at in candidates])
    bodies = field.positions.bodies_within(fighter.id, most + 1)
    return sorted(
        (*at, math.ceil(cost - CLOSE))
        for at, cost in zip(candidates, costs, strict=True)
        if cost is not None and not _end_problems(scene, fighter, at, bodies)
    )


def may_move(scene: Scene, token: Token) -> bool:
    """Return whether a model may move now: whether its reach has a budget, which takes longer to work out."""
    fighter = read_fighter(token)
    return fighter.id in battlefield(scene).fighters and _budget_now(scene, fighter) > 0


def _budget_now(scene: Scene, fighter: Fighter) -> int:
    return 0 if why_not(scene, fighter) else budget(scene, fighter)


# Outlines on a gridless board


def planned_bands(scene: Scene, fighter: Fighter) -> tuple[Area, ...]:
    """Return the least, the expected and the most that a model or its active group may move by one die.

    Empty for a model that fights: its steps are 2" for a die, and so need no plan (MNC-108, MNC-109).
    """
    token, field = fighter.token, battlefield(scene)
    is_over = token.has("active") and is_movement_over(scene, fighter)
    if is_over or token.has("prone") or field.is_engaged(fighter) or is_engaged_group(scene):
        return ()
    members = group(scene) if token.has("active") else [fighter]
    dice, (_, modifier) = movement_dice(fighter, 1), slowest(scene, members)
    inches = [moved_by_die(face, modifier) for face in range(1, 7)]
    mean = dice * sum(inches) * INCH // 6
    lengths = {
        localize("miniatures_combat.band_least", inches=dice * min(inches)): dice * min(inches) * INCH,
        localize("miniatures_combat.band_mean", inches=inches_text(mean)): mean,
        localize("miniatures_combat.band_most", inches=dice * max(inches)): dice * max(inches) * INCH,
    }
    return _bands(scene, members, lengths)


def _bands(scene: Scene, members: Sequence[Fighter], lengths: Mapping[str, int]) -> tuple[Area, ...]:
    """Return where members reach together within each length, by label; empty on a board with cells."""
    if scene.grid.kind != "gridless":
        return ()
    field = battlefield(scene)
    bands = []
    for label, length in lengths.items():
        rings, lines = outline([field.field(one, length) for one in members])
        bands.append(field.scale.area("reach", label, rings, lines))
    return tuple(bands)


def _candidates(scene: Scene, fighter: Fighter, most: int) -> list[Cell]:
    field, grid, token = battlefield(scene), scene.grid, fighter.token
    if grid.kind == "gridless":
        x, y = field.bases[fighter.id].at
        inches = range(-(most // INCH), most // INCH + 1)
        around = [field.place(token, (x + INCH * i, y + INCH * j)) for i in inches for j in inches]
        contacts = [contact_place(field, fighter, enemy) for enemy in field.enemies(fighter)]
        places = list(dict.fromkeys((*around, *contacts)))
    else:
        places = [(column, row) for column in range(grid.columns) for row in range(grid.rows)]
    return [at for at in places if field.is_within(token, at, most)]
