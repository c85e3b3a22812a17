"""From miniatures and an Action Tile to a strike: the pools, and every die the situation adds or takes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.modifiers import Modifier, total
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import battlefield, distance, enemies, hex_distance
from enfilade.rulesets.torn.damage import is_immune
from enfilade.rulesets.torn.dice import CRITICAL, SUCCESS, Pool, Shield, dice_of
from enfilade.rulesets.torn.profiles import Marker, Miniature, Tile, miniature
from enfilade.rulesets.torn.sight import defence_zone, is_in_smoke, why_unseen
from enfilade.rulesets.torn.strike import Strike
from enfilade.scene.model import Scene

Occasion = Literal["attack", "area", "group", "counter", "free"]


class Blow(NamedTuple):
    """One attack in a clash: who, whom, on what occasion, with what dice."""

    occasion: Occasion
    attacker: str
    defender: str
    tile: str
    strike: Strike
    marker: Marker | Literal[""] = ""


def blow(scene: Scene, occasion: Occasion, attacker: Miniature, tile: Tile, defender: Miniature) -> Blow:
    """The attack of one miniature on another with a tile."""
    immune = is_immune(defender, tile.type)
    strike = Strike(
        attacker=attacker.token.side,
        defender=defender.token.side,
        dice=dice_of(scene),
        pool=tile.pool,
        shield=_shield(scene, attacker, tile, defender),
        damage=0 if immune else tile.damage,
        lives=max(defender.wounds, 0),
        strikes_back=_strikes_back(scene, occasion, attacker, tile, defender),
        back_lives=max(attacker.wounds, 0),
        must_evade=tile.damage >= defender.profile.wounds,
        fades=_fades(scene, tile, defender),
        is_friendly=scene.are_allies(attacker.token, defender.token),
    )
    return Blow(occasion, attacker.id, defender.id, tile.name, strike, "" if immune else tile.marker)


def defence_dice(scene: Scene, attacker: Miniature, tile: Tile, defender: Miniature) -> list[Modifier]:
    """The Defence dice in the shield icon and all that the situation adds or takes (TRN-057, TRN-087)."""
    found = [Modifier("shield icon", defender.profile.defence, "TRN-017")]
    if has_advantage(scene, attacker, tile, defender):
        found.append(Modifier("advantage of landscape", 1, "TRN-057"))
    guard = int(setting(scene, house_rules.GUARD_DICE))
    if tile.type in defender.profile.protected:
        found.append(Modifier(f"protection from {tile.type} (house value)", guard, "TRN-087"))
    if tile.type in defender.profile.vulnerable:
        found.append(Modifier(f"vulnerability to {tile.type} (house value)", -guard, "TRN-087"))
    if tile.ethereal and defender.has("ether protection"):
        found.append(Modifier("ether protection (house value)", guard, "TRN-096"))
    return found


def _shield(scene: Scene, attacker: Miniature, tile: Tile, defender: Miniature) -> Shield:
    dice = max(0, total(defence_dice(scene, attacker, tile, defender)))
    return Shield(dice, defender.profile.agility)


def has_advantage(scene: Scene, attacker: Miniature, tile: Tile, defender: Miniature) -> bool:
    """Whether a large miniature takes advantage of landscape against an attack (TRN-057 to TRN-060)."""
    if tile.kind != "ranged" and setting(scene, house_rules.ADVANTAGE) == "ranged":
        return False
    zone = defence_zone(scene, defender)
    field = battlefield(scene)
    return any(hexon in zone for hexon in field.hexons_of(field.filled(attacker)))


def _strikes_back(
    scene: Scene, occasion: Occasion, attacker: Miniature, tile: Tile, defender: Miniature
) -> int:
    """The wounds of a defence critical: the best melee action that reaches (TRN-024, TRN-037, TRN-073)."""
    if occasion == "free" or tile.kind == "ranged" or is_harmless(tile):
        return 0
    reaching = (
        t
        for t in defender.melee_tiles
        if not is_immune(attacker, t.type) and _reaches(scene, defender, t, attacker)
    )
    return max((t.damage for t in reaching), default=0)


def _reaches(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> bool:
    return distance(scene, attacker, target, tile.unit) <= tile.range


def is_harmless(tile: Tile) -> bool:
    """Whether the tile is an attack without damage (TRN-078)."""
    return tile.damage == 0


def _fades(scene: Scene, tile: Tile, defender: Miniature) -> str:
    if tile.kind != "ranged" or not is_in_smoke(scene, defender):
        return ""
    return SUCCESS + CRITICAL if is_on(scene, house_rules.CRITICALS_FADE) else SUCCESS


def others_in_hexon(scene: Scene, attacker: Miniature, target: Miniature) -> list[Miniature]:
    """Who else stands in the Hexon of an Area Attack's target, friend or foe (TRN-011)."""
    field = battlefield(scene)
    aimed = field.hexons_of(field.filled(target))
    return [
        other
        for other in map(miniature, scene.on_board())
        if other.id not in (attacker.id, target.id)
        and not aimed.isdisjoint(field.hexons_of(field.filled(other)))
    ]


def group_targets(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> list[Blow]:
    """Those beside the target of a ranged attack who are nearest the attacker, friend or foe (TRN-061)."""
    if tile.kind != "ranged" or is_harmless(tile):
        return []
    field = battlefield(scene)
    beside = field.beside(field.filled(target))
    near = [
        other
        for other in map(miniature, scene.on_board())
        if other.id not in (attacker.id, target.id)
        and not beside.isdisjoint(field.filled(other))
        and _reaches(scene, attacker, tile, other)
        and not why_unseen(scene, attacker, other)
    ]
    least = min((hex_distance(scene, attacker, other) for other in near), default=0)
    nearest = [other for other in near if hex_distance(scene, attacker, other) == least]
    return [blow(scene, "group", attacker, tile, other) for other in nearest]


def why_illegal(scene: Scene, attacker: Miniature, tile: Tile, target: Miniature) -> tuple[str, str]:
    """Why a target is not legal for a tile, and the rule's ID; empty where it is (TRN-006 to TRN-012)."""
    if scene.are_allies(attacker.token, target.token):
        if tile.area:
            return f"The target of an Area Attack must be an enemy, and {target.name} is not.", "TRN-011"
        if not is_harmless(tile):
            return f"{target.name} is an ally.", "TRN-010"
    away = distance(scene, attacker, target, tile.unit)
    if away > tile.range:
        words = {"hex": ("Hex", "Hexes"), "hexon": ("Hexon", "Hexons")}[tile.unit]
        reach = f"{tile.range} {words[tile.range != 1]}"
        return f"{target.name} is {away} {words[away != 1]} away; {tile.name} reaches {reach}.", "TRN-006"
    unseen = why_unseen(scene, attacker, target)
    if unseen:
        return unseen, "TRN-009"
    return _why_not_nearest(scene, attacker, tile, target) or _why_not_shoot(scene, attacker, tile)


def _why_not_nearest(
    scene: Scene, attacker: Miniature, tile: Tile, target: Miniature
) -> tuple[str, str] | None:
    if tile.kind != "melee" or scene.are_allies(attacker.token, target.token):
        return None
    away = hex_distance(scene, attacker, target)
    for other in enemies(scene, attacker):
        nearer = hex_distance(scene, attacker, other) < away
        if nearer and _reaches(scene, attacker, tile, other) and not why_unseen(scene, attacker, other):
            return f"{other.name} is closer than {target.name}.", "TRN-036"
    return None


def _why_not_shoot(scene: Scene, attacker: Miniature, tile: Tile) -> tuple[str, str]:
    if tile.kind != "ranged" or (tile.assault and is_on(scene, house_rules.ASSAULT_BESIDE_ENEMY)):
        return "", ""
    for other in enemies(scene, attacker):
        if hex_distance(scene, attacker, other) <= 1:
            return f"{other.name} stands in an adjacent Hex.", "TRN-038"
    return "", ""


def spread(first: Strike, blanks: Pool) -> Strike | None:
    """The strike with the dice that failed, at somebody else; None where there are no dice."""
    return first._replace(pool=blanks, keeps_blanks=False) if any(blanks) else None
