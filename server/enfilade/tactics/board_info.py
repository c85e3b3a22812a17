"""Board details that a front end shows beyond cells and sizes: regions, bodies, bars and the turn."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.errors import EnfiladeError
from enfilade.geometry.board.mask import Run
from enfilade.rules.ruleset import Area, Bar, Ruleset, Turn
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.events import RulesSet, SceneSet
from enfilade.scene.model import Scene

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
