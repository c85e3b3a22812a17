"""Rounds, activations and actions, which another chapter describes: house rules throughout."""

from __future__ import annotations

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Roll, Steps
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.damage import leader_lost, suffer, transformed
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, miniature
from enfilade.rulesets.torn.suffered import Suffered
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

PER_ROUND = ("activated", "free attack", "used")
WOUNDING = ("burning", "poisoned", "bleeding")


def is_in_play(scene: Scene) -> bool:
    """Whether rounds are being played; before the first anybody may act."""
    return scene.track("round") > 0


def fighting(scene: Scene, side: str) -> list[Token]:
    """A side's miniatures that have not been lost."""
    return [token for token in scene.tokens if token.side == side and not token.has("out")]


def waiting(scene: Scene, side: str) -> list[Token]:
    """A side's miniatures that are still to be activated this round."""
    active = scene.conditions.get("active")
    return [t for t in fighting(scene, side) if not t.has("activated") and t.id != active]


def turn(scene: Scene) -> Turn:
    """Whose turn it is: the active miniature's, or the side's that activates next."""
    active = active_token(scene)
    won = scene.conditions.get("won")
    if won is not None:
        return Turn(round=scene.track("round"), is_over=True, winners=(won,))
    if not any(fighting(scene, side.id) for side in scene.sides) and scene.tokens:
        return Turn(round=scene.track("round"), is_over=True)
    first = scene.conditions.get("first")
    sides = (active.side,) if active else (first,) if first else ()
    return Turn(round=scene.track("round"), sides=sides, token=active.id if active else "")


def active_token(scene: Scene) -> Token | None:
    """The miniature whose activation it is, or None between activations or when it has left the scene."""
    active = scene.conditions.get("active")
    return next((token for token in scene.tokens if token.id == active), None)


def used_tiles(token: Token) -> list[str]:
    """The Action Tiles used in this activation."""
    note = token.conditions.get("used", "")
    return note.split("; ") if note else []


def must_be_able(scene: Scene, mini: Miniature, tile: Tile | None) -> None:
    """Raises the IllegalAct that keeps a miniature from an action now."""
    token = mini.token
    if token.has("out") or token.at is None:
        raise IllegalAct(f"{mini.name} is not on the battlefield.", "TRN-033")
    if not is_in_play(scene):
        return
    if scene.conditions.get("active") != token.id:
        raise OutOfTurn(f"It is not the activation of {mini.name}.", "TRN-092")
    if token.has("stunned"):
        raise IllegalAct(f"{mini.name} is stunned and does nothing in this activation.", "TRN-089")
    if token.has("panic") and (tile is None or not tile.is_movement):
        raise IllegalAct(f"{mini.name} panics and can only move away from the nearest enemy.", "TRN-097")
    used, most = used_tiles(token), int(setting(scene, house_rules.ACTIONS))
    if len(used) >= most:
        raise IllegalAct(f"{mini.name} has done its {most} actions of this activation.", "TRN-066")
    if tile is not None and tile.name in used:
        raise IllegalAct(f"{mini.name} has used {tile.name} in this activation.", "TRN-066")


def spend(scene: Scene, mini: Miniature, tile: Tile) -> Steps:
    """The action is done and its tile used; returns the scene."""
    if not is_in_play(scene):
        return scene
    return (yield set_condition(scene, mini.id, "used", "; ".join([*used_tiles(mini.token), tile.name])))


def start_round(scene: Scene, act: Act) -> Steps:
    """A new round: everybody may be activated again, the first player by a roll-off."""
    del act
    sides = tuple(side.id for side in scene.sides if fighting(scene, side.id))
    if not sides:
        raise IllegalAct("There is nobody to fight.", "TRN-092")
    yield Require(_must_be_over, (scene,))
    for token in scene.tokens:
        for condition in PER_ROUND:
            if token.has(condition):
                scene = yield set_condition(scene, token.id, condition, None)
    first = yield from _first(scene, sides)
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)
    scene = yield set_condition(scene, TABLE, "active", None)
    yield set_condition(scene, TABLE, "first", first)
    facts = {"act": f"round {number}", "result": scene.side(first).name}
    yield Change(Explained(kind="round", facts=facts))
    return Outcome("round")


def _must_be_over(scene: Scene) -> None:
    if turn(scene).is_over:
        raise IllegalAct("The battle is over.", "TRN-033")
    left = [token for side in scene.sides for token in waiting(scene, side.id)]
    if is_in_play(scene) and (left or active_token(scene)):
        raise OutOfTurn("The round goes on: somebody is yet to be activated.", "TRN-092")


def _first(scene: Scene, sides: tuple[str, ...]) -> Steps:
    if setting(scene, house_rules.INITIATIVE) == "in order":
        return sides[0]
    while len(sides) > 1:
        sides = yield Call(roll_off, (sides,))
    return sides[0]


def roll_off(sides: tuple[str, ...]) -> Steps:
    """A D6 for each tied side; those with the highest are left."""
    faces = []
    for side in sides:
        (face,) = yield Roll(f"initiative of {side}", D6)
        faces.append(face)
    return tuple(side for side, face in zip(sides, faces, strict=True) if face == max(faces))


def activate(scene: Scene, act: Act) -> Steps:
    """A miniature of the side whose turn it is begins its activation."""
    token = scene.token(act.token)
    yield Require(_may_be_activated, (scene, token))
    yield set_condition(scene, TABLE, "active", token.id)
    yield Change(Explained(kind="activate", facts={"token": token.id}))
    return Outcome("active")


def _may_be_activated(scene: Scene, token: Token) -> None:
    if not is_in_play(scene):
        raise OutOfTurn("No round has begun.", "TRN-092")
    active = active_token(scene)
    if active is not None:
        raise OutOfTurn(f"The activation of {active.name} is not over.", "TRN-092")
    if turn(scene).is_over or token.has("out"):
        raise IllegalAct(f"{token.name} is not in the battle.", "TRN-033")
    if token.has("activated"):
        raise OutOfTurn(f"{token.name} has had its activation this round.", "TRN-092")
    first = scene.conditions.get("first")
    if first != token.side:
        raise OutOfTurn(
            f"The next activation is one of {scene.side(first).name if first else '?'}.", "TRN-092"
        )


def end_activation(scene: Scene, act: Act) -> Steps:
    """The activation is over: markers do their harm and go, and the next side is up."""
    token = scene.token(act.token)
    yield Require(_must_be_active, (scene, token))
    scene = yield set_condition(scene, TABLE, "active", None)
    scene = yield set_condition(scene, token.id, "activated")
    if token.has("used"):
        scene = yield set_condition(scene, token.id, "used", None)
    scene = yield from _markers_run_out(scene, token.id)
    following = _next_side(scene, token.side)
    yield set_condition(scene, TABLE, "first", following)
    facts = {"token": token.id, "result": scene.side(following).name if following else "round over"}
    yield Change(Explained(kind="end", facts=facts))
    return Outcome("ended")


def _must_be_active(scene: Scene, token: Token) -> None:
    if scene.conditions.get("active") != token.id:
        raise OutOfTurn(f"It is not the activation of {token.name}.", "TRN-092")


def _markers_run_out(scene: Scene, token_id: str) -> Steps:
    """What the markers of a miniature cost it at the end of its activation; then they go (house rules)."""
    token = scene.token(token_id)
    if token.at is None:
        return scene
    each = int(setting(scene, house_rules.CONDITION_WOUNDS))
    wounds = each * sum(token.has(marker) for marker in WOUNDING)
    for marker in MARKERS:
        if token.has(marker):
            scene = yield set_condition(scene, token_id, marker, None)
    return (yield from suffer(scene, [Suffered(token_id, wounds)] if wounds else []))


def _next_side(scene: Scene, after: str) -> str | None:
    ids = [side.id for side in scene.sides]
    start = ids.index(after) + 1
    order = ids[start:] + ids[:start]
    return next((side for side in order if waiting(scene, side)), None)


def transform(scene: Scene, act: Act) -> Steps:
    """Another miniature or a God card turns a miniature into what it becomes (TRN-103)."""
    mini = miniature(scene.token(act.token))
    if not mini.profile.becomes or mini.token.at is None:
        raise IllegalAct(f"{mini.name} does not turn into anything.", "TRN-103")
    scene = yield from transformed(scene, mini.id)
    if mini.is_leader:
        yield from leader_lost(scene, mini.token)
    return Outcome("transformed")
