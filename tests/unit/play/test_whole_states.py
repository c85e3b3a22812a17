"""A change by hand leaves a whole state: who falls, stands or leaves, whose turn it is, who has won."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.rulesets.coup_de_grace import scenes as coup
from tests.unit.rulesets.double_life import scenes as double
from tests.unit.rulesets.knights_of_valour import scenes as knights
from tests.unit.rulesets.miniatures_combat import scenes as minis
from tests.unit.rulesets.torn import scenes as torn

from enfilade.errors import IllegalAct
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.memory import MemoryStore

RULESETS = load_rulesets(BUILT_IN)
NEW_IDS = itertools.count()


class Table:
    """A table whose GM edits by hand."""

    def __init__(self, scene):
        tables = Tables(MemoryStore(), RULESETS, SeededDice(7))
        links = tables.create(scene)
        self.table, _ = tables.enter(links.table, links.gm_key)

    def send(self, kind, **body):
        command = {"v": 1, "id": f"c{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
        return self.table.execute(GM, load_command(command))

    def edit(self, token_id, **changes):
        """Edit a token; `tracks` are added to those it has. Return the log's text."""
        token = self.scene.token(token_id)
        changes["tracks"] = {**token.tracks, **changes.get("tracks", {})}
        given = msgspec.to_builtins(replace(token, **changes), str_keys=True)
        return self.send("token.place", token=given).entry.text

    def remove(self, token_id):
        return self.send("token.remove", token=token_id).entry.text

    @property
    def scene(self):
        return self.table.scene

    @property
    def turn(self):
        return RULESETS[self.scene.ruleset].turn(self.scene)


def coup_table(*more):
    scene = coup.battle(coup.mini("Ann", at=(2, 2)), coup.foe("Orc", at=(2, 1)), *more)
    return Table(coup.active(scene, "ann"))


def knights_table(*more):
    tokens = knights.hero("ann", (2, 2)), knights.monster("orc", (3, 2)), *more
    return Table(knights.in_round(knights.scene(*tokens), "ann"))


def torn_table(*more, **options):
    tokens = (
        torn.ally("ann", (10, 10)),
        torn.foe("orc", torn.hexon_cell((1, 0)), wounds=3, is_fresh=True),
        *more,
    )
    return Table(torn.in_round(torn.scene(*tokens, **options), "ann"))


def double_table(*more, **options):
    tokens = double.fighter("ann", (2, 2)), double.foe("orc", (3, 2)), *more
    return Table(double.scene(*tokens, number=1, **options))


MADE = {"knights_of_valour": knights_table, "torn": torn_table, "double_life": double_table}
BARS = {"knights_of_valour": "points", "torn": "wounds", "double_life": "health"}


@pytest.mark.parametrize("game", MADE)
def test_who_gets_0_points_by_hand_leaves_the_battle_and_returns_when_healed(game):
    spare = {"knights_of_valour": knights.monster("rat", (8, 8)), "double_life": double.foe("rat", (8, 8))}
    table = MADE[game](spare.get(game) or torn.foe("rat", (2, 2)))
    before, track = table.scene, BARS[game]
    said = table.edit("orc", tracks={track: 0})
    assert (table.scene.token("orc").at, table.scene.token("orc").has("out")) == (None, True)
    assert said.count("Orc") > 1  # the log says what follows, beside the edit
    table.edit("orc", tracks={track: 2})
    assert not table.scene.token("orc").has("out")
    table.send("undo")
    table.send("undo")
    assert table.scene == before


def test_a_miniature_is_downed_stands_up_and_leaves_by_its_hit_points():
    table = coup_table(coup.foe("Rat", at=(9, 9)))
    table.edit("orc", tracks={"hp": 0})
    assert table.scene.token("orc").has("downed")
    assert table.scene.token("orc").facing is None
    table.edit("orc", tracks={"hp": 2})
    orc = table.scene.token("orc")
    assert (orc.has("downed"), orc.facing) == (False, coup.SOUTH)  # toward Ann
    table.edit("orc", tracks={"hp": -1})
    assert (table.scene.token("orc").at, table.scene.token("orc").has("out")) == (None, True)


def test_what_a_gm_notes_by_hand_stays():
    table = knights_table(knights.monster("rat", (8, 8)))
    orc = table.scene.token("orc")
    table.edit("orc", at=None, conditions={**orc.conditions, "out": ""})  # it fled
    table.edit("orc", name="Ork")
    assert table.scene.token("orc").has("out")


@pytest.mark.parametrize("game", [*MADE, "coup_de_grace"])
@pytest.mark.parametrize("is_removed", [True, False])
def test_victory_is_looked_at_when_the_last_enemy_leaves_by_hand(game, is_removed):
    table = MADE.get(game, coup_table)()
    track, gone = ("hp", -1) if game == "coup_de_grace" else (BARS[game], 0)
    said = table.remove("orc") if is_removed else table.edit("orc", tracks={track: gone})
    assert table.scene.conditions["won"] == table.scene.token("ann").side
    assert "Blue" in said or "Heroes" in said


@pytest.mark.parametrize("game", MADE)
def test_a_battle_that_is_set_up_is_not_won(game):
    table = MADE[game]()
    table.send("undo") if False else None
    scene = replace(table.scene, tracks={})
    setup = Table(scene)
    setup.remove("orc")
    assert not setup.scene.has("won")


@pytest.mark.parametrize("make", [coup_table, torn_table])
def test_the_turn_passes_on_if_the_active_miniature_leaves_by_hand(make):
    bo = coup.mini("Bo", at=(7, 7)) if make is coup_table else torn.ally("bo", (4, 4))
    table = make(bo)
    table.remove("ann")
    assert table.turn.token == ""
    assert table.turn.sides == ("red",)
    fallen = make(bo)
    fallen.edit("ann", tracks={"hp": -1} if make is coup_table else {"wounds": 0})
    assert (fallen.turn.token, fallen.turn.sides) == ("", ("red",))


def test_the_turn_of_knights_passes_on_by_the_order():
    table = knights_table(knights.hero("bo", (7, 7)))
    table.remove("ann")
    assert table.turn.token in ("orc", "bo")


def test_the_turn_of_miniatures_passes_on_if_the_active_group_is_gone():
    board = minis.scene(minis.hero("one", (10, 10)), minis.hero("two", (20, 10)), minis.orc("orc", (40, 30)))
    table = Table(board)
    act = {"kind": "activate", "token": "one", "target": "", "body": {"members": []}}
    table.send("act", act=act, override="", faces=None)
    table.remove("one")
    assert table.turn.sides == ("orcs",)
    assert "activated" not in table.scene.conditions


def test_house_rules_that_put_bodies_into_each_other_are_refused_with_the_list():
    large = set(torn.hexon_cells((0, 1)))
    center = torn.hexon_cell((0, 1))
    beside = [at for at in torn.hexon_cells((1, 1)) if torn.BOARD.distance(at, center) == 2]
    rat, *crowd = (
        torn.foe("rat", center, size="large"),
        *(torn.ally(f"bo{place}", at) for place, at in enumerate(beside)),
    )
    assert not large & {token.at for token in crowd}
    table = torn_table(rat, *crowd)
    answers = []
    for origin in range(7):
        rules = {"torn.hexon_chirality": "left", "torn.hexon_origin": origin}
        try:
            table.send("rules.set", house_rules=rules, enforcement="advise")
        except IllegalAct as error:
            answers.append(error.sentence)
        assert RULESETS["torn"].contradictions(table.scene) == {}
    assert answers
    assert all("Rat" in sentence and "Bo" in sentence for sentence in answers)


def test_a_unit_that_grows_into_another_is_refused_with_the_list():
    table = double_table()
    grown = {**table.scene.token("ann").profile, "race": "troll"}
    with pytest.raises(IllegalAct, match="Orc"):
        table.edit("ann", profile=grown)
    table.edit("orc", at=(8, 8))
    table.edit("ann", profile=grown)


def test_what_follows_names_no_hidden_unit_to_players():
    table = knights_table(
        replace(knights.monster("spy", (8, 8)), hidden=True), knights.monster("rat", (9, 9))
    )
    table.edit("spy", tracks={"points": 0})
    entry = table.table._store.entries(table.table.id, 0, 100)[-1]
    assert "Spy" in entry.text
    assert entry.plain is None or "Spy" not in entry.plain.text
    assert all(token.id != "spy" for token in view(table.scene, SPECTATOR).tokens)
