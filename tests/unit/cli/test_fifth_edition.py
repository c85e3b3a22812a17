"""Worked examples of the fifth edition through the shell command: `resolve`, `odds` and `overlay`."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from enfilade.cli.main import main
from enfilade.rules.sheets import Attack, Damage
from enfilade.rulesets.fifth_edition.catalog import UNITS
from enfilade.rulesets.fifth_edition.motions import Rise
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import Grid, Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import BOW, GLAIVE, SPEAR, SWORD, act, battle, creature

FAR = creature("cy", "red", (19, 13))
MACE = replace(SWORD, name="Mace", damage=(Damage(0, 0, 11, "bludgeoning"),))
ALL = tuple((x, y) for x in range(20) for y in range(14))
LONGBOW = replace(BOW, name="Longbow")


def row(columns, rows=1):
    """Return a grid of one row, or of few."""
    return Grid("square", columns, rows, distance=5, units="feet")


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a command on a scene and returns its JSON, or the text of its refusal."""

    def command(name, scene, one, *options):
        path = tmp_path / "scene.json"
        path.write_bytes(msgspec.json.encode({"version": 1, **msgspec.to_builtins(scene)}))
        aim = ("--token", one)
        if not isinstance(one, str):
            act = {key: value for key, value in msgspec.to_builtins(one).items() if value not in (None, "")}
            aim = ("--act", json.dumps(act))
        found = CliRunner().invoke(main, [name, str(path), *aim, *options, "--json"])
        return json.loads(found.stdout) if found.exit_code == 0 else found.output

    return command


@pytest.fixture
def resolved(run):
    """Return a function that resolves an act with given faces and answers."""

    def resolve(scene, one, *faces, answers=()):
        given = ("--faces", ",".join(map(str, faces)), "--answers", json.dumps(list(answers)))
        return run("resolve", scene, one, *given)

    return resolve


def token(found, key="ann"):
    return next(one for one in found["scene"]["tokens"] if one["id"] == key)


def moved(found):
    return found if isinstance(found, str) else token(found)["tracks"].get("moved", 0)


def told(found, kind):
    return [event["facts"] for event in found["events"] if event.get("kind") == kind]


def damage(outcome):
    """Return the damage of an outcome in words: "hit for 7"."""
    return int(outcome.rpartition(" for ")[2]) if " for " in outcome else 0


def total(found, *words):
    """Return the chance of all outcomes that begin with a word."""
    chances = [Fraction(*one["chance"]) for one in found["outcomes"] if one["outcome"].startswith(words)]
    return sum(chances, Fraction())


@pytest.mark.rule("SRD-002", "SRD-003", "SRD-008")
@pytest.mark.parametrize(
    ("size", "at", "rules", "feet"),
    [("medium", (3, 2), {}, 15), ("medium", (3, 2), {"diagonals": "5-10-5"}, 20), ("large", (4, 1), {}, 15)],
)
def test_distances(resolved, size, at, rules, feet):
    scene = battle(creature("ann", "blue", (0, 0), size=size), creature("bo", "red", at), rules=rules)
    assert f"Bo is {feet} feet away" in resolved(scene, act("attack", "bo", "Sword"))


@pytest.mark.rule("SRD-004", "SRD-015", "SRD-016", "SRD-018")
def test_steps_and_what_they_cost(resolved):
    rock = Terrain("r", "Rock", ((1, 0),), 0)
    found = resolved(battle(creature("ann", "blue", (0, 0)), FAR, terrain=(rock,)), act("move", at=(1, 1)))
    assert (moved(found), token(found)["at"]) == (10, [1, 1])
    mud = Terrain("m", "Mud", ((3, 0), (4, 0)), 2)
    path = battle(creature("ann", "blue", (0, 0)), replace(FAR, at=(19, 0)), terrain=(mud,), grid=row(20))
    assert moved(resolved(path, act("move", at=(4, 0)))) == 30
    assert "35 feet" in resolved(path, act("move", at=(5, 0)))
    cliff = Terrain("c", "Cliff", ((1, 0), (2, 0)), 2, kind="climb")
    for speeds, feet in (({"walk": 30}, 30), ({"walk": 30, "climb": 30}, 20)):
        ann = creature("ann", "blue", (0, 0), speeds=speeds)
        scene = battle(ann, replace(FAR, at=(19, 0)), terrain=(cliff,), grid=row(20))
        assert moved(resolved(scene, act("move", at=(2, 0)))) == feet


@pytest.mark.rule("SRD-023", "SRD-013", "SRD-022")
def test_standing_up_and_changing_to_another_speed(resolved, run):
    lying = creature("ann", "blue", (0, 0), "prone", speeds={"walk": 25})
    found = resolved(battle(lying, FAR), act("stand"))
    assert moved(found) == 12
    assert found["scene"]["tokens"][0]["conditions"] == {}
    held = replace(lying, conditions={"prone": "", "restrained": ""})
    assert "Speed of 0" in resolved(battle(held, FAR), act("stand"))
    bird = creature("ann", "blue", (5, 5), speeds={"walk": 30, "fly": 40}, tracks={"moved": 20})
    assert run("overlay", battle(bird, FAR), "ann")["reach"]["budget"] == 10
    rise = replace(act("rise"), body=Rise(20))
    assert token(resolved(battle(bird, FAR), rise))["elevation"] == 20
    assert "too little" in resolved(battle(bird, FAR), replace(act("rise"), body=Rise(25)))


@pytest.mark.rule("SRD-026", "SRD-027")
@pytest.mark.parametrize(("gap", "run_up", "fits"), [(2, 10, True), (3, 10, False), (1, 0, False)])
def test_jumps_of_one_with_a_strength_of_16(resolved, gap, run_up, fits):
    chasm = Terrain("g", "Gap", tuple((x, 0) for x in range(3, 3 + gap)), 0, kind="gap")
    tracks = {"run": run_up, "moved": run_up}
    ann = creature("ann", "blue", (2, 0), abilities={"str": 16}, tracks=tracks)
    scene = battle(ann, replace(FAR, at=(19, 0)), terrain=(chasm,), grid=row(20))
    found = resolved(scene, act("jump", at=(3 + gap, 0)))
    assert (moved(found) == 25) if fits else ("jumps" in found)


HOLD = Effect(name="Hold", shape="single", range=60, save="wis", difficulty=13, condition="incapacitated")


@pytest.mark.rule("SRD-031")
@pytest.mark.parametrize(("height", "faces", "damage"), [(35, (2, 5, 6), 13), (9, (), 0)])
def test_falls(resolved, height, faces, damage):
    bird = creature("bo", "red", (6, 5), speeds={"fly": 30}, elevation=height)
    scene = battle(creature("ann", "blue", (5, 5), effects=(HOLD,)), bird)
    found = token(resolved(scene, act("effect", "bo", "Hold"), 1, *faces), "bo")
    assert (30 - found["tracks"]["hp"], found["elevation"], "prone" in found["conditions"]) == (
        damage,
        0,
        damage > 0,
    )


@pytest.mark.rule("SRD-017", "SRD-033", "SRD-034")
@pytest.mark.parametrize(
    ("other", "rows", "feet"),
    [
        (creature("bo", "red", (1, 0), size="large"), 2, None),
        (creature("bo", "red", (1, 0), size="huge"), 3, 3 * 10 + 5),
        (creature("bo", "red", (1, 0), size="tiny"), 1, 10),
        (creature("bo", "red", (1, 0), "incapacitated"), 1, 10 + 5),
        (creature("bo", "blue", (1, 0)), 1, 10),
    ],
)
def test_who_may_be_passed(resolved, other, rows, feet):
    ann = creature("ann", "blue", (0, 0), speeds={"walk": 60})
    scene = battle(ann, other, creature("cy", "red", (19, 0)), grid=row(20, rows))
    beyond = 1 + {"large": 2, "huge": 3}.get(other.profile["size"], 1)
    found = resolved(scene, act("move", at=(beyond, 0)))
    assert ("stands in" in found) if feet is None else (moved(found) == feet)
    assert isinstance(resolved(scene, act("move", at=(1, 0))), str)


@pytest.mark.rule("SRD-040")
@pytest.mark.parametrize(
    ("own", "other", "is_rough", "squares"),
    [("medium", "medium", False, 3), ("large", "small", False, 6), ("medium", "medium", True, 2)],
)
def test_dragging(run, own, other, is_rough, squares):
    rough = (
        (Terrain("r", "Rough", tuple((x, y) for x in range(20) for y in range(14)), 2),) if is_rough else ()
    )
    ann = creature("ann", "blue", (6, 5), size=own, notes={"grappling": "bo"})
    bo = creature("bo", "red", (5, 5), size=other, notes={"grappled": "ann"})
    reach = run("overlay", battle(ann, bo, terrain=rough), "ann")["reach"]["cells"]
    assert max(x for x, *_ in reach) - 6 == squares


@pytest.mark.rule("SRD-038", "SRD-127")
@pytest.mark.parametrize(("filled", "end"), [((), [3, 3]), (((3, 3),), [2, 2])])
def test_a_push_of_10_feet(resolved, filled, end):
    maul = replace(SWORD, mastery="push")
    rock = (Terrain("r", "Rock", filled, 0),) if filled else ()
    ann = creature("ann", "blue", (0, 0), attacks=(maul,), has_mastery=True)
    scene = battle(ann, creature("bo", "red", (1, 1)), terrain=rock)
    assert token(resolved(scene, act("attack", "bo", "Sword"), 15, 4), "bo")["at"] == end


@pytest.mark.rule("SRD-077", "SRD-079", "SRD-080", "SRD-082")
@pytest.mark.parametrize(
    ("reach", "path", "asked"),
    [
        (5, ((1, 2), (1, 1), (2, 1), (3, 1), (4, 0)), (3, 1)),
        (10, ((3, 2), (4, 2), (5, 2)), (4, 2)),
        (5, ((3, 2), (4, 2), (5, 2)), (3, 2)),
    ],
)
def test_an_opportunity_attack_is_made_where_the_mover_is_last_in_reach(resolved, reach, path, asked):
    goblin = creature("ann", "blue", path[0], hit_points=10)
    enemy = creature("bo", "red", (2, 2), attacks=(replace(MACE, reach=reach),))
    found = resolved(battle(goblin, enemy), replace(act("move", at=path[-1]), path=path[1:]), 15)
    assert len(told(found, "opportunity")) == 1
    steps = [event["at"] for event in found["events"] if event["type"] == "token_moved" and event["at"]]
    assert steps == [list(cell) for cell in path[1 : path.index(asked) + 1]]
    assert "out" in token(found)["conditions"]
    assert moved(found) == 5 * path.index(asked), "the step away is not paid"


@pytest.mark.rule("SRD-078", "SRD-081")
@pytest.mark.parametrize(
    ("mover", "enemy"),
    [("", "blinded"), ("invisible", ""), ("", "reacted"), ("", "incapacitated"), ("disengaged", "")],
)
def test_there_is_no_opportunity_attack(resolved, mover, enemy):
    ann = creature("ann", "blue", (1, 0), *filter(None, [mover]))
    bo = creature("bo", "red", (0, 0), *filter(None, [enemy]))
    assert not told(resolved(battle(ann, bo), act("move", at=(3, 0))), "opportunity")


@pytest.mark.rule("SRD-083", "SRD-085", "SRD-086")
@pytest.mark.parametrize(
    ("bonus", "armor", "states", "hits", "criticals"),
    [
        (5, 15, (), Fraction(11, 20), Fraction(1, 20)),
        (5, 15, ("restrained",), Fraction(319, 400), Fraction(39, 400)),
        (5, 15, ("dodging",), Fraction(121, 400), Fraction(1, 400)),
        (0, 22, (), Fraction(1, 20), Fraction(1, 20)),
        (30, 10, (), Fraction(19, 20), Fraction(1, 20)),
    ],
)
def test_chances_of_an_attack(run, bonus, armor, states, hits, criticals):
    ann = creature("ann", "blue", (5, 5), attacks=(replace(SWORD, bonus=bonus),))
    found = run("odds", battle(ann, creature("bo", "red", (6, 5), *states, armor_class=armor)), HIT)
    assert (Fraction(*found["chance"]), total(found, "critical")) == (hits, criticals)
    if (armor, states) == (15, ()):
        mean = sum(Fraction(*one["chance"]) * damage(one["outcome"]) for one in found["outcomes"])
        assert mean == Fraction(87, 20)


HIT = act("attack", "bo", "Sword")


@pytest.mark.rule("SRD-090", "SRD-091", "SRD-154", "SRD-155")
def test_reasons_of_shots(resolved):
    ann = creature("ann", "blue", (0, 0), attacks=(LONGBOW,))
    for feet, count in ((150, 0), (155, 1), (600, 1), (605, None)):
        scene = battle(ann, creature("bo", "red", (feet // 5, 0)), grid=row(130))
        found = resolved(
            scene, act("attack", "bo", "Longbow"), *(() if count is None else (2,) * (1 + count))
        )
        if count is None:
            assert "goes 600 feet" in found
        else:
            assert len(told(found, "attack")[0]["disadvantages"]) == count
    lying = creature("bo", "red", (6, 0), "prone", "restrained")
    both = battle(ann, lying, creature("cy", "red", (1, 0)))
    (shot,) = told(resolved(both, act("attack", "bo", "Longbow"), 2), "attack")
    assert (len(shot["advantages"]), len(shot["disadvantages"])) == (1, 2)


@pytest.mark.rule("SRD-154", "SRD-106", "SRD-108", "SRD-184")
def test_reasons_of_blows(run):
    def edges(scene, one):
        fact = run("odds", scene, one)
        return bool(fact["advantages"]), bool(fact["disadvantages"])

    def prone(weapon, at, *own):
        ann = creature("ann", "blue", (5, 5), *own, attacks=(SPEAR, GLAIVE))
        return edges(battle(ann, creature("bo", "red", at, "prone")), act("attack", "bo", weapon))

    assert prone("Spear", (6, 5)) == (True, False)
    assert prone("Glaive", (7, 5)) == (False, True)
    assert prone("Spear", (6, 5), "prone") == (True, True)
    night = (Terrain("n", "Night", ALL, 1, kind="dark"),)
    for senses, expected in (({"darkvision": 60}, ((False, True), (True, False))), ({}, ((True, True),) * 2)):
        ann = creature("ann", "blue", (5, 5), attacks=(BOW,))
        bo = creature("bo", "red", (11, 5), attacks=(BOW,), senses=senses)
        shots = [
            edges(battle(ann, bo, terrain=night, turn=key), act("attack", other, "Bow", token=key))
            for key, other in (("ann", "bo"), ("bo", "ann"))
        ]
        assert tuple(shots) == expected
    wolf = creature("ann", "blue", (0, 0), has_pack_tactics=True)
    for states, expected in (((), (True, False)), (("stunned",), (False, False))):
        ally = creature("cy", "blue", (2, 1), *states)
        assert edges(battle(wolf, creature("bo", "red", (1, 0)), ally), HIT) == expected


@pytest.mark.rule("SRD-132", "SRD-130", "SRD-117")
def test_damage_of_weapons(resolved, run):
    sneak = (Damage(1, 4, 3, "piercing"), Damage(2, 6, 0, "piercing"))
    dagger = replace(SWORD, damage=sneak)
    found = resolved(
        battle(creature("ann", "blue", (5, 5), attacks=(dagger,)), BO), HIT, 20, 1, 4, 2, 3, 5, 6
    )
    assert found["outcome"]["damage"] == 24
    topple = replace(SWORD, mastery="topple")
    ann = creature("ann", "blue", (5, 5), attacks=(topple,), has_mastery=True, abilities={"str": 16})
    fallen = [
        "prone" in token(resolved(battle(ann, BO), HIT, 15, 4, face), "bo")["conditions"] for face in (12, 13)
    ]
    assert fallen == [True, False]
    nimble = creature(
        "ann", "blue", (5, 5), attacks=(), weapons=("Dagger", "Scimitar"), abilities={"dex": 16}
    )
    first = resolved(battle(nimble, BO), act("attack", "bo", "Scimitar"), 15, 1)
    scene = msgspec.convert(first["scene"], type(battle()), strict=False)
    second = resolved(scene, act("offhand", "bo", "Dagger"), 15, 3)
    assert second["outcome"]["damage"] == 3


BO = creature("bo", "red", (6, 5))


@pytest.mark.rule("SRD-060", "SRD-158")
def test_dodging_and_exhaustion(run):
    def terms(ann, bo, **more):
        scene = battle(ann, bo, **more)
        fact = run("odds", scene, HIT)
        return len(fact["disadvantages"]), run("overlay", scene, "ann")["reach"]["budget"], fact["needed"]

    plain, unseen = creature("ann", "blue", (5, 5)), creature("ann", "blue", (5, 5), "invisible")
    assert terms(plain, creature("bo", "red", (6, 5), "dodging"))[0] == 1
    assert terms(unseen, creature("bo", "red", (6, 5), "dodging"))[0] == 0
    assert terms(plain, creature("bo", "red", (6, 5), "dodging", "restrained"))[0] == 0
    tired = creature("ann", "blue", (5, 5), tracks={"exhaustion": 3})
    assert terms(tired, BO) == (0, 15, 16)
    assert terms(tired, BO, rules={"edition": "5.1"}) == (1, 15, 10)


@pytest.mark.rule("SRD-097", "SRD-100", "SRD-101", "SRD-102")
def test_cover(run):
    bow = creature("ann", "blue", (0, 0), attacks=(BOW,))
    for between, needed in (((2, 0), 12), ((2, 1), 10)):
        scene = battle(bow, creature("bo", "red", (4, 0)), creature("cy", "red", between))
        assert run("odds", scene, act("attack", "bo", "Bow"))["needed"] == needed
    wall = Wall("w", (2 * 64, 64, 2 * 64, 9 * 64))
    scene = battle(bow, creature("bo", "red", (3, 2)), walls=(wall,))
    assert run("odds", scene, act("attack", "bo", "Bow"))["needed"] == 15


@pytest.mark.rule("SRD-063", "SRD-065", "SRD-109")
def test_blindsight_and_hiding(resolved, run):
    wall = Wall("w", (2 * 64, 64, 2 * 64, 9 * 64))
    for total, is_hidden in ((14, False), (17, True)):
        ann = creature("ann", "blue", (3, 2))
        guard = creature("bo", "red", (0, 0), skills={"perception": 6})
        found = resolved(battle(ann, guard, walls=(wall,)), act("hide"), total)
        assert (token(found)["conditions"].get("invisible") == "hiding") is is_hidden
    for perception, sees in ((6, False), (7, True)):
        hidden = creature("bo", "red", (4, 5), notes={"invisible": "hiding"}, tracks={"hidden": 17})
        ann = creature("ann", "blue", (5, 5), skills={"perception": perception})
        assert (not run("odds", battle(ann, hidden), HIT)["disadvantages"]) is sees
    for feet, is_seen in ((30, True), (35, False)):
        ann = creature("ann", "blue", (5, 5), attacks=(BOW,), senses={"blindsight": 30})
        scene = battle(ann, creature("bo", "red", (5 + feet // 5, 5), "invisible"))
        assert (not run("odds", scene, act("attack", "bo", "Bow"))["disadvantages"]) is is_seen


@pytest.mark.rule("SRD-134", "SRD-135")
def test_a_save_halves_before_resistance(resolved):
    flame = Effect(name="Flame", shape="sphere", size=5, range=60, damage=(Damage(0, 0, 27, "fire"),))
    ann = creature("ann", "blue", (5, 5), effects=(flame,))
    scene = battle(ann, creature("bo", "red", (12, 5), resistances=("fire",)))
    dealt = [resolved(scene, act("effect", "bo", "Flame"), face)["outcome"]["damage"] for face in (20, 1)]
    assert dealt == [6, 13]


@pytest.mark.rule("SRD-139", "SRD-140", "SRD-164", "SRD-185")
def test_at_0_hit_points(resolved):
    for damage, states in ((18, {"out"}), (17, {"unconscious", "dying", "prone"})):
        hard = replace(SWORD, damage=(Damage(0, 0, damage, "slashing"),))
        hero = creature("bo", "red", (6, 5), hit_points=12, is_character=True, tracks={"hp": 6})
        found = resolved(battle(creature("ann", "blue", (5, 5), attacks=(hard,)), hero), HIT, 15)
        assert states <= set(token(found, "bo")["conditions"])
    first = creature("ann", "blue", (5, 5), tracks={"initiative": 10})
    for face, tracks, dying in ((1, {"failures": 3}, False), (20, {"hp": 1, "failures": 0}, False)):
        hero = creature(
            *("bo", "red", (6, 5), "dying", "prone", "unconscious"),
            is_character=True,
            tracks={"hp": 0, "failures": 1, "initiative": 5},
        )
        found = token(resolved(battle(first, hero, FAR), act("end"), face), "bo")
        assert {key: found["tracks"].get(key, 0) for key in tracks} == tracks
        assert ("dying" in found["conditions"] and face == 20) is dying
    undead = creature("bo", "red", (6, 5), hit_points=15, has_undead_fortitude=True, abilities={"con": 16})
    chop = replace(SWORD, damage=(Damage(0, 0, 15, "slashing"),))
    scene = battle(creature("ann", "blue", (5, 5), attacks=(chop,)), undead)
    left = [token(resolved(scene, HIT, 15, face), "bo")["tracks"].get("hp") for face in (16, 17)]
    assert left == [0, 1], "20 is needed, with a bonus of 3"


@pytest.mark.rule("SRD-164")
@pytest.mark.parametrize(
    ("damage", "edition", "needed"), [(21, "5.2", 10), (27, "5.2", 13), (80, "5.2", 30), (80, "5.1", 40)]
)
def test_the_save_of_concentration(resolved, damage, edition, needed):
    blow = replace(SWORD, damage=(Damage(0, 0, damage, "slashing"),))
    for bonus, is_kept in ((needed - 10, True), (needed - 11, False)):
        mage = creature(
            *("bo", "red", (6, 5)), notes={"concentrating": "Fog"}, hit_points=200, saves={"con": bonus}
        )
        scene = battle(creature("ann", "blue", (5, 5), attacks=(blow,)), mage, rules={"edition": edition})
        found = token(resolved(scene, HIT, 15, 10), "bo")
        assert ("concentrating" in found["conditions"]) is is_kept


@pytest.mark.rule("SRD-071", "SRD-072")
def test_a_grapple(resolved, run):
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16})
    scene = battle(strong, creature("bo", "red", (6, 5), abilities={"dex": 14}))
    assert Fraction(*run("odds", scene, act("grapple", "bo"))["chance"]) == Fraction(1, 2)
    assert "too large" in resolved(
        battle(strong, creature("bo", "red", (6, 5), size="huge")), act("grapple", "bo")
    )


@pytest.mark.rule("SRD-151", "SRD-161", "SRD-162")
@pytest.mark.parametrize(
    ("states", "covered", "made"),
    [
        ((), False, Fraction(2, 5)),
        ((), True, Fraction(1, 2)),
        (("dodging",), False, Fraction(16, 25)),
        (("paralyzed",), False, Fraction(0)),
    ],
)
def test_saves_against_15_with_2(run, states, covered, made):
    bolt = Effect(
        name="Bolt",
        shape="single",
        range=90,
        save="dex",
        difficulty=15,
        damage=(Damage(0, 0, 1, "cold"),),
        half=False,
    )
    ann = creature("ann", "blue", (0, 0), effects=(bolt,))
    others = (creature("cy", "blue", (2, 0)),) if covered else ()
    scene = battle(ann, creature("bo", "red", (4, 0), *states, abilities={"dex": 14}), *others)
    found = run("odds", scene, act("effect", "bo", "Bolt"))
    assert sum(Fraction(*one["chance"]) for one in found["outcomes"] if not damage(one["outcome"])) == made


@pytest.mark.rule("SRD-181", "SRD-045")
def test_recharge_and_ties(resolved):
    breath = Effect(name="Breath", shape="cone", size=15, recharge=5)
    drake = creature("bo", "red", (6, 5), effects=(breath,), notes={"spent": "Breath"})
    scene = battle(creature("ann", "blue", (5, 5)), drake)
    back = [
        "spent" not in token(resolved(scene, act("end"), face), "bo")["conditions"] for face in range(1, 7)
    ]
    assert back == [False] * 4 + [True] * 2
    hero = creature("ann", "blue", (5, 5), abilities={"dex": 12}, is_character=True)
    beast = creature("bo", "red", (6, 5), abilities={"dex": 16})
    found = resolved(battle(beast, hero, turn=""), act("begin"), 13, 11)
    assert {one["tracks"]["initiative"] for one in found["scene"]["tokens"]} == {14}
    assert found["scene"]["conditions"]["turn"] == "ann"


@pytest.mark.rule("SRD-134", "SRD-185")
def test_a_skeleton_dies_of_9_bludgeoning_damage(resolved):
    club = Attack(name="Sword", kind="melee", bonus=5, reach=5, damage=(Damage(0, 0, 9, "bludgeoning"),))
    skeleton = next(one for one in UNITS if one.key == "skeleton")
    bo = replace(creature("bo", "red", (6, 5)), profile=msgspec.to_builtins(skeleton.profile), tracks={})
    found = resolved(battle(creature("ann", "blue", (5, 5), attacks=(club,)), bo), HIT, 15)
    assert (found["outcome"]["damage"], "out" in token(found, "bo")["conditions"]) == (18, True)


@pytest.mark.rule("SRD-169", "SRD-172", "SRD-173", "SRD-175")
@pytest.mark.parametrize(
    ("shape", "size", "aim", "cells"),
    [
        ("sphere", 20, (9, 6), 52),
        ("sphere", 10, (9, 6), 12),
        ("cone", 15, (8, 5), {(6, 5), (7, 5), (8, 4), (8, 5), (8, 6)}),
        ("cone", 15, (7, 7), {(6, 6), (6, 7), (7, 6), (7, 7), (7, 8), (8, 7)}),
        ("line", 30, (11, 5), {(x, 5) for x in range(6, 12)}),
        ("emanation", 15, None, 48),
    ],
)
def test_whom_an_area_catches(resolved, shape, size, aim, cells):
    spell = Effect(name="Spell", shape=shape, size=size, width=5, range=150 if shape == "sphere" else 0)
    crowd = [creature(f"b{x}-{y}", "red", (x, y)) for x in range(20) for y in range(14) if (x, y) != (5, 5)]
    scene = battle(creature("ann", "blue", (5, 5), effects=(spell,)), *crowd)
    one = act("effect", "" if aim else "b6-5", "Spell", at=aim)
    count = cells if isinstance(cells, int) else len(cells)
    (fact,) = told(resolved(scene, one, *[1] * count), "effect")
    caught = {tuple(map(int, key[1:].split("-"))) for key in fact["caught"]}
    assert len(caught) == cells if isinstance(cells, int) else caught == cells
