"""The steps of an act for pages that play it: a sentence for each, and the tokens that it changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from enfilade.rules.ruleset import Ruleset
from enfilade.rules.tell import split_detail
from enfilade.scene.apply import fold_all
from enfilade.scene.events import AnyEvent, Explained
from enfilade.scene.model import Scene, Token

_SHOWN = ("at", "facing", "tracks", "conditions")
"""The parts of a token that a step can change on the board."""


def act_steps(ruleset: Ruleset, kind: str, scene: Scene, events: Sequence[AnyEvent]) -> list[dict[str, Any]]:
    """Return the steps of an act in a scene; none for an act that is not played step by step.

    The first has the tokens as they were. Each has its sentences, the token and the target that it is about,
    and each token that it changes with its place, facing, tracks and conditions.
    """
    begins = ruleset.acts[kind].steps if kind in ruleset.acts else frozenset()
    if not begins:
        return []
    slices = list(_slices(events, begins))
    changed = _changed(scene, fold_all(scene, events))
    changed |= {token for part in _scenes(scene, slices) for token in _changed(*part)}
    steps = [_step(scene, scene, "", {}, changed)]
    for part, (before, after) in zip(slices, _scenes(scene, slices), strict=True):
        facts = next((event.facts for event in part if isinstance(event, Explained)), {})
        steps.append(_step(before, after, ruleset.narrate(before, part), facts, _changed(before, after)))
    return [step for i, step in enumerate(steps) if i == 0 or step["text"]]


def _slices(events: Sequence[AnyEvent], begins: frozenset[str]) -> Iterator[list[AnyEvent]]:
    part: list[AnyEvent] = []
    has_begun = False
    for event in events:
        if isinstance(event, Explained) and event.kind in begins:
            if has_begun:
                yield part
                part = []
            has_begun = True
        part.append(event)
    if part:
        yield part


def _scenes(scene: Scene, slices: Sequence[Sequence[AnyEvent]]) -> list[tuple[Scene, Scene]]:
    """Return the scene before and after each slice."""
    found = []
    for part in slices:
        after = fold_all(scene, part)
        found.append((scene, after))
        scene = after
    return found


def _changed(before: Scene, after: Scene) -> set[str]:
    old = {token.id: token for token in before.tokens}
    return {token.id for token in after.tokens if old.get(token.id) != token}


def _step(before: Scene, after: Scene, text: str, facts: dict[str, Any], changed: set[str]) -> dict[str, Any]:
    known = {token.id for token in before.tokens}
    sentences, detail = split_detail(text)
    return {
        "text": sentences,
        **({"detail": detail} if detail else {}),
        "token": facts.get("token", ""),
        "target": facts.get("target", ""),
        "changes": [_change(token) for token in after.tokens if token.id in changed and token.id in known],
    }


def _change(token: Token) -> dict[str, Any]:
    shown = {name: getattr(token, name) for name in _SHOWN}
    return {"token": token.id, **shown, "at": list(token.at) if token.at else None}
