"""What miniatures suffer at one moment, put together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from enfilade.rulesets.torn.profiles import Marker


class Suffered(NamedTuple):
    """What one miniature suffers: wounds, and the condition markers that come with them."""

    token: str
    wounds: int
    markers: tuple[Marker, ...] = ()


def together(suffered: Iterable[Suffered]) -> tuple[Suffered, ...]:
    """What each miniature suffers in all, in the order of their ids."""
    found: dict[str, Suffered] = {}
    for one in suffered:
        known = found.get(one.token, Suffered(one.token, 0))
        markers = tuple(sorted({*known.markers, *one.markers}))
        found[one.token] = Suffered(one.token, known.wounds + one.wounds, markers)
    return tuple(found[token] for token in sorted(found))
