"""Rounds: initiative, the end of a turn and the start of the next (SRD-043 to SRD-054)."""

from __future__ import annotations

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.d20 import roll_d20
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Steps
from enfilade.rulesets.fifth_edition.combat import death_save
from enfilade.rulesets.fifth_edition.profiles import OF_ROUND, OF_TURN, read_creature
from enfilade.rulesets.fifth_edition.turn import fighting, in_order, place_in_order, require_turn, turn
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene


def begin(scene: Scene, act: Act) -> Steps:
    """Roll Initiative for all, and begin the first turn (SRD-043 to SRD-047)."""
    yield Require(_require_new, (scene,))
    yield Change(Explained(kind="begin", facts={"token": act.token}))
    for token in fighting(scene):
        one = read_creature(token)
        is_slow = not one.states.isdisjoint(("incapacitated", "poisoned"))
        mode = ("invisible" in one.states) - is_slow
        face = yield Call(roll_d20, (localize("fifth_edition.roll_initiative", name=token.name), mode))
        place = face + one.modifier("dex") - one.tired
        scene = yield set_track(scene, token.id, "initiative", place)
    scene = yield set_track(scene, TABLE, "round", 1)
    yield from start(scene, in_order(scene)[0].id)
    return Outcome("begun")


def _require_new(scene: Scene) -> None:
    if scene.track("round"):
        raise IllegalAct(localize("fifth_edition.refuse_begun"), "SRD-043", "turn")
    if turn(scene).is_over:
        raise IllegalAct(localize("fifth_edition.refuse_over"), "SRD-049", "turn")


def end(scene: Scene, act: Act) -> Steps:
    """End a turn; the next creature begins its own (SRD-044)."""
    token = scene.token(act.token)
    yield Require(require_turn, (scene, token))
    yield Change(Explained(kind="end", facts={"token": token.id}))
    scene = yield from _clear(scene, token.id, OF_TURN)
    for track in ("moved", "attacks"):
        if scene.token(token.id).track(track):
            scene = yield set_track(scene, token.id, track, 0)
    order = sorted(
        [one for one in scene.tokens if one.id == token.id or not one.has("out")], key=place_in_order
    )
    place = [one.id for one in order].index(token.id) + 1
    if place == len(order):
        scene = yield set_track(scene, TABLE, "round", scene.track("round") + 1)
    yield from start(scene, order[place % len(order)].id)
    return Outcome("ended")


def start(scene: Scene, key: str) -> Steps:
    """Begin a creature's turn: its reaction is back, what lasted until then ends, and it may be dying."""
    scene = yield set_condition(scene, TABLE, "turn", key)
    scene = yield from _clear(scene, key, OF_ROUND[:2])
    for token in scene.tokens:
        if token.conditions.get("helped") == key:
            scene = yield set_condition(scene, token.id, "helped", None)
    if scene.token(key).has("dying"):
        scene = yield from death_save(scene, key)
    return scene


def _clear(scene: Scene, key: str, names: tuple[str, ...]) -> Steps:
    for name in names:
        if scene.token(key).has(name):
            scene = yield set_condition(scene, key, name, None)
    return scene
