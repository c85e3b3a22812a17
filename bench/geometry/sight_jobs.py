"""Our sight and cover, made ready to be timed."""

from __future__ import annotations

from bench.geometry.scenes import BenchScene
from enfilade.geometry.blockers import Blockers
from enfilade.geometry.cover import Cover, box_corners, covers
from enfilade.geometry.mask import Mask
from enfilade.geometry.sight import visible
from enfilade.geometry.square import box, centre
from enfilade.geometry.touching import Touching
from enfilade.geometry.units import Box


def boxes_of(scene: BenchScene) -> list[Box]:
    """What the tokens fill."""
    return [box(token.at, token.size, token.size) for token in scene.tokens]


class Shooter:
    """The first token of a scene, one cell big, wherever it stands, and what it looks and shoots at.

    Only the first token moves, so what was made ready of the others is kept, as the peers keep their trees.
    """

    def __init__(self, scene: BenchScene) -> None:
        others = boxes_of(scene)[1:]
        self._board = scene.board
        self._blockers = Blockers(scene.walls, others, touching=Touching(pinch="passes"))
        self._targets = [box_corners(other) for other in others]
        self.at = scene.sources[0]

    def visible(self) -> Mask:
        """The cells it sees."""
        return visible(self._board, centre(self.at), self._blockers)

    def covers(self) -> list[Cover]:
        """The cover of every other token against it, four corners to four."""
        return covers(box_corners(box(self.at)), self._targets, self._blockers)
