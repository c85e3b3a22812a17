"""Other actions: Dash, Disengage, Dodge, Help, Hide, Ready (SRD-052, SRD-058 to SRD-070, SRD-141)."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Procedure, Require, Rest, Steps
from enfilade.rules.resolve import raise_refusal
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, cover, is_beside, seeing
from enfilade.rulesets.fifth_edition.checks import check, check_total
from enfilade.rulesets.fifth_edition.combat import attack_named, explain, pair, reveal, strike
from enfilade.rulesets.fifth_edition.damage import KNOCKED_OUT, afflict, stabilize, wake
from enfilade.rulesets.fifth_edition.effects import hold_spell, require_left
from enfilade.rulesets.fifth_edition.profiles import creature_in, read_creature
from enfilade.rulesets.fifth_edition.senses import HIDING, is_dimmed
from enfilade.rulesets.fifth_edition.terms import enemy_refusal, require_target
from enfilade.rulesets.fifth_edition.turn import (
    MOVE,
    has_readied,
    part_for,
    require_action,
    require_turn,
    spend,
    spend_action,
)  # fmt: skip
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

HIDE = 15
"""The least total that hides (SRD-063)."""
FIRST_AID = 10
"""The difficulty of first aid (SRD-141)."""


def _begin(scene: Scene, act: Act) -> Steps:
    """Require and spend the action, or the bonus action that a feature allows (SRD-050); return the scene."""
    token = scene.token(act.token)
    part = part_for(token, act.kind)
    yield Require(require_action, (scene, token, part))
    yield Change(Explained(kind=act.kind, facts={"token": token.id}))
    return (yield from spend(scene, token, part))


def _simple(kind: str, condition: str = "") -> Procedure:
    """Return the procedure of an action that sets a condition on its creature, or does nothing (SRD-070)."""

    def procedure(scene: Scene, act: Act) -> Steps:
        scene = yield from _begin(scene, act)
        if condition:
            yield set_condition(scene, act.token, condition)
        return Outcome(kind)

    return procedure


disengage = _simple("disengage", "disengaged")
dodge = _simple("dodge", "dodging")
utilize = _simple("utilize")
influence = _simple("influence")
study = _simple("study")


def dash(scene: Scene, act: Act) -> Steps:
    """Move farther in this turn, by the Speed or by a special speed (SRD-058)."""
    scene = yield from _begin(scene, act)
    token = scene.token(act.token)
    one = creature_in(scene, token)
    feet = next((own for mode, own in one.speeds.items() if mode == act.weapon), one.speed)
    yield set_track(scene, token.id, "extra", token.track("extra") + int(feet))
    return Outcome("dash")


def interact(scene: Scene, act: Act) -> Steps:
    """Use an object: once in a turn it is free, then it is the Utilize action (SRD-052)."""
    token = scene.token(act.token)
    if token.has("interacted"):
        return (yield from utilize(scene, act))
    yield Require(require_turn, (scene, token))
    yield Change(Explained(kind="interact", facts={"token": token.id}))
    yield set_condition(scene, token.id, "interacted")
    return Outcome("interacted")


# Help


def assist(scene: Scene, act: Act) -> Steps:
    """Help an ally against an enemy within 5 feet (SRD-061)."""
    return (yield from _help(scene, act, "helped", help_refusal))


def aid(scene: Scene, act: Act) -> Steps:
    """Help an ally within 5 feet with its next check (SRD-062)."""
    return (yield from _help(scene, act, "aided", _aid_refusal))


def _help(scene: Scene, act: Act, condition: str, refusal: Callable[..., IllegalAct | None]) -> Steps:
    token, target = pair(scene, act)
    yield Require(require_action, (scene, token, "act"))
    yield Require(raise_refusal, (refusal(scene, token, target, act),))
    yield Change(Explained(kind=act.kind, facts={"token": token.id, "target": target.id}))
    scene = yield from spend_action(scene, token)
    yield set_condition(scene, target.id, condition, token.id)
    return Outcome("helped")


def first_aid(scene: Scene, act: Act) -> Steps:
    """Stabilize a dying ally, or wake one that was knocked out (SRD-141, SRD-143)."""
    token, target = pair(scene, act)
    yield Require(require_action, (scene, token, "act"))
    yield Require(_require_patient, (scene, token, target))
    yield Change(Explained(kind=act.kind, facts={"token": token.id, "target": target.id}))
    scene = yield from spend_action(scene, token)
    bonus = read_creature(token).skill("medicine")
    scene, is_made = yield from check(scene, token.id, "medicine", bonus, FIRST_AID)
    if not is_made:
        return Outcome("failed")
    yield from stabilize(scene, target.id) if target.has("dying") else wake(scene, target.id, 1)
    return Outcome("stable" if target.has("dying") else "awake")


def _require_patient(scene: Scene, token: Token, target: Token, rule: str = "SRD-141") -> None:
    raise_refusal(_friend_refusal(scene, token, target, rule))
    if not target.has("dying") and target.conditions.get("unconscious") != KNOCKED_OUT:
        raise IllegalAct(localize("fifth_edition.refuse_aid", name=target.name), rule, "target")


def _friend_refusal(scene: Scene, token: Token, target: Token, rule: str) -> IllegalAct | None:
    if not scene.are_allies(token, target):
        return IllegalAct(localize("fifth_edition.refuse_friend", name=target.name), rule, "target")
    return _far_refusal(scene, token, target, rule)


def help_refusal(scene: Scene, token: Token, target: Token, act: Act) -> IllegalAct | None:
    """Return what refuses that a creature with an action left helps against another (SRD-061)."""
    del act
    refused = enemy_refusal(scene, token, target, "SRD-061")
    return _far_refusal(scene, token, target, "SRD-061") if refused is None else refused


def _aid_refusal(scene: Scene, token: Token, target: Token, act: Act) -> IllegalAct | None:
    del act
    return _friend_refusal(scene, token, target, "SRD-062")


def _far_refusal(scene: Scene, token: Token, target: Token, rule: str) -> IllegalAct | None:
    if is_beside(scene, token, target):
        return None
    return IllegalAct(localize("fifth_edition.refuse_beside", name=target.name), rule, "distance")


# Ready


def ready(scene: Scene, act: Act) -> Steps:
    """Ready an attack, a move or a spell, for later in the round (SRD-068, SRD-069)."""
    token = scene.token(act.token)
    spell = next((one for one in read_creature(token).profile.effects if one.name == act.weapon), None)
    if spell is not None:
        yield Require(require_left, (scene, token, spell, 0))
    elif act.weapon != MOVE:
        attack_named(read_creature(token), act.weapon)
    scene = yield from _begin(scene, act)
    if spell is not None:
        scene = yield from hold_spell(scene, token, spell)
    yield set_condition(scene, token.id, "readied", act.weapon)
    return Outcome("readied")


def release(scene: Scene, act: Act) -> Steps:
    """Make the attack that was readied, as the reaction to what it waited for (SRD-068)."""
    attacker, target = pair(scene, act)
    yield Require(_require_readied, (attacker,))
    weapon = attack_named(read_creature(attacker), attacker.conditions.get("readied", ""))
    yield Require(require_target, (scene, attacker, target, weapon))
    for condition, note in (("readied", None), ("reacted", "")):
        scene = yield set_condition(scene, attacker.id, condition, note)
    found = yield from explain(scene, scene.token(attacker.id), target, weapon, "readied")
    return (yield Rest(strike, (attacker.id, target.id, weapon, found)))


def _require_readied(token: Token) -> None:
    if not has_readied(token) or token.conditions["readied"] == MOVE:
        raise IllegalAct(localize("fifth_edition.refuse_readied", name=token.name), "SRD-068", "ban")


# Hide


def hide(scene: Scene, act: Act) -> Steps:
    """Hide where no enemy sees well: the total is what finds it (SRD-063)."""
    token = scene.token(act.token)
    yield Require(_require_hidden, (scene, token))
    scene = yield from _begin(scene, act)
    scene, total = yield from check_total(scene, token.id, "stealth", read_creature(token).skill("stealth"))
    is_contest = setting(scene, house_rules.HIDING) == "contest"
    if not _beats_notice(scene, token, total) if is_contest else total < HIDE:
        return Outcome("seen")
    scene = yield set_track(scene, token.id, "hidden", total)
    yield set_condition(scene, token.id, "invisible", HIDING)
    return Outcome("hidden")


def _beats_notice(scene: Scene, token: Token, total: int) -> bool:
    """Return whether a total of Stealth beats the passive Perception of an enemy."""
    enemies = map(read_creature, contacts(scene).enemies(token))
    return any(one.can_act and total > 10 + one.skill("perception") for one in enemies)


def _require_hidden(scene: Scene, token: Token) -> None:
    if token.at is None:
        raise IllegalAct(localize("fifth_edition.refuse_off_board"), "SRD-063", "edge")
    for enemy in seeing(scene, contacts(scene).threats(token), token):
        if cover(scene, enemy, token) != "three_quarters":
            raise IllegalAct(localize("fifth_edition.refuse_hide", enemy=enemy.name), "SRD-063", "sight")


def search(scene: Scene, act: Act) -> Steps:
    """Search for those who hide: a total of theirs or more finds one (SRD-064, SRD-065)."""
    token = scene.token(act.token)
    scene = yield from _begin(scene, act)
    hiders = [one for one in contacts(scene).enemies(token) if one.conditions.get("invisible") == HIDING]
    skill, screens = read_creature(token).skill("perception"), contacts(scene).screens
    is_dim = any(is_dimmed(screens, token, one) for one in hiders)
    scene, total = yield from check_total(scene, token.id, "perception", skill, is_dim)
    found = [one for one in hiders if one.track("hidden") <= total and screens.sees(token, one)]
    for one in found:
        scene = yield from reveal(scene, one.id)
    return Outcome("found" if found else "nothing")


def douse(scene: Scene, act: Act) -> Steps:
    """Put out the fire on oneself, on the ground (SRD-159)."""
    scene = yield from _begin(scene, act)
    scene = yield set_condition(scene, act.token, "burning", None)
    yield from afflict(scene, act.token, "prone")
    return Outcome("doused")
