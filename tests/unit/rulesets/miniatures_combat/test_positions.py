"""Positions: what is kept of them from scene to scene, and when it is worked out anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from enfilade.geometry.movement.round_bases import gap
from enfilade.rulesets.miniatures_combat.battlefield import Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.displacement import lunge_place
from enfilade.rulesets.miniatures_combat.groups import is_coherent, nearby_group
from enfilade.rulesets.miniatures_combat.positions import _crosses
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from tests.unit.rulesets.miniatures_combat.scenes import (
    hero,
    inches,
    orc,
    scene,
    wall,
    with_conditions,
    with_token,
    with_tracks,
)

PLACES = st.tuples(st.integers(1, 29), st.integers(1, 19))


def crowd(places, **more):
    tokens = [hero(f"h{i}") if i % 2 else orc(f"o{i}") for i in range(len(places))]
    moved = [replace(one, at=inches(*at)) for one, at in zip(tokens, places, strict=True)]
    return scene(*moved, **more)


def test_scenes_in_which_no_one_moves_share_their_positions():
    board = crowd([(5, 5), (7, 5), (9, 5)])
    later = with_conditions(with_tracks(board, "h1", wounds=1), "o0", active="")
    assert battlefield(later).positions is battlefield(board).positions


def test_a_move_a_door_and_a_model_out_of_the_fight_make_new_positions():
    board = replace(crowd([(5, 5), (7, 5), (9, 5)]), walls=(wall("w", 1, 1, 3, 3),))
    known = battlefield(board).positions
    for other in (
        with_token(board, "h1", at=inches(8, 6)),
        replace(board, walls=(wall("w", 1, 1, 3, 4),)),
        with_conditions(board, "h1", out=""),
    ):
        assert battlefield(other).positions is not known


@given(st.lists(PLACES, min_size=2, max_size=7, unique=True))
def test_what_is_kept_equals_what_is_measured(places):
    board = crowd(places)
    field, bodies = battlefield(board), battlefield(board).bodies
    for a in field.fighters.values():
        for b in field.fighters.values():
            assert field.gap(a.id, b.id) == gap(bodies[a.id], bodies[b.id])
            if a.side != b.side:
                lunges = [lunge_place(board, a, b) for _ in range(2)]
                assert lunges[0] == lunges[1] == lunge_place(replace(board, name="fresh"), a, b)


@given(st.lists(PLACES, min_size=2, max_size=9, unique=True), st.sampled_from(["pairwise", "chain"]))
def test_a_group_takes_each_friend_with_whom_it_stays_one_group(places, coherency):
    board = crowd(places, house_rules={"coherency": coherency})
    field, fighter = Battlefield(board), read_fighter(board.token("o0"))
    found = [fighter.id]
    for friend in sorted(field.friends(fighter), key=lambda one: (field.gap(fighter.id, one.id), one.id)):
        if is_coherent(board, {key: field.bases[key].at for key in (*found, friend.id)}):
            found.append(friend.id)
    assert nearby_group(board, fighter) == tuple(found)


def test_segments_that_share_an_end_meet_unless_they_lie_on_one_line():
    line = (0, 0, 10, 4)
    for at in ((0, 0), (10, 4)):
        for across, down in ((20, 3), (-20, 3), (20, -3), (-20, -3), (3, 20), (3, -20), (-3, 20), (-3, -20)):
            end = at[0] + across, at[1] + down
            for one in (line, (*line[2:], *line[:2])):
                for other in ((*at, *end), (*end, *at)):
                    assert _crosses(one, other)
    assert not _crosses(line, (10, 4, 20, 8))
    assert not _crosses(line, (11, 4, 20, 3))
