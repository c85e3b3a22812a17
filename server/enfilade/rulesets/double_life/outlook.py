"""Moments to come, for advice: the facings after a move."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.rules.outlook import Outlook
from enfilade.scene.model import Scene, Token


def facings(scene: Scene, token: Token) -> Sequence[int | None]:
    """Return the eight facings (DBL-055)."""
    del scene, token
    return tuple(range(0, 360, 45))


OUTLOOK = Outlook(facings=facings)
