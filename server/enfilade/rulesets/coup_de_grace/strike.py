"""One attack as the rules look at it: who, whom, with what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from enfilade.errors import IllegalAct
from enfilade.geometry.board.units import Cell
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.procedures import Act
from enfilade.rulesets.coup_de_grace.battlefield import Battle, battle_of, maps_of
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.movement import doublings
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.ranges import range_between
from enfilade.scene.model import Scene

RANGED_COST = 4
"""Movement points of a ranged attack with no enemy beside the shooter (CDG-038)."""


@dataclass(frozen=True)
class Strike:
    """An attack before the die.

    Attributes:
        battle: the scene as the rules look at it.
        attacker: who attacks.
        target: whom.
        weapon: the held item by its name in the attacker's hands, like "sword 2".
        item: what that is.
        kind: the kind of act: "melee", "ranged" or "spell".
    """

    battle: Battle
    attacker: Fighter
    target: Fighter
    weapon: str
    item: Item
    kind: str

    @property
    def is_melee(self) -> bool:
        """Whether this is a melee attack; a spell's text says which it is (CDG-062)."""
        return (self.item.spell if self.kind == "spell" else self.kind) == "melee"

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

    @cached_property
    def range(self) -> int | None:
        """The range in cells; None where no way leads there and range is counted along the way."""
        return range_between(self.battle, self.from_cell, self.to_cell)

    @cached_property
    def cost(self) -> int:
        """Movement points it costs (CDG-037 to CDG-042)."""
        return cost_of(self.battle, self.attacker, self.item, self.kind)

    @property
    def is_backstab(self) -> bool:
        """Whether the target faces directly away from the attacker (CDG-054)."""
        return self.is_melee and self.battle.is_behind(self.target, self.from_cell)

    @property
    def is_coup_de_grace(self) -> bool:
        """Whether this is an attack on a downed miniature (CDG-076)."""
        return self.target.is_downed


@identity_cache(MANY, maps_of)
def strike_of(scene: Scene, act: Act) -> Strike:
    """The strike that an act asks for; raises IllegalAct where the weapon is not in hand, or NotFound."""
    battle = battle_of(scene)
    attacker = battle.fighter(act.token)
    return Strike(
        battle, attacker, battle.fighter(act.target), act.weapon, item_in_hand(attacker, act), act.kind
    )


def maps_struck(strike: Strike) -> int:
    """As how many maps an answer counts that keeps a strike."""
    return maps_of(strike.battle.scene)


def item_in_hand(one: Fighter, act: Act) -> Item:
    """The held item an act is done with; raises IllegalAct where there is none that serves (CDG-008)."""
    item = one.items.get(act.weapon)
    if item is None or not item.can(act.kind):
        deed = "cast with" if act.kind == "spell" else f"make a {act.kind} attack with"
        raise IllegalAct(f"{one.name} has no '{act.weapon}' to {deed}.", "CDG-008")
    return item


def cost_of(battle: Battle, one: Fighter, item: Item, kind: str, at: Cell | None = None) -> int:
    """Movement points of an attack or a spell, doubled for each adjacent enemy (CDG-037 to CDG-042).

    From where it stands, or as if it stood at another cell.
    """
    base = {"melee": 0, "ranged": RANGED_COST}.get(kind, item.cost)
    if one.is_downed or one.token.at is None or not base:
        return 0
    if kind == "spell" and "mage left fist" in one.profile.hands and item.name != "mage left fist":
        return base
    return base << doublings(battle, one, at or one.token.at)
