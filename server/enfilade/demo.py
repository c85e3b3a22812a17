"""The battle a newcomer finds on the table: a shipped map for each ruleset, with two sides in place."""

from __future__ import annotations

from importlib import resources

from msgspec.structs import replace

from enfilade.geometry.units import Cell
from enfilade.importers import Imported, read_map
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Side, Token, Value


class Placed(Value, frozen=True):
    """A catalogue unit on a demo map: who it is, whose, where, and the compass degrees it faces."""

    unit: str
    name: str
    side: str
    at: Cell
    facing: int


class Battle(Value, frozen=True):
    """A shipped map and who fights on it."""

    map: str
    title: str
    sides: tuple[Side, ...]
    placed: tuple[Placed, ...]


BATTLES: dict[str, Battle] = {
    "coup_de_grace": Battle(
        "tavern-and-yard.uvtt",
        "Trouble at the tavern",
        (Side(id="watch", name="The Watch"), Side(id="raiders", name="Raiders")),
        (
            Placed("dwarf-hammerer", "Bran", "watch", (2, 6), 90),
            Placed("human-swordsman", "Aldis", "watch", (3, 6), 90),
            Placed("human-archer", "Wren", "watch", (2, 8), 90),
            Placed("elf-spearman", "Ilvane", "watch", (4, 5), 90),
            Placed("orc-axeman", "Orc 1", "raiders", (9, 6), 270),
            Placed("orc-brute", "Orc 2", "raiders", (8, 7), 270),
            Placed("goblin-stabber", "Goblin 1", "raiders", (5, 5), 270),
            Placed("goblin-archer", "Goblin 2", "raiders", (15, 7), 270),
        ),
    ),
}


def demo_battle(ruleset: Ruleset) -> Imported:
    """The demo map of a ruleset with its units in place, and the map's picture."""
    battle = BATTLES[ruleset.key]
    data = resources.files("enfilade").joinpath("maps", battle.map).read_bytes()
    found = read_map(data, battle.map, ruleset=ruleset.key)
    assert isinstance(found, Imported), f"{battle.map} is a map"
    tokens = tuple(_token(ruleset, placed) for placed in battle.placed)
    scene = replace(found.scene, name=battle.title, sides=battle.sides, tokens=tokens)
    return replace(found, scene=scene)


def _token(ruleset: Ruleset, placed: Placed) -> Token:
    unit = next(unit for unit in ruleset.catalogue if unit.key == placed.unit)
    return Token(
        id=placed.name.lower().replace(" ", "-"),
        name=placed.name,
        side=placed.side,
        at=placed.at,
        facing=placed.facing,
        profile=unit.profile,
    )
