"""Pairs of worlds whose secrets are placed by the board's own tools: no other seat may tell them apart.

The GM of both worlds makes the same gestures in the open: draws walls and doors, paints, places units.
In each world the GM hides other things by the same tools. What players and spectators are sent must be the
same bytes, but for the random parts of IDs, which are named by their first appearance, and the hashes of what
has such IDs.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from contextlib import nullcontext
from typing import Any

from enfilade.play.hidden_map import unknown_doors
from enfilade.play.view import view
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM, SPECTATOR, Scene, Seat
from tests.fault.board_mutants import MUTANTS
from tests.fault.board_tools import gesture
from tests.fault.paired_worlds import OTHERS, anywhere, shared_surface
from tests.fault.scenario import Figures, Pool, Verdict
from tests.fault.table_harness import TableHarness, decline_choices

_STEPS = 16
_SIZE = 9
_MUTANT_PAIRS = 60
_UNIT = 64
_RANDOM_ID = re.compile(rb"(?<=[-.])[0-9a-f]{8}(?:[0-9a-f]{4})?(?![0-9a-z])")
_HASH = re.compile(rb'"hash":"[0-9a-f]+"')


def run(pairs: int) -> Verdict:
    """Plays so many pairs, then some with every mutant build."""
    with Pool() as pool:
        figures = pool.run_parallel(play, "pairs", pairs)
        caught = {
            name: pool.run_parallel(play, "pairs", _MUTANT_PAIRS, name, stop="differing")["differing"]
            for name in MUTANTS
        }
    wrong = {name: figures.pop(name) for name in ("differing", "named")}
    return Verdict("worlds", wrong, caught, dict(figures))


def play(seeds: range, mutant: str) -> Figures:
    """The figures of some pairs: how many were told apart, and how many named something hidden."""
    rulesets = list(load_rulesets(BUILT_IN).values())
    figures: Figures = Counter(pairs=len(seeds), differing=0, named=0)
    with MUTANTS[mutant]() if mutant else nullcontext():
        for seed in seeds:
            pair = BoardPair(rulesets[seed % len(rulesets)], seed)
            pair.play()
            if pair.is_distinguished and not mutant:
                print(f"worlds: pair {seed} of {pair.ruleset.key} differs", file=sys.stderr, flush=True)
            figures.update(pair.figures, differing=pair.is_distinguished, named=pair.names_hidden)
            if mutant and pair.is_distinguished:
                break
    return figures


class BoardPair:
    """Two tables with the same surface, each with a GM who hides things by the board's tools."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self.chance = random.Random(f"board {seed}")
        self.ruleset = ruleset
        self.figures: Figures = Counter()
        surface = shared_surface(skirmish(ruleset, seed, _SIZE), self.chance)
        self.secrets = [random.Random(f"board {world} {seed}") for world in "ab"]
        self.worlds = [TableHarness(ruleset, surface, seed, OTHERS) for _ in self.secrets]
        self._hidden: set[str] = set()

    @property
    def is_distinguished(self) -> bool:
        """Return whether a seat was sent different frames in the two worlds."""
        first, second = (
            {seat: _named_in_order(frames) for seat, frames in world.frames.items()} for world in self.worlds
        )
        return first != second

    @property
    def names_hidden(self) -> bool:
        """Return whether a frame has the ID of something that was hidden when it was sent, and ever since."""
        frames = b"".join(frame for world in self.worlds for one in world.frames.values() for frame in one)
        return any(hidden.encode() in frames for hidden in self._hidden)

    def play(self) -> None:
        """Prepare and play a scene until it is over or the worlds have been told apart."""
        for number in range(_STEPS):
            if self.is_distinguished:
                return
            steps = (
                (self._draw, 5),
                (self._place, 3),
                (self._paint, 2),
                (self._erase, 1),
                (self._look_alike, 1),
                (self._move, 2),
                (self._hide, 8),
                (self._look, 3),
                (self._come_again, 2),
            )
            self.chance.choices(*zip(*steps, strict=True))[0](f"c{number}")
            self._note_hidden()
        self.figures["frames"] += sum(len(frames) for frames in self.worlds[0].frames.values())

    # In the open, the same in both worlds

    def _draw(self, command_id: str) -> None:
        """Draw a wall, a window or a door, half of the time in a wall that all see."""
        tool = self.chance.choice(("wall", "wall", "door", "door", "window"))
        walls = [wall for wall in self._seen().walls if wall.door == "none"]
        if tool == "door" and walls:
            more = {"line": self.chance.choice(walls).line, "shares": _shares(self.chance)}
            self._gesture("doors", command_id, "drawAlong", tool=tool, **more)
        else:
            self._gesture("walls", command_id, "draw", tool=tool, points=self._two_points())

    def _place(self, command_id: str) -> None:
        self._gesture("units", command_id, "place", hidden=False, **_unit(self, self.chance))

    def _paint(self, command_id: str) -> None:
        terrain = {"name": "Mud", "cost": self.chance.randrange(1, 3)}
        self._gesture("terrain", command_id, "paint", terrain=terrain, points=self._two_points())

    def _erase(self, command_id: str) -> None:
        walls = [wall for wall in self._seen().walls if all(wall in w.table.scene.walls for w in self.worlds)]
        if walls:
            self._gesture("erased", command_id, "erase", is_same=True, line=self.chance.choice(walls).line)

    def _look_alike(self, command_id: str) -> None:
        """Draw a secret door in the open in one world, where the other has a wall."""
        points = [[x + 7, y + 11] for x, y in self._two_points()]
        sent = [
            self._commands(world, command_id, "draw", tool=tool, points=points)
            for world, tool in zip(self.worlds, ("secret", "wall"), strict=True)
        ]
        if sent[0] and len(sent[0][0][1]["walls"]) == 1:  # it lies in no wall, not even in part
            self._send("lookalikes", command_id, sent)

    def _move(self, command_id: str) -> None:
        token = self.chance.choice(self._seen().tokens)
        to = {"token": token.id, "at": list(anywhere(self._seen(), self.chance)), "override": "a storm"}
        self._send("moves", command_id, [[("token.move", to)]] * 2)

    # Hidden, in each world by itself

    def _hide(self, command_id: str) -> None:
        for world, chance in zip(self.worlds, self.secrets, strict=True):
            for number in range(chance.randrange(3)):
                own = f"{command_id}-{number}"
                acts = (self._secret_door, self._secret_door, self._lurker, self._pit, self._stir)
                act = chance.choice(acts)
                for kind, body in act(world, own, chance):
                    if world.dry_run(own, kind, **body) is not None:
                        before = world.table.seq
                        self.figures["secrets"] += world.ask(GM, own, kind, **body)
                        decline_choices(world, f"{own}-no")  # a question keeps the table from what follows
                        is_stored = world.table.seq > before  # else the undo is of something shown
                        if is_stored and not chance.randrange(5):
                            world.ask(GM, f"{own}-undo", "undo")

    def _secret_door(self, world: TableHarness, own: str, chance: random.Random) -> Any:
        walls = [wall for wall in view(world.table.scene, SPECTATOR).walls if wall.door == "none"]
        if not walls:
            return []
        more = {"line": chance.choice(walls).line, "shares": _shares(chance)}
        return self._commands(world, own, "drawAlong", tool="secret", **more)

    def _lurker(self, world: TableHarness, own: str, chance: random.Random) -> Any:
        return self._commands(world, own, "place", hidden=True, **_unit(self, chance))

    def _pit(self, world: TableHarness, own: str, chance: random.Random) -> Any:
        terrain = {"name": "The Duke's pit", "cost": chance.randrange(1, 3), "hidden": True}
        points = [_point(world.table.scene, chance) for _ in range(2)]
        return self._commands(world, own, "paint", terrain=terrain, points=points)

    def _stir(self, world: TableHarness, _own: str, chance: random.Random) -> Any:
        """Move, rename or remove something hidden."""
        scene = world.table.scene
        found = [token for token in scene.tokens if token.hidden]
        doors = unknown_doors(scene.walls)
        pits = [ground for ground in scene.terrain if ground.hidden]
        acts: list[tuple[str, dict[str, Any]]] = []
        if found:
            token = chance.choice(found)
            to = list(anywhere(scene, chance))
            acts += [("token.move", {"token": token.id, "at": to, "override": "x"})]
            acts += [("token.remove", {"token": token.id})]
        if doors:
            acts += [("door.set", {"wall": chance.choice(doors).id, "state": "locked"})]
        if pits:
            acts += [("map.edit", {"walls": [], "terrain": [], "remove": [chance.choice(pits).id]})]
        return [chance.choice(acts)] if acts else []

    # What the others ask

    def _look(self, command_id: str) -> None:
        seat, seen = self.chance.choice(OTHERS), self._seen()
        token, target = self.chance.choice(seen.tokens).id, self.chance.choice(seen.tokens).id
        kind, body = self.chance.choice(
            (("overlay.show", {"token": token}), ("verdict.ask", {"token": token, "target": target}))
        )
        for world in self.worlds:
            world.ask(seat, command_id, kind, **body)

    def _come_again(self, _command_id: str) -> None:
        seat = self.chance.choice(OTHERS)
        for world in self.worlds:
            world.enter(seat)

    # Parts of the above

    def _seen(self, seat: Seat = SPECTATOR) -> Scene:
        return view(self.worlds[0].table.scene, seat)

    def _two_points(self) -> list[list[int]]:
        return [_point(self._seen(), self.chance) for _ in range(2)]

    def _commands(self, world: TableHarness, seed: str, kind: str, **more: Any) -> Any:
        return gesture(self.ruleset, world.table.scene, seed, kind, **more)

    def _gesture(self, what: str, command_id: str, kind: str, *, is_same: bool = False, **more: Any) -> None:
        sent = [self._commands(world, command_id, kind, **more) for world in self.worlds]
        if not is_same or sent[0] == sent[1]:
            self._send(what, command_id, sent)

    def _send(self, what: str, command_id: str, sent: list[Any]) -> None:
        """Send commands in both worlds, unless one of them refuses."""
        for number, pair in enumerate(zip(*sent, strict=False)):
            own = f"{command_id}-{number}"
            both = list(zip(self.worlds, pair, strict=True))
            drafts = [world.dry_run(own, kind, **body) for world, (kind, body) in both]
            if any(draft is None or draft.is_unseen or draft.pending for draft in drafts):
                return
            self.figures[what] += 1
            for world, (kind, body) in both:
                world.ask(GM, own, kind, **body)

    def _note_hidden(self) -> None:
        """Remember the IDs of hidden units and terrain; a secret door may have the ID of its wall."""
        for world in self.worlds:
            scene = world.table.scene
            things = (*scene.tokens, *scene.terrain)
            self._hidden |= {thing.id for thing in things if thing.hidden}


def _unit(pair: BoardPair, chance: random.Random) -> dict[str, Any]:
    scene = pair._seen()
    unit, side = chance.choice(pair.ruleset.catalog).key, chance.choice(scene.sides).id
    return {"unit": unit, "side": side, "at": list(anywhere(scene, chance))}


def _shares(chance: random.Random) -> list[float]:
    """Two shares of a wall's length, in quarters, in either direction."""
    return chance.sample([0, 0.25, 0.5, 0.75, 1], 2)


def _point(scene: Scene, chance: random.Random) -> list[int]:
    """A corner of the grid on the plane, inside the board."""
    return [chance.randrange(1, side) * _UNIT for side in (scene.grid.columns - 1, scene.grid.rows - 1)]


def _named_in_order(frames: list[bytes]) -> list[bytes]:
    """Frames with each random part of an ID replaced by its number in the order of appearance."""
    known: dict[bytes, bytes] = {}

    def number(found: re.Match[bytes]) -> bytes:
        return known.setdefault(found[0], b"#%d" % len(known))

    return [_HASH.sub(b"", _RANDOM_ID.sub(number, frame)) for frame in frames]
