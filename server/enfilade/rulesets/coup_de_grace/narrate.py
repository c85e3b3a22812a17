"""What happened, in plain sentences for the log (CDG-032, CDG-076, CDG-080)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from enfilade.rulesets.coup_de_grace.turn import FACING_WORDS
from enfilade.scene.events import AnyEvent, ConditionSet, DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Scene

Facts = dict[str, Any]


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """One sentence or more for an act, from the scene before it and what it brought."""
    facts: Facts = {}
    for event in events:
        if isinstance(event, Explained):
            facts |= event.facts
    kinds = [event.kind for event in events if isinstance(event, Explained)]
    sentences = [_SENTENCES[kind](scene, events, facts) for kind in kinds if kind in _SENTENCES]
    return " ".join(sentence for sentence in [*sentences, *_aftermath(scene, events)] if sentence)


def _name(scene: Scene, facts: Facts, key: str = "token") -> str:
    return scene.token(facts[key]).name


def _move(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    name, ruling = _name(scene, facts), facts["ruling"]
    (moved,) = [event for event in events if isinstance(event, TokenMoved)]
    if moved.at == moved.was_at:
        what = f"{name} turns {FACING_WORDS.get(moved.facing or 0, '')}"
    else:
        what = f"{name} moves from {_cell(moved.was_at)} to {_cell(moved.at)}"
    if not ruling["allowed"]:
        return f"{what}, against the rules: {' '.join(ruling['reasons'])}"
    return f"{what} for {ruling['cost']} of {ruling['budget']} movement points."


def _cell(cell: tuple[int, int] | None) -> str:
    return f"column {cell[0] + 1}, row {cell[1] + 1}" if cell else "off the board"


def _attack(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    target = scene.token(facts["target"])
    deed = "gives the coup de grace to" if target.has("downed") else "attacks"
    dice = ", then ".join(str(e.faces[0]) for e in events if isinstance(e, DiceRolled))
    added = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
    defence = sum(m["value"] for m in facts["defences"])
    before, after = facts["hit_points"]
    end = f"hit, {before} to {after} hit points." if facts["result"] == "hit" else "miss."
    weapon = facts["act"].split(" ", 1)[1]
    return (
        f"{_name(scene, facts)} {deed} {target.name} with the {weapon}: "
        f"die {dice}{added}, {facts['total']} against defence {defence}: {end}"
    )


def _push(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del events
    return f"{_name(scene, facts, 'target')} is pushed back one square."


def _round(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del scene, events
    counts = ", ".join(f"{name} {count}" for name, count in facts["counts"].items())
    return f"{facts['act'].capitalize()} begins ({counts}); {facts['result']} activates first."


def _activate(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del events
    return f"{_name(scene, facts)} is activated."


def _end(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del events
    over = facts["result"] == "round over"
    return f"{_name(scene, facts)} is done; {'the round is over' if over else facts['result'] + ' is next'}."


def _crawl(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del events
    return f"{_name(scene, facts)} crawls one square."


def _recover(scene: Scene, events: Sequence[AnyEvent], facts: Facts) -> str:
    del events
    end = "stands up with 1 hit point" if facts["result"] == "recovered" else "stays down"
    return f"{_name(scene, facts)} tries to recover: die {facts['total']}, needs {facts['needed']}; {end}."


def _aftermath(scene: Scene, events: Sequence[AnyEvent]) -> list[str]:
    words = {"downed": "{} is downed.", "out": "{} is out of action."}
    sentences = [
        words[event.condition].format(scene.token(event.holder).name)
        for event in events
        if isinstance(event, ConditionSet) and event.condition in words and event.note is not None
    ]
    won = [e.note for e in events if isinstance(e, ConditionSet) and e.condition == "won" and e.note]
    return sentences + [f"{scene.side(side).name} wins the battle!" for side in won]


_SENTENCES: dict[str, Callable[[Scene, Sequence[AnyEvent], Facts], str]] = {
    "move": _move,
    "attack": _attack,
    "push": _push,
    "round": _round,
    "activate": _activate,
    "end": _end,
    "crawl": _crawl,
    "recover": _recover,
}
