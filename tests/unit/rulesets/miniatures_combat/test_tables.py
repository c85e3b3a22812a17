"""The tables of Miniatures combat: house rules, ready-made models, kinds of act, and the words of the log."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.profiles import prepare_token
from enfilade.scene.events import ChoiceMade, Explained
from tests.unit.rulesets.miniatures_combat.scenes import hero, model, orc, scene


def test_the_house_rules_and_their_options():
    assert {
        rule.key.removeprefix("miniatures_combat."): (rule.rule, rule.options)
        for rule in MINIATURES_COMBAT.house_rules
    } == {
        "monster_defense": ("MNC-065", (2, 1, 3)),
        "short_modifier": ("MNC-113", (-2, -1, -3)),
        "wound_modifier": ("MNC-113", (-1, -2, 0)),
        "load_modifier": ("MNC-113", (-1, -2, 0)),
        "difficult_modifier": ("MNC-113", (-1, -2, 0)),
        "lunge_modifier": ("MNC-095", (0, -1, 1)),
        "push_modifiers": ("MNC-096", (False, True)),
        "melee_success": ("MNC-087", (5, 6)),
        "negation": ("MNC-026", ("each item", "one item")),
        "archer_cap": ("MNC-077", ("5 at one model", "3 at one model")),
        "move_after": ("MNC-107", ("all defenses succeeded", "not hit")),
        "free_die": ("MNC-019", ("level 1", "minions only")),
        "points_for_hits": ("MNC-089", ("each hit", "each model and activation")),
        "charge_exemption": ("MNC-110", ("direct and no attack", "no attack")),
        "engagement": ("MNC-009", ("1 inch", "reach of either")),
        "coherency": ("MNC-007", ("pairwise", "chain")),
        "missile_half": ("MNC-080", ("rounded up", "rounded down")),
        "wounded_attacks": ("MNC-066", (False, True)),
        "buckler_fall_back": ("MNC-070", (False, True)),
        "bases_block_arrows": ("MNC-076", (False, True)),
        "charged_archer": ("MNC-076", ("does not fire", "fires")),
        "more_arrows": ("MNC-039", (False, True)),
        "stumbles": ("MNC-037", ("any enemy", "an enemy of the current attack")),
        "volley_archers": ("MNC-042", ("unengaged", "all")),
        "mounted_minion_dice": ("MNC-016", (2, 3, 1)),
        "fall_back_bonus": ("MNC-070", ("none", "height and cover")),
        "movement_ends": ("MNC-076", ("with the first fight", "for each model by itself")),
        "flight_turn": ("MNC-053", (45, 90, 0)),
        "fleeing_minions": ("MNC-061", ("stay", "removed", "their side loses")),
    }
    assert all(rule.default == rule.options[0] for rule in MINIATURES_COMBAT.house_rules)


PLAIN = {
    "level": 2,
    "minion": False,
    "weapon": "basic",
    "two_handed": False,
    "missiles": False,
    "shield": "",
    "heavy_armor": False,
    "mounted": False,
    "athletic": False,
    "short": False,
    "story_protected": False,
}


def test_the_ready_made_models():
    found = {
        unit.key: {field: value for field, value in unit.profile.items() if value != PLAIN[field]}
        for unit in MINIATURES_COMBAT.catalog
    }
    assert found == {
        "captain": {"level": 3, "shield": "shield", "athletic": True},
        "halfling": {"level": 1, "short": True, "story_protected": True},
        "orc_swordsman": {"level": 1, "minion": True, "shield": "shield", "athletic": True},
        "orc_bowman": {"level": 1, "minion": True, "missiles": True, "athletic": True},
        "orc_spearman": {"level": 1, "minion": True, "weapon": "pole", "athletic": True},
        "orc_captain": {"shield": "buckler", "heavy_armor": True, "athletic": True},
        "ranger": {"level": 3, "missiles": True, "athletic": True},
        "knight": {"shield": "shield", "heavy_armor": True, "mounted": True},
        "axeman": {"two_handed": True, "heavy_armor": True, "short": True},
        "man_at_arms": {"weapon": "pole"},
        "bandit": {"level": 1, "minion": True},
        "brawler": {"level": 1, "weapon": "close"},
        "cave_troll": {"level": 4, "two_handed": True},
        "dragon": {"level": 5, "weapon": "pole", "heavy_armor": True},
    }


def test_the_kinds_of_act():
    found = {
        kind: (act.label, act.is_gm_only, () if act.body is None else act.body.__struct_fields__)
        for kind, act in MINIATURES_COMBAT.acts.items()
    }
    assert found == {
        "activate": ("Activate", False, ("members", "shifts")),
        "roll_movement": ("Roll for movement", False, ("dice",)),
        "move": ("Move", False, ()),
        "move_group": ("Move the group", False, ("members", "paths")),
        "defend": ("Defend", False, ("dice", "bonus")),
        "fall_back": ("Fall back", False, ("dice", "bonus", "inches")),
        "attack": ("Attack", False, ("dice",)),
        "lunge": ("Lunge", False, ("dice", "defense", "bonus")),
        "push": ("Push", False, ("dice",)),
        "sweep": ("Sweep", False, ("dice", "ignored")),
        "action": ("Other action", False, ()),
        "carry": ("Carry", False, ("members",)),
        "end": ("End the turn", False, ()),
        "turn": ("Give the turn", True, ("side", "text")),
        "event": ("Story event", True, ("side", "text")),
        "victory": ("Declare victory", True, ("side", "text")),
    }
    defaults = {kind: act.body() for kind, act in MINIATURES_COMBAT.acts.items() if act.body}
    assert (defaults["roll_movement"].dice, defaults["attack"].dice, defaults["push"].dice) == (1, 1, 1)
    assert (defaults["defend"].dice, defaults["defend"].bonus) == (0, 0)
    assert (defaults["fall_back"].dice, defaults["fall_back"].bonus, defaults["fall_back"].inches) == (
        1,
        0,
        2,
    )
    assert (defaults["lunge"].dice, defaults["lunge"].defense, defaults["lunge"].bonus) == (1, 0, 0)
    assert (defaults["sweep"].dice, defaults["sweep"].ignored) == (1, 0)


def test_a_model_starts_without_hits_and_wounds_and_keeps_what_it_has():
    assert prepare_token(hero("one")).tracks == {"hits": 0, "wounds": 0}
    assert prepare_token(replace(model("two"), tracks={"wounds": 2})).tracks == {"hits": 0, "wounds": 2}


def test_the_results_that_count_as_a_success():
    assert (
        frozenset({"hit", "slain", "endangered", "incapacitated", "defended", "fell back", "pushed", "swept"})
        == MINIATURES_COMBAT.successes
    )


SENTENCES = [
    ("activated", {"state": "engaged", "pools": []}, "An engaged group is activated: ."),
    (
        "activated",
        {
            "state": "unengaged",
            "pools": [
                {"token": "one", "dice": 3, "defense dice": 2, "movement dice": 1},
                {"token": "two", "dice": 1, "defense dice": 0, "movement dice": 0},
            ],
        },
        "An unengaged group is activated: One, Two.\nOne: 3 general, 2 defense, 1 movement dice; "
        "Two: 1 general, 0 defense, 0 movement dice.",
    ),
    (
        "movement dice",
        {"slowest": "one", "dice": 1, "modifier": -3},
        "One is the slowest: 1 die, -3 to each.",
    ),
    ("movement roll", {"inches": 7}, "Movement: 7 inches."),
    ("move", {"allowed": True, "reasons": [], "cost": 130}, "One stays where it is."),
    (
        "move",
        {"allowed": False, "reasons": ["Why.", "Too."], "cost": None},
        "One moves against the rules: Why. Too.",
    ),
    ("action", {"act": "stand"}, "One stands up."),
    ("action", {"act": "mount"}, "One mounts."),
    ("action", {"act": "dismount"}, "One dismounts."),
    ("action", {"act": "use"}, "One uses or hands over something."),
    ("action", {"act": "climb"}, "One climbs or jumps."),
    ("carry", {}, "One takes up Orc."),
    (
        "defense",
        {"act": "defend", "needed": 2, "dice": 1, "bonus": 2},
        "One defends against Orc.\n1 general and 2 bonus dice, 2 or more.",
    ),
    (
        "defense",
        {"act": "defend", "needed": 2, "dice": 1, "bonus": 1},
        "One defends against Orc.\n1 general and 1 bonus dice, 2 or more.",
    ),
    (
        "defense",
        {"act": "defend", "needed": 0, "dice": 1, "bonus": 0},
        "One defends against Orc.\n1 general and 0 bonus dice, 1 or more.",
    ),
    (
        "defense",
        {"act": "fall back", "needed": 5, "dice": 2, "bonus": 1},
        "One tries to fall back from Orc.\n3 dice, 5 or more.",
    ),
    (
        "defense",
        {"act": "fall back", "needed": 5, "dice": 1, "bonus": 0},
        "One tries to fall back from Orc.\n1 die, 5 or more.",
    ),
    ("defense", {"act": "defend", "needed": 3, "dice": 0, "bonus": 0}, "One does not defend against Orc."),
    ("defended", {"is_success": True, "dice": 1, "bonus": 0}, "Success.\nAny die is enough."),
    ("defended", {"is_success": False, "dice": 0, "bonus": 0}, "Without dice it fails: Orc attacks at once."),
    ("defended", {"is_success": False, "dice": 1, "bonus": 0}, "Failure: Orc attacks at once."),
    ("defended", {"is_success": False, "dice": 0, "bonus": 1}, "Failure: Orc attacks at once."),
    ("defended", {"is_success": False, "dice": 1, "bonus": 1}, "Failure: Orc attacks at once."),
    ("held in place", {}, "One has no room to fall back."),
    (
        "strike",
        {
            "dice": 3,
            "needed": 5,
            "modifiers": [{"value": 1, "reason": "prone"}, {"value": 2, "reason": "wounds"}],
        },
        "One attacks Orc.\n3 dice, +1 prone, +2 wounds, 5 or more.",
    ),
    ("strike", {"dice": 1, "needed": 6, "modifiers": []}, "One attacks Orc.\n1 die, 6 or more."),
    ("strike roll", {"hits": 1}, "1 hit."),
    ("arrow hits", {"hits": 0}, "0 hits."),
    (
        "harm",
        {"negated": ["shield", "armor"], "result": "negated", "total": 0, "toughness": 3},
        "Orc negates with: Shield, Armor.",
    ),
    (
        "harm",
        {"negated": [], "result": "hit", "total": 1, "toughness": 3},
        "Hits on Orc this turn: 1 of 3.",
    ),
    (
        "harm",
        {"negated": ["armor"], "result": "slain", "total": 3, "toughness": 3},
        "Orc negates with: Armor. Orc is slain.\nHits on Orc this turn: 3 of 3.",
    ),
    (
        "harm",
        {"negated": [], "result": "endangered", "total": 1, "toughness": 1},
        "Orc is endangered.\nHits on Orc this turn: 1 of 1.",
    ),
    (
        "harm",
        {"negated": [], "result": "incapacitated", "total": 1, "toughness": 1},
        "Orc is incapacitated.\nHits on Orc this turn: 1 of 1.",
    ),
    ("wound", {"minion": True}, "One is unconscious and out of the fight."),
    ("wound", {"minion": False}, "One is wounded."),
    (
        "arrows",
        {"dice": 2, "needed": 6, "targets": ["one", "two"]},
        "Heroes: 2 arrows at One, Two.\n6 or more.",
    ),
    ("story points", {"gained": 1, "points": 3}, "Heroes: 1 more story point, 3 now."),
    ("story points", {"gained": 2, "points": 2}, "Heroes: 2 more story points, 2 now."),
    (
        "story roll",
        {"total": 9, "event": "2 dice"},
        "Heroes: 2 more dice in the attack.\nStory dice (-), total 9.",
    ),
    (
        "story roll",
        {"total": 17, "event": "3 dice"},
        "Heroes: 3 more dice in the attack.\nStory dice (-), total 17.",
    ),
    (
        "story roll",
        {"total": 21, "event": "4 dice"},
        "Heroes: 4 more dice in the attack.\nStory dice (-), total 21.",
    ),
    ("story roll", {"total": 2, "event": "nothing"}, "Heroes: No event.\nStory dice (-), total 2."),
    ("story roll", {"total": 5, "event": "stumble"}, "Heroes: An enemy stumbles.\nStory dice (-), total 5."),
    (
        "story roll",
        {"total": 7, "event": "name group"},
        "Heroes: Name the opponent's next group.\nStory dice (-), total 7.",
    ),
    (
        "story roll",
        {"total": 11, "event": "wound"},
        "Heroes: The target is wounded.\nStory dice (-), total 11.",
    ),
    ("story roll", {"total": 13, "event": "story event"}, "Heroes: Story event.\nStory dice (-), total 13."),
    (
        "story roll",
        {"total": 15, "event": "volley"},
        "Heroes: A volley of missiles.\nStory dice (-), total 15.",
    ),
    ("story roll", {"total": 18, "event": "prone"}, "Heroes: An enemy is prone.\nStory dice (-), total 18."),
    (
        "story roll",
        {"total": 20, "event": "minions flee"},
        "Heroes: Minions flee.\nStory dice (-), total 20.",
    ),
    (
        "story roll",
        {"total": 24, "event": "major story event"},
        "Heroes: Major story event.\nStory dice (-), total 24.",
    ),
    (
        "story roll",
        {"total": 27, "event": "unconscious"},
        "Heroes: The target is unconscious.\nStory dice (-), total 27.",
    ),
    ("story event", {"text": "Frodo leaves."}, "Story event: Frodo leaves."),
    ("story event", {"text": ""}, "Story event: the scenario says what happens."),
    ("stumble", {}, "One stumbles: one die fewer on its turn."),
    ("named", {}, "Heroes names One for the next group."),
    ("knocked prone", {}, "One is prone."),
    ("unconscious", {}, "One is unconscious and out of the fight."),
    (
        "flee",
        {"fleeing": ["orc", "two"], "inches": 4, "distance": 8},
        "Orc, Two flee 8 inches.\nBreak radius 4 inches.",
    ),
    ("captured", {"incapacitated": False}, "One captures Orc."),
    ("captured", {"incapacitated": True}, "One captures Orc, who is incapacitated."),
    ("push", {"dice": 1, "needed": 5}, "One tries to push Orc.\n1 die, 5 or more."),
    ("push", {"dice": 2, "needed": 4}, "One tries to push Orc.\n2 dice, 4 or more."),
    ("push roll", {"is_success": True}, ""),
    ("moved back", {"act": "push", "length": 128}, "One is pushed back 2 inches."),
    ("moved back", {"act": "sweep", "length": 128}, "One is swept back 2 inches."),
    ("moved back", {"act": "push", "length": 0}, "One stays where it is."),
    ("push roll", {"is_success": False}, "Orc stands."),
    ("sweep", {"dice": 2, "needed": 5}, "One sweeps.\n2 dice, 5 or more."),
    ("sweep roll", {"successes": 1}, "1 enemy is swept."),
    ("sweep roll", {"successes": 2}, "2 enemies are swept."),
    ("end", {"owed": []}, "One's side ends its turn."),
    ("end", {"owed": ["one", "two"]}, "The turn ends; One, Two must still defend and fail."),
    ("next turn", {}, "Heroes has the turn."),
    ("victory", {}, "Heroes wins."),
    ("something of a later version", {}, ""),
]


@pytest.mark.rule("MNC-119")
@pytest.mark.parametrize(("kind", "given", "sentence"), SENTENCES)
def test_each_step_has_its_sentence(kind, given, sentence):
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (20, 10)))
    facts = {"token": "one", "target": "orc", "side": "heroes", **given}
    assert MINIATURES_COMBAT.narrate(board, [Explained(kind=kind, facts=facts)]) == sentence


@pytest.mark.parametrize(
    ("answer", "said"), [("yes", "Yes"), ("no", "No"), ("orc", "Orc"), ("2", "2"), ("one=2", "one=2")]
)
def test_the_answers_of_people_are_in_the_log(answer, said):
    board = scene(hero("one", (10, 10)), orc("orc", (20, 10)))
    made = ChoiceMade(side="heroes", question="What now?", answer=answer, automatic=False)
    assert MINIATURES_COMBAT.narrate(board, [made]) == f"Heroes: What now? {said}."
    assert MINIATURES_COMBAT.narrate(board, [replace(made, automatic=True)]) == ""
