"""The areas of a model's overlay: ranges, the threat of enemies, and the straight ways that it may take.

On a gridless board each is an outline, on squares the cells. A distance is from base to base, so that an
outline has the place that another base must touch.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from enfilade.geometry.board.base import Point
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.movement.gridless import circles
from enfilade.geometry.movement.round_bases import RoundBase
from enfilade.i18n import localize
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.displacement import (
    LUNGE_DISTANCE,
    away_from,
    free_place,
    lunge_place,
)
from enfilade.rulesets.miniatures_combat.inches import cell_centers
from enfilade.rulesets.miniatures_combat.laws import FALL_BACK_DISTANCE
from enfilade.rulesets.miniatures_combat.profiles import Fighter, inches_text, read_fighter
from enfilade.rulesets.miniatures_combat.sight import MISSILE_RANGE
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of a layer.

    "ranges" has the reach of the weapon, missiles, lunges, and the lines of a spear that no base is in;
    "threat" the reach of all enemies, by distance; "defense" the ways straight back.
    """
    fighter, field = read_fighter(token), battlefield(scene)
    if fighter.id not in field.fighters:
        return ()
    if layer == "ranges":
        return list(_ranges(scene, field, fighter))
    if layer == "threat":
        return list(_threat(field, fighter))
    if layer == "defense" and scene.grid.kind == "gridless":
        return list(_ways_back(field, fighter))
    return ()


def _ranges(scene: Scene, field: Battlefield, fighter: Fighter) -> Iterator[Area]:
    reach = localize("miniatures_combat.area_reach", inches=inches_text(fighter.reach))
    yield _around(field, "ranges", reach, [fighter], fighter.reach)
    if fighter.profile.missiles:
        yield _around(field, "ranges", localize("miniatures_combat.area_missiles"), [fighter], MISSILE_RANGE)
    if scene.grid.kind != "gridless":
        return
    for enemy in field.enemies_within(fighter, ENGAGED + LUNGE_DISTANCE):
        if field.gap(fighter.id, enemy.id) <= ENGAGED:
            continue
        at = lunge_place(scene, fighter, enemy)
        if at is not None:
            label = localize("miniatures_combat.area_lunge", name=enemy.name)
            yield _way(field, "ranges", label, field.bases[fighter.id], field.center_at(fighter.token, at))
    if fighter.profile.weapon == "pole":  # spears also strike from a second rank (MNC-064)
        near_by = field.enemies_within(fighter, fighter.reach)
        free = [enemy for enemy in near_by if field.has_clear_line(fighter.id, enemy.id)]
        lines = tuple((*field.bases[fighter.id].at, *field.bases[enemy.id].at) for enemy in free)
        if lines:
            yield field.scale.area("ranges", localize("miniatures_combat.area_spear"), (), lines)


def _threat(field: Battlefield, fighter: Fighter) -> Iterator[Area]:
    """Yield where enemies engage or strike, for each distance once (MNC-009, MNC-062)."""
    enemies = field.enemies(fighter)
    for distance in sorted({one.reach for one in enemies} | ({ENGAGED} if enemies else set())):
        label = localize("miniatures_combat.area_threat", inches=inches_text(distance))
        those = enemies if distance == ENGAGED else [one for one in enemies if one.reach == distance]
        yield _around(field, "threat", label, those, distance)


def _ways_back(field: Battlefield, fighter: Fighter) -> Iterator[Area]:
    """Yield the way straight back from each enemy that a model must defend against (MNC-070)."""
    for enemy in field.attackers(fighter):
        direction = away_from(field, fighter.token, [field.bases[enemy.id].at])
        at = free_place(field, fighter, direction, FALL_BACK_DISTANCE)
        if at != fighter.token.at:
            label = localize("miniatures_combat.area_back", name=enemy.name)
            yield _way(field, "defense", label, field.bases[fighter.id], field.center_at(fighter.token, at))


def _around(field: Battlefield, layer: str, label: str, fighters: Sequence[Fighter], distance: int) -> Area:
    """Return the area within a distance of models' bases."""
    if field.scene.grid.kind == "gridless":
        bases = [field.bases[one.id] for one in fighters]
        rings, lines = circles(field.board, [RoundBase(b.at, b.radius + distance) for b in bases])
        return field.scale.area(layer, label, rings, lines)
    return Area(layer, label, runs_of(_cells_around(field, fighters, distance)))


def _cells_around(field: Battlefield, fighters: Sequence[Fighter], distance: int) -> Mask:
    """Return the cells, each with a base in its middle, within a distance of models' bases."""
    scale, bases = field.scale, field.bases
    (across, down), radius = cell_centers(scale), scale.radius_across(1)
    rows = [0] * len(down)
    for one in fighters:
        checkpoint()
        (x, y), far = bases[one.id].at, max(distance, scale.slack) + bases[one.id].radius + radius
        for row in range(bisect_left(down, y - far), bisect_right(down, y + far)):
            half = math.isqrt(far * far - (down[row] - y) ** 2)
            rows[row] |= (1 << bisect_right(across, x + half)) - (1 << bisect_left(across, x - half))
    return Mask(tuple(rows))


def _way(field: Battlefield, layer: str, label: str, base: RoundBase, end: Point) -> Area:
    """Return the corridor that a base covers on a straight way: both sides, and its outline at the end."""
    (x1, y1), (x2, y2), radius = base.at, end, base.radius
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    aside_x, aside_y = round((y1 - y2) * radius / length), round((x2 - x1) * radius / length)
    ahead_x, ahead_y = round((x2 - x1) * radius / length), round((y2 - y1) * radius / length)
    # An octagon's half is round enough at this size.
    corners = [
        (x1 + aside_x, y1 + aside_y),
        (x1 - aside_x, y1 - aside_y),
        (x2 - aside_x, y2 - aside_y),
        (x2 + (ahead_x - aside_x) * 7 // 10, y2 + (ahead_y - aside_y) * 7 // 10),
        (x2 + ahead_x, y2 + ahead_y),
        (x2 + (ahead_x + aside_x) * 7 // 10, y2 + (ahead_y + aside_y) * 7 // 10),
        (x2 + aside_x, y2 + aside_y),
    ]
    ring = tuple(number for corner in corners for number in corner)
    return field.scale.area(layer, label, (ring,), ((*ring, *ring[:2]),))


def engagements(scene: Scene) -> tuple[Engagement, ...]:
    """Return the pairs of engaged models (MNC-009)."""
    label = localize("miniatures_combat.engaged")
    return tuple([Engagement(pair, label) for pair in battlefield(scene).engaged_pairs()])
