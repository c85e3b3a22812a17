"""The touching rule: what becomes of a line that only touches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Touch = Literal["blocks", "passes"]


@dataclass(frozen=True, slots=True)
class Touching:
    """What becomes of a line that only touches: every table plays it so, preview and resolution alike.

    Attributes:
        wall: a line that touches a wall or its end; "passes" opens the joints of walls too.
        body: a line that grazes the edge or corner of a token.
        pinch: a line through the point where two tokens' boxes meet at their corners (ruling C-15).
        seam: a line that runs along the edge two tokens share.
    """

    wall: Touch = "blocks"
    body: Touch = "passes"
    pinch: Touch = "blocks"
    seam: Touch = "passes"

    @property
    def slacks(self) -> tuple[int, int]:
        """For walls and for bodies: 0 where touching is enough to stop a line, 1 where it must go through."""
        return (0 if self.wall == "blocks" else 1, 0 if self.body == "blocks" else 1)


CLOSED = Touching()
