"""The legality of a target, and the numbers of an attack: pools, modifiers and further targets."""

from __future__ import annotations

from typing import Literal, NamedTuple

from enfilade.errors import Cause
from enfilade.i18n import localize
from enfilade.rules.battle.memo import recent
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import attack_in_words
from enfilade.rules.values import Modifier, total
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.combat.damage import is_immune
from enfilade.rulesets.torn.dice import CRITICAL, SUCCESS, AttackSpec, Shield, table_dice
from enfilade.rulesets.torn.positions import distance, enemies, hex_distance, miniatures, miniatures_in
from enfilade.rulesets.torn.profiles import Marker, Miniature, Tile, distance_text
from enfilade.rulesets.torn.sight import defense_zone, is_in_smoke, unseen_reason
from enfilade.scene.model import Scene

Occasion = Literal["attack", "area", "group", "counter", "free"]


class Refusal(NamedTuple):
    """Why a target is refused: the sentence, the ID of the rule, and what is in the way."""

    sentence: str
    rule: str
    cause: Cause


class AttackInstance(NamedTuple):
    """One of several simultaneous attacks: its occasion, the ids of its miniatures, and its dice.

    `beside` are the equally near targets that its failed dice may hit (TRN-061).
    """

    occasion: Occasion
    attacker: str
    defender: str
    defender_name: str
    tile: str
    spec: AttackSpec
    marker: Marker | Literal[""] = ""
    beside: tuple[AttackInstance, ...] = ()
    attacker_name: str = ""

    @property
    def topic(self) -> str:
        """Return the attack in a few words, for the questions about its dice."""
        return attack_in_words(self.attacker_name, self.tile, self.defender_name)


@recent
def build_attack(
    scene: Scene, occasion: Occasion, attacker: Miniature, tile: Tile, defender: Miniature
) -> AttackInstance:
    """Build the attack of one miniature on another with a tile."""
    immune = is_immune(defender, tile.type)
    dice = max(0, total(defense_modifiers(scene, attacker, tile, defender)))
    spec = AttackSpec(
        attacker_side=attacker.token.side,
        defender_side=defender.token.side,
        dice=table_dice(scene),
        pool=tile.pool,
        shield=Shield(dice, defender.profile.agility),
        damage=0 if immune else tile.damage,
        defender_wounds=max(defender.wounds, 0),
        return_damage=_return_damage(scene, occasion, attacker, tile, defender),
        attacker_wounds=max(attacker.wounds, 0),
        must_evade=tile.damage >= defender.profile.wounds,
        rerolled_faces=low_visibility_faces(scene, tile, defender),
        is_on_ally=scene.are_allies(attacker.token, defender.token),
    )
    marker = "" if immune else tile.marker
    ids = (attacker.id, defender.id)
    return AttackInstance(occasion, *ids, defender.name, tile.name, spec, marker, attacker_name=attacker.name)


def defense_modifiers(scene: Scene, attacker: Miniature, tile: Tile, defender: Miniature) -> list[Modifier]:
    """Return the Defense dice of the shield, and each die that the situation adds or removes.

    Rules: TRN-057, TRN-087, TRN-096.
    """
    found = [Modifier(localize("torn.modifier_shield"), defender.profile.defense, "TRN-017")]
    if has_advantage(scene, attacker, tile, defender):
        found.append(Modifier(localize("torn.modifier_landscape"), 1, "TRN-057"))
    dice = int(setting(scene, house_rules.PROTECTION_DICE))
    if tile.type in defender.profile.protected:
        found.append(Modifier(localize("torn.modifier_protection", type=tile.type), dice, "TRN-087"))
    if tile.type in defender.profile.vulnerable:
        found.append(Modifier(localize("torn.modifier_vulnerability", type=tile.type), -dice, "TRN-087"))
    if tile.ethereal and defender.has("ether protection"):
        found.append(Modifier(localize("torn.modifier_ether_protection"), dice, "TRN-096"))
    return found


def has_advantage(scene: Scene, attacker: Miniature, tile: Tile, defender: Miniature) -> bool:
    """Return whether a large miniature has the advantage of landscape (TRN-057 to TRN-060)."""
    if tile.kind != "ranged" and setting(scene, house_rules.ADVANTAGE) == "ranged":
        return False
    if defender.profile.size != "large":
        return False
    zone = defense_zone(scene, defender, attacker)
    field = battlefield(scene)
    return any(hexon in zone for hexon in field.hexons_of(field.body(attacker)))


def _return_damage(
    scene: Scene, occasion: Occasion, attacker: Miniature, tile: Tile, defender: Miniature
) -> int:
    """Return the wounds of a defense critical: the best melee tile in range (TRN-024, TRN-037, TRN-073)."""
    if occasion == "free" or tile.kind == "ranged" or tile.is_harmless:
        return 0
    in_reach = (
        melee
        for melee in defender.melee_tiles
        if not is_immune(attacker, melee.type) and _is_in_range(scene, defender, melee, attacker)
    )
    return max((melee.damage for melee in in_reach), default=0)


def _is_in_range(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> bool:
    return distance(scene, attacker, target, tile.unit) <= tile.range


def low_visibility_faces(scene: Scene, tile: Tile, defender: Miniature) -> str:
    """Return the attack faces that low visibility rerolls, if the defender is in smoke (TRN-043)."""
    if tile.kind != "ranged" or not is_in_smoke(scene, defender):
        return ""
    return SUCCESS + CRITICAL if is_on(scene, house_rules.LOW_VISIBILITY_CRITICALS) else SUCCESS


def others_in_hexon(scene: Scene, attacker: Miniature, target: Miniature) -> list[Miniature]:
    """Return the others in the Hexon of an Area Attack's target, allies by a house rule (TRN-011)."""
    field, hits_allies = battlefield(scene), is_on(scene, house_rules.AREA_ALLIES)
    area = field.hexons_of(field.body(target))
    return [
        other
        for other in miniatures(scene)
        if other.id not in (attacker.id, target.id)
        and not area.isdisjoint(field.hexons_of(field.body(other)))
        and (hits_allies or not scene.are_allies(attacker.token, other.token))
    ]


@recent
def group_targets(
    scene: Scene, attacker: Miniature, tile: Tile, target: Miniature
) -> tuple[AttackInstance, ...]:
    """Return attacks on the miniatures beside a ranged attack's target that are nearest the attacker.

    They may be allies (TRN-061). An Area Attack does not spread.
    """
    if tile.kind != "ranged" or tile.is_harmless or tile.area:
        return ()
    field = battlefield(scene)
    candidates = [
        other
        for other in miniatures_in(scene, field.adjacent_hexes(field.body(target)))
        if other.id not in (attacker.id, target.id)
        and _is_in_range(scene, attacker, tile, other)
        and not unseen_reason(scene, attacker, other)
    ]
    steps = {other.id: hex_distance(scene, attacker, other) for other in candidates}
    nearest = [other for other in candidates if steps[other.id] == min(steps.values())]
    return tuple(build_attack(scene, "group", attacker, tile, other) for other in nearest)


@recent
def target_refusal(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Refusal | None:
    """Return why a target is refused; None if it is legal.

    Rules: TRN-006 to TRN-012, TRN-036, TRN-038.
    """
    if scene.are_allies(attacker.token, target.token):
        if tile.area:
            return Refusal(localize("torn.refuse_area_ally", target=target.name), "TRN-011", "target")
        if not tile.is_harmless:
            return Refusal(localize("torn.refuse_ally", target=target.name), "TRN-010", "target")
    steps = distance(scene, attacker, target, tile.unit)
    if steps > tile.range:
        sentence = localize(
            "torn.refuse_range",
            target=target.name,
            distance=distance_text(steps, tile.unit),
            tile=tile.name,
            range=distance_text(tile.range, tile.unit),
        )
        return Refusal(sentence, "TRN-006", "distance")
    unseen = unseen_reason(scene, attacker, target)
    if unseen:
        return Refusal(unseen, "TRN-009", "sight")
    if tile.kind == "melee" and not scene.are_allies(attacker.token, target.token):
        return _closest_refusal(scene, attacker, tile, target)
    return shot_refusal(scene, attacker, tile)


def _closest_refusal(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> Refusal | None:
    steps = hex_distance(scene, attacker, target)
    # Only what stands in the same Hex is closer than one beside it, as a tabletop may put it.
    body = battlefield(scene).body(attacker)
    near = miniatures_in(scene, body) if steps == 1 else enemies(scene, attacker)
    for other in near:
        if scene.are_allies(attacker.token, other.token):
            continue
        if hex_distance(scene, attacker, other) >= steps:
            continue
        if _is_in_range(scene, attacker, tile, other) and not unseen_reason(scene, attacker, other):
            sentence = localize("torn.refuse_closest", other=other.name, target=target.name)
            return Refusal(sentence, "TRN-036", "distance")
    return None


@recent
def shot_refusal(scene: Scene, attacker: Miniature, tile: Tile) -> Refusal | None:
    """Return why no shot with a tile is legal now, at any target: an enemy is beside (TRN-038)."""
    if tile.kind != "ranged" or (tile.assault and is_on(scene, house_rules.ASSAULT_BESIDE_ENEMY)):
        return None
    field = battlefield(scene)
    body = field.body(attacker)
    for other in miniatures_in(scene, (*body, *field.hexes_touching(body))):
        if not scene.are_allies(attacker.token, other.token):
            return Refusal(localize("torn.refuse_adjacent_enemy", other=other.name), "TRN-038", "distance")
    return None
