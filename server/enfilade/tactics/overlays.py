"""Overlays: details of the board to draw, and for one token its reach, sight, threat and targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from enfilade.errors import EnfiladeError
from enfilade.geometry.board.mask import Run
from enfilade.rules.kit.offers import kept_runs
from enfilade.rules.ruleset import Area, Bar, Budget, CardLine, Engagement, Reach, Ruleset, State, Turn
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.events import RulesSet, SceneSet
from enfilade.scene.model import Scene, Value
from enfilade.tactics.previews import Preview, previews

MAX_CELLS = 20_000
"""The largest board whose regions the server sends: on a larger one they are too small to draw."""


def regions(ruleset: Ruleset, scene: Scene) -> tuple[Area, ...]:
    """Return the regions of the board; none on a board too large to draw them."""
    if scene.grid.columns * scene.grid.rows > MAX_CELLS:
        return ()
    return tuple(ruleset.regions(scene))


def can_change_regions(entries: Iterable[RedactedEntry]) -> bool:
    """Return whether some entries changed the board or its rules, and so perhaps its regions."""
    return any(isinstance(event, SceneSet | RulesSet) for entry in entries for event in entry.events)


def bodies(ruleset: Ruleset, scene: Scene) -> dict[str, tuple[Run, ...]]:
    """Return, by token ID, the cells of each token whose body differs from its size."""
    found = {token.id: tuple(ruleset.body(scene, token)) for token in scene.on_board()}
    return {token: runs for token, runs in found.items() if runs}


def bars(ruleset: Ruleset, scene: Scene) -> dict[str, Bar]:
    """Return, by token ID, the track with a token's hit points and its maximum."""
    found = {token.id: ruleset.bar(token) for token in scene.tokens}
    return {token: bar for token, bar in found.items() if bar}


def turn(ruleset: Ruleset, scene: Scene) -> Turn:
    """Return the turn order; only the round if the scene is such that the rules know no order."""
    try:
        return ruleset.turn(scene)
    except EnfiladeError:  # a hidden side, or a condition that a scene file brought
        return Turn(round=scene.track("round"))


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
