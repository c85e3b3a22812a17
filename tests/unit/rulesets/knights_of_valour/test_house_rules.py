"""Each house rule changes what it says, and its default is the ruling of the rule page."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.house_rules import HOUSE_RULES
from enfilade.scene.events import TokenMoved
from enfilade.scene.model import Wall
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    card,
    dice,
    do,
    facts,
    go,
    hero,
    in_round,
    judged,
    melee,
    monster,
    patch,
    points,
    questions,
    reach,
    refused,
    scene,
    shoot,
    squares,
    with_token,
)


def archer(at=(1, 5), **sheet):
    return hero("wren", at, **{"hands": ["Long bow"], **sheet})


def walker(*others, house_rules=None, terrain=(), at=(5, 5), **sheet):
    return in_round(
        scene(hero("aldis", at, **sheet), *others, house_rules=house_rules, terrain=terrain), "aldis"
    )


def declared(board, asked, *faces):
    (found,) = facts(do(board, asked, faces), "declared")
    return found


def attackers(done):
    return [fact["token"] for fact in facts(done, "free attack")]


def test_every_house_rule_has_a_sentence_and_a_rule():
    assert all(rule.sentence and rule.rule.startswith("KOV-") for rule in HOUSE_RULES)
    assert len({rule.key for rule in HOUSE_RULES}) == len(HOUSE_RULES)
    assert KNIGHTS_OF_VALOUR.house_rules == HOUSE_RULES


def test_the_options_of_every_house_rule():
    options = {rule.key.removeprefix("knights_of_valour."): rule.options for rule in HOUSE_RULES}
    assert {key: value for key, value in options.items() if isinstance(value[0], bool)} == {
        "map": (True, False),
        "ranged_proficiency": (True, False),
        "ranged_size": (True, False),
        "split_moves": (False, True),
        "creatures_block": (False, True),
        "pass_allies": (True, False),
    }
    assert options["movement"] == (30, 20, 25, 35, 40)
    assert options["maximum_weight"] == (50, 75, 100)
    assert options["minimum_damage"] == (0, 1)
    assert options["heights"] == ("4, 6, 8", "3, 5, 7")
    assert all(len(set(map(repr, values))) == len(values) > 1 for values in options.values())


@pytest.mark.rule("KOV-002")
def test_without_a_map_distance_sight_and_places_do_not_matter():
    wall = Wall(id="w", line=(6 * 64, 0, 6 * 64, 12 * 64))
    for has_map in (True, False):
        tokens = (hero("aldis", (1, 5)), archer(None), monster("orc", (10, 5)), monster("troll"))
        board = scene(*tokens, walls=[wall], house_rules={"map": has_map})
        for asked in (melee("aldis", "orc"), melee("aldis", "troll"), shoot("wren", "orc")):
            assert bool(refused(board, asked)) is has_map
    near = walker(monster("orc", (4, 5)), house_rules={"map": False})
    assert attackers(do(near, go("aldis", 7, 5))) == []
    assert KNIGHTS_OF_VALOUR.engagements(near) == []
    board = scene(archer(None), monster("orc"), house_rules={"map": False})
    assert declared(board, shoot("wren", "orc"), 2)["disadvantage"] == ""


@pytest.mark.rule("KOV-002")
def test_without_a_map_the_other_rules_hold():
    board = scene(hero("aldis", proficiency={"Sword": 0}), monster("orc"), house_rules={"map": False})
    assert refused(board, melee("aldis", "orc")) == "KOV-050"


@pytest.mark.parametrize(("means", "reaches", "vault"), [("feet", [1], 5), ("inches", [1, 2, 5], 25)])
def test_c1_five_is_feet_or_inches(means, reaches, vault):
    rules = {"five_means": means}
    for squares_away in (1, 2, 5, 6):
        board = scene(hero("aldis", (1, 5)), monster("orc", (1 + squares_away, 5)), house_rules=rules)
        assert (refused(board, melee("aldis", "orc")) == "") is (squares_away in reaches)
    obstacle = patch("obstacle", *[(6, y) for y in range(12)], height=3)
    assert judged(walker(terrain=[obstacle], house_rules=rules), "aldis", (7, 5)).cost == vault + 5
    spear = archer(hands=["Throwing spear"])
    far = scene(spear, monster("orc", (14, 5)), house_rules=rules)
    assert bool(refused(far, shoot("wren", "orc", "Throwing spear"))) is (means == "feet")


@pytest.mark.parametrize(
    ("rule", "reason"),
    [("ranged_proficiency", "proficiency with Long bow"), ("ranged_size", "size (average attacks tall)")],
)
def test_c2_proficiency_and_size_at_range(rule, reason):
    for is_counted in (True, False):
        board = scene(archer(), monster("orc", (4, 5), size="tall"), house_rules={rule: is_counted})
        found = declared(board, shoot("wren", "orc"), 2)
        counted = {m["reason"] for m in found["modifiers"] if m["counts"]}
        assert (reason in counted) is is_counted
        assert found["needed"] == (8 if is_counted else 9)
        swords = scene(
            hero("aldis", (3, 5)), monster("orc", (4, 5), size="tall"), house_rules={rule: is_counted}
        )
        assert all(m["counts"] for m in declared(swords, melee("aldis", "orc"), 2)["modifiers"])


def test_c3_disadvantage_is_two_dice_or_a_penalty():
    tokens = (archer((0, 5)), monster("orc", (13, 5)))
    two = scene(*tokens)
    assert declared(two, shoot("wren", "orc"), 2, 3)["disadvantage"] == "Disadvantage: beyond Close Range"
    five = scene(*tokens, house_rules={"disadvantage": "-5"})
    found = declared(five, shoot("wren", "orc"), 2)
    assert found["disadvantage"] == ""
    assert found["modifiers"][-1]["value"] == -5
    assert found["needed"] == declared(two, shoot("wren", "orc"), 2, 3)["needed"] + 5


def test_c4_beyond_close_range():
    board = scene(archer((0, 5)), monster("orc", (13, 5)), house_rules={"beyond_close": "no effect"})
    assert declared(board, shoot("wren", "orc"), 2)["disadvantage"] == ""


@pytest.mark.parametrize(("effect", "faces"), [("no effect", (2,)), ("disadvantage", (2, 3))])
def test_c5_a_shot_with_an_enemy_adjacent(effect, faces):
    rules = {"shot_beside_enemy": effect}
    board = scene(archer(), monster("orc", (2, 5)), house_rules=rules)
    assert bool(declared(board, shoot("wren", "orc"), *faces)["disadvantage"]) is (len(faces) == 2)
    far = scene(archer(), monster("orc", (3, 5)), house_rules=rules)
    assert declared(far, shoot("wren", "orc"), 2)["disadvantage"] == ""


@pytest.mark.parametrize("feet", [20, 25, 30, 35, 40])
def test_c6_the_default_movement(feet):
    assert max(reach(walker(house_rules={"movement": feet}), "aldis").values()) == feet
    assert max(reach(walker(house_rules={"movement": feet}, movement=15), "aldis").values()) == 15


@pytest.mark.parametrize(("heights", "can_vault"), [("4, 6, 8", True), ("3, 5, 7", False)])
def test_c7_heights_by_size(heights, can_vault):
    obstacle = patch("obstacle", *[(6, y) for y in range(12)], height=6)
    board = walker(terrain=[obstacle], house_rules={"heights": heights}, movement=90)
    assert (judged(board, "aldis", (7, 5)).cost == 10) is can_vault
    assert KNIGHTS_OF_VALOUR.card(board, board.token("aldis"))
    notes = [line.note for line in KNIGHTS_OF_VALOUR.card(board, board.token("aldis"))]
    assert f"height {6 if can_vault else 5} feet; house values" in notes


@pytest.mark.parametrize(("part", "cost"), [("whole distance", 20), ("distance beyond own height", 8)])
def test_c9_a_long_descent(part, cost):
    terrain = [patch("raised", *[(5, y) for y in range(12)], height=10)]
    board = walker(terrain=terrain, house_rules={"descent": part})
    assert judged(board, "aldis", (6, 5)).cost == 5 + cost
    wall = patch("obstacle", *[(6, y) for y in range(12)], height=7)
    over = walker(terrain=[wall], house_rules={"descent": part}, movement=90)
    assert judged(over, "aldis", (7, 5)).cost == 14 + 5 + (14 if cost == 20 else 2)


@pytest.mark.parametrize(
    ("diagonals", "costs"),
    [("5 feet", (5, 10, 15)), ("5 and 10 feet by turns", (5, 15, 20)), ("none", (10, 20, 30))],
)
def test_c10_diagonal_steps(diagonals, costs):
    rules = {"diagonals": diagonals}
    cells = reach(walker(house_rules=rules), "aldis")
    assert (cells[6, 6], cells[7, 7], cells[8, 8]) == costs
    board = scene(hero("aldis", (3, 3)), monster("orc", (4, 4)), house_rules=rules)
    assert (refused(board, melee("aldis", "orc")) == "KOV-051") is (diagonals == "none")


@pytest.mark.parametrize(
    ("diagonals", "difficult", "costs"),
    [
        ("5 and 10 feet by turns", "double the step", (10, 30, 40)),
        ("5 and 10 feet by turns", "15 feet", (15, 30, 45)),
        ("5 feet", "15 feet", (10, 20, 30)),
        ("none", "15 feet", (20, 40, 60)),
    ],
)
def test_c10_diagonal_steps_onto_difficult_terrain(diagonals, difficult, costs):
    hard = patch("", *[(x, y) for x in range(12) for y in range(12)], cost=2)
    rules = {"diagonals": diagonals, "difficult_diagonals": difficult}
    cells = reach(walker(terrain=[hard], house_rules=rules, movement=60), "aldis")
    assert (cells[6, 6], cells[7, 7], cells[8, 8]) == costs


@pytest.mark.parametrize(("stature", "vaults"), [("same as size", False), ("own attribute", True)])
def test_c8_stature_is_the_size_or_an_attribute_of_its_own(stature, vaults):
    obstacle = patch("obstacle", *[(6, y) for y in range(12)], height=8)
    rules = {"stature": stature}
    tall = walker(terrain=[obstacle], house_rules=rules, stature="tall", movement=60)
    assert (judged(tall, "aldis", (7, 5)).cost == 10) is vaults
    plain = walker(terrain=[obstacle], house_rules=rules, size="tall", movement=60)
    assert judged(plain, "aldis", (7, 5)).cost == 10
    own = walker(terrain=[obstacle], house_rules=rules, stature="tall", height=3, movement=90)
    assert judged(own, "aldis", (7, 5)).cost == 37
    board = scene(hero("aldis", (3, 3), stature="tall"), monster("orc", (4, 3)), house_rules=rules)
    assert [m["value"] for m in declared(board, melee("aldis", "orc"), 2)["modifiers"]] == [1, 0, 0]


def test_c10_a_leap_over_diagonal_squares_counts_them():
    gap = [patch("gap", *[(x, 11 - x) for x in range(12)], *[(x, 12 - x) for x in range(1, 12)])]
    rules = {"diagonals": "5 and 10 feet by turns"}
    board = walker(terrain=gap, house_rules=rules, at=(5, 5), movement=60, height=20)
    assert (
        judged(board, "aldis", (7, 7)).cost
        == judged(walker(house_rules=rules, movement=60), "aldis", (7, 7)).cost
    )


@pytest.mark.parametrize(("weapons", "expected"), [("melee", []), ("any", ["orc"])])
def test_c11_the_weapon_of_an_attack_of_opportunity(weapons, expected):
    board = walker(monster("orc", (4, 5), hands=["Long bow"]), house_rules={"free_attack_weapon": weapons})
    assert attackers(do(board, go("aldis", 7, 5), (2,) if expected else ())) == expected
    weak = [{"name": "Dart", "kind": "ranged", "close": 5, "maximum": 10}]
    sheet = {"hands": ["Dart"], "weapons": weak, "proficiency": {"Dart": 1}, "strength": -2}
    board = walker(monster("orc", (4, 5), **sheet), house_rules={"free_attack_weapon": weapons})
    assert attackers(do(board, go("aldis", 7, 5))) == []


@pytest.mark.parametrize(("often", "again"), [("one for each move", ["orc"]), ("one in a round", [])])
def test_c12_how_often_an_enemy_attacks(often, again):
    haste = [{"name": "Haste", "kind": "move action", "value": 2}]
    board = walker(monster("orc", (4, 5)), house_rules={"free_attacks": often}, buffs=haste)
    board = do(board, go("aldis", 6, 5), (2,)).scene
    board = do(board, go("aldis", 5, 5)).scene
    assert attackers(do(board, go("aldis", 6, 5), (2,) if again else ())) == again


def test_c13_a_move_may_be_split():
    rules = {"split_moves": True}
    board = walker(monster("orc", (5, 6), hands=[]), house_rules=rules)
    board = do(board, go("aldis", 5, 5)).scene
    board = do(board, go("aldis", 4, 5)).scene
    assert (board.token("aldis").track("movement"), board.token("aldis").track("moves used")) == (25, 1)
    board = do(board, melee("aldis", "orc"), (2,)).scene
    assert KNIGHTS_OF_VALOUR.reach(board, board.token("aldis")).budget == 25
    board = do(board, go("aldis", 4, 0)).scene
    assert (board.token("aldis").track("movement"), board.token("aldis").track("moves used")) == (0, 1)
    assert not judged(board, "aldis", (4, 1)).allowed


def test_c13_a_second_move_action_begins_when_the_rest_is_too_short():
    haste = [{"name": "Haste", "kind": "move action"}]
    board = walker(house_rules={"split_moves": True}, buffs=haste)
    board = do(board, go("aldis", 5, 1)).scene
    assert board.token("aldis").track("movement") == 10
    assert KNIGHTS_OF_VALOUR.reach(board, board.token("aldis")).budget == 30
    board = do(board, go("aldis", 5, 5)).scene
    assert (board.token("aldis").track("movement"), board.token("aldis").track("moves used")) == (10, 2)
    board = do(board, go("aldis", 5, 7)).scene
    assert (board.token("aldis").track("movement"), board.token("aldis").track("moves used")) == (0, 2)


@pytest.mark.parametrize("others", [(), (monster("orc", (14, 11)),)], ids=["alone", "with an enemy"])
def test_c13_reach_after_an_odd_diagonal_is_that_of_the_rest_and_of_another_move_action(others):
    rules = {"split_moves": True, "diagonals": "5 and 10 feet by turns"}
    board = walker(*others, house_rules=rules, buffs=[{"name": "Haste", "kind": "move action"}])
    board = do(board, go("aldis", 6, 6)).scene
    assert board.token("aldis").track("movement") == 25
    costs = reach(board, "aldis")
    assert (costs[7, 7], costs[6, 11], costs[6, 0]) == (10, 25, 30)  # 30 feet by the other Move Action


def test_c13_an_enemy_attacks_once_in_a_split_move():
    board = walker(monster("orc", (4, 5)), house_rules={"split_moves": True})
    board = do(board, go("aldis", 6, 5), (2,)).scene
    board = do(board, go("aldis", 5, 5)).scene
    assert attackers(do(board, go("aldis", 6, 5))) == []
    whole = walker(monster("orc", (4, 5)))
    assert "movement" not in do(whole, go("aldis", 6, 5), (2,)).scene.token("aldis").tracks


@pytest.mark.parametrize(("minimum", "damage"), [(0, 0), (1, 1)])
def test_c14_the_least_damage(minimum, damage):
    tokens = (hero("aldis", (3, 3), strength=-4), monster("orc", (4, 3)))
    done = do(scene(*tokens, house_rules={"minimum_damage": minimum}), melee("aldis", "orc"), (20, 2))
    assert points(done, "orc") == 20 - damage


@pytest.mark.parametrize(
    ("effect", "face", "modifier", "result"),
    [
        ("no effect", 1, 10, "hit"),
        ("1 misses and 20 hits", 1, 10, "miss"),
        ("1 misses and 20 hits", 2, 10, "hit"),
        ("no effect", 20, -5, "miss"),
        ("1 misses and 20 hits", 20, -5, "hit"),
        ("1 misses and 20 hits", 19, -5, "miss"),
    ],
)
def test_c15_natural_1_and_20(effect, face, modifier, result):
    defender = {"agility": 10, "armor": "heavy"} if modifier < 0 else {}
    tokens = (hero("aldis", (3, 3), strength=modifier), monster("orc", (4, 3), **defender))
    board = scene(*tokens, house_rules={"natural_rolls": effect})
    done = do(board, melee("aldis", "orc"), (face, 3) if result == "hit" else (face,))
    assert done.result.result == result


@pytest.mark.parametrize(
    ("defeat", "damage", "is_out"),
    [
        ("at 0 points", 5, False),
        ("at 0 points", 6, True),
        ("below 0 points", 6, False),
        ("below 0 points", 7, True),
    ],
)
def test_c16_a_creature_is_defeated_at_or_below_0_points(defeat, damage, is_out):
    tokens = (hero("aldis", (3, 3)), monster("orc", (4, 3), damage_points=6), monster("troll", (9, 9)))
    board = scene(*tokens, house_rules={"defeat": defeat})
    done = do(board, melee("aldis", "orc"), (20, damage))
    assert done.scene.token("orc").has("out") is is_out
    assert (done.result.leaves, done.result.damage) == ("defeated" if is_out else "", min(damage, 6))
    assert points(done, "orc") == max(0, 6 - damage)
    if not is_out:
        weak = do(done.scene, melee("aldis", "orc"), (2,))
        assert not weak.scene.token("orc").has("out")
        assert do(done.scene, melee("aldis", "orc"), (20, 8)).scene.token("orc").has("out")


@pytest.mark.parametrize(("damage", "text"), [("dice of the weapon", "2D8"), ("D6 for each weapon", "D6")])
def test_c18_the_damage_dice_of_a_weapon(damage, text):
    sheet = {
        "hands": ["Maul"],
        "weapons": [{"name": "Maul", "dice": 2, "sides": 8}],
        "proficiency": {"Maul": 1},
    }
    board = scene(
        hero("aldis", (3, 3), **sheet), monster("orc", (4, 3)), house_rules={"weapon_damage": damage}
    )
    asked, faces = melee("aldis", "orc", "Maul"), [3] * (2 if text == "2D8" else 1)
    assert declared(board, asked, 2)["dice"] == text
    assert dice(do(board, asked, (20, *faces)))[1][1:] == (text.lower().lstrip("2"), faces)
    assert card(board, "aldis")["Maul"] == f"{text}, PL 1"


@pytest.mark.parametrize("base", [50, 75, 100])
def test_c17_the_maximum_weight(base):
    board = scene(hero("aldis", (3, 3), strength=1), house_rules={"maximum_weight": base})
    assert card(board, "aldis")["Weight"] == f"3 of {base + 10}"


@pytest.mark.parametrize(("first", "expected"), [("player first", ["z", "a"]), ("monster first", ["a", "z"])])
def test_c20_a_lowered_tie_with_a_monster(first, expected):
    board = scene(monster("a", agility=1), hero("z", agility=2), house_rules={"lowered_ties": first})
    (found,) = facts(do(board, act("round", ""), decisions=("1",)), "round")
    assert [one["token"] for one in found["order"]] == expected
    tokens = (hero("z", agility=2), monster("a", agility=1))
    swapped = scene(*tokens, house_rules={"lowered_ties": first})
    (found,) = facts(do(swapped, act("round", ""), decisions=("1",)), "round")
    assert [one["token"] for one in found["order"]] == expected
    even = scene(monster("a", agility=1), hero("z", agility=1), house_rules={"lowered_ties": first})
    (found,) = facts(do(even, act("round", "")), "round")
    assert [one["token"] for one in found["order"]] == ["z", "a"]


def test_c21_monsters_with_equal_initiative():
    tokens = (monster("m1"), monster("m2"))
    (found,) = facts(do(scene(*tokens), act("round", "")), "round")
    assert [one["token"] for one in found["order"]] == ["m1", "m2"]
    assert questions(do(scene(*tokens), act("round", ""))) == []
    board = scene(*tokens, house_rules={"monster_ties": "the Judge decides"})
    (found,) = facts(do(board, act("round", ""), decisions=("m2",)), "round")
    assert [one["token"] for one in found["order"]] == ["m2", "m1"]


@pytest.mark.parametrize(("ends", "rule"), [("center to center", "KOV-058"), ("corner to corner", "")])
def test_c22_the_ends_of_a_line_of_sight(ends, rule):
    pillar = patch("", (5, 5), blocks_sight=True)
    board = scene(archer(), monster("orc", (10, 5)), terrain=[pillar], house_rules={"sight_line": ends})
    assert refused(board, shoot("wren", "orc")) == rule


def test_c22_creatures_block_lines_of_sight_by_a_house_rule():
    tokens = (archer(), monster("orc", (10, 5)), monster("goblin", (5, 5)))
    board = scene(*tokens, house_rules={"creatures_block": True})
    assert refused(board, shoot("wren", "orc")) == "KOV-058"
    assert refused(board, shoot("wren", "goblin")) == ""
    found = KNIGHTS_OF_VALOUR.sight(board, board.token("wren"), board.token("orc"))
    assert (found.blocker.kind, found.blocker.id, found.blocker.name) == ("token", "goblin", "Goblin")


@pytest.mark.parametrize("facing", ["none", "shields face one way"])
def test_c23_creatures_face_along_their_last_step_or_as_turned(facing):
    board = walker(house_rules={"facing": facing})
    for at, turned in [((7, 5), 90), ((5, 3), 0), ((3, 5), 270), ((4, 4), 315), ((7, 7), 135), ((5, 8), 180)]:
        moved = do(board, go("aldis", *at)).scene.token("aldis")
        assert moved.facing == (None if facing == "none" else turned)
        before_rounds = do(replace(board, tracks={}), go("aldis", *at)).scene.token("aldis")
        assert before_rounds.facing == (None if facing == "none" else turned)
    asked = Act(kind="move", token="aldis", at=(7, 5), facing=200)
    done = do(board, asked)
    assert done.scene.token("aldis").facing == (None if facing == "none" else 200)
    assert next(e.facing for e in done.events if isinstance(e, TokenMoved)) == (
        None if facing == "none" else 90
    )
    faced = done.scene
    if facing != "none":
        kept = do(replace(faced, tracks={}), Act(kind="move", token="aldis", at=(7, 8), facing=200)).scene
        assert kept.token("aldis").facing == 180
        turned = do(faced, Act(kind="move", token="aldis", at=(7, 5), facing=10)).scene
        assert turned.token("aldis").facing == 10
        assert turned.token("aldis").track("moves used") == 1
        same = do(faced, Act(kind="move", token="aldis", at=(7, 5))).scene
        assert same.token("aldis").facing == 200


@pytest.mark.parametrize("facing", ["none", "shields face one way"])
@pytest.mark.parametrize(
    ("at", "is_behind"),
    [((4, 2), False), ((5, 3), False), ((3, 3), False), ((5, 2), False), ((4, 4), True), ((5, 4), True)],
)
def test_c23_a_shield_does_not_count_against_an_attacker_behind(facing, at, is_behind):
    orc = with_token(scene(monster("orc", (4, 3), armor="light", shield="large")), "orc", facing=0).tokens[0]
    board = scene(hero("aldis", at), house_rules={"facing": facing})
    board = replace(board, tokens=(*board.tokens, orc))
    found = declared(board, melee("aldis", "orc"), 2)
    shielded = facing == "none" or not is_behind
    assert [m["counts"] for m in found["defenses"][2:4]] == [True, shielded]
    assert found["needed"] == 10 + 1 + 1 + (2 if shielded else 0) - 1
    better = replace(
        board, house_rules={**board.house_rules, "knights_of_valour.armor_and_shield": "better counts"}
    )
    found = declared(better, melee("aldis", "orc"), 2)
    assert [m["counts"] for m in found["defenses"][2:4]] == [not shielded, shielded]
    sideways = [with_token(board, "orc", facing=turned) for turned in (90, 135, 315)]
    counts = [declared(one, melee("aldis", "orc"), 2)["defenses"][3]["counts"] for one in sideways]
    across, down = at[0] - 4, at[1] - 3
    assert counts == [facing == "none" or ahead >= 0 for ahead in (across, across + down, -across - down)]
    nowhere = with_token(board, "orc", facing=None)
    assert declared(nowhere, melee("aldis", "orc"), 2)["defenses"][3]["counts"]


@pytest.mark.parametrize(("hand", "level"), [("better", 3), ("main hand", 1)])
def test_c24_the_weapon_that_defends(hand, level):
    sheet = {"hands": ["Dagger", "Sword"], "proficiency": {"Dagger": 1, "Sword": 3}}
    tokens = (hero("aldis", (3, 3)), monster("orc", (4, 3), **sheet))
    board = scene(*tokens, house_rules={"defending_weapon": hand})
    assert declared(board, melee("aldis", "orc"), 2)["defenses"][1]["value"] == level
    ranged_first = {"hands": ["Throwing spear", "Sword"], "proficiency": {"Throwing spear": 4, "Sword": 3}}
    tokens = (hero("aldis", (3, 3)), monster("orc", (4, 3), **ranged_first))
    board = scene(*tokens, house_rules={"defending_weapon": hand})
    values = [m["value"] for m in declared(board, melee("aldis", "orc"), 2)["defenses"]]
    assert values == ([10, 3, 0] if hand == "better" else [10, 0])


@pytest.mark.parametrize(("both", "needed"), [("add", 15), ("better counts", 13)])
def test_c25_armor_and_shield(both, needed):
    tokens = (hero("aldis", (3, 3)), monster("orc", (4, 3), hands=[], armor="heavy", shield="large"))
    board = scene(*tokens, house_rules={"armor_and_shield": both})
    found = declared(board, melee("aldis", "orc"), 2)
    assert found["needed"] == needed - 1
    shown = [(m["value"], m["counts"]) for m in found["defenses"][1:3]]
    assert shown == [(3, True), (2, both == "add")]
    one = scene(
        hero("aldis", (3, 3)), monster("orc", (4, 3), shield="small"), house_rules={"armor_and_shield": both}
    )
    assert declared(one, melee("aldis", "orc"), 2)["needed"] == 11


@pytest.mark.parametrize("passes", [True, False])
def test_a_creature_passes_its_allies(passes):
    ring = [(5 + x, 5 + y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    board = walker(*(hero(f"h{i}", at) for i, at in enumerate(ring)), house_rules={"pass_allies": passes})
    assert ((7, 5) in reach(board, "aldis")) is passes
    assert squares(do(walker(), go("aldis", 6, 5)), "aldis") == [(6, 5)]
