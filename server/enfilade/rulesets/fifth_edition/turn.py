"""The order of turns, and the budgets of a turn (SRD-044 to SRD-051)."""

from __future__ import annotations

from enfilade.errors import CannotPay, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.procedures import Steps
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.scene.model import Scene, Token


def fighting(scene: Scene) -> list[Token]:
    """Return the creatures that are not out of the battle."""
    return [token for token in scene.tokens if not token.has("out")]


def in_order(scene: Scene) -> list[Token]:
    """Return the creatures in the order of turns (SRD-044, SRD-045)."""
    return sorted(fighting(scene), key=place_in_order)


def place_in_order(token: Token) -> tuple[int, bool, int]:
    """Return a key that sorts creatures in the order of turns (SRD-044, SRD-045)."""
    one = read_creature(token)
    return -token.track("initiative"), not one.profile.is_character, -one.modifier("dex")


def turn(scene: Scene) -> Turn:
    """Return whose turn it is; the battle is over if only allies can still fight."""
    awake = {token.side for token in fighting(scene) if token.track("hp", 1) > 0}
    left, number = [side for side in scene.sides if side.id in awake], scene.track("round")
    if all(left[0].is_ally(side) for side in left):
        return Turn(round=number, is_over=True, winners=tuple(side.id for side in left))
    active = scene.conditions.get("turn", "") if number else ""
    known = next((token for token in scene.tokens if token.id == active), None)
    return Turn(round=number, sides=(known.side,) if known else (), token=known.id if known else "")


def require_turn(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn or IllegalAct unless it is a creature's turn (SRD-049)."""
    if turn(scene).is_over:
        raise IllegalAct(localize("fifth_edition.refuse_over"), "SRD-049", "turn")
    if scene.conditions.get("turn") != token.id or not scene.track("round"):
        raise OutOfTurn(localize("fifth_edition.refuse_turn", name=token.name), "SRD-049")


def require_action(scene: Scene, token: Token, part: str) -> None:
    """Raise unless a creature has what an act costs: "attack", "act" or "bonus" (SRD-049, SRD-056)."""
    require_turn(scene, token)
    if part == "attack" and token.track("attacks") > 0:
        return
    if token.has("bonus" if part == "bonus" else "acted"):
        key = "fifth_edition.refuse_bonus" if part == "bonus" else "fifth_edition.refuse_acted"
        raise CannotPay(localize(key, name=token.name), "SRD-050" if part == "bonus" else "SRD-049")


def spend_action(scene: Scene, token: Token) -> Steps:
    """Spend the action; attacks that were left of it are gone. Returns the scene."""
    if token.track("attacks"):
        scene = yield set_track(scene, token.id, "attacks", 0)
    return (yield set_condition(scene, token.id, "acted"))


def spend_attack(scene: Scene, token: Token) -> Steps:
    """Spend one attack: the first takes the action and leaves its others (SRD-056). Returns the scene."""
    left = token.track("attacks")
    if left:
        return (yield set_track(scene, token.id, "attacks", left - 1))
    scene = yield from spend_action(scene, token)
    more = read_creature(token).profile.multiattack - 1
    return (yield set_track(scene, token.id, "attacks", more)) if more else scene
