"""Modifiers: a reason and a value, kept even if it does not count."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.scene.model import Value


class Modifier(Value, frozen=True):
    """One term of a number, with its reason; `rule` is the rule's ID."""

    reason: str
    value: int
    rule: str = ""
    counts: bool = True


def total(modifiers: Iterable[Modifier]) -> int:
    """Return the sum of the modifiers that count."""
    return sum(modifier.value for modifier in modifiers if modifier.counts)
