"""The numbers on a miniature's card, house values marked as such."""

from __future__ import annotations

from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, miniature
from enfilade.rulesets.torn.reactions import engaged_by
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """The lines of a card: wounds, shield, tiles, properties, conditions, and the dice that are rolled."""
    mini = miniature(token)
    shield = f"{mini.profile.defence} Defence, {mini.profile.agility} Agility"
    return (
        CardLine("Wounds", f"{mini.wounds} of {mini.profile.wounds}", mini.profile.size),
        CardLine("Shield", shield, "TRN-017"),
        *(CardLine(tile.name, _dice(tile), _about(tile)) for tile in mini.profile.tiles),
        *(CardLine("Properties", words, "") for words in [_properties(mini)] if words),
        *(CardLine(name.capitalize(), text, "house value") for name, text in _conditions(mini)),
        *_engaged(scene, mini),
        CardLine("Dice", _faces(scene), "house values: the rulebook's faces are pictures"),
    )


def _dice(tile: Tile) -> str:
    unit = {"hex": "Hexes", "hexon": "Hexons"}[tile.unit] if tile.range != 1 else tile.unit.capitalize()
    pool = [f"{count} {die.capitalize()}" for die, count in tile.pool._asdict().items() if count]
    reach = [f"{tile.range} {unit}"] if tile.kind != "concentration" else []
    damage = [f"damage {tile.damage}"] if tile.damage else []
    return ", ".join([*reach, *pool, *damage])


def _about(tile: Tile) -> str:
    words: list[str] = [tile.kind, *([tile.type] if tile.is_attack else [])]
    words += [f"critical: {tile.marker}"] if tile.marker else []
    words += [word for word in ("area", "assault", "ethereal") if getattr(tile, word)]
    return ", ".join([*words, tile.effect] if tile.effect else words)


def _properties(mini: Miniature) -> str:
    profile = mini.profile
    words: list[str] = list(profile.traits)
    words += [f"immune to {damage}" for damage in profile.immune]
    words += [f"protected from {damage}" for damage in profile.protected]
    words += [f"vulnerable to {damage}" for damage in profile.vulnerable]
    return ", ".join(words)


def _conditions(mini: Miniature) -> list[tuple[str, str]]:
    return [(name, text) for name, text in MARKERS.items() if mini.token.has(name)]


def _engaged(scene: Scene, mini: Miniature) -> tuple[CardLine, ...]:
    if mini.token.at is None or mini.token.at not in battlefield(scene).board:
        return ()
    names = ", ".join(other.name for other in engaged_by(scene, mini))
    return (CardLine("Engaged by", names, "TRN-065"),) if names else ()


def _faces(scene: Scene) -> str:
    dice = (house_rules.ATTACK_DIE, house_rules.DEFENCE_DIE, house_rules.SKILL_DIE, house_rules.AGILITY_DIE)
    return ", ".join(f"{rule.key[5:-4].capitalize()} {setting(scene, rule)}" for rule in dice)
