"""Worlds: what the items of an `Each` made of the tokens, open until a procedure reads it.

A world is a weighed mixture of what some items left: each part is an older world with new states of a few
tokens. States that depend on one another stand in the same part, or in parts of one mixture, so nothing is
taken as independent that is not. Worlds are measures, not distributions: `mass` is an integer weight over a
total that the walk keeps, and a restriction to one state of a token is a smaller measure. Equal worlds are
one object, and what is overwritten is forgotten. So a loop costs its situations, not its histories.

If only the results of an act are asked, what an item makes of a token that nothing reads later does not
matter. Such a token is let go: it has no state. A walk that finds out too late starts over and keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Any

from enfilade.rules.exact.states import States
from enfilade.rules.exact.watch import WatchedToken

LET_GO = -1
"""The number of the state of a token that was let go."""

NewStates = tuple[tuple[str, int], ...]
"""New states of tokens: (ID, number of the state), in the order of IDs."""


class LetGoError(Exception):
    """A procedure has read a token that was let go."""

    def __init__(self, token: str) -> None:
        self.token = token


class World:
    """A measure over states of tokens: parts of (older world, new states) with integer weights."""

    __slots__ = (
        "after",
        "ends",
        "is_single",
        "mass",
        "newest",
        "number",
        "of",
        "older",
        "parts",
        "restricted",
        "touched",
        "views",
        "without",
    )

    def __init__(self, parts: tuple[tuple[World, NewStates, int], ...], number: int) -> None:
        self.parts, self.number = parts, number
        self.mass: int = sum([weight * older.mass for older, _, weight in parts]) if parts else 1
        self.is_single = len(parts) == 1
        """True if it is one older world with new states, which a mixture takes instead."""
        self.newest = frozenset([one for _, new, _ in parts for one, _ in new])
        """The tokens of which a part has a new state, by ID."""
        older = {part[0] for part in parts}
        self.older = parts[0][0] if len(older) == 1 else None
        """The world that all parts share; None if they have several."""
        self.touched: frozenset[str] = self.newest.union(*[one.touched for one in older])
        self.views: dict[str, WatchedToken] = {}
        self.of: dict[str, dict[int, int]] = {}
        self.restricted: dict[tuple[str, int], Measure | None] = {}
        self.without: dict[str, Measure] = {}
        self.after: dict[NewStates, Measure] = {}
        self.ends: dict[Any, Any] = {}
        """What is known of the items that begin in this world, or end as if they did (`parts`)."""

    def changed_last(self, one: str) -> World:
        """Return the newest world below with new states of a token, or where its states hang together.

        It has the same states of the token, with as large a share each.
        """
        world = self
        while world.older is not None and one not in world.newest and one in world.older.touched:
            world = world.older
        return world


Measure = tuple[int, World]
"""A factor and the world that it multiplies."""

Mixed = dict[tuple[World, NewStates], int]
"""The parts of a world with their weights."""


class Worlds:
    """The worlds of a scene: those of one act after the other.

    While `is_in_loop` is set, `put` lets go of all tokens but the `kept`; None keeps all.
    """

    def __init__(self, states: States, tokens: Iterable[WatchedToken]) -> None:
        self.states = states
        self.kept: frozenset[str] | None = None
        self.is_in_loop = False
        self.base = {token.id: token for token in tokens}
        self.root = World((), 0)
        self._known: dict[object, World] = {}

    def __len__(self) -> int:
        return len(self._known)

    def mixture(self, parts: Mixed) -> Measure:
        """Return the mixture of some parts."""
        if len(parts) > 1:
            return self._mixture(parts)
        (((older, new), weight),) = parts.items()
        factor, world = self._above(older, new)
        return weight * factor, world

    def _above(self, older: World, new: NewStates) -> Measure:
        """Return the world that has new states of tokens over an older one."""
        if not new:
            return 1, older
        found = older.after.get(new)
        if found is None:
            found = older.after[new] = self._mixture({(older, new): 1})
        return found

    def _mixture(self, parts: Mixed) -> Measure:
        flat = parts
        for older, _ in parts:
            if older.is_single:
                flat = _flattened(parts)
                break
        factor = gcd(*flat.values())
        if len(flat) == 1:
            ((older, new),) = flat
            if not new:
                return factor, older
        key = tuple(sorted([(older.number, new, weight // factor) for (older, new), weight in flat.items()]))
        world = self._known.get(key)
        if world is None:
            listed = tuple([(older, new, weight // factor) for (older, new), weight in flat.items()])
            world = self._known[key] = World(listed, len(self._known) + 1)
        return factor, world

    def masses(self, world: World, one: str) -> dict[int, int]:
        """Return the mass of each state of a token, by its number."""
        found = world.of.get(one)
        if found is None:
            found = world.of[one] = self._masses(world, one)
        return found

    def _masses(self, world: World, one: str) -> dict[int, int]:
        below = world.changed_last(one)
        if below is not world:
            times = world.mass // below.mass
            return {state: times * mass for state, mass in self.masses(below, one).items()}
        if one not in world.touched:
            return {self.states.number(self.base[one]): world.mass}
        found: dict[int, int] = {}
        for older, new, weight in world.parts:
            own = _state_in(new, one)
            masses = self.masses(older, one) if own is None else {own: older.mass}
            for state, mass in masses.items():
                found[state] = found.get(state, 0) + weight * mass
        return found

    def view(self, world: World, one: str) -> WatchedToken | None:
        """Return a token as a procedure sees it, with open fields if its states differ."""
        if one not in world.touched:
            return self.base.get(one)
        # The same value as in the older world, so that procedures see that nothing happened to it.
        world = world.changed_last(one)
        found = world.views.get(one)
        if found is None:
            found = world.views[one] = self._view(world, one)
        return found

    def _view(self, world: World, one: str) -> WatchedToken:
        numbers = list(self.masses(world, one))
        if LET_GO in numbers:
            return self.states.unknown_token(self.base[one])
        return self.states.tokens[numbers[0]] if len(numbers) == 1 else self.states.open_token(numbers)

    def split(self, world: World, one: str) -> list[Measure]:
        """Return the restrictions of a world to each state of a token. Raises LetGoError."""
        if LET_GO in self.masses(world, one):
            raise LetGoError(one)
        found = [self._restricted(world, one, state) for state in self.masses(world, one)]
        return [measure for measure in found if measure is not None]

    def _restricted(self, world: World, one: str, state: int) -> Measure | None:
        if one not in world.touched:
            return (1, world) if self.states.number(self.base[one]) == state else None
        if (one, state) not in world.restricted:
            parts: Mixed = {}
            for older, new, weight in world.parts:
                own = _state_in(new, one)
                less = self._restricted(older, one, state) if own is None else (1, older)
                if less is not None and own in (None, state):
                    parts[less[1], new] = parts.get((less[1], new), 0) + weight * less[0]
            world.restricted[one, state] = self.mixture(parts) if parts else None
        return world.restricted[one, state]

    def put(self, world: World, new: dict[str, int]) -> Measure:
        """Return a world with new states of some tokens, which overwrite those before."""
        if not new:
            return 1, world
        key = tuple(sorted(new.items()))
        if self.is_in_loop:
            key = self.let_go(key)
        found = world.after.get(key)
        if found is None:
            found = world.after[key] = self._put(world, key)
        return found

    def _put(self, world: World, new: NewStates) -> Measure:
        factor, older = self.forgetting(world, new)
        times, world = self._above(older, new)
        return factor * times, world

    def forgetting(self, world: World, new: NewStates) -> Measure:
        """Return a world without the states that new ones overwrite."""
        factor = 1
        for one, _ in new:
            if one in world.touched:
                times, world = self._forgetting(world, one)
                factor *= times
        return factor, world

    def let_go(self, new: NewStates) -> NewStates:
        """Return new states as a loop puts them, most without the number of their state."""
        kept = self.kept
        if kept is None:
            return new
        return tuple([(one, state if one in kept else LET_GO) for one, state in new])

    def _forgetting(self, world: World, one: str) -> Measure:
        if one not in world.touched:
            return 1, world
        found = world.without.get(one)
        if found is None:
            parts: Mixed = {}
            for older, new, weight in world.parts:
                kept = tuple([state for state in new if state[0] != one])
                factor, less = (1, older) if len(kept) < len(new) else self._forgetting(older, one)
                parts[less, kept] = parts.get((less, kept), 0) + weight * factor
            found = world.without[one] = self.mixture(parts)
        return found


def _flattened(parts: Mixed) -> Mixed:
    """Return the parts over the worlds below those that are single."""
    flat: Mixed = {}
    for (older, new), weight in parts.items():
        while older.is_single:
            ((below, known, times),) = older.parts
            weight, new, older = weight * times, _over(known, new), below
        flat[older, new] = flat.get((older, new), 0) + weight
    return flat


def _state_in(new: NewStates, one: str) -> int | None:
    for token, state in new:
        if token == one:
            return state
    return None


def _over(known: NewStates, new: NewStates) -> NewStates:
    return tuple(sorted({**dict(known), **dict(new)}.items())) if new else known
