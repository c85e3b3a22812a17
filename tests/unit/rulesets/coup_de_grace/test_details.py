"""Details at the edges of the rules: corners of the board, names, lines that just touch, and defaults."""

import dataclasses
import itertools

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield, facing_text
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import SIX_FACES, RollResult
from enfilade.rulesets.coup_de_grace.combat.damage import toward_an_enemy
from enfilade.rulesets.coup_de_grace.combat.effects import PLAIN
from enfilade.rulesets.coup_de_grace.combat.foci import SPELLS, Cast
from enfilade.rulesets.coup_de_grace.profiles import Profile
from enfilade.rulesets.coup_de_grace.sight import range_between
from enfilade.rulesets.coup_de_grace.turn import side_to_activate
from enfilade.scene.model import Wall
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    act,
    active,
    battle,
    cells,
    do,
    facts,
    foe,
    judge,
    log_text,
    mini,
    notes,
    why_not,
)

HEXES = ("hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q")


def mage(focus, *others, at=(5, 5), **orc):
    ann = mini("Ann", at=(5, 9), hands=(focus, "fist"), race="elf", armor="unarmored")
    return battle(ann, foe("Orc", at=at, **orc), *others)


def spell(focus, target="orc", **more):
    return act("spell", "ann", target, focus, **more)


def test_facings_have_the_names_of_the_compass():
    names = {
        "north": [0],
        "northeast": [30, 60],
        "east": [90],
        "southeast": [120, 150],
        "south": [180],
        "southwest": [210, 240],
        "west": [270],
        "northwest": [300, 330],
    }
    for name, facings in names.items():
        assert [facing_text(facing) for facing in facings] == [name] * len(facings)
    assert "45" in facing_text(45)


@pytest.mark.parametrize("grid", HEXES)
def test_straight_distances_on_hexes_are_the_same_in_all_directions(grid):
    field = battlefield(battle(grid=grid))
    middle = (5, 5)
    around = list(field.board.neighbors(middle))
    assert len({field.square_distance(middle, cell) for cell in around}) == 1
    # The next ring: six corners at twice the distance, six between them at the root of three.
    ring = [cell for one in around for cell in field.board.neighbors(one)]
    ring = {cell for cell in ring if field.board.distance(middle, cell) == 2}
    one = field.square_distance(middle, around[0])
    assert sorted({field.square_distance(middle, cell) for cell in ring}) == [3 * one, 4 * one]


def test_straight_distances_on_squares_are_the_same_across_and_down():
    field = battlefield(battle())
    across, down, diagonal = (field.square_distance((5, 5), cell) for cell in ((6, 5), (5, 6), (6, 6)))
    assert across == down == 64**2
    assert diagonal == across + down


def test_values_that_odds_compare_are_constant():
    result = RollResult(is_hit=True, damage=1, attacks_again=False, rerolled=(), face=3)
    spells = list(SPELLS.values())
    fighter = battlefield(battle(mini("Ann", at=(5, 5)))).fighter("ann")
    cast = Cast(fighter, fighter, spell("crystal"), None)
    with pytest.raises(AttributeError):
        fighter.id = "bob"
    for value in (result, spells[0], cast, PLAIN):
        name = dataclasses.fields(value)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, None)
    assert not any(hasattr(value, "__dict__") for value in (result, spells[0], cast, PLAIN))
    assert hash(result) == hash(dataclasses.replace(result, face=5))
    assert SIX_FACES == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "line",
    [
        (320, 0, 320, 352),
        (320, 352, 320, 704),
        (96, 200, 96, 352),
        (608, 352, 608, 400),
    ],
)
def test_a_wall_that_just_touches_a_line_of_sight_stops_it(line):
    across = battle(
        mini("Ann", at=(1, 5), facing=EAST, hands=("bow",)),
        foe("Orc", at=(9, 5)),
        walls=(Wall(id="w", line=line),),
    )
    turned = (line[1], line[0], line[3], line[2])
    down = battle(
        mini("Ann", at=(5, 1), facing=SOUTH, hands=("bow",)),
        foe("Orc", at=(5, 9)),
        walls=(Wall(id="w", line=turned),),
    )
    for scene in (across, down):
        assert why_not(scene, act("ranged", "ann", "orc", "bow")) is not None
        sight = COUP_DE_GRACE.sight(scene, scene.token("ann"), scene.token("orc"))
        assert (sight.is_seen, sight.blocker.id) == (False, "w")


@pytest.mark.rule("CDG-063")
def test_a_touch_has_its_damage_in_the_log_and_the_outcome():
    undead = mage("holy symbol", race="zombie")
    harmed = do(undead, spell("holy symbol"), 5)
    assert (harmed.result.result, harmed.result.damage) == ("harmed", 1)
    said = facts(undead, spell("holy symbol"), 5)
    assert (said["damage"], list(said["hit_points"])) == (1, [3, 2])
    hurt = mage("holy symbol", hp=1)
    healed = do(hurt, spell("holy symbol"), 5)
    assert (healed.result.result, healed.result.damage) == ("healed", 0)
    assert facts(hurt, spell("holy symbol"), 5)["damage"] == 0


def test_a_storm_over_an_empty_field_does_nothing():
    ann = mini("Ann", at=(5, 9), hands=("air staff",), race="elf", armor="unarmored")
    alone = battle(ann, foe("Far", at=(11, 0)))
    assert do(alone, spell("air staff", "", facing=NORTH)).result.result == "nothing"
    near = battle(ann, foe("Orc", at=(5, 5)))
    assert do(near, spell("air staff", "", facing=NORTH)).result.result == "blown"


def test_a_spell_at_a_miniature_off_the_board_is_judged_without_a_range():
    absent = mage("crystal", at=None)
    assert why_not(absent, spell("crystal")) == "CDG-068"


@pytest.mark.rule("CDG-065")
def test_a_shield_has_its_own_rule_among_the_parts_of_the_defense():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4), hands=("sword", "shield")))
    said = facts(scene, act("melee", "ann", "orc"), 2)
    rules = {m["reason"]: m["rule"] for m in said["defenses"]}
    assert rules["shield"] == "CDG-065"
    assert [rule for reason, rule in rules.items() if reason != "shield"].count("CDG-065") == 0


def test_only_an_entangling_weapon_is_offered_to_entangle():
    for hands, count in ((("entangling weapon", "fist"), 1), (("sword", "fist"), 0)):
        scene = battle(mini("Ann", at=(5, 5), hands=hands), mini("Bo", at=(7, 7)), foe("Orc", at=(5, 3)))
        kinds = [offer.act.kind for offer in COUP_DE_GRACE.offers(scene, scene.token("ann"))]
        assert kinds.count("entangle") == count


def test_the_last_column_and_row_are_edges_of_the_board():
    scene = battle(mini("Ann"), foe("Orc", at=(5, 5)), size=(8, 6))
    edge = {(x, y) for x in range(8) for y in range(6) if x in (0, 7) or y in (0, 5)}
    entered = {
        (x, y) for x in range(8) for y in range(6) if judge(active(scene, "ann"), "ann", (x, y)).allowed
    }
    assert entered
    assert entered <= edge
    assert {(7, 3), (3, 5), (0, 3), (3, 0)} <= entered


def test_range_bands_follow_each_other_without_a_gap():
    scene = battle(mini("Ann", at=(0, 0), facing=SOUTH, hands=("bow",)), size=(30, 30))
    bands = list(cells(scene, "ann", "ranges").values())
    field = battlefield(scene)
    limits = [
        (min(found), max(found))
        for found in ([range_between(field, (0, 0), cell) for cell in band] for band in bands)
    ]
    assert len(limits) > 1
    assert limits[0][0] == 1
    assert all(first[1] + 1 == second[0] for first, second in itertools.pairwise(limits))


def test_a_miss_has_no_damage():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4)))
    missed = do(scene, act("melee", "ann", "orc"), 2).result
    assert (missed.result, missed.damage) == ("miss", 0)


def test_the_log_names_both_dice_and_where_a_miniature_enters():
    scene = battle(mini("Ann", at=(5, 5), hands=("entangling weapon", "fist")), foe("Orc", at=(5, 4)))
    thrown = act("entangle", "ann", "orc", "entangling weapon")
    assert "Dice 3 and 4, needs 6." in log_text(active(scene, "ann"), thrown, 3, 4)
    outside = active(battle(mini("Ann"), foe("Orc", at=(5, 5))), "ann")
    entered = log_text(outside, act("move", "ann", at=(0, 3), facing=EAST))
    assert entered == "Ann enters at A4.\nCost: 1 of 6 movement points."
    moved = log_text(active(scene, "ann"), act("move", "ann", at=(5, 6), facing=NORTH))
    assert "enters" not in moved


def test_the_card_says_who_is_out_of_action():
    scene = battle(mini("Ann", at=(5, 5)), mini("Bo", conditions={"out": ""}), foe("Orc", at=(5, 4)))
    assert ["out of action" in notes(scene, name) for name in ("ann", "bo", "orc")] == [False, True, False]


def test_a_miniature_without_enemies_beside_it_stands_up_facing_the_first_way():
    far = battlefield(battle(mini("Ann", at=(5, 5)), foe("Orc", at=(9, 9))))
    assert toward_an_enemy(far, far.fighter("ann")) == far.facings[0]
    near = battlefield(battle(mini("Ann", at=(5, 5)), foe("Orc", at=(4, 5))))
    assert toward_an_enemy(near, near.fighter("ann")) == 270


def test_a_force_orb_is_offered_at_its_whole_reach_and_no_farther():
    for at, count in (((5, 3), 4), ((5, 2), 0)):
        scene = mage("force orb", at=at)
        kinds = [offer.act.target for offer in COUP_DE_GRACE.offers(scene, scene.token("ann"))]
        orbs = [
            offer.act
            for offer in COUP_DE_GRACE.offers(scene, scene.token("ann"))
            if offer.act.weapon == "force orb" and offer.act.target == "orc"
        ]
        assert len(orbs) == count, kinds


def test_the_downed_and_those_without_a_facing_have_no_arc():
    up = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4)))
    assert len(cells(up, "ann", "arc")) == 1
    for changes in ({"conditions": {"downed": ""}, "facing": NORTH}, {"facing": None}):
        changed = tuple(replace(t, **changes) if t.id == "ann" else t for t in up.tokens)
        assert cells(replace(up, tokens=changed), "ann", "arc") == {}


def test_without_a_listed_priority_the_first_side_is_next():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4)))
    for priority, side in ((None, "blue"), ("blue", "blue"), ("red", "red"), ("gone", "blue")):
        conditions = {} if priority is None else {"priority": priority}
        board = replace(scene, tracks={"round": 1}, conditions=conditions)
        assert side_to_activate(board) == side


def test_a_sheet_is_constant_and_refuses_unknown_fields():
    sheet = {"armor": "light", "race": "human", "hands": ["sword", "fist"]}
    made = msgspec.convert(sheet, Profile)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({**sheet, "luck": 1}, Profile)
    with pytest.raises(AttributeError):
        made.race = "elf"
