"""Light and obscurement by viewer: what darkness, fog and leaves hide from whom on a grid.

A game names the kinds of terrain that obscure, and says how far a viewer's senses lift them. Senses reach
through nothing: whether walls are between is for `Screens` to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.spaces import Spaces
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Token

Cause = Literal["light", "magic", "matter"]
"""What obscures: too little light, magical darkness, or something in the air."""


class Murk(NamedTuple):
    """A kind of terrain that obscures, lightly or heavily."""

    cause: Cause
    is_heavy: bool


class Senses(NamedTuple):
    """The lengths to which a viewer's senses lift what obscures.

    dark: dim light is bright for it, and darkness dim; not magical one. true: it sees in every darkness.
    blind: nothing is obscured for it.
    """

    dark: int = 0
    true: int = 0
    blind: int = 0


class Shades:
    """The obscured cells of a scene's terrain; none without terrain of the kinds that a game names."""

    def __init__(self, spaces: Spaces, kinds: Mapping[str, Murk]) -> None:
        self._spaces = spaces
        self._patches = [(kinds[one.kind], one.cells) for one in spaces.scene.terrain if one.kind in kinds]

    @property
    def has_any(self) -> bool:
        """Return whether anything obscures a cell of the scene for any viewer."""
        return bool(self._patches)

    @lazy
    def _none(self) -> Mask:
        return Mask((0,) * self._spaces.board.rows)

    @lazy
    def _cells(self) -> dict[Murk, Mask]:
        board = self._spaces.board
        found: dict[Murk, Mask] = {}
        for murk, cells in self._patches:
            mask = Mask.of([cell for cell in cells if cell in board], board.rows)
            found[murk] = found.get(murk, self._none) | mask
        return found

    def _of(self, cause: Cause, *, is_heavy: bool) -> Mask:
        return self._cells.get(Murk(cause, is_heavy), self._none)

    def heavy(self, viewer: Token, senses: Senses) -> Mask:
        """Return the cells that are heavily obscured for a viewer on the board."""
        if not self._patches:
            return self._none
        dark = self._of("light", is_heavy=True) - self._within(viewer, max(senses.dark, senses.true))
        magic = self._of("magic", is_heavy=True) - self._within(viewer, senses.true)
        found = self._of("matter", is_heavy=True) | dark | magic
        return found - self._within(viewer, senses.blind)

    def light(self, viewer: Token, senses: Senses) -> Mask:
        """Return the cells that are lightly, and not heavily, obscured for a viewer on the board."""
        if not self._patches:
            return self._none
        seen = self._within(viewer, max(senses.dark, senses.true))
        dim = (self._of("light", is_heavy=False) - seen) | (self._of("light", is_heavy=True) & seen)
        found = self._of("matter", is_heavy=False) | (dim - self._within(viewer, senses.true))
        return found - self.heavy(viewer, senses) - self._within(viewer, senses.blind)

    def _within(self, viewer: Token, length: int) -> Mask:
        return self._spaces.within(viewer, length) if length else self._none

    def hides(self, viewer: Token, target: Token, senses: Senses) -> bool:
        """Return whether all of a target's space is heavily obscured for a viewer."""
        return bool(self._patches) and self._is_in(target, self.heavy(viewer, senses))

    def dims(self, viewer: Token, target: Token, senses: Senses) -> bool:
        """Return whether all of a target's space is at least lightly obscured for a viewer."""
        if not self._patches:
            return False
        return self._is_in(target, self.heavy(viewer, senses) | self.light(viewer, senses))

    def _is_in(self, target: Token, cells: Mask) -> bool:
        return all(cell in cells for cell in self._spaces.cells(target))
