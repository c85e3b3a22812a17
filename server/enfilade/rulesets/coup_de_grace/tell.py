"""What players read: the card of a miniature, and the log text of an act (CDG-010, CDG-032, CDG-076)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from enfilade.geometry.board.units import cell_name
from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import LogText, log_text
from enfilade.rulesets.coup_de_grace.battlefield import battlefield, facing_text
from enfilade.rulesets.coup_de_grace.catalog import ARMOR, Item
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import EFFECTS
from enfilade.rulesets.coup_de_grace.combat.effects import RACES
from enfilade.rulesets.coup_de_grace.combat.foci import LEFT_FIST_QUALITY, SPELLS
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.turn import winners
from enfilade.scene.events import AnyEvent, ConditionSet, DiceRolled, Explained, TokenMoved
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


Facts = dict[str, Any]


@dataclass
class Narration:
    """The state of a log text: the facts so far, the dice since the facts began, and the last move."""

    scene: Scene
    facts: Facts = field(default_factory=dict)
    dice: list[int | str] = field(default_factory=list)
    moved: TokenMoved | None = None
    displaced: TokenMoved | None = None

    def name(self, key: str = "token") -> str:
        """Return the name of the miniature that a fact names by its ID."""
        return self.scene.token(self.facts[key]).name

    @property
    def cost(self) -> str:
        """Return " for 3 movement points", or an empty text if the act was free."""
        cost = self.facts.get("counts", {}).get("cost", 0)
        return localize("coup_de_grace.log_cost", points=_points(cost)) if cost else ""

    def add(self, event: AnyEvent) -> None:
        """Add one event."""
        if isinstance(event, Explained):
            if event.kind in ("declared", "spell"):
                self.facts, self.dice = {}, []
            self.facts = self.facts | event.facts
        elif isinstance(event, DiceRolled):
            self.dice.extend(event.faces)
        elif isinstance(event, TokenMoved):
            self.moved = event


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return the sentences for an act and their detail, from the scene before it and its events."""
    narration, sentences = Narration(scene), list[LogText | str]()
    for i, event in enumerate(events):
        narration.add(event)
        if isinstance(event, Explained) and event.kind in _SENTENCES:
            if event.kind == "move":
                narration.add(next(e for e in events[i:] if isinstance(e, TokenMoved)))
            elif event.kind in _DISPLACED:
                narration.displaced = _displaced(events, i, narration.facts["target"])
            sentences.append(_SENTENCES[event.kind](narration))
        elif isinstance(event, ConditionSet):
            sentences.append(_condition(scene, event))
    return log_text(sentences)


def _displaced(events: Sequence[AnyEvent], place: int, token: str) -> TokenMoved | None:
    """Return the move of a token that an explanation at a place is about: the last before it, or the next."""
    before = (event for event in reversed(events[:place]) if not isinstance(event, DiceRolled))
    last = next(before, None)
    if isinstance(last, TokenMoved) and last.token == token:
        return last
    later = (event for event in events[place:] if isinstance(event, TokenMoved) and event.token == token)
    return next(later, None)


def _points(number: int) -> str:
    return localize("coup_de_grace.log_points", count=number)


def _move(narration: Narration) -> LogText:
    moved, ruling = narration.moved, narration.facts["ruling"]
    assert moved is not None
    name = narration.name()
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


def _attack(narration: Narration) -> LogText:
    return _strike(narration, "coup_de_grace.log_hit", "coup_de_grace.log_miss")


def _coup_de_grace(narration: Narration) -> LogText:
    return _strike(narration, "coup_de_grace.log_coup_hit", "coup_de_grace.log_coup_miss")


def _strike(narration: Narration, hit: str, miss: str) -> LogText:
    facts = narration.facts
    names = {"name": narration.name(), "target": narration.name("target"), "weapon": facts["act"]}
    added = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
    before, after = facts["hit_points"]
    numbers = {
        "dice": _dice_in_turn(narration.dice) + added,
        "total": facts["total"],
        "defense": sum(m["value"] for m in facts["defenses"]),
        "cost": narration.cost,
    }
    if facts["result"] != "hit":
        return LogText(localize(miss, **names), localize("coup_de_grace.log_roll", **numbers))
    detail = localize("coup_de_grace.log_roll_hit", **numbers, before=before, after=after)
    return LogText(localize(hit, **names, count=max(0, before - after)), detail)


def _dice_in_turn(dice: Sequence[int | str]) -> str:
    """Return "3", or "1, then 5" for a rerolled die."""
    text = str(dice[0]) if dice else ""
    for face in dice[1:]:
        text = localize("coup_de_grace.log_then", dice=text, face=face)
    return text


def _on_target(key: str) -> Callable[[Narration], str]:
    return lambda narration: localize(key, name=narration.name("target"))


def _to_place(key: str) -> Callable[[Narration], str]:
    """Return a sentence about a target that was moved, with where it stands then; "" for one that stays."""

    def sentence(narration: Narration) -> str:
        moved = narration.displaced
        place = _cell(moved.at) if moved is not None else ""
        return localize(key, name=narration.name("target"), place=place) if place else ""

    return sentence


def _turned(narration: Narration) -> str:
    moved = narration.displaced
    facing = moved.facing if moved is not None else None
    name = narration.name("target")
    if facing is None:
        return localize("coup_de_grace.log_turned_away", name=name)
    return localize("coup_de_grace.log_turned", name=name, facing=facing_text(facing))


def _round(narration: Narration) -> LogText:
    facts = narration.facts
    counts = ", ".join(f"{name} {count}" for name, count in facts["counts"].items() if count)
    if narration.dice:
        counts = localize(
            "coup_de_grace.log_round_dice", counts=counts, dice=", ".join(map(str, narration.dice))
        )
    number, side = narration.scene.track("round") + 1, facts["result"]
    return LogText(localize("coup_de_grace.log_round", number=number, side=side), f"{counts}.")


def _activate(narration: Narration) -> str:
    name, points = narration.name(), narration.facts["counts"]["mp"]
    if not points:
        return localize("coup_de_grace.log_activate", name=name)
    return localize("coup_de_grace.log_activate_points", name=name, points=_points(points))


def _end(narration: Narration) -> str:
    name, points = narration.name(), narration.facts["counts"]["mp"]
    side = narration.facts["result"]
    if points:
        end = localize("coup_de_grace.log_end_points", name=name, points=_points(points))
    else:
        end = localize("coup_de_grace.log_end", name=name)
    if side == "round over":
        return localize("coup_de_grace.log_end_round", end=end)
    return localize("coup_de_grace.log_end_side", end=end, side=side)


def _crawl(narration: Narration) -> str:
    return localize("coup_de_grace.log_crawl", name=narration.name())


def _recover(narration: Narration) -> LogText:
    facts = narration.facts
    key = (
        "coup_de_grace.log_recovered" if facts["result"] == "recovered" else "coup_de_grace.log_not_recovered"
    )
    return LogText(localize(key, name=narration.name()), _die(facts))


def _die(facts: Facts) -> str:
    return localize("coup_de_grace.log_die", total=facts["total"], needed=facts["needed"])


def _brace(narration: Narration) -> str:
    return localize("coup_de_grace.log_brace", name=narration.name(), cost=narration.cost)


def _entangle(narration: Narration) -> LogText:
    facts = narration.facts
    key = (
        "coup_de_grace.log_entangled" if facts["result"] == "entangled" else "coup_de_grace.log_not_entangled"
    )
    dice = localize("coup_de_grace.log_and", first=narration.dice[0], second=narration.dice[1])
    detail = localize("coup_de_grace.log_dice", dice=dice, needed=facts["needed"])
    return LogText(localize(key, name=narration.name(), target=narration.name("target")), detail)


def _spell(narration: Narration) -> str:
    name, focus, cost = narration.name(), narration.facts["act"], narration.cost
    if "target" not in narration.facts:
        return localize("coup_de_grace.log_spell", name=name, focus=focus, cost=cost)
    target = narration.name("target")
    return localize("coup_de_grace.log_spell_target", name=name, focus=focus, target=target, cost=cost)


def _prayer(narration: Narration) -> LogText:
    facts = narration.facts
    key = (
        "coup_de_grace.log_prayer_answered"
        if facts["result"] == "answered"
        else "coup_de_grace.log_prayer_not_answered"
    )
    return LogText(localize(key), _die(facts))


def _touch(narration: Narration) -> str:
    before, after = narration.facts["hit_points"]
    if before == after:
        return localize("coup_de_grace.log_touch_unhurt", name=narration.name("target"))
    key = "coup_de_grace.log_healed" if narration.facts["result"] == "healed" else "coup_de_grace.log_harmed"
    return localize(key, name=narration.name("target"), before=before, after=after)


def _victory(narration: Narration) -> str:
    return localize("coup_de_grace.log_victory", side=narration.facts["result"])


def _condition(scene: Scene, event: ConditionSet) -> str:
    if event.note is None:
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


_DISPLACED = frozenset({"push", "pull", "blown", "turned", "dragged", "spirited"})
"""The explanations of a target that is moved or turned."""

_SENTENCES: dict[str, Callable[[Narration], LogText | str]] = {
    "move": _move,
    "attack": _attack,
    "coup_de_grace": _coup_de_grace,
    "push": _to_place("coup_de_grace.log_pushed"),
    "pull": _to_place("coup_de_grace.log_pulled"),
    "blown": _to_place("coup_de_grace.log_blown"),
    "turned": _turned,
    "dragged": _to_place("coup_de_grace.log_dragged"),
    "warded": _on_target("coup_de_grace.log_warded"),
    "hastened": _on_target("coup_de_grace.log_hastened"),
    "spirited": _to_place("coup_de_grace.log_spirited"),
    "calm": lambda _: localize("coup_de_grace.log_calm"),
    "earth": _on_target("coup_de_grace.log_earth"),
    "round": _round,
    "activate": _activate,
    "end": _end,
    "crawl": _crawl,
    "recover": _recover,
    "brace": _brace,
    "entangle": _entangle,
    "spell": _spell,
    "prayer": _prayer,
    "touched": _touch,
    "victory": _victory,
}
