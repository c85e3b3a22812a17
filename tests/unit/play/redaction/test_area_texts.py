"""An area spell over seen and hidden tokens: others read of those that they see, with the dice of these."""

from __future__ import annotations

import re

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import MIA, SecretsTable, to_chance
from tests.unit.rulesets.fifth_edition.scenes import battle, creature

from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import GM, SPECTATOR

BALL = Effect(
    name="Ball", shape="sphere", size=20, range=150, difficulty=15, damage=(Damage(2, 6, 0, "fire"),)
)
ANN = replace(creature("ann", "blue", (3, 5), effects=(BALL,)), owners=("mia",))
SEEN = [creature("bo", "red", (10, 5)), creature("cid", "red", (11, 5))]
SHADE = replace(creature("shade", "red", (10, 4)), hidden=True, owners=("kit",))


def cast(*tokens, faces, target="bo"):
    """Return a table at which Ann has cast the spell, with the faces of its damage and of each save."""
    scene = battle(ANN, *tokens)
    game = SecretsTable(scene=replace(scene, enforcement="enforce"))
    aim = {"target": target} if target else {"at": [10, 5]}
    game.do("act", seat=GM, act={"kind": "effect", "token": "ann", "weapon": "Ball", **aim}, faces=faces)
    return game


@pytest.mark.parametrize("target", ["bo", ""])
@pytest.mark.parametrize(("place", "key"), [(0, "as"), (1, "bs"), (2, "cs")])
def test_a_seat_reads_what_the_spell_does_to_those_that_it_sees(place, key, target):
    """Not one byte differs from the log of a battle without the hidden one, wherever its save comes."""
    saves = [12, 19]
    with_shade = [*saves[:place], 3, *saves[place:]]
    game = cast(replace(SHADE, id=key), *SEEN, faces=[3, 4, *with_shade], target=target)
    bare = cast(*SEEN, faces=[3, 4, *saves], target=target)
    for seat in (MIA, SPECTATOR):
        one, other = (msgspec.json.decode(to_chance(table, seat)) for table in (game, bare))
        assert one["text"] == other["text"]
        assert "Bo" in one["text"]
        assert one["facts"] == other["facts"]
        assert "hade" not in to_chance(game, seat).decode()
    assert "Shade" in game.log_text(GM)


def test_one_of_the_same_name_keeps_its_die_for_itself():
    twin = replace(SHADE, id="as", name="Bo")
    game = cast(twin, *SEEN, faces=[3, 4, 3, 12, 19], target="")
    facts = game.entry(SPECTATOR).facts
    assert [roll["faces"] for roll in facts["rolls"]] == [[3, 4], [12], [19]]


def test_a_spell_that_catches_the_hidden_alone_is_seen_to_catch_no_one():
    game = cast(replace(SHADE, at=(10, 5)), creature("bo", "red", (3, 12)), faces=[3, 4, 3], target="")
    text = game.entry(SPECTATOR).text
    assert "hade" not in text
    assert text == cast(creature("bo", "red", (3, 12)), faces=[3, 4], target="").entry(SPECTATOR).text


def test_a_seen_one_whose_cover_is_a_hidden_body_has_no_such_text():
    """A text without the hidden one would tell another save."""
    wall = replace(SHADE, at=(9, 5))
    game = cast(wall, creature("bo", "red", (8, 5)), faces=[3, 4, 12, 14], target="")
    assert game.entry(SPECTATOR).text == ""
    assert "Bo" in game.log_text(GM)


def test_the_answer_to_the_caster_counts_those_that_its_text_names():
    """Else the sum would tell of the hidden one; the GM gets all of it."""
    aim = {"kind": "effect", "token": "ann", "weapon": "Ball", "at": [10, 5]}
    sums = {}
    for seat in (MIA, GM):
        game = SecretsTable(scene=replace(battle(ANN, SHADE, *SEEN), enforcement="enforce"))
        answer = game.do("act", seat=seat, act=aim)
        assert game.entry(MIA).text
        words = re.findall(r"takes (\d+) damage", game.entry(seat).text)
        assert len(words) == (2 if seat == MIA else 3)
        sums[seat] = (answer.result["outcome"]["damage"], sum(map(int, words)))
    assert all(told == shown for told, shown in sums.values())
