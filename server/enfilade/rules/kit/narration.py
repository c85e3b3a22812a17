"""The log's sentences: from a text for each kind of act, or from a function for each explained step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from enfilade.i18n import localize
from enfilade.rules.kit.health import OUT
from enfilade.rules.tell import LogText, log_text
from enfilade.scene.events import AnyEvent, ConditionSet, DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Scene


class Step(NamedTuple):
    """An explained step of an act: its facts, the names of tokens and sides, and the dice rolled for it.

    A token's name stands under its ID, and a side's under "side " and its ID. `later` are the events of the
    act after it.
    """

    facts: dict[str, Any]
    names: Mapping[str, str]
    dice: str
    later: Sequence[AnyEvent] = ()

    @property
    def name(self) -> str:
        """Return the name of the token that acts or is affected."""
        return self.names.get(self.facts.get("token", ""), "")

    @property
    def target(self) -> str:
        """Return the name of the target."""
        return self.names.get(self.facts.get("target", ""), "")

    @property
    def side(self) -> str:
        """Return the name of the side."""
        return self.names.get(f"side {self.facts.get('side', '')}", "")

    @property
    def way(self) -> list[TokenMoved]:
        """Return the moves of the token over the board later in the act; empty if it stays or is removed."""
        key = self.facts.get("token", "")
        moved = [event for event in self.later if isinstance(event, TokenMoved) and event.token == key]
        return [event for event in moved if event.at not in (None, event.was_at)]

    @property
    def following(self) -> str:
        """Return the kind of the next explained step; empty for the last one."""
        return next((event.kind for event in self.later if isinstance(event, Explained)), "")

    def listed(self, keys: Sequence[str]) -> str:
        """Return the names of some tokens."""
        return ", ".join([self.names.get(key, key) for key in keys])


def narrate_steps(
    scene: Scene,
    events: Sequence[AnyEvent],
    sentences: Mapping[str, Callable[[Step], LogText | str]],
    show_dice: Callable[[Sequence[DiceRolled]], str],
    other: Callable[[Mapping[str, str], AnyEvent], LogText | str],
) -> str:
    """Return a sentence for each step of an act, and its detail, from the scene before it and its events.

    `sentences` has a function for each kind of step. A step has the dice since the step before it, as
    `show_dice` writes them. `other` returns a sentence for another event, from the names, or "".
    """
    names = {token.id: token.name for token in scene.tokens}
    names |= {f"side {side.id}": side.name for side in scene.sides}
    rolled: list[DiceRolled] = []
    found: list[LogText | str] = []
    for place, event in enumerate(events, 1):
        if isinstance(event, DiceRolled):
            rolled.append(event)
        elif not isinstance(event, Explained):
            found.append(other(names, event))
        elif event.kind in sentences:
            step = Step(event.facts, names, show_dice(rolled), events[place:])
            found.append(sentences[event.kind](step))
            rolled.clear()
    return log_text(found)


@dataclass(frozen=True)
class Narrator:
    """Texts by kind of act, such as `{"strike": "{token} strikes at {target}: {result}."}`.

    The fields are the facts of the act's explanations; a token and a side are shown by name. Moves, passes
    and ends of turns have texts of their own.
    """

    texts: Mapping[str, str] = field(default_factory=dict)

    def narrate(self, scene: Scene, events: Sequence[AnyEvent]) -> str:
        """Return the sentences for the events of an act, from the scene before them."""
        explained = [event for event in events if isinstance(event, Explained)]
        facts = {key: fact for event in explained for key, fact in event.facts.items()}
        shown = {key: _name(scene, key, fact) for key, fact in facts.items()}
        kinds = [event.kind for event in explained]
        sentences = [sentence for kind in kinds if (sentence := self._sentence(kind, shown))]
        return " ".join([*sentences, *_removals(scene, events)]) or localize("kit.log_other")

    def _sentence(self, kind: str, shown: Mapping[str, object]) -> str:
        if kind in self.texts:
            return self.texts[kind].format_map(shown)
        if kind == "move":
            return localize("kit.log_move", token=shown["token"])
        if kind == "pass":
            return localize("kit.log_pass", token=shown["token"])
        return localize("kit.log_end", side=shown["side"]) if kind == "end" else ""


def _name(scene: Scene, key: str, fact: object) -> object:
    names = {
        "token": {token.id: token.name for token in scene.tokens},
        "target": {token.id: token.name for token in scene.tokens},
        "side": {side.id: side.name for side in scene.sides},
    }
    return names.get(key, {}).get(str(fact), fact)


def _removals(scene: Scene, events: Sequence[AnyEvent]) -> Iterator[str]:
    for event in events:
        if isinstance(event, ConditionSet) and event.condition == OUT and event.note is not None:
            yield localize("kit.log_out", name=scene.token(event.holder).name)
