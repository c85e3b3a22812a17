"""The card of a character, and the log text of an act (DBL-004, DBL-051, DBL-056)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from enfilade.i18n import localize
from enfilade.rules.house_rules import is_on
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import (
    CardRow,
    CardTable,
    LogText,
    Row,
    Step,
    by,
    card_lines,
    cell_name,
    either,
    narrate_steps,
    told,
)
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack_rolls import FORMULAS, band_name
from enfilade.rulesets.double_life.profiles import (
    Character,
    focus_value,
    race_of,
    read_character,
    second_life_reach,
)
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.model import Scene, Token


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, _other)


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return " ".join([str(face) for roll in rolled for face in roll.faces])


def _other(_names: Mapping[str, str], event: AnyEvent) -> str:
    if not isinstance(event, ChoiceMade) or event.answer != "no":
        return ""
    return localize("double_life.log_no", question=event.question)


def _round(step: Step) -> str:
    number = localize("double_life.log_round", number=step.facts["round"])
    return " ".join([number, *(_plan(step, plan) for plan in step.facts["plans"])])


def _plan(step: Step, plan: dict[str, Any]) -> str:
    """Return a revealed plan in a sentence (DBL-004)."""
    name = step.names.get(plan["token"], plan["token"])
    if not plan["text"]:
        return localize("double_life.log_no_plan", name=name)
    return localize("double_life.log_plan", name=name, stance=plan["text"])


def _attack(step: Step) -> str:
    facts = step.facts
    kind = facts["act"].replace("-", "_").replace(" ", "_")
    names = {"name": step.name, "target": step.target, "weapon": facts["weapon"]}
    sentence = localize(f"double_life.log_{kind}", **names)
    if facts["defenders"]:
        defenders = step.listed(facts["defenders"])
        count = len(facts["defenders"])
        sentence += " " + localize("double_life.log_defended", names=defenders, count=count)
    elif facts["easy"]:
        sentence += " " + localize("double_life.log_easy", name=step.target)
    return sentence


def _test(step: Step) -> LogText:
    facts = step.facts
    values = {
        "name": step.name,
        "test": localize(f"double_life.test_{facts['test']}"),
        "value": facts["value"],
        "throw": facts["throw"],
        "result": facts["score"],
        "band": band_name(facts["band"]),
        "dice": step.dice,
    }
    sentence = localize("double_life.log_test", **values)
    return LogText(localize(f"double_life.log_{facts['mark']}") if facts["mark"] else "", sentence)


def _outcome(step: Step) -> LogText:
    facts = step.facts
    band = band_name(facts["band"])
    detail = localize("double_life.log_outcome", difference=f"{facts['difference']:+d}", band=band)
    return LogText(localize("double_life.log_result", band=f"{band[:1].upper()}{band[1:]}"), detail)


def _move(step: Step) -> str:
    facts = step.facts
    place = cell_name((facts["to"][0], facts["to"][1]))
    if facts["to"] != facts["wanted"]:
        return localize("double_life.log_stopped", name=step.name, place=place)
    key = "double_life.log_flees" if facts["flight"] else "double_life.log_moves"
    return localize(key, name=step.name, place=place, facing=_facing(facts["facing"]))


def _facing(degrees: int) -> str:
    names = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
    return localize(f"double_life.facing_{names[degrees // 45]}")


def _placed(step: Step) -> str:
    facts = step.facts
    if facts["allowed"]:
        return localize("double_life.log_placed", name=step.name)
    return localize("double_life.log_placed_illegal", name=step.name, reasons=" ".join(facts["reasons"]))


def _end(step: Step) -> str:
    facts = step.facts
    sentences = [localize("double_life.log_end", rounds=facts["round"], loss=facts["loss"])]
    for one in facts["left"]:
        name = step.names.get(one["token"], one["token"])
        values = {"name": name, "health": one["health"], "energy": one["energy"]}
        sentences.append(localize("double_life.log_left", **values))
    if facts["dead"]:
        names = step.listed(facts["dead"])
        sentences.append(localize("double_life.log_dead", names=names))
    return " ".join(sentences)


_SENTENCES: dict[str, Row] = {
    "round": _round,
    "attack": _attack,
    "test": _test,
    "outcome": _outcome,
    "damage": by("part", {"1": told("", "double_life.log_damage")}, told("", "double_life.log_damage_part")),
    "poise": told("", "double_life.log_poise"),
    "fall": told("double_life.log_fall"),
    "footing": either("is_up", told("double_life.log_stands_up"), told("double_life.log_stays_down")),
    "control": either(
        "is_kept", told("double_life.log_keeps_control"), told("double_life.log_loses_control")
    ),
    "appears": told("double_life.log_appears"),
    "wound": told("double_life.log_wound"),
    "death": told("double_life.log_death"),
    "move": _move,
    "placed": _placed,
    "won": either("side", told("double_life.log_won"), told("double_life.log_no_winner")),
    "end": _end,
}


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card; house values are marked as such."""
    return card_lines(_CARD, scene, read_character(token))


def _poise(scene: Scene, one: Character) -> object:
    return one.poise if is_on(scene, house_rules.POISE) else ""


def _race(_: Scene, one: Character) -> str:
    return localize(f"double_life.race_{one.profile.race}")


def _race_dice(scene: Scene, one: Character) -> str:
    return localize("double_life.card_dice", dice=FORMULAS[race_of(scene, one)])


def _weapons(_: Scene, one: Character) -> list[CardLine]:
    house = localize("double_life.card_house")
    return [CardLine(weapon.name, weapon.damage_text, house) for weapon in one.profile.weapons]


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


def _yes_if(is_so: bool) -> str:
    return localize("rules.yes") if is_so else ""


_CARD: CardTable[Character] = (
    CardRow(
        "double_life.card_health",
        lambda _, one: one.health,
        lambda _, one: localize("double_life.card_of", most=one.most_health),
    ),
    CardRow(
        "double_life.card_poise",
        _poise,
        lambda _, one: localize("double_life.card_of", most=one.starting_poise),
    ),
    CardRow("double_life.card_energy", lambda _, one: one.energy),
    CardRow(
        "double_life.card_race", lambda _, one: localize(f"double_life.race_{one.profile.race}"), _race_dice
    ),
    CardRow("double_life.card_attack", lambda _, one: one.attack, "DBL-025"),
    CardRow("double_life.card_defense", lambda _, one: one.defense, "DBL-026"),
    CardRow("double_life.card_agility", lambda _, one: one.value("agility"), "DBL-010"),
    _weapons,
    _second_life,
    CardRow("double_life.card_stance", lambda _, one: one.token.conditions.get("stance", ""), "DBL-004"),
    CardRow("double_life.card_fallen", lambda _, one: _yes_if(one.is_fallen), "DBL-009"),
    CardRow(
        "double_life.card_engaged",
        lambda scene, one: ", ".join(enemy.name for enemy in battlefield(scene).engaged(one)),
        "DBL-019",
    ),
    CardRow(
        "double_life.card_surrounded",
        lambda scene, one: _yes_if(battlefield(scene).is_surrounded(one)),
        "DBL-018",
    ),
)
