"""The log of a table: what it says of an act, with each blow and step for pages that play it, and its export.

The facts of an entry are those of one attack. A page that shows a volley, an area or the clashes of a secret
round needs each blow: who struck whom, the dice, the result, and the loss. They are found among the
explanations of any game. Some acts are played step by step, with a sentence for each.

An exported log has one JSON value a line, each after a hash of all lines so far: `<SHA-256 of the previous
hash and this line's JSON> <JSON>`. It has a head, one line for each entry, and an end. It holds everything
that the GM may know, and of the dice only what the table has published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.play.context import ActRequest
from enfilade.rules.resolve import Resolution
from enfilade.rules.ruleset import Ruleset
from enfilade.rules.tell import split_detail
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText, explanation_facts
from enfilade.scene.events import AnyEvent, DiceRolled, Explained
from enfilade.scene.model import Scene, Token
from enfilade.store.protocol import Store, iter_entries

FORMAT = "enfilade-log/1"

_LOSSES = ("damage", "dealt", "hit_points")
_RESULTS = ("result", "is_hit", "dealt")
_LATEST = ("needed", "hits")
"""Of these the last explanation of a blow counts, of all others the first."""
_KEPT = ("act", "weapon", "needed", "result", "is_hit", *_LOSSES, "hits", "negated")

_SHOWN = ("at", "facing", "tracks", "conditions")
"""The parts of a token that a step can change on the board."""


def log_text(
    ruleset: Ruleset,
    scene: Scene,
    request: ActRequest,
    resolution: Resolution,
    overridden: Sequence[IllegalAct],
) -> PublicText:
    """Return the log text and facts of an act; `overridden` are the refusals that the GM overrode."""
    text, detail = split_detail(ruleset.narrate(scene, resolution.events))
    facts = explanation_facts(resolution.events)
    if blows := _blows(ruleset, scene, request, resolution, facts):
        facts["blows"] = blows
    if detail:
        facts["detail"] = detail
    kind = ruleset.acts.get(request.act.kind)
    steps = act_steps(ruleset, request.act.kind, scene, resolution.events) if kind and kind.steps else []
    if steps:
        facts["steps"] = steps
    if request.is_stopped:
        text += " " + localize("play.stopped_by_unseen", name=scene.token(request.act.token).name)
    refusals = _refusals(ruleset, scene, request, overridden)
    if not refusals:
        return PublicText(text=text, facts=facts)
    text = localize("play.override", reason=request.reason, refusals=refusals, text=text)
    return PublicText(text=text, facts={**facts, "override": request.reason})


def _blows(
    ruleset: Ruleset, scene: Scene, request: ActRequest, resolution: Resolution, facts: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the blows of an act that its facts do not tell, with their chances where the rules know them."""
    blows = blows_of(resolution.events, facts)
    if blows and ruleset.played_attacks is not None:
        played = ruleset.played_attacks(scene, request.act, resolution.events)
        chances = {(one.token, one.target): one.chance for one in played if one.chance is not None}
        for blow in blows:
            if chance := chances.get((blow["token"], blow["target"])):
                blow["chance"] = [chance.numerator, chance.denominator]
    return blows


def _refusals(ruleset: Ruleset, scene: Scene, request: ActRequest, overridden: Sequence[IllegalAct]) -> str:
    """Return what the rules have against an act that the GM allowed; empty for nothing."""
    if request.act.kind != "move" or not request.reason or request.act.at is None:
        return " ".join(f"{refused.sentence} ({refused.rule})" for refused in overridden)
    token = scene.token(request.act.token)
    return " ".join(ruleset.judge(scene, token, request.act.waypoints, request.act.facing).reasons)


def blows_of(events: Iterable[AnyEvent], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the blows among events; an empty list if the facts of their entry tell all: a single attack."""
    told = _Blows()
    for event in events:
        if isinstance(event, DiceRolled):
            told.rolls.append({"die": event.die, "faces": list(event.faces)})
        elif isinstance(event, Explained):
            told.add(event.facts)
    found = [blow for blow in told.all() if not blow.keys().isdisjoint(_RESULTS)]
    pairs = {(blow["token"], blow["target"]) for blow in found}
    return [] if pairs <= {(facts.get("token"), facts.get("target"))} else found


class _Blows:
    """Collects blows, one explanation after another."""

    def __init__(self) -> None:
        self.rolls: list[dict[str, Any]] = []
        self._ended: list[dict[str, Any]] = []
        self._blow: dict[str, Any] = {}
        self._several: dict[str, dict[str, Any]] = {}

    def add(self, facts: Mapping[str, Any]) -> None:
        """Begin what the facts declare, or add what they say of the blow that is under way."""
        members = facts.get("caught") or facts.get("targets")
        struck = self._several.get(facts.get("target") or facts.get("token", ""))
        if members:
            self._begin({}, _on_each(facts, members))
        elif struck:
            _tell(struck, facts)
        elif facts.get("target"):
            if "result" in self._blow or self._blow.get("target") != facts["target"]:
                self._begin({"token": facts.get("token", ""), "target": facts["target"]}, {})
            _tell(self._blow, facts)
        elif self._several:
            for one in self._several.values():
                one |= {key: facts[key] for key in ("needed",) if key in facts}
        elif facts.get("token", self._blow.get("token")) == self._blow.get("token"):
            # What is said of one unit alone, such as its wounds, is what it suffers itself.
            _tell(self._blow, {**facts, **dict.fromkeys(_LOSSES)} if "token" in facts else facts)

    def all(self) -> Iterator[dict[str, Any]]:
        """Yield each blow; one without a result was declared alone."""
        self._begin({}, {})
        yield from self._ended

    def _begin(self, blow: dict[str, Any], several: dict[str, dict[str, Any]]) -> None:
        """End what was under way, with its dice; those of a volley are shown once, with its first blow."""
        if self._blow.get("target"):
            self._ended.append({**self._blow, "rolls": self.rolls})
        is_shot = bool(self.rolls) or any("result" in one for one in self._several.values())
        for i, one in enumerate(self._several.values()):
            missed = {"result": "miss", "hits": 0} if is_shot else {}
            self._ended.append({**missed, **one, "rolls": [] if i else self.rolls})
        self._blow, self._several, self.rolls = blow, several, []


def _on_each(facts: Mapping[str, Any], members: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return a blow on each member of a group, by one of those who strike together, in turn."""
    strikers = facts.get("archers") or [facts.get("token", "")]
    return {key: {"token": strikers[i % len(strikers)], "target": key} for i, key in enumerate(members)}


def _tell(blow: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Add to a blow what an explanation says of it. An outcome by its difference names a band."""
    said = {key: facts[key] for key in _KEPT if facts.get(key) not in (None, "")}
    if "difference" in facts:
        said["result"] = facts["band"]
    blow |= {key: value for key, value in said.items() if key not in blow or key in _LATEST}


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


def export_log(store: Store, table: str) -> Iterator[str]:
    """Yield the lines of a table's log, each with its line end."""
    sealed = ""
    for value in _values(store, table):
        data = scene_json.encode(value, "deterministic")
        checkpoint()
        hashed = hashlib.sha256(f"{sealed} ".encode())
        hashed.update(data)
        sealed = hashed.hexdigest()
        checkpoint()
        yield f"{sealed} {data.decode()}\n"


def _values(store: Store, table: str) -> Iterator[Any]:
    yield {"format": FORMAT, "table": table}
    count = 0
    for entry in iter_entries(store.entries, table, 0):
        count = entry.seq
        yield entry
    yield {"end": count}
