"""Overlay areas: sides, reach, steps, covered sides, reactions, threat, and engagements (DBL-051)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.double_life.battlefield import SIDES, SideName, battlefield
from enfilade.rulesets.double_life.movement import flights, free_moves
from enfilade.rulesets.double_life.plans import COVERED
from enfilade.rulesets.double_life.profiles import Character, read_character, second_life_reach
from enfilade.rulesets.double_life.sight import can_reach_with_second_life
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a character off the board."""
    character = read_character(token)
    if layer not in _LAYERS or token.has("out") or not battlefield(scene).is_on_board(character):
        return ()
    return _LAYERS[layer](scene, character)


def _sides(scene: Scene, character: Character) -> list[Area]:
    """Return the four sides of a character (C-15)."""
    battle = battlefield(scene)
    return [
        battle.area("arc", localize(f"double_life.side_{side}"), battle.side_cells(character, side))
        for side in SIDES
    ]


def _ranges(scene: Scene, character: Character) -> list[Area]:
    """Return the cases that a character can attack, and those that it can step or flee to."""
    battle = battlefield(scene)
    found = [battle.area("ranges", localize("double_life.area_attack"), battle.reach(character))]
    if character.is_doubler:
        label = localize("double_life.area_second_life", reach=second_life_reach(scene, character))
        reached = [
            cell
            for enemy in battle.enemies(character)
            if can_reach_with_second_life(scene, character, enemy)
            for cell in battle.cells(enemy)
        ]
        found.append(battle.area("ranges", label, reached))
    if not character.is_fallen:
        for key, cells in (
            ("area_steps", free_moves(scene, character)),
            ("area_flight_cells", flights(scene, character)),
        ):
            filled = {filled for cell in cells for filled in battle.cells(character, cell)}
            found.append(battle.area("ranges", localize(f"double_life.{key}"), filled))
    return found


def _defense(scene: Scene, character: Character) -> list[Area]:
    """Return the side that a character covers in this round (DBL-047)."""
    battle = battlefield(scene)
    stance = character.token.conditions.get("stance", "")
    lent = {localize("double_life.stance_guard", name=one.name) for one in battle.units}
    covered = {localize(f"double_life.stance_defend_{side}"): side for side in COVERED}
    side: SideName | None = "front" if stance in lent else covered.get(stance)
    if side is None:
        return []
    label = localize(f"double_life.area_covered_{side}")
    return [battle.area("defense", label, battle.side_cells(character, side))]


def _reactions(scene: Scene, character: Character) -> list[Area]:
    """Return the enemies that strike at a character that flees: defenders and attackers (DBL-019)."""
    battle = battlefield(scene)
    found = []
    for enemy in battle.enemies(character):
        if not enemy.is_fallen and battle.can_strike(enemy, character):
            label = localize("double_life.area_flight", name=enemy.name)
            found.append(battle.area("reactions", label, battle.cells(enemy)))
    return found


def _threat(scene: Scene, character: Character) -> list[Area]:
    """Return the cases that enemies can attack now."""
    battle, cells = battlefield(scene), set[Cell]()
    for enemy in battle.enemies(character):
        checkpoint()
        if not enemy.is_fallen:
            cells |= battle.reach(enemy)
    return [battle.area("threat", localize("double_life.area_threat"), cells)]


_LAYERS: dict[str, Callable[[Scene, Character], Sequence[Area]]] = {
    "arc": _sides,
    "ranges": _ranges,
    "defense": _defense,
    "reactions": _reactions,
    "threat": _threat,
}


def engagements(scene: Scene) -> list[Engagement]:
    """Return the pairs of standing enemies of whom one can attack the other."""
    return [
        Engagement((a.id, b.id), localize("double_life.area_engaged", a=a.name, b=b.name))
        for a, b in battlefield(scene).engaged_pairs()
    ]
