"""Pairs of worlds that differ in their secrets alone: a player and a spectator cannot tell them apart.

Both worlds live through the same game. Each has hidden miniatures, secret doors and notes of its own, and
the game master does other things with them in each, more or fewer, and rolls other dice for them, or none.
Everything the others are sent must be the same bytes in the same order: snapshots, entries, overlays,
previews, refusals, also when they ask for something hidden by its id, or walk into it where that is advised.

Where the truth meets what is seen (somebody strikes at, or is barred by, what is hidden in one world), what
happens shows that something was there: that is the rules' doing and not the server's. Such acts are not done,
and are counted as `met`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.play.commands.act_request import AUTOMATIC
from enfilade.play.redaction.acts import MET
from enfilade.play.redaction.choices import UNSEEN_QUESTION, choice_for
from enfilade.play.redaction.scene import view
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.fair import commitment
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText
from enfilade.scene.model import Scene, Terrain, Token, Wall
from enfilade.scene.seat import GM, SPECTATOR, Seat
from tests.fault.redaction_mutants import MUTANTS
from tests.fault.scenario import Figures, Pool, Verdict
from tests.fault.table_harness import TableHarness, command_for

_MET = MET.removeprefix("{}")
ANN = Seat("player", "ann")
OTHERS = (ANN, SPECTATOR)
_STEPS = 14
_MOST_HIDDEN = 3
_NAMES = ("Shade", "Lurker", "The Duke's man")
_MUTANT_PAIRS = 60
_MOST_ASKED = 6


def run(pairs: int) -> Verdict:
    """Plays so many pairs, then some with every broken build."""
    with Pool() as pool:
        figures = pool.run_parallel(play, "pairs", pairs)
        caught = {
            name: pool.run_parallel(play, "pairs", _MUTANT_PAIRS, name, stop="differing")["differing"]
            for name in MUTANTS
        }
    return Verdict("noninterference", {"differing": figures.pop("differing")}, caught, dict(figures))


def play(seeds: range, broken: str) -> Figures:
    """The figures of some pairs, among them how many were told apart."""
    rulesets = list(load_rulesets(BUILT_IN).values())
    figures: Figures = Counter(pairs=len(seeds), differing=0)
    with MUTANTS[broken]() if broken else nullcontext():
        for seed in seeds:
            pair = Pair(rulesets[seed % len(rulesets)], seed)
            pair.play()
            if pair.is_distinguished and not broken:
                # By its number it is played again alone, and taken apart.
                print(f"worlds: pair {seed} of {pair.ruleset.key} differs", file=sys.stderr, flush=True)
            figures.update(pair.figures, differing=pair.is_distinguished)
    return figures


class Pair:
    """Two worlds with the same surface."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.chance = random.Random(f"worlds {seed}")
        self.ruleset = ruleset
        self.figures: Figures = Counter()
        surface = _surface(skirmish(ruleset, seed), self.chance)
        self.secrets = [random.Random(f"world {world} {seed}") for world in "ab"]
        scenes = [_with_secrets(ruleset, surface, chance) for chance in self.secrets]
        self.worlds = [TableHarness(ruleset, scene, seed, OTHERS) for scene in scenes]

    @property
    def is_distinguished(self) -> bool:
        """Whether anybody was sent different things."""
        first, second = self.worlds
        return first.frames != second.frames

    def play(self) -> None:
        """Lives through a game, until it is over or the worlds have been told apart."""
        for number in range(_STEPS):
            if self.is_distinguished:
                return
            steps = (
                (self._act, 6),
                (self._walk, 3),
                (self._decree, 2),
                (self._edit, 3),
                (self._keep_secrets, 4),
                (self._look, 6),
                (self._take_part, 1),
                (self._come_again, 1),
            )
            self.chance.choices(*zip(*steps, strict=True))[0](f"c{number}")
        self.figures["frames"] += sum(len(frames) for frames in self.worlds[0].frames.values())

    def _act(self, command_id: str) -> None:
        """Something that everybody sees, with the answers to what it asks."""
        act = choose_act(self.ruleset, view(self.worlds[0].table.scene, SPECTATOR), self.chance)
        if act is None:
            return
        self._do("acts", command_id, GM, *command_for(msgspec.to_builtins(act)))

    def _do(self, what: str, command_id: str, seat: Seat, kind: str, body: dict[str, Any]) -> None:
        """Has both worlds do something, and answers what it asks, or calls it off."""
        self._is_done(what, command_id, seat, kind, body)
        for number in range(_MOST_ASKED):
            if not self._answer(f"{command_id}-{number}"):
                break
        if any(world.table.snapshot(GM).choice for world in self.worlds):
            self._ask(GM, f"{command_id}-off", "undo", {})

    def _answer(self, command_id: str) -> bool:
        """Answers what waits, as whoever is asked, now and then wrongly first; whether that was done."""
        choice = self.worlds[0].table.snapshot(GM).choice
        if choice is None:
            return False
        asked = self.worlds[0].table.snapshot(ANN).choice
        seat = GM if asked is None else ANN
        said = {"choice": choice.id, "answer": self.chance.choice(choice.options).key}
        if not self.chance.randrange(3):
            self._ask(ANN, f"{command_id}-wrong", "choice.answer", {**said, "answer": "perhaps"})
        return self._is_done("answers", command_id, seat, "choice.answer", said)

    def _walk(self, command_id: str) -> None:
        """Ann's own miniature goes anywhere, mostly to where somebody hidden stands in one of the worlds."""
        scene = self.worlds[0].table.scene
        own = [token.id for token in scene.tokens if ANN.id in token.owners]
        if own and scene.enforcement != "enforce":
            body = {"token": self.chance.choice(own), "at": self._a_hidden_place()}
            self._do("walks", command_id, ANN, "token.move", body)

    def _decree(self, command_id: str) -> None:
        """The game master's word moves a shown miniature, whatever the rules have against it."""
        token = self.chance.choice(view(self.worlds[0].table.scene, SPECTATOR).tokens)
        body = {"token": token.id, "at": self._a_hidden_place(), "override": "a gate opens"}
        self._do("decrees", command_id, GM, "token.move", body)

    def _a_hidden_place(self) -> list[int]:
        hidden = [t.at for world in self.worlds for t in world.table.scene.on_board() if t.hidden]
        scene = self.worlds[0].table.scene
        return list(self.chance.choice([*hidden * 2, _anywhere(scene, self.chance)]))

    def _is_done(self, what: str, command_id: str, seat: Seat, kind: str, body: dict[str, Any]) -> bool:
        """Has both worlds do a command, unless something hidden is met in one; whether they did."""
        drafts = [world.dry_run(command_id, kind, seat=seat, **body) for world in self.worlds]
        seen = [self._seen_after(*pair) for pair in zip(self.worlds, drafts, strict=True)]
        if seen[0] is None or seen[0] != seen[1]:
            self.figures["met"] += 1
            return False
        self.figures[what] += 1
        self.figures["as it seems"] += any(draft.plain not in (None, _words(draft)) for draft in drafts)
        self._ask(seat, command_id, kind, body)
        return True

    def _seen_after(self, world: TableHarness, draft: Any) -> Any:
        """What the others would see and be asked; None where it would show that something was met."""
        if draft is None or draft.is_unseen or (draft.plain and draft.plain.text.endswith(_MET)):
            return None
        scene = world.table.scene
        after = fold_all(scene, draft.events)
        choices = [choice_for(draft.pending, scene, seat, self.ruleset) for seat in (GM, *OTHERS)]
        if any(choice and choice.question == UNSEEN_QUESTION for choice in choices):
            return None
        asked = [choice and (choice.side, choice.token, len(choice.options)) for choice in choices]
        has_rolled = draft.pending is not None and bool(draft.pending.request["faces"])  # told if called off
        return [view(after, seat) for seat in OTHERS], asked, has_rolled

    def _ask(self, seat: Seat, command_id: str, kind: str, body: dict[str, Any]) -> None:
        for world in self.worlds:
            world.ask(seat, command_id, kind, **body)

    def _edit(self, command_id: str) -> None:
        """The game master edits what all see, in one go with what is hidden in each world."""
        edits = (self._new_scene, self._tabletops_news, self._give, self._place)
        edit = self.chance.choice(edits)
        seed = self.chance.random()
        asked = [edit(world.table.scene, random.Random(seed)) for world in self.worlds]
        both = list(zip(self.worlds, asked, strict=True))
        if any(world.dry_run(command_id, kind, **body) is None for world, (kind, body) in both):
            return
        self.figures["edits"] += 1
        for world, (kind, body) in both:
            world.ask(GM, command_id, kind, **body)

    def _new_scene(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        return "scene.set", {"scene": _as_sent(replace(scene, name=f"Cave {chance.randrange(9)}"))}

    def _tabletops_news(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        """One more miniature, and in each world its hidden ones elsewhere, or gone."""
        place = _anywhere(scene, chance)
        shown, own = [t for t in scene.tokens if not t.hidden], random.Random(f"{scene.tokens}")
        more = replace(chance.choice(shown), id=f"more-{chance.randrange(99)}", at=place, owners=())
        hidden = [replace(t, at=_anywhere(scene, own)) for t in scene.tokens if t.hidden and own.randrange(3)]
        known = [token for token in shown if token.id != more.id]
        return "scene.sync", {"scene": _as_sent(replace(scene, tokens=(*known, more, *hidden)))}

    def _give(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        """Who plays whom of those that all see; Ann is given nobody hidden, for then she would know them."""
        shown = [token.id for token in scene.tokens if not token.hidden]
        return "tokens.give", {"player": ANN.id, "tokens": chance.sample(shown, chance.randrange(1, 3))}

    def _place(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        token = chance.choice([token for token in scene.tokens if not token.hidden])
        return "token.place", {"token": _as_sent(replace(token, elevation=chance.randrange(3)))}

    def _take_part(self, command_id: str) -> None:
        """Ann takes part in the dice, and gives the bytes that she committed to."""
        for world in self.worlds:
            given = (
                world.part if any(part.seat == ANN.id for part in world.table._kept.parts.revealing) else None
            )
            world.part = f"{self.figures['parts']:032x}"
            following = commitment(world.table.id, ANN.id, world.part)
            world.ask(ANN, command_id, "dice.part", give=given, next=following)
            world.finish_contributions()
        self.figures["parts"] += 1

    def _keep_secrets(self, command_id: str) -> None:
        for world, chance in zip(self.worlds, self.secrets, strict=True):
            for number in range(chance.randrange(3)):
                self._keep_secret(world, f"{command_id}-{number}", chance)

    def _keep_secret(self, world: TableHarness, command_id: str, chance: random.Random) -> None:
        kind, body = _secret_deed(self.ruleset, world.table.scene, chance)
        draft = world.dry_run(command_id, kind, **body)
        if draft is None or (kind in _MAY_SHOW and not _is_unseen(world.table.scene, draft)):
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


_MAY_SHOW = frozenset({"act", "token.move"})
"""What a hidden miniature may do to one that all see; other secret deeds are to show nowhere."""

_NAMES_AS_IDS = tuple(f"hidden-{number}" for number in range(_MOST_HIDDEN))


def _surface(scene: Scene, chance: random.Random) -> Scene:
    """What everybody sees of both worlds."""
    first = scene.sides[0].id
    sides = tuple(
        replace(side, conditions={AUTOMATIC: ""} if chance.randrange(3) else {}) for side in scene.sides
    )
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
        name=chance.choice((f"{chance.choice(_NAMES)} {name[-1]}", chance.choice(scene.tokens).name)),
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
    placed = _as_sent(_hidden(ruleset, scene, chance.choice(_NAMES_AS_IDS), chance))
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


def _words(draft: Any) -> PublicText:
    return PublicText(text=draft.text, facts=draft.facts)


def _as_sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
