"""Places in a scene: units, allies and enemies, distances, who can strike and who is engaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import ONE_CELL, Footprint
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import Diagonals
from enfilade.rules.battle.displace import Landing, grid_nearest_free, grid_way
from enfilade.rules.battle.ground import Body, Footing, Ground, Room, Stand, Walker, footing_of, ground_of
from enfilade.rules.battle.memo import (
    MAPS,
    Memo,
    Shelf,
    Table,
    identity_cache,
    map_weight,
    per_owner,
    per_profile,
    per_scene,
)
from enfilade.rules.kit.board import Board, board_of
from enfilade.rules.profiles import read_profile
from enfilade.rules.ruleset import Area
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain, Token


class Unit(Struct, frozen=True, eq=False, dict=True):
    """A token with its parsed profile; a ruleset adds what it reads from both. Units compare by identity.

    A scene has hundreds, and a struct is made in a tenth of the time of a frozen dataclass.
    """

    token: Token
    profile: Any

    @lazy
    def id(self) -> str:
        """The token's ID."""
        return self.token.id

    @lazy
    def name(self) -> str:
        """The token's name."""
        return self.token.name


Hindrance = Literal["", "distance", "wall", "height"]
"""What keeps a unit from striking another: nothing, the distance, a wall between them, or a height."""

U = TypeVar("U", bound=Unit)
P = TypeVar("P", bound=Struct)


@dataclass(frozen=True, kw_only=True)
class BattleRules(Generic[U]):
    """The rules of a game about its units on the board.

    Attributes:
        read: the unit of a token; kept by token.
        footprint: the cells that a unit fills.
        room: whether a body may be on a cell with others.
        engages: whether a unit engages others.
        diagonals: how the board counts diagonal steps.
    """

    read: Callable[[Token], U]
    footprint: Callable[[U], Footprint] = lambda _: ONE_CELL
    room: Room = lambda _, there: not there
    engages: Callable[[U], bool] = lambda _: True
    diagonals: Callable[[Scene], Diagonals] = lambda _: Diagonals.EQUIDISTANT


_stands = Shelf(512)


class Battle(Generic[U]):
    """A scene with the answers that rules need; each is computed once. Distances are in cells."""

    def __init__(self, rules: BattleRules[U], scene: Scene) -> None:
        self.rules, self.scene = rules, scene
        self.memo: Memo = {}

    @lazy
    def _footings(self) -> Table[U, Footing]:
        return Table(self._footing_of, lambda _: True)

    @lazy
    def board(self) -> Board:
        """Return the board."""
        return board_of(self.scene, self.rules.diagonals(self.scene))

    @lazy
    def units(self) -> list[U]:
        """Return the units that take part, which those out of the battle do not, in order of entry."""
        read = self.rules.read
        return [read(token) for token in self.scene.tokens if "out" not in token.conditions]

    @lazy
    def ground(self) -> Ground:
        """Return the map without units."""
        return ground_of(self.scene.terrain, self.scene.walls, self.board)

    # Who stands where

    @lazy
    def stand(self) -> Stand:
        """Return the bodies on the board; scenes that differ in nothing else share it."""
        ground, room = self.ground, self.rules.room
        placed = tuple([(self.body(one), one.token.at) for one in self.units if one.token.at is not None])
        found: Stand | None = _stands.recent.get((ground, placed))
        if found is None:
            found = _stands.add((ground, placed), lambda: Stand(ground, placed, room), 1 + len(placed) // 8)
        return found

    @per_owner
    def body(self, one: U) -> Body:
        """Return the values of a unit that the steps of others depend on."""
        team = self._teams.get(one.token.side, "")
        return Body(one.id, self.rules.footprint(one), (team, "" if team else one.token.side))

    @lazy
    def _teams(self) -> dict[str, str]:
        return {side.id: side.team for side in self.scene.sides}

    @lazy
    def _at(self) -> dict[Cell, list[U]]:
        found: dict[Cell, list[U]] = {}
        for one in self.units:
            checkpoint()
            for cell in self.cells(one):
                found.setdefault(cell, []).append(one)
        return found

    @lazy
    def occupied(self) -> frozenset[Cell]:
        """The cells with a unit, on the board or off."""
        return frozenset(self._at)

    def at(self, cell: Cell) -> list[U]:
        """Return the units on a cell."""
        return self._at.get(cell, [])

    def _footing_of(self, one: U) -> Footing:
        return footing_of(self.ground, self.rules.footprint(one))

    def cells(self, one: U, at: Cell | None = None) -> list[Cell]:
        """Return the cells that a unit fills, at its place or another; none off the board."""
        place = at or one.token.at
        return [] if place is None else self._footings[one].cells(place)

    def is_on_board(self, one: U) -> bool:
        """Return whether all of a unit is on the board."""
        cells = self.cells(one)
        return bool(cells) and all(cell in self.board for cell in cells)

    def around(self, one: U) -> frozenset[Cell]:
        """Return the cells of the board around a unit."""
        place = one.token.at
        return frozenset() if place is None else self._footings[one].around[place]

    def walker(self, one: U) -> Walker:
        """Return a unit among the others: its steps and its paths."""
        return self.stand.walker(self.body(one))

    # Sides

    def are_allies(self, a: U, b: U) -> bool:
        """Return whether two units are on one team."""
        return self.scene.are_allies(a.token, b.token)

    @per_owner
    def enemies(self, one: U) -> list[U]:
        """Return the enemies of a unit on the board that take part, in order of entry."""
        there = [other for other in self.units if other.token.at and other.token.at in self.board]
        return [other for other in there if not self.are_allies(one, other)]

    def is_enemy(self, one: U, other: U) -> bool:
        """Return whether another unit is an enemy on the board that takes part."""
        token = other.token
        return token.at is not None and "out" not in token.conditions and not self.are_allies(one, other)

    def distance(self, a: U, b: U) -> int:
        """Return the distance between the nearest cells of two units on the board; 0 on one cell."""
        return min(self.board.distance(one, other) for one in self.cells(a) for other in self.cells(b))

    # Contact

    def reach(self, one: U, at: Cell | None = None) -> frozenset[Cell]:
        """Return the cells that a unit can strike, from its place or another."""
        place = at or one.token.at
        if place is None:
            return frozenset()
        checkpoint()  # asked in loops over all enemies
        return self._footings[one].reach[place]

    def can_strike(self, one: U, other: U, at: Cell | None = None) -> bool:
        """Return whether a unit can strike another, from its place or another."""
        return not self.reach(one, at).isdisjoint(self.cells(other))

    def why_not(self, one: U, other: U, at: Cell | None = None) -> Hindrance:
        """Return what keeps a unit from striking another, from its place or another; empty if it can."""
        if self.can_strike(one, other, at):
            return ""
        place, footing = at or one.token.at, self._footings[one]
        if place is None or footing.footprint.shares:  # one that shares a cell strikes there only
            return "distance"
        return "distance" if footing.around[place].isdisjoint(self.cells(other)) else "wall"

    def are_engaged(self, one: U, other: U, at: Cell | None = None) -> bool:
        """Return whether one of two units can strike the other, the first from another place if given."""
        return self.can_strike(one, other, at) or not self.reach(other).isdisjoint(self.cells(one, at))

    def engaged(self, one: U, at: Cell | None = None) -> list[U]:
        """Return the enemies that a unit is engaged with, at its place or another."""
        if (at or one.token.at) is None:
            return []
        engages = self.rules.engages
        return [enemy for enemy in self.enemies(one) if engages(enemy) and self.are_engaged(one, enemy, at)]

    def engaged_pairs(self) -> list[tuple[U, U]]:
        """Return the pairs of engaged enemies, in order of entry."""
        places = {one: place for place, one in enumerate(self.units)}
        found, engages = set[tuple[int, int]](), self.rules.engages
        for one in self.units:
            checkpoint()
            for cell in self.reach(one) if engages(one) else ():
                for other in self.at(cell):
                    if engages(other) and not self.are_allies(one, other):
                        found.add((min(places[one], places[other]), max(places[one], places[other])))
        return [(self.units[first], self.units[second]) for first, second in sorted(found)]

    # Forced moves: what `displace` asks

    def way(self, token: Token, to: Cell) -> Landing:
        """Return the farthest cell on the straight way of a token from its `at`."""
        assert token.at is not None
        return grid_way(self._footing_under(token), token.at, to)

    def crowd(self, token: Token, at: Cell) -> Sequence[str]:
        """Return the units that leave a token no room at a cell."""
        there = [other.id for cell in self._footing_under(token).cells(at) for other in self.at(cell)]
        others = tuple(dict.fromkeys([other for other in there if other != token.id]))
        return others if others and not self.walker(self.rules.read(token)).can_stand(at) else ()

    def nearest_free(self, token: Token, source: Token, most: int) -> Cell | None:
        """Return the nearest cell with room on a clear straight way, first those away from another token."""
        assert token.at is not None
        can_stand = self.walker(self.rules.read(token)).can_stand
        return grid_nearest_free(self._footing_under(token), token.at, source.at or token.at, most, can_stand)

    def _footing_under(self, token: Token) -> Footing:
        return self._footings[self.rules.read(token)]

    # Drawing

    def area(self, layer: str, label: str, cells: Iterable[Cell]) -> Area:
        """Return cells as a part of an overlay layer; those off the board are left out."""
        shown = [cell for cell in cells if cell in self.board]
        return Area(layer, label, tuple(Mask.of(shown, self.board.rows).runs()))


@identity_cache(MAPS, map_weight)
def _known_terrain(terrain: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
    """Return the terrain that is not hidden; remembered, so that all scenes on a map share its ground."""
    shown = tuple([patch for patch in terrain if not patch.hidden])
    return terrain if len(shown) == len(terrain) else shown


@per_scene
def known_scene(scene: Scene, token_id: str) -> Scene:
    """Return the scene as a unit knows it: without other hidden tokens, and without hidden ground.

    The answers on offer are then the same for every world that looks the same to its player.
    """
    tokens = tuple([token for token in scene.tokens if token.id == token_id or not token.hidden])
    terrain = _known_terrain(scene.terrain)
    if len(tokens) == len(scene.tokens) and terrain is scene.terrain:
        return scene
    return replace(scene, tokens=tokens, terrain=terrain)


@per_profile
def profile_of(profile: dict[str, Any], shape: type[P], check: Callable[[P], None] | None = None) -> P:
    """Return a token's profile as a value of a shape, checked; remembered, because many tokens share one.

    `check` raises BadMessage for fields that contradict each other.
    """
    parsed = read_profile(profile, shape)
    if check:
        check(parsed)
    return parsed
