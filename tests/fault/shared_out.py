"""Games of an ordeal shared out over all processors."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

_AT_ONCE = 20
_TOLD_EVERY = 60.0
"""Seconds between two words of how far it is."""

Figures = Counter[str]


def shared_out(play: Callable[[range, str], Figures], what: str, enough: int, broken: str = "") -> Figures:
    """The figures of games with the numbers 0, 1, ..., played until there is enough of one of them.

    `play` gives the figures of some games in the build that is broken in a named way, or in a whole one.
    """
    total: Figures = Counter({what: 0})
    start, lanes = 0, os.cpu_count() or 1
    told = time.monotonic()
    # Processes of their own, not copies of this one: its event loop must not be shared.
    with ProcessPoolExecutor(lanes, mp_context=get_context("spawn")) as pool:
        while total[what] < enough:
            seeds = [range(start + i * _AT_ONCE, start + (i + 1) * _AT_ONCE) for i in range(lanes)]
            for figures in pool.map(play, seeds, repeat(broken)):
                total.update(figures)
            start += lanes * _AT_ONCE
            if time.monotonic() - told > _TOLD_EVERY:
                told = time.monotonic()
                print(f"{total[what]:,} of {enough:,} {what}", file=sys.stderr, flush=True)
    return total
