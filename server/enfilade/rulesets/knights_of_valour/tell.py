"""The card of a creature, and the log text of an act (KOV-009, KOV-064, KOV-065)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import (
    CardRow,
    CardTable,
    LogText,
    Row,
    Step,
    card_lines,
    cell_name,
    either,
    narrate_steps,
    told,
)
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
from enfilade.rulesets.knights_of_valour.turn import NO_ONE, NONE, SOMEONE, actions, in_battle, is_in_play
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card; house values are marked as such."""
    return card_lines(_CARD, scene, read_creature(token))


def _stats(_: Scene, one: Creature) -> str:
    own = {name: f"{getattr(one.profile, name):+d}" for name in ("agility", "strength", "health")}
    return localize("knights_of_valour.card_stats_values", **own)


def _weight(scene: Scene, one: Creature) -> str:
    limit = maximum_weight(scene, one)
    return localize("knights_of_valour.card_weight_of", weight=one.weight, limit=limit)


def _weapon_line(scene: Scene, creature: Creature, weapon: Weapon) -> CardLine:
    """Return a weapon card: its damage dice, its ranges and the Proficiency Level (KOV-009)."""
    weapon = with_damage_dice(scene, weapon)
    level = localize("knights_of_valour.card_level", level=creature.proficiency(weapon.name))
    parts = [weapon.damage_text, level]
    if weapon.kind == "ranged":
        ranges = ranges_of(scene, creature, weapon)
        parts.append(localize("knights_of_valour.card_ranges", close=ranges.close, maximum=ranges.maximum))
    return CardLine(weapon.name, ", ".join(parts), "KOV-009")


def _defense_lines(_: Scene, creature: Creature) -> list[CardLine]:
    label = localize("knights_of_valour.card_defense")
    return [CardLine(label, f"{m.value:+d}", f"{m.reason}, {m.rule}") for m in creature.defense_modifiers]


def _intent(_: Scene, one: Creature) -> str:
    return one.token.conditions.get("intent", "")


def _order(scene: Scene, _: Creature) -> list[CardLine]:
    """Return the turn order with the used actions (KOV-065)."""
    if not is_in_play(scene):
        return []
    label = localize("knights_of_valour.card_order", round=scene.track("round"))
    return [CardLine(label, "; ".join(turn_order(scene)), "KOV-065")]


_CARD: CardTable[Creature] = (
    CardRow(
        "knights_of_valour.card_points",
        lambda _, one: one.points,
        lambda _, one: localize("knights_of_valour.card_points_of", limit=one.maximum_points),
    ),
    CardRow("knights_of_valour.card_stats", _stats, lambda _, one: f"{one.profile.role}, {one.profile.size}"),
    lambda scene, one: [_weapon_line(scene, one, weapon) for weapon in one.held],
    _defense_lines,
    CardRow(
        "knights_of_valour.card_movement",
        lambda scene, one: localize("knights_of_valour.feet", count=movement(scene, one)),
        lambda scene, one: localize("knights_of_valour.card_height", feet=height(scene, one)),
    ),
    CardRow(
        "knights_of_valour.card_weight",
        _weight,
        lambda *_: "KOV-013; " + localize("knights_of_valour.card_house"),
    ),
    lambda _, one: [CardLine(b.name, f"{b.kind} {b.value:+d}", b.weapon) for b in one.profile.buffs],
    CardRow(
        "knights_of_valour.card_intent", lambda _, one: one.token.conditions.get("intent", ""), "KOV-025"
    ),
    CardRow(
        "knights_of_valour.card_engaged",
        lambda scene, one: ", ".join(enemy.name for enemy in battlefield(scene).engaged(one)),
        "KOV-036",
    ),
    _order,
)


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


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, _other)


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return "; ".join([f"{roll.label} {' '.join(map(str, roll.faces))}" for roll in rolled])


def _other(names: Mapping[str, str], event: AnyEvent) -> LogText | str:
    if not isinstance(event, ChoiceMade) or event.automatic or event.answer in (NONE, NO_ONE, SOMEONE):
        return ""
    side, answer = names[f"side {event.side}"], _answer(names, event.answer)
    return LogText(
        "", localize("knights_of_valour.log_choice", side=side, question=event.question, answer=answer)
    )


def _answer(names: Mapping[str, str], key: str) -> str:
    """Return the words for an answer: a creature, or several in order."""
    return localize("rules.no") if key == "no" else ", ".join(names.get(one, one) for one in key.split(","))


def _list(modifiers: Sequence[dict[str, Any]]) -> str:
    """Return modifiers as "+2 Strength, +1 Sword"; those that are 0 or do not count are left out."""
    shown = [m for m in modifiers if m["value"] and m["counts"]]
    listed = ", ".join(f"{m['value']:+d} {m['reason']}" for m in shown)
    return listed or localize("knights_of_valour.log_no_modifiers")


def _declared(step: Step) -> LogText:
    facts = step.facts
    defense = sum(m["value"] for m in facts["defenses"] if m["counts"])
    parts = ", ".join(
        f"{m['value']:+d} {m['reason']}" if index else f"{m['value']} {m['reason']}"
        for index, m in enumerate(facts["defenses"])
        if m["value"] and m["counts"]
    )
    names = {"name": step.name, "target": step.target, "weapon": facts["weapon"]}
    detail = localize(
        "knights_of_valour.log_numbers",
        modifiers=_list(facts["modifiers"]),
        defense=defense,
        parts=parts,
    )
    if facts["disadvantage"]:
        detail += " " + localize("knights_of_valour.log_disadvantage", reason=facts["disadvantage"])
    return LogText(localize("knights_of_valour.log_attack", **names), f"{detail[:1].upper()}{detail[1:]}")


def _free_attack(step: Step) -> LogText:
    named = localize("knights_of_valour.log_free_attack", name=step.name, target=step.target)
    sentence, detail = _declared(step)
    return LogText(f"{named} {sentence}", detail)


_HOW = {
    "walk": localize("knights_of_valour.how_walk"),
    "vault": localize("knights_of_valour.how_vault"),
    "leap": localize("knights_of_valour.how_leap"),
    "climb": localize("knights_of_valour.how_climb"),
    "descend": localize("knights_of_valour.how_descend"),
}


def _move(step: Step) -> LogText | str:
    facts = step.facts
    if not facts["allowed"]:
        reasons = " ".join(facts["reasons"])
        return localize("knights_of_valour.log_move_illegal", name=step.name, reasons=reasons)
    parts = ", ".join(f"{_HOW[how]} {cost}" for how, cost in facts["sub_actions"])
    if not step.way:
        return _not_moved(step, parts)
    if not parts:
        return localize("knights_of_valour.log_placed", name=step.name)
    end = step.way[-1].at
    if _is_stopped(step) and end is not None:
        return localize("knights_of_valour.log_move_to", name=step.name, place=cell_name(end))
    moved = localize("knights_of_valour.log_move", name=step.name, cost=facts["cost"])
    return LogText(moved, _sentence(parts))


def _not_moved(step: Step, parts: str) -> LogText | str:
    """Return the sentence for one who hangs, stays, is stopped at its first step, or climbs back."""
    if step.following == "hangs":
        return ""
    if not parts:
        return localize("knights_of_valour.log_move_stays", name=step.name)
    if _is_stopped(step):
        return localize("knights_of_valour.log_move_begun", name=step.name)
    return LogText(localize("knights_of_valour.log_climbs_back", name=step.name), _sentence(parts))


def _sentence(parts: str) -> str:
    return f"{parts[:1].upper()}{parts[1:]}."


def _is_stopped(step: Step) -> bool:
    return any(isinstance(event, Explained) and event.kind == "stopped" for event in step.later)


def _hangs(step: Step) -> str:
    feet = step.facts["feet"]
    key = "knights_of_valour.log_hangs" if feet > 0 else "knights_of_valour.log_hangs_below"
    return localize(key, name=step.name, feet=abs(feet))


def _draw(step: Step) -> str:
    facts = step.facts
    names = {"name": step.name, "weapon": facts["weapon"]}
    if not facts["away"]:
        return localize("knights_of_valour.log_draw", **names)
    return localize("knights_of_valour.log_draw_instead", away=", ".join(facts["away"]), **names)


def _special(step: Step) -> str:
    act = localize(_ACTS[step.facts["act"]])
    if step.target:
        return localize("knights_of_valour.log_special_at", name=step.name, act=act, target=step.target)
    return localize("knights_of_valour.log_special", name=step.name, act=act)


_ACTS = {
    "shove": "knights_of_valour.act_shove",
    "grapple": "knights_of_valour.act_grapple",
    "throw": "knights_of_valour.act_throw",
    "release": "knights_of_valour.act_release",
    "spell": "knights_of_valour.act_spell",
    "search": "knights_of_valour.act_search",
    "use": "knights_of_valour.act_use",
}


def _round(step: Step) -> LogText:
    order = ", ".join(
        f"{step.names.get(one['token'], one['token'])} {one['initiative']:+d}" for one in step.facts["order"]
    )
    number = localize("knights_of_valour.log_round", number=step.facts["round"])
    return LogText(number, localize("knights_of_valour.log_order", order=order))


def _end(step: Step) -> str:
    following = step.names.get(step.facts["next"], "")
    if not following:
        return localize("knights_of_valour.log_round_over", name=step.name)
    return localize("knights_of_valour.log_end", name=step.name, next=following)


_SENTENCES: dict[str, Row] = {
    "declared": _declared,
    "free attack": _free_attack,
    "attack roll": either(
        "is_hit",
        told("knights_of_valour.log_hit", "knights_of_valour.log_roll"),
        told("knights_of_valour.log_miss", "knights_of_valour.log_roll"),
    ),
    "damage": told("", "knights_of_valour.log_damage"),
    "wound": told("knights_of_valour.log_wound"),
    "defeated": told("knights_of_valour.log_defeated"),
    "won": told("knights_of_valour.log_won"),
    "move": _move,
    "hangs": _hangs,
    "stopped": told("knights_of_valour.log_stopped"),
    "draw": _draw,
    "special": _special,
    "opposed": either(
        "wins",
        told("knights_of_valour.log_opposed_won", "knights_of_valour.log_dice"),
        told("knights_of_valour.log_opposed_lost", "knights_of_valour.log_dice"),
    ),
    "tie": told("knights_of_valour.log_tie"),
    "round": _round,
    "intent": told("knights_of_valour.log_intent"),
    "end": _end,
}
