"""Cover by Hexon Lines, blind zones and Defense Zones (TRN-039 to TRN-060)."""

from __future__ import annotations

import pytest

from enfilade.rules.dice import SeededDice
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.rulesets.torn.sight import blind_zone, defense_zone, is_in_smoke, sight, unseen_reason
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    BOW,
    ally,
    attack,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    hexon_cells,
    landscape,
    rolls,
    scene,
    shoot,
    with_condition,
)

CHIRALITIES = ["left", "right"]


def rim_hex(*directions, chirality="left"):
    """Return the Hex of the middle Hexon that touches exactly the Hexons in these directions."""
    board = scene(chirality=chirality)
    field = battlefield(board)
    center = field.hexon_at((10, 10))
    wanted = {(center[0] + i, center[1] + j) for i, j in directions}
    touching = (
        cell
        for cell in hexon_cells((0, 0), chirality)
        if wanted <= set(field.lattice.adjacent_hexons(field.board.axial(cell)))
    )
    return next(touching)


def sees(board, viewer, target):
    return not unseen_reason(board, read_miniature(board.token(viewer)), read_miniature(board.token(target)))


def see_each_other(board, a, b):
    assert sees(board, a, b) == sees(board, b, a)
    return sees(board, a, b)


def hider(at, *others, terrain, chirality="left", **card):
    return scene(ally("a", at, **card), *others, terrain=terrain, chirality=chirality)


@pytest.mark.rule("TRN-039")
def test_by_default_every_enemy_is_visible():
    board = scene(ally("a", (10, 10)), foe("b", hexon_cell((3, 0))))
    assert see_each_other(board, "a", "b")


@pytest.mark.rule("TRN-040")
def test_a_property_or_a_god_card_makes_a_miniature_invisible_but_not_blind():
    board = scene(ally("a", (10, 10), traits=("invisible",)), foe("b", hexon_cell((3, 0))))
    assert not sees(board, "b", "a")
    assert sees(board, "a", "b")
    hidden = with_condition(scene(ally("a", (10, 10)), foe("b", hexon_cell((3, 0)))), "a", "unseen")
    assert "God card" in unseen_reason(
        hidden, read_miniature(hidden.token("b")), read_miniature(hidden.token("a"))
    )


@pytest.mark.rule("TRN-040", "TRN-041", "TRN-042")
@pytest.mark.parametrize(
    ("kind", "covers"),
    [("volume", True), ("vortex", True), ("smoke", False), ("dangerous", False), ("marker", False)],
)
def test_only_closing_landscape_gives_cover(kind, covers):
    at = rim_hex((1, 0))
    board = hider(at, foe("b", hexon_cell((2, 0))), terrain=[landscape((1, 0), kind=kind)])
    assert see_each_other(board, "a", "b") is not covers


@pytest.mark.rule("TRN-043")
def test_low_visibility_rerolls_each_success_once_after_agility():
    bow = {**BOW, "agility": 1}
    there = hexon_cell((2, 0))
    board = scene(
        ally("wren", (10, 10), tiles=(bow,)), foe("orc", there), terrain=[landscape((2, 0), kind="smoke")]
    )
    done = do(board, shoot("wren", "orc"), "C-" + "S" + "S" + "-S" + "--" + "-", ("attack blank 1", "defend"))
    assert rolls(done)[2:4] == ["attack reroll S", "low visibility reroll -S"]
    assert explanation_facts(done, "attack roll")[0] == {"successes": 1, "criticals": 0, "skill": 0}


@pytest.mark.rule("TRN-043")
def test_low_visibility_spares_melee_and_by_a_house_rule_criticals():
    smoke = [landscape((0, 0), kind="smoke")]
    board = scene(ally("aldis", (10, 10)), foe("orc", (11, 10)), terrain=smoke)
    done = do(board, attack("aldis", "orc"), "SS" + "-" + "-" + "--" + "-", ("defend",))
    assert "low visibility" not in " ".join(rolls(done))
    there = hexon_cell((2, 0))
    kept = scene(
        ally("wren", (10, 10), tiles=(BOW,)),
        foe("orc", there),
        terrain=[landscape((2, 0), kind="smoke")],
        house_rules={"torn.low_visibility_criticals": False},
    )
    done = do(kept, shoot("wren", "orc"), "CS" + "-" + "--" + "-", ("defend",))
    assert rolls(done)[1] == "low visibility reroll -"


@pytest.mark.rule("TRN-044")
def test_smoke_in_one_hex_fills_its_hexon():
    smoke = landscape((2, 0), kind="smoke")
    one_hex = type(smoke)(id="smoke", name="smoke", cells=smoke.cells[:1], kind="smoke")
    board = scene(foe("orc", hexon_cells((2, 0))[4]), foe("elf", hexon_cell((3, 0))), terrain=[one_hex])
    assert is_in_smoke(board, read_miniature(board.token("orc")))
    assert not is_in_smoke(board, read_miniature(board.token("elf")))


@pytest.mark.rule("TRN-045")
@pytest.mark.parametrize("chirality", CHIRALITIES)
def test_a_hexon_line_is_straight(chirality):
    """On the line behind the landscape a large miniature is not seen; one Hexon off it, it is."""
    board = hider(
        (10, 10),
        foe("on", hexon_cell((3, 0), chirality)),
        foe("off", hexon_cell((3, -1), chirality)),
        terrain=[landscape((1, 0), chirality=chirality)],
        chirality=chirality,
        size="large",
    )
    assert not see_each_other(board, "a", "on")
    assert see_each_other(board, "a", "off")


@pytest.mark.rule("TRN-046")
@pytest.mark.parametrize("chirality", CHIRALITIES)
def test_infantry_has_cover_only_in_a_hex_adjacent_to_the_landscape(chirality):
    behind = hexon_cell((2, 0), chirality)
    terrain = [landscape((1, 0), chirality=chirality)]
    for cell in hexon_cells((0, 0), chirality):
        board = hider(cell, foe("b", behind), terrain=terrain, chirality=chirality)
        field = battlefield(board)
        touches = bool(field.adjacent_hexes([cell]) & set(terrain[0].cells))
        assert see_each_other(board, "a", "b") is not touches


@pytest.mark.rule("TRN-046")
def test_landscape_that_fills_its_hexon_in_part_covers_only_those_beside_its_hexes():
    at = rim_hex((1, 0), (1, -1))
    field = battlefield(scene())
    far = next(cell for cell in hexon_cells((1, 0)) if cell not in field.adjacent_hexes([at]))
    board = hider(
        at, foe("b", hexon_cell((2, 0))), terrain=[Terrain(id="v", name="v", cells=(far,), kind="volume")]
    )
    assert see_each_other(board, "a", "b")


@pytest.mark.rule("TRN-047", "TRN-048", "TRN-049", "TRN-050")
@pytest.mark.parametrize("chirality", CHIRALITIES)
@pytest.mark.parametrize("turn", range(6))
def test_trn_t20_the_blind_zone_of_one_landscape_in_every_direction(turn, chirality):
    """T20: with the landscape along +x the zone holds (1,0) (2,0) (2,-1) (1,1), and neither border line."""

    def turned(hexon):
        i, j = hexon
        for _ in range(turn):
            i, j = -j, i + j
        return i, j

    inside = [(1, 0), (2, 0), (2, -1), (1, 1)]
    outside = [(1, -1), (2, -2), (0, 1), (0, 2), (-1, 0), (0, -1), (-1, 1), (-2, 1)]
    cover = turned((1, 0))
    board = hider(
        rim_hex(cover, chirality=chirality),
        terrain=[landscape(cover, chirality=chirality)],
        chirality=chirality,
    )
    zone = blind_zone(board, read_miniature(board.token("a")))
    own = battlefield(board).hexon_at((10, 10))
    assert all((own[0] + i, own[1] + j) in zone for i, j in map(turned, inside))
    assert not any((own[0] + i, own[1] + j) in zone for i, j in map(turned, outside))


@pytest.mark.rule("TRN-048", "TRN-049")
def test_trn_t10_cover_of_one_landscape():
    """D and E in the zone do not see A; F and H outside do; B on a border line does."""
    at = rim_hex((1, 0))
    others = {"d": (2, 0), "e": (2, -1), "f": (-1, 0), "h": (0, 2), "b": (3, -3)}
    board = hider(
        at, *(foe(name, hexon_cell(hexon)) for name, hexon in others.items()), terrain=[landscape((1, 0))]
    )
    assert [see_each_other(board, "a", name) for name in "defhb"] == [False, False, True, True, True]


@pytest.mark.rule("TRN-050")
def test_trn_t10_a_miniature_beside_the_far_side_of_the_landscape_does_not_see_over_it():
    """A stands in the zone of C, though C stands in none of A's: A is not adjacent to the landscape."""
    board = scene(ally("a", (10, 10)), terrain=[landscape((1, 0))])
    field = battlefield(board)
    far = [c for c in hexon_cells((2, 0)) if field.adjacent_hexes([c]) & set(hexon_cells((1, 0)))]
    board = scene(ally("a", (10, 10)), foe("c", far[0]), terrain=[landscape((1, 0))])
    a = read_miniature(board.token("a"))
    assert not blind_zone(board, a).sectors
    assert not see_each_other(board, "a", "c")


@pytest.mark.rule("TRN-051")
@pytest.mark.parametrize("chirality", CHIRALITIES)
def test_trn_t11_and_t20_two_landscapes_make_one_zone_with_a_straight_border(chirality):
    """Landscape along +x and its neighbor: all Hexons of the half plane, and none on the line x = 0."""
    at = rim_hex((1, 0), (1, -1), chirality=chirality)
    board = hider(at, terrain=[landscape((1, 0), (1, -1), chirality=chirality)], chirality=chirality)
    zone = blind_zone(board, read_miniature(board.token("a")))
    own = battlefield(board).hexon_at((10, 10))
    for i in range(-4, 5):
        for j in range(-4, 5):
            assert ((own[0] + i, own[1] + j) in zone) == (i > 0)


@pytest.mark.rule("TRN-051")
def test_trn_t11_on_the_border_line_they_see_each_other():
    at = rim_hex((1, 0), (1, -1))
    board = hider(
        at,
        foe("b", hexon_cell((0, 3))),
        foe("e", hexon_cell((-2, 1))),
        foe("h", hexon_cell((2, -1))),
        terrain=[landscape((1, 0), (1, -1))],
    )
    assert [see_each_other(board, "a", name) for name in "beh"] == [True, True, False]


@pytest.mark.rule("TRN-052")
def test_a_large_miniature_has_cover_only_beside_the_landscape():
    behind = foe("b", hexon_cell((3, 0)))
    beside = hider((10, 10), behind, terrain=[landscape((1, 0))], size="large")
    apart = hider((10, 10), behind, terrain=[landscape((2, 0))], size="large")
    assert not see_each_other(beside, "a", "b")
    assert sees(apart, "b", "a") or blind_zone(apart, read_miniature(apart.token("b"))).sectors


@pytest.mark.rule("TRN-053", "TRN-054")
def test_trn_t12_only_the_line_through_the_landscape_is_blind_to_a_large_miniature():
    board = hider(
        (10, 10),
        foe("e", hexon_cell((3, 0))),
        foe("c", hexon_cell((2, 1))),
        foe("d", hexon_cell((3, -1))),
        terrain=[landscape((1, 0))],
        size="large",
    )
    assert [see_each_other(board, "a", name) for name in "ecd"] == [False, True, True]


@pytest.mark.rule("TRN-055")
def test_a_huge_miniature_is_seen_by_all():
    huge = foe("huge", hexon_cell((2, 0)), size="huge", hexons=((0, 0), (1, 0)))
    board = scene(ally("a", rim_hex((1, 0))), huge, terrain=[landscape((1, 0))])
    assert sees(board, "a", "huge")
    assert not sees(board, "huge", "a")
    assert not blind_zone(board, read_miniature(board.token("huge"))).sectors


@pytest.mark.rule("TRN-056")
def test_a_huge_miniature_closes_the_view_of_others_by_a_house_rule():
    huge = foe("huge", hexon_cell((1, 0)), size="huge", hexons=((0, 0),))
    tokens = (ally("a", rim_hex((1, 0))), foe("b", hexon_cell((3, 0))), huge)
    assert not see_each_other(scene(*tokens), "a", "b")
    assert see_each_other(scene(*tokens, house_rules={"torn.huge_give_cover": False}), "a", "b")


def defense_rules(board, shooter, weapon="Bowshot", kind="ranged"):
    done = do(
        board,
        attack(shooter, "a", weapon, kind),
        dice=SeededDice(1),
    )
    return {m["rule"] for m in explanation_facts(done, "declared")[0]["defenses"]}


@pytest.mark.rule("TRN-057", "TRN-058", "TRN-059")
def test_trn_t13_a_large_miniature_has_advantage_against_attackers_in_its_defense_zone():
    board = scene(
        foe("a", (10, 10), size="large"),
        ally("d", hexon_cell((2, -1)), tiles=(BOW,)),
        ally("e", hexon_cell((1, 1)), tiles=(BOW,)),
        ally("c", hexon_cell((0, 2)), tiles=(BOW,)),
        terrain=[landscape((1, 0))],
    )
    assert [("TRN-057" in defense_rules(board, name)) for name in "dec"] == [True, True, False]


@pytest.mark.rule("TRN-057")
def test_the_advantage_counts_against_melee_only_by_a_house_rule():
    maw = {"name": "Maw", "kind": "melee", "range": 2, "unit": "hexon", "attack": 2, "damage": 1}
    tokens = (foe("a", (10, 10), size="large"), ally("d", hexon_cell((2, -1)), tiles=(maw,)))
    terrain = [landscape((1, 0))]
    assert "TRN-057" not in defense_rules(scene(*tokens, terrain=terrain), "d", "Maw", "melee")
    everywhere = scene(*tokens, terrain=terrain, house_rules={"torn.advantage": "all"})
    assert "TRN-057" in defense_rules(everywhere, "d", "Maw", "melee")


@pytest.mark.rule("TRN-058")
def test_the_defense_zone_is_the_open_sector_between_the_lines():
    board = scene(foe("a", (10, 10), size="large"), terrain=[landscape((1, 0))])
    own = battlefield(board).hexon_at((10, 10))
    zone = defense_zone(board, read_miniature(board.token("a")))
    assert all((own[0] + i, own[1] + j) in zone for i, j in [(2, -1), (1, 1), (3, -1)])
    assert not any((own[0] + i, own[1] + j) in zone for i, j in [(1, -1), (0, 1), (-1, 0)])


@pytest.mark.rule("TRN-060")
def test_the_advantage_is_one_die_however_much_landscape_there_is():
    board = scene(
        foe("a", (10, 10), size="large"),
        ally("d", hexon_cell((2, -1)), tiles=(BOW,)),
        terrain=[landscape((1, 0)), landscape((0, -1), (0, 1), (-1, 0))],
    )
    done = do(board, shoot("d", "a"), "SS" + "---" + "-", ("defend",))
    assert rolls(done)[1] == "defense ---"


@pytest.mark.rule("TRN-046")
@pytest.mark.parametrize("chirality", CHIRALITIES)
def test_each_hex_of_landscape_covers_those_that_it_touches_and_most_touch_nobody(chirality):
    behind = foe("b", hexon_cell((2, 0), chirality))
    field = battlefield(scene(chirality=chirality))
    rim = hexon_cells((0, 0), chirality)
    touched = {
        cell: [at for at in rim if cell in field.adjacent_hexes([at])]
        for cell in hexon_cells((1, 0), chirality)
    }
    assert sorted(map(len, touched.values())) == [0, 0, 0, 0, 0, 1, 2]
    for cell, beside in touched.items():
        part = [Terrain(id="v", name="v", cells=(cell,), kind="volume")]
        for at in rim:
            board = hider(at, behind, terrain=part, chirality=chirality)
            assert see_each_other(board, "a", "b") is (at not in beside)


@pytest.mark.rule("TRN-059")
@pytest.mark.parametrize(("second", "has_advantage"), [((1, -1), True), ((0, 1), False)])
def test_a_huge_attacker_stands_in_the_defense_zone_with_one_of_its_hexons(second, has_advantage):
    huge = ally("d", hexon_cell((0, 2)), tiles=(BOW,), size="huge", hexons=((0, 0), second))
    board = scene(foe("a", (10, 10), size="large"), huge, terrain=[landscape((1, 0))])
    assert ("TRN-057" in defense_rules(board, "d")) is has_advantage


@pytest.mark.rule("TRN-056", "TRN-059")
def test_the_body_of_a_huge_attacker_is_no_landscape_for_its_target():
    # "Often, Huge Miniatures themselves tend to give Cover to other Miniatures": against its own shot it did.
    bow = {**BOW, "assault": True}
    huge = ally("d", hexon_cell((1, 0)), tiles=(bow,), size="huge", hexons=((0, 0), (1, 0)))
    board = scene(foe("a", (10, 10), size="large"), huge)
    assert "TRN-057" not in defense_rules(board, "d")
    assert not sight(board, board.token("d"), board.token("a")).cover
    behind = ally("e", hexon_cell((3, -1)), tiles=(bow,))
    assert "TRN-057" in defense_rules(scene(foe("a", (10, 10), size="large"), huge, behind), "e")
