"""The battlefield: sides of a character, who may share a case, and who is surrounded (DBL-018, DBL-052).

A character faces one of eight directions. Its front are the cases ahead, its sides and its back the others;
the cases at the corners belong to both neighboring sides (C-15). Diagonals are adjacent (C-25). A gnome
strikes on its own case only; others the adjacent cases and, if a gnome shares theirs, their own (C-24).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import ONE_CELL, SHARED_CELL, Footprint, block
from enfilade.rules.battle.battle import Battle, BattleRules
from enfilade.rules.battle.ground import Body
from enfilade.rules.battle.memo import per_owner, per_scene
from enfilade.rules.house_rules import setting
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.profiles import Character, Size, read_character
from enfilade.scene.model import Scene, Token

SideName = Literal["front", "left", "right", "back"]

DIRECTIONS: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight directions clockwise from up the board, as columns and rows."""

SIDES: dict[SideName, int] = {"front": 0, "right": 2, "back": 4, "left": 6}
"""How many eighths of a turn clockwise each side is from the facing."""

FOOTPRINTS: dict[Size, Footprint] = {"gnome": SHARED_CELL, "common": ONE_CELL, "troll": block(2, 2)}
"""The cases that a character fills, by its size (DBL-052 to DBL-055)."""

MOST_GNOMES = 2
"""The gnomes that may share a case (C-24)."""


def may_share_case(one: Body, other: Body) -> bool:
    """Return whether both are gnomes, or one is and the other an opponent (DBL-053, C-24)."""
    gnomes = one.footprint.shares + other.footprint.shares
    return gnomes == 2 or (gnomes == 1 and one.allegiance != other.allegiance)


def has_room(one: Body, there: Sequence[Body]) -> bool:
    """Return whether a character can join others on a case: all may share it, and the gnomes are few."""
    gnomes = sum(each.footprint.shares for each in (*there, one))
    return gnomes <= MOST_GNOMES and all(may_share_case(one, other) for other in there)


RULES: BattleRules[Character] = BattleRules(
    read=read_character,
    footprint=lambda one: FOOTPRINTS[one.size],
    room=has_room,
    engages=lambda one: not one.is_fallen,
)


def direction_of(token: Token) -> int:
    """Return the direction that a token faces, in eighths of a turn clockwise."""
    return round((token.facing or 0) / 45) % 8


def is_on_side(offset: Cell, direction: int) -> bool:
    """Return whether an offset is within 45 degrees of a direction, the corners included (C-15)."""
    ahead = DIRECTIONS[direction % 8]
    along = offset[0] * ahead[0] + offset[1] * ahead[1]
    lengths = (offset[0] ** 2 + offset[1] ** 2) * (ahead[0] ** 2 + ahead[1] ** 2)
    return along > 0 and 2 * along**2 >= lengths


class Battlefield(Battle[Character]):
    """The battle with the sides of each character."""

    def are_engaged(self, one: Character, other: Character, at: Cell | None = None) -> bool:
        """Return whether one of two characters can strike the other, the first from another place if given.

        By a house rule a gnome is in contact with those on its case alone, whom it can strike (C-28).
        """
        has_gnome = one.is_gnome or other.is_gnome
        if has_gnome and setting(self.scene, house_rules.GNOME_CONTACT) == "on its case":
            if one.is_gnome:
                return self.can_strike(one, other, at)
            return not self.reach(other).isdisjoint(self.cells(one, at))
        return super().are_engaged(one, other, at)

    def engaged_pairs(self) -> list[tuple[Character, Character]]:
        """Return the pairs of engaged enemies, in order of entry."""
        found = super().engaged_pairs()
        if setting(self.scene, house_rules.GNOME_CONTACT) == "beside it":
            return found
        return [pair for pair in found if self.are_engaged(*pair)]

    def is_held(self, one: Character) -> bool:
        """Return whether a character may neither step nor turn: it is surrounded (DBL-018, C-27)."""
        return setting(self.scene, house_rules.SURROUNDED_STEPS) == "none" and self.is_surrounded(one)

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

    @per_owner
    def is_surrounded(self, one: Character) -> bool:
        """Return whether a character is surrounded (DBL-018, C-16).

        It is if enemies stand in a front and in a back case, or in opposite cases, or if no adjacent case is
        free; by a house rule only the last counts. Fallen enemies surround no one.
        """
        if one.token.at is None:
            return False
        around = self.around(one)
        upright = [enemy for enemy in self.enemies(one) if not enemy.is_fallen]
        if upright and not any(self._is_free(one, cell) for cell in around):
            return True
        if setting(self.scene, house_rules.SURROUNDED) == "no free case":
            return False
        taken = around.intersection(cell for enemy in upright for cell in self.cells(enemy))
        in_front = {cell for cell in taken if self.is_cell_on(one, "front", cell)}
        behind = {cell for cell in taken if self.is_cell_on(one, "back", cell)}
        return bool(in_front and behind) or any(self._opposite(one, cell) in taken for cell in taken)

    def _opposite(self, one: Character, cell: Cell) -> Cell:
        assert one.token.at is not None
        (x, y), last = one.token.at, 1 if one.is_troll else 0
        return 2 * x + last - cell[0], 2 * y + last - cell[1]

    def _is_free(self, one: Character, cell: Cell) -> bool:
        """Return whether an adjacent case is open ground that no other character is on."""
        near = [own for own in self.cells(one) if max(abs(own[0] - cell[0]), abs(own[1] - cell[1])) == 1]
        is_near = any(self.ground.is_open(own, cell) for own in near)
        return is_near and not self.at(cell) and self.ground.cost(cell) > 0


@per_scene
def battlefield(scene: Scene) -> Battlefield:
    """Return the battlefield of a scene."""
    return Battlefield(RULES, scene)


def may_share(scene: Scene, a: Token, b: Token) -> bool:
    """Return whether two tokens may be on one case (DBL-053, C-24)."""
    battle = battlefield(scene)
    return may_share_case(battle.body(read_character(a)), battle.body(read_character(b)))
