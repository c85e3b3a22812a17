"""Visibility between tokens, and of cells for each token, kept up to date while tokens move.

The cells that a point sees past the walls are computed once and cached, least recently used dropped first;
the bodies of the tokens are drawn over them. After one token moves, only the pairs whose line meets its old
or its new position are tested again. A new revision of the walls needs a new `VisibilityTracker`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeVar

from enfilade.geometry.board.base import Board, Box, Point
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.shapes import Body
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import LEVEL, Blockers, Heights, check_line_ends
from enfilade.geometry.sight.line_of_sight import first_obstruction, visible

Key = TypeVar("Key", bound=Hashable)


class WallSightCache:
    """The cells that points see past the walls of one revision, for the last `size` points."""

    def __init__(self, board: Board, blockers: Blockers, size: int = 512) -> None:
        self.board, self.blockers, self._size = board, blockers.with_bodies(()), size
        self._seen: OrderedDict[tuple[Point, Heights], Mask] = OrderedDict()

    def visible(self, eye: Point, heights: Heights = LEVEL) -> Mask:
        """Return the cells that an eye sees past the walls alone."""
        key = (eye, heights)
        if key in self._seen:
            self._seen.move_to_end(key)
            return self._seen[key]
        seen = visible(self.board, eye, self.blockers, heights)
        self._seen[key] = seen
        if len(self._seen) > self._size:
            self._seen.popitem(last=False)
        return seen


class VisibilityTracker(Generic[Key]):
    """Tokens on a board with walls. Each one sees, and is seen, at the center of its body.

    For per-seat fog of war and for rulesets that ask for every pair after each move; the server has neither
    yet.
    """

    def __init__(
        self, board: Board, blockers: Blockers, tokens: Mapping[Key, Body], heights: Heights = LEVEL
    ) -> None:
        self._past_walls = WallSightCache(board, blockers)
        self._heights = heights
        self._numbers = {key: number for number, key in enumerate(tokens)}
        self._bodies = list(tokens.values())
        self._points = [body.center for body in self._bodies]
        self._clear = bytearray(len(tokens) * len(tokens))
        self._masks: dict[Key, Mask] = {}
        check_line_ends(self._points, heights)
        self._update(None)

    def move(self, key: Key, body: Body) -> None:
        """Move a token. Raises KeyError if it is not tracked."""
        number = self._numbers[key]
        changed = [self._bodies[number].bounds, body.bounds]
        self._bodies[number], self._points[number] = body, body.center
        self._masks.clear()
        self._update(changed)

    def sees(self, key: Key, other: Key) -> bool:
        """Return whether the line from one token to another is clear. Raises KeyError as `move` does."""
        return bool(self._clear[self._numbers[key] * len(self._bodies) + self._numbers[other]])

    def visible_cells(self, key: Key) -> Mask:
        """Return the cells that a token sees past walls and other tokens. Raises KeyError as `move` does."""
        if key not in self._masks:
            eye = self._points[self._numbers[key]]
            past_bodies = visible(self._past_walls.board, eye, self._only_bodies, self._heights)
            self._masks[key] = self._past_walls.visible(eye, self._heights) & past_bodies
        return self._masks[key]

    def _update(self, changed: Sequence[Box] | None) -> None:
        """Test the lines through some boxes again, or all lines."""
        walls = self._past_walls.blockers
        self._only_bodies = Blockers(bodies=self._bodies, touch_rule=walls.touch_rule)
        everything = walls.with_bodies((), self._bodies)
        sight.clear_pairs(self._points, everything, self._heights, self._clear, changed)
        self._show_points_to_themselves(everything)

    def _show_points_to_themselves(self, blockers: Blockers) -> None:
        """Clear the lines without length that only walls stop, as `first_obstruction` does."""
        count = len(self._points)
        for number, eye in enumerate(self._points):
            if self._clear[number * count + number] or first_obstruction(eye, eye, blockers, self._heights):
                continue
            for other, point in enumerate(self._points):
                if point == eye:
                    self._clear[number * count + other] = 1
