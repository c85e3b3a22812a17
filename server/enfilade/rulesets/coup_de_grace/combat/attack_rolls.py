"""The die of an attack: its modifiers, the defense value against it, and its result (CDG-047 to CDG-065)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_owner
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Roll, Steps, yes_or_no
from enfilade.rules.values import Modifier, total
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.catalog import ITEMS, Held, Race
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.combat.effects import PLAIN, RACES, Again, Effect, zero_by_face
from enfilade.rulesets.coup_de_grace.combat.foci import ATTACKS
from enfilade.rulesets.coup_de_grace.combat.weapons import MELEE, RANGED, banners_over

EFFECTS: dict[Held, Effect] = dict.fromkeys(ITEMS, PLAIN) | MELEE | RANGED | ATTACKS

WARD = 2
"""The defense bonus of a warding hand (a mage's left open hand)."""


def effects_of(strike: Strike) -> list[tuple[str, Effect]]:
    """Return the effects of the attacker's race and weapon, with their names."""
    return _effects(strike.attacker.race, strike.item.name)


@cache
def _effects(race: Race, item: Held) -> list[tuple[str, Effect]]:
    return [(race, RACES[race]), (item, EFFECTS[item])]


def attack_modifiers(strike: Strike) -> list[Modifier]:
    """Return the modifiers of the attack die (CDG-053 to CDG-063)."""
    common = _melee(strike) if strike.is_melee else _ranged(strike)
    return [*common, *_modifier_while_downed(strike), *_of_effects(strike)]


def _melee(strike: Strike) -> Iterator[Modifier]:
    yield from _coordinated_attack(strike)
    if strike.is_backstab:
        yield Modifier(localize("coup_de_grace.modifier_backstab"), 1, "CDG-054")
    yield from _distraction(strike)
    if strike.is_coup_de_grace:
        yield Modifier(localize("coup_de_grace.modifier_coup_de_grace"), 1, "CDG-056")


def _coordinated_attack(strike: Strike) -> Iterator[Modifier]:
    battle, attacker = strike.battle, strike.attacker
    for ally in battle.beside(strike.to_cell):
        is_other = ally.id not in (attacker.id, strike.target.id)
        if is_other and battle.are_allies(attacker, ally) and battle.is_facing(ally, strike.to_cell):
            yield Modifier(localize("coup_de_grace.modifier_coordinated", name=ally.name), 1, "CDG-053")


def _distraction(strike: Strike) -> Iterator[Modifier]:
    battle, attacker = strike.battle, strike.attacker
    for enemy in battle.enemies_beside(attacker, strike.from_cell):
        if enemy.id != strike.target.id and battle.is_facing(enemy, strike.from_cell):
            yield Modifier(localize("coup_de_grace.modifier_distracted", name=enemy.name), -1, "CDG-055")


def _ranged(strike: Strike) -> Iterator[Modifier]:
    battle, attacker = strike.battle, strike.attacker
    downed_count = battle.is_on(house_rules.DOWNED_IN_THE_WAY)
    for ally in battle.beside(strike.to_cell):
        is_ally = ally.id != attacker.id and battle.are_allies(attacker, ally)
        if is_ally and (downed_count or not ally.is_downed):
            yield Modifier(localize("coup_de_grace.modifier_melee", name=ally.name), -1, "CDG-058")
    yield from _range_penalty(strike)


def range_penalty(steps: int, increment: int, is_downed: bool) -> int:
    """Return the range penalty at a range in cells; it doubles against a downed target (CDG-059, CDG-060)."""
    penalty = steps // increment if increment else 0
    return -penalty * 2 if is_downed else -penalty


def increment_of(strike: Strike) -> int:
    """Return the weapon's own range increment or that of the table; 0 means no range penalty (CDG-059)."""
    own = strike.item.increment
    return int(strike.battle.setting(house_rules.INCREMENT)) if own is None else own


def _range_penalty(strike: Strike) -> Iterator[Modifier]:
    steps = strike.range
    if steps is None:
        return
    penalty = range_penalty(steps, increment_of(strike), strike.target.is_downed)
    if penalty:
        yield Modifier(
            localize("coup_de_grace.modifier_range", steps=steps),
            penalty,
            "CDG-060" if strike.target.is_downed else "CDG-059",
        )


def _modifier_while_downed(strike: Strike) -> list[Modifier]:
    rule = "CDG-073" if strike.is_melee else "CDG-074"
    return (
        [Modifier(localize("coup_de_grace.modifier_attacker_downed"), -2, rule)]
        if strike.attacker.is_downed
        else []
    )


def _of_effects(strike: Strike) -> Iterator[Modifier]:
    for name, effect in effects_of(strike):
        if value := effect.to_hit(strike):
            yield Modifier(name, value, "CDG-063")
    if strike.is_melee and "entangled" in strike.target.token.conditions:
        yield Modifier(localize("coup_de_grace.modifier_entangled"), 1, "CDG-063")


def defense_modifiers(strike: Strike) -> list[Modifier]:
    """Return the parts of the defense value, its base first (ruling 23)."""
    return [_base(strike), *_guards(strike), *_against(strike)]


def _base(strike: Strike) -> Modifier:
    for name, effect in effects_of(strike):
        value = effect.base_defense(strike)
        if value is not None:
            return Modifier(localize("coup_de_grace.modifier_base_defense", name=name), value, "CDG-063")
    return Modifier(
        _armor_text(strike),
        strike.target.defense,
        "CDG-002",
    )


def _armor_text(strike: Strike) -> str:
    armor = strike.target.profile.armor
    if armor == "unarmored":
        return localize("coup_de_grace.modifier_unarmored")
    return localize("coup_de_grace.modifier_armor", armor=armor)


def _guards(strike: Strike) -> Iterator[Modifier]:
    target = strike.target
    race = RACES[target.race].guard(strike)
    if race:
        yield Modifier(target.race, race, "CDG-063")
    for item in target.items.values():
        value = EFFECTS[item.name].guard(strike)
        if value:
            yield Modifier(item.name, value, "CDG-065" if item.name == "shield" else "CDG-063")
    if banners_over(strike):
        yield Modifier(localize("coup_de_grace.modifier_banner"), 1, "CDG-063")
    if target.token.has("warded"):
        yield Modifier(localize("coup_de_grace.modifier_warded"), WARD, "CDG-063")


def _against(strike: Strike) -> Iterator[Modifier]:
    for name, effect in effects_of(strike):
        value = effect.against(strike)
        if value:
            yield Modifier(
                localize(
                    "coup_de_grace.modifier_against_armor", name=name, armor=strike.target.profile.armor
                ),
                value,
                "CDG-063",
            )


def _for_each_face(strike: Strike, bonuses: Sequence[Callable[[Strike, int], int]]) -> list[int]:
    """Return the sum of bonuses for each face of the die, in order."""
    special = [bonus for bonus in bonuses if bonus is not zero_by_face]  # few effects have any
    return [sum([bonus(strike, face) for bonus in special]) for face in SIX_FACES]


def face_modifiers(strike: Strike, face: int) -> list[Modifier]:
    """Return the weapon's modifiers for the face of the first die (CDG-063)."""
    found = ((name, effect.by_face(strike, face)) for name, effect in effects_of(strike))
    return [Modifier(name, value, "CDG-063") for name, value in found if value]


SIX_FACES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class AttackSpec:
    """Everything that the die of an attack depends on. It is small enough to be a key of a cache.

    Attributes:
        side: the side that decides about rerolls.
        needed: the die with its `face_bonuses` must reach this number.
        face_bonuses: the bonus for each face of the first die.
        damages: the damage of a hit for each face.
        rerolls: (face, source) of each possible reroll. Each source is used once.
        has_naturals: whether 1 always misses and 6 always hits.
        again: decides if the weapon attacks again.
    """

    side: str
    needed: int
    face_bonuses: tuple[int, ...]
    damages: tuple[int, ...]
    rerolls: tuple[tuple[int, str], ...]
    has_naturals: bool
    again: Again

    def is_hit(self, face: int, is_first: bool) -> bool:
        """Return whether a face hits (CDG-047). A rerolled die gets no bonus for its face."""
        if self.has_naturals and face in (1, 6):
            return face == 6
        return face + (self.face_bonuses[face - 1] if is_first else 0) >= self.needed


@dataclass(frozen=True, slots=True)
class RollResult:
    """The result of the die of an attack; results with equal consequences are equal.

    Odds then count them once, and a preview of many attacks stays quick.

    Attributes:
        is_hit: whether the attack hits.
        damage: the hit points that the target loses.
        attacks_again: whether another attack follows.
        rerolled: the sources of the rerolls.
        face: the final face of the die.
    """

    is_hit: bool
    damage: int
    attacks_again: bool
    rerolled: tuple[str, ...]
    face: int = field(compare=False)


def attack_die(spec: AttackSpec, number: int) -> Steps:
    """Roll the D6 of an attack, with the rerolls that its side wants; return a RollResult.

    `number` counts the attacks of one act.
    """
    (face,) = yield Roll(localize("coup_de_grace.roll_attack"), D6)
    used: tuple[str, ...] = ()
    while by := next((by for wanted, by in spec.rerolls if wanted == face and by not in used), ""):
        question = localize("coup_de_grace.ask_reroll", face=face, by=by)
        answer = yield yes_or_no(spec.side, question, default=not spec.is_hit(face, not used))
        if answer != "yes":
            break
        (face,) = yield Roll(localize("coup_de_grace.roll_attack_again"), D6)
        used = (*used, by)
    is_hit = spec.is_hit(face, not used)
    damage = spec.damages[face - 1] if is_hit else 0
    return RollResult(is_hit, damage, spec.again(face, is_hit, number), used, face)


@per_owner
def attack_spec(strike: Strike) -> AttackSpec:
    """Return everything that the die of a strike depends on."""
    attacker, spent = strike.attacker, strike.attacker.listed("rerolled")
    names, effects = (attacker.race, strike.weapon), [effect for _, effect in effects_of(strike)]
    rerolls = [(effect.reroll, name) for name, effect in zip(names, effects, strict=True)]
    return AttackSpec(
        side=attacker.token.side,
        needed=total(defenses_of(strike)) - total(modifiers_of(strike)),
        face_bonuses=tuple(_for_each_face(strike, [effect.by_face for effect in effects])),
        damages=tuple([max(0, 1 + more) for more in _for_each_face(strike, [e.damage for e in effects])]),
        rerolls=tuple((face, name) for face, name in rerolls if face and name not in spent),
        has_naturals=strike.battle.is_on(house_rules.NATURALS),
        again=PLAIN.again if _is_one_blow(strike) else effects[-1].again,
    )


def _is_one_blow(strike: Strike) -> bool:
    """Return whether the one act of a downed attacker is a single attack, by a house rule (CDG-071)."""
    return strike.attacker.is_downed and not strike.battle.is_on(house_rules.DOWNED_AGAIN)


@per_owner
def modifiers_of(strike: Strike) -> list[Modifier]:
    """Return the modifiers of a strike's die; cached."""
    return attack_modifiers(strike)


@per_owner
def defenses_of(strike: Strike) -> list[Modifier]:
    """Return the parts of the target's defense value; cached."""
    return defense_modifiers(strike)
