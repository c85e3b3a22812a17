"""The battlefield: every distance and line of the game, from base to base in 64ths of an inch.

Other modules measure nothing themselves. What depends on the map and on places alone is in `positions`, what
depends on a map's units in `inches`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.shapes import Wall as GeometryWall
from enfilade.geometry.movement.gridless import GridlessField, is_clear, near
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.inches import scale_of
from enfilade.rulesets.miniatures_combat.positions import Positions, TokenPosition, positions
from enfilade.rulesets.miniatures_combat.profiles import INCH, REACHES, Fighter, read_fighter
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Terrain, Token, Wall

ENGAGED = INCH
"""The distance at which enemies are engaged (MNC-009)."""
LONGEST_REACH = max(REACHES.values())
"""The reach of the longest weapons (MNC-063)."""


class Battlefield:
    """A scene as the rules measure it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.scale = scale_of(scene.grid)
        self._enemies: dict[str, list[Fighter]] = {}
        self._attackers: dict[str, list[Fighter]] = {}

    # Places

    @lazy
    def fighters(self) -> dict[str, Fighter]:
        """The models that take part in the fight, by ID."""
        found = [read_fighter(token) for token in self.scene.tokens]
        return {one.id: one for one in found if one.is_fighting}

    @lazy
    def positions(self) -> Positions:
        """The positions of all tokens on the board."""
        fighters, tokens = self.fighters, self.scene.tokens
        found = [TokenPosition(one.id, one.at, one.size, one.id in fighters) for one in tokens if one.at]
        return positions(self.scene, tuple(found))

    @lazy
    def bases(self) -> dict[str, RoundBase]:
        """The bases of the models that take part in the fight, by ID."""
        return self.positions.bases

    @lazy
    def bodies(self) -> dict[str, RoundBase]:
        """The bases of all tokens on the board, also of those that lie helpless, by ID."""
        return self.positions.bodies

    @property
    def board(self) -> GridlessBoard:
        """The board in 64ths of an inch."""
        return self.positions.map.board

    @property
    def walls(self) -> tuple[GeometryWall, ...]:
        """The walls and closed terrain that stop movement."""
        return self.positions.map.walls

    def center_at(self, token: Token, at: Cell) -> Point:
        """Return the center of a token's base at a place."""
        return self.scale.center(token.size, at)

    def base_at(self, token: Token, at: Cell) -> RoundBase:
        """Return a token's base at a place."""
        return self.scale.base(token.size, at)

    def base(self, token: Token) -> RoundBase:
        """Return the base of a token on the board. Raises ValueError off the board."""
        if token.at is None:
            raise ValueError(f"{token.id} is not on the board.")
        return self.base_at(token, token.at)

    def place(self, token: Token, center: Point) -> Cell:
        """Return the place of a token whose base has this center, the nearest one on a squared board."""
        return self.scale.place(token.size, center)

    def is_on_board(self, token: Token, at: Cell) -> bool:
        """Return whether the whole base stands on the board."""
        return self.positions.is_on_board(self.center_at(token, at), self.scale.radius(token.size))

    # Distances

    def gap(self, a: str, b: str) -> int:
        """Return the distance from base to base of two models that fight; 0 in contact."""
        return self.positions.gaps(a)[b]

    def distance(self, a: Token, b: Token) -> int:
        """Return the distance from base to base of any two tokens on the board."""
        return self.positions.gap(self.base(a), self.base(b))

    def gap_at(self, token: Token, at: Cell, other: str) -> int:
        """Return the distance from base to base if a token stood at a place."""
        return self.positions.gap(self.base_at(token, at), self.bases[other])

    def is_within(self, token: Token, at: Cell, distance: int) -> bool:
        """Return whether a place is on the board and at most a distance from where a token stands."""
        if not self.is_on_board(token, at):
            return False
        return math.dist(self.base(token).at, self.center_at(token, at)) <= distance

    def enemies(self, fighter: Fighter) -> Sequence[Fighter]:
        """Return the models that fight against a model's side."""
        found = self._enemies.get(fighter.side)
        if found is None:
            are_allies, token = self.scene.are_allies, fighter.token
            found = [one for one in self.fighters.values() if not are_allies(one.token, token)]
            self._enemies[fighter.side] = found
        return found

    def are_enemies(self, fighter: Fighter, other: Fighter) -> bool:
        """Return whether two models in the fight are enemies."""
        return other.id in self.fighters and not self.scene.are_allies(fighter.token, other.token)

    def friends(self, fighter: Fighter) -> list[Fighter]:
        """Return the other models of the model's own side that fight."""
        return [one for one in self.fighters.values() if one.side == fighter.side and one.id != fighter.id]

    def enemies_within(self, fighter: Fighter, distance: int) -> list[Fighter]:
        """Return the enemies within a distance, nearest first."""
        if fighter.id not in self.bases:
            return []
        gaps = self.positions.gaps(fighter.id)
        found = [one for one in self.enemies(fighter) if gaps[one.id] <= distance]
        return sorted(found, key=lambda one: (gaps[one.id], one.id))

    def is_engaged(self, fighter: Fighter) -> bool:
        """Return whether a model is engaged: an enemy is within 1 inch (MNC-009)."""
        return any(self.is_engaged_with(fighter, one) for one in self.enemies(fighter))

    def is_engaged_with(self, fighter: Fighter, enemy: Fighter) -> bool:
        """Return whether two enemies are engaged with each other."""
        if fighter.id not in self.bases:
            return False
        return self.gap(fighter.id, enemy.id) <= self.engagement_distance(fighter, enemy)

    def engagement_distance(self, fighter: Fighter, enemy: Fighter) -> int:
        """Return the distance up to which two enemies are engaged with each other."""
        by_rule = setting(self.scene, house_rules.ENGAGEMENT) == "1 inch"
        return ENGAGED if by_rule else max(fighter.reach, enemy.reach)

    def engaged_pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of enemies that are engaged with each other, in the order of the tokens."""
        fighters, places = self.fighters, {key: place for place, key in enumerate(self.fighters)}
        widest = max([ENGAGED, *(one.reach for one in fighters.values())])
        near_by = [sorted(pair, key=places.__getitem__) for pair in self.positions.pairs_within(widest)]
        return [
            (one, other)
            for one, other in sorted(near_by, key=lambda pair: (places[pair[0]], places[pair[1]]))
            if self.are_enemies(fighters[one], fighters[other])
            and self.positions.gap(self.bases[one], self.bases[other])
            <= self.engagement_distance(fighters[one], fighters[other])
        ]

    def engages_at(self, fighter: Fighter, at: Cell) -> bool:
        """Return whether a model would be within 1 inch of an enemy at a place."""
        base, gap = self.base_at(fighter.token, at), self.positions.gap
        return any(gap(base, self.bases[one.id]) <= ENGAGED for one in self.enemies(fighter))

    def attackers(self, fighter: Fighter) -> list[Fighter]:
        """Return the enemies that a model must defend against: it is in their melee range (MNC-062)."""
        found = self._attackers.get(fighter.id)
        if found is None:
            found = self._attackers[fighter.id] = [
                one
                for one in self.enemies_within(fighter, LONGEST_REACH)
                if self.gap(fighter.id, one.id) <= one.reach and self.has_clear_line(fighter.id, one.id)
            ]
        return found

    # Lines

    def has_clear_line(self, a: str, b: str) -> bool:
        """Return whether no base and no wall is on the line from center to center (MNC-064)."""
        return self.positions.has_clear_line(a, b)

    def blocker(self, start: Point, end: Point) -> Wall | Terrain | None:
        """Return the first wall or terrain listed that blocks the line of sight between two points."""
        return self.positions.map.blocker(start, end)

    def base_between(self, archer: str, target: str, center: Point) -> str | None:
        """Return the base on an archer's line to a model at a center, if bases block (MNC-076, C-37)."""
        if not is_on(self.scene, house_rules.BASES_BLOCK_ARROWS):
            return None
        return self.positions.base_on_line((*self.bodies[archer].at, *center), (archer, target))

    # Ground

    def height(self, fighter: Fighter) -> int:
        """Return the height of a model: ground and elevation; a horse counts 1 (MNC-020)."""
        under = [patch.height for patch in self._under(fighter)]
        return fighter.token.elevation + max(under, default=0) + int(fighter.is_mounted)

    def is_higher_than_all(self, fighter: Fighter) -> bool:
        """Return whether a model stands higher than every enemy within melee range (MNC-020)."""
        near_by = self.enemies_within(fighter, LONGEST_REACH)
        close = [one for one in near_by if self.gap(fighter.id, one.id) <= max(fighter.reach, one.reach)]
        return bool(close) and all(self.height(fighter) > self.height(one) for one in close)

    def has_cover(self, fighter: Fighter) -> bool:
        """Return whether a model's base touches covering terrain (MNC-021)."""
        return fighter.token.at is not None and self.is_covered_at(fighter.token, fighter.token.at)

    def is_covered_at(self, token: Token, at: Cell) -> bool:
        """Return whether a token's base would touch covering terrain at a place (MNC-021)."""
        return self.positions.map.terrain.covers(self.base_at(token, at))

    def is_on_difficult_ground(self, fighter: Fighter) -> bool:
        """Return whether a model stands on terrain that costs more to enter."""
        return any(patch.cost > 1 for patch in self._under(fighter))

    def _under(self, fighter: Fighter) -> Collection[Terrain]:
        return self.positions.map.terrain.under(self.bases[fighter.id])

    # Movement

    def field(self, fighter: Fighter, budget: int) -> GridlessField:
        """Return the reach of a model within a budget in 64ths of an inch; cached.

        Enemies stop its move; it may pass its friends.
        """
        obstacles = tuple([one.id for one in self.enemies(fighter)])
        return self.positions.field(fighter.id, max(0, budget), obstacles)

    def obstacles(self, fighter: Fighter) -> list[RoundBase]:
        """Return the bases that stop a move: those of enemies."""
        return self.positions.grown(one.id for one in self.enemies(fighter))

    def path_length(self, fighter: Fighter, path: Collection[Cell], budget: int) -> float | None:
        """Return the length of a path of straight legs, or None if a leg is not clear."""
        centers = [self.bases[fighter.id].at, *(self.center_at(fighter.token, at) for at in path)]
        around = near(self.board, self.bases[fighter.id], budget, self.walls, self.obstacles(fighter))
        length = 0.0
        for start, end in pairwise(centers):
            if not is_clear(around, *start, *end):
                return None
            length += math.dist(start, end)
        return length

    def overlaps(self, token: Token, at: Cell) -> list[str]:
        """Return the tokens whose bases a token's base would overlap at a place; contact is no overlap."""
        center, radius = self.center_at(token, at), self.scale.radius(token.size)
        return [key for key in self.positions.overlapping(center, radius, self.bodies) if key != token.id]


@per_scene
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene; cached."""
    return Battlefield(scene)
