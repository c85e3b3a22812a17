"""The number of random boards that a comparison with a plain computation tries.

`make test` tries two fifths of them. `make properties` and the mutants of `make mutants` try all: both set
SEEDS=all.
"""

from __future__ import annotations

import os

SEEDS_VARIABLE, ALL = "SEEDS", "all"


def seeds(full: int) -> range:
    """Return the seeds of a comparison that has so many in full."""
    return range(full if os.environ.get(SEEDS_VARIABLE) == ALL else -(-full * 2 // 5))
