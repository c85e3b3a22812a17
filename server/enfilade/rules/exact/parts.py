"""Kept parts: what an item or the rest of an act led to holds wherever its reads have the same values.

A kept part costs a walk what it cost the first, once (`callees`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import lcm
from typing import Any, NamedTuple, TypeVar

from enfilade.rules.exact.bases import Base
from enfilade.rules.exact.callees import Callees, Computation
from enfilade.rules.exact.states import Changed, Delta, States
from enfilade.rules.exact.watch import ALL, RAW, UNDECIDED, Read, WatchedToken
from enfilade.rules.exact.worlds import NewStates, World, Worlds
from enfilade.rules.procedures import Procedure, Rest
from enfilade.scene.model import Scene

T = TypeVar("T")


class Leaf(NamedTuple):
    """A way in which a part may end: `weight` of `total` times the mass of its world.

    `changed` are the changes of the part alone, whose world had `factor` when they were put on it; None if
    they cannot be told from those of an `Each` in it.
    """

    weight: int
    total: int
    result: Any
    frame: int
    world: World
    changed: Changed | None = None
    factor: int = 1

    def times(self, weight: int) -> Leaf:
        """Return the leaf of a part that runs with a weight."""
        return Leaf(weight * self.weight, *self[1:])


KeptLeaf = tuple[int, int, Any, int, list[Delta]]
"""The weight of a kept part's end, its total, its result, its frame, and what it changed."""

ItemEnd = tuple[int, Any, int, World | None, NewStates]
"""The weight of an end of an item, its result and frame, new states on a world; None is its own."""

WeighedEnds = tuple[int, list[ItemEnd]]
"""The ends of an item, and what their weights are a share of."""


class ItemEnds:
    """The ends of an item in a world, the kept part and the reads that they are paid by, and its tokens."""

    __slots__ = ("_ends", "_put", "computation", "reads", "tokens")

    def __init__(self, computation: Computation, reads: tuple[Read, ...], ends: WeighedEnds) -> None:
        self.computation, self.reads, self._ends = computation, reads, ends
        self.tokens = frozenset([one for one, _ in reads])
        self._put: dict[frozenset[str] | None, WeighedEnds] = {}

    def put(self, worlds: Worlds) -> WeighedEnds:
        """Return the ends as a loop puts them, without the states of tokens that are let go."""
        kept = worlds.kept and worlds.kept & self.tokens
        found = self._put.get(kept)
        if found is None:
            total, ends = self._ends
            found = self._put[kept] = total, [(*end[:4], worlds.let_go(end[4])) for end in ends]
        return found


class KeptLeaves:
    """The ends of a kept part, and what they make of the states that tokens had before it."""

    __slots__ = ("leaves", "put", "reads", "tokens")

    def __init__(self, leaves: list[KeptLeaf]) -> None:
        self.leaves = leaves
        self.tokens = sorted({delta.token for leaf in leaves for delta in leaf[4]})
        self.reads: list[Read] = [(one, "") for one in self.tokens]
        self.put: dict[tuple[int, ...], list[NewStates]] = {}

    def new_states(self, states: States, before: list[WatchedToken]) -> list[NewStates]:
        """Return the new states after each end, from the changed tokens before it."""
        numbers = tuple(map(states.number, before))
        found = self.put.get(numbers)
        if found is None:
            views = dict(zip(self.tokens, before, strict=True))
            found = self.put[numbers] = [
                tuple(sorted([(one.token, one.apply(states, views[one.token])) for one in deltas]))
                for _, _, _, _, deltas in self.leaves
            ]
        return found


Known = dict[tuple[Read, ...], dict[Any, Computation]]
"""The kept parts of one procedure with its arguments: by what they read, and by the values of that."""


class Memory:
    """The states and the kept parts that one walk after the other uses."""

    def __init__(self) -> None:
        self.states = States()
        self._known: dict[Any, Known] = {}
        self._base: Base | None = None

    def __len__(self) -> int:
        return len(self.states) + len(self._known) + (len(self._base) if self._base else 0)

    def base(self, scene: Scene, kept: Collection[str] | None) -> Base:
        """Return what an act begins in that keeps some tokens; the acts on one scene share it."""
        watched, base = self.states.first_scene(scene), self._base
        if base is None or base.first.scene is not watched or not base.is_shared:
            base = self._base = Base(self.states, watched)
        base.worlds.kept = None if kept is None else frozenset(kept)
        base.worlds.is_in_loop = False
        return base

    def known(self, procedure: Procedure, arguments: tuple[Any, ...], frame: int, kind: str = "") -> Known:
        """Return what is kept of a part in a frame; nothing is kept of arguments that have no hash."""
        try:
            return self._known.setdefault((procedure, arguments, frame, kind), {})
        except TypeError:
            return {}

    def results(self, rest: Rest, scene: Scene) -> Computation | None:
        """Return the results kept of the rest of an act that begins in a plain scene; None if none are."""
        known = self.known(*rest, self.states.frame(scene), "results")
        for reads, by_values in known.items():
            kept = by_values.get(self._plain_values(reads, scene))
            if kept is not None:
                return kept
        return None

    def _plain_values(self, reads: Iterable[Read], scene: Scene) -> tuple[Any, ...] | None:
        found, tokens = [], {token.id: token for token in scene.tokens}
        for name, of in reads:
            token = tokens.get(name)
            if token is None:
                return None
            found.append(self.states.field(token, of))
        return tuple(found)


class KeptParts:
    """The parts that one walk looks up and keeps."""

    def __init__(self, states: States, worlds: Worlds, callees: Callees) -> None:
        self._states, self._worlds, self._callees, self._watch = states, worlds, callees, states.watch

    def look_up(self, known: Known, world: World) -> Any:
        """Return what a part leads to in a world; None if it is not known. It counts as read, and is paid."""
        found = self._find(known, world)
        return None if found is None else self._pay(*found).found

    def _find(self, known: Known, world: World) -> tuple[Computation, tuple[Read, ...]] | None:
        for reads, by_values in known.items():
            kept = by_values.get(self._values(reads, world))
            if kept is not None:
                return kept, reads
        return None

    def _pay(self, kept: Computation, reads: Iterable[Read]) -> Computation:
        self._watch.reads.update(reads)
        self._callees.use(kept)
        return kept

    def leaves(self, known: Known, world: World) -> list[Leaf] | None:
        """Return how a part ends in a world, if that is known; as `look_up`."""
        found = self._find(known, world)
        if found is None:
            return None
        kept: KeptLeaves = self._pay(*found).found
        news = self._new_states(kept, world)
        if news is None:
            return None
        self._watch.reads.update(kept.reads)
        return [self._of_kept(leaf, new, world) for leaf, new in zip(kept.leaves, news, strict=True)]

    def item_ends(self, part: Rest, frame: int, world: World, memory: Memory) -> WeighedEnds | None:
        """Return how an item ends in a world, if that is known: as `leaves`, but not yet put on the world.

        Most items are about a token that no other item has touched: they end as in the first world.
        """
        key, first = (part, frame), self._worlds.root
        known: ItemEnds | None = first.ends.get(key)
        if known is None or not world.touched.isdisjoint(known.tokens):
            known = world.ends.get(key) or self._item_ends(part, frame, world, memory)
            if known is None:
                return None
            (first if world.touched.isdisjoint(known.tokens) else world).ends[key] = known
        self._pay(known.computation, known.reads)
        return known.put(self._worlds)

    def _item_ends(self, part: Rest, frame: int, world: World, memory: Memory) -> ItemEnds | None:
        found = self._find(memory.known(part.procedure, part.arguments, frame), world)
        if found is None:
            return None
        kept: KeptLeaves = found[0].found
        news = self._new_states(kept, world)
        if news is None:
            return None
        total, ends = lcm(*[leaf[1] for leaf in kept.leaves]), list[ItemEnd]()
        for (weight, of, result, frame_after, _), new in zip(kept.leaves, news, strict=True):
            factor, older = self._worlds.forgetting(world, new)
            over = None if older is world else older
            ends.append((weight * factor * (total // of), result, frame_after, over, new))
        return ItemEnds(found[0], (*found[1], *kept.reads), (total, ends))

    def _new_states(self, kept: KeptLeaves, world: World) -> list[NewStates] | None:
        """Return the new states after each end of a part in a world; None if they are to be decided first."""
        before = []
        for one in kept.tokens:
            token = self._worlds.view(world, one)
            if token is None or token.is_open:
                return None
            before.append(token)
        return kept.new_states(self._states, before)

    def _of_kept(self, kept: KeptLeaf, new: NewStates, world: World) -> Leaf:
        """Return a leaf of a kept part, with its changes put on a world."""
        weight, total, result, frame, deltas = kept
        states = dict(new)
        tokens = self._states.tokens
        changed = {one.token: Delta(tokens[states[one.token]], one.written) for one in deltas}
        factor, after = self._worlds.put(world, states)
        return Leaf(weight * factor, total, result, frame, after, changed, factor)

    def _values(self, reads: Iterable[Read], world: World) -> tuple[Any, ...] | None:
        view, field = self._worlds.view, self._states.field
        found = []
        last, token = "", None
        for name, of in reads:
            if name != last:
                last, token = name, view(world, name)
            if token is None:
                return None
            found.append(field(token, of))
        return tuple(found)

    def keep(self, known: Known, world: World, work: Callable[[], T], kept: Callable[[T], Any]) -> T:
        """Return the result of a part, and store what `kept` returns for it unless that is None."""
        watch = self._watch
        outer, watch.reads = watch.reads, set()
        memos, watch.memos = watch.memos, {}  # what is kept there was read outside, and would not be noted
        try:
            with self._callees.computing() as mine:
                result = work()
        finally:
            noted, watch.reads, watch.memos = watch.reads, outer, memos
            outer |= noted
        reads = self._decided_reads(noted, world)
        if reads is not None:
            mine.found = kept(result)
        is_kept = reads is not None and mine.found is not None
        self._callees.add(mine, is_kept)
        if reads is not None and is_kept:
            known.setdefault(reads, {})[self._values(reads, world)] = mine
        return result

    def _decided_reads(self, reads: set[Read], world: World) -> tuple[Read, ...] | None:
        """Return reads in order; None if they are not all that counted, or one was open."""
        if ALL in reads:
            return None
        for name, field in reads:
            token = self._worlds.view(world, name)
            if token is None or (RAW[field](token) is UNDECIDED if field else token.is_open):
                return None
        return tuple(sorted([read for read in reads if read[1]]))


def merged(leaves: Iterable[Leaf]) -> tuple[dict[Any, int], int]:
    """Return the results of leaves with integer weights, and the total."""
    leaves = list(leaves)
    total = lcm(*[leaf.total for leaf in leaves])
    results: dict[Any, int] = {}
    for leaf in leaves:
        weight = leaf.weight * leaf.world.mass * (total // leaf.total)
        results[leaf.result] = results.get(leaf.result, 0) + weight
    return results, total


def kept_leaves(leaves: list[Leaf], ids: set[str]) -> KeptLeaves | None:
    """Return what may be kept of a part; None if it changed other tokens than it began with."""
    found: list[KeptLeaf] = []
    for weight, total, result, frame, _, changed, factor in leaves:
        if changed is None or not changed.keys() <= ids:
            return None
        # Without the factor, which is of the world that the changes were put on.
        found.append((weight // factor, total, result, frame, list(changed.values())))
    return KeptLeaves(found)
