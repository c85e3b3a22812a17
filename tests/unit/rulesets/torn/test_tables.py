"""The rule page holds the tables of tiles and miniatures; house rules have their options."""

from __future__ import annotations

from pathlib import Path

from enfilade.rulesets.torn import TORN, catalog
from enfilade.rulesets.torn.house_rules import HOUSE_RULES
from enfilade.rulesets.torn.profiles import Tile, read_miniature
from enfilade.scene.model import Token

PAGE = Path(__file__).parents[4] / "docs" / "rulesets" / "torn.md"
TILES = [value for value in vars(catalog).values() if isinstance(value, Tile)]


def table(heading):
    """The rows of the table under a heading of the rule page."""
    text = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("###")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[entry.strip() for entry in row.strip("|").split("|")] for row in rows]


def distance(tile):
    plural = {"hex": "hexes", "hexon": "hexons"}
    return f"{tile.range} {tile.unit if tile.range == 1 else plural[tile.unit]}"


def dice(tile):
    counts = ((tile.attack, "Attack"), (tile.skill, "Skill"), (tile.agility, "Agility"))
    return ", ".join(f"{count} {name}" for count, name in counts if count)


def special(tile):
    notes = [tile.marker, tile.effect]
    notes += [word for word in ("ethereal", "area", "assault") if getattr(tile, word)]
    return ", ".join(word for word in notes if word)


def test_the_page_has_the_action_tiles():
    assert table("Action Tiles") == [
        [tile.name, tile.kind, distance(tile), dice(tile), str(tile.damage), tile.type, special(tile)]
        for tile in TILES
    ]


def test_the_page_has_the_ready_made_miniatures():
    shown = []
    for unit in TORN.catalog:
        card = read_miniature(Token(id="a", name="A", side="s", profile=unit.profile)).profile
        notes = [*card.traits, *(f"immune to {damage}" for damage in card.immune)]
        notes += [f"protected from {damage}" for damage in card.protected]
        notes += [f"vulnerable to {damage}" for damage in card.vulnerable]
        notes += [f"{len(card.hexons)} Hexons"] if card.hexons != ((0, 0),) else []
        tiles = ", ".join(tile.name for tile in card.tiles)
        numbers = [str(number) for number in (card.wounds, card.defense, card.agility)]
        shown.append([unit.name, card.size, *numbers, tiles, ", ".join(notes)])
    assert table("Ready-made miniatures") == shown


def test_large_miniatures_have_the_large_tiles_and_a_huge_one_two_hexons_side_by_side():
    units = {unit.key: unit.profile for unit in TORN.catalog}
    for key in ("otraak", "the-faceless-one", "colossus"):
        assert all(tile["unit"] == "hexon" for tile in units[key]["tiles"])
    assert [list(hexon) for hexon in units["colossus"]["hexons"]] == [[0, 0], [1, 0]]


def test_the_options_of_every_house_rule():
    options = {rule.key.removeprefix("torn."): rule.options for rule in HOUSE_RULES}
    yes_or_no = {key for key, values in options.items() if isinstance(values[0], bool)}
    assert yes_or_no == {
        "huge_give_cover",
        "low_visibility_criticals",
        "assault_beside_enemy",
        "counter_uses_activation",
        "ejection",
        "area_allies",
        "stunned_counter",
        "harmless_reactions",
    }
    assert {options[key] for key in yes_or_no - {"harmless_reactions"}} == {(True, False)}
    assert options["harmless_reactions"] == (False, True)
    assert (options["hexon_origin"], options["actions"]) == ((0, 1, 2, 3, 4, 5, 6), (2, 1, 3, 4))
    assert (options["protection_dice"], options["condition_wounds"], options["slowed_by"]) == (
        (1, 0, 2, 3),
        (1, 0, 2),
        (1, 0, 2),
    )
    assert options["skill_die"] == options["agility_die"]
    assert options["skill_die"] == ("S-----", "SS----", "SSS---", "SSSS--", "SSSSS-")
    assert options["attack_die"] == (
        *("SS----", "SSC---", "SSCC--"),
        *("SSS---", "SSSC--", "SSSCC-"),
        *("SSSS--", "SSSSC-"),
    )
    assert options["defense_die"] == (
        *("S-----", "SC----", "SCC---"),
        *("SS----", "SSC---", "SSCC--"),
        *("SSS---", "SSSC--", "SSSCC-"),
    )
    defaults = {rule.key.removeprefix("torn."): rule.default for rule in HOUSE_RULES}
    assert all(type(defaults[key]) is type(options[key][0]) for key in options)
    assert all(defaults[key] in options[key] for key in options)
    assert defaults["hexon_origin"] == 0
    assert defaults["attack_die"] == "SSSC--"
