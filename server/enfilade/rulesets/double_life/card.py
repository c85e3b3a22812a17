"""The card of a character: its values, weapons and second-life, and its state in combat (DBL-051)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.house_rules import is_on
from enfilade.rules.ruleset import CardLine
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.dice import FORMULAS
from enfilade.rulesets.double_life.profiles import (
    Character,
    focus_value,
    race_of,
    read_character,
    second_life_reach,
)
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card; house values are marked as such."""
    character = read_character(token)
    house = localize("double_life.card_house")
    return (
        _of("health", character.health, character.most_health),
        *(
            [_of("poise", character.poise, character.starting_poise)]
            if is_on(scene, house_rules.POISE)
            else []
        ),
        CardLine(localize("double_life.card_energy"), str(character.energy)),
        CardLine(
            localize("double_life.card_race"),
            localize(f"double_life.race_{character.profile.race}"),
            localize("double_life.card_dice", dice=FORMULAS[race_of(scene, character)]),
        ),
        CardLine(localize("double_life.card_attack"), str(character.attack), "DBL-025"),
        CardLine(localize("double_life.card_defense"), str(character.defense), "DBL-026"),
        CardLine(localize("double_life.card_agility"), str(character.value("agility")), "DBL-010"),
        *(CardLine(one.name, one.damage_text, house) for one in character.profile.weapons),
        *_second_life(scene, character),
        *_state(scene, character),
    )


def _of(name: str, value: int, most: int) -> CardLine:
    of = localize("double_life.card_of", most=most)
    return CardLine(localize(f"double_life.card_{name}"), str(value), of)


def _second_life(scene: Scene, character: Character) -> list[CardLine]:
    if not character.is_doubler:
        return []
    label, rank = localize("double_life.second_life"), character.profile.mastery
    state = "must_focus" if character.must_focus else "ready"
    value = localize(
        "double_life.card_second_life",
        damage=character.second_life.damage_text,
        reach=second_life_reach(scene, character),
        focus=focus_value(scene, character),
    )
    return [CardLine(label, value, localize(f"double_life.card_{state}", rank=rank))]


def _state(scene: Scene, character: Character) -> list[CardLine]:
    """Return the last stance, the enemies in contact, and whether the character is surrounded (DBL-051)."""
    found = []
    stance = character.token.conditions.get("stance")
    if stance:
        found.append(CardLine(localize("double_life.card_stance"), stance, "DBL-004"))
    if character.is_fallen:
        found.append(CardLine(localize("double_life.card_fallen"), localize("rules.yes"), "DBL-009"))
    if character.token.at is None:
        return found
    battle = battlefield(scene)
    engaged = battle.engaged(character)
    if engaged:
        names = ", ".join(enemy.name for enemy in engaged)
        found.append(CardLine(localize("double_life.card_engaged"), names, "DBL-019"))
    if battle.is_surrounded(character):
        found.append(CardLine(localize("double_life.card_surrounded"), localize("rules.yes"), "DBL-018"))
    return found
