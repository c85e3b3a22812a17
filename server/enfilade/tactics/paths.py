"""The cost of a path through waypoints, leg by leg, as a front end shows it while a token is dragged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from enfilade.geometry.board.base import Cell
from enfilade.rules.ruleset import Ruleset, Ruling
from enfilade.scene.model import Scene, Value


class PathCost(Value, frozen=True, kw_only=True):
    """The cost of a path at one entry of a table (`seq`): of each leg, and the ruling on the whole.

    `costs` has the cost of the way to each waypoint from the one before it, None where no path leads. They
    add up to the ruling's cost: a leg costs what the way to its end costs more than the way to its start, so
    that a rule that counts the whole move, such as every second diagonal, is in the leg where it costs.
    """

    token: str
    seq: int
    costs: tuple[int | None, ...]
    ruling: Ruling


def path_cost(ruleset: Ruleset, scene: Scene, token_id: str, path: Sequence[Cell], seq: int) -> PathCost:
    """Return what the rules say of a path, in a seat's view of the scene. Raises NotFound."""
    token = scene.token(token_id)
    rulings = [
        ruleset.judge(scene, token, tuple(path[:count]), token.facing) for count in range(1, len(path) + 1)
    ]
    totals = [0, *(ruling.cost for ruling in rulings)]
    costs = tuple(
        None if here is None or before is None else here - before for before, here in pairwise(totals)
    )
    return PathCost(token=token_id, seq=seq, costs=costs, ruling=rulings[-1])
