"""House rules of areas and of the older edition (section C of the catalogue)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from enfilade.rules.house_rules import setting
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.areas import Aimed, aim, area_of
from enfilade.rulesets.fifth_edition.battlefield import can_see, cover
from enfilade.rulesets.fifth_edition.checks import save_edge
from enfilade.rulesets.fifth_edition.damage import heal
from enfilade.rulesets.fifth_edition.effects import aimed_by
from enfilade.rulesets.fifth_edition.house_rules import (
    CONCENTRATION_CAP,
    END_PRONE,
    EXHAUSTION,
    GRAPPLE,
    HEAVY,
    HIDING,
    HOUSE_RULES,
    KNOCK_OUT,
    MASTERY,
    MOUNT_OA,
    OA,
    PASSING,
    SLOTS,
    SLOW_START,
    SPELLS,
    SQUEEZING,
    STUNNED,
    SURPRISE,
    TWO_WEAPONS,
    UNDERWATER,
)
from enfilade.rulesets.fifth_edition.offers import caught
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import Grid, Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    GLAIVE,
    SWORD,
    act,
    battle,
    chances,
    cost,
    creature,
    hp,
    play,
    reasons,
    refused,
    run,
    settled,
    with_token,
)

BALL = Effect(name="Ball", shape="sphere", size=10, range=150)
RING = Effect(name="Ring", shape="emanation", size=15)
FAR = creature("bo", "red", (19, 13))
CONTEST = {"grapple": "contest"}
OLD_MOUNTS = {"mount_oa": True}
HEXES = Grid("hex_odd_r", 20, 14, distance=5, units="feet")
OLDER = {
    **{SURPRISE: "lost turn", SLOW_START: False, PASSING: "legacy", END_PRONE: False, HEAVY: "small"},
    **{SQUEEZING: "pressed", GRAPPLE: "contest", HIDING: "contest", EXHAUSTION: "ladder", STUNNED: "speed 0"},
    **{
        SPELLS: "5.1",
        SLOTS: "bonus cantrip",
        OA: "hostile",
        MOUNT_OA: True,
        TWO_WEAPONS: "bonus",
        MASTERY: False,
        UNDERWATER: "list",
        KNOCK_OUT: "stable",
        CONCENTRATION_CAP: 0,
    },
}


def squares(effect, at=None, token=ANN, grid=None, **rules):
    scene = battle(token, rules=rules, **({"grid": grid} if grid else {}))
    return set(area_of(scene, Aimed(scene.token("ann"), effect, None, at)))


def test_the_edition_sets_the_defaults_of_its_options_and_of_no_others():
    new, old = battle(ANN), battle(ANN, rules={"edition": "5.1"})
    changed = {one.key: setting(old, one) for one in HOUSE_RULES if setting(old, one) != setting(new, one)}
    del changed["fifth_edition.edition"]
    assert changed == {one.key: older for one, older in OLDER.items()}
    mixed = battle(ANN, rules={"edition": "5.1", "mastery": True})
    assert (setting(mixed, MASTERY), setting(mixed, KNOCK_OUT)) == (True, "stable")


@pytest.mark.rule("SRD-168")
def test_an_area_has_the_squares_of_which_the_center_or_half_or_any_part_is_in_it():
    by_center = squares(BALL, at=(7, 7))
    half, touched = squares(BALL, at=(7, 7), area="half"), squares(BALL, at=(7, 7), area="touch")
    assert len(by_center) == 12
    assert by_center == half, "for a circle of two squares about a corner they are the same"
    assert touched - half == {(6, 6), (6, 9), (9, 6), (9, 9)}, "its round side cuts the corners"
    cone = Effect(name="Cone", shape="cone", size=15)
    halves = squares(cone, at=(9, 5), area="half")
    assert squares(cone, at=(9, 5)) >= halves > {(7, 5), (8, 5)}
    assert squares(cone, at=(9, 5), area="touch") >= {(6, 5), (7, 4), (7, 6), (8, 4), (8, 6)}
    on_hexes = [squares(BALL, at=(7, 7), grid=HEXES, area=fill) for fill in ("center", "half", "touch")]
    assert on_hexes[0] < on_hexes[2]
    assert on_hexes[1] < on_hexes[2]


@pytest.mark.rule("SRD-169")
def test_a_sphere_begins_at_a_corner_or_in_the_middle_of_a_square():
    scene = battle(ANN, rules={"origin": "center"})
    assert aim(scene, Aimed(scene.token("ann"), BALL, None, (7, 7)))[0] == (7 * 64 + 32, 7 * 64 + 32)
    assert aim(battle(ANN), Aimed(ANN, BALL, None, (7, 7)))[0] == (8 * 64, 8 * 64)
    assert len(squares(BALL, at=(7, 7), origin="center")) == 13


@pytest.mark.rule("SRD-169")
@pytest.mark.parametrize(
    ("facing", "origin"),
    [
        (None, (480, 480)),
        (0, (480, 448)),
        (50, (512, 448)),
        (180, (480, 512)),
        (225, (448, 512)),
        (350, (480, 448)),
    ],
)
def test_by_a_house_rule_a_sphere_begins_at_any_corner_or_side_of_a_square_or_in_its_middle(facing, origin):
    ball = creature("ann", "blue", (5, 5), effects=(BALL,))
    scene = battle(ball, creature("bo", "red", (10, 9)), rules={"origin": "any"})
    aimed = aimed_by(scene, replace(act("effect", weapon="Ball", at=(7, 7)), facing=facing))
    assert aim(scene, aimed)[0] == origin
    assert aim(battle(ball, rules={"origin": "center"}), aimed)[0] == (480, 480)
    assert aim(battle(ball), aimed)[0] == (512, 512)


def test_whom_a_sphere_catches_depends_on_the_side_at_which_it_begins():
    ball = creature("ann", "blue", (5, 5), effects=(BALL,))
    scene = battle(ball, creature("bo", "red", (10, 7)), rules={"origin": "any"})
    west = replace(act("effect", weapon="Ball", at=(8, 7)), facing=270)
    assert (caught(scene, west), caught(scene, replace(west, facing=90))) == ([], ["bo"])
    free, bound = (
        [
            one.act.facing
            for one in FIFTH_EDITION.offers(table, table.token("ann"))
            if one.act.kind == "effect"
        ]
        for table in (scene, replace(scene, house_rules={}))
    )
    assert (free, bound) == ([None, 0], [None, None]), "the one at a square may have a facing"


@pytest.mark.rule("SRD-175")
def test_an_emanation_is_counted_like_ranges_or_is_round():
    assert len(squares(RING)) == 48
    round_one = squares(RING, emanation="round")
    assert (8, 5) in round_one
    assert (8, 8) not in round_one
    assert len(round_one) == 44
    assert squares(RING, grid=HEXES, emanation="round") == squares(RING, grid=HEXES)


@pytest.mark.rule("SRD-033", "SRD-017")
def test_the_older_rule_of_passing_stops_at_the_helpless_and_slows_among_friends():
    helpless = creature("bo", "red", (6, 5), "stunned")
    walls = (Terrain("a", "A", tuple((x, y) for x in range(20) for y in (4, 6)), 0),)
    ally, far = replace(helpless, side="blue", conditions={}), creature("cy", "red", (19, 13))
    assert cost(battle(ANN, helpless, terrain=walls), (7, 5)) == 15
    assert cost(battle(ANN, helpless, terrain=walls, rules={"pass": "legacy"}), (7, 5)) is None
    assert cost(battle(ANN, ally, far, terrain=walls), (7, 5)) == 10
    assert cost(battle(ANN, ally, far, terrain=walls, rules={"pass": "legacy"}), (7, 5)) == 15


@pytest.mark.rule("SRD-190", "SRD-191")
def test_by_the_older_edition_a_list_of_weapons_is_apt_under_water():
    pond = (Terrain("w", "Water", tuple((x, 5) for x in range(20)), 1, kind="water"),)
    dagger = replace(SWORD, name="Dagger", damage=(Damage(1, 4, 0, "piercing"),))
    pike = replace(GLAIVE, name="Pike", damage=(Damage(1, 10, 0, "piercing"),))
    dart = replace(SWORD, name="Dart", kind="ranged", normal=20, long=60)
    ann = creature("ann", "blue", (5, 5), attacks=(dagger, pike, dart))

    def is_hampered(weapon, at, **rules):
        scene = battle(ann, creature("bo", "red", at), terrain=pond, rules=rules)
        return any("water" in why.lower() for why in reasons(scene, weapon)[2])

    assert [is_hampered(name, (6, 5)) for name in ("Dagger", "Pike")] == [False, False]
    assert [is_hampered(name, (6, 5), underwater="list") for name in ("Dagger", "Pike")] == [False, True]
    assert is_hampered("Dart", (8, 5))
    assert not is_hampered("Dart", (8, 5), underwater="list")


@pytest.mark.rule("SRD-047")
def test_by_the_older_edition_the_incapacitated_roll_initiative_as_others_do():
    slow = creature("bo", "red", (6, 5), "incapacitated")
    scene = battle(ANN, slow, turn="", rules={"incapacitated_initiative": False})
    assert [one.track("initiative") for one in play(scene, act("begin"), 9, 12).scene.tokens] == [9, 12]


WORN = {"rules": {"exhaustion": "ladder"}}


def worn(level, *others, turn="ann", **profile):
    return battle(
        creature("ann", "blue", (5, 5), tracks={"exhaustion": level}, **profile),
        *(others or (BO,)),
        turn=turn,
        **WORN,
    )


@pytest.mark.rule("SRD-158")
def test_the_older_ladder_of_exhaustion_has_six_steps():
    speeds = [worn(level, FAR) for level in range(7)]
    budgets = [FIFTH_EDITION.reach(scene, scene.token("ann")) for scene in speeds[:6]]
    assert [reach.budget for reach in budgets] == [30, 30, 15, 15, 15, 0]
    assert refused(speeds[5], act("high_jump")) == ("SRD-014", "Ann has a Speed of 0.")
    attacks = [reasons(worn(level)) for level in (2, 3)]
    assert [needed for needed, *_ in attacks] == [10, 10]
    assert [why for *_, why in attacks] == [(), ("Ann is exhausted",)]
    hidden = [chances(worn(level, FAR, turn="ann"), act("search")) for level in (0, 1)]
    assert hidden[0] == hidden[1] == {"nothing": 1}
    free = [
        chances(with_token(worn(level), "ann", conditions={"grappled": ""}), act("escape"))
        for level in (0, 1)
    ]
    assert [one["free"] for one in free] == [Fraction(11, 20), Fraction(121, 400)]


@pytest.mark.rule("SRD-158", "SRD-138", "SRD-139")
def test_on_the_fourth_step_of_the_ladder_hit_points_are_half():
    scene = worn(4)
    healed = run(
        with_token(scene, "ann", tracks={"exhaustion": 4, "hp": 10}), lambda one: heal(one, "ann", 20)
    )
    assert healed.token("ann").track("hp") == 15
    struck = play(battle(*scene.tokens, turn="bo", **WORN), act("attack", "ann", "Sword", token="bo"), 15, 4)
    assert hp(struck, "ann") == 8, "of 30 hit points it has 15"
    assert FIFTH_EDITION.card(scene, scene.token("ann"))[0].value == "15"
    assert settled(worn(6)).token("ann").has("out")


@pytest.mark.rule("SRD-158", "SRD-161")
def test_on_the_third_step_of_the_ladder_saves_have_disadvantage_and_none_is_lowered():
    scenes = [worn(level, turn="bo") for level in (2, 3)]
    shoves = [chances(scene, act("shove", "ann", token="bo"))["miss"] for scene in scenes]
    assert shoves == [Fraction(11, 20), Fraction(121, 400)]
    first = [
        play(battle(*worn(level).tokens, turn="", **WORN), act("begin"), *faces).scene.token("ann")
        for level, faces in ((0, (9, 12)), (1, (9, 4, 12)))
    ]
    assert [one.track("initiative") for one in first] == [9, 4]


@pytest.mark.rule("SRD-156")
def test_by_the_older_edition_the_stunned_do_not_move():
    stunned = creature("ann", "blue", (5, 5), "stunned")
    new, old = battle(stunned, FAR), battle(stunned, FAR, rules={"stunned": "speed 0"})
    assert [FIFTH_EDITION.reach(scene, scene.token("ann")).budget for scene in (new, old)] == [30, 0]
    assert FIFTH_EDITION.judge(new, new.token("ann"), ((6, 5),), None).allowed
    judged = FIFTH_EDITION.judge(old, old.token("ann"), ((6, 5),), None)
    assert (judged.allowed, judged.reasons[0]) == (False, "Ann has a Speed of 0. (SRD-014)")
    prone = with_token(old, "ann", conditions={"stunned": "", "prone": ""})
    assert (refused(prone, act("stand"))[0], refused(old, act("drop"))[0]) == ("SRD-023", "SRD-024")
    assert refused(battle(ANN, FAR, rules={"stunned": "speed 0"}), act("drop")) == ("", "")


BOLT = Effect(name="Bolt", shape="single", size=60, range=60, damage=(Damage(1, 6, 0, "fire"),), level=1)
WORD = replace(BOLT, name="Word", is_bonus=True)
SPARK = replace(BOLT, name="Spark", level=0)


@pytest.mark.rule("SRD-067")
def test_by_the_older_rule_a_spell_as_a_bonus_action_leaves_only_cantrips():
    mage = creature("ann", "blue", (5, 5), effects=(BOLT, WORD, SPARK))
    new, old = battle(mage, BO), battle(mage, BO, rules={"slots": "bonus cantrip"})
    for scene, first, second, rule in (
        (new, "Word", "Bolt", "SRD-067"),
        (new, "Word", "Spark", ""),
        (old, "Word", "Bolt", "SRD-067"),
        (old, "Word", "Spark", ""),
        (old, "Bolt", "Word", "SRD-067"),
    ):
        after = play(scene, act("effect", "bo", first), 1, 20).scene
        assert refused(after, act("effect", "bo", second))[0] == rule, (first, second)
    surge = play(old, act("effect", "bo", "Bolt"), 1, 20).scene
    again = with_token(surge, "ann", conditions={"cast": surge.token("ann").conditions["cast"]})
    assert refused(again, act("effect", "bo", "Bolt")) == ("", ""), "with a second action"


@pytest.mark.rule("SRD-072", "SRD-075")
def test_by_the_older_edition_a_grapple_and_an_escape_are_contests():
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16})
    nimble = creature("bo", "red", (6, 5), skills={"acrobatics": 4, "athletics": 1})
    scene = battle(strong, nimble, rules=CONTEST)
    done = [play(scene, act("grapple", "bo"), *faces) for faces in ((10, 8), (10, 9))]
    assert [one.scene.token("bo").has("grappled") for one in done] == [True, False], "13 against 12 and 13"
    assert play(scene, act("shove", "bo"), 10, 8).scene.token("bo").has("prone")
    held = battle(*done[0].scene.tokens, turn="bo", rules=CONTEST)
    escapes = [play(held, act("escape", token="bo"), *faces) for faces in ((10, 9), (10, 10))]
    assert [one.scene.token("bo").has("grappled") for one in escapes] == [True, False], (
        "a tie changes nothing"
    )


@pytest.mark.rule("SRD-148")
def test_by_the_older_edition_the_grappled_attack_as_ever():
    held = creature("ann", "blue", (5, 5), notes={"grappled": "cy"})
    tokens = held, BO, creature("cy", "red", (5, 6), notes={"grappling": "ann"})
    assert [len(reasons(battle(*tokens, rules=rules))[2]) for rules in ({}, CONTEST)] == [1, 0]


@pytest.mark.rule("SRD-040")
def test_by_the_older_edition_dragging_halves_the_speed():
    rough = (Terrain("r", "Rubble", tuple((x, y) for x in range(20) for y in range(14)), 2),)
    for terrain, new, old in (((), 3, 3), (rough, 2, 1)):
        for rules, steps in (({}, new), (CONTEST, old)):
            holder = creature("ann", "blue", (5, 5), notes={"grappling": "bo"})
            held = creature("bo", "red", (6, 5), notes={"grappled": "ann"})
            scene = battle(holder, held, rules=rules, terrain=terrain)
            ends = [x for x in range(5) if cost(scene, (x, 5)) is not None]
            assert 5 - min(ends) == steps, (rules, terrain)
            step = play(scene, act("move", at=(4, 5))).scene
            ends = [x for x in range(5) if cost(step, (x, 5)) is not None]
            assert (4 - min(ends) if ends else 0) == steps - 1, "a step does not make the next one cheaper"


@pytest.mark.rule("SRD-063", "SRD-065")
def test_by_the_older_edition_stealth_contends_with_passive_perception():
    wall = (Wall("w", (2 * 64, 64, 2 * 64, 9 * 64)),)
    hider = creature("ann", "blue", (3, 2), skills={"stealth": 4})
    guard = creature("bo", "red", (0, 0), skills={"perception": 2})
    old = battle(hider, guard, walls=wall, rules={"hide": "contest"})
    assert cover(old, guard, hider) == "three_quarters"
    assert [play(old, act("hide"), face).result.result for face in (8, 9)] == ["seen", "hidden"]
    assert play(battle(hider, guard, walls=wall), act("hide"), 9).result.result == "seen", "that is 13"
    hidden = play(old, act("hide"), 9).scene
    assert not can_see(hidden, guard, hidden.token("ann"))
    open_ground = with_token(hidden, "ann", at=(3, 0))
    assert can_see(open_ground, guard, open_ground.token("ann")), "it is not Invisible"
    is_new = replace(open_ground, house_rules={})
    assert not can_see(is_new, guard, is_new.token("ann"))


@pytest.mark.rule("SRD-187")
def test_by_the_older_edition_an_opportunity_attack_on_a_mount_may_be_made_on_its_rider():
    horse = creature("ann", "blue", (5, 5), notes={"ridden": "cy"}, size="large")
    rider = creature("cy", "blue", (5, 5), notes={"riding": "ann"})
    orc = creature("bo", "red", (4, 5))
    for rules, decisions, hurt in (({}, ("yes",), "ann"), (OLD_MOUNTS, ("yes", "cy"), "cy")):
        scene = battle(horse, rider, orc, rules=rules)
        done = play(scene, act("move", at=(9, 5)), 15, 4, decisions=decisions)
        assert {one.id for one in done.scene.tokens if one.track("hp") < 30} == {hurt}
    scene = battle(horse, replace(rider, at=(9, 9)), orc, rules=OLD_MOUNTS)
    done = play(scene, act("move", at=(9, 5)), 15, 4, decisions=("yes",))
    assert {one.id for one in done.scene.tokens if one.track("hp") < 30} == {"ann"}, (
        "the rider is out of reach"
    )


@pytest.mark.rule("SRD-036", "SRD-016")
def test_a_narrow_place_is_difficult_ground_or_by_the_older_edition_presses():
    mover = creature("ann", "blue", (4, 5), size="large", speeds={"walk": 120})
    rock = Terrain("rock", "Rock", tuple((x, y) for x in range(6, 12) for y in range(14) if y != 5), 0)
    rough = Terrain("r", "Rubble", tuple((x, 5) for x in range(6, 12)), 2)
    old = {"squeeze": "pressed"}
    ways = [
        cost(battle(mover, FAR, terrain=terrain, rules=rules), (12, 5))
        for terrain in ((rock,), (rock, rough))
        for rules in ({}, old)
    ]
    assert ways == [75, 75, 75, 105], "difficult ground does not add up, an extra foot does"
    scene = battle(mover, creature("bo", "red", (10, 5)), terrain=(rock,), rules=old)
    assert cost(scene, (8, 5)) == 40, "it may stop there"
    inside = play(scene, act("move", at=(8, 5))).scene
    assert reasons(inside)[1:] == ((), ("Ann is squeezed in",))
    assert reasons(inside, target="ann", token="bo")[1:] == (("Ann is squeezed in",), ())
    assert save_edge(inside, inside.token("ann"), "dex", 10)[0] == -1
    assert save_edge(inside, inside.token("ann"), "str", 10)[0] == 0
    assert save_edge(scene, scene.token("ann"), "dex", 10)[0] == 0
    plain = replace(inside, house_rules={})
    assert reasons(plain)[1:] == ((), ())
