"""Watched scenes: they note which fields of tokens a procedure reads, and a field of a token may be open.

A field is open if the token may be in several states that differ in it. A procedure that reads it raises
`Undecided`, and the walk takes the states one by one. What a procedure has not read cannot have changed what
it did. So the notes tell in which other scenes it would do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from enfilade.rules.battle.memo import watched_memos
from enfilade.scene.model import Scene, Token

UNDECIDED: Any = object()
"""The value of an open field. No encoder knows it, so what reads past the watch fails loudly."""

FIELDS = tuple(name for name in Token.__struct_fields__ if name != "id")
RAW: dict[str, Callable[[Token], Any]] = {name: getattr(Token, name).__get__ for name in FIELDS}
"""For each field a function that reads it unnoticed."""

Read = tuple[str, str]
"""A token by ID and one of its fields; without a field, that no field of the token was open."""

_FEW = 64
"""So few tokens are searched one by one."""

ALL: Read = ("*", "*")
"""What was read is not known: it may be anything."""


class Undecided(BaseException):  # no error, and no author's `except Exception` may catch it
    """A procedure has read an open field of a token."""

    def __init__(self, token: WatchedToken) -> None:
        self.token = token


class ReadLog:
    """The fields that procedures have read since it was cleared, and the open token that they last read."""

    __slots__ = ("memos", "reads", "wanted")

    def __init__(self) -> None:
        self.memos: dict[int, tuple[Any, dict[Any, Any]]] = {}
        self.reads: set[Read] = set()
        self.wanted: WatchedToken | None = None

    def want(self, token: WatchedToken) -> None:
        """Raise Undecided for an open token, and remember it: a procedure may swallow the exception."""
        self.wanted = token
        raise Undecided(token)

    def require_decided(self, token: WatchedToken) -> None:
        """Raise Undecided if a field of a token is open."""
        if token.is_open:
            self.want(token)

    def clear(self) -> None:
        """Forget what was read."""
        self.reads.clear()
        self.memos.clear()
        self.wanted = None


class WatchedToken(Token, frozen=True, kw_only=True, eq=False):
    """A token that notes which of its fields are read, and may have open fields."""

    watch: ReadLog
    is_open: bool = False

    def plain(self) -> Token:
        """Return the token as any other; reads all of it."""
        return Token(**{name: getattr(self, name) for name in Token.__struct_fields__})

    def __eq__(self, other: object) -> bool:
        if isinstance(other, WatchedToken):
            return self is other or self.plain() == other.plain()
        return self.plain() == other

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return self.plain().__reduce__()

    def __repr__(self) -> str:
        return repr(self.plain())


def _noted(name: str) -> property:
    raw = RAW[name]

    def field(self: WatchedToken) -> Any:
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

    watch: ReadLog

    def token(self, token_id: str) -> Token:
        """Return the token with an ID. Raises NotFound.

        A walk makes thousands of scenes and asks each for a token or two: an index would not pay.
        """
        tokens = self.tokens
        if len(tokens) <= _FEW:
            for token in tokens:
                if token.id == token_id:
                    return token
        return super().token(token_id)


def _memo(value: Any) -> dict[Any, Any]:
    """Return the results kept for a watched value in the part that runs: what made them is in its notes."""
    watch: ReadLog = value.watch
    return watch.memos.setdefault(id(value), (value, {}))[1]


watched_memos[WatchedScene] = watched_memos[WatchedToken] = _memo
