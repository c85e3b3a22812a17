"""The card of a creature: its sheet, its weapons, and the turn order (KOV-009, KOV-065)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.profiles import (
    Creature,
    height,
    maximum_weight,
    movement,
    read_creature,
    with_damage_dice,
)
from enfilade.rulesets.knights_of_valour.sight import ranges_of
from enfilade.rulesets.knights_of_valour.turn import actions, in_battle, is_in_play
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card; house values are marked as such."""
    creature = read_creature(token)
    house = localize("knights_of_valour.card_house")
    own = creature.profile
    return (
        _points(creature),
        CardLine(
            localize("knights_of_valour.card_stats"),
            localize(
                "knights_of_valour.card_stats_values",
                agility=f"{own.agility:+d}",
                strength=f"{own.strength:+d}",
                health=f"{own.health:+d}",
            ),
            f"{own.role}, {own.size}",
        ),
        *(_weapon_line(scene, creature, weapon) for weapon in creature.held),
        *(_defense_lines(creature)),
        CardLine(
            localize("knights_of_valour.card_movement"),
            localize("knights_of_valour.feet", count=movement(scene, creature)),
            localize("knights_of_valour.card_height", feet=height(scene, creature)),
        ),
        CardLine(
            localize("knights_of_valour.card_weight"),
            localize(
                "knights_of_valour.card_weight_of",
                weight=creature.weight,
                limit=maximum_weight(scene, creature),
            ),
            f"KOV-013; {house}",
        ),
        *(CardLine(buff.name, f"{buff.kind} {buff.value:+d}", buff.weapon) for buff in own.buffs),
        *_state(scene, creature),
    )


def _points(creature: Creature) -> CardLine:
    of = localize("knights_of_valour.card_points_of", limit=creature.maximum_points)
    return CardLine(localize("knights_of_valour.card_points"), str(creature.points), of)


def _weapon_line(scene: Scene, creature: Creature, weapon: Weapon) -> CardLine:
    """Return a weapon card: its damage dice, its ranges and the Proficiency Level (KOV-009)."""
    weapon = with_damage_dice(scene, weapon)
    level = localize("knights_of_valour.card_level", level=creature.proficiency(weapon.name))
    parts = [weapon.damage_text, level]
    if weapon.kind == "ranged":
        ranges = ranges_of(scene, creature, weapon)
        parts.append(localize("knights_of_valour.card_ranges", close=ranges.close, maximum=ranges.maximum))
    return CardLine(weapon.name, ", ".join(parts), "KOV-009")


def _defense_lines(creature: Creature) -> list[CardLine]:
    label = localize("knights_of_valour.card_defense")
    return [CardLine(label, f"{m.value:+d}", f"{m.reason}, {m.rule}") for m in creature.defense_modifiers]


def _state(scene: Scene, creature: Creature) -> list[CardLine]:
    """Return the turn order with the used actions, the intent and the engaged enemies (KOV-065)."""
    found = []
    intent = creature.token.conditions.get("intent")
    if intent:
        found.append(CardLine(localize("knights_of_valour.card_intent"), intent, "KOV-025"))
    engaged = battlefield(scene).engaged(creature)
    if engaged and creature.token.at is not None:
        names = ", ".join(enemy.name for enemy in engaged)
        found.append(CardLine(localize("knights_of_valour.card_engaged"), names, "KOV-036"))
    if is_in_play(scene):
        label = localize("knights_of_valour.card_order", round=scene.track("round"))
        found.append(CardLine(label, "; ".join(turn_order(scene)), "KOV-065"))
    return found


def turn_order(scene: Scene) -> list[str]:
    """Return the creatures in the order of this round, each with its initiative and used actions."""
    ordered = sorted(
        (one for one in in_battle(scene) if "order" in one.token.tracks),
        key=lambda one: one.token.track("order"),
    )
    return [_place(one) for one in ordered]


def _place(creature: Creature) -> str:
    token = creature.token
    return localize(
        "knights_of_valour.card_place",
        name=creature.name,
        initiative=f"{token.track('initiative'):+d}",
        moves=f"{token.track('moves used')}/{actions(creature, 'move action')}",
        combats=f"{token.track('combat actions used')}/{actions(creature, 'combat action')}",
        state=localize("knights_of_valour.card_acted") if token.has("acted") else "",
    )
