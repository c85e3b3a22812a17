"""Overlays: everything to draw for one token: reach, sight, ranges, threat, targets with odds."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.rules.kit.offers import kept_runs
from enfilade.rules.ruleset import Area, Budget, CardLine, Engagement, Reach, Ruleset, State
from enfilade.scene.model import Scene, Value
from enfilade.tactics.previews import Preview, previews

AREA_LAYERS = ("arc", "ranges", "sight", "blind", "defense", "reactions", "threat", "cover")
LAYERS = ("reach", *AREA_LAYERS, "engagement", "targets")


class Overlay(Value, frozen=True, kw_only=True):
    """The overlay of one token at one entry of a table (`seq`)."""

    token: str
    seq: int
    card: tuple[CardLine, ...]
    reach: Reach | None
    areas: tuple[Area, ...]
    engagements: tuple[Engagement, ...]
    targets: tuple[Preview, ...]
    budgets: tuple[Budget, ...] = ()
    """The parts of its turn that the token may still spend."""
    states: tuple[State, ...] | None = None
    """The token's conditions for people; None if they are to be shown as they are."""


def overlay(
    ruleset: Ruleset, scene: Scene, token_id: str, seq: int, layers: Sequence[str] | None = None
) -> Overlay:
    """Return the overlay of a token in a seat's view of the scene, all layers or some. Raises NotFound."""
    token = scene.token(token_id)
    wanted = LAYERS if layers is None else layers
    shown = [layer for layer in AREA_LAYERS if layer in wanted and layer in ruleset.layers]
    areas = [area for layer in shown for area in ruleset.areas(scene, token, layer)]
    targets: tuple[Preview, ...] = ()
    if "targets" in wanted:
        with kept_runs() as runs:
            offers = ruleset.offers(scene, token)
        targets = previews(ruleset, scene, offers, runs)
    states = ruleset.states(scene, token)
    return Overlay(
        token=token_id,
        seq=seq,
        card=ruleset.card(scene, token),
        reach=ruleset.reach(scene, token) if "reach" in wanted else None,
        areas=tuple(areas),
        engagements=tuple(ruleset.engagements(scene)) if "engagement" in wanted else (),
        targets=targets,
        budgets=tuple(ruleset.budgets(scene, token)),
        states=None if states is None else tuple(states),
    )
