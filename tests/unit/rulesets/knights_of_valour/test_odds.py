"""The odds of every kind of act that rolls dice are those of 20,000 resolutions."""

from __future__ import annotations

import pytest

from enfilade.rules.conformance import check_preview
from enfilade.rules.odds import odds
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.offers import ACTS
from tests.unit.rulesets.knights_of_valour.scenes import (
    act,
    go,
    hero,
    in_round,
    melee,
    monster,
    scene,
    shoot,
)
from tests.unit.rulesets.target_effects import check_effect

HOUSE_RULES = {
    "as printed": {},
    "with the other options": {
        "natural_rolls": "1 misses and 20 hits",
        "minimum_damage": 1,
        "disadvantage": "-5",
        "free_attack_weapon": "any",
        "defeat": "below 0 points",
    },
}


def board_with(house_rules):
    """Aldis beside an orc and a troll; a throwing spear in his other hand; an archer far away."""
    tokens = (
        hero("aldis", (5, 5), hands=["Sword", "Throwing spear"], strength=-1, damage_points=3),
        hero("bran", (1, 1)),
        monster("orc", (4, 5), size="short", damage_points=3),
        monster("troll", (4, 6), size="tall", hands=["Dagger", "Throwing spear"], strength=2),
        monster("archer", (15, 5), hands=["Long bow"]),
    )
    return in_round(scene(*tokens, size=(20, 12), house_rules=house_rules), "aldis")


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_the_odds_of_every_offered_act_are_those_of_the_resolver(name):
    board = board_with({**HOUSE_RULES[name], "shove_and_grapple": "opposed roll"})
    legal = [offer.act for offer in KNIGHTS_OF_VALOUR.offers(board, board.token("aldis")) if offer.is_legal]
    kinds = {(asked.kind, asked.target) for asked in legal}
    assert {("melee", "orc"), ("ranged", "archer"), ("shove", "troll"), ("grapple", "orc")} <= kinds
    for asked in legal:
        assert odds(board, ACTS[asked.kind].procedure, (asked,)).is_exact
        check_preview(KNIGHTS_OF_VALOUR, (board, asked))


@pytest.mark.parametrize("name", HOUSE_RULES)
@pytest.mark.parametrize(
    "at", [(5, 4), (5, 7), (8, 5)], ids=["leaves the troll", "leaves the orc", "leaves both"]
)
def test_the_odds_of_moves_past_enemies_are_those_of_the_resolver(name, at):
    board = board_with(HOUSE_RULES[name])
    found = odds(board, ACTS["move"].procedure, (go("aldis", *at),))
    assert found.is_exact
    assert {outcome.leaves for outcome in found.chances} == {"", "defeated"}
    check_preview(KNIGHTS_OF_VALOUR, (board, go("aldis", *at)))


@pytest.mark.parametrize("asked", [melee("aldis", "troll"), shoot("aldis", "archer", "Throwing spear")])
def test_the_odds_count_disadvantage_and_size(asked):
    chances = odds(board_with({}), ACTS[asked.kind].procedure, (asked,)).chances
    misses = sum(chance for outcome, chance in chances.items() if outcome.result == "miss")
    # Against 11 with +1 proficiency, -1 Strength and +1 for the size; against 10 with two dice and +1.
    assert float(misses) == pytest.approx(9 / 20 if asked.kind == "melee" else 1 - (12 / 20) ** 2)


def test_acts_without_dice_are_certain():
    for kind in ("throw", "release", "spell", "search", "use", "end"):
        found = odds(board_with({}), ACTS[kind].procedure, (act(kind, "aldis"),))
        assert list(found.chances.values()) == [1]


@pytest.mark.parametrize("name", HOUSE_RULES)
@pytest.mark.parametrize("asked", [melee("aldis", "orc"), shoot("aldis", "archer", "Throwing spear")])
def test_the_effect_of_an_attack_on_its_target_is_that_of_the_whole_act(name, asked):
    found = check_effect(KNIGHTS_OF_VALOUR, board_with(HOUSE_RULES[name]), asked)
    assert (None in found) == (asked.target == "orc")  # the archer has 20 points


def test_only_attacks_have_an_effect_on_their_target():
    assert KNIGHTS_OF_VALOUR.outlook.on_target(board_with({}), act("shove", "aldis", "orc")) is None
