"""What a front end draws of a board beyond its cells and sizes: its regions, tokens' bodies and bars."""

from __future__ import annotations

from collections.abc import Iterable

from enfilade.geometry.board.mask import Run
from enfilade.rules.ruleset import Area, Bar, Ruleset
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.events import RulesSet, SceneSet
from enfilade.scene.model import Scene

MOST_CELLS = 20_000
"""The largest board whose regions are told: cells are too small to be drawn on larger ones."""


def regions(ruleset: Ruleset, scene: Scene) -> tuple[Area, ...]:
    """The parts the board is divided into beyond its cells; none on a board too large to draw them."""
    if scene.grid.columns * scene.grid.rows > MOST_CELLS:
        return ()
    return tuple(ruleset.regions(scene))


def can_change_regions(entries: Iterable[RedactedEntry]) -> bool:
    """Whether some entries changed the board or its rules, so that its regions may be others now."""
    return any(isinstance(event, SceneSet | RulesSet) for entry in entries for event in entry.events)


def bodies(ruleset: Ruleset, scene: Scene) -> dict[str, tuple[Run, ...]]:
    """The cells of every token on the board that fills others than its size says, by the token's id."""
    found = {token.id: tuple(ruleset.body(scene, token)) for token in scene.on_board()}
    return {token: runs for token, runs in found.items() if runs}


def bars(ruleset: Ruleset, scene: Scene) -> dict[str, Bar]:
    """The hit points of every token that has some: which track, and the most it may be; by the token's id."""
    found = {token.id: ruleset.bar(token) for token in scene.tokens}
    return {token: bar for token, bar in found.items() if bar}
