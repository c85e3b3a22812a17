"""A miniature's card: its numbers, and what its race and hands do, in a sentence each (CDG-010)."""

from __future__ import annotations

from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.coup_de_grace.attack_rolls import EFFECTS
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.catalogue import ARMOUR, Item
from enfilade.rulesets.coup_de_grace.effects.foci import LEFT_FIST_QUALITY, SPELLS
from enfilade.rulesets.coup_de_grace.effects.races import RACES
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """The lines shown on a miniature's card."""
    one = battlefield(scene).fighter(token.id)
    rule = ARMOUR[one.profile.armour].rule
    return (
        CardLine("Defence", str(one.defence), f"{one.profile.armour} ({rule})"),
        CardLine("Movement", str(one.allowance), f"{one.profile.armour} ({rule})"),
        CardLine("Hit points", f"{one.hit_points} of {one.max_hit_points}", _state(one)),
        CardLine("Race", one.race.capitalize(), RACES[one.race].sentence),
        *(CardLine("Hand", name.capitalize(), item_sentence(item)) for name, item in one.items.items()),
    )


def _state(one: Fighter) -> str:
    return "out of action" if one.is_out else "downed" if one.is_downed else ""


def item_sentence(item: Item) -> str:
    """What an item does, in a sentence; plain weapons just attack."""
    if item.spell == "effect":
        return SPELLS[item.name].sentence
    if item.name == "mage left fist" and not item.spell:
        return LEFT_FIST_QUALITY
    kinds = [kind for kind, does in (("melee", item.melee), ("ranged", item.ranged)) if does]
    special = EFFECTS[item.name].sentence
    return "; ".join([*([f"{' and '.join(kinds)} weapon"] if kinds else []), *([special] if special else [])])
