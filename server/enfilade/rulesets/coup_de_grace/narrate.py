"""What happened, in plain sentences for the log (CDG-032, CDG-076, CDG-080)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from enfilade.geometry.board.units import cell_name
from enfilade.rulesets.coup_de_grace.battlefield import FACING_WORDS
from enfilade.rulesets.coup_de_grace.turn import winners
from enfilade.scene.events import AnyEvent, ConditionSet, DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Scene

Facts = dict[str, Any]


@dataclass
class Narration:
    """How far a story has come: the facts known by now, the dice since they began, the last move."""

    scene: Scene
    facts: Facts = field(default_factory=dict)
    dice: list[int | str] = field(default_factory=list)
    moved: TokenMoved | None = None

    def name(self, key: str = "token") -> str:
        """The name of the miniature the facts speak of."""
        return self.scene.token(self.facts[key]).name

    @property
    def cost(self) -> str:
        """What was paid, in words; nothing where it was free."""
        cost = self.facts.get("counts", {}).get("cost", 0)
        return f" for {_points(cost)}" if cost else ""

    def add(self, event: AnyEvent) -> None:
        """Takes in one event."""
        if isinstance(event, Explained):
            if event.kind in ("declared", "spell"):
                self.facts, self.dice = {}, []
            self.facts = self.facts | event.facts
        elif isinstance(event, DiceRolled):
            self.dice.extend(event.faces)
        elif isinstance(event, TokenMoved):
            self.moved = event


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """One sentence or more for an act, from the scene before it and what it brought."""
    narration, sentences = Narration(scene), []
    for i, event in enumerate(events):
        narration.add(event)
        if isinstance(event, Explained) and event.kind in _SENTENCES:
            if event.kind == "move":
                narration.add(next(e for e in events[i:] if isinstance(e, TokenMoved)))
            sentences.append(_SENTENCES[event.kind](narration))
        elif isinstance(event, ConditionSet):
            sentences.append(_of_condition(scene, event))
    return " ".join(sentence for sentence in sentences if sentence)


def _points(number: int) -> str:
    return f"{number} movement point{'' if number == 1 else 's'}"


def _move(narration: Narration) -> str:
    moved, ruling = narration.moved, narration.facts["ruling"]
    assert moved is not None
    name = narration.name()
    if moved.at == moved.was_at:
        what = f"{name} turns {_facing(moved.facing)}"
    elif moved.was_at is None:
        what = f"{name} comes in at {_cell(moved.at)}"
    else:
        what = f"{name} moves from {_cell(moved.was_at)} to {_cell(moved.at)}"
    if not ruling["allowed"]:
        return f"{what}, against the rules: {' '.join(ruling['reasons'])}"
    return f"{what} for {ruling['cost']} of {_points(ruling['budget'])}."


def _facing(facing: int | None) -> str:
    return FACING_WORDS.get(facing, f"to {facing} degrees") if facing is not None else "away"


def _cell(cell: tuple[int, int] | None) -> str:
    return cell_name(cell) if cell else "off the board"


def _attack(narration: Narration) -> str:
    return _strike(narration, "attacks")


def _coup_de_grace(narration: Narration) -> str:
    return _strike(narration, "gives the coup de grace to")


def _strike(narration: Narration, action: str) -> str:
    facts = narration.facts
    weapon = facts["act"].split(" ", 1)[1] if not facts["act"].startswith("coup") else facts["act"][14:]
    added = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
    defence = sum(m["value"] for m in facts["defences"])
    before, after = facts["hit_points"]
    end = f"hit, {before} to {after} hit points" if facts["result"] == "hit" else "miss"
    dice = ", then ".join(str(face) for face in narration.dice)
    return (
        f"{narration.name()} {action} {narration.name('target')} with the {weapon}{narration.cost}: "
        f"die {dice}{added}, {facts['total']} against defence {defence}: {end}."
    )


def _shoved(verb: str) -> Callable[[Narration], str]:
    return lambda narration: f"{narration.name('target')} {verb}."


def _round(narration: Narration) -> str:
    facts = narration.facts
    counts = ", ".join(f"{name} {count}" for name, count in facts["counts"].items())
    dice = f", dice {', '.join(map(str, narration.dice))}" if narration.dice else ""
    first = f"the first activation is one of {facts['result']}"
    return f"{facts['act'].capitalize()} begins ({counts}{dice}); {first}."


def _activate(narration: Narration) -> str:
    points = narration.facts["counts"]["mp"]
    return f"{narration.name()} is activated{f' with {_points(points)}' if points else ''}."


def _end(narration: Narration) -> str:
    following, points = narration.facts["result"], narration.facts["counts"]["mp"]
    over = "the round is over" if following == "round over" else f"priority passes to {following}"
    return f"{narration.name()} is done{f' with {_points(points)} left' if points else ''}; {over}."


def _crawl(narration: Narration) -> str:
    return f"{narration.name()} crawls one square."


def _recover(narration: Narration) -> str:
    facts = narration.facts
    end = "stands up with 1 hit point" if facts["result"] == "recovered" else "stays down"
    return f"{narration.name()} tries to recover: die {facts['total']}, needs {facts['needed']}; {end}."


def _brace(narration: Narration) -> str:
    return f"{narration.name()} braces itself{narration.cost}."


def _entangle(narration: Narration) -> str:
    facts = narration.facts
    dice = " and ".join(map(str, narration.dice))
    thrown = f"{narration.name()} throws an entangling weapon at {narration.name('target')}: dice {dice}"
    end = "it is caught" if facts["result"] == "entangled" else "it slips away"
    return f"{thrown}, needs {facts['needed']}; {end}."


def _spell(narration: Narration) -> str:
    at = f" at {narration.name('target')}" if "target" in narration.facts else ""
    return f"{narration.name()} uses the {narration.facts['act'][6:]}{at}{narration.cost}."


def _prayer(narration: Narration) -> str:
    facts = narration.facts
    return f"Die {facts['total']}, needs {facts['needed']}: {facts['result']}."


def _touch(narration: Narration) -> str:
    before, after = narration.facts["hit_points"]
    if before == after:
        return f"{narration.name('target')} has all its hit points."
    return f"{narration.name('target')} is {narration.facts['result']}, {before} to {after} hit points."


def _victory(narration: Narration) -> str:
    return f"The scenario is decided for {narration.facts['result']}."


def _of_condition(scene: Scene, event: ConditionSet) -> str:
    words = {"downed": "{} is downed.", "out": "{} is out of action."}
    if event.note is None:
        return ""
    if event.condition == "won":
        sides = " and ".join(scene.side(side).name for side in winners(scene, event.note))
        return f"The battle is over: {sides or 'nobody is left, and nobody'} won."
    return words.get(event.condition, "").format(_holder(scene, event.holder))


def _holder(scene: Scene, holder: str) -> str:
    return next((token.name for token in scene.tokens if token.id == holder), holder)


_SENTENCES: dict[str, Callable[[Narration], str]] = {
    "move": _move,
    "attack": _attack,
    "coup_de_grace": _coup_de_grace,
    "push": _shoved("is pushed back one square"),
    "pull": _shoved("is pulled closer"),
    "blown": _shoved("is blown one square"),
    "turned": _shoved("is turned round"),
    "dragged": _shoved("is dragged along"),
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
