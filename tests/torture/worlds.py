"""Pairs of worlds that differ in their secrets alone: a player and a spectator cannot tell them apart.

Both worlds live through the same game. Each has hidden miniatures, secret doors and notes of its own, and
the game master does other things with them in each, more or fewer, and rolls other dice for them, or none.
Everything the others are sent must be the same bytes in the same order: snapshots, entries, overlays,
previews, refusals, also when they ask for something hidden by its id, or walk into it where that is advised.

Where the truth meets what is seen (somebody strikes at, or is barred by, what is hidden in one world), an act
comes to something else in each: that is the rules' doing and not the server's. Such acts are not done, and
are counted as `met`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from enfilade.play import acts, rolling
from enfilade.play.asked import AUTOMATIC
from enfilade.play.seeming import MET
from enfilade.play.views import Views
from enfilade.rules.conformance.games import any_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import gather, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.fold import fold_all
from enfilade.scene.model import Scene, Terrain, Token, Wall
from enfilade.scene.numbers import Numbers
from enfilade.scene.seat import GM, SPECTATOR, Seat
from enfilade.scene.view import hidden_in, view
from enfilade.tactics.overlays import overlay
from enfilade.tactics.verdicts import verdict
from tests.torture import secrets
from tests.torture.hall import Hall, command_for
from tests.torture.shared_out import Figures, shared_out
from tests.torture.verdict import Verdict

_MET = MET.removeprefix("{}")
ANN = Seat("player", "ann")
OTHERS = (ANN, SPECTATOR)
_STEPS = 14
_MOST_HIDDEN = 3
_NAMES = ("Shade", "Lurker", "The Duke's man")
_CONTROL_PAIRS = 60


def run(pairs: int) -> Verdict:
    """Plays so many pairs, then some with every broken build."""
    figures = shared_out(play, "pairs", pairs)
    caught = {name: shared_out(play, "pairs", _CONTROL_PAIRS, name)["differing"] for name in BROKEN}
    return Verdict("worlds", {"differing": figures.pop("differing")}, caught, dict(figures))


def play(seeds: range, broken: str) -> Figures:
    """The figures of some pairs, among them how many were told apart."""
    rulesets = list(gather(BUILT_IN).values())
    figures: Figures = Counter(pairs=len(seeds), differing=0)
    with BROKEN[broken]() if broken else nullcontext():
        for seed in seeds:
            pair = Pair(rulesets[seed % len(rulesets)], seed)
            pair.play()
            figures.update(pair.figures, differing=pair.told_apart)
    return figures


class Pair:
    """Two worlds with the same surface."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.chance = random.Random(f"worlds {seed}")
        self.ruleset = ruleset
        self.figures: Figures = Counter()
        surface = _surface(skirmish(ruleset, seed))
        self.secrets = [random.Random(f"world {world} {seed}") for world in "ab"]
        scenes = [_with_secrets(ruleset, surface, chance) for chance in self.secrets]
        self.worlds = [Hall(ruleset, scene, seed, OTHERS) for scene in scenes]

    @property
    def told_apart(self) -> bool:
        """Whether anybody was sent different things."""
        first, second = self.worlds
        return first.frames != second.frames

    def play(self) -> None:
        """Lives through a game, until it is over or the worlds have been told apart."""
        for number in range(_STEPS):
            if self.told_apart:
                return
            steps = (self._act, self._walk, self._keep_secrets, self._look, self._come_again)
            self.chance.choices(steps, (6, 3, 4, 6, 1))[0](f"c{number}")
        self.figures["frames"] += sum(len(frames) for frames in self.worlds[0].frames.values())

    def _act(self, command_id: str) -> None:
        """Something that everybody sees, where it comes to the same in both worlds."""
        act = any_act(self.ruleset, view(self.worlds[0].table.scene, SPECTATOR), self.chance)
        if act is None:
            return
        kind, body = command_for(msgspec.to_builtins(act))
        first, second = (world.would_be(command_id, kind, **body) for world in self.worlds)
        is_same = first is not None and first == second
        if not is_same or any(_is_about_hidden(world, first) for world in self.worlds):
            self.figures["met"] += 1
            return
        self.figures["acts"] += 1
        for world in self.worlds:
            world.ask(GM, command_id, kind, **body)

    def _walk(self, command_id: str) -> None:
        """Ann's own miniature goes anywhere, mostly to where somebody hidden stands in one of the worlds."""
        scene = self.worlds[0].table.scene
        own = [token.id for token in scene.tokens if ANN.id in token.owners]
        hidden = [t.at for world in self.worlds for t in world.table.scene.on_board() if t.hidden]
        if not own or scene.enforcement == "enforce":
            return
        at = self.chance.choice([*hidden * 2, _anywhere(scene, self.chance)])
        body = {"token": self.chance.choice(own), "at": list(at)}
        drafts = [world.would_be(command_id, "token.move", seat=ANN, **body) for world in self.worlds]
        seen = [self._seen_after(*pair) for pair in zip(self.worlds, drafts, strict=True)]
        if seen[0] != seen[1]:  # somebody hidden strikes, or is trodden on
            self.figures["met"] += 1
            return
        self.figures["walks"] += 1
        self.figures["into hidden"] += any(draft is not None and draft.plain is not None for draft in drafts)
        for world in self.worlds:
            world.ask(ANN, command_id, "token.move", **body)

    def _seen_after(self, world: Hall, draft: Any) -> Any:
        """What the others would see of a walk; nothing in common with another where something was met."""
        if draft is None:
            return None
        is_met = (draft.plain is not None and draft.plain.text.endswith(_MET)) or draft.pending is not None
        after = fold_all(world.table.scene, draft.events)
        return world if is_met else [view(after, seat) for seat in OTHERS]

    def _keep_secrets(self, command_id: str) -> None:
        for world, chance in zip(self.worlds, self.secrets, strict=True):
            for number in range(chance.randrange(3)):
                self._keep_secret(world, f"{command_id}-{number}", chance)

    def _keep_secret(self, world: Hall, command_id: str, chance: random.Random) -> None:
        kind, body = _secret_deed(self.ruleset, world.table.scene, chance)
        draft = world.would_be(command_id, kind, **body)
        if draft is None or not _is_unseen(world.table.scene, draft):
            return
        self.figures["secrets"] += 1
        self.figures["hidden rolls"] += "rolls" in draft.facts
        world.ask(GM, command_id, kind, **body)
        if not chance.randrange(4):
            world.ask(GM, f"{command_id}-undo", "undo")

    def _look(self, command_id: str) -> None:
        """A question by somebody who may have heard the ids of what is hidden."""
        seat = self.chance.choice(OTHERS)
        seen = view(self.worlds[0].table.scene, seat)
        ids = [*(token.id for token in seen.tokens), *_NAMES_AS_IDS, "nobody"]
        questions = (self._overlay, self._verdict, self._preview, self._trespass)
        kind, body = self.chance.choice(questions)(seen, ids)
        base = self.chance.choice((None, 0, 1, 3))
        for world in self.worlds:
            world.ask(seat, command_id, kind, base=base, **body)

    def _overlay(self, _seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        return "overlay.show", {"token": self.chance.choice(ids)}

    def _verdict(self, seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """What one makes of another, mostly of one that is seen: what is hidden may stand between them."""
        target = self.chance.choice(ids if not self.chance.randrange(4) else [t.id for t in seen.tokens])
        return "verdict.ask", {"token": self.chance.choice(seen.tokens).id, "target": target}

    def _preview(self, seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """What an act would bring that is offered, or the like at somebody who may not be there."""
        token = self.chance.choice(seen.tokens)
        offers = list(self.ruleset.offers(seen, token))
        act = msgspec.to_builtins(self.chance.choice(offers).act) if offers else {"kind": "melee"}
        elsewhere = {"target": self.chance.choice(ids)} if self.chance.randrange(2) else {}
        return "act.preview", {"act": {**act, **elsewhere}}

    def _trespass(self, _seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """What no player may do, about whatever there is or is not."""
        return "token.remove", {"token": self.chance.choice(ids)}

    def _come_again(self, _command_id: str) -> None:
        seat = self.chance.choice(OTHERS)
        for world in self.worlds:
            world.enter(seat)


_NAMES_AS_IDS = tuple(f"hidden-{number}" for number in range(_MOST_HIDDEN))


def _surface(scene: Scene) -> Scene:
    """What everybody sees of both worlds."""
    first = scene.sides[0].id
    sides = tuple(replace(side, conditions={AUTOMATIC: ""}) for side in scene.sides)
    tokens = tuple(replace(t, owners=("ann",) if t.side == first else ()) for t in scene.tokens)
    walls = tuple(replace(wall, door="none") for wall in scene.walls)
    return replace(scene, sides=sides, tokens=tokens, walls=walls)


def _with_secrets(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Scene:
    hidden = [_hidden(ruleset, scene, name, chance) for name in _NAMES_AS_IDS if chance.randrange(3)]
    walls = tuple(_secret_door(wall, chance) if chance.randrange(2) else wall for wall in scene.walls)
    tokens = tuple(
        replace(token, conditions={"watched by": chance.choice(hidden).id})
        if hidden and chance.randrange(2)
        else token
        for token in scene.tokens
    )
    terrain = (*scene.terrain, *_hidden_ground(scene, chance))
    return replace(scene, walls=walls, tokens=(*tokens, *hidden), terrain=terrain)


def _hidden_ground(scene: Scene, chance: random.Random) -> Iterator[Terrain]:
    if scene.grid.kind != "gridless" and chance.randrange(2):
        cells = tuple({_anywhere(scene, chance) for _ in range(6)})
        yield Terrain(id="pit", name="The Duke's pit", cells=cells, cost=chance.randrange(3), hidden=True)


def _secret_door(wall: Wall, chance: random.Random) -> Wall:
    return replace(wall, door="secret", state=chance.choice(("closed", "locked")))


def _hidden(ruleset: Ruleset, scene: Scene, name: str, chance: random.Random) -> Token:
    return Token(
        id=name,
        name=f"{chance.choice(_NAMES)} {name[-1]}",
        side=chance.choice(scene.sides).id,
        at=_anywhere(scene, chance) if chance.randrange(4) else None,
        facing=chance.randrange(0, 360, 30),
        hidden=True,
        conditions={"bribed": "by the Duke"} if chance.randrange(2) else {},
        profile=chance.choice(ruleset.catalogue).profile,
    )


def _anywhere(scene: Scene, chance: random.Random) -> tuple[int, int]:
    unit = 64 if scene.grid.kind == "gridless" else 1
    return chance.randrange(scene.grid.columns) * unit, chance.randrange(scene.grid.rows) * unit


def _secret_deed(ruleset: Ruleset, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Something that a game master does with what is hidden."""
    hidden = [token.id for token in scene.tokens if token.hidden]
    doors = [wall.id for wall in scene.walls if wall.door == "secret"]
    placed = msgspec.to_builtins(_hidden(ruleset, scene, chance.choice(_NAMES_AS_IDS), chance))
    deeds: list[tuple[str, dict[str, Any]]] = [("token.place", {"token": placed})]
    if hidden:
        offers = list(ruleset.offers(scene, scene.token(chance.choice(hidden))))
        others = [{"act": msgspec.to_builtins(offer.act)} for offer in offers if offer.act.kind != "move"]
        deeds += (
            [("act", {**chance.choice(others), "override": "in the dark", "secret": True})] * 4
            if others
            else []
        )
        moved = {"token": chance.choice(hidden), "at": list(_anywhere(scene, chance))}
        deeds += [("token.move", moved)] * 2 + [("token.remove", {"token": chance.choice(hidden)})]
    if doors:
        state = chance.choice(("closed", "locked"))
        deeds.append(("door.set", {"wall": chance.choice(doors), "state": state}))
    return chance.choice(deeds)


def _is_unseen(scene: Scene, draft: Any) -> bool:
    """Whether what a draft does shows to nobody."""
    after = fold_all(scene, draft.events)
    return draft.pending is None and all(view(scene, seat) == view(after, seat) for seat in OTHERS)


def _is_about_hidden(world: Hall, draft: Any) -> bool:
    scene = world.table.scene
    return bool(hidden_in(scene, fold_all(scene, draft.events), draft.events, draft.text))


def _numbered_by_table() -> Any:
    """A build that numbers entries for the table and not for each view."""
    return patch.object(Numbers, "of", lambda _self, _seat, seq: seq)


def _overlay_of_truth() -> Any:
    """A build whose overlays are worked out from all there is."""

    def of_truth(views: Any, kept: Any, seat: Seat, token: str, layers: Any) -> Any:
        view(kept.scene, seat).token(token)
        number = kept.numbers.of(seat, kept.seq)
        return overlay(ruleset_for(views._rulesets, kept.scene), kept.scene, token, number, layers)

    return patch.object(Views, "overlay", of_truth)


def _verdict_of_truth() -> Any:
    """A build whose verdicts are worked out from all there is."""

    def of_truth(views: Any, kept: Any, seat: Seat, token: str, target: str) -> Any:
        seen = view(kept.scene, seat)
        seen.token(token), seen.token(target)
        number = kept.numbers.of(seat, kept.seq)
        return verdict(ruleset_for(views._rulesets, kept.scene), kept.scene, token, target, number)

    return patch.object(Views, "verdict", of_truth)


def _rolled_in_the_open() -> Any:
    """A build whose hidden rolls take links of the chain that all see."""
    return patch.object(rolling, "is_hidden_roll", lambda _kept, _command: False)


def _words_of_truth() -> Any:
    """A build in which a walk's costs and words are those of the scene as it is."""
    return patch.object(acts, "as_the_mover_sees", lambda _done, draft: replace(draft, plain=None))


BROKEN: dict[str, Callable[[], Any]] = {
    "numbered-by-table": _numbered_by_table,
    "overlay-of-truth": _overlay_of_truth,
    "verdict-of-truth": _verdict_of_truth,
    "rolled-in-the-open": _rolled_in_the_open,
    "words-of-truth": _words_of_truth,
    "notes-left": secrets.BROKEN["notes-left"],
}
