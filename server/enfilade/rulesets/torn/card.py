"""The card of a miniature: its numbers and their sources. House values are marked as such."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.positions import engaged_enemies
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, distance_text, read_miniature
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card: wounds, shield, tiles, properties, conditions, engagement, dice faces."""
    miniature = read_miniature(token)
    profile = miniature.profile
    properties = _properties(miniature)
    return (
        CardLine(
            localize("torn.card_wounds"),
            localize("torn.card_wounds_left", wounds=miniature.wounds, maximum=profile.wounds),
            profile.size,
        ),
        CardLine(
            localize("torn.card_shield"),
            localize("torn.card_shield_dice", defense=profile.defense, agility=profile.agility),
            "TRN-017",
        ),
        *(CardLine(tile.name, _tile_numbers(tile), _tile_kind(tile)) for tile in profile.tiles),
        *([CardLine(localize("torn.card_properties"), properties)] if properties else []),
        *(
            CardLine(marker.capitalize(), sentence, localize("torn.card_house_value"))
            for marker, sentence in MARKERS.items()
            if token.has(marker)
        ),
        *_engagement(scene, miniature),
        CardLine(localize("torn.card_dice"), _dice_faces(scene), localize("torn.card_dice_note")),
    )


def _tile_numbers(tile: Tile) -> str:
    pool = [f"{count} {die.capitalize()}" for die, count in tile.pool._asdict().items() if count]
    reach = [distance_text(tile.range, tile.unit)] if tile.kind != "concentration" else []
    damage = [localize("torn.card_damage", damage=tile.damage)] if tile.damage else []
    return ", ".join([*reach, *pool, *damage])


def _tile_kind(tile: Tile) -> str:
    parts: list[str] = [tile.kind, *([tile.type] if tile.is_attack else [])]
    parts += [localize("torn.card_critical", marker=tile.marker)] if tile.marker else []
    parts += [flag for flag in ("area", "assault", "ethereal") if getattr(tile, flag)]
    return ", ".join([*parts, tile.effect] if tile.effect else parts)


def _properties(miniature: Miniature) -> str:
    profile = miniature.profile
    parts: list[str] = list(profile.traits)
    parts += [localize("torn.card_immune", type=damage) for damage in profile.immune]
    parts += [localize("torn.card_protected", type=damage) for damage in profile.protected]
    parts += [localize("torn.card_vulnerable", type=damage) for damage in profile.vulnerable]
    return ", ".join(parts)


def _engagement(scene: Scene, miniature: Miniature) -> tuple[CardLine, ...]:
    if miniature.token.at is None or miniature.token.at not in battlefield(scene).board:
        return ()
    names = ", ".join(enemy.name for enemy in engaged_enemies(scene, miniature))
    return (CardLine(localize("torn.card_engaged"), names, "TRN-065"),) if names else ()


def _dice_faces(scene: Scene) -> str:
    return localize(
        "torn.card_dice_faces",
        attack=setting(scene, house_rules.ATTACK_DIE),
        defense=setting(scene, house_rules.DEFENSE_DIE),
        skill=setting(scene, house_rules.SKILL_DIE),
        agility=setting(scene, house_rules.AGILITY_DIE),
    )
