"""Hit points and their consequences: downed, out of action, standing up (CDG-067 to CDG-078)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.procedures import (
    Answer,
    Change,
    Choose,
    Steps,
    remove_token,
    set_condition,
    set_track,
    turn_token,
)
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield, facing_text
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import TABLE
from enfilade.scene.model import Scene


def add_to_track(scene: Scene, token_id: str, track: str, more: int) -> Change:
    """Return the change that adds to a miniature's track."""
    return set_track(scene, token_id, track, scene.token(token_id).track(track) + more)


def apply_damage(scene: Scene, token_id: str, damage: int) -> Steps:
    """Take hit points: at 0 a miniature is downed, below 0 it is out of action (CDG-067 to CDG-069).

    Like each procedure of this module, it returns the scene after it.
    """
    before = battlefield(scene).fighter(token_id)
    left = before.hit_points - damage
    if damage:
        scene = yield set_track(scene, token_id, "hp", left)
    if left < 0:
        scene = yield from _free_victims(scene, token_id)
        return (yield from _remove(scene, token_id))
    if left == 0 and not before.is_downed:
        yield turn_token(before.token, None)
        scene = yield set_condition(scene, token_id, "downed")
        scene = yield from _free_victims(scene, token_id)
    return scene


def _free_victims(scene: Scene, captor: str) -> Steps:
    """Free those in a falling miniature's entangling weapon, by a house rule (CDG-063)."""
    if battlefield(scene).setting(house_rules.CAPTOR_FALLS) != "freed":
        return scene
    for token in scene.tokens:
        if token.conditions.get("entangled") == captor:
            scene = yield set_condition(scene, token.id, "entangled", None)
    return scene


def state_of(scene: Scene, token_id: str) -> str:
    """Return the state of a miniature: "standing", "downed" or "out"."""
    token = scene.token(token_id)
    return "out" if token.has("out") else "downed" if token.has("downed") else "standing"


def _remove(scene: Scene, token_id: str) -> Steps:
    token = scene.token(token_id)
    scene = yield remove_token(token)
    if token.has("downed"):
        scene = yield set_condition(scene, token_id, "downed", None)
    scene = yield set_condition(scene, token_id, "out")
    return (yield from check_victory(scene))


def check_victory(scene: Scene) -> Steps:
    """End the battle if one team is left. It is a draw if no miniature is left (CDG-078)."""
    battle = battlefield(scene)
    if battle.setting(house_rules.VICTORY) == "last team standing" and not scene.has("won"):
        left = [token for token in scene.tokens if not token.has("out")]
        if all(scene.are_allies(left[0], token) for token in left):
            scene = yield set_condition(scene, TABLE, "won", left[0].side if left else "")
    return scene


def heal(scene: Scene, token_id: str) -> Steps:
    """Restore 1 hit point, up to the maximum. A downed miniature stands up."""
    one = battlefield(scene).fighter(token_id)
    if one.is_downed:
        return (yield from stand_up(scene, token_id))
    if not one.is_unhurt:
        scene = yield set_track(scene, token_id, "hp", one.hit_points + 1)
    return scene


def stand_up(scene: Scene, token_id: str) -> Steps:
    """Stand a downed miniature up with 1 hit point; its owner chooses the facing (CDG-075)."""
    battle = battlefield(scene)
    one = battle.fighter(token_id)
    question = localize("coup_de_grace.ask_facing", name=one.name)
    facing = yield facing_choice(battle, one, question, toward_an_enemy(battle, one))
    scene = yield set_track(scene, token_id, "hp", 1)
    scene = yield set_condition(scene, token_id, "downed", None)
    scene = yield turn_token(scene.token(token_id), int(facing))
    return scene


def facing_choice(battle: Battlefield, one: Fighter, question: str, default: int) -> Choose:
    """Return a fighter's choice among the facings of the board. An answer's key is the angle in degrees."""
    answers = tuple(Answer(str(facing), facing_text(facing).capitalize()) for facing in battle.facings)
    return Choose(one.token.side, question, answers, str(default), one.id)


def toward_an_enemy(battle: Battlefield, one: Fighter) -> int:
    """Return the facing toward an adjacent enemy, the best one for standing up; else the first facing."""
    at = one.token.at
    for facing in battle.facings if at else ():
        if at and any(
            not battle.are_allies(one, other) for other in battle.at(battle.cell_toward(at, facing))
        ):
            return facing
    return battle.facings[0]
