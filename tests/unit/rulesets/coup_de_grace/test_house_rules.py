"""The rulings on what the text leaves open, each with its option where there is one."""

from fractions import Fraction

import pytest

from enfilade.errors import BadMessage
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.sight import range_between
from enfilade.scene.model import Terrain
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    TEAMS,
    act,
    active,
    after,
    aim,
    battle,
    cells,
    chances,
    do,
    foe,
    hp,
    judge,
    mini,
    modifiers,
    reach,
    wall,
    why_not,
)

HIT = act("melee", "ann", "orc")
SHOT = act("ranged", "ann", "orc", "bow")
BOW = ("bow",)


def archer(*others, at=(5, 9), **more):
    return battle(mini("Ann", at=at, hands=BOW, armor="unarmored"), *others, **more)


def test_every_house_rule_has_a_sentence_a_rule_and_its_default_among_the_options():
    for house_rule in COUP_DE_GRACE.house_rules:
        assert house_rule.default in house_rule.options
        assert len(house_rule.options) > 1
        assert house_rule.sentence.endswith(".")
        assert house_rule.rule.startswith("CDG-")
        assert house_rule.key.startswith("cdg.")


def test_an_option_that_does_not_exist_is_refused():
    with pytest.raises(BadMessage, match=r"cdg\.doubling"):
        battle(mini("Ann", at=(1, 1)), rules={"doubling": "thrice"})


@pytest.mark.rule("CDG-012", "CDG-035")
def test_corners_may_count_as_adjacent():
    rules = {"adjacency": "edges and corners"}
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(3, 1)), rules=rules)
    assert judge(scene, "ann", (2, 2), SOUTH).cost == 2
    assert judge(battle(mini("Ann", at=(2, 2)), rules=rules), "ann", (4, 4)).cost == 2
    assert why_not(scene, HIT) == "CDG-014"
    assert battlefield(scene).board.distance((0, 0), (3, 4)) == 4


@pytest.mark.rule("CDG-040")
def test_costs_may_double_once_however_many_enemies_there_are():
    orcs = [foe("Orc", at=(2, 1)), foe("Cur", at=(3, 2)), foe("Dog", at=(1, 2))]
    scene = battle(mini("Ann", at=(2, 2)), *orcs, rules={"doubling": "once"})
    assert judge(scene, "ann", (2, 2), SOUTH).cost == 2
    assert reach(scene, "ann")[(2, 3)] == 2


@pytest.mark.rule("CDG-017")
def test_range_may_be_counted_along_the_way_round_walls():
    window = wall(4, 7, 7, 7, sight="none")
    straight = archer(foe("Orc", at=(5, 4)), walls=(window,))
    assert modifiers(straight, SHOT) == {}
    along = archer(foe("Orc", at=(5, 4)), walls=(window,), rules={"range": "path"})
    assert modifiers(along, SHOT) == {"range 9": -1}
    shut = archer(foe("Orc", at=(5, 4)), walls=(wall(0, 7, 12, 7, sight="none"),), rules={"range": "path"})
    assert why_not(shut, SHOT) == "CDG-017"
    assert why_not(archer(foe("Orc", at=(5, 4)), walls=(wall(0, 7, 12, 7, sight="none"),)), SHOT) is None


@pytest.mark.rule("CDG-017")
def test_range_along_the_way_goes_round_closed_ground_but_through_miniatures():
    pit = Terrain(id="p", name="Pit", cells=((5, 7), (4, 7), (6, 7)), cost=0)
    along = archer(foe("Orc", at=(5, 4)), terrain=(pit,), rules={"range": "path"})
    assert modifiers(along, SHOT) == {"range 9": -1}
    crowd = archer(*(mini(f"B{x}", at=(x, 7)) for x in range(12)), rules={"range": "path"})
    assert range_between(battlefield(crowd), (5, 9), (5, 4)) == 5


@pytest.mark.rule("CDG-059")
def test_the_increment_of_3_of_an_earlier_edition():
    scene = archer(foe("Orc", at=(5, 4)), rules={"range_increment": 3})
    assert modifiers(scene, SHOT) == {"range 5": -1}
    assert "bow 3 to 5: -1" in cells(scene, "ann", "ranges")


@pytest.mark.rule("CDG-047")
def test_naturals_may_miss_and_hit_by_themselves():
    rules = {"naturals": True}
    easy = battle(
        mini("Ann", at=(2, 2), race="elf"), foe("Orc", at=(2, 1), facing=NORTH, hp=0, armor="unarmored")
    )
    assert aim(easy, HIT)[0] == 2
    sure = battle(
        mini("Ann", at=(2, 2), race="goblin"), foe("Orc", at=(2, 1), hp=0, armor="unarmored"), rules=rules
    )
    assert aim(sure, HIT)[0] == 1
    assert do(sure, HIT, 1).result.result == "miss"
    hard = battle(
        mini("Ann", at=(2, 2), race="elf", hands=("mace", "fist")),
        foe("Orc", at=(2, 1), armor="heavy", hands=("shield", "shield")),
        rules=rules,
    )
    assert aim(hard, act("melee", "ann", "orc", "mace"))[0] == 7
    assert do(hard, act("melee", "ann", "orc", "mace"), 6).result.result == "hit"


@pytest.mark.rule("CDG-047")
def test_by_the_text_a_1_may_hit_and_a_6_may_miss():
    sure = battle(mini("Ann", at=(2, 2), race="goblin"), foe("Orc", at=(2, 1), hp=0, armor="unarmored"))
    assert do(sure, HIT, 1).result.result == "hit"
    hard = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor="heavy", hands=("shield", "shield")))
    assert do(hard, HIT, 6).result.result == "miss"


@pytest.mark.rule("CDG-051")
def test_the_point_where_two_miniatures_meet_blocks_sight_or_not():
    others = [foe("Orc", at=(7, 7)), mini("Bo", at=(6, 8)), mini("Cy", at=(5, 8))]
    corner = [mini("Bo", at=(6, 9)), mini("Cy", at=(5, 8))]
    blocked = archer(foe("Orc", at=(6, 8)), *corner, at=(5, 9))
    assert why_not(blocked, SHOT) == "CDG-051"
    clear = archer(foe("Orc", at=(6, 8)), *corner, at=(5, 9), rules={"corners": False})
    assert why_not(clear, SHOT) is None
    grazing = archer(foe("Orc", at=(6, 8)), corner[0], at=(5, 9))
    assert why_not(grazing, SHOT) is None
    assert why_not(archer(*others), SHOT) == "CDG-051"


@pytest.mark.rule("CDG-054")
def test_on_hexes_a_backstab_may_come_from_any_rear_hex():
    fight = battlefield(battle(mini("Ann", at=(5, 5)), grid="hex_odd_r"))
    found = {"straight behind": [], "rear three": []}
    for option, turns in found.items():
        for turn in range(0, 360, 60):
            facing = (90 + turn) % 360
            at = fight.cell_toward((5, 5), facing)
            stabber = mini("Ann", at=at, facing=(facing + 180) % 360)
            scene = battle(
                stabber, foe("Orc", at=(5, 5), facing=90), grid="hex_odd_r", rules={"rear": option}
            )
            if "backstab" in modifiers(scene, HIT):
                turns.append(turn)
    assert found == {"straight behind": [180], "rear three": [120, 180, 240]}


@pytest.mark.rule("CDG-023")
def test_tied_sides_roll_off_again_until_one_is_highest():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", at=(9, 9)))
    assert after(scene, act("round", ""), 4, 4, 2, 3).conditions["first"] == "red"
    found = chances(scene, act("round", ""))
    assert {outcome.leaves for outcome in found} == {"Blue activates first", "Red activates first"}
    assert all(abs(chance - Fraction(1, 2)) < Fraction(1, 10**7) for chance in found.values())


@pytest.mark.rule("CDG-023")
def test_the_side_that_began_the_last_round_may_begin_again_when_tied():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", at=(9, 9)), rules={"tied_initiative": "stay"})
    scene = after(scene, act("round", ""), 1, 6)
    for other in ("orc", "ann"):
        scene = after(after(scene, act("activate", other)), act("end", other))
    assert after(scene, act("round", "")).conditions["first"] == "red"


@pytest.mark.rule("CDG-040")
def test_downed_enemies_double_costs_or_not():
    for option, cost in ((True, 2), (False, 1)):
        scene = battle(
            mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), hp=0), rules={"downed_double_costs": option}
        )
        assert judge(scene, "ann", (2, 2), SOUTH).cost == cost
        assert reach(scene, "ann")[(2, 3)] == cost


@pytest.mark.rule("CDG-058")
def test_downed_allies_are_in_the_way_or_not():
    for option, expected in ((True, {"firing into melee beside Bo": -1}), (False, {})):
        scene = archer(
            foe("Orc", at=(5, 6)), mini("Bo", at=(4, 6), hp=0), rules={"downed_in_the_way": option}
        )
        assert modifiers(scene, SHOT) == expected


@pytest.mark.rule("CDG-051")
def test_downed_miniatures_block_sight_by_house_rule():
    for option, rule in ((True, "CDG-051"), (False, None)):
        scene = archer(
            foe("Orc", at=(5, 4)), mini("Bo", at=(5, 7), hp=0), rules={"downed_block_sight": option}
        )
        assert why_not(scene, SHOT) == rule


@pytest.mark.rule("CDG-074")
def test_the_downed_need_sight_to_shoot_or_not():
    for option, rule in ((True, "CDG-051"), (False, None)):
        scene = battle(
            mini("Ann", at=(5, 9), hands=BOW, hp=0),
            foe("Orc", at=(5, 4)),
            mini("Bo", at=(5, 7)),
            rules={"downed_need_sight": option},
        )
        assert why_not(scene, SHOT) == rule


@pytest.mark.rule("CDG-052")
def test_team_mates_may_be_attacked_where_a_table_plays_it_so():
    rules = {"attack_team_mates": True}
    scene = battle(
        mini("Ann", at=(2, 2)),
        mini("Bo", at=(1, 2)),
        mini("Gil", "green", at=(2, 1)),
        sides=TEAMS,
        rules=rules,
    )
    assert why_not(scene, act("melee", "ann", "gil")) is None
    assert why_not(scene, act("melee", "ann", "bo")) == "CDG-052"
    offered = [
        offer.act.target for offer in COUP_DE_GRACE.offers(scene, scene.token("ann")) if offer.is_legal
    ]
    assert "gil" in offered


@pytest.mark.rule("CDG-072")
def test_the_downed_may_crawl_diagonally_where_a_table_plays_it_so():
    scene = active(battle(mini("Ann", at=(2, 2), hp=0), rules={"crawl_diagonally": True}), "ann")
    legal = [
        (x, y) for x in range(6) for y in range(6) if why_not(scene, act("crawl", "ann", at=(x, y))) is None
    ]
    assert legal == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3)]


@pytest.mark.rule("CDG-064")
def test_a_blocked_push_may_do_a_point_of_damage_instead():
    scene = battle(
        mini("Ann", at=(2, 1), hands=("hammer", "fist")),
        foe("Orc", at=(2, 0)),
        rules={"blocked_push": "damage"},
    )
    done = after(scene, act("melee", "ann", "orc", "hammer"), 6)
    assert (hp(done, "orc"), done.token("orc").facing) == (1, SOUTH)


@pytest.mark.rule("CDG-065")
def test_a_shield_does_not_help_the_downed():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), hands=("sword", "shield"), hp=0))
    assert aim(scene, HIT)[2] == {"light armor": 4}


@pytest.mark.rule("CDG-054")
def test_the_downed_are_never_backstabbed():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), facing=NORTH, hp=0))
    assert "backstab" not in modifiers(scene, HIT)


@pytest.mark.rule("CDG-024")
def test_marked_entry_points_are_where_a_side_comes_in():
    gate = Terrain(id="g", name="Entry Blue", cells=((5, 5),))
    other = Terrain(id="o", name="Entry Red", cells=((7, 7),))
    common = Terrain(id="c", name="entry", cells=((0, 3),), cost=2)
    scene = active(battle(mini("Late"), foe("Orc", at=(9, 9)), terrain=(gate, other, common)), "late")
    assert reach(scene, "late") == {(5, 5): 1, (0, 3): 2}
    assert judge(scene, "late", (7, 7)).cost is None


@pytest.mark.rule("CDG-024")
def test_before_the_first_round_miniatures_are_set_up_anywhere_free():
    scene = battle(mini("Late"), mini("Bo", at=(5, 5)))
    assert judge(scene, "late", (4, 4), EAST).allowed
    assert not judge(scene, "late", (5, 5)).allowed
    assert reach(scene, "late") is None
