"""Threatened cells and engagements, compared with the rules of attacks."""

import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import mask_in_range
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.movement_costs import movement_field, shared_movement_graph
from enfilade.rulesets.coup_de_grace.offers import strikes
from enfilade.rulesets.coup_de_grace.overlays import threatened_after_a_move
from enfilade.scene.model import Terrain
from tests.seeds import seeds
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    TEAMS,
    WEST,
    active,
    allowance,
    battle,
    cells,
    foe,
    judge,
    mini,
    reach,
    wall,
    why_not,
)

NOW = "Enemies can attack here now"
AFTER = "Enemies can attack here in melee after a move"
EACH = "Ann and Orc double each other's movement costs"
HANDS = [
    ("sword", "fist"),
    ("bow",),
    ("crossbow", "sword"),
    ("mage right fist", "open hand"),
    ("mage right open hand", "shield"),
    ("grappling hook", "shield"),
]


def can_strike(scene, kinds):
    """Return whether the orc may attack Ann now with one of some acts."""
    found = strikes(battlefield(scene), battlefield(scene).fighter("orc"))
    return any(why_not(scene, each) is None for each in found if each.target == "ann" and each.kind in kinds)


def moved(scene, at, facing, cost):
    tokens = tuple(replace(t, at=at, facing=facing) if t.id == "orc" else t for t in scene.tokens)
    return active(replace(scene, tokens=tokens), "orc", mp=allowance(scene, "orc") - cost)


def can_come_and_strike(scene):
    """Return whether the newly activated orc may move or turn, and then attack Ann in melee."""
    scene = active(scene, "orc")
    here = scene.token("orc").at
    has_fist = "mage right fist" in scene.token("orc").profile["hands"]
    for at, cost in reach(scene, "orc").items():
        for facing in battlefield(scene).facings:
            spent = judge(scene, "orc", here, facing).cost if at == here else cost
            if spent <= allowance(scene, "orc"):
                kinds = ("melee", "spell") if has_fist else ("melee",)
                if can_strike(moved(scene, at, facing, spent), kinds):
                    return True
    return False


def random_battle(seed):
    chance = random.Random(seed)
    places = [(x, y) for x in range(7) for y in range(7)]
    ann, orc, other = chance.sample(places, 3)
    hands = chance.choice(HANDS)
    walls = [wall(x, y, x + 1, y) for x, y in chance.sample(places, 6)]
    rules = {"adjacency": chance.choice(["edges", "edges and corners"])}
    rubble = Terrain(id="rubble", name="Rubble", cells=tuple(chance.sample(places, 5)), cost=2)
    return battle(
        mini("Ann", at=ann),
        foe("Orc", at=orc, hands=hands, facing=chance.choice([0, 90, 180, 270])),
        mini("Bo", at=other),
        grid=chance.choice(["square", "hex_odd_r"]),
        size=(7, 7),
        rules=rules,
        walls=tuple(walls),
        terrain=(rubble,),
    )


@pytest.mark.rule("CDG-014", "CDG-049", "CDG-050")
@pytest.mark.parametrize("seed", seeds(120))
def test_a_cell_with_an_enemy_is_threatened_exactly_where_the_rules_allow_an_attack(seed):
    scene = random_battle(seed)
    drawn = cells(scene, "ann", "threat")
    assert (scene.token("ann").at in drawn[NOW]) == can_strike(scene, ("melee", "ranged", "spell"))


@pytest.mark.rule("CDG-033", "CDG-040", "CDG-045")
@pytest.mark.parametrize("seed", seeds(60))
def test_and_after_a_move_exactly_where_one_leads_to_a_melee_attack(seed):
    scene = random_battle(seed)
    drawn = cells(scene, "ann", "threat")
    if scene.token("ann").at not in drawn[NOW]:  # what is threatened now is not drawn twice
        assert (scene.token("ann").at in drawn[AFTER]) == can_come_and_strike(scene)


def test_threat_is_the_enemies_alone_and_goes_by_their_facing():
    scene = battle(mini("Ann", at=(2, 2)), mini("Bo", at=(8, 8)), foe("Orc", at=(5, 5), facing=EAST))
    assert cells(scene, "ann", "threat")[NOW] == {(6, 5)}
    assert cells(scene, "orc", "threat")[NOW] == {(2, 1), (8, 7)}
    turned = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(5, 5), facing=WEST))
    assert cells(turned, "ann", "threat")[NOW] == {(4, 5)}


def test_a_downed_enemy_threatens_all_round_and_comes_nowhere():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(5, 5), hp=0))
    drawn = cells(scene, "ann", "threat")
    assert drawn[NOW] == {(5, 4), (6, 5), (5, 6), (4, 5)}
    assert not drawn[AFTER]


@pytest.mark.rule("CDG-036", "CDG-040")
def test_a_miniature_that_cannot_turn_threatens_only_straight_ahead():
    around = [mini("Ann", at=(5, 4)), mini("Bo", at=(4, 5)), mini("Cy", at=(5, 6))]
    drawn = cells(battle(*around, foe("Orc", at=(5, 5), facing=EAST)), "ann", "threat")
    assert (drawn[NOW], drawn[AFTER]) == ({(6, 5)}, set())
    freer = cells(battle(*around[:2], foe("Orc", at=(5, 5), facing=EAST)), "ann", "threat")
    assert (5, 4) in freer[AFTER]


def engagements(scene):
    return {one.tokens: one.label for one in COUP_DE_GRACE.engagements(scene)}


@pytest.mark.rule("CDG-040")
def test_adjacent_enemies_are_engaged_and_the_effect_is_stated():
    apart = [mini("Bo", at=(2, 1)), foe("Snag", at=(9, 9))]
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(3, 2)), *apart)
    assert engagements(scene) == {("ann", "orc"): EACH}


@pytest.mark.rule("CDG-040")
def test_a_downed_enemy_is_engaged_where_the_table_lets_it_double_costs():
    fallen = [mini("Ann", at=(2, 2)), foe("Orc", at=(3, 2), hp=0)]
    assert engagements(battle(*fallen)) == {("ann", "orc"): EACH}
    gentle = battle(*fallen, rules={"downed_double_costs": False})
    assert engagements(gentle) == {("ann", "orc"): "Ann doubles the movement costs of Orc"}


def crowd(chance, grid):
    """A board full of miniatures of every kind, some of them two in a cell, downed, or slowing others."""
    spots = [(x, y) for x in range(9) for y in range(7)]
    tokens = [
        mini(
            f"T{number}",
            chance.choice(["blue", "red", "green"]),
            chance.choice(spots),
            chance.choice([0, 90, 180, 270]),
            chance.choice(HANDS),
            race=chance.choice(["human", "halfling", "elf"]),
            conditions=chance.choice([{}, {}, {}, {"downed": ""}, {"earth": ""}]),
        )
        for number in range(chance.randrange(2, 16))
    ]
    rules = {"doubling": chance.choice(["once", "per enemy"])}
    walls = [wall(x, y, x, y + 2) for x, y in chance.sample(spots, 3)]
    return battle(*tokens, grid=grid, size=(9, 7), sides=TEAMS, walls=tuple(walls), rules=rules)


@pytest.mark.parametrize("grid", ["square", "hex_odd_r"])
@pytest.mark.parametrize("seed", seeds(25))
def test_the_shared_graph_gives_the_same_reach_as_the_own_one(seed, grid):
    scene = battlefield(crowd(random.Random(seed), grid))
    for one in scene.on_board:
        if one.race != "halfling":
            common = shared_movement_graph(scene, one.token.side)  # no Field: every start is closed
            costs = common.search(one.token.at, 0, one.allowance)
            own = movement_field(scene, one.id, one.allowance).costs
            assert list(mask_in_range(common.grid, costs, 0, one.allowance)) == list(own)
            assert all(costs[common.grid.index(cell)] == cost for cell, cost in own.items())


@pytest.mark.parametrize("seed", seeds(25))
def test_several_enemies_threaten_the_union_of_their_cells(seed):
    scene = battlefield(crowd(random.Random(seed), "square"))
    each = Mask((0,) * 7)
    for one in scene.on_board:
        each |= threatened_after_a_move(scene, [one])
    assert threatened_after_a_move(scene, scene.on_board) == each
