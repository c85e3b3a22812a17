"""The card of a miniature: its numbers, and the effects of its race and hands (CDG-010)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.catalog import ARMOR, Item
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import EFFECTS
from enfilade.rulesets.coup_de_grace.effects.foci import LEFT_FIST_QUALITY, SPELLS
from enfilade.rulesets.coup_de_grace.effects.races import RACES
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a miniature's card."""
    one = battlefield(scene).fighter(token.id)
    armor = f"{one.profile.armor} ({ARMOR[one.profile.armor].rule})"
    hit_points = localize("coup_de_grace.card_hit_points_left", hp=one.hit_points, maximum=one.max_hit_points)
    hand = localize("coup_de_grace.card_hand")
    return (
        CardLine(localize("coup_de_grace.card_defense"), str(one.defense), armor),
        CardLine(localize("coup_de_grace.card_movement"), str(one.allowance), armor),
        CardLine(localize("coup_de_grace.card_hit_points"), hit_points, _state(one)),
        CardLine(localize("coup_de_grace.card_race"), one.race.capitalize(), RACES[one.race].sentence),
        *(CardLine(hand, name.capitalize(), item_sentence(item)) for name, item in one.items.items()),
    )


def _state(one: Fighter) -> str:
    if one.is_out:
        return localize("coup_de_grace.card_out")
    return localize("coup_de_grace.card_downed") if one.is_downed else ""


def item_sentence(item: Item) -> str:
    """Return a sentence about an item's kind and its effect."""
    if item.spell == "effect":
        return SPELLS[item.name].sentence
    if item.name == "mage left fist" and not item.spell:
        return LEFT_FIST_QUALITY
    special = EFFECTS[item.name].sentence
    kind = ("melee" if item.melee else "") + ("ranged" if item.ranged else "")
    return "; ".join(text for text in (_WEAPONS.get(kind, ""), special) if text)


_WEAPONS = {
    "melee": localize("coup_de_grace.card_melee"),
    "ranged": localize("coup_de_grace.card_ranged"),
    "meleeranged": localize("coup_de_grace.card_melee_ranged"),
}
