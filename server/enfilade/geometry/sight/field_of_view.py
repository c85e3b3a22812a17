"""What a cell sees past opaque cells of a square board: field of view by squares, as in a dungeon of blocks.

It is exact, centre to centre and symmetric, and quicker than `sight.visible` where there are no walls.
"""

from __future__ import annotations

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.board.units import Cell
from enfilade.geometry.kernel import sight


class OpaqueCells:
    """The cells of a square board that no line of sight passes; made anew when they change.

    A line may graze a square, also where two meet at a corner (`Touching(pinch="passes")`). A cell never
    hides itself, so the face of a block is seen and what is behind it is not.
    """

    def __init__(self, board: SquareBoard, cells: Mask) -> None:
        self.board = board
        flags = bytearray(board.columns * board.rows)
        for column, row in cells:
            flags[row * board.columns + column] = 1
        self._flags = bytes(flags)

    def seen_from(self, cell: Cell) -> Mask:
        """The cells that a cell sees; raises ValueError for one off the board."""
        if cell not in self.board:
            raise ValueError(f"{cell} is not on the board.")
        return Mask(tuple(sight.cells_seen(self.board.columns, self.board.rows, self._flags, cell)))
