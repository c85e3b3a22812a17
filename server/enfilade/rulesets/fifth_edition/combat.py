"""Attacks: with weapons and unarmed, in the own turn and as reactions (SRD-055 to SRD-057, SRD-079)."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition
from enfilade.rules.d20 import attack_dice, attack_roll, rerolled
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    Outcome,
    Require,
    Rest,
    Settled,
    Steps,
    body_of,
    yes_or_no,
)  # fmt: skip
from enfilade.rules.resolve import raise_refusal
from enfilade.rules.sheets import Attack, Damage
from enfilade.rules.typed_damage import relevant
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, defenses, is_within
from enfilade.rulesets.fifth_edition.damage import hurt, roll_damage
from enfilade.rulesets.fifth_edition.hands import in_both_hands, require_hands, take_up
from enfilade.rulesets.fifth_edition.masteries import after_hit, cleft, grazes, mastery_of, modifier_with
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, Creature, read_creature
from enfilade.rulesets.fifth_edition.senses import HIDING, knows_place
from enfilade.rulesets.fifth_edition.terms import (
    Terms,
    is_ranged,
    require_target,
    target_refusal,
    terms,
)
from enfilade.rulesets.fifth_edition.turn import require_action, spend_attack, spend_bonus
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token, Value

SUCCESSES = ("hit", "critical")


class Strike(Value, frozen=True):
    """The body of an attack: it says whether a melee one spares who would fall (SRD-143)."""

    spares: bool = False


def pair(scene: Scene, act: Act) -> tuple[Token, Token]:
    """Return the actor and the target of an act. Raises OutOfReach if one is off the board."""
    attacker, target = scene.token(act.token), scene.token(act.target)
    placed = contacts(scene).screens.spaces.is_placed
    if attacker.id == target.id or not (placed(attacker) and placed(target)):
        raise OutOfReach(localize("fifth_edition.refuse_off_board"), "SRD-092", "edge")
    return attacker, target


def attack_named(creature: Creature, name: str) -> Attack:
    """Return an attack by its name. Raises IllegalAct."""
    if name not in creature.attacks:
        raise IllegalAct(
            localize("fifth_edition.refuse_weapon", name=creature.name, weapon=name), "SRD-055", "missing"
        )
    return creature.attacks[name]


# In the own turn


def attack(scene: Scene, act: Act) -> Steps:
    """Attack once; a Multiattack has several in one action (SRD-055 to SRD-057)."""
    attacker, target = pair(scene, act)
    weapon = attack_named(read_creature(attacker), act.weapon)
    yield Require(require_action, (scene, attacker, "attack"))
    yield Require(raise_refusal, (_series_refusal(attacker, weapon),))
    yield from _require_blow(scene, attacker, target, weapon)
    scene = yield from _spend(scene, attacker, weapon)
    return (yield from _attack(scene, act, weapon, "attack"))


def attack_refusal(scene: Scene, attacker: Token, target: Token, act: Act) -> IllegalAct | None:
    """Return what refuses an attack, if an action is left for it: those before it, or its target."""
    weapon = attack_named(read_creature(attacker), act.weapon)
    return _series_refusal(attacker, weapon) or target_refusal(scene, attacker, target, weapon)


def offhand(scene: Scene, act: Act) -> Steps:
    """Attack once more with another light weapon (SRD-117, SRD-126)."""
    attacker, target = pair(scene, act)
    one = read_creature(attacker)
    weapon = attack_named(one, act.weapon)
    is_nick = mastery_of(scene, one, weapon) == "nick" and not attacker.has("nicked")
    yield Require(require_action, (scene, attacker, "turn" if is_nick else "bonus"))
    yield Require(_require_light, (scene, one, weapon))
    yield from _require_blow(scene, attacker, target, weapon)
    if is_nick:
        scene = yield set_condition(scene, attacker.id, "nicked")
    else:
        scene = yield from spend_bonus(scene, attacker)
    scene = yield set_condition(scene, attacker.id, "lightly", None)
    return (yield from _attack(scene, act, without_bonus(one, weapon), "offhand"))


def without_bonus(one: Creature, weapon: Attack) -> Attack:
    """Return an attack without a positive ability modifier in its damage (SRD-117, SRD-124)."""
    less = max(0, modifier_with(one, weapon))
    parts = weapon.damage[:1] and (replace(weapon.damage[0], bonus=weapon.damage[0].bonus - less),)
    return replace(weapon, damage=(*parts, *weapon.damage[1:]))


def _attack(scene: Scene, act: Act, weapon: Attack, kind: str) -> Steps:
    """Take the weapon, spend a piece of ammunition, and roll."""
    attacker, target = scene.token(act.token), scene.token(act.target)
    ranged = is_ranged(scene, read_creature(attacker), read_creature(target), weapon)
    is_thrown = ranged and "thr" in weapon.properties
    scene = yield from take_up(scene, attacker, weapon, is_thrown=is_thrown)
    if "amm" in weapon.properties:
        spent = {**read_creature(attacker).shots, weapon.name: read_creature(attacker).shots[weapon.name] + 1}
        note = SEPARATOR.join(f"{count} {name}" for name, count in spent.items())
        scene = yield set_condition(scene, attacker.id, "shots", note)
    held = weapon if ranged else in_both_hands(read_creature(scene.token(attacker.id)), weapon)
    found = yield from explain(scene, scene.token(attacker.id), target, held, kind)
    if _is_wrong_guess(scene, act, target):
        yield from reveal(scene, attacker.id)
        facts = {"token": attacker.id, "target": target.id, "result": "miss"}
        yield Change(Explained(kind="miss", facts=facts))
        return Outcome("miss")
    spares = body_of(act, Strike).spares and not ranged
    return (yield Rest(strike, (attacker.id, target.id, held, found, spares)))


def _is_wrong_guess(scene: Scene, act: Act, target: Token) -> bool:
    """Return whether an attack on one that hides is made at a square where it is not (SRD-093)."""
    screens, attacker = contacts(scene).screens, scene.token(act.token)
    if act.at is None or knows_place(screens, attacker, target):
        return False
    return act.at not in screens.spaces.cells(target)


def _require_blow(scene: Scene, attacker: Token, target: Token, weapon: Attack) -> Steps:
    one = read_creature(attacker)
    is_thrown = "thr" in weapon.properties and is_ranged(scene, one, read_creature(target), weapon)
    yield Require(require_target, (scene, attacker, target, weapon))
    yield Require(_require_ammunition, (one, weapon))
    yield Require(_require_grip, (one, weapon, is_thrown))


def _require_grip(one: Creature, weapon: Attack, is_thrown: bool) -> None:
    require_hands(one, weapon, is_thrown=is_thrown)


def _require_ammunition(one: Creature, weapon: Attack) -> None:
    if "amm" in weapon.properties and one.shots[weapon.name] >= one.profile.ammunition:
        raise CannotPay(localize("fifth_edition.refuse_ammunition", name=one.name), "SRD-114")


def _series_refusal(attacker: Token, weapon: Attack) -> IllegalAct | None:
    """Return what refuses an attack after the others of its action (SRD-057, SRD-118)."""
    one = read_creature(attacker)
    used = one.listed("used") if attacker.track("attacks") else ()
    if not used:
        return None
    if "lod" in weapon.properties and weapon.name in used:
        return CannotPay(localize("fifth_edition.refuse_loading", weapon=weapon.name), "SRD-118")
    left = Counter(one.profile.routine) - Counter(used)
    if not one.profile.routine or left[weapon.name]:
        return None
    sentence = localize("fifth_edition.refuse_routine", name=one.name, weapon=weapon.name)
    return IllegalAct(sentence, "SRD-057", "missing")


def _require_light(scene: Scene, one: Creature, weapon: Attack) -> None:
    first = one.token.conditions.get("lightly")
    is_other = weapon.name != first or one.profile.weapons.count(weapon.name) > 1
    is_apt = setting(scene, house_rules.TWO_WEAPONS) == "light" or weapon.kind != "ranged"
    if first is None or "lgt" not in weapon.properties or not is_other or not is_apt:
        raise IllegalAct(
            localize("fifth_edition.refuse_light", name=one.name, weapon=weapon.name), "SRD-117", "missing"
        )


def _spend(scene: Scene, attacker: Token, weapon: Attack) -> Steps:
    """Spend one attack, and note what the next ones of the turn depend on; return the scene."""
    one = read_creature(attacker)
    is_first = not attacker.track("attacks")
    scene = yield from spend_attack(scene, attacker, weapon.name)
    if scene.token(attacker.id).track("attacks") or not is_first:
        used = (weapon.name,) if is_first else (*one.listed("used"), weapon.name)
        scene = yield set_condition(scene, attacker.id, "used", SEPARATOR.join(used))
    has_second = any("lgt" in other.properties for other in one.attacks.values() if other.name != weapon.name)
    if "lgt" in weapon.properties and (has_second or one.profile.weapons.count(weapon.name) > 1):
        scene = yield set_condition(scene, attacker.id, "lightly", weapon.name)
    return scene


def explain(scene: Scene, attacker: Token, target: Token, weapon: Attack, kind: str) -> Steps:
    """Explain an attack with each modifier and reason, also those that cancel (SRD-088); return its terms."""
    found = terms(scene, attacker, target, weapon)
    facts = {
        "token": attacker.id,
        "target": target.id,
        "weapon": weapon.name,
        "needed": max(2, min(20, found.needed)),
        "reasons": list(found.modifiers),
        "advantages": list(found.edge.advantage),
        "disadvantages": list(found.edge.disadvantage),
    }
    yield Change(Explained(kind=kind, facts=facts))
    return found


def reveal(scene: Scene, token: str) -> Steps:
    """End what an attack ends: hiding is over (SRD-064); return the scene."""
    if scene.token(token).conditions.get("invisible") == HIDING:
        scene = yield set_condition(scene, token, "invisible", None)
    return scene


# As a reaction


def opportunity(scene: Scene, attacker: str, target: str) -> Steps:
    """Make an opportunity attack with the best melee attack at hand (SRD-079); return the scene."""
    one, other = read_creature(scene.token(attacker)), scene.token(target)
    near = [weapon for weapon in one.threats if is_within(scene, one.token, other, weapon.reach)]
    weapon = max(near, key=lambda weapon: (sum(_mean(part) for part in weapon.damage), weapon.name))
    return (yield from react(scene, attacker, target, weapon, "opportunity"))


def react(scene: Scene, attacker: str, target: str, weapon: Attack, kind: str) -> Steps:
    """Spend the reaction on one attack (SRD-051); return the scene."""
    scene = yield set_condition(scene, attacker, "reacted")
    found = yield from explain(scene, scene.token(attacker), scene.token(target), weapon, kind)
    scene, _ = yield from struck(scene, attacker, target, weapon, found)
    return scene


def _mean(part: Damage) -> float:
    return part.dice * (part.sides + 1) / 2 + part.bonus


# The roll


def strike(
    scene: Scene, attacker: str, target: str, weapon: Attack, found: Terms, spares: bool = False
) -> Steps:
    """Roll an attack and what it does, with the second blow of a cleaving one; return its outcome."""
    scene, outcome = yield from struck(scene, attacker, target, weapon, found, spares=spares)
    second = []
    if outcome.result in SUCCESSES and weapon.mastery == "cleave" and weapon.kind == "melee":
        second = cleft(scene, scene.token(attacker), scene.token(target), weapon)
    if second:
        yield Settled(outcome)
        yield from _cleave(scene, attacker, second, weapon)
    return outcome


def _cleave(scene: Scene, attacker: str, enemies: list[Token], weapon: Attack) -> Steps:
    """Strike a second enemy, chosen among those in reach (SRD-124)."""
    token = scene.token(attacker)
    answers = [Answer(enemy.id, enemy.name, (enemy.id,)) for enemy in enemies]
    answers.append(Answer("", localize("fifth_edition.no_one")))
    question = localize("fifth_edition.ask_cleave", name=token.name)
    chosen = yield Choose(token.side, question, tuple(answers), answers[0].key, attacker)
    if not chosen:
        return
    scene = yield set_condition(scene, attacker, "cleaved")
    lesser = without_bonus(read_creature(token), weapon)
    found = yield from explain(scene, scene.token(attacker), scene.token(chosen), lesser, "cleave")
    yield from struck(scene, attacker, chosen, lesser, found)


def struck(
    scene: Scene, attacker: str, target: str, weapon: Attack, found: Terms, *, spares: bool = False
) -> Steps:
    """Roll an attack of known terms and what it does; return the scene and the outcome."""
    one, other = scene.token(attacker), scene.token(target)
    scene = yield from reveal(scene, attacker)  # the roll itself is still one from hiding
    scene, result = yield from _roll(scene, one, other, weapon, found)
    scene = yield from _spend_edges(scene, attacker, target)
    if result == "narrow":
        scene, result = yield from _parry(scene, target)
    if result == "hit" and found.is_critical:
        result = "critical"
    if result == "miss":
        return (yield from _missed(scene, one, other, weapon))
    parts = (*weapon.damage, *(weapon.edge_damage if found.edge.mode > 0 else ()))
    against = relevant(defenses(scene, read_creature(other)), [part.type for part in parts])
    dealt = yield Call(roll_damage, (parts, against, result == "critical"))
    facts = {"token": attacker, "target": target, "result": result, "damage": dealt}
    yield Change(Explained(kind="hit", facts=facts))
    types = tuple(part.type for part in parts)
    scene = yield from hurt(scene, target, dealt, result == "critical", types, spares=spares)
    if weapon.mastery or weapon.riders:
        scene = yield from after_hit(scene, attacker, target, weapon, dealt)
    return scene, Outcome(result, dealt, leaves(scene, target))


def _roll(scene: Scene, one: Token, other: Token, weapon: Attack, found: Terms) -> Steps:
    """Roll the die, and once more one of its dice for who is inspired (SRD-087); return the result."""
    least, guard = read_creature(one).profile.critical, guard_of(scene, one, other, weapon)
    label, mode = localize("fifth_edition.roll_attack"), found.edge.mode
    numbers = (label, found.needed, mode, least, guard)
    if not one.has("inspired"):
        return scene, (yield Call(attack_roll, numbers))
    results = yield Call(attack_dice, numbers)
    result = results[-1] if mode > 0 else results[0]
    question = localize("fifth_edition.ask_reroll", name=one.name)
    if result != "miss" or (yield yes_or_no(one.side, question, True, one.id)) != "yes":
        return scene, result
    scene = yield set_condition(scene, one.id, "inspired", None)
    new = yield Call(attack_roll, (label, found.needed, 0, least, guard))
    return scene, rerolled(results, new, mode)


def guard_of(scene: Scene, one: Token, other: Token, weapon: Attack) -> int:
    """Return what a parry of the target may add to its armor class (SRD-185)."""
    target = read_creature(other)
    is_able = target.profile.parry and target.can_act and not other.has("reacted")
    return target.profile.parry if is_able and not is_ranged(scene, read_creature(one), target, weapon) else 0


def _parry(scene: Scene, target: str) -> Steps:
    """Ask for the parry that turns a narrow hit into a miss (SRD-185); return the scene and the result."""
    token = scene.token(target)
    question = localize("fifth_edition.ask_parry", name=token.name)
    if (yield yes_or_no(token.side, question, True, target)) != "yes":
        return scene, "hit"
    yield Change(Explained(kind="parry", facts={"token": target}))
    return (yield set_condition(scene, target, "reacted")), "miss"


def _spend_edges(scene: Scene, attacker: str, target: str) -> Steps:
    """End what counted for one attack roll alone (SRD-061, SRD-128, SRD-131); return the scene."""
    if scene.token(target).conditions.get("helped") not in (None, attacker):
        scene = yield set_condition(scene, target, "helped", None)
    if scene.token(target).conditions.get("vexed", "").split(SEPARATOR)[0] == attacker:
        scene = yield set_condition(scene, target, "vexed", None)
    if scene.token(attacker).has("sapped"):
        scene = yield set_condition(scene, attacker, "sapped", None)
    return scene


def _missed(scene: Scene, one: Token, other: Token, weapon: Attack) -> Steps:
    """Miss; a grazing weapon still deals its ability modifier (SRD-125)."""
    graze = grazes(scene, read_creature(one), weapon)
    against = defenses(scene, read_creature(other))
    parts = (Damage(bonus=graze, type=weapon.damage[0].type),) if graze else ()
    dealt = yield from roll_damage(parts, against, False)
    facts = {"token": one.id, "target": other.id, "result": "miss", "damage": dealt}
    yield Change(Explained(kind="graze" if dealt else "miss", facts=facts))
    scene = yield from hurt(scene, other.id, dealt, False, tuple(part.type for part in parts))
    return scene, Outcome("miss", dealt, leaves(scene, other.id) if dealt else "")


def leaves(scene: Scene, target: str) -> str:
    """Return what an attack leaves a target as, for its outcome."""
    token = scene.token(target)
    return "out" if token.has("out") else "dying" if token.has("dying") else ""
