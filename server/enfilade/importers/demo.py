"""The demo battle of each ruleset: a shipped map, or a bare board with landscape, and two sides."""

from __future__ import annotations

from importlib import resources

from msgspec.structs import replace

from enfilade.geometry.board.base import CELL, Cell
from enfilade.geometry.board.hex import HexBoard
from enfilade.importers import Imported, read_map
from enfilade.play.setup import empty_board
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Value, Wall


class Placed(Value, frozen=True):
    """A catalog unit on a demo map: its token, side and cell, and its facing in compass degrees."""

    unit: str
    name: str
    side: str
    at: Cell
    facing: int


class DemoBattle(Value, frozen=True):
    """A shipped map, or a bare board with landscape, and who fights on it.

    `dressing` is terrain without any effect: floors, paths and lights. The board paints it and the maps;
    pictures of maps are left out.
    """

    map: str | Scene
    title: str
    sides: tuple[Side, ...]
    placed: tuple[Placed, ...]
    dressing: tuple[Terrain, ...] = ()


def _hexon(center: Cell) -> tuple[Cell, ...]:
    board = HexBoard(22, 16, "odd_r")
    return (center, *board.neighbors(center))


def _block(left: int, top: int, right: int, bottom: int) -> tuple[Cell, ...]:
    """Return the cells of a rectangle, its last column and row included."""
    return tuple((x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


FORD = Scene(
    ruleset="torn",
    grid=Grid("hex_odd_r", 22, 16, units="Hexes"),
    terrain=(
        Terrain("ruin", "Ruined tower", _hexon((10, 7)), 0, blocks_sight=True, kind="volume"),
        Terrain("wall", "Broken wall", _hexon((8, 9)), 0, blocks_sight=True, kind="volume"),
        Terrain("rock", "Rock", _hexon((12, 5)), 0, blocks_sight=True, kind="volume"),
        Terrain("vortex", "Ethereal Vortex", _hexon((11, 10)), kind="vortex"),
        Terrain("smoke", "Smoke charge", ((6, 8),), kind="smoke"),
        Terrain("thorns", "Thorns", ((13, 8), (14, 8), (13, 9)), kind="dangerous"),
    ),
)
"""A field of Hexes for Torn. Each piece of its landscape fills a Hexon."""

WATCHTOWER = Scene(
    ruleset="knights_of_valour",
    grid=Grid("square", 22, 14, distance=5, units="feet"),
    walls=(
        Wall("north-wall", (13 * 64, 3 * 64, 18 * 64, 3 * 64)),
        Wall("gate", (18 * 64, 3 * 64, 18 * 64, 5 * 64), door="door"),
    ),
    terrain=(
        Terrain("ravine", "Ravine", _block(8, 0, 9, 9), kind="gap"),
        Terrain("brook", "Brook", _block(8, 10, 9, 13), 2),
        Terrain("rampart", "Rampart", _block(13, 3, 17, 4), kind="raised", height=5),
        Terrain("keep", "Keep", _block(14, 3, 16, 3), kind="raised", height=10),
        Terrain("crag", "Crag", _block(15, 9, 17, 11), kind="cliff", height=12),
        Terrain("fence", "Fence", _block(11, 6, 11, 11), kind="obstacle", height=4),
        Terrain("thicket", "Thicket", _block(3, 2, 4, 4), 2, blocks_sight=True),
        Terrain("rocks", "Rocks", _block(5, 9, 6, 9), 0, blocks_sight=True),
    ),
)
"""A ravine, a rampart to climb, a fence to vault and a crag, for Knights of Valour."""

RUIN = Scene(
    ruleset="miniatures_combat",
    grid=Grid("gridless", 48, 32, units="inches"),
    conditions={
        "side": "orcs",
        "story event": "The bearer leaves in a boat.",
        "major story event": "A ranger arrives at the edge of the board.",
    },
    walls=(
        Wall("ruin-north", (24 * 64, 5 * 64, 29 * 64, 5 * 64)),
        Wall("ruin-east", (29 * 64, 5 * 64, 29 * 64, 9 * 64)),
    ),
    terrain=(
        Terrain("wood", "Wood", _block(8, 3, 12, 7), 2, blocks_sight=True),
        Terrain("brook", "Brook", _block(18, 20, 19, 31), 2),
        Terrain("fallen-wall", "Fallen wall", _block(31, 17, 34, 17), kind="cover"),
        Terrain("rock", "Rock", _block(26, 24, 28, 26), 0, blocks_sight=True),
        Terrain("hill", "Hill", _block(36, 5, 44, 12), height=10),
    ),
)
"""The field of the example of play of Miniatures combat, in inches; the orcs have the first turn."""


MARKET = Scene(
    ruleset="double_life",
    grid=Grid("square", 18, 12, distance=1, units="meters"),
    walls=(
        Wall("house-north", (7 * 64, 2 * 64, 11 * 64, 2 * 64)),
        Wall("house-south", (7 * 64, 4 * 64, 10 * 64, 4 * 64)),
        Wall("house-door", (10 * 64, 4 * 64, 11 * 64, 4 * 64), door="door"),
        Wall("house-west", (7 * 64, 2 * 64, 7 * 64, 4 * 64)),
        Wall("house-east", (11 * 64, 2 * 64, 11 * 64, 4 * 64)),
    ),
    terrain=(
        Terrain("stalls", "Market stalls", _block(5, 9, 7, 9), 0),
        Terrain("well", "Well", ((13, 8),), 0),
        Terrain("barrels", "Barrels", _block(11, 6, 12, 6), 2),
        Terrain("hay", "Hay cart", _block(3, 3, 4, 4), 0, blocks_sight=True),
    ),
)
"""A market square with a house, for Double Life; a case is a meter."""


CHAPEL = Scene(
    ruleset="any_system",
    grid=Grid("square", 22, 14, distance=5, units="feet"),
    house_rules={"any_system.system": "dnd5e"},
    walls=(
        Wall("chapel-west", (9 * 64, 3 * 64, 9 * 64, 9 * 64)),
        Wall("chapel-north", (9 * 64, 3 * 64, 16 * 64, 3 * 64)),
        Wall("chapel-south", (9 * 64, 9 * 64, 13 * 64, 9 * 64)),
        Wall("chapel-door", (9 * 64, 9 * 64, 9 * 64, 10 * 64), door="door"),
    ),
    terrain=(
        Terrain("rubble", "Rubble", _block(13, 9, 16, 10), 2),
        Terrain("altar", "Altar", _block(12, 5, 13, 5), 0),
        Terrain("statue", "Statue", ((6, 6),), 0, blocks_sight=True, height=10),
        Terrain("brambles", "Brambles", _block(3, 10, 5, 12), 2, blocks_sight=True),
    ),
)
"""A chapel in ruins, for a game of any system; a square is 5 feet."""


BRIDGE = Scene(
    ruleset="fifth_edition",
    grid=Grid("square", 20, 13, distance=5, units="feet"),
    walls=(
        Wall("gatehouse-west", (13 * 64, 3 * 64, 13 * 64, 5 * 64)),
        Wall("gatehouse-west-2", (13 * 64, 8 * 64, 13 * 64, 10 * 64)),
        Wall("gatehouse-gate", (13 * 64, 5 * 64, 13 * 64, 8 * 64), door="door", state="open"),
        Wall("gatehouse-north", (13 * 64, 3 * 64, 17 * 64, 3 * 64)),
        Wall("gatehouse-south", (13 * 64, 10 * 64, 17 * 64, 10 * 64)),
    ),
    terrain=(
        Terrain("reeds", "Reeds", _block(3, 9, 6, 11), 2),
        Terrain("boulder", "Boulder", _block(8, 3, 8, 3), 0, blocks_sight=True),
        Terrain("rubble", "Rubble", _block(10, 7, 11, 8), 2),
    ),
)
"""A gatehouse behind a bridge, for the fifth edition; a square is 5 feet."""


def _dressing(name: str, *cells: Cell) -> Terrain:
    """Return terrain of a name that costs nothing, hides nothing and has no kind."""
    return Terrain(name.lower().replace(" ", "-"), name, cells)


TAVERN_DRESSING = (
    _dressing("Cobbles", *_block(1, 1, 6, 9), *_block(5, 10, 6, 12)),
    _dressing("Planks", *_block(7, 1, 18, 8), *_block(1, 10, 4, 12)),
    _dressing("Flagstones", *_block(7, 9, 18, 12)),
    _dressing("Hearth", (10, 4)),
    _dressing("Crates", (4, 3), (3, 7)),
    _dressing("Path", *_block(0, 6, 0, 7), (19, 10)),
)
MARKET_DRESSING = (
    _dressing("Track", *_block(0, 5, 17, 7)),
    _dressing("Boards", *_block(7, 2, 10, 3)),
    _dressing("Lanterns", (6, 2), (11, 2), (6, 8), (13, 9), (15, 4)),
)
WATCHTOWER_DRESSING = (
    _dressing("Path", *_block(0, 6, 7, 7), *_block(10, 6, 21, 7)),
    _dressing("Torches", (13, 5), (17, 5), (2, 5), (20, 8)),
)
RUIN_DRESSING = (
    _dressing("Flagstones", *_block(24, 5, 28, 8)),
    _dressing("Track", *_block(0, 14, 47, 16)),
    _dressing("Embers", (34, 13)),
)
CHAPEL_DRESSING = (
    _dressing("Flagstones", *_block(9, 3, 15, 8)),
    _dressing("Path", *_block(0, 7, 8, 8)),
    _dressing("Candles", (11, 4), (14, 4)),
)
BRIDGE_DRESSING = (
    _dressing("Road", *_block(0, 5, 12, 7)),
    _dressing("Cobbles", *_block(13, 3, 16, 9)),
    _dressing("Torches", (13, 4), (13, 9)),
)
FORD_DRESSING = (
    _dressing("Shallows", *_block(20, 0, 21, 15)),
    _dressing("Mud", *_block(2, 12, 4, 14)),
    _dressing("Lantern", (8, 5)),
)


def _line(unit: str, name: str, side: str, start: Cell, facing: int) -> tuple[Placed, ...]:
    """Return six models of a unit in a line down the board, one and a half inches apart."""
    x, y = start
    return tuple(Placed(unit, f"{name} {i + 1}", side, (x, y + 96 * i), facing) for i in range(6))


BATTLES: dict[str, DemoBattle] = {
    "fifth_edition": DemoBattle(
        BRIDGE,
        "The gatehouse",
        (Side(id="heroes", name="Heroes"), Side(id="horde", name="Horde")),
        (
            Placed("veteran", "Aldis", "heroes", (5, 6), 90),
            Placed("scout", "Wren", "heroes", (3, 5), 90),
            Placed("mage", "Mirel", "heroes", (2, 7), 90),
            Placed("infantry", "Bran", "heroes", (6, 7), 90),
            Placed("goblin", "Goblin 1", "horde", (9, 5), 270),
            Placed("goblin", "Goblin 2", "horde", (15, 4), 270),
            Placed("hobgoblin", "Hobgoblin", "horde", (9, 7), 270),
            Placed("zombie", "Zombie", "horde", (11, 6), 270),
            Placed("ogre", "Ogre", "horde", (15, 6), 270),
        ),
        BRIDGE_DRESSING,
    ),
    "any_system": DemoBattle(
        CHAPEL,
        "The chapel in ruins",
        (Side(id="party", name="The Party"), Side(id="cult", name="The Cult")),
        (
            Placed("token", "Aldis", "party", (5, 7), 90),
            Placed("archer", "Wren", "party", (3, 6), 90),
            Placed("token", "Bran", "party", (7, 8), 90),
            Placed("archer", "Mirel", "party", (2, 9), 90),
            Placed("token", "Cultist 1", "cult", (8, 7), 270),
            Placed("archer", "Cultist 2", "cult", (12, 7), 270),
            Placed("flier", "Winged horror", "cult", (14, 6), 270),
            Placed("giant", "Giant", "cult", (17, 9), 270),
        ),
        CHAPEL_DRESSING,
    ),
    "double_life": DemoBattle(
        MARKET,
        "The brawl on the market",
        (Side(id="watch", name="The Watch"), Side(id="raiders", name="Raiders")),
        (
            Placed("human-sword", "Aldis", "watch", (5, 6), 90),
            Placed("dwarf-guard", "Durin", "watch", (5, 7), 90),
            Placed("elf-doubler", "Ilvane", "watch", (3, 6), 90),
            Placed("gnome-dagger", "Pip", "watch", (6, 5), 90),
            Placed("orc-axe", "Grash", "raiders", (9, 6), 270),
            Placed("orc-guard", "Murg", "raiders", (9, 7), 270),
            Placed("troll", "Troll", "raiders", (13, 5), 270),
            Placed("gnome-doubler", "Nix", "raiders", (11, 8), 270),
        ),
        MARKET_DRESSING,
    ),
    "miniatures_combat": DemoBattle(
        RUIN,
        "The last stand at the ruin",
        (Side(id="company", name="The Company"), Side(id="orcs", name="Orcs")),
        (
            Placed("captain", "Borin", "company", (29 * 64, 15 * 64), 270),
            Placed("halfling", "Mell", "company", (30 * 64, 13 * 64), 270),
            Placed("halfling", "Pippa", "company", (30 * 64, 17 * 64), 270),
            *_line("orc_swordsman", "Sword", "orcs", (16 * 64, 11 * 64), 90),
            *_line("orc_bowman", "Bow", "orcs", (12 * 64, 12 * 64), 90),
        ),
        RUIN_DRESSING,
    ),
    "knights_of_valour": DemoBattle(
        WATCHTOWER,
        "The watchtower at the ravine",
        (Side(id="heroes", name="Heroes"), Side(id="horde", name="Horde")),
        (
            Placed("fighter", "Aldis", "heroes", (5, 6), 90),
            Placed("wizard", "Mirel", "heroes", (3, 7), 90),
            Placed("ranger", "Wren", "heroes", (4, 5), 90),
            Placed("thief", "Pip", "heroes", (6, 7), 90),
            Placed("bard", "Ilvane", "heroes", (4, 8), 90),
            Placed("monk", "Bran", "heroes", (6, 11), 90),
            Placed("goblin", "Goblin", "horde", (10, 7), 270),
            Placed("goblin-spear-thrower", "Spear-thrower", "horde", (13, 4), 270),
            Placed("orc", "Orc", "horde", (12, 8), 270),
            Placed("wolf", "Wolf", "horde", (7, 6), 270),
            Placed("skeleton-archer", "Skeleton", "horde", (15, 3), 270),
            Placed("troll", "Troll", "horde", (13, 10), 270),
        ),
        WATCHTOWER_DRESSING,
    ),
    "torn": DemoBattle(
        FORD,
        "The tower at the ford",
        (Side(id="castila", name="Castila"), Side(id="doomed", name="The Doomed")),
        (
            Placed("captain-of-castila", "Captain", "castila", (4, 6), 90),
            Placed("musketeer-of-castila", "Musketeer", "castila", (5, 9), 90),
            Placed("halberdier-guardsman", "Halberdier", "castila", (7, 6), 90),
            Placed("hunter-of-saints", "Hunter", "castila", (9, 6), 90),
            Placed("wind-sister", "Wind Sister", "castila", (6, 11), 90),
            Placed("torgwar", "Torgwar", "doomed", (17, 4), 270),
            Placed("the-returned", "Returned 1", "doomed", (9, 5), 270),
            Placed("the-returned", "Returned 2", "doomed", (14, 6), 270),
            Placed("doomed-grenadier", "Grenadier", "doomed", (15, 9), 270),
            Placed("rogue-of-the-shadow-step", "Rogue", "doomed", (12, 8), 270),
            Placed("otraak", "Otraak", "doomed", (17, 7), 270),
        ),
        FORD_DRESSING,
    ),
    "coup_de_grace": DemoBattle(
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
        TAVERN_DRESSING,
    ),
}


UNITS_PER_SIDE = 4
"""The units of a side in the demo battle of a ruleset from another package."""


def demo_battle(ruleset: Ruleset) -> Imported:
    """Return the demo battle of a ruleset with its units in place, and the map's picture.

    A ruleset of another package gets a bare board with the first units of its catalog on both sides.
    """
    battle = BATTLES.get(ruleset.key) or _bare_battle(ruleset)
    found = _map(ruleset, battle.map)
    tokens = tuple(_token(ruleset, placed) for placed in battle.placed)
    terrain = (*battle.dressing, *found.scene.terrain)
    scene = replace(found.scene, name=battle.title, sides=battle.sides, tokens=tokens, terrain=terrain)
    return replace(found, scene=scene, image=None, image_type="")


def _bare_battle(ruleset: Ruleset) -> DemoBattle:
    grid = empty_board(ruleset)
    middle = grid.rows // 2
    sides = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
    placed = []
    for side, column, facing in (
        (sides[0], grid.columns // 2 - 2, 90),
        (sides[1], grid.columns // 2 + 1, 270),
    ):
        for number in range(UNITS_PER_SIDE):
            unit = ruleset.catalog[number % len(ruleset.catalog)]
            at = (column, middle - UNITS_PER_SIDE + 2 * number)
            at = (at[0] * CELL, at[1] * CELL) if grid.kind == "gridless" else at
            name = f"{side.name} {unit.name} {number + 1}"
            placed.append(Placed(unit.key, name, side.id, at, facing))
    return DemoBattle(Scene(ruleset=ruleset.key, grid=grid), ruleset.title, sides, tuple(placed))


def _map(ruleset: Ruleset, name: str | Scene) -> Imported:
    if isinstance(name, Scene):
        return Imported(kind="enfilade", scene=name)
    data = resources.files("enfilade").joinpath("maps", name).read_bytes()
    found = read_map(data, name, ruleset=ruleset.key)
    assert isinstance(found, Imported), f"{name} is a map"
    return found


def _token(ruleset: Ruleset, placed: Placed) -> Token:
    unit = next(unit for unit in ruleset.catalog if unit.key == placed.unit)
    return Token(
        id=placed.name.lower().replace(" ", "-"),
        name=placed.name,
        side=placed.side,
        at=placed.at,
        facing=placed.facing,
        profile=unit.profile,
    )
