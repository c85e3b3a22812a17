"""The cache keeps an answer for a value as long as the value is in use, and no longer."""

from __future__ import annotations

import gc
import weakref

from enfilade.geometry.board.square import SquareBoard
from enfilade.rules.battle.memo import MAPS, identity_cache, map_weight
from enfilade.scene.model import Terrain, Wall

MOST = 10


class Thing:
    """Something that is known by being the very same one."""


def counting():
    asked = []

    @identity_cache(MOST)
    def ask(thing):
        asked.append(thing)
        return len(asked)

    return ask, asked


def test_a_result_in_regular_use_is_computed_once_among_many_others():
    ask, asked = counting()
    known = Thing()
    for _ in range(100):
        ask(known)
        ask(Thing())
    assert asked.count(known) == 1


def test_the_cache_holds_no_more_than_its_size():
    @identity_cache(MOST)
    def ask(_thing):
        return "an answer"

    things = [Thing() for _ in range(100)]
    alive = [weakref.ref(thing) for thing in things]
    while things:
        ask(things.pop())
    gc.collect()
    assert 0 < sum(thing() is not None for thing in alive) <= MOST


def large_map():
    return tuple(Wall(id=f"w{number}", line=(0, 0, 64, 0)) for number in range(10_000))


def test_large_maps_count_as_several_and_the_active_one_is_computed_once():
    asked = []

    @identity_cache(MAPS, map_weight)
    def ask(walls):
        asked.append(id(walls))
        return "an answer"

    played, small = large_map(), (Wall(id="w", line=(0, 0, 64, 0)),)
    others = [large_map() for _ in range(60)]
    for other in others:
        ask(played), ask(small), ask(other)
    assert [asked.count(id(one)) for one in (played, small)] == [1, 1]
    asked.clear()
    for other in reversed(others):
        ask(other)
    assert 20 <= 60 - len(asked) <= MAPS // map_weight(played)


def test_of_results_heavier_than_the_cache_only_the_last_stays():
    asked = []

    @identity_cache(MOST, lambda _large: MOST + 1)
    def ask(large):
        asked.append(large)
        return "an answer"

    first, second = Thing(), Thing()
    for thing in (first, first, second, second, first):
        ask(thing)
    assert asked == [first, second, first]


def test_a_result_for_a_board_counts_by_the_larger_of_board_and_map():
    small, large = SquareBoard(20, 20), SquareBoard(500, 500)
    assert [map_weight((), board) for board in (None, small, large)] == [1, 1, 101]
    assert map_weight(large_map(), small) == map_weight(large_map()) == 6


def test_sixty_tables_in_turn_compute_their_maps_once():
    asked = []

    @identity_cache(MAPS, map_weight)
    def ask(terrain):
        asked.append(terrain)
        return "an answer"

    cells = tuple((column, row) for column in range(60) for row in range(60))
    tables = [(Terrain("mud", "Mud", cells),) for _ in range(60)]
    for _ in range(3):
        for terrain in tables:
            ask(terrain)
    assert len(asked) == 60
