"""The battlefield: the cases that characters fill, who can attack whom, sides, and who is surrounded.

A character faces one of eight directions. Its front are the cases ahead, its sides and its back the others;
the cases at the corners belong to both neighboring sides (C-15). Diagonals are adjacent (C-25).
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from enfilade.geometry.board.square import Diagonals, SquareBoard
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.lazy import lazy
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.house_rules import setting
from enfilade.rules.walls import barred_table
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.landscape import CostedCase, Landscape, known_terrain, landscape_of
from enfilade.rulesets.double_life.positions import Mover, Positions, Walker, positions_of
from enfilade.rulesets.double_life.profiles import Character, read_character
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint

SideName = Literal["front", "left", "right", "back"]

DIRECTIONS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions clockwise from up the board, as columns and rows."""

SIDES: dict[SideName, int] = {"front": 0, "right": 2, "back": 4, "left": 6}
"""How many eighths of a turn clockwise each side is from the facing."""


def direction_of(token: Token) -> int:
    """Return the direction that a token faces, in eighths of a turn clockwise."""
    return round((token.facing or 0) / 45) % 8


def is_on_side(offset: Cell, direction: int) -> bool:
    """Return whether an offset is within 45 degrees of a direction, the corners included (C-15)."""
    ahead = DIRECTIONS[direction % 8]
    along = offset[0] * ahead[0] + offset[1] * ahead[1]
    lengths = (offset[0] ** 2 + offset[1] ** 2) * (ahead[0] ** 2 + ahead[1] ** 2)
    return along > 0 and 2 * along**2 >= lengths


class Battlefield:
    """A scene with the answers that the rules need; each is computed once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.board = SquareBoard(scene.grid.columns, scene.grid.rows, Diagonals.EQUIDISTANT)
        self._enemies: dict[str, list[Character]] = {}
        self._surrounded: dict[str, bool] = {}

    @lazy
    def characters(self) -> list[Character]:
        """Return the living characters, in the order of their IDs."""
        return [read_character(token) for token in self.scene.tokens if not token.has("out")]

    @lazy
    def _at(self) -> dict[Cell, list[Character]]:
        found: dict[Cell, list[Character]] = {}
        for one in self.characters:
            checkpoint()
            for cell in self.cells(one):
                found.setdefault(cell, []).append(one)
        return found

    @lazy
    def landscape(self) -> Landscape:
        """Return the cases of the map without characters."""
        return landscape_of(self.scene.terrain, barred_table(self.scene.walls, self.board), self.board)

    @lazy
    def _positions(self) -> Positions:
        placed = [(self.mover(one), one.token.at) for one in self.characters if one.token.at is not None]
        return positions_of(self.landscape, tuple(placed))

    @lazy
    def _teams(self) -> dict[str, str]:
        return {side.id: side.team for side in self.scene.sides}

    def mover(self, one: Character) -> Mover:
        """Return a character as far as steps depend on it."""
        checkpoint()
        side = one.token.side
        team = self._teams.get(side, "")
        return Mover(one.id, one.size, (team, "" if team else side))

    def cells(self, character: Character, at: Cell | None = None) -> list[Cell]:
        """Return the cases that a character fills, where it stands or at another case; none off the board."""
        place = at or character.token.at
        return [] if place is None else self.landscape.cells(character.size, place)

    def around(self, character: Character) -> frozenset[Cell]:
        """Return the cases around a character: 8, or 12 around a troll."""
        place = character.token.at
        return frozenset() if place is None else self.landscape.around(character.size, place)

    def at(self, cell: Cell) -> list[Character]:
        """Return the characters on a case."""
        return self._at.get(cell, [])

    def are_allies(self, a: Character, b: Character) -> bool:
        """Return whether two characters are on one team."""
        return self.scene.are_allies(a.token, b.token)

    def is_enemy(self, one: Character, other: Character) -> bool:
        """Return whether another character is a living enemy on the board."""
        token = other.token
        return token.at is not None and not token.has("out") and not self.are_allies(one, other)

    def enemies(self, one: Character) -> list[Character]:
        """Return a character's living enemies on the board."""
        found = self._enemies.get(one.id)
        if found is None:
            found = self._enemies[one.id] = [other for other in self.characters if self.is_enemy(one, other)]
        return found

    def is_open(self, start: Cell, end: Cell) -> bool:
        """Return whether no wall is between two cases that are the same or adjacent."""
        return self.landscape.is_open(start, end)

    # Attacks

    def attackable(self, character: Character, at: Cell | None = None) -> frozenset[Cell]:
        """Return the cases that a character can attack from its place or another (DBL-052 to DBL-055)."""
        checkpoint()  # asked in loops over all enemies
        place = at or character.token.at
        return frozenset() if place is None else self.landscape.attackable(character.size, place)

    def can_attack(self, attacker: Character, target: Character, at: Cell | None = None) -> bool:
        """Return whether a character reaches another with a contact weapon, from its place or another."""
        return not self.attackable(attacker, at).isdisjoint(self.cells(target))

    def are_engaged(self, one: Character, other: Character, at: Cell | None = None) -> bool:
        """Return whether one of two characters can attack the other, the first from another case if given."""
        mine = set(self.cells(one, at))
        return self.can_attack(one, other, at) or not self.attackable(other).isdisjoint(mine)

    def engaged_pairs(self) -> list[tuple[Character, Character]]:
        """Return the pairs of standing enemies of whom one can attack the other, in order of entry."""
        places = {one.id: place for place, one in enumerate(self.characters)}
        found = set[tuple[int, int]]()
        for one in self.characters:
            checkpoint()
            for cell in () if one.is_fallen else self.attackable(one):
                for other in self.at(cell):
                    if not other.is_fallen and not self.are_allies(one, other):
                        first, second = sorted((places[one.id], places[other.id]))
                        found.add((first, second))
        return [(self.characters[first], self.characters[second]) for first, second in sorted(found)]

    def engaged_enemies(self, one: Character, at: Cell | None = None) -> list[Character]:
        """Return the standing enemies that a character is engaged with, at its place or another."""
        if (at or one.token.at) is None:
            return []
        return [
            enemy for enemy in self.enemies(one) if not enemy.is_fallen and self.are_engaged(one, enemy, at)
        ]

    # Sides

    def sides_of(self, target: Character, attacker: Character) -> frozenset[SideName]:
        """Return the sides of a target that an attacker stands on (C-15).

        An attacker on the target's own case counts as in front, or by a house rule on no side.
        """
        shared = not set(self.cells(target)).isdisjoint(self.cells(attacker))
        if shared:
            is_front = setting(self.scene, house_rules.SHARED_CASE) == "front"
            return frozenset({"front"} if is_front else ())
        around = self.around(target)
        near = [cell for cell in self.cells(attacker) if cell in around]
        return frozenset(side for side in SIDES if any(self.is_cell_on(target, side, cell) for cell in near))

    def is_cell_on(self, character: Character, side: SideName, cell: Cell) -> bool:
        """Return whether a case is on a side of a character."""
        return is_on_side(self._offset(character, cell), direction_of(character.token) + SIDES[side])

    def side_cells(self, character: Character, side: SideName) -> list[Cell]:
        """Return the adjacent cases on a side of a character."""
        return [cell for cell in self.around(character) if self.is_cell_on(character, side, cell)]

    def _offset(self, character: Character, cell: Cell) -> Cell:
        """Return the way from a character's center to that of a case, in half cases."""
        assert character.token.at is not None
        (x, y), width = character.token.at, 2 if character.is_troll else 1
        return 2 * cell[0] + 1 - (2 * x + width), 2 * cell[1] + 1 - (2 * y + width)

    def is_surrounded(self, one: Character) -> bool:
        """Return whether a character is surrounded (DBL-018, C-16).

        It is if enemies stand in a front and in a back case, or in opposite cases, or if no adjacent case is
        free; by a house rule only the last counts. Fallen enemies surround no one.
        """
        if one.token.at is None:
            return False
        around = self.around(one)
        enemies = {id_: set(self.cells(enemy)) & around for id_, enemy in self._standing_enemies(one)}
        if enemies and not any(self._is_free(one, cell) for cell in around):
            return True
        if setting(self.scene, house_rules.SURROUNDED) == "no free case":
            return False
        taken = set().union(*enemies.values())
        in_front = {cell for cell in taken if self.is_cell_on(one, "front", cell)}
        behind = {cell for cell in taken if self.is_cell_on(one, "back", cell)}
        return bool(in_front and behind) or any(self._opposite(one, cell) in taken for cell in taken)

    def _standing_enemies(self, one: Character) -> list[tuple[str, Character]]:
        return [(enemy.id, enemy) for enemy in self.enemies(one) if not enemy.is_fallen]

    def _opposite(self, one: Character, cell: Cell) -> Cell:
        assert one.token.at is not None
        (x, y), last = one.token.at, 1 if one.is_troll else 0
        return 2 * x + last - cell[0], 2 * y + last - cell[1]

    def _is_free(self, one: Character, cell: Cell) -> bool:
        """Return whether an adjacent case is open ground that no other character is on."""
        near = [own for own in self.cells(one) if max(abs(own[0] - cell[0]), abs(own[1] - cell[1])) == 1]
        is_near = any(self.is_open(own, cell) for own in near)
        return is_near and not self.at(cell) and self.cost(cell) > 0

    # Places

    def cost(self, cell: Cell) -> int:
        """Return the cost of entering a case; 0 if it is closed."""
        return self.landscape.cost(cell)

    def walker(self, one: Character) -> Walker:
        """Return a character among the others: its steps and its paths."""
        return self._positions.walker(self.mover(one))

    def can_stand(self, one: Character, at: Cell) -> bool:
        """Return whether a character fits on a case: open ground, no wall through it, no one in the way."""
        return self.walker(one).can_stand(at)

    def can_step(self, one: Character, start: Cell, end: Cell) -> bool:
        """Return whether a character can step from a case to an adjacent one: no wall bars any part of it."""
        return any(there == end for there, _ in self.steps_from(one, start))

    def steps_from(self, one: Character, cell: Cell) -> list[CostedCase]:
        """Return the cases one step away, each with the cost of the costliest case entered."""
        return self.walker(one).steps_from(cell)


def may_share(scene: Scene, a: Token, b: Token) -> bool:
    """Return whether two tokens may be on one case (DBL-053, C-24)."""
    one, other = (battlefield(scene).mover(read_character(token)) for token in (a, b))
    return one.may_share_with(other)


@identity_cache(MANY)
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene; cached."""
    return Battlefield(scene)


@identity_cache(MANY)
def known_scene(scene: Scene, token_id: str) -> Scene:
    """Return the scene as a character knows it: without other hidden tokens, and without hidden ground.

    The answers on offer are then the same for every world that looks the same to its player.
    """
    tokens = tuple([token for token in scene.tokens if token.id == token_id or not token.hidden])
    terrain = known_terrain(scene.terrain)
    if len(tokens) == len(scene.tokens) and terrain is scene.terrain:
        return scene
    return replace(scene, tokens=tokens, terrain=terrain)


def contradictions(scene: Scene) -> dict[str, str]:
    """Return the states that no character can be in, and characters in each other's way (DBL-053)."""
    wrong: dict[str, str] = {}
    battle = battlefield(scene)
    for i, token in enumerate(scene.tokens):
        character = read_character(token)
        if token.has("out"):
            if token.at is not None or character.health > 0:
                wrong[f"tokens[{i}].conditions.out"] = localize("double_life.wrong_out")
        elif character.health <= 0:
            wrong[f"tokens[{i}].tracks.health"] = localize("double_life.wrong_health")
        elif token.at is not None and not battle.can_stand(character, token.at):
            wrong[f"tokens[{i}].at"] = localize("double_life.wrong_place", name=token.name)
    return wrong
