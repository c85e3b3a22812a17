"""Log texts for seats that know no hidden thing: as if it were not there, so that they reveal nothing."""

from __future__ import annotations

import itertools
from dataclasses import replace as replace_field

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import (
    BANNER,
    KIT,
    MIA,
    PIT,
    RULESETS,
    WRAITH,
    SecretsTable,
    to_chance,
)

from enfilade.messages.examples import SCENE
from enfilade.messages.load import load_scene
from enfilade.rules.ruleset import ActKind
from enfilade.scene.model import GM, SPECTATOR
from enfilade.store.members import Member


@pytest.mark.parametrize("enforcement", ["advise", "warn"])
@pytest.mark.parametrize("at", [[4, 2], [5, 2], [3, 3]])
def test_a_move_into_a_hidden_token_is_logged_like_one_into_an_empty_cell(at, enforcement):
    """Its words, its costs, its ruling and its answer: not one byte is another."""
    games = SecretsTable(enforcement=enforcement), SecretsTable(WRAITH, enforcement=enforcement)
    answers = [game.move(at) for game in games]
    assert answers[0].result == answers[1].result
    for seat in (MIA, SPECTATOR):
        one, other = (to_chance(game, seat) for game in games)
        assert one == other
        assert b"Bran moves" in one


def test_the_gm_and_the_hidden_tokens_owner_read_the_true_text():
    game = SecretsTable(WRAITH)
    game.move([4, 2])
    for seat in (GM, KIT):
        assert "Grey Wraith stands there" in game.log_text(seat)
    assert "Wraith" not in game.log_text(MIA)


def test_reasons_without_names_reveal_as_little():
    """The reason for a refused move would also reveal them."""
    around = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
    ring = [
        replace(WRAITH, id=f"w{i}", name=f"Ghoul {i}", at=(6 + dx, 5 + dy))
        for i, (dx, dy) in enumerate(around)
    ]
    games = SecretsTable(), SecretsTable(*ring)
    for game in games:
        game.move([6, 5])
    assert "Others stand in Bran's way there" in games[1].log_text(GM)
    assert to_chance(games[0], MIA) == to_chance(games[1], MIA)


@pytest.mark.parametrize("cost", [0, 3])
def test_a_move_over_hidden_terrain_is_logged_like_one_over_open_ground(cost):
    games = SecretsTable(), SecretsTable(ground=(replace(PIT, cost=cost),))
    answers = [game.move([4, 2]) for game in games]
    assert answers[0].result == answers[1].result
    for seat in (MIA, SPECTATOR):
        assert to_chance(games[0], seat) == to_chance(games[1], seat)
    assert games[1].table.snapshot(MIA).regions == games[0].table.snapshot(MIA).regions


def test_a_hidden_pit_from_the_tabletop_reaches_the_gm_only():
    game = SecretsTable()
    scene = msgspec.json.decode(msgspec.json.encode(replace(game.table.scene, terrain=(PIT,))))
    game.do("scene.sync", seat=GM, scene=scene)
    assert game.table.scene.terrain == (PIT,)
    assert game.table.number(SPECTATOR) == 0
    assert game.table.snapshot(SPECTATOR).scene.terrain == ()


def test_a_move_that_the_rules_are_against_for_all_to_see_says_so_to_all():
    game = SecretsTable(replace(WRAITH, at=(9, 7)))
    game.move([3, 2])
    assert "Orc 3 stands there" in game.log_text(MIA) == game.log_text(GM)


def test_a_gm_move_of_a_visible_token_is_logged_without_hidden_names():
    game = SecretsTable(WRAITH)
    game.move([4, 2], seat=GM)
    assert "Wraith" in game.log_text(GM)
    assert "Wraith" not in game.log_text(MIA)


def test_a_move_of_a_hidden_token_has_no_text_for_other_seats():
    game = SecretsTable(WRAITH)
    game.do("token.move", seat=GM, token="wraith", at=[6, 6])
    assert game.table.entries_after(SPECTATOR, 0).entries == ()


def test_undoing_such_a_move_is_logged_as_plainly():
    games = SecretsTable(), SecretsTable(WRAITH)
    for game in games:
        game.move([4, 2])
        game.do("undo", seat=GM)
    assert to_chance(games[0], MIA) == to_chance(games[1], MIA)
    assert "Undone: Bran moves" in games[1].log_text(MIA)


def test_a_snapshot_says_the_same_words_as_the_news():
    game = SecretsTable(WRAITH)
    game.move([4, 2])
    assert game.table.snapshot(MIA).log[-1].text == game.log_text(MIA)


def test_a_ruleset_error_in_another_seats_view_does_not_stop_the_battle(caplog):
    """The visible battle may be one that its rules never reach, for example with a whole side hidden."""
    name = load_scene(SCENE).ruleset
    move = RULESETS[name].acts["move"].procedure

    def with_the_wraith(scene, act):
        assert any(token.id == "wraith" for token in scene.tokens)
        return move(scene, act)

    needy = replace_field(
        RULESETS[name], acts={**RULESETS[name].acts, "move": ActKind("Move", with_the_wraith)}
    )
    game = SecretsTable(WRAITH, rulesets={**RULESETS, name: needy})
    game.move([3, 2], seat=GM)
    assert game.table.scene.token("bran").at == (3, 2)
    assert "cannot say what move looks like" in caplog.text


def test_the_start_of_a_round_does_not_count_hidden_tokens():
    game = SecretsTable(WRAITH)
    game.do("act", seat=GM, act={"kind": "round", "token": "bran"})
    assert "Red 2" in game.log_text(GM)
    for seat in (MIA, SPECTATOR):
        entry = to_chance(game, seat)
        assert b"Red 2" not in entry
        assert b'"Red":2' not in entry


def test_an_attack_with_hidden_help_is_logged_without_it_or_not_at_all():
    """The sum would tell of it without a name: only its own words, or those of the attack as it looks."""
    entry = set()
    for _ in range(30):
        game = SecretsTable(BANNER)
        done = game.do("act", act={"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"})
        if "waiting" in done.result:
            facts = game.table.snapshot(MIA).choice.facts
        else:
            assert "defense 5" in game.log_text(GM)
            facts = game.entry(MIA).facts
            entry.add(game.log_text(MIA).split("\n")[0])
            assert "defense 5" not in game.log_text(MIA)
        assert "banner" not in msgspec.json.encode(facts).decode()
    assert "Bran misses Orc 3 with the hammer." in entry  # it misses either way, and is told as it looks


def test_an_act_that_a_hidden_token_changed_has_no_text_for_others():
    """A three hits what others see, and not what is there; a one hits neither."""
    for face, is_told in ((3, False), (1, True)):
        game = SecretsTable(BANNER)
        act = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}
        game.do("act", seat=GM, act=act, faces=[face])
        assert "miss" in game.log_text(GM)
        assert ["miss" in entry.text for entry in game.table.entries_after(MIA, 0).entries] == [
            True
        ] * is_told


def test_an_overridden_move_lists_the_visible_reasons():
    around = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
    ring = [
        replace(WRAITH, id=f"w{i}", name=f"Ghoul {i}", owners=(), at=(8 + dx, 5 + dy))
        for i, (dx, dy) in enumerate(around)
    ]
    games = SecretsTable(enforcement="enforce"), SecretsTable(*ring, enforcement="enforce")
    for game in games:
        game.do("token.move", seat=GM, token="bran", at=[8, 5], override="the ghost gate")
    assert "Others stand in Bran's way there" in games[1].log_text(GM)
    assert to_chance(games[0], MIA) == to_chance(games[1], MIA)
    assert "GM override (the ghost gate)" in games[1].log_text(MIA)


def a_move(game):
    game.do("token.move", seat=GM, token="orc-3", at=[5, 4])


def an_edit(game):
    orc = as_sent(game.table.scene.token("orc-3"))
    game.do("token.place", seat=GM, token={**orc, "facing": 0})


def a_move_taken_back(game):
    a_move(game)
    game.do("undo", seat=GM)


@pytest.mark.parametrize("deed", [a_move, an_edit, a_move_taken_back])
def test_a_visible_tokens_act_is_logged_if_a_hidden_one_shares_its_name(deed):
    games = SecretsTable(), SecretsTable(replace(WRAITH, name="Orc 3", at=(9, 7)))
    for game in games:
        deed(game)
    for seat in (MIA, SPECTATOR):
        assert to_chance(games[0], seat) == to_chance(games[1], seat)
        assert "Orc 3" in games[1].log_text(seat)


def as_sent(scene):
    return msgspec.json.decode(msgspec.json.encode(scene))


def a_new_scene(game, *hidden):
    scene = game.table.scene
    game.do("scene.set", seat=GM, scene=as_sent(replace(scene, name="Cave", tokens=(*scene.tokens, *hidden))))


def a_tabletops_news(game, *hidden):
    scene = game.table.scene
    more = replace(scene.tokens[1], id="orc-4", name="Orc 4", at=(9, 1))
    tokens = (*scene.tokens, more, *hidden)
    game.do("scene.sync", seat=GM, scene=as_sent(replace(scene, tokens=tokens)))


@pytest.mark.parametrize("deed", [a_new_scene, a_tabletops_news])
def test_an_edit_with_a_hidden_token_is_logged_as_one_without_it(deed):
    games = SecretsTable(), SecretsTable()
    deed(games[0])
    deed(games[1], replace(WRAITH, owners=()))
    for seat in (MIA, SPECTATOR):
        assert to_chance(games[0], seat) == to_chance(games[1], seat)
    assert games[1].log_text(MIA) != ""


def test_assignments_of_visible_tokens_are_logged():
    game = SecretsTable(replace(WRAITH, owners=()))
    member = Member(table=game.table.id, id="kit", role="player", name="Kit", is_seated=True)
    game.store.members.add_member(member, "k")
    game.do("tokens.assign", seat=GM, player="kit", tokens=["bran", "wraith"])
    assert game.log_text(MIA) == "Kit now plays Bran."
    game.do("tokens.assign", seat=GM, player="kit", tokens=["bran"])
    assert game.table.number(MIA) == 1


def test_a_removed_hidden_token_takes_its_notes_along():
    """Notes that stay behind would become visible: no rule knows anymore that they name a hidden token."""
    game = SecretsTable(WRAITH)
    held = replace(game.table.scene.token("bran"), conditions={"entangled": "wraith"})
    game.do("token.place", seat=GM, token=as_sent(held))
    scene = game.table.scene
    seen = tuple(token for token in scene.tokens if token.id != "wraith")
    given = replace(scene, tokens=seen, sides=scene.sides, conditions={})
    game.do("scene.sync", seat=GM, scene=as_sent(given))
    assert game.table.scene.token("bran").conditions == {}
    assert b"wraith" not in msgspec.json.encode(game.table.snapshot(MIA))


GHOUL = replace(WRAITH, id="ghoul", name="Ghoul", at=(5, 2), owners=())
BARRED = replace(PIT, cells=((5, 2),), cost=0)


@pytest.mark.parametrize(("more", "ground"), [((GHOUL,), ()), ((), (BARRED,))], ids=["ghoul", "pit"])
def test_the_owner_of_a_hidden_token_reads_its_moves(more, ground):
    """Another hidden token blocks the path: only the GM reads about it."""
    games = SecretsTable(WRAITH), SecretsTable(WRAITH, *more, ground=ground)
    for game in games:
        game.do("token.move", seat=KIT, token="wraith", at=[5, 2])
    assert "against the rules" in games[1].log_text(GM)
    assert to_chance(games[0], KIT) == to_chance(games[1], KIT)
    assert "Grey Wraith moves" in games[1].log_text(KIT)
    assert games[1].table.entries_after(SPECTATOR, 0).entries == ()


def test_taking_back_such_a_move_tells_them_as_little():
    game = SecretsTable(WRAITH, ground=(BARRED,))
    game.do("token.move", seat=KIT, token="wraith", at=[5, 2])
    log_text = game.log_text(KIT)
    game.do("undo", seat=GM)
    sentences = log_text.split("\n")[0]
    assert game.log_text(KIT) == f"Undone: {sentences}"
    assert game.log_text(KIT) != game.log_text(GM)
