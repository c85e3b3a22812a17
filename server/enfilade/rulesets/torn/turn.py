"""Rounds, activations and actions. Their chapter is missing, so all of this is house rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from enfilade.errors import Cause, IllegalAct, OutOfTurn
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.kit.activations import (
    active_token,
    clear_round,
    finish_activation,
    side_after,
    side_from,
    sides_in_battle,
    win_initiative,
)
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps, set_condition, set_track
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.combat.damage import Damage, apply_damage, lose_leader, transform_token
from enfilade.rulesets.torn.laws import LAWS, TAGS, is_over
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, read_miniature
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

ROUND_CONDITIONS = ("activated", "free attack", "used")
"""The conditions that a new round clears."""

WOUNDING_MARKERS = ("burning", "poisoned", "bleeding")


def is_in_play(scene: Scene) -> bool:
    """Return whether a round has started; before the first, all miniatures may act."""
    return scene.track("round") > 0


@per_scene
def turn(scene: Scene) -> Turn:
    """Return the active miniature, or the side that activates next."""
    active = active_token(scene)
    won = scene.conditions.get("won")
    if won is not None:
        return Turn(round=scene.track("round"), is_over=True, winners=(won,))
    if is_over(scene):
        return Turn(round=scene.track("round"), is_over=True)
    first = scene.conditions.get("first")
    sides = (active.side,) if active else (first,) if first else ()
    return Turn(round=scene.track("round"), sides=sides, token=active.id if active else "")


def used_tiles(token: Token) -> list[str]:
    """Return the names of the Action Tiles used in this activation."""
    note = token.conditions.get("used", "")
    return note.split("; ") if note else []


def require_action(scene: Scene, miniature: Miniature, tile: Tile | None) -> None:
    """Raise IllegalAct if a miniature may not act now, or not with this tile."""
    _raise(action_refusal(scene, miniature, tile))


def _raise(refused: IllegalAct | None) -> None:
    if refused is not None:
        raise refused


BANNED = "banned"
"""What stands for the sentence of a law."""

_ACTION_REFUSALS: Mapping[str, tuple[type[IllegalAct], str, Cause]] = {
    "torn.refuse_off_board": (IllegalAct, "TRN-033", "edge"),
    "torn.refuse_not_active": (OutOfTurn, "TRN-092", "turn"),
    "torn.refuse_actions_used": (IllegalAct, "TRN-066", "cost"),
    "torn.refuse_tile_used": (IllegalAct, "TRN-066", "cost"),
}
"""The error, the rule and the cause of each sentence that refuses an action."""


def action_refusal(scene: Scene, miniature: Miniature, tile: Tile | None) -> IllegalAct | None:
    """Return the error that refuses an action now, as `require_action` raises it; None if it may act."""
    key = _refused_because(scene, miniature, tile)
    if not key:
        return None
    if key == BANNED:
        return _banned(scene, miniature, tile)
    error, rule, cause = _ACTION_REFUSALS[key]
    limit = setting(scene, house_rules.ACTIONS)
    return error(localize(key, name=miniature.name, count=limit, tile=tile.name if tile else ""), rule, cause)


def may_act(scene: Scene, miniature: Miniature, tile: Tile | None) -> bool:
    """Return whether a miniature may act now with a tile."""
    return not _refused_because(scene, miniature, tile)


def _refused_because(scene: Scene, miniature: Miniature, tile: Tile | None) -> str:
    """Return the key of the sentence that refuses an action; empty if a miniature may act."""
    token = miniature.token
    if token.has("out") or token.at is None:
        return "torn.refuse_off_board"
    if not is_in_play(scene):
        return ""
    if scene.conditions.get("active") != token.id:
        return "torn.refuse_not_active"
    if _banned(scene, miniature, tile):
        return BANNED
    used = used_tiles(token)
    if len(used) >= int(setting(scene, house_rules.ACTIONS)):
        return "torn.refuse_actions_used"
    return "torn.refuse_tile_used" if tile is not None and tile.name in used else ""


def _banned(scene: Scene, miniature: Miniature, tile: Tile | None) -> IllegalAct | None:
    kind = "melee" if tile is None else "move" if tile.is_movement else tile.kind
    return LAWS.refusal(scene, Act(kind=kind, token=miniature.id), TAGS.get(kind, ()))


def spend_action(scene: Scene, miniature: Miniature, tile: Tile) -> Steps:
    """Record a tile as used in this activation; return the scene."""
    if not is_in_play(scene):
        return scene
    used = "; ".join([*used_tiles(miniature.token), tile.name])
    return (yield set_condition(scene, miniature.id, "used", used))


def start_round(scene: Scene, act: Act) -> Steps:
    """Start a round: make all miniatures ready, and roll off for the first activation."""
    del act
    sides = _sides_in_battle(scene)
    yield Require(require_round_over, (scene,))
    scene = yield from clear_round(scene, ROUND_CONDITIONS)
    first = sides[0]
    if setting(scene, house_rules.INITIATIVE) == "roll-off":
        first = yield from win_initiative(scene, sides)
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)
    scene = yield set_condition(scene, TABLE, "active", None)
    yield set_condition(scene, TABLE, "first", first)
    facts = {"round": number, "result": scene.side(first).name}
    yield Change(Explained(kind="round", facts=facts))
    return Outcome("round", leaves=localize("torn.outcome_begins", side=scene.side(first).name))


def _sides_in_battle(scene: Scene) -> list[str]:
    """Return the sides that a round needs. Raises IllegalAct if there are none."""
    sides = sides_in_battle(scene)
    if not sides:
        raise IllegalAct(localize("torn.refuse_no_miniatures"), "TRN-092", "request")
    return sides


def require_round_over(scene: Scene) -> None:
    """Raise OutOfTurn if no round may start now."""
    if is_in_play(scene) and (active_token(scene) or side_from(scene, None)):
        raise OutOfTurn(localize("torn.refuse_round_not_over"), "TRN-092")


def activate(scene: Scene, act: Act) -> Steps:
    """Start the activation of a miniature whose side is next."""
    token = scene.token(act.token)
    yield Require(require_activation, (scene, token))
    yield set_condition(scene, TABLE, "active", token.id)
    yield Change(Explained(kind="activate", facts={"token": token.id}))
    return Outcome("active")


def require_activation(scene: Scene, token: Token) -> None:
    """Raise IllegalAct or OutOfTurn if a miniature may not be activated now."""
    if not is_in_play(scene):
        raise OutOfTurn(localize("torn.refuse_no_round"), "TRN-092")
    active = active_token(scene)
    if active is not None:
        raise OutOfTurn(localize("torn.refuse_other_active", name=active.name), "TRN-092")
    if token.has("out"):
        raise IllegalAct(localize("torn.refuse_not_in_battle", name=token.name), "TRN-033", "edge")
    if token.has("activated"):
        raise OutOfTurn(localize("torn.refuse_activated", name=token.name), "TRN-092")
    first = scene.conditions.get("first")
    if first is None:
        raise OutOfTurn(localize("torn.refuse_no_side_next"), "TRN-092")
    if first != token.side:
        raise OutOfTurn(localize("torn.refuse_other_side", side=scene.side(first).name), "TRN-092")


def end_activation(scene: Scene, act: Act) -> Steps:
    """End an activation: apply its markers and clear them, then pass to the next side."""
    token = scene.token(act.token)
    yield Require(require_active, (scene, token))
    scene = yield from finish_activation(scene, token.id)
    if token.has("used"):
        scene = yield set_condition(scene, token.id, "used", None)
    scene = yield from expire_markers(scene, token.id)
    following = side_after(scene, token.side)
    yield set_condition(scene, TABLE, "first", following)
    facts = {"token": token.id, "result": scene.side(following).name if following else "round over"}
    yield Change(Explained(kind="end", facts=facts))
    return Outcome("ended")


def require_active(scene: Scene, token: Token) -> None:
    """Raise OutOfTurn if it is not a miniature's activation."""
    if scene.conditions.get("active") != token.id:
        raise OutOfTurn(localize("torn.refuse_not_active", name=token.name), "TRN-092")


def expire_markers(scene: Scene, token_id: str, markers: Iterable[str] = MARKERS) -> Steps:
    """Apply the wounds of a miniature's markers after its activation, and clear them; return the scene.

    A Counter Attack that uses an activation up ends it (TRN-089, TRN-092).
    """
    token = scene.token(token_id)
    if token.at is None:
        return scene
    each = int(setting(scene, house_rules.CONDITION_WOUNDS))
    held = [marker for marker in markers if token.has(marker)]
    wounds = each * sum(marker in WOUNDING_MARKERS for marker in held)
    for marker in held:
        scene = yield set_condition(scene, token_id, marker, None)
    return (yield from apply_damage(scene, [Damage(token_id, wounds)] if wounds else []))


def transform(scene: Scene, act: Act) -> Steps:
    """Transform a miniature by another miniature or a God card (TRN-103)."""
    miniature = read_miniature(scene.token(act.token))
    if not miniature.profile.becomes or miniature.token.at is None:
        raise IllegalAct(localize("torn.refuse_transform", name=miniature.name), "TRN-103", "missing")
    scene = yield from transform_token(scene, miniature.id)
    if miniature.token.has("leads"):
        scene = yield set_condition(scene, miniature.id, "leads", None)
    if miniature.is_leader:
        yield from lose_leader(scene, miniature.token)
    return Outcome("transformed")
