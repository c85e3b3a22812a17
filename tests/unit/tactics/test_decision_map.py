"""Decision maps: what a token could do and would suffer at each place, and the advice in words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace
from tests.contract import differences

from enfilade.errors import Forbidden, NotFound, TooSlow
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.play.setup import prepare_scene
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Seat, Side, Token, Wall
from enfilade.store.memory import MemoryStore
from enfilade.tactics.advice import decision_map, place_outlooks
from enfilade.tactics.decision_map import Outlooks

MIA = Seat("player", "mia")


def fighter(token, side, at, hands, facing=0, **more):
    profile = {"armor": "light", "race": "human", "hands": hands}
    return Token(id=token, name=token.title(), side=side, at=at, facing=facing, profile=profile, **more)


def battle(*tokens, walls=(), **more):
    sides = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
    bare = Scene(
        ruleset="coup_de_grace", grid=Grid("square", 9, 9), sides=sides, tokens=tokens, walls=walls, **more
    )
    return prepare_scene(COUP_DE_GRACE, bare)


ANN = fighter("ann", "blue", (4, 6), ["sword", "shield"], owners=("mia",))
ORC = fighter("orc", "red", (4, 4), ["axe", "fist"], facing=180)


def at(decisions, cell):
    return next(one for one in decisions.cells if one.at == cell)


def test_a_map_that_takes_too_long_ends_at_the_first_place(monkeypatch):
    asked = []

    def prospect(_outlooks, place):
        asked.append(place)
        raise TooSlow("too slow")

    monkeypatch.setattr(Outlooks, "prospect", prospect)
    with pytest.raises(TooSlow):
        decision_map(COUP_DE_GRACE, battle(ANN, ORC), "ann", 0)
    assert len(asked) == 1


def test_a_sword_reaches_an_enemy_only_from_a_cell_that_faces_it_and_is_struck_back_from_its_front():
    found = decision_map(COUP_DE_GRACE, battle(ANN, ORC), "ann", 3)
    front, behind, far = at(found, (4, 5)), at(found, (4, 3)), at(found, (1, 6))
    assert (front.facing, front.attackers) == (0, 1)
    assert front.dealt > 0
    assert front.taken > 0
    assert (behind.facing, behind.attackers, behind.taken) == (180, 0, 0)
    assert behind.dealt > front.dealt, "a backstab hits more often"
    assert (far.dealt, far.taken) == (0, 0)
    assert found.advice[0].cell == behind
    assert found.advice[0].text.startswith("Best attack: sword at Orc, ")


def test_each_facing_of_one_cell_can_be_asked_for():
    places = place_outlooks(COUP_DE_GRACE, battle(ANN, ORC), "ann", 3, (4, 5)).places
    assert {place.cell.facing for place in places} == {0, 90, 180, 270}
    ahead = places[0]
    assert ahead.cell.facing == 0
    assert Fraction(*ahead.own.damage) == Fraction(ahead.cell.dealt, 1000).limit_denominator(36)
    turned = next(place for place in places if place.cell.facing == 180)
    assert turned.own is None
    assert turned.cell.taken > ahead.cell.taken, "it is stabbed in the back"
    assert place_outlooks(COUP_DE_GRACE, battle(ANN, ORC), "ann", 3, (8, 0)).places == ()


def test_a_wall_hides_a_place_and_the_advice_says_so():
    archer = fighter("archer", "red", (4, 1), ["bow"], facing=180)
    wall = Wall(id="wall", line=(0, 4 * 64, 3 * 64, 4 * 64))
    scene = battle(replace(ANN, at=(4, 5)), archer, walls=(wall,))
    outlooks = place_outlooks(COUP_DE_GRACE, scene, "ann", 0, (1, 5)).places
    (watcher,) = outlooks[0].watchers
    assert (watcher.saw, watcher.is_seen, watcher.is_in_arc) == (True, False, True)
    assert "wall" in watcher.cover
    assert "1 of 1 enemies lose sight." in outlooks[0].text
    assert outlooks[0].cell.attackers == 0


def test_it_is_the_map_of_the_next_turn_while_another_acts():
    scene = battle(ANN, ORC)
    assert decision_map(COUP_DE_GRACE, scene, "ann", 0).is_next_turn
    started = replace(
        scene,
        tracks={"round": 1},
        conditions={"active": "ann"},
        tokens=tuple(replace(one, tracks={**one.tracks, "mp": 1}) for one in scene.tokens),
    )
    found = decision_map(COUP_DE_GRACE, started, "ann", 0)
    assert not found.is_next_turn
    assert {cell.at for cell in found.cells} == {(4, 6), (3, 6), (5, 6), (4, 5), (4, 7)}


@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_every_game_has_maps_in_the_published_shape(ruleset):
    scene = demo_battle(ruleset).scene
    token = scene.on_board()[0].id
    found = decision_map(ruleset, scene, token, 5)
    assert not differences("decision-map", dump.plain(found))
    assert found.here is not None
    assert len(found.cells) == len({cell.at for cell in found.cells}) > 1
    assert all(one.text for one in found.advice)


def test_a_token_off_the_board_has_no_places_and_an_unknown_one_is_not_found():
    scene = battle(replace(ANN, at=None), ORC)
    assert decision_map(COUP_DE_GRACE, scene, "ann", 0).cells == ()
    with pytest.raises(NotFound):
        decision_map(COUP_DE_GRACE, scene, "nobody", 0)


# Seats


def table_of(scene):
    tables = Tables(MemoryStore(), load_rulesets(BUILT_IN), SeededDice(1))
    links = tables.create(scene)
    return tables.enter(links.table, links.gm_key)[0]


LURKER = fighter("lurker", "red", (4, 7), ["mace", "fist"], facing=0, hidden=True)


def test_a_players_map_is_that_of_a_table_without_the_hidden_enemy():
    with_lurker, without = table_of(battle(ANN, ORC, LURKER)), table_of(battle(ANN, ORC))
    assert with_lurker.decisions(MIA, "ann") == without.decisions(MIA, "ann")
    assert with_lurker.decisions(MIA, "ann", at=(4, 5)) == without.decisions(MIA, "ann", at=(4, 5))
    assert with_lurker.decisions(GM, "ann") != without.decisions(GM, "ann")
    assert "lurker" not in str(dump.plain(with_lurker.decisions(MIA, "ann"))).lower()


def test_the_gm_chooses_whether_players_have_advice():
    table = table_of(battle(ANN, ORC, house_rules={"table.advice_for_players": False}))
    assert table.decisions(GM, "ann").cells
    with pytest.raises(Forbidden, match="only the GM"):
        table.decisions(MIA, "ann")


def test_spectators_get_no_advice_and_players_none_about_the_tokens_of_others():
    table = table_of(battle(ANN, ORC))
    with pytest.raises(Forbidden):
        table.decisions(SPECTATOR, "ann")
    with pytest.raises(Forbidden):
        table.decisions(MIA, "orc")


def test_the_cells_of_a_first_answer_are_those_of_the_whole_map():
    scene = battle(ANN, ORC)
    whole = decision_map(COUP_DE_GRACE, scene, "ann", 0)
    first = decision_map(COUP_DE_GRACE, scene, "ann", 0, most=4)
    assert first.cells == whole.cells[:4]
    assert first.advice == ()
    assert not Outlooks(COUP_DE_GRACE, scene, "ann").is_its_turn
