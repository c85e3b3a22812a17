"""Moments to come, for advice: creatures whose turn begins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.rules.outlook import Outlook, refreshed, with_token
from enfilade.rulesets.knights_of_valour.turn import ROUND_CONDITIONS, ROUND_TRACKS
from enfilade.scene.model import Scene


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which creatures act as before the first round: with all actions (KOV-031)."""
    fresh = scene
    for token_id in tokens:
        cleared = (*ROUND_CONDITIONS, *ROUND_TRACKS)
        fresh = with_token(fresh, refreshed(scene.token(token_id), {}, cleared))
    return replace(fresh, tracks={**scene.tracks, "round": 0})


OUTLOOK = Outlook(ready=ready, routine=("end",))
