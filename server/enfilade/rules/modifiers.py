"""Modifiers: a reason and what it adds, kept even where it did not count."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.scene.model import Value


class Modifier(Value, frozen=True):
    """Why a number is what it is; `rule` is the rule's ID."""

    reason: str
    value: int
    rule: str = ""
    counts: bool = True


def total(modifiers: Iterable[Modifier]) -> int:
    """The sum of the modifiers that count."""
    return sum(modifier.value for modifier in modifiers if modifier.counts)
