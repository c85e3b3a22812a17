"""The log of a game of parts: a text for each kind of act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from enfilade.i18n import localize
from enfilade.rules.kit.health import OUT
from enfilade.scene.events import AnyEvent, ConditionSet, Explained
from enfilade.scene.model import Scene


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
