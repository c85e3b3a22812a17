"""Play pairs of rounds that differ only in sealed answers: no other seat, nor the GM, may tell them apart.

Both worlds have the same scene of Double Life, with hidden tokens, the same dice and the same commands of all
other seats. Ann gives other answers in each, in another order, and changes her mind another number of times.
From her first answer to the reveal, every frame that the GM, another player and a spectator are sent must be
the same bytes in the same order, and so must be what they read over HTTP: scene, log, overlays, matchups.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace as replace_field
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from enfilade.messages import dump
from enfilade.play import table
from enfilade.play.commands import acts
from enfilade.play.commands.registry import COMMANDS
from enfilade.play.redaction import choices
from enfilade.play.view import view
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.scene.model import GM, SPECTATOR, Scene, Seat
from enfilade.store.protocol import PendingAct
from tests.fault.scenario import Figures, Pool, Verdict
from tests.fault.table_harness import TableHarness

ANN, TOM = Seat("player", "ann"), Seat("player", "tom")
OTHERS = (GM, TOM, SPECTATOR)
_STEPS = 4
_MOST_CHANGES = 4
_MUTANT_ROUNDS = 30


def run(rounds: int) -> Verdict:
    """Play so many pairs of rounds, then some with every mutant build."""
    with Pool() as pool:
        figures = pool.run_parallel(play, "rounds", rounds)
        caught = {
            name: pool.run_parallel(play, "rounds", _MUTANT_ROUNDS, name, stop="differing")["differing"]
            for name in MUTANTS
        }
    return Verdict("sealed", {"differing": figures.pop("differing")}, caught, dict(figures))


def play(seeds: range, mutant: str) -> Figures:
    """Return the figures of some pairs of rounds, among them how many were told apart."""
    figures: Figures = Counter(rounds=0, differing=0)
    with MUTANTS[mutant]() if mutant else nullcontext():
        for seed in seeds:
            found = Pair(seed).play()
            if found["differing"] and not mutant:
                print(f"sealed: round {seed} differs", file=sys.stderr, flush=True)
            figures.update(found, rounds=1)
            if mutant and found["differing"]:
                break  # caught: the verdict needs no second round
    return figures


class Pair:
    """Two worlds with the same round, in which Ann answers differently."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"sealed {seed}")
        scene = _battle(seed, self.chance)
        self.worlds = [TableHarness(DOUBLE_LIFE, scene, seed, OTHERS) for _ in "ab"]
        self.anns = [random.Random(f"ann {world} {seed}") for world in "ab"]
        for world in self.worlds:
            world.enter(ANN)
            world.ask(GM, "round", "act", act={"kind": "round"})
        if not self._choices(ANN):
            raise AssertionError(f"Ann is not asked in round {seed}.")

    def play(self) -> Figures:
        """Play to the reveal; return the figures, and whether a seat could tell the worlds apart."""
        figures: Figures = Counter(frames=0, answers=0, differing=0)
        for number in range(_STEPS):
            for world, chance in zip(self.worlds, self.anns, strict=True):
                for change in range(chance.randrange(_MOST_CHANGES)):
                    figures["answers"] += self._answer(world, ANN, chance, f"ann-{number}-{change}")
            self._act_alike(f"all-{number}")
        first, second = ([world.frames[seat] for seat in OTHERS] for world in self.worlds)
        figures["frames"] += sum(map(len, first))
        is_same = first == second and self._read(self.worlds[0]) == self._read(self.worlds[1])
        figures["differing"] += not is_same
        figures["revealed"] += self._reveal()
        return figures

    def _act_alike(self, command_id: str) -> None:
        """Let another seat send the same command in both worlds: an answer, a question, a refused act."""
        seat = self.chance.choice(OTHERS)
        seed = self.chance.random()
        kind = self.chance.choice(("answer", "answer", "matchup", "overlay", "act", "enter"))
        for world in self.worlds:
            chance = random.Random(f"{seed}")
            tokens = [token.id for token in view(world.table.scene, seat).tokens]
            match kind:
                case "answer":
                    self._answer(world, seat, chance, command_id)
                case "matchup":
                    asked = self._choices(seat, world)
                    body = {one.id: one.default for one in asked[:1]}
                    world.ask(seat, command_id, "matchup.ask", answers=body)
                case "overlay":
                    world.ask(seat, command_id, "overlay.show", token=chance.choice(tokens))
                case "act":
                    world.ask(seat, command_id, "token.move", token=chance.choice(tokens), at=[0, 0])
                case "enter":
                    world.enter(seat)

    def _answer(self, world: TableHarness, seat: Seat, chance: random.Random, command_id: str) -> bool:
        """Give random answers to some of a seat's choices, but none of those that keep the question open."""
        last = self._choices(GM, world)[-1].token
        asked = [one for one in self._choices(seat, world) if one.token != last]
        if not asked:
            return False
        picked = chance.sample(asked, chance.randint(1, len(asked)))
        first, *rest = [(one.id, chance.choice(one.options).key) for one in picked]
        return world.ask(seat, command_id, "choice.answer", choice=first[0], answer=first[1], also=dict(rest))

    def _choices(self, seat: Seat, world: TableHarness | None = None) -> list[Any]:
        first = (world or self.worlds[0]).table.snapshot(seat).choice
        return sorted([first, *first.others], key=lambda one: (one.token, one.id)) if first else []

    def _read(self, world: TableHarness) -> list[Any]:
        """Return what the other seats can read over HTTP, and the export."""
        snapshots = [dump.plain(world.table.snapshot(seat)) for seat in OTHERS]
        lines = [line.partition(" ")[2] for line in world.table.export_log()]
        numbers = [world.table.number(seat) for seat in OTHERS]
        return [
            *map(world.without_times, snapshots),
            *(world.without_times(json.loads(x)) for x in lines),
            numbers,
        ]

    def _reveal(self) -> bool:
        """Close the question; return whether the answers of the worlds differed."""
        opened = []
        for world in self.worlds:
            (choice, *_) = self._choices(GM, world)
            world.ask(GM, "close", "choice.close", choice=choice.id)
            (entry,) = world.table._store.entries(world.table.id, world.table.seq - 1, 1)
            opened.append([one.answer for sealed in entry.sealed for one in sealed.answers])
        return opened[0] != opened[1]


def _battle(seed: int, chance: random.Random) -> Scene:
    """Return a battle with tokens of Ann, Tom and the GM on the board, and hidden ones on both sides."""
    scene = skirmish(DOUBLE_LIFE, seed, size=8, strength=3)
    scene = replace(scene, house_rules={})
    first, tokens = scene.sides[0].id, []
    own = [token.id for token in scene.tokens if token.side == first]
    for token in scene.tokens:
        owners = (("ann",) if token.id == own[0] else ("tom",)) if token.side == first else ()
        tokens.append(replace(token, owners=owners, hidden=token.id != own[0] and not chance.randrange(4)))
    return replace(scene, tokens=tuple(tokens))


# Builds broken on purpose


def _answers_of_all() -> Any:
    """Return a build whose questions have the answer of any seat."""

    def of_any(pending: PendingAct, choice: Any, _seat: Seat) -> str:
        given = [one.answer for one in pending.given if one.choice == choice.id]
        return given[-1] if given else ""

    return patch.object(choices, "_own_answer", of_any)


def _entry_for_each() -> Any:
    """Return a build that logs each answer, and so tells their number."""
    answer = acts.answer_choice

    def logged(context: Any, command: Any) -> Any:
        decision = answer(context, command)
        return replace(decision, text="An answer is sealed.") if decision.pending else decision

    spec = replace_field(COMMANDS["choice.answer"], handler=logged)
    return patch.object(table, "COMMANDS", {**COMMANDS, "choice.answer": spec})


def _only_the_missing() -> Any:
    """Return a build that shows the GM only the choices that still lack an answer."""
    is_asked = choices.is_asked

    def missing(seat: Seat, choice: Any, pending: PendingAct, scene: Scene) -> bool:
        is_given = any(one.choice == choice.id for one in pending.given)
        return is_asked(seat, choice, pending, scene) and not (seat == GM and is_given)

    return patch.object(choices, "is_asked", missing)


MUTANTS = {
    "answers-of-all": _answers_of_all,
    "entry-for-each": _entry_for_each,
    "only-the-missing": _only_the_missing,
}
