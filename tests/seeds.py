"""The number of random boards and examples that a comparison with a plain computation tries.

`make test` tries a fifth of them. `make properties` and the mutants of `make mutants` try all: both set
SEEDS=all.
"""

from __future__ import annotations

import os

SEEDS_VARIABLE, ALL = "SEEDS", "all"
LEAST_EXAMPLES = 10


def seeds(full: int) -> range:
    """Return the seeds of a comparison that has so many in full."""
    return range(full if _is_full() else -(-full // 5))


def examples(full: int) -> int:
    """Return the number of Hypothesis's examples for a property that has so many in full."""
    return full if _is_full() else max(LEAST_EXAMPLES, full // 5)


def _is_full() -> bool:
    return os.environ.get(SEEDS_VARIABLE) == ALL
