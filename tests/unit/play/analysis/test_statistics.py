"""Statistics: what each seat reads about attacks, luck and damage, from what it was told."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import msgspec
import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.play.analysis.battles import GAMES, RULESETS, PlayedBattle
from tests.unit.play.redaction.secrets_table import MIA, WRAITH, SecretsTable

from enfilade.analysis.past import past_of
from enfilade.analysis.statistics import ACTS_PER_ANSWER, hits_distribution
from enfilade.messages.dump import plain
from enfilade.rules.profiles import read_act
from enfilade.scene.apply import fold_all
from enfilade.scene.model import GM, SPECTATOR
from enfilade.tactics.expected_damage import mean_damage
from enfilade.tactics.previews import act_odds, to_chance

STRIKE = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}


def statistics(table, seat=GM):
    found = past_of(table).statistics(table, seat)
    while found.done < found.of:
        found = past_of(table).statistics(table, seat)
    return found


def of_side(found, side):
    return next(one for one in found.sides if one.id == side)


@pytest.mark.parametrize("game", GAMES)
def test_each_attack_of_a_battle_is_counted_with_the_odds_before_its_roll(game):
    battle = PlayedBattle(game, 2, strength=3)
    first = battle.table.scene
    battle.play(40)
    found = statistics(battle.table)
    assert found.attacks
    assert not differences("statistics", plain(found))
    ruleset, scene, scenes = RULESETS[game], first, {}
    for entry in battle.entries():
        scenes[entry.seq] = scene, entry
        scene = fold_all(scene, entry.events)
    for attack in found.attacks:
        before, entry = scenes[attack.seq]
        act = read_act(ruleset, entry.request["act"])
        if ruleset.played_attacks is not None:
            continue  # its attacks are checked against its own facts below
        odds = act_odds(ruleset, before, act)
        assert attack.chance == to_chance(odds.chance(*ruleset.successes))
        assert attack.expected == pytest.approx(float(mean_damage(odds)), abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_the_hit_points_taken_are_those_that_the_units_lost(game):
    battle = PlayedBattle(game, 5, strength=3)
    ruleset = RULESETS[game]
    lost, scene = 0, battle.table.scene
    battle.play(40)
    for entry in battle.entries():
        after = fold_all(scene, entry.events)
        for token in scene.tokens:
            now, bar = next((t for t in after.tokens if t.id == token.id), None), ruleset.bar(token)
            if bar and now:
                was = max(0, token.track(bar.track, bar.most))
                lost += max(0, was - max(0, now.track(bar.track, bar.most)))
        scene = after
    found = statistics(battle.table)
    assert sum(side.taken for side in found.sides) == lost
    assert sum(unit.taken for unit in found.units) == lost
    assert sum(side.dealt for side in found.sides) <= lost


def test_the_attacks_of_a_round_of_double_life_are_those_that_its_log_declares():
    battle = PlayedBattle("double_life", 2, strength=3)
    battle.play(3)
    facts = [
        e.facts for entry in battle.entries() for e in entry.events if getattr(e, "kind", "") == "attack"
    ]
    found = statistics(battle.table)
    assert [(a.token, a.target) for a in found.attacks] == [(f["token"], f["target"]) for f in facts]
    assert all(a.chance is not None for a in found.attacks)


def test_the_luck_of_a_side_is_the_chance_of_so_many_hits():
    game = SecretsTable()
    for face in (6, 1, 6):
        game.do("act", seat=GM, act=STRIKE, faces=[face], override="again")
        choice = game.table.snapshot(GM).choice
        if choice:
            game.do("choice.answer", seat=GM, choice=choice.id, answer=choice.default)
    found = of_side(statistics(game.table), "blue")
    chances = [Fraction(*a.chance) for a in statistics(game.table).attacks if a.chance]
    assert found.attacks == 3
    assert found.known == len(chances)
    assert found.expected_hits == pytest.approx(float(sum(chances)))


def test_the_distribution_of_equal_chances_is_the_binomial_one():
    spread = hits_distribution([0.25] * 5)
    assert spread == pytest.approx([comb(5, k) * 0.25**k * 0.75 ** (5 - k) for k in range(6)])


def test_what_is_undone_counts_no_more_and_counts_again_when_it_is_redone():
    game = SecretsTable()
    act = STRIKE
    game.do("act", seat=GM, act=act, faces=[1])
    assert of_side(statistics(game.table), "blue").attacks == 1
    game.do("undo", seat=GM)
    assert of_side(statistics(game.table), "blue").attacks == 0
    game.do("redo", seat=GM)
    assert of_side(statistics(game.table), "blue").attacks == 1


def test_attacks_of_a_hidden_unit_count_for_the_gm_alone():
    near = replace(WRAITH, at=(4, 4), owners=())
    game = SecretsTable(near)
    act = {"kind": "melee", "token": "wraith", "target": "bran", "weapon": "axe"}
    game.do("act", seat=GM, act=act, faces=[6], override="out of turn")
    assert len(statistics(game.table).attacks) == 1
    for seat in (MIA, SPECTATOR):
        found = statistics(game.table, seat)
        assert found.attacks == ()
        assert "raith" not in msgspec.json.encode(found).decode()
        assert all(unit.id != "wraith" for unit in found.units)


def test_a_player_reads_the_odds_of_what_the_player_saw():
    hidden = replace(WRAITH, at=(4, 4), side="blue", owners=())  # would flank with Bran if it were seen
    game, plain_game = SecretsTable(hidden), SecretsTable()
    for one in (game, plain_game):
        one.do("act", seat=GM, act=STRIKE, faces=[1])
    seen, as_it_looks = (statistics(one.table, MIA).attacks for one in (game, plain_game))
    assert [a.chance for a in seen] == [a.chance for a in as_it_looks]


def test_a_long_log_is_counted_in_several_answers():
    game = SecretsTable()
    for _ in range(ACTS_PER_ANSWER + 5):
        game.do("act", seat=GM, act=STRIKE, faces=[1], override="again")
    first = past_of(game.table).statistics(game.table, GM)
    assert first.done < first.of
    assert len(first.attacks) == ACTS_PER_ANSWER
    second = past_of(game.table).statistics(game.table, GM)
    assert second.done == second.of
    assert len(second.attacks) == ACTS_PER_ANSWER + 5


def test_the_progress_counts_no_entry_that_is_kept_from_the_seat():
    game = SecretsTable(WRAITH)
    game.do("act", seat=GM, act=STRIKE, faces=[1])
    known = statistics(game.table, MIA).of
    for column in (1, 2):
        game.do("token.move", seat=GM, token="wraith", at=[column, 0], override="unseen")
    found = statistics(game.table, MIA)
    assert (found.done, found.of) == (known, known)
    assert statistics(game.table).of == known + 2


def test_a_secret_act_of_visible_units_counts_for_the_gm_alone():
    game = SecretsTable()
    game.do("act", seat=GM, act=STRIKE, faces=[6], secret=True)
    game.do("choice.answer", seat=GM, choice=game.table.snapshot(GM).choice.id, answer="no")
    assert game.table.number(MIA) == 1  # the player sees that hit points are gone
    assert len(statistics(game.table).attacks) == 1
    found = statistics(game.table, MIA)
    assert found.attacks == ()
    assert of_side(found, "red").taken == 1
