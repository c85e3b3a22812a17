"""An attack: its numbers, its counter-attack, and a single attack with its odds (DBL-011 to DBL-037)."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.causes import walled_off
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Settled, Steps, body_of, yes_or_no
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack_rolls import AttackSpec, Band, DiceTest, Strike, roll_attack
from enfilade.rulesets.double_life.combat.damage import Tally, apply_tally, settle_victory
from enfilade.rulesets.double_life.plans import (
    mean_damage,
)
from enfilade.rulesets.double_life.profiles import (
    Character,
    Weapon,
    focus_value,
    race_of,
    read_character,
)
from enfilade.rulesets.double_life.sight import is_beyond_second_life, sight
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Value

AttackKind = Literal["attack", "counter-attack", "opportunity attack", "second-life"]
TargetStance = Literal["defends the front", "defends the left", "defends the right", "attacks", "easy target"]


class Attack(NamedTuple):
    """An attack of a round: who attacks whom with what, who defends, and whether the target is easy."""

    kind: AttackKind
    attacker: Character
    weapon: Weapon
    target: Character
    defenders: tuple[Character, ...] = ()
    is_easy: bool = False


def spec_of(scene: Scene, attack: Attack) -> AttackSpec:
    """Return the numbers of an attack: the tests of both sides and the damage (DBL-025, DBL-026, DBL-037)."""
    attacker, weapon = attack.attacker, attack.weapon
    is_focus = attack.kind == "second-life"
    value = focus_value(scene, attacker) if is_focus else attacker.attack
    return AttackSpec(
        test=DiceTest(attacker.id, "focus" if is_focus else "attack", value, race_of(scene, attacker)),
        defenses=tuple(
            DiceTest(one.id, "defense", one.defense, race_of(scene, one)) for one in attack.defenders
        ),
        is_easy=attack.is_easy,
        dice=weapon.dice,
        sides=weapon.sides,
        bonus=weapon.bonus,
        has_ladder=is_on(scene, house_rules.WEAPON_LADDER),
    )


def declare(scene: Scene, attack: Attack) -> Change:
    """Return the explanation of an attack before its dice (DBL-056)."""
    spec = spec_of(scene, attack)
    is_focus = attack.kind == "second-life"
    reason = localize("double_life.value_focus" if is_focus else "double_life.value_attack")
    rule = "DBL-037" if is_focus else "DBL-025"
    defenses = [
        {
            "reason": localize("double_life.value_defense", name=one.name),
            "value": -one.defense,
            "rule": "DBL-026",
            "counts": True,
        }
        for one in attack.defenders
    ]
    facts = {
        "token": attack.attacker.id,
        "target": attack.target.id,
        "act": attack.kind,
        "weapon": attack.weapon.name,
        "weapon_damage": attack.weapon.damage_text,
        "defenders": [one.id for one in attack.defenders],
        "easy": spec.is_easy,
        "modifiers": [{"reason": reason, "value": spec.test.value, "rule": rule, "counts": True}],
        "defenses": defenses,
    }
    return Change(Explained(kind="attack", facts=facts))


def best_weapon(character: Character) -> Weapon | None:
    """Return the contact weapon with the highest mean damage, for attacks that are not chosen."""
    return max(character.profile.weapons, key=mean_damage, default=None)


# Phase 2


def add_strike(
    tally: Tally, attack: Attack, strike: Strike, controlling: frozenset[str] = frozenset()
) -> None:
    """Add the effects of an attack to those of the phase.

    A second-life does damage only, and appears unless it misses (DBL-037, DBL-042). An attack on a character
    that controls a second-life forces a Focus test, also if it need not focus to have it (DBL-045). The ones
    in `controlling` do so by their plan.
    """
    if attack.target.controls_second_life or attack.target.id in controlling:
        tally.focus.append(attack.target.id)
    tally.add_damage(attack.target.id, strike.damage)
    if attack.kind == "second-life":
        if not attack.attacker.controls_second_life and strike.band not in ("total failure", "bad"):
            tally.appeared.append(attack.attacker.id)
        return
    defender = attack.defenders[0].id if attack.defenders else ""
    tally.add_attack(attack.attacker.id, attack.target.id, defender, strike.band)


def counter_attack(
    scene: Scene,
    tally: Tally,
    attack: Attack,
    strike: Strike,
    controlling: frozenset[str] = frozenset(),
) -> Steps:
    """Let the defender of a Bad attack or a Total Failure counter-attack (DBL-016, DBL-028, DBL-029, C-18).

    The first attacker does not defend, and no counter-attack follows a counter-attack. Returns its Strike, or
    None without one.
    """
    counter = answer_to(scene, attack) if strike.band in COUNTERED else None
    if counter is None:
        return None
    if setting(scene, house_rules.COUNTER_ATTACKS) == "ask":
        defender, opponent = counter.attacker, counter.target
        names = {"name": defender.name, "target": opponent.name, "weapon": counter.weapon.name}
        question = localize("double_life.ask_counter", **names)
        if (yield yes_or_no(defender.token.side, question, True, defender.id)) != "yes":
            return None
    yield declare(scene, counter)
    answer: Strike = yield Call(roll_attack, (spec_of(scene, counter),))
    add_strike(tally, counter, answer, controlling)
    return answer


COUNTERED: tuple[Band, ...] = ("bad", "total failure")
"""The bands of an attack that its defender may answer (DBL-028, DBL-029)."""


def answer_to(scene: Scene, attack: Attack) -> Attack | None:
    """Return the counter-attack of the first defender, if it has a weapon for it and is near enough."""
    if not attack.defenders:
        return None
    defender, opponent = attack.defenders[0], attack.attacker
    weapon = best_weapon(defender)
    if weapon is None or not battlefield(scene).can_strike(defender, opponent):
        return None
    return Attack("counter-attack", defender, weapon, opponent)


# A single attack


class AgainstStance(Value, frozen=True):
    """The stance of the target of a single attack."""

    stance: Annotated[TargetStance, Meta(title=localize("double_life.field_stance"))] = "defends the front"


def stated_attack(scene: Scene, act: Act) -> Attack:
    """Return the attack of an act alone, against the stance that it states.

    Raises NotFound for an unknown token, IllegalAct or OutOfReach if the two cannot fight, or not with that.
    """
    attacker, target = read_pair(scene, act)
    if act.kind == "attack":
        return _against(scene, attacker, _weapon_of(attacker, act), target, act)
    if not attacker.is_doubler:
        raise IllegalAct(
            localize("double_life.refuse_no_second_life", name=attacker.name), "DBL-042", "missing"
        )
    return Attack("second-life", attacker, attacker.second_life, target)


def single_attack(scene: Scene, act: Act) -> Steps:
    """Resolve one attack with a weapon against a stance of the target.

    Attacks are chosen with the round (DBL-003): this one is for the odds of a plan, and for the GM.
    """
    attack = stated_attack(scene, act)
    yield Require(_require_reach, (scene, attack.attacker, attack.target))
    return (yield from _resolve_single(scene, attack))


def single_second_life(scene: Scene, act: Act) -> Steps:
    """Resolve one Focus + Will test of a second-life at a target (DBL-037)."""
    attack = stated_attack(scene, act)
    yield Require(_require_second_life, (scene, attack.attacker, attack.target))
    return (yield from _resolve_single(scene, attack))


def read_pair(scene: Scene, act: Act) -> tuple[Character, Character]:
    """Return the attacker and the target of an act. Raises IllegalAct if they cannot fight each other."""
    attacker, target = read_character(scene.token(act.token)), read_character(scene.token(act.target))
    if attacker.token.at is None or target.token.at is None:
        raise OutOfReach(localize("double_life.refuse_off_board"), "DBL-052", "edge")
    if battlefield(scene).are_allies(attacker, target):
        raise IllegalAct(localize("double_life.refuse_ally", name=target.name), "DBL-011", "target")
    return attacker, target


def _named(attacker: Character, act: Act) -> list[Weapon]:
    return [one for one in attacker.profile.weapons if act.weapon in ("", one.name)]


def _weapon_of(attacker: Character, act: Act) -> Weapon:
    named = _named(attacker, act)
    if not named:
        sentence = localize("double_life.refuse_weapon", name=attacker.name, weapon=act.weapon)
        raise IllegalAct(sentence, "DBL-011", "missing")
    return named[0]


def _require_reach(scene: Scene, attacker: Character, target: Character) -> None:
    refused = _beyond_reach(scene, attacker, target)
    if refused is not None:
        raise refused


def _beyond_reach(scene: Scene, attacker: Character, target: Character) -> OutOfReach | None:
    hindrance = battlefield(scene).why_not(attacker, target)
    if not hindrance:
        return None
    rule = "DBL-054" if attacker.is_gnome else "DBL-055" if attacker.is_troll else "DBL-052"
    if hindrance == "wall":
        return walled_off(attacker.name, target.name, rule)
    sentence = localize("double_life.refuse_reach", name=attacker.name, target=target.name)
    return OutOfReach(sentence, rule, "distance")


def attack_refusal(scene: Scene, act: Act) -> IllegalAct | None:
    """Return the error that refuses an attack out of reach; None also if the two cannot fight with that."""
    attacker, target = read_character(scene.token(act.token)), read_character(scene.token(act.target))
    if attacker.token.at is None or target.token.at is None:
        return None
    if battlefield(scene).are_allies(attacker, target) or not _named(attacker, act):
        return None
    return _beyond_reach(scene, attacker, target)


def _require_second_life(scene: Scene, attacker: Character, target: Character) -> None:
    if not battlefield(scene).is_enemy(attacker, target):
        raise IllegalAct(localize("double_life.refuse_ally", name=target.name), "DBL-037", "target")
    if is_beyond_second_life(scene, attacker, target):
        sentence = localize("double_life.refuse_second_life", name=attacker.name, target=target.name)
        raise OutOfReach(sentence, "DBL-037", "distance")
    if unseen := sight(scene, attacker.token, target.token).why:
        sentence = localize("double_life.refuse_unseen", name=attacker.name, target=target.name, why=unseen)
        raise OutOfReach(sentence, "DBL-037", "sight")


def _against(scene: Scene, attacker: Character, weapon: Weapon, target: Character, act: Act) -> Attack:
    stance = body_of(act, AgainstStance).stance
    side = stance.removeprefix("defends the ")
    is_easy = target.is_fallen or stance == "easy target"
    is_defended = not is_easy and side in battlefield(scene).sides_of(target, attacker)
    return Attack("attack", attacker, weapon, target, (target,) if is_defended else (), is_easy)


def _resolve_single(scene: Scene, attack: Attack) -> Steps:
    yield declare(scene, attack)
    strike: Strike = yield Call(roll_attack, (spec_of(scene, attack),))
    damage = min(strike.damage, attack.target.health)
    leaves = localize("double_life.outcome_death") if damage == attack.target.health else ""
    outcome = Outcome(strike.band, damage, leaves)
    yield Settled(outcome)
    tally = Tally()
    add_strike(tally, attack, strike)
    yield from counter_attack(scene, tally, attack, strike)
    scene = yield from apply_tally(scene, tally)
    yield from settle_victory(scene)
    return outcome
