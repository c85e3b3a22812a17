"""The walk over an act with `Each`: parts are explored once for all worlds that agree on what they read.

Between two items of an `Each` there is only (combined result, frame, world). A part is an item, or the rest
of an act. It depends on its arguments and on the fields that it reads. What it reads of an open token splits
the world that it runs in; all else stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from math import lcm
from operator import attrgetter, is_, itemgetter
from typing import Any, NamedTuple

from enfilade.rules.exact.aftermath import Aftermath, Ends
from enfilade.rules.exact.bases import PutEnd
from enfilade.rules.exact.callees import Callees, Weighed
from enfilade.rules.exact.parts import (
    KeptParts,
    Known,
    Leaf,
    Memory,
    WeighedEnds,
    kept_leaves,
    merged,
)
from enfilade.rules.exact.plain import ExpandError
from enfilade.rules.exact.runs import Branch, Runner, Stage, Start, StoppedRun, deltas_of, loops_in
from enfilade.rules.exact.states import joined
from enfilade.rules.exact.watch import Undecided, WatchedToken
from enfilade.rules.exact.worlds import Measure, Mixed, World
from enfilade.rules.procedures import (
    Call,
    CallEach,
    Each,
    Procedure,
    ProcedureError,
    Rest,
    Roll,
    Steps,
    TailCall,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene

Combined = tuple[Any, int]
"""The combined result of some items, and the number of the frame after them."""

_weight = itemgetter(1)

_FRAME = attrgetter(*[name for name in Scene.__struct_fields__ if name != "tokens"])


class _SplitError(Exception):
    """A part has read an open token of the world that it started in."""

    def __init__(self, token: str) -> None:
        self.token = token


class _Part(NamedTuple):
    """A part that is being explored; `is_act` if it is the whole act.

    `share` is the chance of the act to end as this part ends; None if it goes on after the part.
    """

    key: Any
    start: Callable[[Scene], Steps]
    leaves: list[Leaf]
    branches: list[Branch]
    is_act: bool
    share: Fraction | None


class EachWalk:
    """The walk of one act."""

    def __init__(
        self,
        scene: Scene,
        memory: Memory,
        callees: Callees,
        keeps_worlds: bool,
        kept: Collection[str] | None = None,
    ) -> None:
        """Without `keeps_worlds` there is no aftermath: the rest of an act is looked up for its result.

        Then the walk may let go of all tokens but the `kept` ones; None keeps all. Raises LetGoError if that
        was wrong.
        """
        self._memory, self._states = memory, memory.states
        self._callees, self._keeps_worlds = callees, keeps_worlds
        self._base = base = memory.base(scene, kept)
        self._worlds, self._put_ends = base.worlds, base.ends
        self._parts = KeptParts(self._states, self._worlds, callees)
        # The open tokens that earlier runs of a part have read, after so many loops in it.
        self._hints: dict[Any, dict[str, None]] = {}
        self._leaves: list[Leaf] = []
        self.ends = Ends()
        self._runner = Runner(self._states, base.folds)

    @property
    def declared(self) -> Sequence[AnyEvent] | None:
        """Return the events before the first random request; None before it was reached."""
        return self._runner.declared

    def weighed(self, procedure: Procedure, arguments: Sequence[Any]) -> tuple[dict[Any, int], int]:
        """Return the weight of each result, and the total.

        Raises what the act raises, ExpandError, and LetGoError.
        """
        self._leaves = self._explore(
            self._base.first, lambda scene: procedure(scene, *arguments), procedure, Fraction(1), True
        )
        results, total = merged(self._leaves)
        if sum(results.values()) != total:
            raise ExpandError(f"The chances add up to {sum(results.values())} of {total}.")
        return results, total

    def aftermath(self) -> Aftermath:
        """Return what the act makes of the tokens; needs `keeps_worlds`."""
        total = lcm(*[leaf.total for leaf in self._leaves])
        ends: dict[World, int] = {}
        for leaf in self._leaves:
            ends[leaf.world] = ends.get(leaf.world, 0) + leaf.weight * (total // leaf.total)
        return Aftermath(self._worlds, [(weight, world) for world, weight in ends.items()], total)

    # One part

    def _explore(
        self,
        start: Start,
        procedure: Callable[[Scene], Steps],
        key: Any,
        share: Fraction | None = None,
        is_act: bool = False,
    ) -> list[Leaf]:
        """Return how a part ends that starts in a world; it runs again for each sequence of answers."""
        first = Branch((Stage(None, start),), 1, 1)
        part = _Part(key, procedure, [], [first], is_act, share)
        if share is None:
            self._explore_branches(part)
            return part.leaves
        with self.ends.counting(share, part.leaves):
            self._explore_branches(part)
        return part.leaves

    def _explore_branches(self, part: _Part) -> None:
        while part.branches:
            branch = part.branches.pop()
            try:
                stop = self._runner.run(branch, part.start)
            except Undecided as read:
                self._states.watch.wanted = None
                self._split_branch(part, branch, read.token)
            else:
                self._callees.charge(stop.asked, runs=1)
                self._continue(part, branch, stop)

    def _continue(self, part: _Part, branch: Branch, stop: StoppedRun) -> None:
        request = stop.request
        if isinstance(request, Roll | Call | CallEach):
            answers, out_of = self._weighed(request)
            # The first answer goes to the run that waits for it.
            waiting: Steps | None = stop.steps
            # The likeliest is explored first: it says most about an act that is broken off.
            for answer, share in sorted(answers, key=_weight):
                path, weight = (*branch.path, Stage(answer)), branch.weight * share
                part.branches.append(Branch(path, weight, branch.total * out_of, waiting, stop.scene))
                waiting = None
            return
        leaf = self._leaf(branch, stop)
        if isinstance(request, Each):
            self._loop(part, branch, stop, leaf)
        elif isinstance(request, Rest):
            part.leaves.extend(self._rest(part, request, leaf))
        elif isinstance(request, TailCall):
            answers, out_of = self._weighed(request)
            for answer, share in answers:
                weight = leaf.weight * share
                part.leaves.append(leaf._replace(weight=weight, total=leaf.total * out_of, result=answer))
        else:
            part.leaves.append(leaf)

    def _weighed(self, request: Any) -> Weighed:
        found = self._callees.answers(request)
        self._callees.charge(0, widest=len(found[0]))
        return found

    def _leaf(self, branch: Branch, stop: StoppedRun) -> Leaf:
        """Return the leaf of a run that has stopped, with what it changed put on its world."""
        place, start = branch.last_start
        worlds = self._worlds
        key = (id(start), id(stop.scene), worlds.kept if worlds.is_in_loop else None)
        found = self._put_ends.get(key)
        if found is None:
            found = self._put_ends[key] = self._put_end(branch, start, stop.scene)
        _, frame, changed, factor, world = found
        # What an `Each` made of the tokens before the start is no change of the run.
        mine = None if place else changed
        return Leaf(branch.weight * factor, branch.total, stop.result, frame, world, mine, factor)

    def _put_end(self, branch: Branch, start: Start, scene: Scene) -> PutEnd:
        frame, tokens = self._changed_tokens(start, scene)
        states = {one: self._states.number(token) for one, token in tokens.items()}
        changed = deltas_of(branch.path, tokens)
        return PutEnd(scene, frame, changed, *self._worlds.put(start.world, states))

    def _changed_tokens(self, start: Start, scene: Scene) -> tuple[int, dict[str, WatchedToken]]:
        """Return the frame of a scene, and its tokens that differ from those of the start."""
        was, watched = start.scene, self._states.watched
        if scene is was:
            return start.frame, {}
        pairs = [(old, now) for old, now in zip(was.tokens, scene.tokens, strict=False) if old is not now]
        changed = {now.id: watched(now) for _, now in pairs}
        is_same = len(was.tokens) == len(scene.tokens) and all(old.id == now.id for old, now in pairs)
        if is_same and all(map(is_, _FRAME(was), _FRAME(scene))):
            return start.frame, changed
        before = {token.id: token for token in was.tokens}
        changed = {one.id: watched(one) for one in scene.tokens if before.get(one.id) is not one}
        for one, token in changed.items():
            self._worlds.base.setdefault(one, token)
        return self._states.frame(scene), changed

    def _rest(self, part: _Part, request: Rest, leaf: Leaf) -> list[Leaf]:
        its_share = None if part.share is None else part.share * Fraction(leaf.weight, leaf.total)
        if part.is_act and not self._keeps_worlds and leaf.world.mass == 1:
            results, out_of = self._results(request, leaf, its_share)
            return [
                leaf._replace(weight=leaf.weight * weight, total=leaf.total * out_of, result=result)
                for result, weight in results.items()
            ]
        return [
            Leaf(
                leaf.weight * end.weight,
                leaf.total * end.total,
                end.result,
                end.frame,
                end.world,
                joined(leaf.changed, end.changed),
                leaf.factor * end.factor,
            )
            for end in self._part(leaf.world, leaf.frame, request, its_share)
        ]

    def _results(self, request: Rest, leaf: Leaf, share: Fraction | None) -> tuple[dict[Any, int], int]:
        """Return the results of the rest of an act with their weights, without the worlds that it leaves."""
        known = self._memory.known(request.procedure, request.arguments, leaf.frame, "results")
        found: tuple[dict[Any, int], int] | None = self._parts.look_up(known, leaf.world)
        if found is not None:
            return found

        def work() -> tuple[dict[Any, int], int]:
            return merged(self._part(leaf.world, leaf.frame, request, share))

        kept: tuple[dict[Any, int], int] = self._parts.keep(known, leaf.world, work, lambda found: found)
        return kept

    # Open tokens

    def _split_branch(self, part: _Part, branch: Branch, token: WatchedToken) -> None:
        """Replace a branch by one for each state of a token that it has read."""
        place, start = branch.last_start
        one = token.id
        if self._worlds.view(start.world, one) is not token:
            raise ExpandError(f"A procedure has read {one} of a scene that is no longer the newest.")
        self._hints.setdefault((part.key, loops_in(branch.path[:place])), {})[one] = None
        if place == 0:
            raise _SplitError(one)
        combined = branch.path[place].answer[1]
        for factor, world in self._worlds.split(start.world, one):
            stage = self._loop_stage(world, start.frame, combined)
            later = [Stage(known.answer) for known in branch.path[place + 1 :]]
            path = (*branch.path[:place], stage, *later)
            part.branches.append(Branch(path, branch.weight * factor, branch.total))

    def _loop_stage(self, world: World, frame: int, combined: Any) -> Stage:
        start = self._base.start(world, frame)
        return Stage((start.scene, combined), start)

    # Loops

    def _loop(self, part: _Part, branch: Branch, stop: StoppedRun, leaf: Leaf) -> None:
        """Add the branches after an `Each`, split on the open tokens that earlier runs have read there."""
        layer, out_of = self._each(stop.request, leaf)
        hints = self._hints.get((part.key, loops_in(branch.path)), ())
        steps: Steps | None = stop.steps
        for (combined, frame), (times, after) in layer.items():
            measures: list[Measure] = [(leaf.weight * times, after)]
            for one in hints:
                measures = [
                    (weight * factor, less)
                    for weight, world in measures
                    for factor, less in (
                        self._worlds.split(world, one) if one in world.touched else [(1, world)]
                    )
                ]
            for weight, world in measures:
                stage = self._loop_stage(world, frame, combined)
                path = (*branch.path, stage)
                part.branches.append(Branch(path, weight, leaf.total * out_of, steps, stop.scene))
                steps = None

    def _each(self, request: Each, leaf: Leaf) -> tuple[dict[Combined, Measure], int]:
        """Return the measure of each combined result and frame after the last item, and their total."""
        layer: dict[Combined, Measure] = {(request.start, leaf.frame): (1, leaf.world)}
        total = 1
        self._runner.loops += 1
        self._worlds.is_in_loop = True
        for item in request.counted:
            checkpoint()
            part = Rest(request.procedure, (item, *request.arguments))
            key = _key(part)
            found = [
                (combined, times, world, *self._item(world, frame, part, key))
                for (combined, frame), (times, world) in layer.items()
            ]
            out_of = lcm(*[end[3] for end in found])
            ends: dict[Combined, Mixed] = {}
            for combined, times, world, item_total, item_ends in found:
                times *= out_of // item_total
                for weight, result, frame, older, new in item_ends:
                    both = combined if request.add is None else request.add(combined, result)
                    try:
                        parts = ends.setdefault((both, frame), {})
                    except TypeError:
                        name = request.procedure.__name__
                        raise ProcedureError(f"{name} returns {both!r} to Each.") from None
                    end = (older or world, new)
                    parts[end] = parts.get(end, 0) + times * weight
            layer = {key: self._worlds.mixture(parts) for key, parts in ends.items()}
            total *= out_of
        self._runner.loops -= 1
        self._worlds.is_in_loop = self._runner.loops > 0
        return layer, total

    def _item(self, world: World, frame: int, part: Rest, key: Any) -> WeighedEnds:
        """Return how an item ends that starts in a world."""
        if key is part and self._expected_split(key, world) is None:
            found = self._parts.item_ends(part, frame, world, self._memory)
            if found is not None:
                return found
        leaves = self._part(world, frame, part)
        total = lcm(*[leaf.total for leaf in leaves])
        return total, [
            (leaf.weight * (total // leaf.total), leaf.result, leaf.frame, leaf.world, ()) for leaf in leaves
        ]

    def _part(self, world: World, frame: int, part: Rest, share: Fraction | None = None) -> list[Leaf]:
        """Return how a part ends that starts in a world; looked up if it read the same before."""
        leaves: list[Leaf] = []
        if share is None:
            self._add_part(leaves, world, frame, part, share)
            return leaves
        with self.ends.counting(share, leaves):
            self._add_part(leaves, world, frame, part, share)
        return leaves

    def _add_part(
        self, leaves: list[Leaf], world: World, frame: int, part: Rest, share: Fraction | None
    ) -> None:
        procedure, arguments = part
        known = self._memory.known(procedure, arguments, frame)
        key = _key(part)
        waiting: list[Measure] = [(1, world)]
        while waiting:
            weight, one = waiting.pop()
            split = self._expected_split(key, one)
            if split is None:
                try:
                    found = self._parts.leaves(known, one) or self._explore_part(
                        known, self._base.start(one, frame), part, key, share and share * weight
                    )
                except _SplitError as read:
                    split = read.token
                else:
                    leaves += found if weight == 1 else [leaf.times(weight) for leaf in found]
            if split is not None:
                waiting += [(weight * factor, less) for factor, less in self._worlds.split(one, split)]

    def _expected_split(self, key: Any, world: World) -> str | None:
        if not self._hints:
            return None
        for one in self._hints.get((key, 0), ()):
            if one in world.touched:
                view = self._worlds.view(world, one)
                if view is not None and view.is_open:
                    return one
        return None

    def _explore_part(
        self, known: Known, start: Start, part: Rest, key: Any, share: Fraction | None
    ) -> list[Leaf]:
        ids = {token.id for token in start.scene.tokens}
        return self._parts.keep(
            known,
            start.world,
            lambda: self._explore(start, lambda scene: part.procedure(scene, *part.arguments), key, share),
            lambda leaves: kept_leaves(leaves, ids),
        )


def _key(part: Rest) -> Any:
    """Return what the open tokens that a part reads are noted under."""
    try:
        hash(part)
    except TypeError:
        return part.procedure
    return part
