"""Token buckets: a burst that is available at once, and a rate at which it refills."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Clock = Callable[[], float]
K = TypeVar("K", bound=Hashable)

_ROUNDING_ERROR = 1e-6
"""The error that sums of fractions of a second may have."""

MAX_BUCKETS = 10_000
"""How many buckets of one kind to keep before full ones are dropped. A full bucket equals a new one."""


@dataclass(frozen=True)
class Rate:
    """A refill rate and a burst size."""

    per_second: float
    burst: float

    def times(self, factor: float) -> Rate:
        """Return both multiplied."""
        return Rate(self.per_second * factor, self.burst * factor)


@dataclass
class Bucket:
    """A bucket, full at first. Costs that are known only afterwards may overdraw it."""

    rate: Rate
    clock: Clock
    _level: float = field(init=False)
    _updated: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._updated = self.rate.burst, self.clock()

    @property
    def level(self) -> float:
        """The amount available now."""
        now, rate = self.clock(), self.rate
        level = self._level + (now - self._updated) * rate.per_second
        self._level = level if level < rate.burst else rate.burst
        self._updated = now
        return self._level

    @property
    def is_full(self) -> bool:
        """Return whether it is as full as a new one."""
        return self.level >= self.rate.burst

    def wait(self, cost: float) -> float:
        """Return the seconds until `cost` is available; a cost above the burst needs a full bucket."""
        missing = min(cost, self.rate.burst) - self.level
        return missing / self.rate.per_second if missing > _ROUNDING_ERROR else 0.0

    def take(self, cost: float) -> None:
        """Take `cost`, even if that overdraws the bucket."""
        self._level = self.level - cost


class Buckets(Generic[K]):
    """One bucket per key, all with the same rate."""

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[K, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, key: K) -> Bucket:
        """Return the bucket of a key."""
        if key not in self._buckets:
            if len(self._buckets) >= MAX_BUCKETS:
                self._buckets = {known: one for known, one in self._buckets.items() if not one.is_full}
            self._buckets[key] = Bucket(self._rate, self._clock)
        return self._buckets[key]
