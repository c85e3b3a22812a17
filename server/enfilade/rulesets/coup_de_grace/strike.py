"""One attack as the rules look at it: who, whom, with what."""

from __future__ import annotations

from dataclasses import dataclass

from enfilade.geometry.square import AHEAD
from enfilade.geometry.units import Cell
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.model import Scene, Token


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack before the die: the scene, both miniatures, the weapon by its name, melee or ranged."""

    scene: Scene
    attacker: Fighter
    target: Fighter
    weapon: str
    item: Item
    kind: str

    @property
    def is_melee(self) -> bool:
        """Whether this is a melee attack."""
        return self.kind == "melee"

    @property
    def from_cell(self) -> Cell:
        """Where the attacker stands; only for one on the board."""
        assert self.attacker.token.at is not None
        return self.attacker.token.at

    @property
    def to_cell(self) -> Cell:
        """Where the target stands; only for one on the board."""
        assert self.target.token.at is not None
        return self.target.token.at


def is_facing(token: Token, cell: Cell) -> bool:
    """Whether a miniature stands and looks straight at an adjacent cell."""
    if token.facing is None or token.at is None:
        return False
    dx, dy = AHEAD[token.facing]
    return (token.at[0] + dx, token.at[1] + dy) == cell
