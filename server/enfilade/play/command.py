"""What is asked of a table and what comes back."""

from __future__ import annotations

from typing import Any

from enfilade.rules.procedures import Answer
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene, Value
from enfilade.scene.view import Role


class Command(Value, frozen=True, kw_only=True):
    """A command whose shape has been checked; `body` is as its kind's schema loads it."""

    id: str
    kind: str
    base: int | None = None
    body: dict[str, Any] = {}


class Done(Value, frozen=True, kw_only=True):
    """What a command did: the table's position after it, what was asked for, and its entry if it made one."""

    seq: int
    result: dict[str, Any]
    entry: Entry | None = None


class Choice(Value, frozen=True, kw_only=True):
    """A decision the table waits for: whose, what is asked, the answers, the one taken by default."""

    id: str
    side: str
    question: str
    options: tuple[Answer, ...]
    default: str


class Snapshot(Value, frozen=True, kw_only=True):
    """A table as a whole, as a seat may know it."""

    role: Role
    scene: Scene
    log: tuple[Entry, ...]
    choice: Choice | None
    ruleset: dict[str, Any]


class Entries(Value, frozen=True, kw_only=True):
    """New entries as a seat may know them, and the choice the table now waits for."""

    entries: tuple[Entry, ...]
    choice: Choice | None
