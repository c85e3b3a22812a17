"""What happened, step by step, in plain sentences for the log (TRN-032, TRN-104)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from enfilade.rulesets.torn.profiles import MARKERS
from enfilade.scene.events import TABLE, AnyEvent, ChoiceMade, ConditionSet, DiceRolled, Explained
from enfilade.scene.model import Scene

Facts = dict[str, Any]


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """One sentence for every step of an act, from the scene before it and what it brought."""
    names = {token.id: token.name for token in scene.tokens}
    return " ".join(sentence for sentence in _sentences(scene, names, events) if sentence)


def _sentences(scene: Scene, names: dict[str, str], events: Sequence[AnyEvent]) -> Iterator[str]:
    rolled: list[DiceRolled] = []
    for event in events:
        if isinstance(event, DiceRolled):
            rolled.append(event)
        elif isinstance(event, ChoiceMade):
            yield _choice(scene, event)
        elif isinstance(event, ConditionSet):
            yield _condition(scene, names, event)
        elif isinstance(event, Explained) and event.kind in _SENTENCES:
            yield _SENTENCES[event.kind](names, event.facts, _dice(rolled))
            rolled.clear()


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return ", ".join(f"{roll.label} {' '.join(str(face) for face in roll.faces)}" for roll in rolled)


def _choice(scene: Scene, event: ChoiceMade) -> str:
    """Only what people decided: that an automatic side keeps a roll is no news."""
    if event.automatic or event.answer == "keep":
        return ""
    return f"{scene.side(event.side).name} decides: {event.question.rstrip('?.')}: {event.answer}."


def _condition(scene: Scene, names: dict[str, str], event: ConditionSet) -> str:
    if event.holder == TABLE:
        won = event.condition == "won" and event.note
        return f"{scene.side(event.note).name} wins the battle!" if won and event.note else ""
    name = names.get(event.holder, event.holder)
    if event.condition == "out" and event.note is not None:
        return f"{name} is removed from the battlefield."
    if event.condition in MARKERS:
        marker = event.condition.capitalize()
        return f"{name} gets {marker}." if event.note is not None else f"{name} is rid of {marker}."
    return ""


def _declared(names: dict[str, str], facts: Facts, dice: str) -> str:
    del dice
    pool = ", ".join(f"{count} {die.capitalize()}" for die, count in facts["pool"].items() if count)
    added = [m for m in facts["defences"][1:] if m["value"]]
    defences = "".join(f"; {m['value']:+d} Defence, {m['reason']}" for m in added)
    what = f"{pool or 'no dice'}; damage {facts['damage']} {facts['type']}"
    return f"{names[facts['token']]} attacks {names[facts['target']]} with {facts['act']} ({what}{defences})."


def _attack_roll(names: dict[str, str], facts: Facts, dice: str) -> str:
    del names
    hits = f"{_count(facts['successes'], 'success')}, {_count(facts['criticals'], 'critical')}"
    return f"Attack: {dice}; {hits}, {facts['skill']} Skill."


def _defence(names: dict[str, str], facts: Facts, dice: str) -> str:
    del names
    how = "Evade" if facts["evades"] else "Defence"
    parts = [_count(facts["successes"], "success")]
    if facts.get("criticals"):
        parts.append(
            f"{_count(facts['criticals'], 'critical')}, {facts['on_criticals']} of them on criticals"
        )
    if facts["skill_used"]:
        parts.append(f"{facts['skill_used']} Skill used")
    back = f", {facts['returned']} back" if facts["returned"] else ""
    return f"{how}: {dice or 'no dice'}; {', '.join(parts)}; {_count(facts['dealt'], 'wound')}{back}."


def _count(number: int, word: str) -> str:
    plural = f"{word}es" if word.endswith(("s", "x")) else f"{word}s"
    return f"{number} {word if number == 1 else plural}"


def _blow(words: str) -> Callable[[dict[str, str], Facts, str], str]:
    def sentence(names: dict[str, str], facts: Facts, dice: str) -> str:
        del dice
        return words.format(names[facts["token"]], names[facts["target"]], facts["act"])

    return sentence


def _about(words: str) -> Callable[[dict[str, str], Facts, str], str]:
    def sentence(names: dict[str, str], facts: Facts, dice: str) -> str:
        return words.format(name=names.get(facts.get("token", ""), ""), dice=dice, **_plain(facts))

    return sentence


def _plain(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if key not in ("name", "dice")}


def _wounds(names: dict[str, str], facts: Facts, dice: str) -> str:
    del dice
    markers = "wound marker" if facts["wounds"] == 1 else "wound markers"
    return f"{names[facts['token']]} takes {facts['wounds']} {markers}, {facts['left']} left."


def _move(names: dict[str, str], facts: Facts, dice: str) -> str:
    del dice
    name = names[facts["token"]]
    if not facts["allowed"]:
        return f"{name} moves against the rules: {' '.join(facts['reasons'])}"
    if not facts["act"]:
        return f"{name} stays where it is."
    unit = _count(facts["cost"], "Hexon" if facts["unit"] == "hexon" else "Hex")
    return f"{name} does {facts['act']}: {unit}."


def _panic_test(names: dict[str, str], facts: Facts, dice: str) -> str:
    shown = f" ({dice})" if dice else ""
    return f"{names[facts['token']]} {'passes' if facts['passes'] else 'fails'} a Panic Test{shown}."


def _effect(names: dict[str, str], facts: Facts, dice: str) -> str:
    del names
    shown = f" ({dice})" if dice else ""
    return f"The attack {'takes effect' if facts['result'] == 'effect' else 'has no effect'}{shown}."


def _shifted(names: dict[str, str], facts: Facts, dice: str) -> str:
    test = f"{'passes' if facts['passes'] else 'fails'} a Dexterity Test" + (f" ({dice})" if dice else "")
    return f"{names[facts['token']]} {test} and is {'shifted one Hex' if facts['moved'] else 'not shifted'}."


def _round(names: dict[str, str], facts: Facts, dice: str) -> str:
    del names
    shown = f" ({dice})" if dice else ""
    return f"{facts['act'].capitalize()} begins; {facts['result']} activates first{shown}."


def _end(names: dict[str, str], facts: Facts, dice: str) -> str:
    del dice
    over = facts["result"] == "round over"
    return (
        f"{names[facts['token']]} is done; {'the round is over' if over else facts['result'] + ' is next'}."
    )


_SENTENCES: dict[str, Callable[[dict[str, str], Facts, str], str]] = {
    "declared": _declared,
    "attack roll": _attack_roll,
    "defence": _defence,
    "area attack": _blow("{2} reaches {1} too."),
    "group attack": _blow("The dice that failed are rolled again at {1}."),
    "counter attack": _blow("{0} counters with {2}."),
    "free attack": _blow("{0} makes a Free Attack on {1} with {2}."),
    "wounds": _wounds,
    "effect": _effect,
    "immune": _about("{name} is immune to {to} damage."),
    "shifted": _shifted,
    "panic test": _panic_test,
    "leader lost": _about("The expedition has lost its leader, {name}."),
    "transformed": _about("{name} transforms."),
    "move": _move,
    "destroyed": _about("{name} crushes {hexes} Hexes of landscape."),
    "ejected": _about("{name} steps out of the way."),
    "round": _round,
    "activate": _about("{name} is activated."),
    "concentrate": _about("{name} concentrates."),
    "end": _end,
}
