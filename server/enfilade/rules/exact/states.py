"""States of tokens: numbers for equal ones and for equal frames, and what a part of an act made of a state.

A frame is all of a scene but the states of its tokens.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any

from msgspec.structs import replace

from enfilade.rules.exact.watch import FIELDS, RAW, UNDECIDED, ReadLog, WatchedScene, WatchedToken
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Token

_STILL = [RAW[name] for name in FIELDS if name not in ("at", "facing", "tracks", "conditions", "profile")]
_AT, _FACING, _TRACKS = RAW["at"], RAW["facing"], RAW["tracks"]
_CONDITIONS, _PROFILE = RAW["conditions"], RAW["profile"]

Frame = tuple[Scene, tuple[str, ...]]
"""A scene for its fields beside the tokens, and the IDs of the tokens in it."""


class States:
    """The states of tokens and the frames that walks have met, each by its number."""

    def __init__(self) -> None:
        self.watch = ReadLog()
        self.tokens: list[WatchedToken] = []
        self.frames: list[Frame] = []
        self._watched: dict[int, tuple[Token, WatchedToken]] = {}
        self._numbers: dict[int, int] = {}
        self._by_value: dict[Any, int] = {}
        self._still: dict[Any, int] = {}
        self._frame_numbers: dict[Any, int] = {}
        self._opened: dict[tuple[int, ...], dict[str, Any]] = {}
        self._unknown: dict[str, WatchedToken] = {}
        self._held: dict[int, tuple[Any, int]] = {}
        self._first: tuple[Scene, WatchedScene] | None = None

    def __len__(self) -> int:
        return len(self.tokens) + len(self._watched) + len(self._opened)

    def watched(self, token: Token) -> WatchedToken:
        """Return a token with a watch."""
        if isinstance(token, WatchedToken):
            return token
        found = self._watched.get(id(token))
        if found is None:
            fields = {name: getattr(token, name) for name in Token.__struct_fields__}
            found = self._watched[id(token)] = (token, WatchedToken(**fields, watch=self.watch))
        return found[1]

    def scene(self, scene: Scene) -> WatchedScene:
        """Return a scene with a watch."""
        return self.scene_of(scene, tuple(map(self.watched, scene.tokens)))

    def scene_of(self, scene: Scene, watched: tuple[Token, ...]) -> WatchedScene:
        """Return a scene with a watch and with other tokens."""
        if isinstance(scene, WatchedScene) and scene.watch is self.watch:
            return replace(scene, tokens=watched)
        fields = {name: getattr(scene, name) for name in Scene.__struct_fields__}
        fields["tokens"] = watched
        return WatchedScene(**fields, watch=self.watch)

    def first_scene(self, scene: Scene) -> WatchedScene:
        """Return the scene of an act with a watch; the acts of one answer share it."""
        if self._first is None or self._first[0] is not scene:
            self._first = (scene, self.scene(scene))
        return self._first[1]

    def number(self, token: WatchedToken) -> int:
        """Return the number of a token's state: equal states have equal numbers."""
        found = self._numbers.get(id(token))
        if found is None:
            still = (token.id, self._held_number(_PROFILE(token)), *[raw(token) for raw in _STILL])
            key = (
                self._still.setdefault(still, len(self._still)),
                _AT(token),
                _FACING(token),
                tuple(_TRACKS(token).items()),
                tuple(_CONDITIONS(token).items()),
            )
            found = self._by_value.setdefault(key, len(self.tokens))
            if found == len(self.tokens):
                self.tokens.append(token)
            self._held_number(token)
            self._numbers[id(token)] = found
        return found

    def frame(self, scene: Scene) -> int:
        """Return the number of a scene's frame."""
        large = (scene.walls, scene.terrain, scene.grid, scene.house_rules, scene.units)
        ids = tuple([token.id for token in scene.tokens])
        key = (
            ids,
            *map(self._held_number, large),
            (scene.ruleset, scene.enforcement, scene.name, scene.background),
            tuple(
                [(s.id, s.name, s.team, *s.tracks.items(), None, *s.conditions.items()) for s in scene.sides]
            ),
            tuple(scene.tracks.items()),
            tuple(scene.conditions.items()),
        )
        number = self._frame_numbers.setdefault(key, len(self.frames))
        if number == len(self.frames):
            self.frames.append((scene, ids))
        return number

    def field(self, token: Token, name: str) -> Hashable:
        """Return a value that is equal for equal values of a field, in the same order."""
        value: Any = RAW[name](token)
        if type(value) is dict:
            return self._held_number(value) if name == "profile" else tuple(value.items())
        return value  # type: ignore[no-any-return]

    def open_token(self, numbers: Sequence[int]) -> WatchedToken:
        """Return a token with the fields that some states share; the others are open."""
        key = tuple(numbers)
        opened = self._opened.get(key)
        if opened is None:
            first, *others = [self.tokens[number] for number in numbers]
            opened = self._opened[key] = {
                name: UNDECIDED
                for name in FIELDS
                if any(not _is_same(RAW[name](first), RAW[name](one)) for one in others)
            }
        # A new one each time: a walk tells the newest scene's from those of older scenes.
        return replace(self.tokens[key[0]], **opened, is_open=True)

    def unknown_token(self, token: WatchedToken) -> WatchedToken:
        """Return a token all of whose fields are open: a new one each time, as `open_token`."""
        found = self._unknown.get(token.id)
        if found is None:
            unknown = replace(token, **dict.fromkeys(FIELDS, UNDECIDED), is_open=True)
            found = self._unknown[token.id] = unknown
        return copy(found)

    def _held_number(self, value: Any) -> int:
        """Return a number for a value by its identity, and keep the value."""
        return self._held.setdefault(id(value), (value, len(self._held)))[1]


def _is_same(value: Any, other: Any) -> bool:
    if value is other:
        return True
    return bool(value == other) and (type(value) is not dict or list(value) == list(other))


class Delta:
    """A changed token, and the fields that were written, also where the value stayed."""

    def __init__(self, state: WatchedToken, written: frozenset[str]) -> None:
        self.token, self.state, self.written = state.id, state, written
        self._applied: dict[int, int] = {}

    @lazy
    def _fields(self) -> dict[str, object]:
        return {name: RAW[name](self.state) for name in self.written}

    def apply(self, states: States, token: WatchedToken) -> int:
        """Return the number of the state of a token with the new values."""
        state = states.number(token)
        found = self._applied.get(state)
        if found is None:
            found = self._applied[state] = states.number(replace(token, **self._fields))
        return found


Changed = dict[str, Delta]
"""The tokens that a part changed, by ID."""


def joined(first: Changed | None, then: Changed | None) -> Changed | None:
    """Return the changes of a part and of the rest of it; None if either cannot be told."""
    if first is None or then is None:
        return None
    found = dict(first)
    for one, delta in then.items():
        found[one] = Delta(delta.state, delta.written | first[one].written) if one in first else delta
    return found
