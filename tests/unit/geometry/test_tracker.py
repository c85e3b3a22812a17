"""A visibility tracker agrees at any time with new queries."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.shapes import Wall, box_body
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight import tracker as tracker_module
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import first_obstruction, visible
from enfilade.geometry.sight.tracker import VisibilityTracker, WallSightCache
from tests.seeds import examples

BOARD = SquareBoard(8, 8)
CELLS = st.tuples(st.integers(0, 7), st.integers(0, 7))
NUMBERS = st.integers(0, 8).map(lambda n: 64 * n)
LINES = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
WALLS = st.builds(
    Wall, LINES, sight=st.sampled_from(["normal", "limited"]), one_way=st.sampled_from(["both", "left"])
)
NAMES = "abcd"


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(WALLS, max_size=5), st.lists(CELLS, min_size=4, max_size=4), st.lists(CELLS, max_size=5))
def test_a_tracker_agrees_with_new_queries_after_any_moves(walls, starts, moves):
    tokens = {name: box_body(box(cell)) for name, cell in zip(NAMES, starts, strict=True)}
    tracker = VisibilityTracker(BOARD, Blockers(walls), tokens)
    for number, cell in enumerate(moves):
        tokens[NAMES[number % 4]] = box_body(box(cell))
        tracker.move(NAMES[number % 4], tokens[NAMES[number % 4]])
        tracker.visible_cells("a")
    everything = Blockers(walls, bodies=list(tokens.values()))
    for name in NAMES:
        eye = tokens[name].center
        assert tracker.visible_cells(name) == visible(BOARD, eye, everything)
        for other in NAMES:
            assert tracker.sees(name, other) == (
                first_obstruction(eye, tokens[other].center, everything) is None
            )


def test_a_wall_through_a_token_hides_neither_it_nor_one_on_the_same_place_from_it():
    body = box_body(box((0, 0)))
    tracker = VisibilityTracker(
        BOARD, Blockers([Wall((0, 0, 64, 64))]), {"a": body, "b": box_body(box((5, 5)))}
    )
    tracker.move("b", body)
    assert tracker.sees("a", "a")
    assert tracker.sees("a", "b")
    assert tracker.sees("b", "a")
    tracker.move("b", box_body(box((2, 0))))
    assert not tracker.sees("a", "b")


def test_an_unknown_token_is_a_key_error():
    tracker = VisibilityTracker(BOARD, Blockers(), {"a": box_body(box((0, 0)))})
    for asked in (lambda: tracker.move("b", box_body(box((1, 1)))), lambda: tracker.visible_cells("b")):
        with pytest.raises(KeyError):
            asked()
    with pytest.raises(KeyError):
        tracker.sees("a", "b")


def test_the_wall_cache_computes_each_point_once_and_drops_the_least_recent(monkeypatch):
    asked = []

    def counting(board, eye, blockers, heights):
        asked.append(eye)
        return visible(board, eye, blockers, heights)

    monkeypatch.setattr(tracker_module, "visible", counting)
    memory = WallSightCache(BOARD, Blockers([(128, 0, 128, 512)]), size=2)
    one, two, three = center((0, 0)), center((1, 1)), center((5, 5))
    for eye in (one, two, one, three, one, two):
        assert memory.visible(eye) == visible(BOARD, eye, Blockers([(128, 0, 128, 512)]))
    assert asked == [one, two, three, two]
