"""Splits of a pool over slots, such as dice over opponents: their limits, their text, and every legal one.

A split is a mapping from each slot's key to a number. Stored decisions and the log hold it as text: a JSON
object with sorted keys and without the slots that get nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from enfilade.i18n import localize
from enfilade.rules.procedures import Allocate, ProcedureError

Split = dict[str, int]

MAX_SPLITS = 64
"""The number of splits up to which a walk over all answers takes each of them."""


def encode_split(split: Mapping[str, int]) -> str:
    """Return the text of a split; equal splits have equal texts."""
    given = {slot: number for slot, number in split.items() if number}
    return msgspec.json.encode(given, order="deterministic").decode()


def read_split(text: str) -> Split | None:
    """Return the split that a text holds, or None if it holds none. Its slots and limits are not checked."""
    try:
        return msgspec.json.decode(text, type=Split)
    except (msgspec.DecodeError, RecursionError):
        return None


def complete_split(request: Allocate, split: Mapping[str, int]) -> Split:
    """Return a split with every slot of the request, in its order."""
    return {slot.key: split.get(slot.key, 0) for slot in request.slots}


def problem_with(request: Allocate, split: Mapping[str, int]) -> str:
    """Return what is wrong with a split in a sentence; empty if it is legal."""
    unknown = split.keys() - {slot.key for slot in request.slots}
    if unknown:
        return localize("rules.no_such_slot", slot=min(unknown))
    for slot, (least, most) in zip(request.slots, request.limits, strict=True):
        if not least <= split.get(slot.key, 0) <= most:
            return localize("rules.slot_limits", slot=slot.label, least=least, most=most)
    given = sum(split.values())
    if not request.least <= given <= request.pool:
        return localize("rules.pool_limits", given=given, least=request.least, most=request.pool)
    return ""


def check_request(request: Allocate) -> None:
    """Raise ProcedureError if a request has not one pair of limits for each slot, or an illegal default."""
    if len(request.limits) != len(request.slots):
        raise ProcedureError(f"'{request.question}' has {len(request.limits)} limits for its slots.")
    if request.chances and len(request.chances) != len(request.slots):
        raise ProcedureError(f"'{request.question}' has {len(request.chances)} chances for its slots.")
    problem = problem_with(request, request.default)
    if problem:
        raise ProcedureError(f"The default of '{request.question}' is not allowed: {problem}")


def legal_splits(request: Allocate, most: int = MAX_SPLITS) -> list[Split]:
    """Return the default and then the other legal splits, at most `most` of them."""
    default = complete_split(request, request.default)
    splits = [default]
    for numbers in _splits(request.limits, request.pool, request.least):
        split = {slot.key: number for slot, number in zip(request.slots, numbers, strict=True)}
        if split != default:
            splits.append(split)
        if len(splits) >= most:
            break
    return splits


def _splits(limits: tuple[tuple[int, int], ...], pool: int, least: int) -> Iterator[tuple[int, ...]]:
    if not limits:
        if least <= 0:
            yield ()
        return
    (low, high), rest = limits[0], limits[1:]
    later_low, later_high = sum(one[0] for one in rest), sum(one[1] for one in rest)
    for number in range(max(low, least - later_high), min(high, pool - later_low) + 1):
        for others in _splits(rest, pool - number, least - number):
            yield (number, *others)


def answer_text(answer: Any) -> str:
    """Return an answer as decisions hold it: a key as it is, a split as its text."""
    return answer if isinstance(answer, str) else encode_split(answer)
