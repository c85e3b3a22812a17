"""Put the ready-made parts together to a ruleset, with a text in the log for each kind of act."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec

from enfilade.i18n import localize
from enfilade.rules.kit.board import LAYOUTS
from enfilade.rules.kit.health import OUT, HitPoints
from enfilade.rules.kit.moves import Walk
from enfilade.rules.kit.offers import offers_of
from enfilade.rules.kit.targets import LAYERS, Targets
from enfilade.rules.outlook import Outlook, as_it_is
from enfilade.rules.profiles import read_profile
from enfilade.rules.ruleset import ActKind, CardLine, Ruleset, Unit
from enfilade.scene.events import AnyEvent, ConditionSet, Explained
from enfilade.scene.model import Scene, Token


def build_ruleset(
    *,
    key: str,
    title: str,
    grids: Collection[str],
    profile: type[msgspec.Struct],
    catalog: Sequence[Unit],
    walk: Walk,
    health: HitPoints,
    targets: Targets,
    attacks: Mapping[str, ActKind],
    texts: Mapping[str, str],
    successes: Collection[str] = ("hit",),
    **more: Any,
) -> Ruleset:
    """Return a ruleset of the parts: `attacks` are acts at an enemy, `texts` the log's sentence for each.

    `more` are fields of `Ruleset` that replace or add to the parts: tracks, conditions and acts are added,
    any other field is replaced.

    Raises:
        ValueError: a grid is gridless. The parts count in squares or hexes.
    """
    if not set(grids) <= {"square", *LAYOUTS}:
        raise ValueError("The parts of the kit play on squares and hexes.")
    turns = walk.turns
    acts = {
        "move": ActKind(localize("kit.act_move"), walk.move),
        **attacks,
        **turns.acts(),
        **more.pop("acts", {}),
    }
    fields = {
        "house_rules": (),
        "prepare_token": health.prepare,
        "bar": health.bar,
        "card": profile_card(profile, health),
        "reach": walk.reach,
        "judge": walk.judge,
        "areas": targets.areas,
        "layers": LAYERS,
        "sight": targets.sight,
        "turn": turns.turn,
        "offers": offers_of(acts, attacks),
        "narrate": Narrator(texts).narrate,
        # An order of an author's own need not say how a turn begins.
        "outlook": Outlook(ready=getattr(turns, "ready", as_it_is)),
    }
    return Ruleset(
        key=key,
        title=title,
        grids=frozenset(grids),
        profile=profile,
        catalog=tuple(catalog),
        acts=acts,
        successes=frozenset(successes),
        tracks={**health.tracks(), **turns.tracks(), **more.pop("tracks", {})},
        conditions={**health.conditions(), **turns.conditions(), **more.pop("conditions", {})},
        **{**fields, **more},
    )


def profile_card(
    shape: type[msgspec.Struct], health: HitPoints
) -> Callable[[Scene, Token], tuple[CardLine, ...]]:
    """Return a function for `Ruleset.card`: the hit points, and each field of the profile by its title."""
    titles = {one.name: _title(one) for one in msgspec.structs.fields(shape)}

    def card(_scene: Scene, token: Token) -> tuple[CardLine, ...]:
        values = read_profile(token.profile, shape)
        lines = [CardLine(titles[name], _shown(getattr(values, name))) for name in titles]
        return (health.card_line(token), *lines)

    return card


def _title(field: msgspec.structs.FieldInfo) -> str:
    metas = [part for part in get_args(field.type) if isinstance(part, msgspec.Meta)]
    return next((meta.title for meta in metas if meta.title), field.name.replace("_", " ").capitalize())


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


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
