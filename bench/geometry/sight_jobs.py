"""Our sight and cover, made ready to be timed."""

from __future__ import annotations

from bench.geometry.scenes import BenchScene
from enfilade.geometry.blockers import Blockers
from enfilade.geometry.cover import Cover, box_corners, covers
from enfilade.geometry.mask import Mask
from enfilade.geometry.sight import visible
from enfilade.geometry.square import box, centre
from enfilade.geometry.touching import Touching
from enfilade.geometry.units import Box, Cell


def boxes_of(scene: BenchScene) -> list[Box]:
    """What the tokens fill."""
    return [box(token.at, token.size, token.size) for token in scene.tokens]


class Shooter:
    """The first token of a scene, one cell big, wherever it stands, and what it looks and shoots at."""

    def __init__(self, scene: BenchScene) -> None:
        self._board = scene.board
        self._others = boxes_of(scene)[1:]
        self._walls = Blockers(scene.walls, touching=Touching(pinch="passes"))
        _ = self._walls.wall_tables, self._walls.stop_every_eye
        self.stand(scene.sources[0])

    def stand(self, at: Cell) -> None:
        """Move there; all others stay."""
        self._at = at
        self._blockers = self._walls.with_bodies(self._others)

    def visible(self) -> Mask:
        """The cells it sees."""
        return visible(self._board, centre(self._at), self._blockers)

    def covers(self) -> list[Cover]:
        """The cover of every other token against it, four corners to four."""
        return covers(
            box_corners(box(self._at)), [box_corners(other) for other in self._others], self._blockers
        )
