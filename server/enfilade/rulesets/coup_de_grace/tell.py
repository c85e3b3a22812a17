"""The card of a miniature, and the log text of an act (CDG-010, CDG-032, CDG-076)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.i18n import localize
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
    narrate_steps,
    told,
)
from enfilade.rulesets.coup_de_grace.battlefield import battlefield, facing_text
from enfilade.rulesets.coup_de_grace.catalog import ARMOR, Item
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import EFFECTS
from enfilade.rulesets.coup_de_grace.combat.effects import RACES
from enfilade.rulesets.coup_de_grace.combat.foci import LEFT_FIST_QUALITY, SPELLS
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.turn import winners
from enfilade.scene.events import AnyEvent, ConditionSet, DiceRolled, TokenMoved
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a miniature's card."""
    return card_lines(_CARD, scene, battlefield(scene).fighter(token.id))


def _armor(_: Scene, one: Fighter) -> str:
    return f"{one.profile.armor} ({ARMOR[one.profile.armor].rule})"


def _hit_points(_: Scene, one: Fighter) -> str:
    return localize("coup_de_grace.card_hit_points_left", hp=one.hit_points, maximum=one.max_hit_points)


def _state(_: Scene, one: Fighter) -> str:
    if one.is_out:
        return localize("coup_de_grace.card_out")
    return localize("coup_de_grace.card_downed") if one.is_downed else ""


def _hands(_: Scene, one: Fighter) -> Iterator[CardLine]:
    hand = localize("coup_de_grace.card_hand")
    return (CardLine(hand, name.capitalize(), item_sentence(item)) for name, item in one.items.items())


_CARD: CardTable[Fighter] = (
    CardRow("coup_de_grace.card_defense", lambda _, one: one.defense, _armor),
    CardRow("coup_de_grace.card_movement", lambda _, one: one.allowance, _armor),
    CardRow("coup_de_grace.card_hit_points", _hit_points, _state),
    CardRow(
        "coup_de_grace.card_race",
        lambda _, one: one.race.capitalize(),
        lambda _, one: RACES[one.race].sentence,
    ),
    _hands,
)


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


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return the sentences for an act and their detail, from the scene before it and its events."""
    return narrate_steps(
        scene,
        events,
        _SENTENCES,
        _dice,
        lambda _, event: _condition(scene, event),
        frozenset({"declared", "spell"}),
    )


def _dice(rolled: Sequence[DiceRolled]) -> str:
    """Return "3", or "1, then 5" for a rerolled die."""
    faces = [face for roll in rolled for face in roll.faces]
    text = str(faces[0]) if faces else ""
    for face in faces[1:]:
        text = localize("coup_de_grace.log_then", dice=text, face=face)
    return text


def _cost(step: Step) -> str:
    """Return " for 3 movement points", or an empty text if the act was free."""
    cost = step.facts.get("counts", {}).get("cost", 0)
    return localize("coup_de_grace.log_cost", points=_points(cost)) if cost else ""


def _displaced(step: Step) -> TokenMoved | None:
    """Return the move of the target that a step is about: its last one before the step."""
    key = step.facts["target"]
    moves = (
        event for event in reversed(step.earlier) if isinstance(event, TokenMoved) and event.token == key
    )
    return next(moves, None)


def _points(number: int) -> str:
    return localize("coup_de_grace.log_points", count=number)


def _move(step: Step) -> LogText:
    moved = next(event for event in step.later if isinstance(event, TokenMoved))
    ruling, name = step.facts["ruling"], step.name
    if moved.at == moved.was_at:
        if moved.facing is None:
            move = localize("coup_de_grace.log_turn_away", name=name)
        else:
            move = localize("coup_de_grace.log_turn", name=name, facing=facing_text(moved.facing))
    elif moved.was_at is None:
        move = localize("coup_de_grace.log_enter", name=name, cell=_cell(moved.at))
    else:
        start, end = _cell(moved.was_at), _cell(moved.at)
        move = localize("coup_de_grace.log_move", name=name, start=start, end=end)
    if not ruling["allowed"]:
        reasons = " ".join(ruling["reasons"])
        return LogText(localize("coup_de_grace.log_move_against_rules", move=move, reasons=reasons))
    budget = _points(ruling["budget"])
    cost = localize("coup_de_grace.log_move_cost", cost=ruling["cost"], budget=budget)
    return LogText(localize("coup_de_grace.log_moved", move=move), cost)


def _cell(cell: tuple[int, int] | None) -> str:
    return cell_name(cell) if cell else localize("coup_de_grace.log_off_board")


def _strike(hit: str, miss: str) -> Row:
    """Return the row of an attack, by the texts of a hit and of a miss."""

    def row(step: Step) -> LogText:
        facts = step.facts
        names = {"name": step.name, "target": step.target, "weapon": facts["act"]}
        added = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
        before, after = facts["hit_points"]
        numbers = {
            "dice": step.dice + added,
            "total": facts["total"],
            "defense": sum(m["value"] for m in facts["defenses"]),
            "cost": _cost(step),
        }
        if facts["result"] != "hit":
            return LogText(localize(miss, **names), localize("coup_de_grace.log_roll", **numbers))
        detail = localize("coup_de_grace.log_roll_hit", **numbers, before=before, after=after)
        return LogText(localize(hit, **names, count=before - after), detail)

    return row


def _to_place(key: str) -> Row:
    """Return a sentence about a target that was moved, with where it stands then; "" for one that stays."""

    def row(step: Step) -> str:
        moved = _displaced(step)
        place = _cell(moved.at) if moved is not None else ""
        return localize(key, name=step.target, place=place) if place else ""

    return row


def _turned(step: Step) -> str:
    moved = _displaced(step)
    facing = moved.facing if moved is not None else None
    name = step.target
    if facing is None:
        return localize("coup_de_grace.log_turned_away", name=name)
    return localize("coup_de_grace.log_turned", name=name, facing=facing_text(facing))


def _round(step: Step) -> LogText:
    facts = step.facts
    counts = ", ".join(f"{name} {count}" for name, count in facts["counts"].items() if count)
    if step.faces:
        counts = localize("coup_de_grace.log_round_dice", counts=counts, dice=", ".join(map(str, step.faces)))
    number, side = step.scene.track("round") + 1, facts["result"]
    return LogText(localize("coup_de_grace.log_round", number=number, side=side), f"{counts}.")


def _activate(step: Step) -> str:
    name, points = step.name, step.facts["counts"]["mp"]
    if not points:
        return localize("coup_de_grace.log_activate", name=name)
    return localize("coup_de_grace.log_activate_points", name=name, points=_points(points))


def _end(step: Step) -> str:
    name, points = step.name, step.facts["counts"]["mp"]
    side = step.facts["result"]
    if points:
        end = localize("coup_de_grace.log_end_points", name=name, points=_points(points))
    else:
        end = localize("coup_de_grace.log_end", name=name)
    if side == "round over":
        return localize("coup_de_grace.log_end_round", end=end)
    return localize("coup_de_grace.log_end_side", end=end, side=side)


def _brace(step: Step) -> str:
    return localize("coup_de_grace.log_brace", name=step.name, cost=_cost(step))


def _entangle(step: Step) -> LogText:
    facts = step.facts
    key = (
        "coup_de_grace.log_entangled" if facts["result"] == "entangled" else "coup_de_grace.log_not_entangled"
    )
    dice = localize("coup_de_grace.log_and", first=step.faces[0], second=step.faces[1])
    detail = localize("coup_de_grace.log_dice", dice=dice, needed=facts["needed"])
    return LogText(localize(key, name=step.name, target=step.target), detail)


def _spell(step: Step) -> str:
    name, focus, cost = step.name, step.facts["act"], _cost(step)
    if "target" not in step.facts:
        return localize("coup_de_grace.log_spell", name=name, focus=focus, cost=cost)
    target = step.target
    return localize("coup_de_grace.log_spell_target", name=name, focus=focus, target=target, cost=cost)


def _touch(step: Step) -> str:
    before, after = step.facts["hit_points"]
    if before == after:
        return localize("coup_de_grace.log_touch_unhurt", name=step.target)
    key = "coup_de_grace.log_healed" if step.facts["result"] == "healed" else "coup_de_grace.log_harmed"
    return localize(key, name=step.target, before=before, after=after)


def _condition(scene: Scene, event: AnyEvent) -> str:
    if not isinstance(event, ConditionSet) or event.note is None:
        return ""
    if event.condition == "won":
        return _battle_over([scene.side(side).name for side in winners(scene, event.note)])
    if event.condition not in _STATES:  # most conditions need no sentence
        return ""
    name = next((token.name for token in scene.tokens if token.id == event.holder), event.holder)
    return localize(_STATES[event.condition], name=name)


_STATES = {"downed": "coup_de_grace.log_downed", "out": "coup_de_grace.log_out"}
"""The sentence of each condition that the log tells."""


def _battle_over(sides: Sequence[str]) -> str:
    if not sides:
        return localize("coup_de_grace.log_no_winner")
    if len(sides) == 1:
        return localize("coup_de_grace.log_winner", side=sides[0])
    first, last = ", ".join(sides[:-1]), sides[-1]
    return localize("coup_de_grace.log_winners", first=first, last=last)


_SENTENCES: dict[str, Row] = {
    "move": _move,
    "attack": _strike("coup_de_grace.log_hit", "coup_de_grace.log_miss"),
    "coup_de_grace": _strike("coup_de_grace.log_coup_hit", "coup_de_grace.log_coup_miss"),
    "push": _to_place("coup_de_grace.log_pushed"),
    "pull": _to_place("coup_de_grace.log_pulled"),
    "blown": _to_place("coup_de_grace.log_blown"),
    "turned": _turned,
    "dragged": _to_place("coup_de_grace.log_dragged"),
    "warded": told("coup_de_grace.log_warded"),
    "hastened": told("coup_de_grace.log_hastened"),
    "spirited": _to_place("coup_de_grace.log_spirited"),
    "calm": told("coup_de_grace.log_calm"),
    "earth": told("coup_de_grace.log_earth"),
    "round": _round,
    "activate": _activate,
    "end": _end,
    "crawl": told("coup_de_grace.log_crawl"),
    "recover": by(
        "result",
        {"recovered": told("coup_de_grace.log_recovered", "coup_de_grace.log_die")},
        told("coup_de_grace.log_not_recovered", "coup_de_grace.log_die"),
    ),
    "brace": _brace,
    "entangle": _entangle,
    "spell": _spell,
    "prayer": by(
        "result",
        {"answered": told("coup_de_grace.log_prayer_answered", "coup_de_grace.log_die")},
        told("coup_de_grace.log_prayer_not_answered", "coup_de_grace.log_die"),
    ),
    "touched": _touch,
    "victory": told("coup_de_grace.log_victory", side="result"),
}
