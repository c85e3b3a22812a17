"""Exact odds of acts with `Each`: the walk that holds open what nobody reads.

An act runs on watched tokens (`worlds`). Between two items of an `Each` there is only (combined result, frame,
world). A part (an item, or the rest of an act) depends on the arguments it gets and on the fields it reads, so
what it led to is kept and holds in every other scene with the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from enfilade.rules.changes import step_change
from enfilade.rules.procedures import (
    Act,
    Call,
    CallEach,
    Change,
    Each,
    Procedure,
    ProcedureError,
    Require,
    Rest,
    Roll,
    Settled,
    Step,
    Steps,
    TailCall,
)
from enfilade.rules.worlds import ALL, Aftermath, Memory, Undecided, WatchedScene, World, Worlds
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import ConditionSet, Explained, TokenMoved, TrackSet
from enfilade.scene.model import Scene, Token

MAX_STATES = 40_000

_RANDOM = frozenset((Roll, Call, CallEach, TailCall, Each, Rest))


class ExpandError(Exception):
    """A procedure did what the watch cannot follow: its odds are worked out without open tokens."""


def expanded(steps: Steps, scene: Any) -> Steps:
    """Yield the requests of a procedure with each `Each` as the loop that it stands for.

    This is the definition of `Each`: the slow odds are those of the expanded procedure. Returns its result
    and the scene after it.
    """
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration as end:
            return end.value, scene
        kind = type(request)
        if kind is Each:
            combined = request.start
            for item in request.items:
                result, scene = yield from expanded(request.procedure(scene, item, *request.arguments), scene)
                combined = combined if request.add is None else request.add(combined, result)
            answer = scene, combined
        elif kind is Rest:
            steps.close()
            return (yield from expanded(request.procedure(scene, *request.arguments), scene))
        elif kind is TailCall:
            steps.close()
            return (yield Call(request.procedure, request.arguments)), scene
        else:
            answer = yield request
            if kind is Change or kind is Step:
                scene = answer


def expanded_act(procedure: Procedure) -> Procedure:
    """Return the procedure of an act without `Each` and `Rest`."""

    def act(scene: Scene, *arguments: Any) -> Steps:
        return (yield from expanded(procedure(scene, *arguments), scene))[0]

    return act


class _Stage:
    """A random answer of a run, and the answers to what follows it up to the next one."""

    __slots__ = ("answer", "frame", "known", "scene", "world")

    def __init__(self, answer: Any, world: World | None = None, frame: int = -1, scene: Any = None) -> None:
        self.answer, self.world, self.frame, self.scene = answer, world, frame, scene
        self.known: list[Any] = []


UNKNOWN = object()
"""The result of what a walk had no requests left for."""

_WRITES = {TrackSet: ("tracks",), ConditionSet: ("conditions",), TokenMoved: ("at", "facing")}


def _joined(first: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    found = dict(first)
    for one, (token, fields) in then.items():
        found[one] = (token, fields | first[one][1] if one in first else fields)
    return found


class _KeepError(Exception):
    """A procedure has read a token that the walk had dropped."""

    def __init__(self, token: str) -> None:
        self.token = token


class _SplitError(Exception):
    """A part has read an open token of the world that it started in."""

    def __init__(self, token: str) -> None:
        self.token = token


Leaf = tuple[int, int, Any, int, World, Any]
"""A way a part may end: weight out of total, result, frame, world, and (its changes alone, factor) or None."""


class EachWalk:
    """The walk of one act. `answers` gives the weighed answers to a random request of dice or callees."""

    def __init__(
        self,
        scene: Scene,
        memory: Memory,
        answers: Callable[[Any], Any],
        default: Callable[[Any], Any],
        spend: Callable[[int], None],
        whole: bool = True,
    ) -> None:
        self.memory, self.watch = memory, memory.watch
        self.answers, self.default, self.spend, self.whole = answers, default, spend, whole
        self.base = memory.first_scene(scene)
        self.limit = 10**12
        self.worlds = Worlds(memory, self.base.tokens)
        self.declared: list[Any] | None = None
        self.events: list[Any] = []
        self.scenes: dict[tuple[int, int], Any] = {}
        # What the part that runs now has cost itself, and the kept parts that it used.
        self.own, self.used = [0, 0, 0], dict[int, Any]()
        self.hints: dict[Any, dict[str, None]] = {}
        self.runs = self.requests = self.hits = self.splits = 0
        self.items = 0
        # The tokens whose states count for the outcome; None: all. Others are dropped, until one is read.
        self.kept: set[str] | None = None
        self.gone: dict[str, int] = {}
        self.dropped: set[str] = set()
        # Which items split on a token: one that several read becomes part of the situation (`each`).
        self.readers: dict[str, set[Any]] = {}
        self.paid: dict[int, Any] = {}
        self.total = [0, 0, 0]

    # The act

    def act(self, procedure: Procedure, arguments: Sequence[Any]) -> list[Leaf]:
        """Return the leaves of an act. Raises what it raises."""
        frame = self.memory.frame(self.base)
        if not self.whole:
            self.kept = {one for act in arguments if isinstance(act, Act) for one in (act.token, act.target)}
        while True:
            self.scenes[0, frame] = self.base
            try:
                root = self.worlds.root
                return self.explore(
                    root, frame, lambda scene: procedure(scene, *arguments), procedure, is_act=True
                )
            except _KeepError as read:
                # What was worked out of the parts is known: the second time is short.
                assert self.kept is not None and read.token not in self.kept
                self.kept.add(read.token)
                self.worlds, self.scenes, self.items = Worlds(self.memory, self.base.tokens), {}, 0
                self.gone, self.dropped, self.readers, self.hints = {}, set(), {}, {}
                self.spend(-self.requests)
                self.requests, self.paid, self.total, self.own, self.used = 0, {}, [0, 0, 0], [0, 0, 0], {}

    def scene_of(self, world: World, frame: int) -> Any:
        found = self.scenes.get((world.number, frame))
        if found is None:
            held, ids = self.memory.frames[frame]
            view, worlds = self.worlds.view, self.worlds
            base, touched = worlds.base, world.touched
            tokens = tuple([view(world, one) if one in touched else base[one] for one in ids])
            fields = {name: getattr(held, name) for name in Scene.__struct_fields__}
            fields["tokens"] = tokens
            found = self.scenes[world.number, frame] = WatchedScene(**fields, watch=self.watch)
        return found

    def put(self, world: World, frame: int, scene: Any) -> tuple[int, World, int, dict[str, Any]]:
        """Return (factor, world, frame, changed tokens) after the changes that lead to a scene."""
        start = self.scenes[world.number, frame]
        if scene is start:
            return 1, world, frame, {}
        was, now = start.tokens, scene.tokens
        changed, is_same = {}, len(was) == len(now)
        if is_same:
            for a, b in zip(was, now):
                if a is not b:
                    changed[a.id] = b
                    is_same &= a.id == b.id
        if not is_same:
            by_id = {token.id: token for token in was}
            changed = {t.id: self.memory.watched(t) for t in now if by_id.get(t.id) is not t}
            frame = self.memory.frame(scene)
        elif not (
            scene.tracks is start.tracks
            and scene.conditions is start.conditions
            and scene.sides is start.sides
            and scene.walls is start.walls
            and scene.terrain is start.terrain
            and scene.house_rules is start.house_rules
            and scene.grid is start.grid
        ):
            frame = self.memory.frame(scene)
        for one in changed:
            if one not in self.worlds.base:
                self.worlds.base[one] = changed[one]
        number = self.memory.number
        factor, world = self.put_states(world, {one: number(token) for one, token in changed.items()})
        return factor, world, frame, changed

    def put_states(self, world: World, states: dict[str, int]) -> tuple[int, World]:
        if self.kept is not None:
            for one in states:
                if one not in self.kept:
                    states[one] = self.gone_state(one)
                    self.dropped.add(one)
        return self.worlds.put(world, states)

    def is_gone(self, world: World, one: str) -> bool:
        return self.worlds.only_state(world, one) == self.gone_state(one)

    def gone_state(self, one: str) -> int:
        found = self.gone.get(one)
        if found is None:
            found = self.gone[one] = self.memory.gone(self.worlds.base[one])
        return found

    def explore(
        self, world: World, frame: int, start: Callable[[Any], Steps], key: Any, is_act: bool = False
    ) -> list[Leaf]:
        """Return how a part ends that starts in a world; the part is run again for each sequence of answers."""
        leaves: list[Leaf] = []
        first = _Stage(None, world, frame, self.scene_of(world, frame))
        branches: list[Any] = [((first,), 1, 1, None, first.scene)]
        while branches:
            if self.requests > self.limit:
                for path, weight, total, _, _ in branches:
                    at, _ = self.last_world(path)
                    leaves.append((weight, total, UNKNOWN, at.frame, at.world, None))  # type: ignore[arg-type]
                break
            path, weight, total, steps, scene = branches.pop()
            try:
                steps, request, result, scene = self.run(path, steps, scene, start)
            except Undecided as read:
                self.watch.wanted = None
                self.split_branch(branches, path, weight, total, read.token, key)
                continue
            at, is_only = self.last_world(path)
            if request is None:
                factor, left, now, changed = self.put(at.world, at.frame, scene)  # type: ignore[arg-type]
                done = (self.written(path, changed), factor) if is_only else None
                leaves.append((weight * factor, total, result, now, left, done))
                continue
            kind = type(request)
            if kind is Each or kind is Rest:
                factor, left, now, changed = self.put(at.world, at.frame, scene)  # type: ignore[arg-type]
                if kind is Rest:
                    steps.close()
                    if is_act and not self.whole and left.mass == 1:
                        found, out_of = self.rest_results(left, now, request)
                        leaves += [
                            (weight * factor * w, total * out_of, r, now, left, None) for r, w in found
                        ]
                        continue
                    mine = self.written(path, changed) if is_only else {}
                    for w, t, r, f, n, more in self.part(left, now, request.procedure, request.arguments):
                        both = (_joined(mine, more[0]), factor * more[1]) if is_only and more else None
                        leaves.append((weight * factor * w, total * t, r, f, n, both))
                    continue
                layer, out_of, lost = self.each(request, left, now)
                if lost:
                    leaves.append(
                        (weight * factor * lost, total * out_of, UNKNOWN, now, self.worlds.root, None)
                    )
                for (combined, its_frame, _), (times, after) in layer.items():
                    # The first answer goes to the run that waits for it.
                    self.introduce(
                        branches,
                        path,
                        after,
                        its_frame,
                        combined,
                        weight * factor * times,
                        total * out_of,
                        steps,
                        key,
                    )
                    steps = None
                continue
            answers, out_of = self.answers(request)
            self.charge((0, 0, len(answers)))
            if kind is TailCall:
                factor, left, now, changed = self.put(at.world, at.frame, scene)  # type: ignore[arg-type]
                done = (self.written(path, changed), factor) if is_only else None
                for answer, share in answers:
                    leaves.append((weight * factor * share, total * out_of, answer, now, left, done))
                continue
            for answer, share in answers:
                branches.append(((*path, _Stage(answer)), weight * share, total * out_of, steps, scene))
                steps = None
        return leaves

    def split(self, world: World, one: str) -> list[tuple[int, World]]:
        if one in self.gone and self.is_gone(world, one):
            raise _KeepError(one)
        return self.worlds.split(world, one)

    def last_world(self, path: tuple[_Stage, ...]) -> tuple[_Stage, bool]:
        for i in range(len(path) - 1, -1, -1):
            if path[i].world is not None:
                return path[i], i == 0
        raise AssertionError

    def introduce(
        self,
        branches: list[Any],
        path: tuple[_Stage, ...],
        world: World,
        frame: int,
        combined: Any,
        weight: int,
        total: int,
        steps: Any,
        key: Any,
    ) -> None:
        """Add the branches in which an `Each` left a world, split on what earlier runs read of such."""
        worlds = [(weight, world)]
        depth = sum(stage.world is not None for stage in path)
        for one in self.hints.get((key, depth), ()):
            worlds = [
                (w * factor, less)
                for w, n in worlds
                for factor, less in (self.split(n, one) if one in n.touched else [(1, n)])
            ]
        for w, n in worlds:
            scene = self.scene_of(n, frame)
            branches.append(((*path, _Stage((scene, combined), n, frame, scene)), w, total, steps, scene))
            steps = None

    def split_branch(
        self, branches: list[Any], path: tuple[_Stage, ...], weight: int, total: int, token: Token, key: Any
    ) -> None:
        place = max(i for i, stage in enumerate(path) if stage.world is not None)
        stage = path[place]
        world, one = stage.world, token.id
        if one in self.gone and token is self.memory.states[self.gone[one]]:
            raise _KeepError(one)
        if world is None or self.worlds.view(world, one) is not token:
            raise ExpandError  # of a scene that is no longer the newest
        depth = sum(known.world is not None for known in path[:place])
        self.splits += 1
        self.hints.setdefault((key, depth), {})[one] = None
        if place == 0:
            raise _SplitError(one)
        for factor, less in self.split(world, one):
            scene = self.scene_of(less, stage.frame)
            new = _Stage((scene, stage.answer[1]), less, stage.frame, scene)
            later = tuple([_Stage(known.answer) for known in path[place + 1 :]])
            branches.append(((*path[:place], new, *later), weight * factor, total, None, None))

    # Runs

    def run(self, path: tuple[_Stage, ...], steps: Any, scene: Any, start: Callable[[Any], Steps]) -> Any:
        """Run a part to the next random request; return (steps, request, result, scene)."""
        checkpoint()
        watch, used, asked = self.watch, 0, 0
        if steps is None:
            self.runs += 1
            i, stage, answer = 0, path[0], None
            scene = stage.scene
            steps = start(scene)
        else:
            i = len(path) - 1
            stage = path[i]
            answer = stage.answer
            scene = scene if stage.world is None else stage.scene
        known = stage.known
        try:
            while True:
                asked += i + 1 == len(path)  # a replay costs nothing
                try:
                    request = steps.send(answer)
                except StopIteration as end:
                    self.declare()
                    request, result = None, end.value
                    break
                if watch.wanted is not None:
                    raise Undecided(watch.wanted)
                kind = type(request)
                if kind in _RANDOM:
                    self.declare()
                    if i + 1 == len(path):
                        result = None
                        break
                    i += 1
                    stage = path[i]
                    answer, used, known = stage.answer, 0, stage.known
                    scene = scene if stage.world is None else stage.scene
                elif kind is Change or kind is Step:
                    if used == len(known):
                        known.append(self.changed(scene, request))
                    answer = scene = known[used][0]
                    used += 1
                elif kind is Require:
                    if used == len(known):
                        request.check(*request.arguments)
                        if watch.wanted is not None:
                            raise Undecided(watch.wanted)
                        known.append(None)
                    used += 1
                    answer = None
                elif kind is Settled:
                    if self.items:
                        raise ProcedureError("A procedure is run by Each and may not settle.")
                    self.declare()
                    request, result = None, request.outcome
                    break
                else:
                    answer = self.default(request)
        except Undecided:
            raise  # it is charged when it runs again
        if watch.wanted is not None:
            raise Undecided(watch.wanted)
        self.charge((1, asked, 0))
        return steps, request, result, scene

    def charge(self, cost: Sequence[int], is_own: bool = True) -> None:
        """Charge runs (to the next random request), requests, and the most answers of one request."""
        self.requests += cost[1]
        self.spend(cost[1])
        self.total = [self.total[0] + cost[0], self.total[1] + cost[1], max(self.total[2], cost[2])]
        if is_own:
            self.own = [self.own[0] + cost[0], self.own[1] + cost[1], max(self.own[2], cost[2])]

    def pay(self, entry: Any) -> None:
        """Charge for a kept part and those that it used as if this walk had worked them out, each once."""
        if id(entry) not in self.paid:
            self.paid[id(entry)] = entry
            self.charge(entry[-2], is_own=False)
            for used in entry[-1].values():
                self.pay(used)

    def changed(self, scene: Any, request: Any) -> Any:
        if type(request) is Step:
            request = step_change(scene, request)
        event = request.event
        if self.declared is None:
            self.events.append(event)
        if type(event) is Explained:
            return scene, "", ()
        holder = getattr(event, "holder", None) or getattr(event, "token", None)
        if type(holder) is str:
            for token in scene.tokens:
                if token.id == holder:
                    self.watch.reads.add((holder, ""))
                    if token.is_open:
                        self.watch.want(token)
        else:
            for token in scene.tokens:  # a new scene, a placed token and the like: all is decided first
                if token.is_open:
                    self.watch.want(token)
            self.watch.note_all()
            return self.memory.scene(fold(scene, event)), "", ()
        return fold(scene, event), holder, _WRITES.get(type(event), ())

    def written(self, path: tuple[_Stage, ...], changed: dict[str, Any]) -> dict[str, Any]:
        """Return the changed tokens of a run with the fields that it wrote, also those that it left equal."""
        fields: dict[str, set[str]] = {}
        for stage in path:
            for known in stage.known:
                if known is not None and known[1]:
                    fields.setdefault(known[1], set()).update(known[2])
        return {one: (token, fields.get(one, set())) for one, token in changed.items()}

    def declare(self) -> None:
        if self.declared is None:
            self.declared = list(self.events)

    # Each

    def each(self, request: Each, world: World, frame: int) -> tuple[dict[Any, tuple[int, World]], int, int]:
        """Return the measure of each (combined result, frame) after the last item, their total, what is lost.

        Each item gets its share of the requests that are left, the likeliest situations first. What is beyond
        it is lost: its result is unknown.
        """
        layer: dict[Any, tuple[int, World]] = {(request.start, frame, ()): (1, world)}
        total, add = 1, request.add
        self.items += 1
        whole, lost = self.limit, 0
        for place, item in enumerate(request.items):
            checkpoint()
            arguments = (item, *request.arguments)
            found: list[Any] = []
            now = layer.items()
            if whole < 10**12:
                self.limit = self.requests + max(0, whole - self.requests) // (len(request.items) - place + 1)
                now = sorted(now, key=lambda one: -one[1][0] * one[1][1].mass)  # type: ignore[assignment]
            dropped, outer, self.dropped = 0, self.dropped, set()
            for (combined, its_frame, _), (times, one) in now:
                if self.requests > self.limit:
                    dropped += times * one.mass
                else:
                    found.append((combined, times, self.part(one, its_frame, request.procedure, arguments)))
            out_of = lcm(*[leaf[1] for _, _, leaves in found for leaf in leaves])
            lost = (lost + dropped) * out_of
            ends: dict[Any, dict[Any, int]] = {}
            # A token that one item after the other reads would be opened and split again each time.
            gone = sorted(self.dropped)
            self.dropped |= outer
            shared = [one for one, readers in self.readers.items() if len(readers) > 1]
            for combined, times, leaves in found:
                for weight, of, result, its_frame, after, _ in leaves:
                    if result is UNKNOWN:
                        lost += times * weight * after.mass * (out_of // of)
                        continue
                    new = combined if add is None else add(combined, result)
                    # Dropped in one world, dropped in all: so that they stay alike.
                    states = {u: self.gone_state(u) for u in gone if not self.is_gone(after, u)}
                    if states:
                        factor, after = self.worlds.put(after, states)
                        weight *= factor
                    decided = tuple([self.worlds.only_state(after, one) for one in shared])
                    try:
                        parts = ends.setdefault((new, its_frame, decided), {})
                    except TypeError:
                        raise ProcedureError(
                            f"{request.procedure.__name__} returns {new!r} to Each."
                        ) from None
                    part = (after, ())
                    parts[part] = parts.get(part, 0) + times * weight * (out_of // of)
            layer = {key: self.worlds.make(parts) for key, parts in ends.items()}
            total *= out_of
        self.items, self.limit = self.items - 1, whole
        return layer, total, lost

    def part(self, world: World, frame: int, procedure: Procedure, arguments: tuple[Any, ...]) -> list[Leaf]:
        """Return how a part ends that starts in a world; looked up if it read the same before."""
        memory = self.memory
        key = (procedure, arguments)
        try:
            known = memory.parts.setdefault((key, frame), {})
        except TypeError:
            known, key = {}, (procedure,)  # arguments without a value: nothing is kept
        hints_at = (key, 0)
        leaves: list[Leaf] = []
        waiting = [(1, world)]
        while waiting:
            weight, one = waiting.pop()
            split = next(
                (
                    token
                    for token in self.hints.get(hints_at, ())
                    if token in one.touched and self.worlds.view(one, token).is_open
                ),
                None,
            )
            if split is not None and split in self.gone and self.is_gone(one, split):
                raise _KeepError(split)
            if split is not None:
                self.readers.setdefault(split, set()).add(key)
                waiting += [(weight * factor, less) for factor, less in self.worlds.split(one, split)]
                continue
            found = self.look_up(known, one, frame)
            if found is None:
                try:
                    found = self.explore_part(known, one, frame, procedure, arguments, key)
                except _SplitError as read:
                    self.readers.setdefault(read.token, set()).add(key)
                    waiting += [
                        (weight * factor, less) for factor, less in self.worlds.split(one, read.token)
                    ]
                    continue
            leaves += found if weight == 1 else [(weight * leaf[0], *leaf[1:]) for leaf in found]
        return leaves

    def values(self, reads: Any, one: World) -> Any:
        view, field_key = self.worlds.view, self.memory.field_key
        found = []
        last, token = None, None
        for name, field in reads:
            if name != last:
                last, token = name, view(one, name)
                if token is None:
                    return None
            found.append(field_key(token, field))
        return tuple(found)

    def look_up(self, known: Any, one: World, frame: int) -> list[Leaf] | None:
        for reads, by_values in known.items():
            found = by_values.get(self.values(reads, one))
            if found is not None:
                leaves = found[0]
                self.hit(found, reads)
                result = []
                for weight, total, answer, its_frame, deltas in leaves:
                    if deltas:
                        view, apply = self.worlds.view, self.memory.apply
                        self.watch.reads.update([(d.token, "") for d in deltas])
                        states = {d.token: apply(d, view(one, d.token)) for d in deltas}
                        held = self.memory.states
                        changed = {d.token: (held[states[d.token]], set(d.fields)) for d in deltas}
                        factor, after = self.put_states(one, states)
                        result.append((weight * factor, total, answer, its_frame, after, (changed, factor)))
                    else:
                        result.append((weight, total, answer, its_frame, one, ({}, 1)))
                return result
        return None

    def hit(self, entry: Any, reads: Any) -> None:
        self.hits += 1
        self.watch.reads.update(reads)
        self.used[id(entry)] = entry
        self.pay(entry)

    def recorded(self, work: Callable[[], list[Leaf]]) -> tuple[list[Leaf], set[Any], Any]:
        """Return what a part came to, what it read, and (its own cost, the kept parts that it used)."""
        watch = self.watch
        outer, watch.reads = watch.reads, set()
        before = self.own, self.used
        self.own, self.used = [0, 0, 0], {}
        try:
            leaves = work()
        finally:
            mine, watch.reads = watch.reads, outer
            outer |= mine
            cost = (self.own, self.used)
            self.own, self.used = before
        return leaves, mine, cost

    def keep(self, known: Any, reads: Any, one: World, entry: Any) -> None:
        known.setdefault(reads, {})[self.values(reads, one)] = entry
        self.paid[id(entry)] = entry
        self.used[id(entry)] = entry

    def not_kept(self, cost: Any) -> None:
        """Add what a part cost that is not kept to the part that used it."""
        own, used = cost
        self.own = [self.own[0] + own[0], self.own[1] + own[1], max(self.own[2], own[2])]
        self.used.update(used)

    def explore_part(
        self, known: Any, one: World, frame: int, procedure: Procedure, arguments: tuple[Any, ...], key: Any
    ) -> list[Leaf]:
        leaves, mine, cost = self.recorded(
            lambda: self.explore(one, frame, lambda scene: procedure(scene, *arguments), key)
        )
        if ALL not in mine and all(leaf[5] is not None and leaf[2] is not UNKNOWN for leaf in leaves):
            view = self.worlds.view
            decided = all(not view(one, name).is_open for name, field in mine if field == "")
            reads = tuple(sorted([read for read in mine if read[1]]))
            if decided and self.are_decided(reads, one):
                start = self.scenes[one.number, frame].tokens
                by_id = {token.id: token for token in start}
                delta = self.memory.delta
                if all(name in by_id for *_, (changed, _) in leaves for name in changed):
                    # Without the factor, which is of the world that the changes were put on.
                    kept = [
                        (w // factor, t, r, f, [delta(token, fields) for token, fields in changed.values()])
                        for w, t, r, f, _, (changed, factor) in leaves
                    ]
                    self.keep(known, reads, one, (kept, *cost))
                    return leaves
        self.not_kept(cost)
        return leaves

    def are_decided(self, reads: Any, one: World) -> bool:
        from enfilade.rules.worlds import RAW, UNDECIDED

        view = self.worlds.view
        return all(
            (token := view(one, name)) is not None and RAW[field](token) is not UNDECIDED
            for name, field in reads
        )

    def rest_results(self, one: World, frame: int, request: Rest) -> tuple[list[tuple[Any, int]], int]:
        """Return the results of the rest of an act with their weights, without the worlds that it leaves."""
        memory = self.memory
        known: Any = {}
        try:
            known = memory.rests.setdefault((request.procedure, request.arguments, frame), {})
        except TypeError:
            pass
        for reads, by_values in known.items():
            found = by_values.get(self.values(reads, one))
            if found is not None:
                self.hit(found, reads)
                return found[0], found[1]
        leaves, mine, cost = self.recorded(
            lambda: self.part(one, frame, request.procedure, request.arguments)
        )
        results, total = merged(leaves)
        if ALL not in mine and all(result is not UNKNOWN for result, _ in results):
            reads = tuple(sorted([read for read in mine if read[1]]))
            if self.are_decided(reads, one):
                self.keep(known, reads, one, (results, total, *cost))
                return results, total
        self.not_kept(cost)
        return results, total


def aftermath(worlds: Worlds, leaves: list[Leaf]) -> Aftermath:
    """Return what the leaves of an act make of the tokens; what is unknown is left out."""
    total = lcm(*[leaf[1] for leaf in leaves])
    ends: dict[int, tuple[int, World]] = {}
    for weight, of, result, _, world, _ in leaves:
        if result is not UNKNOWN:
            known = ends.get(world.number, (0, world))[0]
            ends[world.number] = (known + weight * (total // of), world)
    return Aftermath(worlds, list(ends.values()), total)


def merged(leaves: Iterable[Leaf]) -> tuple[list[tuple[Any, int]], int]:
    """Return results with integer weights, and their total."""
    leaves = list(leaves)
    total = lcm(*[leaf[1] for leaf in leaves])
    results: dict[Any, int] = {}
    for weight, of, result, _, world, _ in leaves:
        results[result] = results.get(result, 0) + weight * world.mass * (total // of)
    return list(results.items()), total


def chances(leaves: Iterable[Leaf]) -> dict[Any, Fraction]:
    results, total = merged(leaves)
    return {result: Fraction(weight, total) for result, weight in results}
