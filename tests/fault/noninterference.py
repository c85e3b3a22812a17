"""Play pairs of worlds that differ only in secrets: no player or spectator may tell them apart.

Both worlds play the same game. Each has its own hidden tokens, secret doors and notes; the GM sends different
secret commands in each, and rolls other dice for them. Everything that the other seats are sent must be the
same bytes in the same order: snapshots, entries, overlays, previews and refusals, even if they name something
hidden by its ID, or walk into it.

If the truth meets what is seen (an attack on a hidden token, or a move that it blocks), the rules themselves
reveal that something was there. Such commands are skipped and counted as `met`.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from contextlib import nullcontext
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.play.redaction.choices import choice_for_seat
from enfilade.play.view import view
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText
from enfilade.scene.model import GM, SPECTATOR, Scene, Seat
from tests.fault.assistant import question
from tests.fault.paired_worlds import (
    ANN,
    HIDDEN_IDS,
    OTHERS,
    anywhere,
    as_sent,
    secret_command,
    shared_surface,
    with_secrets,
)
from tests.fault.redaction_mutants import MUTANTS
from tests.fault.scenario import Figures, Pool, Verdict
from tests.fault.table_harness import TableHarness, command_for, decline_choices

_MET = localize("play.met_unseen", name="")
_STEPS = 14
_MUTANT_PAIRS = 120
_FIRST_PAIR = {
    "verdict-of-truth": 62,
    "advice-of-truth": 40,
    "replay-of-truth": 15,
    "reactions-to-hidden": 88,
}
"""The pair from which a mutant is tried, if no earlier one shows it: those are most of the work."""

_MAX_CHOICES = 6
_LARGE_MAP_EVERY = 11
_LARGE_MAP = 40
"""The columns and rows of the map of one pair in eleven, in each game in turn."""


def run(pairs: int) -> Verdict:
    """Plays so many pairs, then some with every mutant build."""
    with Pool() as pool:
        figures = pool.run_parallel(play, "pairs", pairs)
        caught = {
            name: pool.run_parallel(
                play, "pairs", _MUTANT_PAIRS, name, stop="differing", start=_FIRST_PAIR.get(name, 0)
            )["differing"]
            for name in MUTANTS
        }
    return Verdict("noninterference", {"differing": figures.pop("differing")}, caught, dict(figures))


def play(seeds: range, mutant: str) -> Figures:
    """The figures of some pairs, among them how many were told apart."""
    rulesets = list(load_rulesets(BUILT_IN).values())
    figures: Figures = Counter(pairs=len(seeds), differing=0)
    with MUTANTS[mutant]() if mutant else nullcontext():
        for seed in seeds:
            pair = Pair(rulesets[seed % len(rulesets)], seed)
            pair.play()
            if pair.is_distinguished and not mutant:
                # By its number it is played again alone, and taken apart.
                print(f"worlds: pair {seed} of {pair.ruleset.key} differs", file=sys.stderr, flush=True)
            figures.update(pair.figures, differing=pair.is_distinguished)
            if mutant and pair.is_distinguished:
                break  # caught: the verdict needs no second pair
    return figures


class Pair:
    """Two worlds with the same surface."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.chance = random.Random(f"worlds {seed}")
        self.ruleset = ruleset
        self.figures: Figures = Counter()
        self._is_seen = False
        """True once the rules have made something hidden seen, in one world alone."""
        size = 6 if (seed + 1) % _LARGE_MAP_EVERY else _LARGE_MAP
        surface = shared_surface(skirmish(ruleset, seed, size), self.chance)
        self.secrets = [random.Random(f"world {world} {seed}") for world in "ab"]
        scenes = [with_secrets(ruleset, surface, chance) for chance in self.secrets]
        self.worlds = [TableHarness(ruleset, scene, seed, OTHERS) for scene in scenes]

    @property
    def is_distinguished(self) -> bool:
        """Return whether a seat was sent different frames in the two worlds, with the same seen in both."""
        first, second = self.worlds
        return not self._is_seen and first.frames != second.frames

    def play(self) -> None:
        """Lives through a game, until it is over or the worlds have been told apart."""
        for number in range(_STEPS):
            if self._is_seen or self.is_distinguished:
                return
            steps = (
                (self._act, 6),
                (self._walk, 3),
                (self._decree, 2),
                (self._edit, 3),
                (self._keep_secrets, 4),
                (self._look, 6),
                (self._new_chains, 1),
                (self._come_again, 1),
            )
            self.chance.choices(*zip(*steps, strict=True))[0](f"c{number}")
        self.figures["frames"] += sum(len(frames) for frames in self.worlds[0].frames.values())

    def _act(self, command_id: str) -> None:
        """Do an act in full view, with the answers to its questions."""
        act = choose_act(self.ruleset, view(self.worlds[0].table.scene, SPECTATOR), self.chance)
        if act is None:
            return
        self._do("acts", command_id, GM, *command_for(msgspec.to_builtins(act)))

    def _do(self, what: str, command_id: str, seat: Seat, kind: str, body: dict[str, Any]) -> None:
        """Run a command in both worlds, and answer its choices or cancel it."""
        self._is_done(what, command_id, seat, kind, body)
        for number in range(_MAX_CHOICES):
            if not self._answer(f"{command_id}-{number}"):
                break
        if any(world.table.snapshot(GM).choice for world in self.worlds):
            self._ask(GM, f"{command_id}-off", "undo", {})

    def _answer(self, command_id: str) -> bool:
        """Answer the open choice as the asked seat, sometimes wrongly first; return whether there was one."""
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
        """Move Ann's own miniature, mostly to the cell of a token that is hidden in one of the worlds."""
        scene = self.worlds[0].table.scene
        own = [token.id for token in scene.tokens if ANN.id in token.owners]
        if own and scene.enforcement != "enforce":
            body = {"token": self.chance.choice(own), "at": self._a_hidden_place()}
            self._do("walks", command_id, ANN, "token.move", body)

    def _decree(self, command_id: str) -> None:
        """Move a visible miniature as the GM, against the rules if need be."""
        token = self.chance.choice(view(self.worlds[0].table.scene, SPECTATOR).tokens)
        body = {"token": token.id, "at": self._a_hidden_place(), "override": "a gate opens"}
        self._do("decrees", command_id, GM, "token.move", body)

    def _a_hidden_place(self) -> list[int]:
        hidden = [t.at for world in self.worlds for t in world.table.scene.on_board() if t.hidden]
        scene = self.worlds[0].table.scene
        return list(self.chance.choice([*hidden * 2, anywhere(scene, self.chance)]))

    def _is_done(self, what: str, command_id: str, seat: Seat, kind: str, body: dict[str, Any]) -> bool:
        """Run a command in both worlds unless it meets something hidden; return whether it ran."""
        drafts = [world.dry_run(command_id, kind, seat=seat, **body) for world in self.worlds]
        seen = [self._seen_after(*pair) for pair in zip(self.worlds, drafts, strict=True)]
        if seen[0] is None or seen[0] != seen[1]:
            self.figures["met"] += 1
            return False
        self.figures[what] += 1
        self.figures["as it seems"] += any(draft.plain not in (None, _public_text(draft)) for draft in drafts)
        self._ask(seat, command_id, kind, body)
        return True

    def _seen_after(self, world: TableHarness, draft: Any) -> Any:
        """Return the views and choices after a draft; None if it would reveal something hidden."""
        if draft is None or draft.is_unseen or _is_summary(draft):
            return None
        scene = world.table.scene
        after = fold_all(scene, draft.events)
        choices = [choice_for_seat(draft.pending, scene, seat, self.ruleset) for seat in (GM, *OTHERS)]
        if any(choice and choice.question == localize("play.unseen_question") for choice in choices):
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
        return "scene.set", {"scene": as_sent(replace(scene, name=f"Cave {chance.randrange(9)}"))}

    def _tabletops_news(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        """One more miniature, and in each world its hidden ones elsewhere, or gone."""
        place = anywhere(scene, chance)
        shown, own = [t for t in scene.tokens if not t.hidden], random.Random(f"{scene.tokens}")
        more = replace(chance.choice(shown), id=f"more-{chance.randrange(99)}", at=place, owners=())
        hidden = [replace(t, at=anywhere(scene, own)) for t in scene.tokens if t.hidden and own.randrange(3)]
        known = [token for token in shown if token.id != more.id]
        return "scene.sync", {"scene": as_sent(replace(scene, tokens=(*known, more, *hidden)))}

    def _give(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        """Assign visible tokens; Ann gets no hidden one, because then she would know it."""
        shown = [token.id for token in scene.tokens if not token.hidden]
        return "tokens.assign", {"player": ANN.id, "tokens": chance.sample(shown, chance.randrange(1, 3))}

    def _place(self, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
        token = chance.choice([token for token in scene.tokens if not token.hidden])
        return "token.place", {"token": as_sent(replace(token, elevation=chance.randrange(3)))}

    def _new_chains(self, _command_id: str) -> None:
        """The tables open new chains of dice, as after a restored backup; entries of their own say so."""
        states = [world.table.state for world in self.worlds]
        if any(state.pending or state.rolling for state in states):
            return
        for world in self.worlds:
            world.open_new_chains()
        self.figures["chains"] += 1

    def _keep_secrets(self, command_id: str) -> None:
        for world, chance in zip(self.worlds, self.secrets, strict=True):
            for number in range(chance.randrange(3)):
                self._keep_secret(world, f"{command_id}-{number}", chance)

    def _keep_secret(self, world: TableHarness, command_id: str, chance: random.Random) -> None:
        kind, body = secret_command(self.ruleset, world.table.scene, chance)
        draft = world.dry_run(command_id, kind, **body)
        if draft is None or (kind in _MAY_SHOW and not _is_unseen(world.table.scene, draft, kind)):
            return
        self.figures["secrets"] += 1
        self.figures["hidden rolls"] += "rolls" in draft.facts
        before, seq = [view(world.table.scene, seat) for seat in OTHERS], world.table.seq
        world.ask(GM, command_id, kind, **body)
        self.figures["hidden choices"] += decline_choices(world, command_id)
        if before != [view(world.table.scene, seat) for seat in OTHERS]:
            self._is_seen = True  # after its choices it moved a visible token: infantry steps out of a Hexon
            self.figures["seen"] += 1
        # Not if it was called off: then the undo would reach what all have seen before.
        if not chance.randrange(4) and world.table.seq > seq:
            world.ask(GM, f"{command_id}-undo", "undo")

    def _look(self, command_id: str) -> None:
        """Send a question that names IDs of hidden things, or ask the assistant."""
        seat = self.chance.choice(OTHERS)
        if self.chance.randrange(2):
            asked = question(self.worlds[0], command_id, seat, HIDDEN_IDS, self.chance)
            self.figures["to the assistant"] += 1
            answers = [asked(world) for world in self.worlds]
            self.figures["answered"] += all(answers)
            return
        seen = view(self.worlds[0].table.scene, seat)
        ids = [*(token.id for token in seen.tokens), *HIDDEN_IDS, "nobody"]
        questions = (self._overlay, self._verdict, self._verdict, self._preview, self._trespass)
        kind, body = self.chance.choice(questions)(seen, ids)
        base = self.chance.choice((None, 0, 1, 3))
        for world in self.worlds:
            world.ask(seat, command_id, kind, base=base, **body)

    def _overlay(self, _seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        return "overlay.show", {"token": self.chance.choice(ids)}

    def _verdict(self, seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """Ask for a verdict, mostly about a visible token; a hidden one may stand between."""
        target = self.chance.choice(ids if not self.chance.randrange(4) else [t.id for t in seen.tokens])
        return "verdict.ask", {"token": self.chance.choice(seen.tokens).id, "target": target}

    def _preview(self, seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """Preview an offered act, or one against a token that may not exist."""
        token = self.chance.choice(seen.tokens)
        offers = list(self.ruleset.offers(seen, token))
        act = msgspec.to_builtins(self.chance.choice(offers).act) if offers else {"kind": "melee"}
        elsewhere = {"target": self.chance.choice(ids)} if self.chance.randrange(2) else {}
        return "act.preview", {"act": {**act, **elsewhere}}

    def _trespass(self, _seen: Scene, ids: list[str]) -> tuple[str, dict[str, Any]]:
        """Try commands that no player may send, about tokens that may not exist."""
        return "token.remove", {"token": self.chance.choice(ids)}

    def _come_again(self, _command_id: str) -> None:
        seat = self.chance.choice(OTHERS)
        for world in self.worlds:
            world.enter(seat)


_MAY_SHOW = frozenset({"act", "token.move"})
"""The effect that a hidden token may have on a visible one; other secret commands must not show."""


def _is_unseen(scene: Scene, draft: Any, kind: str) -> bool:
    """Return whether a draft changes no seat's view; only a move may wait for choices, of the GM."""
    after = fold_all(scene, draft.events)
    return (draft.pending is None or kind == "token.move") and all(
        view(scene, seat) == view(after, seat) for seat in OTHERS
    )


def _is_summary(draft: Any) -> bool:
    """Return whether others read only the end of it, because something hidden had a part."""
    return draft.plain is not None and (
        draft.plain.text.endswith(_MET) or bool(draft.facts and not draft.plain.facts)
    )


def _public_text(draft: Any) -> PublicText:
    return PublicText(text=draft.text, facts=draft.facts)
