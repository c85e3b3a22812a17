"""Other actions: Dash, Disengage, Dodge, Help, Hide, and unarmed strikes (SRD-023, SRD-058 to SRD-076)."""

from __future__ import annotations

from enfilade.errors import CannotPay, IllegalAct
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.d20 import passes
from enfilade.rules.procedures import Act, Call, Change, Outcome, Procedure, Require, Steps
from enfilade.rulesets.fifth_edition.battlefield import can_see, contacts, cover, is_within, travel
from enfilade.rulesets.fifth_edition.combat import pair, reveal, save_edge
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import Ability, Creature, read_creature
from enfilade.rulesets.fifth_edition.terms import require_enemy
from enfilade.rulesets.fifth_edition.turn import require_action, require_turn, spend_action, spend_attack
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

HIDE = 15
"""The least total that hides (SRD-063)."""


def _simple(kind: str, condition: str) -> Procedure:
    """Return the procedure of an action that sets a condition on its creature."""

    def procedure(scene: Scene, act: Act) -> Steps:
        token = scene.token(act.token)
        yield Require(require_action, (scene, token, "act"))
        yield Change(Explained(kind=kind, facts={"token": token.id}))
        scene = yield from spend_action(scene, token)
        yield set_condition(scene, token.id, condition)
        return Outcome(kind)

    return procedure


dash = _simple("dash", "dashed")
disengage = _simple("disengage", "disengaged")
dodge = _simple("dodge", "dodging")


def assist(scene: Scene, act: Act) -> Steps:
    """Help an ally against an enemy within 5 feet (SRD-061)."""
    token, target = pair(scene, act)
    yield Require(require_action, (scene, token, "act"))
    yield Require(_require_beside, (scene, token, target, "SRD-061"))
    yield Change(Explained(kind="help", facts={"token": token.id, "target": target.id}))
    scene = yield from spend_action(scene, token)
    yield set_condition(scene, target.id, "helped", token.id)
    return Outcome("helped")


def _require_beside(scene: Scene, token: Token, target: Token, rule: str) -> None:
    require_enemy(scene, token, target, rule)
    if not is_within(scene, token, target, 5):
        raise IllegalAct(localize("fifth_edition.refuse_beside", name=target.name), rule, "distance")


def hide(scene: Scene, act: Act) -> Steps:
    """Hide behind three-quarters or total cover, out of every enemy's sight (SRD-063)."""
    token = scene.token(act.token)
    yield Require(require_action, (scene, token, "act"))
    yield Require(_require_hidden, (scene, token))
    yield Change(Explained(kind="hide", facts={"token": token.id}))
    scene = yield from spend_action(scene, token)
    one = read_creature(token)
    bonus = one.modifier("dex") - one.tired
    mode = -1 if "poisoned" in one.states else 0
    if (yield Call(passes, (localize("fifth_edition.roll_stealth"), bonus, HIDE, mode))):
        yield set_condition(scene, token.id, "invisible", "hiding")
        return Outcome("hidden")
    return Outcome("seen")


def _require_hidden(scene: Scene, token: Token) -> None:
    if token.at is None:
        raise IllegalAct(localize("fifth_edition.refuse_off_board"), "SRD-063", "edge")
    for enemy in contacts(scene).threats(token):
        if can_see(scene, enemy, token) and cover(scene, enemy, token) != "three_quarters":
            raise IllegalAct(localize("fifth_edition.refuse_hide", enemy=enemy.name), "SRD-063", "sight")


def difficulty_of(one: Creature) -> int:
    """Return the difficulty of a creature's grapples and shoves (SRD-072)."""
    return 8 + one.modifier("str") + one.profile.proficiency


def _require_grip(scene: Scene, token: Token, target: Token) -> None:
    _require_beside(scene, token, target, "SRD-071")
    if read_creature(target).rank > read_creature(token).rank + 1:
        raise IllegalAct(localize("fifth_edition.refuse_large", name=target.name), "SRD-072", "target")


def _save_against(token: Token, target: Token) -> Steps:
    """Save with Strength or Dexterity, the better of both (SRD-072); return whether it succeeds."""
    one = read_creature(target)
    ability: Ability = "dex" if one.save("dex") >= one.save("str") else "str"
    mode, difficulty = save_edge(target, ability, difficulty_of(read_creature(token)))
    label = localize("fifth_edition.roll_save", name=target.name)
    return (yield Call(passes, (label, one.save(ability), difficulty, mode)))


def _begin_unarmed(scene: Scene, act: Act) -> Steps:
    token, target = pair(scene, act)
    yield Require(require_action, (scene, token, "attack"))
    yield Require(_require_grip, (scene, token, target))
    yield Change(Explained(kind=act.kind, facts={"token": token.id, "target": target.id}))
    scene = yield from spend_attack(scene, token)
    scene = yield from reveal(scene, token.id)
    return scene, token, target


def grapple(scene: Scene, act: Act) -> Steps:
    """Grapple a creature (SRD-073)."""
    scene, token, target = yield from _begin_unarmed(scene, act)
    saved = yield from _save_against(token, target)
    result = "saved" if saved else "failed"
    yield Change(Explained(kind="grip", facts={"target": target.id, "result": result}))
    if saved:
        return Outcome("miss")
    yield set_condition(scene, target.id, "grappled", token.id)
    return Outcome("hit", leaves="grappled")


def shove(scene: Scene, act: Act) -> Steps:
    """Shove a creature Prone (SRD-074)."""
    scene, token, target = yield from _begin_unarmed(scene, act)
    saved = yield from _save_against(token, target)
    result = "saved" if saved else "failed"
    yield Change(Explained(kind="grip", facts={"target": target.id, "result": result}))
    if saved:
        return Outcome("miss")
    yield set_condition(scene, target.id, "prone")
    return Outcome("hit", leaves="prone")


def escape(scene: Scene, act: Act) -> Steps:
    """Escape from a grapple (SRD-075)."""
    token = scene.token(act.token)
    yield Require(require_action, (scene, token, "act"))
    yield Require(_require_grappled, (token,))
    yield Change(Explained(kind="escape", facts={"token": token.id}))
    scene = yield from spend_action(scene, token)
    grappler = next((one for one in scene.tokens if one.id == token.conditions.get("grappled")), None)
    difficulty = difficulty_of(read_creature(grappler)) if grappler else 10
    one = read_creature(token)
    bonus = max(one.modifier("str"), one.modifier("dex")) - one.tired
    mode = -1 if "poisoned" in one.states else 0
    if (yield Call(passes, (localize("fifth_edition.roll_escape"), bonus, difficulty, mode))):
        yield set_condition(scene, token.id, "grappled", None)
        return Outcome("free")
    return Outcome("held")


def _require_grappled(token: Token) -> None:
    if not token.has("grappled"):
        raise IllegalAct(localize("fifth_edition.refuse_free", name=token.name), "SRD-075", "ban")


def stand(scene: Scene, act: Act) -> Steps:
    """Stand up for half of the Speed (SRD-023)."""
    token = scene.token(act.token)
    yield Require(_require_stand, (scene, token))
    yield Change(Explained(kind="stand", facts={"token": token.id}))
    cost = int(read_creature(token).speed // 2)
    scene = yield set_condition(scene, token.id, "prone", None)
    yield set_track(scene, token.id, "moved", token.track("moved") + cost)
    return Outcome("stood")


def _require_stand(scene: Scene, token: Token) -> None:
    require_turn(scene, token)
    one = read_creature(token)
    if not token.has("prone"):
        raise IllegalAct(localize("fifth_edition.refuse_not_prone", name=token.name), "SRD-023", "ban")
    if "unconscious" in one.states:
        raise IllegalAct(localize("fifth_edition.refuse_unconscious", name=token.name), "SRD-023", "ban")
    if travel(scene, token.id, 0).in_the_way(token.at or (0, 0)):
        raise IllegalAct(localize("fifth_edition.refuse_crowded", name=token.name), "SRD-035", "occupied")
    if one.speed <= 0:
        raise IllegalAct(localize("fifth_edition.refuse_no_speed", name=token.name), "SRD-023", "ban")
    cost, left = one.speed // 2, feet_left(scene, token)
    if left < cost:
        feet = {"cost": f"{cost:g}", "left": f"{left:g}"}
        raise CannotPay(localize("fifth_edition.refuse_stand", name=token.name, **feet), "SRD-023")
