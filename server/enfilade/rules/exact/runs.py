"""Runs of a procedure to its next random request, with the answers that are known so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from enfilade.rules.exact.callees import CHANCES, DECISIONS, default_answer
from enfilade.rules.exact.states import Changed, Delta, States
from enfilade.rules.exact.watch import ALL, Undecided, WatchedScene, WatchedToken
from enfilade.rules.exact.worlds import World
from enfilade.rules.procedures import (
    Change,
    Each,
    ProcedureError,
    Require,
    Rest,
    Settled,
    Step,
    Steps,
    step_change,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import AnyEvent, ConditionSet, TokenMoved, TrackSet
from enfilade.scene.model import Scene

_STOPS = CHANCES | {Each, Rest}
_WRITES: dict[type, frozenset[str]] = {
    TrackSet: frozenset({"tracks"}),
    ConditionSet: frozenset({"conditions"}),
    TokenMoved: frozenset({"at", "facing"}),
}
"""The fields of a token that an event writes; any other event counts as reading and writing all."""


class Followed(Struct, frozen=True):
    """The scene after a change that followed a random answer, whose token it changed, and which fields."""

    scene: Scene
    holder: str = ""
    fields: frozenset[str] = frozenset()


class Start(Struct, frozen=True):
    """The start of a part, or where it goes on after an `Each`: a world in a frame, as a scene."""

    world: World
    frame: int
    scene: WatchedScene


class Stage:
    """A random answer of a run and what followed it; `start` is where an `Each` left the tokens."""

    __slots__ = ("answer", "followed", "start")

    def __init__(self, answer: Any, start: Start | None = None) -> None:
        self.answer, self.start = answer, start
        self.followed: list[Followed | None] = []


class Branch(Struct, frozen=True):
    """Answers with their weight of a total, and the run that waits for the last of them, if one does."""

    path: tuple[Stage, ...]
    weight: int
    total: int
    steps: Steps | None = None
    scene: Scene | None = None

    @property
    def last_start(self) -> tuple[int, Start]:
        """Return where on the path the tokens were open last, and what was known then."""
        for place in range(len(self.path) - 1, -1, -1):
            start = self.path[place].start
            if start is not None:
                return place, start
        raise AssertionError("A path starts in a world.")


class StoppedRun(Struct, frozen=True):
    """A run that has stopped: at a random request, or at its end (None) with a result."""

    steps: Steps
    request: Any
    result: Any
    scene: Scene
    asked: int


Folds = dict[tuple[Any, ...], tuple[Scene, Followed, bool]]
"""What follows a change of a track, a condition or a place, by the identity of the scene before it.

With that scene, which keeps its identity so, and whether the change is one of a token. Runs that change the
same share the scenes and the tokens after it, and so the numbers of their states.
"""

_FOLLOWED = frozenset((Change, Require, Step))


class Runner:
    """Runs the procedures of one act."""

    def __init__(self, states: States, folds: Folds) -> None:
        self.declared: list[AnyEvent] | None = None
        self.loops = 0
        self._states, self._watch, self._folds = states, states.watch, folds
        self._events: list[AnyEvent] = []

    def run(self, branch: Branch, start: Callable[[Scene], Steps]) -> StoppedRun:
        """Run a part to the next random request after the answers of a branch.

        Raises Undecided for an open field, and what the part raises.
        """
        checkpoint()
        run, watch = _Run(self, branch, start), self._watch
        while True:
            request = run.send()
            if watch.wanted is not None:  # the procedure has swallowed the exception
                raise Undecided(watch.wanted)
            kind = type(request)
            if kind in _FOLLOWED:
                run.follow(request)
            elif kind in DECISIONS:
                run.answer = default_answer(request)
            elif kind not in _STOPS:
                return self._end(run, request)
            elif run.is_at_end:
                self._declare()
                return run.stop(request, None)
            else:
                run.go_on()

    def _end(self, run: _Run, request: Any) -> StoppedRun:
        """Return the end of a run: it is over (None), or settles. Raises ProcedureError for what is none."""
        self._declare()
        if request is None:
            return run.stop(None, run.result)
        if type(request) is not Settled:
            raise ProcedureError(f"A procedure asked for {request!r}.")
        if self.loops:
            raise ProcedureError("A procedure is run by Each and may not settle.")
        return run.stop(None, request.outcome)

    def _declare(self) -> None:
        if self.declared is None:
            self.declared = list(self._events)

    def after(self, scene: Scene, request: Any) -> Followed | None:
        """Return what follows a change or a check. Raises what the check raises."""
        if isinstance(request, Step):
            request = step_change(scene, request)
        if isinstance(request, Change):
            return self._changed(scene, request.event)
        request.check(*request.arguments)
        if self._watch.wanted is not None:
            raise Undecided(self._watch.wanted)
        return None

    def _changed(self, scene: Scene, event: AnyEvent) -> Followed:
        if self.declared is None:
            self._events.append(event)
        written = _written(event)
        if written is None:
            return self._changed_frame(scene, event)
        key = (id(scene), *written)
        known = self._folds.get(key)
        if known is None:
            known = self._folds[key] = self._folded(scene, event, written[0])
        elif known[2]:
            self._watch.reads.add((written[0], ""))
        return known[1]

    def _folded(self, scene: Scene, event: AnyEvent, holder: str) -> tuple[Scene, Followed, bool]:
        """Return what follows a change of one holder. Raises Undecided if that is an open token."""
        is_token = False
        for token in scene.tokens:
            if token.id == holder:
                is_token = True
                self._watch.reads.add((holder, ""))
                self._watch.require_decided(self._states.watched(token))
        return scene, Followed(fold(scene, event), holder, _WRITES[type(event)]), is_token

    def _changed_frame(self, scene: Scene, event: AnyEvent) -> Followed:
        folded = fold(scene, event)
        if folded is scene:
            return Followed(scene)
        for token in scene.tokens:  # a new map, a placed token and the like: all is decided first
            self._watch.require_decided(self._states.watched(token))
        self._watch.reads.add(ALL)
        return Followed(self._states.scene(folded))


def _written(event: AnyEvent) -> tuple[Any, ...] | None:
    """Return the holder that an event changes and the new value, with its type: 1 is not True.

    None for an event that changes something else, or nothing.
    """
    if isinstance(event, TrackSet):
        return event.holder, TrackSet, event.track, event.value, type(event.value)
    if isinstance(event, ConditionSet):
        return event.holder, ConditionSet, event.condition, event.note, type(event.note)
    return (event.token, TokenMoved, event.at, event.facing) if isinstance(event, TokenMoved) else None


class _Run:
    """One run: the place on its path, and the scene there."""

    def __init__(self, runner: Runner, branch: Branch, start: Callable[[Scene], Steps]) -> None:
        self._runner, self._path = runner, branch.path
        self.answer: Any = None
        self.result: Any = None
        self._asked, self._last = 0, len(branch.path) - 1
        if branch.steps is None:
            first = branch.path[0]
            assert first.start is not None
            self._place, self._stage, self._used = 0, first, 0
            self._scene: Scene = first.start.scene
            self._steps = start(self._scene)
        else:
            assert branch.scene is not None
            self._scene, self._steps = branch.scene, branch.steps
            self._enter(self._last)

    @property
    def is_at_end(self) -> bool:
        return self._place == self._last

    def _enter(self, place: int) -> None:
        stage = self._path[place]
        self._place, self._stage, self._used = place, stage, 0
        self.answer = stage.answer
        if stage.start is not None:
            self._scene = stage.start.scene

    def go_on(self) -> None:
        """Take the next random answer of the path."""
        self._enter(self._place + 1)

    def send(self) -> Any:
        """Return the next request; None at the end, which sets the result."""
        self._asked += self._place == self._last  # a replay costs nothing
        try:
            return self._steps.send(self.answer)
        except StopIteration as end:
            self.result = end.value
            return None

    def follow(self, request: Any) -> None:
        """Take the answer to a change or a check, as an earlier run took it."""
        followed = self._stage.followed
        if self._used == len(followed):
            followed.append(self._runner.after(self._scene, request))
        known = followed[self._used]
        self._used += 1
        if known is None:
            self.answer = None
        else:
            self.answer = self._scene = known.scene

    def stop(self, request: Any, result: Any) -> StoppedRun:
        return StoppedRun(self._steps, request, result, self._scene, self._asked)


def deltas_of(path: tuple[Stage, ...], tokens: dict[str, WatchedToken]) -> Changed:
    """Return what a run made of the tokens that it changed."""
    fields: dict[str, frozenset[str]] = {}
    for stage in path:
        for known in stage.followed:
            if known is not None and known.holder in tokens:
                fields[known.holder] = fields.get(known.holder, frozenset()) | known.fields
    return {one: Delta(token, fields.get(one, frozenset())) for one, token in tokens.items()}


def loops_in(path: tuple[Stage, ...]) -> int:
    """Return the number of places on a path where the tokens may be open."""
    return sum([stage.start is not None for stage in path])
