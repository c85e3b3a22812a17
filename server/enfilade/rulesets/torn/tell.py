"""The card of a miniature, and the log text of an act (TRN-032, TRN-104)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
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
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import parse_cell
from enfilade.rulesets.torn.combat.attack_rolls import DEFENSES, REROLL_ANSWERS
from enfilade.rulesets.torn.combat.rerolls import KEEP
from enfilade.rulesets.torn.positions import engaged_enemies, stands_on_board
from enfilade.rulesets.torn.profiles import MARKERS, Miniature, Tile, distance_text, read_miniature
from enfilade.scene.events import TABLE, AnyEvent, ChoiceMade, ConditionSet, DiceRolled
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card: wounds, shield, tiles, properties, conditions, engagement, dice faces."""
    return card_lines(_CARD, scene, read_miniature(token))


def _wounds(_: Scene, one: Miniature) -> str:
    return localize("torn.card_wounds_left", wounds=one.wounds, maximum=one.profile.wounds)


def _shield(_: Scene, one: Miniature) -> str:
    return localize("torn.card_shield_dice", defense=one.profile.defense, agility=one.profile.agility)


def _tiles(_: Scene, one: Miniature) -> list[CardLine]:
    return [CardLine(tile.name, _tile_numbers(tile), _tile_kind(tile)) for tile in one.profile.tiles]


def _markers(_: Scene, one: Miniature) -> list[CardLine]:
    house, has = localize("torn.card_house_value"), one.token.has
    return [CardLine(marker.capitalize(), said, house) for marker, said in MARKERS.items() if has(marker)]


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


def _properties(_: Scene, miniature: Miniature) -> str:
    profile = miniature.profile
    parts: list[str] = list(profile.traits)
    parts += [localize("torn.card_immune", type=damage) for damage in profile.immune]
    parts += [localize("torn.card_protected", type=damage) for damage in profile.protected]
    parts += [localize("torn.card_vulnerable", type=damage) for damage in profile.vulnerable]
    return ", ".join(parts)


def _engaged(scene: Scene, miniature: Miniature) -> str:
    if not stands_on_board(scene, miniature.token):
        return ""
    return ", ".join(enemy.name for enemy in engaged_enemies(scene, miniature))


def _dice_faces(scene: Scene, _: Miniature) -> str:
    return localize(
        "torn.card_dice_faces",
        attack=setting(scene, house_rules.ATTACK_DIE),
        defense=setting(scene, house_rules.DEFENSE_DIE),
        skill=setting(scene, house_rules.SKILL_DIE),
        agility=setting(scene, house_rules.AGILITY_DIE),
    )


_CARD: CardTable[Miniature] = (
    CardRow("torn.card_wounds", _wounds, lambda _, one: one.profile.size),
    CardRow("torn.card_shield", _shield, "TRN-017"),
    _tiles,
    CardRow("torn.card_properties", _properties),
    _markers,
    CardRow("torn.card_engaged", _engaged, "TRN-065"),
    CardRow("torn.card_dice", _dice_faces, localize("torn.card_dice_note")),
)


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, _other)


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return ", ".join([f"{roll.label} {' '.join(map(str, roll.faces))}" for roll in rolled])


def _with_dice(sentence: str, step: Step) -> LogText:
    """Return a sentence with the dice below it, if any were rolled."""
    return LogText(sentence, localize("torn.log_dice", dice=step.dice) if step.dice else "")


def _other(names: Mapping[str, str], event: AnyEvent) -> LogText | str:
    if isinstance(event, ChoiceMade):
        return LogText("", _choice(names, event))
    return _condition(names, event) if isinstance(event, ConditionSet) else ""


def _choice(names: Mapping[str, str], event: ChoiceMade) -> str:
    """Leave out automatic choices, and rolls that are kept."""
    if event.automatic or event.answer == KEEP:
        return ""
    side, answer = names[f"side {event.side}"], _answer(names, event.answer)
    return localize("torn.log_choice", side=side, question=event.question, answer=answer)


def _answer(names: Mapping[str, str], key: str) -> str:
    kind, _, count = key.rpartition(" ")
    if kind in REROLL_ANSWERS and count.isdecimal():
        return localize(REROLL_ANSWERS[kind], count=int(count))
    column, is_cell, row = key.partition(",")
    if is_cell and column.isdecimal() and row.isdecimal():
        return cell_name(parse_cell(key))
    labels = {defense.key: defense.label for defense in DEFENSES}
    return {**names, **labels, "no": localize("rules.no")}.get(key, key)


def _condition(names: Mapping[str, str], event: ConditionSet) -> str:
    if event.holder == TABLE:
        if event.condition != "won" or not event.note:
            return ""
        return localize("torn.log_won", side=names[f"side {event.note}"])
    name = names.get(event.holder, event.holder)
    if event.condition == "out" and event.note is not None:
        return localize("torn.log_removed", name=name)
    if event.condition not in MARKERS:
        return ""
    marker = event.condition.capitalize()
    if event.note is None:
        return localize("torn.log_marker_cleared", name=name, marker=marker)
    return localize("torn.log_marker", name=name, marker=marker)


def _declared(step: Step) -> LogText:
    facts = step.facts
    pool = ", ".join(f"{count} {die.capitalize()}" for die, count in facts["pool"].items() if count)
    modifiers = (modifier for modifier in facts["defenses"][1:] if modifier["value"])
    sentence = localize("torn.log_declared", name=step.name, target=step.target, tile=facts["act"])
    detail = localize(
        "torn.log_pool",
        pool=pool or localize("torn.no_dice"),
        damage=facts["damage"],
        type=facts["type"],
        modifiers="".join(localize("torn.log_modifier", **modifier) for modifier in modifiers),
    )
    return LogText(sentence, detail)


def _attack_roll(step: Step) -> LogText:
    detail = localize(
        "torn.log_attack_roll",
        dice=step.dice or localize("torn.no_dice"),
        successes=localize("torn.successes", count=step.facts["successes"]),
        criticals=localize("torn.criticals", count=step.facts["criticals"]),
        skill=step.facts["skill"],
    )
    return LogText("", detail)


def _defense(step: Step) -> LogText:
    facts = step.facts
    parts = [localize("torn.successes", count=facts["successes"])]
    if facts.get("criticals"):
        criticals = localize("torn.criticals", count=facts["criticals"])
        parts.append(localize("torn.log_on_criticals", criticals=criticals, number=facts["on_criticals"]))
    if facts["skill_used"]:
        parts.append(localize("torn.log_skill_used", number=facts["skill_used"]))
    wounds = [localize("torn.wounds", count=facts["dealt"])]
    if facts["returned"]:
        wounds.append(localize("torn.log_returned", number=facts["returned"]))
    detail = localize(
        "torn.log_evade" if facts["evades"] else "torn.log_defense",
        dice=step.dice or localize("torn.no_dice"),
        result=", ".join(parts),
        wounds=", ".join(wounds),
    )
    is_harmless = not facts["dealt"] and not facts["returned"]
    return LogText(localize("torn.log_no_wounds") if is_harmless else "", detail)


def _move(step: Step) -> str:
    facts = step.facts
    if not facts["allowed"]:
        return localize("torn.log_move_illegal", name=step.name, reasons=" ".join(facts["reasons"]))
    if not step.way:
        key = "torn.log_move_begun" if facts["act"] else "torn.log_move_stays"
        return localize(key, name=step.name, tile=facts["act"])
    if not facts["act"]:
        return localize("torn.log_move_enters", name=step.name, place=_end_of(step))
    moved = distance_text(facts["cost"], facts["unit"])
    return localize("torn.log_move", name=step.name, tile=facts["act"], distance=moved)


def _end_of(step: Step) -> str:
    """Return the name of the Hex where the token of a step comes to stand."""
    at = step.way[-1].at if step.way else None
    return "" if at is None else cell_name(at)


def _ejected(step: Step) -> str:
    return localize("torn.log_ejected", name=step.name, place=_end_of(step)) if step.way else ""


def _effect(step: Step) -> LogText:
    if step.facts["result"] != "effect":
        return _with_dice(localize("torn.log_no_effect"), step)
    is_immune = step.following == "immune"  # what it does to others has sentences of its own
    return _with_dice("" if is_immune else localize("torn.log_effect"), step)


def _shifted(step: Step) -> LogText:
    passes, moved = step.facts["passes"], step.facts["moved"]
    test = localize("torn.log_dexterity_passed" if passes else "torn.log_dexterity_failed", name=step.name)
    shifted = moved and bool(step.way)
    result = (
        localize("torn.log_shifted", name=step.name, place=_end_of(step))
        if shifted
        else localize("torn.log_not_shifted", name=step.name)
    )
    return _with_dice(f"{test} {result}", step)


_SENTENCES: dict[str, Row] = {
    "declared": _declared,
    "attack roll": _attack_roll,
    "defense": _defense,
    "area attack": told("torn.log_area_attack", tile="act"),
    "group attack": told("torn.log_group_attack"),
    "counter attack": told("torn.log_counter_attack", tile="act"),
    "free attack": told("torn.log_free_attack", tile="act"),
    "wounds": told("torn.log_wounds", count="wounds"),
    "effect": _effect,
    "immune": told("torn.log_immune", type="to"),
    "shifted": _shifted,
    "too large": told("torn.log_too_large"),
    "panic test": either(
        "passes",
        told("torn.log_panic_passed", dice="torn.log_dice"),
        told("torn.log_panic_failed", dice="torn.log_dice"),
    ),
    "no winner": told("torn.log_no_winner"),
    "leader lost": told("torn.log_leader_lost"),
    "transformed": told("torn.log_transformed"),
    "move": _move,
    "destroyed": told("torn.log_destroyed", count="hexes"),
    "ejected": _ejected,
    "round": told("torn.log_round", dice="torn.log_dice", number="round", side="result"),
    "activate": told("torn.log_activated"),
    "concentrate": told("torn.log_concentrated"),
    "end": by("result", {"round over": told("torn.log_round_over")}, told("torn.log_end", side="result")),
}
