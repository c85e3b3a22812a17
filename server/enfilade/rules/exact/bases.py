"""Bases: the scene that acts begin in, with what the walks over one act after the other make of it."""

from __future__ import annotations

from typing import NamedTuple

from enfilade.rules.exact.runs import Folds, Start
from enfilade.rules.exact.states import Changed, States
from enfilade.rules.exact.watch import WatchedScene
from enfilade.rules.exact.worlds import World, Worlds
from enfilade.scene.model import Scene, Token


class PutEnd(NamedTuple):
    """The scene where a run ended, its frame, and its changes, also put on the world that the run began in.

    `factor` is what that world has lost by it (`Worlds.put`). No other change leads from the start to this
    scene, so that all runs which end in it wrote the same.
    """

    scene: Scene
    frame: int
    changed: Changed
    factor: int
    world: World


class Base:
    """The scene that acts begin in, with the worlds and the starts of parts that they share."""

    def __init__(self, states: States, scene: WatchedScene) -> None:
        self._states = states
        self.worlds = Worlds(states, map(states.watched, scene.tokens))
        self.first = Start(self.worlds.root, states.frame(scene), scene)
        self._starts: dict[tuple[int, int], Start] = {(0, self.first.frame): self.first}
        self.folds: Folds = {}
        self.ends: dict[tuple[int, int, frozenset[str] | None], PutEnd] = {}
        self._tokens = len(self.worlds.base)

    def __len__(self) -> int:
        return len(self.worlds) + len(self.folds) + len(self.ends)

    @property
    def is_shared(self) -> bool:
        """Return whether other acts may begin here: no act has placed a token of its own."""
        return len(self.worlds.base) == self._tokens

    def start(self, world: World, frame: int) -> Start:
        """Return the start of a part in a world and a frame."""
        found = self._starts.get((world.number, frame))
        if found is None:
            held, ids = self._states.frames[frame]
            scene = self._states.scene_of(held, self._tokens_of(world, frame, ids))
            found = self._starts[world.number, frame] = Start(world, frame, scene)
        return found

    def _tokens_of(self, world: World, frame: int, ids: tuple[str, ...]) -> tuple[Token, ...]:
        """Return the tokens of a world; most are those of the older one, if that is known."""
        base, view, touched = self.worlds.base, self.worlds.view, world.touched
        below = None if world.older is None else self._starts.get((world.older.number, frame))
        views: list[Token | None]
        if below is not None and len(below.scene.tokens) == len(ids):
            newest, tokens = world.newest, below.scene.tokens
            views = [view(world, one.id) if one.id in newest else one for one in tokens]
        else:
            views = [view(world, one) if one in touched else base.get(one) for one in ids]
        return tuple([one for one in views if one is not None])
