"""The answers on offer, their keys, and the defaults of automatic seats (DBL-003, DBL-011)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.rulesets.double_life.plans import (
    MOST_KEY,
    default_place,
    default_stance,
    facings,
    places,
    questions,
    stances,
)
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.model import Terrain
from tests.seeds import seeds
from tests.unit.rulesets.double_life.scenes import SWORD, attack, card, character, fighter, foe, scene

AXE = {"name": "Axe", "dice": 1, "sides": 8}


def keys(board, token_id="ann"):
    return list(stances(board, character(board, token_id)))


def labels(board, token_id="ann"):
    return [answer.label for answer, _ in stances(board, character(board, token_id)).values()]


@pytest.mark.rule("DBL-011", "DBL-015")
def test_attacks_are_offered_with_each_weapon_at_each_group_of_targets():
    board = scene(fighter("ann", (3, 3), weapons=[SWORD, AXE]), foe("orc", (3, 2)), foe("owl", (4, 2)))
    assert keys(board) == [
        "attack 1 orc",
        "attack 1 owl",
        "attack 1 orc,owl",
        "attack 2 orc",
        "attack 2 owl",
        "attack 2 orc,owl",
        "defend front",
        "defend left",
        "defend right",
    ]
    assert labels(board)[2:4] == ["Attack Orc, Owl with Sword", "Attack Orc with Axe"]
    assert labels(board)[-3:] == ["Defend the front", "Defend the left side", "Defend the right side"]


@pytest.mark.parametrize(("enemies", "count"), [(1, 1), (2, 3), (3, 7), (4, 15), (5, 31), (8, 255)])
def test_any_set_of_targets_in_reach_is_offered(enemies, count):
    # "The player decide which type of attack and the target(s)": of four or more only one, or all.
    cells = [(3, 2), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2)]
    board = scene(fighter("ann", (3, 3)), *[foe(f"orc{i}", cells[i]) for i in range(enemies)])
    assert sum(key.startswith("attack") for key in keys(board)) == count


def test_of_more_than_eight_targets_in_reach_one_or_all_are_offered():
    around = [(2, 2), (3, 2), (4, 2), (5, 2), (5, 3), (5, 4), (5, 5), (4, 5), (3, 5)]
    foes = [foe(f"orc{i}", cell) for i, cell in enumerate(around)]
    board = scene(fighter("ann", (3, 3), race="troll"), *foes)
    assert sum(key.startswith("attack") for key in keys(board)) == len(foes) + 1


def test_an_automatic_seat_takes_the_weapon_that_does_most_damage():
    # 3D3 hurt 6 on average, 1D10 5.5.
    many, one = {"name": "Nails", "dice": 3, "sides": 3}, {"name": "Maul", "dice": 1, "sides": 10}
    board = scene(fighter("ann", (3, 3), weapons=[one, many]), foe("orc", (3, 2)))
    assert default_stance(board, character(board, "ann")) == "attack 2 orc"


def test_a_long_name_gives_a_short_key():
    long = "x" * 64
    board = scene(fighter("ann", (3, 3)), foe(long, (3, 2)))
    assert keys(board)[0] == "attack number 1"
    assert all(len(key) <= MOST_KEY for key in keys(board))
    fits = scene(fighter("ann", (3, 3)), foe("y" * 55, (3, 2)))
    assert keys(fits)[0] == "attack 1 " + "y" * 55
    assert stances(board, character(board, "ann"))["attack number 1"][1].targets == (long,)
    too_long = scene(fighter("ann", (3, 3)), foe("y" * 56, (3, 2)))
    assert keys(too_long)[0] == "attack number 1"  # an answer's key has 64 letters at most


def test_places_and_facings_have_keys_and_words():
    board = scene(fighter("ann", (0, 0)), foe("orc", (1, 0)), size=(3, 2))
    found = {key: answer.label for key, (answer, _) in places(board, character(board, "ann")).items()}
    assert found == {
        "stay": "Stay",
        "move 0,1": "Move to A2",
        "move 1,1": "Move to B2",
        "flee 0,1": "Flee to A2",
        "flee 1,1": "Flee to B2",
        "flee 2,0": "Flee to C1",
        "flee 2,1": "Flee to C2",
    }
    turned = facings(board, character(board, "ann"))
    assert list(turned) == [
        "keep",
        "north",
        "north-east",
        "east",
        "south-east",
        "south",
        "south-west",
        "west",
        "north-west",
    ]
    assert [direction for _, direction in turned.values()] == [0, *range(8)]


def test_hidden_ground_changes_no_answer():
    plain = scene(fighter("ann", (3, 3)), foe("orc", (9, 9)))
    pit = Terrain(id="pit", name="Pit", cells=((3, 4), (4, 4)), cost=0, hidden=True)
    for board in (plain, replace(plain, terrain=(pit,))):
        ann = character(board, "ann")
        assert {"move 3,4", "move 4,4"} <= set(places(board, ann))
        assert default_place(board, ann) == default_place(plain, character(plain, "ann"))


def test_hidden_enemies_are_no_targets_and_hidden_characters_have_some():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), hidden=True), foe("owl", (3, 4), hidden=True))
    assert not any(key.startswith("attack") for key in keys(board))
    assert "north" in facings(board, character(board, "ann"))
    assert "attack 1 ann" in keys(board, "orc")
    assert [choice.default for choice in questions(board, character(board, "ann"))] == [
        "defend front",
        "stay",
        "keep",
    ]


@pytest.mark.parametrize(
    ("sheets", "weapons", "default"),
    [
        ([{"health": 9}, {"health": 8}], [SWORD], "attack 1 owl"),
        ([{"health": 8}, {"health": 9}], [SWORD], "attack 1 orc"),
        ([{}, {}], [SWORD, AXE], "attack 2 orc"),
        ([{}, {}], [AXE, {**SWORD, "bonus": 2}], "attack 2 orc"),
        ([{}, {}], [AXE, {**SWORD, "bonus": 1}], "attack 1 orc"),
        ([{}, {}], [AXE, {**SWORD, "dice": 2}], "attack 2 orc"),
        ([{}, {}], [], "defend front"),
    ],
)
def test_the_default_attacks_the_weakest_with_the_best_weapon(sheets, weapons, default):
    board = scene(
        fighter("ann", (3, 3), weapons=weapons),
        *[
            foe(name, cell, **sheet)
            for name, cell, sheet in zip(("orc", "owl"), [(3, 2), (4, 2)], sheets, strict=True)
        ],
    )
    assert default_stance(board, character(board, "ann")) == default


@pytest.mark.parametrize(
    ("poise", "enemies", "number", "default"),
    [
        (1, 2, 1, "defend front"),
        (1, 2, 2, "attack 1 orc0"),
        (2, 2, 1, "attack 1 orc0"),
        (1, 1, 1, "attack 1 orc0"),
    ],
)
def test_the_default_defends_every_other_round_with_little_poise(poise, enemies, number, default):
    cells = [(3, 2), (4, 2)]
    enemies = [foe(f"orc{i}", cells[i]) for i in range(enemies)]
    board = scene(fighter("ann", (3, 3), tracks={"poise": poise}), *enemies, number=number)
    assert default_stance(board, character(board, "ann")) == default


def test_the_offers_are_attacks_with_odds_and_the_acts_of_the_gm():
    board = scene(fighter("ann", (3, 3), mastery=5), foe("orc", (3, 2)), foe("owl", (9, 9)))
    found = [
        (o.act.kind, o.act.target, o.label, o.rule) for o in DOUBLE_LIFE.offers(board, board.token("ann"))
    ]
    assert found == [
        ("attack", "orc", "Sword", ""),
        ("attack", "owl", "Sword", "DBL-052"),
        ("second-life", "orc", "Second-life", ""),
        ("second-life", "owl", "Second-life", ""),
        ("round", "", "Play a round", ""),
        ("end", "", "End the combat", "DBL-046"),
    ]
    gone = scene(fighter("ann"), foe("orc", (3, 2)))
    assert [o.act.kind for o in DOUBLE_LIFE.offers(gone, gone.token("ann"))] == ["round", "end"]
    assert attack("ann", "orc") in [o.act for o in DOUBLE_LIFE.offers(board, board.token("ann"))]


def test_the_card_has_values_dice_and_state():
    board = scene(
        fighter("ann", (3, 3), race="elf", agility=9), foe("orc", (3, 2), conditions={"fallen": "1"})
    )
    found = card(board, "ann")
    assert found == {
        "Health": "20",
        "Poise": "4",
        "Energy": "5",
        "Race": "elf",
        "Attack": "10",
        "Defense": "10",
        "Agility": "9",
        "Sword": "1D6",
    }
    notes = {line.label: line.note for line in DOUBLE_LIFE.card(board, board.token("ann"))}
    assert (notes["Race"], notes["Health"], notes["Poise"]) == ("throws 11 +/- 2D4", "of 20", "of 4")
    assert card(board, "orc")["Fallen"] == "Yes"
    near = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), foe("owl", (4, 4)))
    assert card(near, "ann")["In contact"] == "Orc, Owl"
    assert "Poise" not in card(scene(fighter("ann", (3, 3)), house_rules={"poise": False}), "ann")
    bonus = scene(fighter("ann", (3, 3), weapons=[{**SWORD, "bonus": 2}]))
    assert card(bonus, "ann")["Sword"] == "1D6+2"


def test_health_and_energy_come_from_the_sheet():
    board = scene(fighter("ann", (3, 3), health=0, strength=7, energy=3))
    assert board.token("ann").tracks == {"health": 12, "poise": 4, "energy": 3}
    assert DOUBLE_LIFE.bar(board.token("ann")).most == 12
    high = scene(fighter("ann", (3, 3), 100, tracks={"health": 99, "poise": 99, "energy": 99}))
    assert high.token("ann").tracks == {"health": 20, "poise": 5, "energy": 5}
    assert high.token("ann").facing == 90
    assert scene(fighter("ann", (3, 3), None)).token("ann").facing == 0
    assert scene(fighter("ann", (3, 3), 350)).token("ann").facing == 0


class AtRandom(Answers):
    """Answers that are chosen at random."""

    def __init__(self, seed):
        super().__init__(dice=SeededDice(seed))
        self.chance = random.Random(seed)

    def decision(self, choice):
        return self.chance.choice(choice.answers).key, False


RACES = ("any", "dwarf", "elf", "gnome", "human", "orc", "troll")


@pytest.mark.parametrize("seed", seeds(16))
def test_random_plans_of_many_characters_replay_undo_and_keep_the_rules(seed):
    chance = random.Random(seed)
    cells = chance.sample([(x, y) for x in range(0, 10, 2) for y in range(0, 8, 2)], 8)
    rules = {
        rule.key.removeprefix("double_life."): chance.choice(rule.options)
        for rule in DOUBLE_LIFE.house_rules
        if chance.randrange(2)
    }
    tokens = [
        (fighter if i % 2 else foe)(
            f"t{i}",
            cells[i],
            chance.randrange(8) * 45,
            race=chance.choice(RACES),
            mastery=chance.choice((0, 0, 2, 6)),
            weapons=[SWORD, AXE],
            strength=6,
        )
        for i in range(8)
    ]
    board = scene(*tokens, house_rules=rules, size=(11, 9))
    for number in range(1, 7):
        if board.has("won"):
            break
        done = resolve(board, ACTS["round"].procedure, (Act(kind="round"),), AtRandom(seed * 100 + number))
        assert fold_all(board, done.events) == done.scene
        assert fold_all(done.scene, inverse(done.events)) == board
        assert DOUBLE_LIFE.narrate(board, done.events).endswith(".")
        wrong = DOUBLE_LIFE.contradictions(done.scene)
        assert not wrong
        for token in done.scene.tokens:
            one = character(done.scene, token.id)
            assert 0 <= one.poise <= one.starting_poise
            assert 0 <= one.health <= one.most_health
        board = done.scene


def test_the_default_prefers_a_weapon_in_reach_to_focusing():
    board = scene(
        fighter("ann", (3, 3), mastery=4, weapons=[{"name": "Dagger", "sides": 4}]), foe("orc", (3, 2))
    )
    assert "focus orc" in keys(board)
    assert default_stance(board, character(board, "ann")) == "attack 1 orc"
