"""Kept parts: what an item or the rest of an act led to holds wherever its reads have the same values.

A kept part costs a walk what it cost the first, once (`callees`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from enfilade.rules.exact.callees import Callees, Computation
from enfilade.rules.exact.runs import Changed
from enfilade.rules.exact.states import States
from enfilade.rules.exact.watch import ALL, RAW, UNDECIDED, Read, WatchedToken
from enfilade.rules.exact.worlds import World, Worlds
from enfilade.rules.procedures import Procedure

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


class Delta:
    """New values of fields of one token."""

    __slots__ = ("applied", "fields", "token")

    def __init__(self, token: WatchedToken, fields: Iterable[str]) -> None:
        self.token = token.id
        self.fields = {name: RAW[name](token) for name in fields}
        self.applied: dict[int, int] = {}

    def apply(self, states: States, token: WatchedToken) -> int:
        """Return the number of the state of a token with the new values."""
        state = states.number(token)
        found = self.applied.get(state)
        if found is None:
            found = self.applied[state] = states.number(replace(token, **self.fields))
        return found


KeptLeaf = tuple[int, int, Any, int, list[Delta]]
"""The weight of a kept part's end, its total, its result, its frame, and what it changed."""

Known = dict[tuple[Read, ...], dict[Any, Computation]]
"""The kept parts of one procedure with its arguments: by what they read, and by the values of that."""


class Memory:
    """The states and the kept parts that one walk after the other uses."""

    def __init__(self) -> None:
        self.states = States()
        self._known: dict[Any, Known] = {}

    def __len__(self) -> int:
        return len(self.states) + len(self._known)

    def known(self, procedure: Procedure, arguments: tuple[Any, ...], frame: int, kind: str = "") -> Known:
        """Return what is kept of a part in a frame; nothing is kept of arguments that have no hash."""
        try:
            return self._known.setdefault((procedure, arguments, frame, kind), {})
        except TypeError:
            return {}


class KeptParts:
    """The parts that one walk looks up and keeps."""

    def __init__(self, states: States, worlds: Worlds, callees: Callees) -> None:
        self._states, self._worlds, self._callees, self._watch = states, worlds, callees, states.watch

    def look_up(self, known: Known, world: World) -> Any:
        """Return what a part leads to in a world; None if it is not known. It counts as read, and is paid."""
        for reads, by_values in known.items():
            kept = by_values.get(self._values(reads, world))
            if kept is not None:
                self._watch.reads.update(reads)
                self._callees.use(kept)
                return kept.found
        return None

    def leaves(self, known: Known, world: World) -> list[Leaf] | None:
        """Return how a part ends in a world, if that is known; as `look_up`."""
        found: list[KeptLeaf] | None = self.look_up(known, world)
        if found is None or any(self._is_open(delta, world) for leaf in found for delta in leaf[4]):
            return None  # what it writes is to be decided first
        return [self._of_kept(leaf, world) for leaf in found]

    def _is_open(self, delta: Delta, world: World) -> bool:
        token = self._worlds.view(world, delta.token)
        return token is None or token.is_open

    def _of_kept(self, kept: KeptLeaf, world: World) -> Leaf:
        """Return a leaf of a kept part, with its changes put on a world."""
        weight, total, result, frame, deltas = kept
        changed: Changed = {}
        states: dict[str, int] = {}
        for delta in deltas:
            self._watch.reads.add((delta.token, ""))
            token = self._worlds.view(world, delta.token)
            assert token is not None
            number = states[delta.token] = delta.apply(self._states, token)
            changed[delta.token] = (self._states.tokens[number], frozenset(delta.fields))
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


def kept_leaves(leaves: list[Leaf], ids: set[str]) -> list[KeptLeaf] | None:
    """Return what may be kept of a part; None if it changed other tokens than it began with."""
    found: list[KeptLeaf] = []
    for weight, total, result, frame, _, changed, factor in leaves:
        if changed is None or not changed.keys() <= ids:
            return None
        deltas = [Delta(token, fields) for token, fields in changed.values()]
        # Without the factor, which is of the world that the changes were put on.
        found.append((weight // factor, total, result, frame, deltas))
    return found


def joined(first: Changed | None, then: Changed | None) -> Changed | None:
    """Return the changes of a part and of the rest of it."""
    if first is None or then is None:
        return None
    found = dict(first)
    for one, (token, fields) in then.items():
        found[one] = (token, fields | first[one][1] if one in first else fields)
    return found
