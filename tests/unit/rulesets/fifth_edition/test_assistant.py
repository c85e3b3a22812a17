"""Assistant mode: the tabletop's system rolls and applies; the game shows and judges (SRD-042, SRD-089)."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.importers.actors import read_actor
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.conformance import check_random_game, skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.scene.model import GM
from enfilade.store.memory import MemoryStore
from enfilade.tactics.overlays import overlay
from tests.unit.rulesets.fifth_edition.scenes import (
    BOW,
    SWORD,
    act,
    battle,
    cost,
    creature,
    play,
    reasons,
    refused,
)

ANN, BO = creature("ann", "blue", (5, 5), attacks=(SWORD, BOW)), creature("bo", "red", (6, 5))


def beside(*tokens, **more):
    """Return a scene at a table whose tabletop has a system of its own: no round, no turn."""
    rules = {"play": "assistant", **more.pop("rules", {})}
    return battle(*tokens, turn="", rules=rules, **more)


def at_table(scene):
    tables = Tables(MemoryStore(), load_rulesets([FIFTH_EDITION]), SeededDice(1))
    links = tables.create(scene)
    table = tables.enter(links.table, links.gm_key)[0]

    numbers = count()

    def command(kind, body):
        one = {"v": 1, "id": f"c{next(numbers)}", "kind": kind, "body": body}
        return table.execute(GM, load_command(one))

    return table, command


@pytest.mark.rule("SRD-042")
def test_a_table_does_no_act_but_moves_and_not_even_for_the_gm():
    table, command = at_table(beside(ANN, BO))
    for kind in sorted(FIFTH_EDITION.acts.keys() - {"move", "move_group"}):
        body = {"act": {"kind": kind, "token": "ann", "target": "bo", "weapon": "Sword"}, "override": "Yes."}
        with pytest.raises(IllegalAct) as error:
            command("act", body)
        assert error.value.rule == "SRD-042"
    assert table.seq == 0
    command("token.move", {"token": "ann", "at": [4, 5], "override": ""})
    moved = table.scene.token("ann")
    assert (moved.at, moved.tracks, moved.conditions) == ((4, 5), ANN.tracks | {"hp": 30}, {})
    assert table.scene.token("bo").conditions == {}, "no one is asked for a reaction, and none is spent"


@pytest.mark.rule("SRD-042", "SRD-012")
def test_feet_that_were_walked_count_only_in_a_round_of_the_game_itself():
    walked = creature("ann", "blue", (5, 5), tracks={"moved": 20})
    told = replace(beside(walked, BO), tracks={"round": 2})
    before = battle(walked, BO, turn="")
    fights = battle(walked, BO)
    assert [feet_left(one, one.token("ann")) for one in (told, before, fights)] == [30, 30, 10]


@pytest.mark.rule("SRD-042")
def test_a_move_is_judged_by_the_path_that_the_system_left_and_what_it_provokes_is_shown():
    scene = beside(ANN, BO)
    ruling = FIFTH_EDITION.judge(scene, scene.token("ann"), ((4, 5), (3, 5)), None)
    assert (ruling.allowed, ruling.cost, ruling.budget) == (True, 10, 60), "the budget is that of a Dash"
    assert [(step.at, [one.token for one in step.provokes]) for step in ruling.steps] == [
        ((4, 5), ["bo"]),
        ((3, 5), []),
    ]
    far = FIFTH_EDITION.judge(scene, scene.token("ann"), ((19, 5),), None)
    assert not far.allowed
    done = play(scene, act("move", at=(3, 5)))
    assert done.scene.token("ann").at == (3, 5)
    assert "opportunity" not in [getattr(event, "kind", "") for event in done.events]


def test_offers_need_no_turn_and_have_odds_and_reasons():
    scene = beside(ANN, creature("bo", "red", (6, 5), "prone"))
    shown = overlay(FIFTH_EDITION, scene, "ann", 0)
    swords = [one for one in shown.targets if one.legal and one.target == "bo"]
    assert swords
    assert all(one.exact for one in swords)
    assert refused(scene, act("attack", "bo", "Sword")) == ("", "")
    assert refused(scene, act("attack", "ann", "Sword", token="bo")) == ("", ""), "nor has anyone acted"
    assert refused(scene, act("hide"))[0] == "SRD-063"
    assert cost(scene, (5, 10)) == 25
    assert cost(scene, (5, 13)) == 40, "the reach shows a Dash too"
    bands = [area.label for area in shown.areas if area.layer == "ranges"]
    assert bands[:2] == ["Move 30 feet", "Dash 60 feet"]
    assert FIFTH_EDITION.turn(scene).round == 0


@pytest.mark.rule("SRD-089", "SRD-158")
def test_what_the_system_has_counted_is_not_counted_again():
    """Exhaustion is in prepared speeds and attacks, and not in saves."""
    values = {
        "exhaustion": 2,
        "is_prepared": True,
        "conditions": ("exhaustion", "coverHalf"),
        "saves": {"dex": 3},
    }
    read = read_creature(creature("ann", "blue", (5, 5), **values))
    assert (read.speed, read.save("dex")) == (30, -1)
    scene = beside(creature("ann", "blue", (5, 5), **values), BO)
    assert reasons(scene)[0] == 10, "AC 15 less the bonus of 5"
    mine = read_creature(creature("ann", "blue", (5, 5), **{**values, "is_prepared": False}))
    assert mine.speed == 20
    assert reasons(beside(mine.token, BO))[0] == 14
    abilities = {key: {"value": 10} for key in ("str", "dex", "con", "int", "wis", "cha")}
    system = {
        "attributes": {"ac": {"value": 17, "cover": 2}, "movement": {"walk": 30}},
        "abilities": abilities,
    }
    sheet = read_actor({"type": "npc", "name": "Bo", "items": [], "system": system})
    assert sheet.armor_class == 15, "cover that the system counts is taken off"
    covered = beside(ANN, creature("bo", "red", (6, 5), **values))
    assert reasons(covered)[0] == 10, "the status of cover is in no number"


def test_the_conditions_of_the_actor_count_as_those_of_the_table():
    scene = beside(
        creature("ann", "blue", (5, 5), conditions=("frightened",)),
        creature("bo", "red", (6, 5), conditions=("restrained", "dead")),
        creature("cy", "red", (5, 6), conditions=("paralyzed",)),
    )
    assert reasons(scene, target="cy") == (10, ("Cy is paralyzed",), ("Ann is frightened",))
    assert refused(scene, act("attack", "bo", "Sword"))[0] == "SRD-139"
    assert not read_creature(scene.token("cy")).can_act


def test_one_at_0_hit_points_of_its_actor_is_out_or_unconscious():
    def states(**profile):
        one = creature("bo", "red", (6, 5), tracks={"hp": 0}, **profile)
        return read_creature(one).states

    assert states() == set()
    assert states(is_prepared=True) == {"out"}
    assert {"unconscious", "prone"} <= states(is_prepared=True, is_character=True)


def test_random_games_of_an_assistant_are_moves_alone():
    seeds = [n for n in range(120) if FIFTH_EDITION.done_elsewhere(skirmish(FIFTH_EDITION, n))]
    assert len(seeds) > 5
    for seed in seeds[:6]:
        check_random_game(FIFTH_EDITION, seed)


def test_a_battle_that_becomes_an_assistants_is_read_as_one():
    referee = battle(creature("ann", "blue", (5, 5), "acted", tracks={"moved": 30}), BO)
    scene = replace(referee, house_rules={"fifth_edition.play": "assistant"})
    assert cost(scene, (5, 10)) == 25
    assert refused(scene, act("attack", "bo", "Sword")) == ("", "")
