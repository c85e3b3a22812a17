"""Modes of movement, jumps, falls, forced moves, dragging, mounts (SRD-005 to SRD-040, SRD-187, SRD-189)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.play.setup import prepare_scene
from enfilade.rules.procedures import Outcome
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.damage import afflict, die, fall, hurt
from enfilade.rulesets.fifth_edition.masteries import push
from enfilade.rulesets.fifth_edition.motions import Ride, Rise
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    act,
    battle,
    cost,
    creature,
    hp,
    play,
    refused,
    run,
    with_token,
)

FAR = creature("bo", "red", (19, 13))


def ground(kind, cells, price=1, height=0):
    return Terrain(kind, kind.title(), tuple(cells), price, kind=kind, height=height)


def columns(*xs):
    return [(x, y) for x in xs for y in range(14)]


def budget(scene, key="ann"):
    return FIFTH_EDITION.reach(scene, scene.token(key)).budget


@pytest.mark.rule("SRD-005", "SRD-007")
def test_a_space_is_as_large_as_the_size_and_no_one_ends_in_one_that_is_filled():
    sizes = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
    for size, side in sizes.items():
        scene = battle(creature("ann", "blue", (1, 1), size=size), FAR)
        assert scene.token("ann").size == (side, side)
    rock = Terrain("rock", "Rock", ((5, 4),), 0)
    scene = battle(ANN, BO, terrain=(rock,))
    assert (cost(scene, (6, 5)), cost(scene, (5, 4)), cost(scene, (4, 4))) == (None, None, 10)


@pytest.mark.rule("SRD-013")
def test_another_speed_has_what_was_moved_less_left():
    sea = ground("water", columns(*range(7, 20)))
    otter = creature("ann", "blue", (5, 5), speeds={"walk": 30, "swim": 20})
    scene = battle(otter, FAR, terrain=(sea,))
    assert [cost(scene, (x, 5)) for x in (6, 7, 8, 9, 10)] == [5, 10, 15, 20, None]
    walked = play(scene, act("move", at=(5, 9))).scene
    assert (walked.token("ann").track("moved"), cost(walked, (5, 11)), cost(walked, (7, 9))) == (20, 10, None)
    bird = creature("ann", "blue", (5, 5), speeds={"walk": 30, "fly": 40}, elevation=10)
    flown = play(battle(bird, FAR), act("move", at=(7, 5))).scene
    assert budget(flown) == 30
    grounded = replace(flown, tokens=tuple(replace(one, elevation=0) for one in flown.tokens))
    assert budget(grounded) == 20
    assert refused(play(grounded, act("move", at=(11, 5))).scene, act("rise"))[0] == ""
    seal = creature("ann", "blue", (8, 5), speeds={"walk": 10, "swim": 40})
    swum = play(battle(seal, FAR, terrain=(sea,)), act("move", at=(11, 5))).scene
    assert (cost(swum, (16, 5)), cost(swum, (17, 5))) == (25, None)


@pytest.mark.rule("SRD-017")
@pytest.mark.parametrize("kind", ["rubble", "undergrowth", "snow", "ice", "mud", "shallow", "slope"])
def test_rough_ground_is_difficult_by_its_kind_and_does_not_add_up(kind):
    rough = ground(kind, [(6, 5)])
    assert cost(battle(ANN, FAR, terrain=(rough,)), (6, 5)) == 10
    twice = (rough, replace(rough, id="again", cost=2), replace(rough, id="third", cost=3))
    assert cost(battle(ANN, FAR, terrain=twice), (6, 5)) == 10


@pytest.mark.rule("SRD-017")
@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (creature("bo", "red", (6, 5), "stunned"), 15),
        (creature("bo", "red", (6, 5), size="tiny"), 10),
        (creature("bo", "blue", (6, 5)), 10),
    ],
)
def test_the_space_of_another_is_difficult_unless_tiny_or_an_ally(other, expected):
    rock = Terrain("rock", "Rock", tuple((x, y) for x in range(20) for y in range(14) if y != 5), 0)
    scene = battle(ANN, other, replace(FAR, id="cy", at=(19, 5)), terrain=(rock,))
    assert cost(scene, (7, 5)) == expected


@pytest.mark.rule("SRD-018", "SRD-019")
@pytest.mark.parametrize(("kind", "mode"), [("climb", "climb"), ("water", "swim")])
def test_climbing_and_swimming_cost_an_extra_foot_without_their_speed(kind, mode):
    def price(factor, **speeds):
        one = creature("ann", "blue", (5, 5), speeds={"walk": 30, **speeds})
        return cost(battle(one, FAR, terrain=(ground(kind, columns(6), factor),)), (6, 5))

    assert (price(1), price(2)) == (10, 15)
    assert (price(1, **{mode: 30}), price(2, **{mode: 30})) == (5, 10)


@pytest.mark.rule("SRD-021")
def test_a_burrower_goes_through_earth_and_not_through_rock():
    worm = creature("ann", "blue", (5, 5), speeds={"walk": 30, "burrow": 15})
    earth = ground("earth", columns(*range(6, 12)), 0)
    scene = battle(worm, FAR, terrain=(earth,))
    assert [cost(scene, (x, 5)) for x in (6, 8, 9)] == [5, 15, None]
    assert cost(battle(ANN, FAR, terrain=(earth,)), (6, 5)) is None
    assert cost(battle(worm, FAR, terrain=(replace(earth, kind="rock"),)), (6, 5)) is None


@pytest.mark.rule("SRD-021")
def test_a_burrower_walks_over_open_sand_by_its_speed():
    slow = creature("ann", "blue", (5, 5), speeds={"walk": 30, "burrow": 10})
    sand = battle(slow, FAR, terrain=(ground("sand", columns(*range(6, 12)), 1),))
    assert [cost(sand, (x, 5)) for x in (8, 11)] == [15, 30]


def flier(*states, **more):
    given = {"speeds": {"walk": 30, "fly": 40}, "elevation": 30, **more}
    return creature("ann", "blue", (5, 5), *states, **given)


@pytest.mark.rule("SRD-022", "SRD-031")
def test_a_flier_that_cannot_stay_aloft_falls_unless_it_hovers():
    def struck(one, state):
        after = run(battle(one, FAR), lambda scene: afflict(scene, "ann", state), 2, 3, 4)
        return after.token("ann")

    for state in ("stunned", "prone", "restrained"):
        fallen = struck(flier(), state)
        assert (fallen.elevation, fallen.track("hp"), fallen.has("prone")) == (0, 30 - 9, True)
    hovering = resolve(battle(flier(hovers=True), FAR), stun, (act("move"),), Answers(faces=[])).scene.token(
        "ann"
    )
    assert hovering.elevation == 30
    poisoned = run(battle(flier(), FAR), lambda scene: afflict(scene, "ann", "poisoned")).token("ann")
    assert poisoned.elevation == 30


def stun(scene, one):
    del one
    yield from afflict(scene, "ann", "stunned")
    return Outcome("done")


def drop_from(feet, one, *faces, decisions=(), **more):
    scene = battle(one, FAR, **more)
    return run(scene, lambda scene: fall(scene, "ann", feet), *faces, decisions=decisions).token("ann")


@pytest.mark.rule("SRD-031")
def test_a_fall_deals_1d6_for_every_full_10_feet_up_to_20_and_fells():
    high = drop_from(35, creature("ann", "blue", (5, 5)), 2, 5, 6)
    assert (high.track("hp"), high.has("prone")) == (30 - 13, True)
    low = drop_from(9, creature("ann", "blue", (5, 5)))
    assert (low.track("hp"), low.has("prone")) == (30, False)
    tough = creature("ann", "blue", (5, 5), hit_points=200)
    assert drop_from(300, tough, *(1,) * 20).track("hp") == 180
    safe = drop_from(10, creature("ann", "blue", (5, 5), immunities=("bludgeoning",)), 6)
    assert not safe.has("prone"), "it took no damage"


@pytest.mark.rule("SRD-032")
def test_a_reaction_halves_the_damage_of_a_fall_into_liquid():
    sea = ground("water", columns(*range(20)))
    strong = creature("ann", "blue", (5, 5), abilities={"str": 14})
    dived = drop_from(20, strong, 5, 6, 13, decisions=["yes"], terrain=(sea,))
    assert (dived.track("hp"), dived.has("reacted")) == (30 - 5, True)
    assert drop_from(20, strong, 5, 6, 12, decisions=["yes"], terrain=(sea,)).track("hp") == 30 - 11
    assert drop_from(20, strong, 5, 6, decisions=["no"], terrain=(sea,)).track("hp") == 30 - 11
    spent = creature("ann", "blue", (5, 5), "reacted")
    assert drop_from(20, spent, 5, 6, terrain=(sea,)).track("hp") == 30 - 11
    assert drop_from(20, strong, 5, 6).track("hp") == 30 - 11


def test_a_flier_rises_and_sinks_for_its_feet():
    up = play(battle(flier(elevation=0), FAR), replace(act("rise"), body=Rise(25))).scene
    assert (up.token("ann").elevation, up.token("ann").track("moved"), budget(up)) == (25, 25, 15)
    assert refused(up, replace(act("rise"), body=Rise(20)))[0] == "SRD-013"
    down = play(up, replace(act("rise"), body=Rise(-15))).scene
    assert down.token("ann").elevation == 10
    low = battle(flier(elevation=10), FAR)
    landed = play(low, replace(act("rise"), body=Rise(-20))).scene
    assert landed.token("ann").elevation == 0, "not below the ground"
    assert refused(battle(ANN, FAR), act("rise"))[0] == "SRD-022"
    assert refused(battle(flier("prone"), FAR), act("rise"))[0] == "SRD-022"


@pytest.mark.rule("SRD-024")
def test_dropping_prone_is_free_but_not_at_speed_0():
    down = play(battle(ANN, FAR), act("drop")).scene.token("ann")
    assert (down.has("prone"), down.track("moved"), down.has("acted")) == (True, 0, False)
    held = battle(creature("ann", "blue", (5, 5), "restrained"), FAR)
    assert refused(held, act("drop"))[0] == "SRD-024"
    assert refused(battle(creature("ann", "blue", (5, 5), "prone"), FAR), act("drop"))[0] == "SRD-024"


CHASM = ground("gap", columns(8, 9), 0)
STRONG = creature("ann", "blue", (5, 5), abilities={"str": 16})


@pytest.mark.rule("SRD-026", "SRD-027")
def test_a_long_jump_goes_as_far_as_strength_after_10_feet_else_half():
    scene = battle(STRONG, FAR, terrain=(CHASM,))
    ran = play(scene, act("move", at=(7, 5))).scene
    jumped = play(ran, act("jump", at=(10, 5))).scene.token("ann")
    assert (jumped.at, jumped.track("moved")) == ((10, 5), 25)
    wide = battle(STRONG, FAR, terrain=(ground("gap", columns(8, 9, 10), 0),))
    assert refused(play(wide, act("move", at=(7, 5))).scene, act("jump", at=(11, 5)))[0] == "SRD-026"
    narrow = battle(replace(STRONG, at=(7, 5)), FAR, terrain=(ground("gap", columns(8), 0),))
    assert refused(narrow, act("jump", at=(9, 5)))[0] == "SRD-026", "standing, 8 feet of 10"
    tired = play(ran, act("dodge")).scene
    assert refused(tired, act("jump", at=(10, 5)))[0] == "SRD-026", "the movement is not directly before"
    tardy = creature("ann", "blue", (5, 5), abilities={"str": 16}, speeds={"walk": 20})
    slow = play(battle(tardy, FAR, terrain=(CHASM,)), act("move", at=(7, 5))).scene
    assert refused(slow, act("jump", at=(10, 5)))[0] == "SRD-026"
    just = battle(replace(tardy, profile={**tardy.profile, "speeds": {"walk": 25}}), FAR, terrain=(CHASM,))
    assert refused(play(just, act("move", at=(7, 5))).scene, act("jump", at=(10, 5)))[0] == "", "15 feet left"
    wall = battle(STRONG, FAR, terrain=(CHASM,), walls=(Wall("w", (576, 0, 576, 896)),))
    assert refused(play(wall, act("move", at=(7, 5))).scene, act("jump", at=(10, 5)))[0] == "SRD-004"
    for y, rule in ((5, "SRD-004"), (6, "")):
        rock = battle(STRONG, FAR, terrain=(ground("gap", [(8, 5), (9, 5)], 0), ground("rock", [(8, y)], 0)))
        ran = play(rock, act("move", at=(7, 5))).scene
        assert refused(ran, act("jump", at=(10, 5)))[0] == rule, "solid ground bars the way that it is on"
    assert (10, 5) in {o.act.at for o in FIFTH_EDITION.offers(ran, ran.token("ann")) if o.act.kind == "jump"}


@pytest.mark.rule("SRD-028")
def test_landing_in_difficult_terrain_needs_acrobatics_or_fells():
    scene = battle(STRONG, FAR, terrain=(CHASM, ground("rubble", columns(10))))
    ran = play(scene, act("move", at=(7, 5))).scene
    assert play(ran, act("jump", at=(10, 5)), 9).scene.token("ann").has("prone")
    assert not play(ran, act("jump", at=(10, 5)), 10).scene.token("ann").has("prone")
    for x, faces in ((10, [9]), (18, [])):
        costly = battle(STRONG, FAR, terrain=(CHASM, ground("cobbles", columns(x), 2)))
        landed = play(play(costly, act("move", at=(7, 5))).scene, act("jump", at=(10, 5)), *faces).scene
        assert landed.token("ann").has("prone") == bool(faces), "only where it lands"


@pytest.mark.rule("SRD-029")
def test_a_low_obstacle_needs_athletics_and_a_high_one_is_too_much():
    def over(height, *faces):
        hurdle = ground("hurdle", columns(8), 0, height)
        ran = play(battle(STRONG, FAR, terrain=(hurdle,)), act("move", at=(7, 5))).scene
        return refused(ran, act("jump", at=(10, 5)))[0] or play(ran, act("jump", at=(10, 5)), *faces).scene

    assert over(3, 7).token("ann").at == (10, 5)
    assert over(3, 6).token("ann").at == (7, 5)
    assert over(3.75, 7).token("ann").at == (10, 5), "a quarter of the 15 feet"
    assert over(4) == "SRD-029"


@pytest.mark.rule("SRD-030")
def test_a_high_jump_is_3_feet_and_strength_after_a_run_else_half():
    def told(scene):
        done = play(scene, act("high_jump"))
        facts = next(event.facts for event in done.events if getattr(event, "kind", "") == "high_jump")
        return facts["feet"], facts["hands"], done.scene.token("ann").track("moved")

    assert told(battle(STRONG, FAR)) == (3, 10, 3)
    assert told(play(battle(STRONG, FAR), act("move", at=(7, 5))).scene) == (6, 13, 16)
    weak = creature("ann", "blue", (5, 5), abilities={"str": 1})
    assert told(battle(weak, FAR))[0] == 0
    assert told(play(battle(weak, FAR), act("move", at=(7, 5))).scene)[0] == 0
    assert refused(battle(creature("ann", "blue", (5, 5), "prone"), FAR), act("high_jump"))[0] == "SRD-030"


def shoved(scene, *, feet=10):
    return run(scene, lambda now: push(now, now.token("ann"), "bo", feet)).token("bo").at


@pytest.mark.rule("SRD-037", "SRD-038")
def test_a_push_goes_straight_away_up_to_what_stops_it_and_provokes_nothing():
    corner = battle(creature("ann", "blue", (0, 0)), creature("bo", "red", (1, 1)))
    assert shoved(corner) == (3, 3)
    rock = Terrain("rock", "Rock", ((3, 3),), 0)
    assert shoved(replace(corner, terrain=(rock,))) == (2, 2)
    other = battle(*corner.tokens, creature("cy", "red", (3, 3)))
    assert shoved(other) == (2, 2)
    wall = Wall("w", (7 * 64, 0, 7 * 64, 14 * 64))
    assert shoved(battle(ANN, BO, walls=(wall,))) == (6, 5)
    aslant = battle(creature("ann", "blue", (5, 5)), creature("bo", "red", (7, 6)))
    assert shoved(aslant, feet=5) == (8, 7), "of two equally near squares the diagonal one"
    near = battle(ANN, BO, creature("cy", "blue", (6, 6)))
    done = run(near, lambda now: push(now, now.token("ann"), "bo", 10))
    assert (done.token("bo").at, done.token("cy").has("reacted")) == ((8, 5), False)
    assert done.token("bo").track("moved") == 0


def dragging(own="medium", other="medium", **more):
    ann = creature("ann", "blue", (5, 5), notes={"grappling": "bo"}, size=own)
    bo = creature("bo", "red", (4, 5), notes={"grappled": "ann"}, size=other)
    return battle(ann, bo, creature("cy", "red", (19, 13)), **more)


@pytest.mark.rule("SRD-040")
def test_dragging_costs_an_extra_foot_unless_the_other_is_much_smaller():
    assert budget_of_steps(dragging()) == 3
    assert budget_of_steps(dragging("large", "small")) == 6
    assert budget_of_steps(dragging("medium", "tiny")) == 6
    mud = Terrain("mud", "Mud", tuple(columns(*range(6, 20))), 2)
    assert budget_of_steps(dragging(terrain=(mud,))) == 2
    moved = play(dragging(), act("move", at=(8, 5))).scene
    assert moved.token("bo").at[0] == 7
    assert moved.token("bo").conditions["grappled"] == "ann"
    aside = play(dragging(), act("move", at=(4, 4))).scene
    assert aside.token("bo").at == (4, 5), "it stays beside"


def budget_of_steps(scene):
    reached = [x for x, y, _ in FIFTH_EDITION.reach(scene, scene.token("ann")).cells if y == 5]
    return max(reached) - 5


HORSE = creature("bo", "blue", (6, 5), size="large", speeds={"walk": 60})
FOE = creature("cy", "red", (19, 13))


def riding(*more, horse=HORSE, terrain=(), **rules):
    scene = battle(ANN, horse, FOE, *more, rules=rules, terrain=terrain)
    return play(scene, act("mount", "bo")).scene


@pytest.mark.rule("SRD-187")
def test_a_mount_is_a_larger_ally_within_5_feet_and_mounting_costs_half_the_speed():
    scene = riding()
    assert (scene.token("ann").at, scene.token("ann").track("moved")) == ((6, 5), 15)
    carried = play(scene, act("move", at=(10, 5), token="bo")).scene
    assert carried.token("ann").at == (10, 5)
    down = play(carried, act("dismount")).scene.token("ann")
    assert (down.at != (10, 5), down.track("moved"), down.has("riding")) == (True, 30, False)
    assert refused(play(scene, act("dismount")).scene, act("dismount"))[0] == "SRD-187"
    for other in (
        creature("bo", "red", (6, 5), size="large"),
        creature("bo", "blue", (6, 5)),
        creature("bo", "blue", (7, 5), size="large"),
    ):
        assert refused(battle(ANN, other, FOE), act("mount", "bo"))[0] == "SRD-187"
    tired = play(battle(ANN, HORSE, FOE), act("move", at=(5, 9))).scene
    assert refused(play(tired, act("move", at=(5, 6))).scene, act("mount", "bo"))[0] == "SRD-187"


@pytest.mark.rule("SRD-187")
def test_a_rider_is_no_mount_and_a_mount_does_not_ride():
    squire, giant = creature("al", "blue", (5, 6), size="small"), creature("gus", "blue", (6, 2), size="huge")
    free = replace(act("mount", "bo"), body=Ride(controls=False))
    ridden = play(battle(ANN, HORSE, giant, FOE), free).scene
    horses_turn = replace(ridden, conditions={**ridden.conditions, "turn": "bo"})
    assert refused(horses_turn, act("mount", "gus", token="bo"))[0] == "SRD-187"
    horse_rides = play(battle(squire, HORSE, giant, FOE, turn="bo"), act("mount", "gus", token="bo")).scene
    beside = with_token(replace(horse_rides, conditions={"turn": "al"}), "al", at=(5, 3))
    assert refused(beside, act("mount", "bo", token="al"))[0] == "SRD-187"
    assert not refused(with_token(beside, "bo", conditions={}), act("mount", "bo", token="al"))[0]


@pytest.mark.rule("SRD-187")
def test_a_mount_behind_a_wall_is_not_mounted():
    wall = Wall("w", (6 * 64, 3 * 64, 6 * 64, 9 * 64))
    assert refused(battle(ANN, HORSE, FOE, walls=(wall,)), act("mount", "bo"))[0] == "SRD-187"
    door = replace(wall, door="door", state="open")
    assert refused(battle(ANN, HORSE, FOE, walls=(door,)), act("mount", "bo"))[0] == ""


@pytest.mark.rule("SRD-187", "SRD-026")
def test_a_mount_jumps_over_a_gap_with_its_rider():
    horse = creature("bo", "blue", (6, 5), size="large", abilities={"str": 30})
    gap = ground("gap", columns(8), 0)
    over = play(riding(horse=horse, terrain=(gap,)), act("jump", at=(9, 5), token="bo")).scene
    assert (over.token("bo").at, over.token("ann").at) == ((9, 5), (9, 5))


@pytest.mark.rule("SRD-187")
def test_who_dismounts_leaves_the_mount_to_itself_and_lands_at_the_nearest_free_square():
    ring = [(5, 4), (6, 4), (7, 4), (5, 6), (8, 4), (8, 5), (8, 6), (5, 7), (6, 7), (7, 7), (8, 7)]
    crowd = [creature(f"c{i}", "blue", at) for i, at in enumerate(ring)]
    guard = creature("last", "blue", (5, 5))
    mounted = riding(*crowd)
    down = play(mounted, act("dismount")).scene
    assert down.token("ann").at == (5, 5), "the square that she left"
    full = (*mounted.tokens, prepare_scene(FIFTH_EDITION, battle(guard, FOE)).token("last"))
    off = play(replace(mounted, tokens=full), act("dismount")).scene
    place, mount = off.token("ann").at, off.token("bo")
    assert max(abs(place[0] - 6), abs(place[1] - 5)) == 2
    assert not mount.has("ridden")
    assert not mount.has("led")


GRIFFON = creature("bo", "blue", (6, 5), size="large", speeds={"walk": 30, "fly": 80})


def aloft(*more, feet=30, **rider):
    """Return a battle with a rider on a griffon that has risen."""
    ann = creature("ann", "blue", (5, 5), **rider) if rider else ANN
    free = replace(act("mount", "bo"), body=Ride(controls=False))
    ridden = play(battle(ann, GRIFFON, FOE, *more), free).scene
    griffons_turn = replace(ridden, conditions={**ridden.conditions, "turn": "bo"})
    risen = play(griffons_turn, replace(act("rise", token="bo"), body=Rise(feet))).scene
    return replace(risen, conditions={**risen.conditions, "turn": "ann"})


@pytest.mark.rule("SRD-187", "SRD-022")
def test_a_mount_that_rises_takes_its_rider_up():
    scene = aloft()
    assert [scene.token(key).elevation for key in ("ann", "bo")] == [30, 30]
    up = replace(scene, conditions={**scene.conditions, "turn": "bo"})
    down = play(up, replace(act("rise", token="bo"), body=Rise(-20))).scene
    assert [down.token(key).elevation for key in ("ann", "bo")] == [10, 10]


@pytest.mark.rule("SRD-187", "SRD-031")
def test_who_dismounts_in_the_air_falls_unless_it_flies():
    down = play(aloft(), act("dismount"), 1, 2, 3).scene
    ann, griffon = down.token("ann"), down.token("bo")
    assert (ann.elevation, ann.track("hp"), ann.has("prone")) == (0, 30 - 6, True)
    assert (griffon.elevation, griffon.track("hp")) == (30, 30)
    winged = play(aloft(speeds={"walk": 30, "fly": 30}), act("dismount")).scene
    assert winged.token("ann").elevation == 30


@pytest.mark.rule("SRD-189", "SRD-031")
def test_a_rider_falls_with_its_mount():
    # The rider stays in the saddle (10), falls (1, 2, 3) and stays again (10); then the griffon falls.
    fallen = run(aloft(), lambda scene: afflict(scene, "bo", "prone"), 10, 1, 2, 3, 10, 4, 5, 6)
    ann, griffon = fallen.token("ann"), fallen.token("bo")
    assert (ann.elevation, griffon.elevation) == (0, 0)
    assert [30 - one.track("hp") for one in (ann, griffon)] == [6, 15]


@pytest.mark.rule("SRD-189", "SRD-031")
def test_a_rider_who_is_thrown_off_in_the_air_falls_alone():
    thrown = run(aloft(), lambda scene: afflict(scene, "ann", "prone"), 1, 1, 2, 3).token("ann")
    assert (thrown.elevation, thrown.track("hp"), thrown.has("riding")) == (0, 30 - 6, False)


@pytest.mark.rule("SRD-187", "SRD-031")
def test_the_rider_of_a_mount_that_dies_in_the_air_falls():
    fallen = run(aloft(), lambda scene: die(scene, "bo"), 1, 2, 3).token("ann")
    assert (fallen.elevation, fallen.track("hp")) == (0, 30 - 6)


@pytest.mark.rule("SRD-187", "SRD-139")
def test_a_rider_who_dies_in_the_air_dies_once_and_comes_to_the_ground():
    dying = with_token(aloft(), "ann", tracks={**aloft().token("ann").tracks, "hp": 0, "failures": 2})
    dead = run(dying, lambda scene: hurt(scene, "ann", 1, False, ("fire",))).token("ann")
    assert (dead.elevation, dead.has("out"), dead.track("hp")) == (0, True, 0)


@pytest.mark.rule("SRD-187", "SRD-139")
def test_the_death_of_a_mount_parts_it_from_its_rider():
    dead = run(riding(), lambda now: die(now, "bo"))
    assert not dead.token("ann").has("riding")
    assert dead.token("bo").has("out")


@pytest.mark.rule("SRD-188")
def test_an_independent_mount_keeps_its_own_turn():
    free = play(battle(ANN, HORSE, FOE), replace(act("mount", "bo"), body=Ride(controls=False))).scene
    assert refused(free, act("dash", token="bo"))[0] == "SRD-049"
    turns = play(free, act("end")).scene
    assert turns.conditions["turn"] == "bo"
    assert play(turns, act("move", at=(9, 5), token="bo")).scene.token("ann").at == (9, 5)


@pytest.mark.rule("SRD-189")
def test_who_rides_saves_or_falls_off_if_the_mount_is_moved_or_either_is_felled():
    scene = riding()
    for felled in ("ann", "bo"):
        off = run(scene, lambda now, one=felled: afflict(now, one, "prone"), 9)
        assert (off.token("ann").has("riding"), off.token("ann").has("prone")) == (False, True)
        assert off.token("ann").at != off.token("bo").at
    kept = run(scene, lambda now: afflict(now, "bo", "prone"), 10)
    assert kept.token("ann").has("riding")
    foe = with_token(scene, "cy", at=(5, 5))
    pushed = run(foe, lambda now: push(now, now.token("cy"), "bo", 10), 9)
    assert (pushed.token("ann").has("riding"), pushed.token("bo").at != (6, 5)) == (False, True)
    assert pushed.token("ann").track("hp") == 30


def test_the_damage_of_a_fall_is_told():
    scene = battle(flier(), FAR)
    done = resolve(scene, stun, (act("move"),), Answers(faces=[2, 3, 4]))
    assert "Ann falls 30 feet. Ann takes 9 damage from the fall." in FIFTH_EDITION.narrate(scene, done.events)
    assert hp(done, "ann") == 21


def large(at=(2, 5), **more):
    return creature("ann", "blue", at, size="large", **more)


@pytest.mark.rule("SRD-008")
def test_a_large_creature_pays_for_the_dearest_square_that_it_newly_enters():
    mud = Terrain("mud", "Mud", tuple(columns(5)), 2)
    scene = battle(large(), FAR, terrain=(mud,))
    assert [cost(scene, (x, 5)) for x in (3, 4, 5, 6)] == [5, 15, 20, 25]
    patch = battle(large(), FAR, terrain=(Terrain("mud", "Mud", ((4, 6),), 2),))
    assert cost(patch, (3, 5)) == 10, "the dearest of the two new squares"
    assert FIFTH_EDITION.judge(scene, scene.token("ann"), ((6, 5),), None).cost == 25
    near = battle(large(), creature("bo", "red", (6, 6)))
    assert FIFTH_EDITION.sight(near, *near.tokens).distance == "15 feet"


def corridor(width):
    """Return rock with an open field on the left, and a corridor of so many rows through the rest."""
    rock = [(x, y) for x in range(6, 12) for y in range(14) if y not in range(5, 5 + width)]
    return (Terrain("rock", "Rock", tuple(rock), 0),)


@pytest.mark.rule("SRD-036")
def test_a_large_creature_squeezes_through_an_opening_for_one_size_smaller_as_difficult_ground():
    fast = {"speeds": {"walk": 90}}
    wide = battle(large((4, 5), **fast), FAR, terrain=corridor(2))
    assert cost(wide, (12, 5)) == 40
    tight = battle(large((4, 5), **fast), FAR, terrain=corridor(1))
    assert cost(tight, (12, 5)) == 5 * (7 * 2 + 1)
    assert cost(tight, (8, 5)) is None, "it does not stay there"
    assert not FIFTH_EDITION.judge(tight, tight.token("ann"), ((8, 5),), None).allowed
    huge = creature("ann", "blue", (3, 5), size="huge", **fast)
    assert cost(battle(huge, FAR, terrain=corridor(1)), (12, 5)) is None
    assert cost(battle(huge, FAR, terrain=corridor(2)), (12, 5)) is not None
    walls = tuple(Wall(f"w{y}", (6 * 64, y * 64, 6 * 64, (y + 1) * 64)) for y in range(14) if y != 5)
    assert cost(battle(large((4, 5), **fast), FAR, walls=walls), (6, 5)) == 5 * (2 + 1)
