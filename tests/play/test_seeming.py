"""Words for those who know of nothing hidden: as if it were not there, so that they tell nothing of it."""

from __future__ import annotations

import itertools
from dataclasses import replace as replace_field

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_command, load_scene
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import gather
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Terrain, Token
from enfilade.scene.seat import GM, SPECTATOR, Seat
from enfilade.store.memory import MemoryStore

RULESETS = gather(BUILT_IN)
MIA, KIT = Seat("player", "mia"), Seat("player", "kit")
ORC = {"armour": "light", "race": "orc", "hands": ["axe", "shield"]}
WRAITH = Token(
    id="wraith",
    name="Grey Wraith",
    side="red",
    at=(4, 2),
    hidden=True,
    profile=ORC,
    owners=("kit",),
)


PIT = Terrain(id="pit", name="The Pit", cells=((4, 2),), cost=3, hidden=True)


class Game:
    """The contract's example scene at a table that only advises; Mia plays Bran."""

    def __init__(self, *hidden, enforcement="advise", ground=(), rulesets=RULESETS):
        scene = load_scene(SCENE)
        bran, orc = scene.tokens
        mine = replace(bran, owners=("mia",))
        scene = replace(scene, enforcement=enforcement, tokens=(mine, orc, *hidden), walls=(), terrain=ground)
        tables = Tables(MemoryStore(), rulesets, SystemDice())
        links = tables.create(scene)
        self.table, _ = tables.enter(links.table, links.gm_key)
        self.numbers = itertools.count()

    def do(self, kind, seat=MIA, **body):
        command = {"v": 1, "id": f"c{next(self.numbers)}", "kind": kind, "body": body}
        return self.table.perform(seat, load_command(command))

    def move(self, at, seat=MIA):
        return self.do("token.move", seat=seat, token="bran", at=at)

    def told(self, seat):
        (entry,) = self.table.entries_after(seat, self.table.seq - 1).entries
        return entry

    def words(self, seat):
        return self.told(seat).text


def as_told(game, seat):
    """All that somebody is told of the last entry but when it was."""
    return msgspec.json.encode(replace(game.told(seat), at_ms=0))


@pytest.mark.parametrize("enforcement", ["advise", "warn"])
@pytest.mark.parametrize("at", [[4, 2], [5, 2], [3, 3]])
def test_a_move_into_somebody_hidden_is_told_as_one_into_nobody(at, enforcement):
    """Its words, its costs, its ruling and its answer: not one byte is another."""
    games = Game(enforcement=enforcement), Game(WRAITH, enforcement=enforcement)
    answers = [game.move(at) for game in games]
    assert answers[0].result == answers[1].result
    for seat in (MIA, SPECTATOR):
        one, other = (as_told(game, seat) for game in games)
        assert one == other
        assert b"Bran moves" in one


def test_the_game_master_and_whoever_has_the_hidden_one_read_what_is_true():
    game = Game(WRAITH)
    game.move([4, 2])
    for seat in (GM, KIT):
        assert "Grey Wraith stands there" in game.words(seat)
    assert "Wraith" not in game.words(MIA)


def test_a_move_whose_reasons_name_nobody_tells_as_little():
    """That "other miniatures leave no way there" would tell of them, too."""
    around = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
    ring = [
        replace(WRAITH, id=f"w{i}", name=f"Ghoul {i}", at=(6 + dx, 5 + dy))
        for i, (dx, dy) in enumerate(around)
    ]
    games = Game(), Game(*ring)
    for game in games:
        game.move([6, 5])
    assert "leave no way there" in games[1].words(GM)
    assert as_told(games[0], MIA) == as_told(games[1], MIA)


@pytest.mark.parametrize("cost", [0, 3])
def test_a_move_over_hidden_ground_is_told_as_one_over_open_ground(cost):
    games = Game(), Game(ground=(replace(PIT, cost=cost),))
    answers = [game.move([4, 2]) for game in games]
    assert answers[0].result == answers[1].result
    for seat in (MIA, SPECTATOR):
        assert as_told(games[0], seat) == as_told(games[1], seat)
    assert games[1].table.snapshot(MIA).regions == games[0].table.snapshot(MIA).regions


def test_a_tabletop_that_digs_a_hidden_pit_tells_nobody_else():
    game = Game()
    scene = msgspec.json.decode(msgspec.json.encode(replace(game.table.scene, terrain=(PIT,))))
    game.do("scene.sync", seat=GM, scene=scene)
    assert game.table.scene.terrain == (PIT,)
    assert game.table.number(SPECTATOR) == 0
    assert game.table.snapshot(SPECTATOR).scene.terrain == ()


def test_a_move_that_the_rules_are_against_for_all_to_see_says_so_to_all():
    game = Game(replace(WRAITH, at=(9, 7)))
    game.move([3, 2])
    assert "Orc 3 stands there" in game.words(MIA) == game.words(GM)


def test_the_game_masters_move_of_a_shown_miniature_is_told_without_the_hidden_ones_name():
    game = Game(WRAITH)
    game.move([4, 2], seat=GM)
    assert "Wraith" in game.words(GM)
    assert "Wraith" not in game.words(MIA)


def test_a_move_of_somebody_hidden_has_no_words_for_others():
    game = Game(WRAITH)
    game.do("token.move", seat=GM, token="wraith", at=[6, 6])
    assert game.table.entries_after(SPECTATOR, 0).entries == ()


def test_taking_back_such_a_move_is_told_as_plainly():
    games = Game(), Game(WRAITH)
    for game in games:
        game.move([4, 2])
        game.do("undo", seat=GM)
    assert as_told(games[0], MIA) == as_told(games[1], MIA)
    assert "Taken back: Bran moves" in games[1].words(MIA)


def test_a_snapshot_says_the_same_words_as_the_news():
    game = Game(WRAITH)
    game.move([4, 2])
    assert game.table.snapshot(MIA).log[-1].text == game.words(MIA)


def test_a_ruleset_that_breaks_on_what_others_see_of_a_battle_does_not_keep_it_from_going_on(caplog):
    """Such a battle may be one that its rules can never come to, as with everybody of a side hidden."""
    name = load_scene(SCENE).ruleset
    move = RULESETS[name].procedures["move"]

    def with_the_wraith(scene, act):
        assert any(token.id == "wraith" for token in scene.tokens)
        return move(scene, act)

    needy = replace_field(RULESETS[name], procedures={**RULESETS[name].procedures, "move": with_the_wraith})
    game = Game(WRAITH, rulesets={**RULESETS, name: needy})
    game.move([3, 2], seat=GM)
    assert game.table.scene.token("bran").at == (3, 2)
    assert "cannot say what move looks like" in caplog.text
