"""The log text of an act: every test with its value, throw, result and band (DBL-004, DBL-056)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from enfilade.geometry.board.units import cell_name
from enfilade.i18n import localize
from enfilade.rulesets.double_life.dice import band_name
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import Scene


class Fact(NamedTuple):
    """An explained step: its facts, the names of tokens and sides, and the dice rolled for it."""

    facts: dict[str, Any]
    names: dict[str, str]
    dice: str

    @property
    def name(self) -> str:
        """Return the name of the character that acts or is affected."""
        return self.names.get(self.facts.get("token", ""), "")

    @property
    def target(self) -> str:
        """Return the name of the target."""
        return self.names.get(self.facts.get("target", ""), "")


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    names = {token.id: token.name for token in scene.tokens}
    names |= {f"side {side.id}": side.name for side in scene.sides}
    return " ".join(sentence for sentence in _sentences(names, events) if sentence)


def _sentences(names: dict[str, str], events: Sequence[AnyEvent]) -> Iterator[str]:
    rolled: list[DiceRolled] = []
    for event in events:
        if isinstance(event, DiceRolled):
            rolled.append(event)
        elif isinstance(event, ChoiceMade) and event.answer == "no":
            yield localize("double_life.log_no", question=event.question)
        elif isinstance(event, Explained) and event.kind in _SENTENCES:
            dice = " ".join(" ".join(map(str, roll.faces)) for roll in rolled)
            yield _SENTENCES[event.kind](Fact(event.facts, names, dice))
            rolled.clear()


def _round(fact: Fact) -> str:
    number = localize("double_life.log_round", number=fact.facts["round"])
    return " ".join([number, *(_plan(fact, plan) for plan in fact.facts["plans"])])


def _plan(fact: Fact, plan: dict[str, Any]) -> str:
    """Return a revealed plan in a sentence (DBL-004)."""
    name = fact.names.get(plan["token"], plan["token"])
    if not plan["text"]:
        return localize("double_life.log_no_plan", name=name)
    return localize("double_life.log_plan", name=name, stance=plan["text"])


def _attack(fact: Fact) -> str:
    facts = fact.facts
    kind = facts["act"].replace("-", "_").replace(" ", "_")
    names = {"name": fact.name, "target": fact.target, "weapon": facts["weapon"]}
    sentence = localize(f"double_life.log_{kind}", **names)
    if facts["defenders"]:
        defenders = ", ".join(fact.names.get(one, one) for one in facts["defenders"])
        sentence += " " + localize("double_life.log_defended", names=defenders)
    elif facts["easy"]:
        sentence += " " + localize("double_life.log_easy", name=fact.target)
    return sentence


def _test(fact: Fact) -> str:
    facts = fact.facts
    values = {
        "name": fact.name,
        "test": localize(f"double_life.test_{facts['test']}"),
        "value": facts["value"],
        "throw": facts["throw"],
        "result": facts["score"],
        "band": band_name(facts["band"]),
        "dice": fact.dice,
    }
    sentence = localize("double_life.log_test", **values)
    return f"{sentence} {localize('double_life.log_' + facts['mark'])}" if facts["mark"] else sentence


def _outcome(fact: Fact) -> str:
    facts = fact.facts
    return localize(
        "double_life.log_outcome", difference=f"{facts['difference']:+d}", band=band_name(facts["band"])
    )


def _damage(fact: Fact) -> str:
    facts = fact.facts
    key = "double_life.log_damage" if facts["part"] == "1" else "double_life.log_damage_part"
    return localize(key, dice=fact.dice, part=facts["part"], damage=facts["damage"])


def _poise(fact: Fact) -> str:
    facts = fact.facts
    return localize(
        "double_life.log_poise", name=fact.name, change=f"{facts['change']:+d}", left=facts["left"]
    )


def _wound(fact: Fact) -> str:
    facts = fact.facts
    return localize("double_life.log_wound", name=fact.name, damage=facts["damage"], left=facts["left"])


def _footing(fact: Fact) -> str:
    key = "double_life.log_stands_up" if fact.facts["is_up"] else "double_life.log_stays_down"
    return localize(key, name=fact.name)


def _control(fact: Fact) -> str:
    key = "double_life.log_keeps_control" if fact.facts["is_kept"] else "double_life.log_loses_control"
    return localize(key, name=fact.name)


def _move(fact: Fact) -> str:
    facts = fact.facts
    place = cell_name((facts["to"][0], facts["to"][1]))
    if facts["to"] != facts["wanted"]:
        return localize("double_life.log_stopped", name=fact.name, place=place)
    key = "double_life.log_flees" if facts["flight"] else "double_life.log_moves"
    return localize(key, name=fact.name, place=place, facing=_facing(facts["facing"]))


def _facing(degrees: int) -> str:
    names = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
    return localize(f"double_life.facing_{names[degrees // 45]}")


def _placed(fact: Fact) -> str:
    facts = fact.facts
    if facts["allowed"]:
        return localize("double_life.log_placed", name=fact.name)
    return localize("double_life.log_placed_illegal", name=fact.name, reasons=" ".join(facts["reasons"]))


def _won(fact: Fact) -> str:
    side = fact.names.get(f"side {fact.facts['side']}")
    return localize("double_life.log_won", side=side) if side else localize("double_life.log_no_winner")


def _end(fact: Fact) -> str:
    facts = fact.facts
    sentences = [localize("double_life.log_end", rounds=facts["round"], loss=facts["loss"])]
    for one in facts["left"]:
        name = fact.names.get(one["token"], one["token"])
        values = {"name": name, "health": one["health"], "energy": one["energy"]}
        sentences.append(localize("double_life.log_left", **values))
    if facts["dead"]:
        names = ", ".join(fact.names.get(one, one) for one in facts["dead"])
        sentences.append(localize("double_life.log_dead", names=names))
    return " ".join(sentences)


_SENTENCES: dict[str, Callable[[Fact], str]] = {
    "round": _round,
    "attack": _attack,
    "test": _test,
    "outcome": _outcome,
    "damage": _damage,
    "poise": _poise,
    "fall": lambda fact: localize("double_life.log_fall", name=fact.name),
    "footing": _footing,
    "control": _control,
    "appears": lambda fact: localize("double_life.log_appears", name=fact.name),
    "wound": _wound,
    "death": lambda fact: localize("double_life.log_death", name=fact.name),
    "move": _move,
    "placed": _placed,
    "won": _won,
    "end": _end,
}
