"""Where a way ends that something unseen bars: as far along the straight line as it can be gone."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import IllegalAct
from enfilade.geometry.board.units import Cell
from enfilade.play.commands.edits import Game
from enfilade.play.redaction.choices import UNSEEN
from enfilade.scene.model import Token

_INCH = 64


def way_end(game: Game, token: Token, at: Cell, facing: int | None) -> Cell:
    """The last place on the straight way to `at` where the rules let a token go in the scene as it is.

    It is `at` itself where nothing unseen bars it. Raises IllegalAct where not even one step can be gone.
    """
    for place in (at, *_back_from(at, token.at or at, game.scene.grid.kind == "gridless")):
        if all(game.ruleset.judge(s, token, place, facing).allowed for s in (game.seen, game.scene)):
            return place
    raise IllegalAct(UNSEEN)


def _back_from(end: Cell, start: Cell, is_gridless: bool) -> Iterator[Cell]:
    """The places between two, nearest to the end first: cells, or on a gridless board one an inch."""
    (x, y), (to_x, to_y) = start, end
    across, down = to_x - x, to_y - y
    steps = max(abs(across), abs(down)) // (_INCH if is_gridless else 1)
    for step in range(steps - 1, 0, -1):
        # Rounded half up, in whole numbers.
        yield (x + (2 * across * step + steps) // (2 * steps), y + (2 * down * step + steps) // (2 * steps))
