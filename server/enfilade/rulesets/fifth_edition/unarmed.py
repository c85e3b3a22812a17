"""Grapple and shove, and how to get free (SRD-071 to SRD-076)."""

from __future__ import annotations

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps
from enfilade.rules.resolve import raise_refusal
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import is_beside
from enfilade.rulesets.fifth_edition.checks import check, check_total, save
from enfilade.rulesets.fifth_edition.combat import pair, reveal
from enfilade.rulesets.fifth_edition.damage import afflict
from enfilade.rulesets.fifth_edition.hands import free_hands
from enfilade.rulesets.fifth_edition.holds import let_go
from enfilade.rulesets.fifth_edition.masteries import grip, push
from enfilade.rulesets.fifth_edition.profiles import Ability, Creature, read_creature
from enfilade.rulesets.fifth_edition.terms import enemy_refusal
from enfilade.rulesets.fifth_edition.turn import require_action, require_turn, spend_action, spend_attack
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

SHOVED = 5
"""The feet of a shove (SRD-074)."""


def difficulty_of(one: Creature) -> int:
    """Return the difficulty of a creature's grapples and shoves, or that of its own attack (SRD-072)."""
    riders = [rider for attack in one.profile.attacks for rider in attack.riders]
    own = [rider.difficulty for rider in riders if rider.condition == "grappled" and not rider.save]
    return max(own, default=0) or 8 + one.modifier("str") + one.profile.proficiency


def grip_refusal(scene: Scene, token: Token, target: Token, act: Act) -> IllegalAct | None:
    """Return what refuses that a creature with an attack left grapples or shoves another (SRD-071)."""
    refused = enemy_refusal(scene, token, target, "SRD-071")
    if refused is not None:
        return refused
    if not is_beside(scene, token, target):
        return IllegalAct(localize("fifth_edition.refuse_beside", name=target.name), "SRD-071", "distance")
    one = read_creature(token)
    if read_creature(target).rank > one.rank + 1:
        return IllegalAct(localize("fifth_edition.refuse_large", name=target.name), "SRD-072", "target")
    if act.kind == "grapple" and (free_hands(one) < 1 or target.id in one.listed("grappling")):
        return IllegalAct(localize("fifth_edition.refuse_grip", name=token.name), "SRD-073", "missing")
    return None


def _unarmed(scene: Scene, act: Act) -> Steps:
    """Spend an attack on a grip; return the scene and whether the target saves (SRD-072)."""
    token, target = pair(scene, act)
    yield Require(require_action, (scene, token, "attack"))
    yield Require(raise_refusal, (grip_refusal(scene, token, target, act),))
    yield Change(Explained(kind=act.kind, facts={"token": token.id, "target": target.id}))
    scene = yield from spend_attack(scene, token)
    scene = yield from reveal(scene, token.id)
    if setting(scene, house_rules.GRAPPLE) == "contest":
        scene, wanted, total = yield from _contest(scene, token, target)
        is_held = total >= wanted
    else:
        other = read_creature(target)
        ability: Ability = "dex" if other.save("dex") >= other.save("str") else "str"
        scene, is_held = yield from save(scene, target.id, ability, difficulty_of(read_creature(token)))
    facts = {"target": target.id, "result": "saved" if is_held else "failed"}
    yield Change(Explained(kind="grip", facts=facts))
    return scene, is_held


def _contest(scene: Scene, token: Token, target: Token) -> Steps:
    """Contend with Athletics against Athletics or Acrobatics, by the older rule (SRD-072, SRD-075).

    Return the scene and both totals. Of equal ones nothing changes.
    """
    own, others = read_creature(token).skill("athletics"), read_creature(target).agility()
    scene, wanted = yield from check_total(scene, token.id, "athletics", own)
    scene, total = yield from check_total(scene, target.id, "escape", others)
    return scene, wanted, total


def grapple(scene: Scene, act: Act) -> Steps:
    """Grapple a creature with a free hand (SRD-073)."""
    scene, is_saved = yield from _unarmed(scene, act)
    if is_saved:
        return Outcome("miss")
    yield from grip(scene, act.token, act.target)
    return Outcome("hit", leaves="grappled")


def shove(scene: Scene, act: Act) -> Steps:
    """Shove a creature Prone (SRD-074)."""
    scene, is_saved = yield from _unarmed(scene, act)
    if is_saved:
        return Outcome("miss")
    yield from afflict(scene, act.target, "prone")
    return Outcome("hit", leaves="prone")


def shove_away(scene: Scene, act: Act) -> Steps:
    """Shove a creature 5 feet away (SRD-074)."""
    scene, is_saved = yield from _unarmed(scene, act)
    if is_saved:
        return Outcome("miss")
    yield from push(scene, scene.token(act.token), act.target, SHOVED)
    return Outcome("hit")


def escape(scene: Scene, act: Act) -> Steps:
    """Escape from a grapple (SRD-075)."""
    token = scene.token(act.token)
    yield Require(require_action, (scene, token, "act"))
    yield Require(_require_grappled, (token,))
    yield Change(Explained(kind="escape", facts={"token": token.id}))
    scene = yield from spend_action(scene, token)
    grappler = next((one for one in scene.tokens if one.id == token.conditions.get("grappled")), None)
    if grappler and setting(scene, house_rules.GRAPPLE) == "contest":
        scene, wanted, total = yield from _contest(scene, grappler, token)
        is_free = total > wanted
    else:
        difficulty = difficulty_of(read_creature(grappler)) if grappler else 10
        scene, is_free = yield from check(
            scene, token.id, "escape", read_creature(token).agility(), difficulty
        )
    if not is_free:
        return Outcome("held")
    if grappler:
        yield from let_go(scene, grappler.id, token.id)
    else:
        yield set_condition(scene, token.id, "grappled", None)
    return Outcome("free")


def _require_grappled(token: Token) -> None:
    if not token.has("grappled"):
        raise IllegalAct(localize("fifth_edition.refuse_free", name=token.name), "SRD-075", "ban")


def release_grip(scene: Scene, act: Act) -> Steps:
    """Let go of a grappled creature, which is free (SRD-076)."""
    token, target = scene.token(act.token), scene.token(act.target)
    yield Require(require_turn, (scene, token))
    yield Require(_require_holding, (token, target))
    yield Change(Explained(kind="let_go", facts={"token": token.id, "target": target.id}))
    yield from let_go(scene, token.id, target.id)
    return Outcome("let go")


def _require_holding(token: Token, target: Token) -> None:
    if target.conditions.get("grappled") != token.id:
        raise IllegalAct(localize("fifth_edition.refuse_free", name=target.name), "SRD-076", "ban")
