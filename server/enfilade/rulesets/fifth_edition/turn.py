"""The order of turns, and the budgets of a turn (SRD-044 to SRD-051)."""

from __future__ import annotations

from functools import partial

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.kit.turns import no_turns
from enfilade.rules.procedures import Steps, set_condition, set_track
from enfilade.rules.ruleset import Turn, TurnPlace
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, read_creature
from enfilade.scene.model import Scene, Side, Token

OPENING = "begin"
"""The kind of act that rolls Initiative for all (SRD-043)."""
MOVE = "move"
"""The note of one that has readied a move (SRD-068)."""


def has_readied(token: Token) -> bool:
    """Return whether a creature may still do what it has readied (SRD-068)."""
    return token.has("readied") and not token.has("reacted") and read_creature(token).can_act


def fighting(scene: Scene) -> list[Token]:
    """Return the creatures that are not out of the battle."""
    return [token for token in scene.tokens if not token.has("out")]


def in_order(scene: Scene) -> list[Token]:
    """Return the creatures in the order of turns; a controlled mount has none (SRD-044, SRD-045, SRD-188)."""
    return sorted([one for one in fighting(scene) if has_turns(one)], key=partial(place_in_order, scene))


def has_turns(token: Token) -> bool:
    """Return whether a creature has a turn: no object, and no mount that its rider controls (SRD-188)."""
    return not token.has("led") and not is_thing(token)


def place_in_order(scene: Scene, token: Token) -> tuple[int, ...]:
    """Return a key that sorts creatures in the order of turns; the table says what breaks a tie (SRD-045)."""
    one, choice = read_creature(token), setting(scene, house_rules.TIES)
    first = choice == "characters" and one.profile.is_character
    return -token.track("initiative"), -token.track("tie"), not first, -one.modifier("dex")


def is_thing(token: Token) -> bool:
    """Return whether a token is an object (SRD-144)."""
    return read_creature(token).is_object


@per_scene
def turn(scene: Scene) -> Turn:
    """Return whose turn it is; the battle is over if only allies can still fight.

    Where a tabletop's system plays, it has the turns.
    """
    if is_assistant(scene):
        return no_turns(scene)
    number = scene.track("round")
    if is_over(scene):
        return Turn(round=number, is_over=True, winners=tuple(side.id for side in _sides_left(scene)))
    active = scene.conditions.get("turn", "") if number else ""
    known = next((token for token in scene.tokens if token.id == active), None)
    order = tuple(TurnPlace(one.id, one.track("initiative")) for one in in_order(scene)) if number else ()
    sides = (known.side,) if known else ()
    opening = "" if number else OPENING
    return Turn(round=number, sides=sides, token=known.id if known else "", order=order, opening=opening)


def is_over(scene: Scene) -> bool:
    """Return whether only allies can still fight."""
    left = _sides_left(scene)
    return all(left[0].is_ally(side) for side in left)


@per_scene
def _sides_left(scene: Scene) -> list[Side]:
    """Return the sides with a creature that can still fight."""
    awake: set[str] = set()
    for token in fighting(scene):
        if token.side not in awake:
            one = read_creature(token)
            if one.hit_points > 0 and not one.is_object:
                awake.add(token.side)
    return [side for side in scene.sides if side.id in awake]


def require_turn(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn or IllegalAct unless it is a creature's turn (SRD-049)."""
    if sentence := _no_turn(scene, token.id):
        kind = IllegalAct if is_over(scene) else OutOfTurn
        raise kind(sentence, "SRD-049", "turn")


@per_scene
def _no_turn(scene: Scene, token_id: str) -> str:
    """Return why it is not a creature's turn, for all its acts; empty if it is, or the tabletop has turns."""
    if is_assistant(scene):
        return ""
    if is_over(scene):
        return localize("fifth_edition.refuse_over")
    token = scene.token(token_id)
    return "" if has_turn(scene, token) else localize("fifth_edition.refuse_turn", name=token.name)


def has_turn(scene: Scene, token: Token) -> bool:
    """Return whether it is a creature's turn, or that of the rider who leads it (SRD-049, SRD-188).

    The note names several where advice looks ahead to the turns of a whole side.
    """
    acting = scene.conditions.get("turn", "").split(SEPARATOR)
    return bool(scene.track("round")) and (token.id in acting or token.conditions.get("led") in acting)


def part_for(token: Token, kind: str) -> str:
    """Return what an act costs: "bonus", if a feature allows it and it is left, else "act" (SRD-050)."""
    is_bonus = kind in read_creature(token).profile.bonus_actions and not token.has("bonus")
    return "bonus" if is_bonus else "act"


def require_action(scene: Scene, token: Token, part: str) -> None:
    """Raise unless a creature has what an act costs: "attack", "act", "bonus", "turn" (SRD-049, SRD-056)."""
    require_turn(scene, token)
    if is_assistant(scene) or part == "turn" or (part == "attack" and token.track("attacks") > 0):
        return
    if token.has("bonus" if part == "bonus" else "acted"):
        key = "fifth_edition.refuse_bonus" if part == "bonus" else "fifth_edition.refuse_acted"
        raise CannotPay(localize(key, name=token.name), "SRD-050" if part == "bonus" else "SRD-049")


def spend(scene: Scene, token: Token, part: str) -> Steps:
    """Spend what an act costs; return the scene."""
    return (yield from spend_bonus(scene, token) if part == "bonus" else spend_action(scene, token))


def spend_bonus(scene: Scene, token: Token) -> Steps:
    """Spend the bonus action (SRD-050); return the scene."""
    scene = yield from _stop_running(scene, token)
    return (yield set_condition(scene, token.id, "bonus"))


def _stop_running(scene: Scene, token: Token) -> Steps:
    """End the movement directly before a jump (SRD-026); return the scene."""
    return (yield set_track(scene, token.id, "run", None)) if token.track("run") else scene


def spend_action(scene: Scene, token: Token) -> Steps:
    """Spend the action; attacks that were left of it are gone. Returns the scene."""
    scene = yield from _stop_running(scene, token)
    if token.track("attacks"):
        scene = yield set_track(scene, token.id, "attacks", None)
    return (yield set_condition(scene, token.id, "acted"))


def spend_attack(scene: Scene, token: Token, weapon: str = "") -> Steps:
    """Spend one attack: the first takes the action and leaves its others (SRD-056). Returns the scene.

    A Multiattack with a list of its own has more than one only if it begins with one of the list (SRD-057).
    """
    left = token.track("attacks")
    if left:
        return (yield set_track(scene, token.id, "attacks", left - 1 or None))
    scene = yield from spend_action(scene, token)
    profile = read_creature(token).profile
    many = (
        profile.multiattack
        if not profile.routine
        else len(profile.routine)
        if weapon in profile.routine
        else 1
    )
    return (yield set_track(scene, token.id, "attacks", many - 1)) if many > 1 else scene
