"""Undecided tokens: what the items of an `Each` did, held open until somebody reads it.

A world is a weighed mixture of what some items left: each part is an older world with new states of a few
tokens. States that depend on one another stand in the same part, or in parts of one mixture, so nothing is
taken as independent that is not. Worlds are measures, not distributions: `mass` is an integer weight over a
common total that the walk keeps, and a restriction to one state of a token is a smaller measure. Equal worlds
are one object, and what is overwritten is forgotten, so that a loop costs its situations, not its histories.

A walk shows a procedure a scene of watched tokens. They note what is read. A field that all states of a token
share can be read; a field that they do not share raises `Undecided`, and the walk splits the world.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any

from msgspec.structs import replace

from enfilade.rules.cache import noting
from enfilade.scene.model import Scene, Token

UNDECIDED = object()
"""The value of a field that is open. No encoder knows it, so what reads past the watch fails loudly."""

FIELDS = tuple(name for name in Token.__struct_fields__ if name != "id")
RAW = {name: getattr(Token, name).__get__ for name in FIELDS}
ALL = ("*", "*")

_AT, _FACING, _TRACKS, _CONDITIONS = RAW["at"], RAW["facing"], RAW["tracks"], RAW["conditions"]
_STILL = [RAW[name] for name in FIELDS if name not in ("at", "facing", "tracks", "conditions", "profile")]
_PROFILE = RAW["profile"]


class Undecided(BaseException):  # noqa: N818: no error, and no author's `except Exception` may catch it
    """A procedure has read an open field of a token."""

    def __init__(self, token: Token) -> None:
        self.token = token


class Watch:
    """What a walk's procedures have read since it was cleared: (token, field)."""

    __slots__ = ("cache", "reads", "wanted")

    def __init__(self) -> None:
        self.cache: dict[Any, tuple[Any, Any]] = {}
        self.reads: set[tuple[str, str]] = set()
        self.wanted: Token | None = None

    def note_all(self) -> None:
        self.reads.add(ALL)

    def want(self, token: Token) -> None:
        self.wanted = token
        raise Undecided(token)


class WatchedToken(Token, frozen=True, kw_only=True, eq=False):
    """A token that notes which of its fields are read, and may have open fields."""

    watch: Any = None
    is_open: bool = False

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Token) and all(
            getattr(self, name) == getattr(other, name) for name in Token.__struct_fields__
        )

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'dict'")

    def __reduce__(self) -> Any:
        return Token, tuple(getattr(self, name) for name in Token.__struct_fields__)

    def __repr__(self) -> str:
        return repr(Token(**{name: getattr(self, name) for name in Token.__struct_fields__}))


def _noted(name: str) -> property:
    raw = RAW[name]

    def field(self: Any) -> Any:
        watch = self.watch
        watch.reads.add((self.id, name))
        value = raw(self)
        if value is UNDECIDED:
            watch.want(self)
        return value

    return property(field)


for _name in FIELDS:
    type.__setattr__(WatchedToken, _name, _noted(_name))


class WatchedScene(Scene, frozen=True, kw_only=True):
    """A scene of watched tokens. Its other fields are always decided, and always count as read."""

    watch: Any = None


def _cached(function: Callable[..., Any], value: Any, arguments: tuple[Any, ...]) -> Any:
    """Cache a result of a watched value in its watch. It may hold what was read lazily, so it reads all."""
    watch = value.watch
    watch.note_all()
    key = (function, id(value), *arguments)
    found = watch.cache.get(key)
    if found is None:
        found = watch.cache[key] = (value, function(value, *arguments))
    return found[1]


noting[WatchedScene] = noting[WatchedToken] = _cached


class Delta:
    """New values of fields of one token."""

    __slots__ = ("applied", "fields", "token")

    def __init__(self, token: str, fields: dict[str, Any]) -> None:
        self.token, self.fields = token, fields
        self.applied: dict[int, int] = {}


class Memory:
    """Numbers for equal states and frames, and what parts led to; one for each walk at a time."""

    def __init__(self) -> None:
        self.watch = Watch()
        self._watched: dict[int, tuple[Token, WatchedToken]] = {}
        self._by_id: dict[int, int] = {}
        self._by_value: dict[Any, int] = {}
        self._still: dict[Any, int] = {}
        self.states: list[Any] = []
        self._frames: dict[Any, int] = {}
        self.frames: list[Any] = []
        self._kept: dict[int, tuple[Any, int]] = {}
        self._gone: dict[int, int] = {}
        self.parts: dict[Any, dict[Any, dict[Any, Any]]] = {}
        self.rests: dict[Any, dict[Any, dict[Any, Any]]] = {}
        self.hints: dict[Any, dict[str, None]] = {}
        self._last: tuple[Scene, WatchedScene] | None = None

    def size(self) -> int:
        return len(self.states) + len(self._watched)

    def watched(self, token: Token) -> WatchedToken:
        if type(token) is WatchedToken:
            return token
        found = self._watched.get(id(token))
        if found is None:
            fields = {name: getattr(token, name) for name in Token.__struct_fields__}
            found = self._watched[id(token)] = (token, WatchedToken(**fields, watch=self.watch))
        return found[1]

    def first_scene(self, scene: Scene) -> WatchedScene:
        """Return the watched scene of an act; the acts of one answer share it."""
        if self._last is None or self._last[0] is not scene:
            self._last = (scene, self.scene(scene))
        return self._last[1]

    def scene(self, scene: Scene) -> WatchedScene:
        fields = {name: getattr(scene, name) for name in Scene.__struct_fields__}
        fields["tokens"] = tuple(map(self.watched, scene.tokens))
        return WatchedScene(**fields, watch=self.watch)

    def keep(self, value: Any) -> int:
        """Return a number for a value by its identity."""
        found = self._kept.get(id(value))
        if found is None:
            found = self._kept[id(value)] = (value, len(self._kept))
        return found[1]

    def number(self, token: WatchedToken) -> int:
        """Return the number of a token's state: equal states have equal numbers."""
        found = self._by_id.get(id(token))
        if found is None:
            still = (token.id, self.keep(_PROFILE(token)), *[raw(token) for raw in _STILL])
            key = (
                self._still.setdefault(still, len(self._still)),
                _AT(token),
                _FACING(token),
                tuple(_TRACKS(token).items()),
                tuple(_CONDITIONS(token).items()),
            )
            number = self._by_value.get(key)
            if number is None:
                number = self._by_value[key] = len(self.states)
                self.states.append(token)
            self.keep(token)
            found = self._by_id[id(token)] = number
        return found

    def frame(self, scene: Any) -> int:
        """Return the number of all of a scene but the states of its tokens."""
        keep = self.keep
        key = (
            tuple([token.id for token in scene.tokens]),
            keep(scene.walls),
            keep(scene.terrain),
            keep(scene.grid),
            keep(scene.house_rules),
            keep(scene.units),
            scene.ruleset,
            scene.enforcement,
            scene.name,
            scene.background,
            tuple(
                [(s.id, s.name, s.team, *s.tracks.items(), None, *s.conditions.items()) for s in scene.sides]
            ),
            tuple(scene.tracks.items()),
            tuple(scene.conditions.items()),
        )
        number = self._frames.get(key)
        if number is None:
            number = self._frames[key] = len(self.frames)
            self.frames.append((scene, key[0]))
        return number

    def field_key(self, token: Any, name: str) -> Any:
        value = RAW[name](token)
        if type(value) is dict:
            return self.keep(value) if name == "profile" else tuple(value.items())
        return value

    def open_token(self, states: list[int]) -> WatchedToken:
        """Return a token with the fields that all states share; the others are open."""
        tokens = [self.states[state] for state in states]
        first, changes = tokens[0], {}
        for name in FIELDS:
            raw = RAW[name]
            value = raw(first)
            for other in tokens[1:]:
                its = raw(other)
                if its is not value and (
                    its != value or (type(value) is dict and list(its.items()) != list(value.items()))
                ):
                    changes[name] = UNDECIDED
                    break
        return replace(first, **changes, is_open=True)

    def gone(self, token: WatchedToken) -> int:
        """Return the number of the state of a token that changed and that nobody has read since."""
        found = self._gone.get(id(token))
        if found is None:
            changes = dict.fromkeys(
                ("at", "facing", "tracks", "conditions", "elevation", "hidden"), UNDECIDED
            )
            dropped = replace(token, **changes, is_open=True)
            found = self._gone[id(token)] = len(self.states)
            self.states.append(dropped)
            self._by_id[id(dropped)] = found
            self.keep(token)
        return found

    def delta(self, now: Any, fields: set[str]) -> Delta:
        """Return what a run wrote of a token, also where it wrote what was there."""
        return Delta(now.id, {name: RAW[name](now) for name in fields})

    def apply(self, delta: Delta, token: Any) -> int:
        state = self.number(token)
        found = delta.applied.get(state)
        if found is None:
            found = delta.applied[state] = self.number(replace(token, **delta.fields))
        return found


Overlay = tuple[tuple[str, int], ...]
"""New states of tokens: (ID, number of the state), in the order of IDs."""


class World:
    """A measure over states of tokens: parts of (older world, new states) with integer weights."""

    __slots__ = ("base", "less", "mass", "number", "of", "parts", "touched", "views", "without")

    def __init__(self, parts: tuple[tuple[World, Overlay, int], ...], number: int, base: Any) -> None:
        self.parts, self.number, self.base = parts, number, base
        self.mass = sum(weight * parent.mass for parent, _, weight in parts) if parts else 1
        touched: set[str] = set()
        for parent, overlay, _ in parts:
            touched |= parent.touched
            touched.update([one for one, _ in overlay])
        self.touched = frozenset(touched)
        self.views: dict[str, Any] = {}
        self.of: dict[str, dict[int, int]] = {}
        self.less: dict[tuple[str, int], Any] = {}
        self.without: dict[str, Any] = {}


class Worlds:
    """All worlds over one decided scene; equal ones are one object."""

    def __init__(self, memory: Memory, tokens: Any) -> None:
        self.memory = memory
        self.base = {token.id: token for token in tokens}
        self.root = World((), 0, None)
        self.known: dict[Any, World] = {}

    def make(self, parts: dict[tuple[World, Overlay], int]) -> tuple[int, World]:
        """Return the mixture of some parts as (factor, world)."""
        flat: dict[tuple[World, Overlay], int] = {}
        for (parent, overlay), weight in parts.items():
            while len(parent.parts) == 1:
                ((older, below, times),) = parent.parts
                weight *= times
                overlay = _over(below, overlay)
                parent = older
            flat[parent, overlay] = flat.get((parent, overlay), 0) + weight
        factor = gcd(*flat.values())
        if len(flat) == 1:
            ((parent, overlay),) = flat
            if not overlay:
                return factor, parent
        key = tuple(sorted([(p.number, overlay, w // factor) for (p, overlay), w in flat.items()]))
        world = self.known.get(key)
        if world is None:
            listed = tuple([(p, overlay, w // factor) for (p, overlay), w in flat.items()])
            world = self.known[key] = World(listed, len(self.known) + 1, self.base)
        return factor, world

    def states(self, world: World, one: str) -> dict[int, int]:
        """Return the mass of each state of a token."""
        found = world.of.get(one)
        if found is None:
            if one not in world.touched:
                found = {self.memory.number(self.base[one]): world.mass}
            else:
                found = {}
                for parent, overlay, weight in world.parts:
                    own = dict(overlay).get(one)
                    if own is None:
                        for state, mass in self.states(parent, one).items():
                            found[state] = found.get(state, 0) + weight * mass
                    else:
                        found[own] = found.get(own, 0) + weight * parent.mass
            world.of[one] = found
        return found

    def only_state(self, world: World, one: str) -> int | None:
        """Return the state of a token if it is decided."""
        states = self.states(world, one) if one in self.base else {}
        return next(iter(states)) if len(states) == 1 else None

    def view(self, world: World, one: str) -> Any:
        """Return a token as a procedure sees it, with open fields if its states differ."""
        if one not in world.touched:
            return self.base.get(one)
        found = world.views.get(one)
        if found is None:
            parent = world.parts[0][0]
            if all(p is parent for p, _, _ in world.parts) and not any(
                one == name for _, overlay, _ in world.parts for name, _ in overlay
            ):
                found = self.view(parent, one)
            else:
                states = list(self.states(world, one))
                memory = self.memory
                found = memory.states[states[0]] if len(states) == 1 else memory.open_token(states)
            world.views[one] = found
        return found

    def split(self, world: World, one: str) -> list[tuple[int, World]]:
        """Return the restrictions of a world to each state of a token."""
        return [self.restrict(world, one, state) for state in self.states(world, one)]  # type: ignore[misc]

    def restrict(self, world: World, one: str, state: int) -> tuple[int, World] | None:
        if one not in world.touched:
            return (1, world) if self.memory.number(self.base[one]) == state else None
        key = (one, state)
        if key not in world.less:
            parts: dict[tuple[World, Overlay], int] = {}
            for parent, overlay, weight in world.parts:
                own = dict(overlay).get(one)
                if own is None:
                    found = self.restrict(parent, one, state)
                    if found is not None:
                        part = (found[1], overlay)
                        parts[part] = parts.get(part, 0) + weight * found[0]
                elif own == state:
                    parts[parent, overlay] = parts.get((parent, overlay), 0) + weight
            world.less[key] = self.make(parts) if parts else None
        found_: tuple[int, World] | None = world.less[key]
        return found_

    def forget(self, world: World, one: str) -> tuple[int, World]:
        """Return a world without what became of a token, which is about to be overwritten."""
        if one not in world.touched:
            return 1, world
        found = world.without.get(one)
        if found is None:
            parts: dict[tuple[World, Overlay], int] = {}
            for parent, overlay, weight in world.parts:
                kept = tuple([part for part in overlay if part[0] != one])
                factor, less = (1, parent) if len(kept) < len(overlay) else self.forget(parent, one)
                parts[less, kept] = parts.get((less, kept), 0) + weight * factor
            found = world.without[one] = self.make(parts)
        return found

    def put(self, world: World, states: dict[str, int]) -> tuple[int, World]:
        """Return a world with new states of some tokens."""
        if not states:
            return 1, world
        factor = 1
        for one in states:
            if one in world.touched:
                times, world = self.forget(world, one)
                factor *= times
        times, world = self.make({(world, tuple(sorted(states.items()))): 1})
        return factor * times, world


class Aftermath:
    """What an act makes of the tokens, up to where it settles: asked of the walk's worlds, not worked out again."""

    def __init__(self, worlds: Worlds, ends: list[tuple[int, World]], total: int) -> None:
        self._worlds, self._ends, self._total = worlds, ends, total

    @property
    def touched(self) -> list[str]:
        """The tokens that may change, by ID."""
        return sorted(set().union(*[world.touched for _, world in self._ends]))

    def states(self, one: str) -> list[tuple[Token, Fraction]]:
        """Return each state that a token may end in, with its probability."""
        found: dict[int, int] = {}
        for weight, world in self._ends:
            for state, mass in self._worlds.states(world, one).items():
                found[state] = found.get(state, 0) + weight * mass
        held = self._worlds.memory.states
        return [(held[state], Fraction(mass, self._total)) for state, mass in found.items()]

    def mean(self, one: str, value: Callable[[Token], int]) -> Fraction:
        """Return the mean of a number of a token at the end, such as its hit points."""
        return sum((p * value(token) for token, p in self.states(one)), Fraction(0))

    def chance(self, one: str, test: Callable[[Token], bool]) -> Fraction:
        """Return the probability that a token ends in a state that passes a test."""
        return sum((p for token, p in self.states(one) if test(token)), Fraction(0))

    def number(self, test: Callable[[Token], bool]) -> dict[int, Fraction]:
        """Return the distribution of how many more tokens pass a test at the end than now."""
        held, base = self._worlds.memory.states, self._worlds.base
        passes: dict[int, int] = {}
        known: dict[int, dict[int, int]] = {0: {0: 1}}

        def gain(one: str, state: int) -> int:
            if state not in passes:
                passes[state] = int(test(held[state])) - int(test(base[one]))
            return passes[state]

        def counts(world: World) -> dict[int, int]:
            found = known.get(world.number)
            if found is None:
                found = {}
                for parent, overlay, weight in world.parts:
                    more = sum([gain(one, state) for one, state in overlay])
                    for number, mass in counts(parent).items():
                        found[number + more] = found.get(number + more, 0) + weight * mass
                known[world.number] = found
            return found

        total: dict[int, int] = {}
        for weight, world in self._ends:
            for number, mass in counts(world).items():
                total[number] = total.get(number, 0) + weight * mass
        return {number: Fraction(mass, self._total) for number, mass in sorted(total.items())}


def _over(below: Overlay, overlay: Overlay) -> Overlay:
    if not overlay:
        return below
    return tuple(sorted({**dict(below), **dict(overlay)}.items()))
