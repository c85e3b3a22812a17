"""The rulesets a server offers: the built-in ones, and those other packages bring by entry point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points

from enfilade.errors import NotFound, WrongGrid
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene

ENTRY_POINT_GROUP = "enfilade.rulesets"

Rulesets = Mapping[str, Ruleset]


def gather(built_in: Iterable[Ruleset]) -> Rulesets:
    """Every ruleset by its key: the built-in ones and those found by entry point."""
    found = [point.load() for point in entry_points(group=ENTRY_POINT_GROUP)]
    return {ruleset.key: ruleset for ruleset in [*built_in, *found]}


def ruleset_for(rulesets: Rulesets, scene: Scene) -> Ruleset:
    """The ruleset a scene is played by; raises NotFound, or WrongGrid where it is not played on its grid."""
    ruleset = rulesets.get(scene.ruleset)
    if ruleset is None:
        known = ", ".join(sorted(rulesets))
        raise NotFound(f"There is no ruleset '{scene.ruleset}' here; there are: {known}.")
    if scene.grid.kind not in ruleset.grids:
        grids = " or ".join(sorted(ruleset.grids))
        raise WrongGrid(
            f"{ruleset.title} is played on a {grids} grid, and this scene's is {scene.grid.kind}."
        )
    return ruleset
