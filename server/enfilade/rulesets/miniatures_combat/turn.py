"""Turns: the alternating sides, the active group, and the dice that its models have left."""

from __future__ import annotations

from collections.abc import Mapping

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene, per_token
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Steps
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.profiles import Fighter
from enfilade.scene.events import TABLE
from enfilade.scene.model import Scene, Token

ACTIVATION_TRACKS = ("dice", "defense dice", "movement dice", "allowance")
ACTIVATION_CONDITIONS = (
    "active",
    "defended",
    "attacked",
    "moved",
    "charged",
    "must defend",
    "hit",
    "shield used",
    "armor used",
    "height used",
    "cover used",
    "in sight",
)
"""What the end of an activation clears from every model."""
TABLE_CONDITIONS = ("activated", "movement over", "rolled")
"""What the end of an activation clears from the table."""


@per_scene
def sides_in_battle(scene: Scene) -> tuple[str, ...]:
    """Return the sides that have models in the fight, in order."""
    fighting = {one.side for one in battlefield(scene).fighters.values()}
    return tuple(side.id for side in scene.sides if side.id in fighting)


def active_side(scene: Scene) -> str:
    """Return the side whose turn it is; the scenario may name the first one (MNC-006)."""
    sides = sides_in_battle(scene)
    named = scene.conditions.get("side", "")
    return named if named in sides else next(iter(sides), "")


@per_scene
def turn(scene: Scene) -> Turn:
    """Return the side whose turn it is, and whether the battle is over."""
    number, won = scene.track("round", 1), scene.conditions.get("won")
    if won is not None:
        winners = [side.id for side in scene.sides if side.id == won or (side.team and side.team == won)]
        return Turn(round=number, is_over=True, winners=tuple(winners))
    sides = [scene.side(side) for side in sides_in_battle(scene)]
    if scene.tokens and not sides:
        return Turn(round=number, is_over=True)
    if sides and len(scene.sides) > 1 and all(sides[0].is_ally(side) for side in sides):
        return Turn(round=number, is_over=True, winners=tuple(side.id for side in sides))
    return Turn(round=number, sides=(active_side(scene),) if sides else ())


def begin_first_round(scene: Scene) -> Steps:
    """Count the first round once a side has acted; return the scene."""
    if scene.track("round"):
        return scene
    scene = yield from begin_with(scene, active_side(scene))
    return (yield set_track(scene, TABLE, "round", 1))


def begin_with(scene: Scene, side: str) -> Steps:
    """Note the side that begins each round, if it is not the first of the list; return the scene (C-34)."""
    if side == next(iter(sides_in_battle(scene)), side):
        return (yield from clear(scene, TABLE, ("begins",)))
    return (yield set_condition(scene, TABLE, "begins", side))


def is_new_round(scene: Scene, side: str, following: str) -> bool:
    """Return whether a new round starts as the turn passes on: each side has had its turn (MNC-006)."""
    order = [one.id for one in scene.sides]
    begins = scene.conditions.get("begins", "")
    start = order.index(begins) if begins in order else 0
    turns = [*order[start:], *order[:start]]
    return side not in turns or turns.index(following) <= turns.index(side)


def is_group_active(scene: Scene) -> bool:
    """Return whether a group is activated."""
    return "activated" in scene.conditions


def is_engaged_group(scene: Scene) -> bool:
    """Return whether the active group counts as engaged (MNC-010)."""
    return scene.conditions.get("activated") == "engaged"


def is_movement_over(scene: Scene, fighter: Fighter) -> bool:
    """Return whether a model of an unengaged group moves no more: its group has fought, or itself (C-44)."""
    if "movement over" not in scene.conditions:
        return False
    is_by_itself = setting(scene, house_rules.MOVEMENT_ENDS) == house_rules.MOVEMENT_ENDS.options[1]
    return not is_by_itself or fighter.token.has("attacked") or fighter.token.has("defended")


def group(scene: Scene) -> list[Fighter]:
    """Return the models of the active group that still fight."""
    return [one for one in battlefield(scene).fighters.values() if one.token.has("active")]


def find_fighter(scene: Scene, key: str) -> Fighter:
    """Return a model in the fight. Raises NotFound, or IllegalAct for one that is out of it."""
    token = scene.token(key)
    fighter = battlefield(scene).fighters.get(key)
    if fighter is None:
        raise IllegalAct(localize("miniatures_combat.refuse_out", name=token.name), "MNC-028", "ban")
    return fighter


def require_turn(scene: Scene, token: Token) -> None:
    """Raise IllegalAct for a model out of the fight, OutOfTurn if it is the turn of another side."""
    if token.id not in battlefield(scene).fighters:
        raise IllegalAct(localize("miniatures_combat.refuse_out", name=token.name), "MNC-028", "ban")
    if turn(scene).is_over:
        raise IllegalAct(localize("miniatures_combat.refuse_over"), "MNC-006", "turn")
    if token.side != active_side(scene):
        raise OutOfTurn(localize("miniatures_combat.refuse_turn", side=_side_name(scene, token)), "MNC-006")


def require_active(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn for a model outside the active group (MNC-001)."""
    require_turn(scene, token)
    if not token.has("active"):
        raise OutOfTurn(localize("miniatures_combat.refuse_not_active", name=token.name), "MNC-001")


def _side_name(scene: Scene, token: Token) -> str:
    return scene.side(token.side).name


# Notes: what a condition keeps by model


@per_token
def read_notes(token: Token, condition: str) -> Mapping[str, str]:
    """Return what a condition notes by model, such as which enemies a model has defended against."""
    entries = (entry.partition("=") for entry in token.conditions.get(condition, "").split())
    return {key: value for key, _, value in entries}


def note(scene: Scene, holder: str, condition: str, key: str, value: str) -> Steps:
    """Record a note of a condition by model; return the scene."""
    notes: Mapping[str, str] = {**read_notes(scene.token(holder), condition), key: value}
    text = " ".join(f"{model}={noted}" for model, noted in notes.items())
    return (yield set_condition(scene, holder, condition, text))


# Defenses


def has_defended(fighter: Fighter, enemy: Fighter) -> bool:
    """Return whether a model has defended against an enemy in this activation, with success or not."""
    return enemy.id in read_notes(fighter.token, "defended")


def undefended(scene: Scene, fighter: Fighter) -> list[Fighter]:
    """Return the enemies in whose reach a model stands without a defense so far (MNC-062)."""
    return [one for one in battlefield(scene).attackers(fighter) if not has_defended(fighter, one)]


def owed_defenses(scene: Scene, fighter: Fighter) -> list[Fighter]:
    """Return the enemies that a model still has to defend against in this activation (MNC-072, MNC-073)."""
    return undefended(scene, fighter) if fighter.token.has("must defend") else []


# Dice


def spend_dice(scene: Scene, fighter: Fighter, dice: int) -> Steps:
    """Take general dice from the pool of a model; return the scene (MNC-012)."""
    if not dice:
        return scene
    left = scene.token(fighter.id).track("dice") - dice
    return (yield set_track(scene, fighter.id, "dice", max(0, left)))


def pay_dice(scene: Scene, fighter: Fighter, dice: int) -> Steps:
    """Pay dice for movement actions, free movement dice first; return the scene."""
    free = min(dice, fighter.token.track("movement dice"))
    if free:
        left = fighter.token.track("movement dice") - free
        scene = yield set_track(scene, fighter.id, "movement dice", left)
    return (yield from spend_dice(scene, fighter, dice - free))


def require_dice(fighter: Fighter, dice: int) -> None:
    """Raise CannotPay if a model has not so many general dice left (MNC-012)."""
    left = fighter.token.track("dice")
    if not 0 <= dice <= left:
        raise CannotPay(localize("miniatures_combat.refuse_dice", name=fighter.name, left=left), "MNC-012")


def clear(scene: Scene, holder: str, conditions: tuple[str, ...], tracks: tuple[str, ...] = ()) -> Steps:
    """Clear conditions and tracks of a holder; return the scene."""
    found = scene if holder == TABLE else scene.token(holder)
    for condition in conditions:
        if found.has(condition):
            scene = yield set_condition(scene, holder, condition, None)
    for track in tracks:
        if track in found.tracks:
            scene = yield set_track(scene, holder, track, None)
    return scene
