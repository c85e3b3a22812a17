"""Rounds: the sealed choice, the reveal and the phases; the end of combat (DBL-001 to DBL-004, DBL-021)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.procedures import Act, ChooseAll
from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.rulesets.double_life.turn import SECONDS
from tests.unit.rulesets.double_life.scenes import (
    acts_in,
    at,
    card,
    do,
    facts,
    fighter,
    foe,
    health,
    play,
    refused,
    scene,
    text_of,
    with_token,
)

ROUND, END = Act(kind="round"), Act(kind="end")


def pending(board):
    """Return the sealed choice that a round waits for."""
    with pytest.raises(ChoicePending) as waiting:
        resolve(board, ACTS["round"].procedure, (ROUND,), Answers(automatic=()))
    return waiting.value


@pytest.mark.rule("DBL-001", "DBL-002", "DBL-003", "DBL-021")
def test_a_round_asks_each_character_for_a_stance_a_place_and_a_facing_in_secret():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    waiting = pending(board)
    assert isinstance(waiting.choice, ChooseAll)
    assert waiting.choice.is_sealed
    assert [(choice.side, choice.token, choice.question) for choice in waiting.choice.choices] == [
        ("blue", "ann", "Ann: attack or defend?"),
        ("blue", "ann", "Ann: move or flee?"),
        ("blue", "ann", "Ann: which way does it face?"),
        ("red", "orc", "Orc: attack or defend?"),
        ("red", "orc", "Orc: move or flee?"),
        ("red", "orc", "Orc: which way does it face?"),
    ]
    assert [answer.key for answer in waiting.choice.choices[0].answers] == [
        "attack 1 orc",
        "defend front",
        "defend left",
        "defend right",
    ]
    assert SECONDS == 5


@pytest.mark.rule("DBL-004")
def test_the_choices_are_recorded_before_anything_is_resolved():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    done = play(board, {"ann": ("attack 1 orc", "move 2,3", "north"), "orc": "defend left"}, [10, 1])
    kinds = [getattr(event, "kind", "") for event in done.events]
    assert kinds.index("round") < kinds.index("attack")
    (revealed,) = facts(done, "round")
    assert revealed["round"] == 1
    assert [(p["token"], p["stance"], p["text"]) for p in revealed["plans"]] == [
        ("ann", "attack", "attacks Orc with Sword"),
        ("orc", "defend", "defends the left side"),
    ]
    assert revealed["plans"][0] == {
        "token": "ann",
        "stance": "attack",
        "text": "attacks Orc with Sword",
        "weapon": "Sword",
        "targets": ["orc"],
        "side": "",
        "guarded": "",
        "place": [2, 3],
        "facing": 0,
    }
    assert revealed["plans"][1]["side"] == "left"
    assert done.scene.token("ann").conditions["stance"] == "attacks Orc with Sword"
    assert card(done.scene, "orc")["This round"] == "defends the left side"


def test_a_stance_lasts_until_the_next_round():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    board = with_token(board, "ann", conditions={"stance": "flees", "fallen": "1"})
    done = play(board, {})
    assert "stance" not in done.scene.token("ann").conditions
    assert "Ann cannot act." in text_of(board, done)


def test_fallen_and_absent_characters_are_not_asked():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), conditions={"fallen": "1"}), foe("owl"))
    assert {choice.token for choice in pending(board).choice.choices} == {"ann"}
    alone = scene(fighter("ann", (3, 3), conditions={"fallen": "1"}), number=1)
    assert facts(play(alone, {}, [11]), "footing") == [{"token": "ann", "is_up": False}]


@pytest.mark.rule("DBL-022", "DBL-023")
def test_all_attack_before_any_character_moves():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    plans = {"ann": ("attack 1 orc", "stay"), "orc": ("attack 1 ann", "move 2,2")}
    done = play(board, plans, [10, 1, 10, 2])
    assert acts_in(done) == [("attack", "ann", "orc"), ("attack", "orc", "ann")]
    kinds = [e["kind"] if isinstance(e, dict) else getattr(e, "kind", "") for e in done.events]
    assert kinds.index("move") > max(i for i, kind in enumerate(kinds) if kind == "attack")
    assert at(done.scene, "orc") == (2, 2)
    assert (health(done.scene, "ann"), health(done.scene, "orc")) == (18, 19)


@pytest.mark.rule("DBL-024")
def test_a_character_that_falls_or_dies_in_phase_2_does_not_move():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), tracks={"poise": 1}))
    plans = {"ann": "attack 1 orc", "orc": ("defend front", "move 2,2")}
    done = play(board, plans, [10, 10, 1])
    assert at(done.scene, "orc") == (3, 2)
    assert not facts(done, "move")
    done = play(scene(fighter("ann", (3, 3)), foe("orc", (3, 2), health=1)), plans, [10, 10, 1])
    assert at(done.scene, "orc") is None


@pytest.mark.rule("DBL-001")
def test_rounds_are_counted_and_have_no_order_of_turns():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    assert DOUBLE_LIFE.turn(board).round == 0
    done = play(board, {})
    assert (DOUBLE_LIFE.turn(done.scene).round, DOUBLE_LIFE.turn(done.scene).sides) == (1, ())
    assert (done.result.result, done.result.leaves) == ("round", "round 1")
    assert play(done.scene, {}).scene.tracks["round"] == 2


def test_attacks_are_planned_with_the_round():
    assert {kind: act.planned for kind, act in ACTS.items()} == {
        "attack": "DBL-003",
        "second-life": "DBL-003",
        "move": "",
        "move_group": "",
        "round": "",
        "end": "",
    }
    assert {kind for kind, act in ACTS.items() if act.is_gm_only} == {"round", "end"}


# The end


def decided(**sheet):
    """Ann against an orc that has died in round 3; Bob is on the ground."""
    out = {"conditions": {"out": ""}, "tracks": {"health": 0}}
    board = scene(
        fighter("ann", (3, 3), **sheet),
        fighter("bob", (5, 5), conditions={"fallen": "3"}, tracks={"energy": 0}),
        foe("orc", None, **out),
        number=3,
    )
    return replace(board, conditions={"won": "blue"})


@pytest.mark.rule("DBL-046")
def test_at_the_end_all_lose_energy_and_the_log_says_what_is_left():
    board = decided()
    done = do(board, END)
    (summary,) = facts(done, "end")
    assert summary == {
        "round": 3,
        "left": [
            {"token": "ann", "health": 20, "energy": 4, "fallen": False},
            {"token": "bob", "health": 20, "energy": 0, "fallen": True},
        ],
        "dead": ["orc"],
        "winner": "blue",
        "loss": 1,
    }
    assert done.scene.token("ann").tracks["energy"] == 4
    turn = DOUBLE_LIFE.turn(done.scene)
    assert (turn.is_over, turn.winners) == (True, ("blue",))
    assert text_of(board, done) == (
        "The combat ends after round 3; all characters lose 1 Energy. Ann: Health 20, Energy 4. "
        "Bob: Health 20, Energy 0. Dead: Orc."
    )


@pytest.mark.rule("DBL-046")
@pytest.mark.parametrize("loss", [0, 2, 3])
def test_the_energy_lost_is_a_house_rule(loss):
    board = replace(decided(), house_rules={"double_life.energy_loss": loss})
    assert do(board, END).scene.token("ann").tracks["energy"] == 5 - loss


@pytest.mark.rule("DBL-046")
def test_the_end_is_refused_while_enemies_fight_and_rounds_after_it():
    fighting = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    assert refused(fighting, END) == "DBL-046"
    assert refused(fighting, ROUND) == ""
    assert refused(decided(), END) == ""
    assert refused(decided(), ROUND) == "DBL-046"
    over = do(decided(), END).scene
    assert (refused(over, END), refused(over, ROUND)) == ("DBL-046", "DBL-046")
    assert refused(scene(), ROUND) == "DBL-003"
    done = do(fighting, END, overrides=True)
    assert DOUBLE_LIFE.turn(done.scene).is_over
    assert DOUBLE_LIFE.turn(done.scene).winners == ()
    assert not DOUBLE_LIFE.turn(decided()).is_over
    assert DOUBLE_LIFE.turn(decided()).winners == ()


def test_the_last_team_wins():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), health=1), foe("owl", (9, 9)))
    plans = {"ann": "attack 1 orc"}
    done = play(board, plans, [10, 10, 1])
    assert not done.scene.has("won")
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), health=1))
    done = play(board, plans, [10, 10, 1])
    assert done.scene.conditions["won"] == "blue"
    assert "Blue wins." in text_of(board, done)
    assert not play(scene(fighter("ann", (3, 3))), {}).scene.has("won")
