"""The mutants of the scenario `worlds`: builds broken on purpose, in the board's tools or in the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from enfilade.play import view as views
from enfilade.play.hidden_map import unknown_doors
from enfilade.scene.model import Scene, Wall
from tests.fault import board_tools

_gesture = board_tools.gesture


def _counted_ids() -> Any:
    """A build whose wall tool gives IDs that count all walls."""

    def counted(ruleset: Any, scene: Scene, seed: str, kind: str, **more: Any) -> Any:
        found = _gesture(ruleset, scene, seed, kind, **more)
        known = {wall.id for wall in scene.walls}
        for _, body in found:
            for number, wall in enumerate(body.get("walls", ()), 1 + len(scene.walls)):
                wall["id"] = wall["id"] if wall["id"] in known else f"w{number}"
        return found

    return patch("tests.fault.board_worlds.gesture", counted)


def _counted_names() -> Any:
    """A build that numbers units among all of their kind, also those that only the GM sees."""

    def counted(ruleset: Any, scene: Scene, seed: str, kind: str, **more: Any) -> Any:
        found = _gesture(ruleset, scene, seed, kind, **more)
        for _, body in found if kind == "place" else ():
            stem = body["token"]["name"].rpartition(" ")[0]
            number = 1 + sum(token.name.startswith(stem) for token in scene.tokens)
            body["token"].update(id=f"{stem.lower().replace(' ', '-')}-{number}", name=f"{stem} {number}")
        return found

    return patch("tests.fault.board_worlds.gesture", counted)


def _cut_walls() -> Any:
    """A build that shows the pieces of a wall and the secret door in it as walls of their own."""

    def cut(walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
        unknown = {wall.id for wall in unknown_doors(walls)}
        return tuple(replace(w, door="none", state="closed") if w.id in unknown else w for w in walls)

    return patch.object(views, "walls_without_secret_doors", cut)


def _walls_as_they_came() -> Any:
    """A build whose view has walls in the order in which they were drawn."""
    return patch.object(views, "walls_in_order", lambda walls: walls)


def _hidden_ground_left() -> Any:
    """A build whose view has hidden terrain."""
    return patch.object(views, "_shown_ground", lambda scene: scene.terrain)


def _units_left() -> Any:
    """A build whose view has hidden units."""
    return patch.object(views, "is_visible", lambda _token: True)


MUTANTS: dict[str, Callable[[], Any]] = {
    "counted-ids": _counted_ids,
    "counted-names": _counted_names,
    "cut-walls": _cut_walls,
    "walls-as-they-came": _walls_as_they_came,
    "hidden-ground": _hidden_ground_left,
    "hidden-units": _units_left,
}
