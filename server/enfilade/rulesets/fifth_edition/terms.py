"""The terms of an attack: its needed roll, with each reason for advantage or disadvantage (SRD-083)."""

from __future__ import annotations

from typing import NamedTuple

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.lasting import sources
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.d20 import Edge, edge
from enfilade.rules.house_rules import setting
from enfilade.rules.resolve import raise_refusal
from enfilade.rules.sheets import Attack
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import (
    BESIDE,
    COVER,
    can_see,
    contacts,
    cover,
    is_beside,
    is_covered,
    is_flanking,
    is_in_water,
    is_pressed,
    is_within,
)
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, Creature, creature_in, read_creature
from enfilade.scene.model import Scene, Token

HEAVY = 13
"""The ability score that a heavy weapon asks for (SRD-116)."""
APT_IN_MELEE = ("Dagger", "Javelin", "Shortsword", "Spear", "Trident")
APT_AT_RANGE = ("Hand Crossbow", "Heavy Crossbow", "Light Crossbow", "Dart", "Javelin", "Spear", "Trident")
"""The weapons that the older edition names for fights under water (SRD-190)."""
FLANK = 2
"""What flanking adds to an attack by the other house rule (SRD-192)."""


class Terms(NamedTuple):
    """The least face of the d20 that hits, the reasons, the modifiers, and whether hits are critical."""

    needed: int
    edge: Edge
    modifiers: tuple[str, ...]
    is_critical: bool


def _why(key: str, **values: object) -> str:
    return localize(f"fifth_edition.why_{key}", **values)


def is_ranged(scene: Scene, one: Creature, other: Creature, attack: Attack) -> bool:
    """Return whether an attack is made at range, because it does not reach the target in melee."""
    if attack.kind == "both":
        return not is_within(scene, one.token, other.token, attack.reach)
    return attack.kind == "ranged"


def enemy_refusal(scene: Scene, attacker: Token, target: Token, rule: str) -> IllegalAct | None:
    """Return what refuses a target that is no enemy, is out, or has charmed the attacker (SRD-146)."""
    if scene.are_allies(attacker, target):
        return IllegalAct(localize("fifth_edition.refuse_ally", name=target.name), rule, "target")
    if "out" in read_creature(target).states:
        return IllegalAct(localize("fifth_edition.refuse_out", name=target.name), "SRD-139", "target")
    if target.id in sources(attacker, "charmed"):
        return IllegalAct(localize("fifth_edition.refuse_charmed", name=attacker.name), "SRD-146", "ban")
    return None


def target_refusal(scene: Scene, attacker: Token, target: Token, attack: Attack) -> IllegalAct | None:
    """Return what refuses an attack on a target: who it is, or where (SRD-090, SRD-092, SRD-096)."""
    refused = enemy_refusal(scene, attacker, target, "SRD-055")
    if refused is not None:
        return refused
    spaces = contacts(scene).screens.spaces
    for one in (attacker, target):  # the game master may have taken either off the board
        if not spaces.is_placed(one):
            return IllegalAct(localize("battle.not_on_board", name=one.name), "SRD-012", "edge")
    apart, most = spaces.distance(attacker, target), attack.reach
    ranged = attack.kind != "melee" and (attack.kind == "ranged" or apart > spaces.length(most))
    if ranged:  # under water a shot beyond the normal range misses (SRD-191)
        is_near = attack.normal and is_hampered(scene, read_creature(attacker))
        most = attack.normal if is_near else max(attack.normal, attack.long)
    if apart > spaces.length(most):
        far = f"{spaces.in_feet(apart):g}"
        sentence = localize("fifth_edition.refuse_far", name=target.name, far=far, most=f"{most:g}")
        return OutOfReach(sentence, "SRD-090" if ranged else "SRD-092", "distance")
    if is_covered(scene, attacker, target):
        return OutOfReach(localize("fifth_edition.refuse_covered", name=target.name), "SRD-096", "sight")
    return None


def require_target(scene: Scene, attacker: Token, target: Token, attack: Attack) -> None:
    """Raise OutOfReach or IllegalAct unless an attack can be made on a target."""
    raise_refusal(target_refusal(scene, attacker, target, attack))


def is_target(scene: Scene, attacker: Token, target: Token, attack: Attack) -> bool:
    """Return whether an attack can be made on a target."""
    return target_refusal(scene, attacker, target, attack) is None


def terms(scene: Scene, attacker: Token, target: Token, attack: Attack) -> Terms:
    """Return the terms of an attack on a target."""
    one, other = creature_in(scene, attacker), creature_in(scene, target)
    ranged = is_ranged(scene, one, other, attack)
    covered = cover(scene, attacker, target)
    bonus = attack.bonus - (0 if one.profile.is_prepared else one.tired)
    armor = other.armor_class + COVER.get(covered, 0)
    modifiers = [_why("bonus", bonus=f"{bonus:+d}"), _why("armor", armor=other.armor_class)]
    if covered in COVER:
        modifiers.append(localize(f"fifth_edition.cover_{covered}"))
    near = is_beside(scene, attacker, target)
    reasons = edge(_helps(scene, one, other), _hindrances(scene, one, other))
    reasons |= _of_target(scene, one, other, near=near)
    reasons |= _of_weapon(scene, one, attack, ranged=ranged)
    if ranged:
        reasons |= _of_range(scene, one, other, attack)
    elif is_flanking(scene, attacker, target):
        if setting(scene, house_rules.FLANKING) == "advantage":
            reasons |= edge([_why("flanking")])
        else:
            bonus += FLANK
            modifiers.append(_why("flanking"))
    is_critical = near and not other.states.isdisjoint(("paralyzed", "unconscious"))
    return Terms(armor - bonus, reasons, tuple(modifiers), is_critical)


def _hindrances(scene: Scene, one: Creature, other: Creature) -> list[str]:
    """Return what in its state hinders an attacker (SRD-036, SRD-145 to SRD-158)."""
    against = [
        _why(state, name=one.name)
        for state in ("blinded", "poisoned", "prone", "restrained", "sapped")
        if state in one.states
    ]
    grips = sources(one.token, "grappled")
    if is_afraid(scene, one):
        against.append(_why("frightened", name=one.name))
    is_hindered = setting(scene, house_rules.GRAPPLE) == "save"
    if is_hindered and any(grip != other.id for grip in grips):
        against.append(_why("grappled", name=one.name))
    if one.is_worn(3):
        against.append(_why("exhausted", name=one.name))
    if is_pressed(scene, one.token):
        against.append(_why("pressed", name=one.name))
    return against


def _helps(scene: Scene, one: Creature, other: Creature) -> list[str]:
    """Return what in its state and in that of its target helps an attacker (SRD-061, SRD-094, SRD-184)."""
    for_it = []
    if "blinded" not in other.states and not can_see(scene, other.token, one.token):
        for_it.append(_why("unseen", name=one.name))
    if one.profile.has_pack_tactics and has_ally_beside(scene, one, other):
        for_it.append(_why("pack", name=one.name))
    if other.token.conditions.get("helped") not in (None, one.id) and _is_helped(scene, one, other):
        for_it.append(_why("helped"))
    if other.token.conditions.get("vexed", "").split(SEPARATOR)[0] == one.id:
        for_it.append(_why("vexed"))
    if one.is_frenzied:
        for_it.append(_why("frenzy", name=one.name))
    return for_it


def is_afraid(scene: Scene, one: Creature) -> bool:
    """Return whether a source of a creature's fear is in sight; one that is not named counts (SRD-147)."""
    if "frightened" not in one.states:
        return False
    known = {token.id: token for token in scene.tokens}
    there = [known.get(source) for source in sources(one.token, "frightened") or ("",)]
    screens = contacts(scene).screens
    return any(
        token is None or (screens.spaces.is_placed(token) and screens.sees(one.token, token))
        for token in (there if screens.spaces.is_placed(one.token) else ())
    )


def has_ally_beside(scene: Scene, one: Creature, other: Creature) -> bool:
    """Return whether an ally of a creature that can act is within 5 feet of another (SRD-184)."""
    return any(
        ally.id != one.id and scene.are_allies(ally, one.token) and read_creature(ally).can_act
        for ally in _beside(scene, other.token)
    )


def _beside(scene: Scene, token: Token) -> list[Token]:
    """Return the others within 5 feet of a creature."""
    spaces = contacts(scene).screens.spaces
    return [other for other in spaces.near(token, spaces.length(BESIDE)) if is_beside(scene, other, token)]


def _is_helped(scene: Scene, one: Creature, other: Creature) -> bool:
    helper = next((t for t in scene.tokens if t.id == other.token.conditions["helped"]), None)
    return helper is not None and scene.are_allies(helper, one.token)


def _of_target(scene: Scene, one: Creature, other: Creature, *, near: bool) -> Edge:
    """Return the reasons that lie in the target's state (SRD-060, SRD-093, SRD-094, SRD-145 to SRD-157)."""
    for_it = [
        _why(f"target_{state}", name=other.name)
        for state in ("blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious")
        if state in other.states
    ]
    if is_pressed(scene, other.token):
        for_it.append(_why("pressed", name=other.name))
    against: list[str] = []
    if "prone" in other.states:
        (for_it if near else against).append(_why("target_prone", name=other.name))
    sees = can_see(scene, one.token, other.token)
    if not sees and "blinded" not in one.states:
        against.append(_why("target_unseen", name=other.name))
    if other.is_dodging and can_see(scene, other.token, one.token):
        against.append(_why("target_dodging", name=other.name))
    return edge(for_it, against)


def _of_weapon(scene: Scene, one: Creature, attack: Attack, *, ranged: bool) -> Edge:
    """Return the reasons that lie in the weapon: heavy, or under water (SRD-116, SRD-190, SRD-191)."""
    against = []
    if "hvy" in attack.properties:
        is_small = one.profile.size in ("tiny", "small")
        score = one.score("dex" if ranged else "str")
        if is_small if setting(scene, house_rules.HEAVY) == "small" else score < HEAVY:
            against.append(_why("heavy", name=one.name))
    if is_hampered(scene, one) and not _is_apt(scene, attack, ranged=ranged):
        against.append(_why("underwater"))
    return edge((), against)


def _is_apt(scene: Scene, attack: Attack, *, ranged: bool) -> bool:
    """Return whether an attack is made under water as well as above it (SRD-190, SRD-191)."""
    if setting(scene, house_rules.UNDERWATER) == "list":
        return attack.name in (APT_AT_RANGE if ranged else APT_IN_MELEE)
    return not ranged and bool(attack.damage) and attack.damage[0].type == "piercing"


def is_hampered(scene: Scene, one: Creature) -> bool:
    """Return whether a creature is under water without a swimming speed (SRD-190, SRD-191)."""
    return is_in_water(scene, one.token) and not one.profile.speeds.get("swim")


def _of_range(scene: Scene, one: Creature, other: Creature, attack: Attack) -> Edge:
    """Return the reasons of an attack at range (SRD-090, SRD-091)."""
    against = []
    if not is_within(scene, one.token, other.token, attack.normal):
        against.append(_why("long_range"))
    if enemy := threat_beside(scene, one.id):
        against.append(_why("beside", name=enemy.name))
    return edge((), against)


@per_scene
def threat_beside(scene: Scene, token_id: str) -> Token | None:
    """Return an enemy within 5 feet of a creature that sees it and can act: it hinders shots (SRD-091)."""
    token = scene.token(token_id)
    for enemy in _beside(scene, token):
        is_threat = not scene.are_allies(enemy, token) and read_creature(enemy).can_act
        if is_threat and can_see(scene, enemy, token):
            return enemy
    return None
