"""An overlay is computed once for each state and view, also for a state that is still being stored."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.play.redaction.seat_tactics import OverlayCache
from enfilade.scene.model import Drawing, Grid, Scene
from enfilade.tactics.overlays import Overlay


def scene():
    return Scene(ruleset="any", grid=Grid("square", 5, 5))


def made(computed, name):
    """Return a function that computes an overlay and records that under a name."""

    def compute():
        computed.append(name)
        return Overlay(token=name, seq=1, card=(), reach=None, areas=(), engagements=(), targets=())

    return compute


def test_two_requests_share_one_computation():
    cache, now, computed = OverlayCache(), scene(), []
    first = cache.get(now, now, "orc", None, made(computed, "orc"))
    assert cache.get(now, now, "orc", None, made(computed, "orc")) is first
    assert computed == ["orc"]


def test_views_tokens_and_layers_differ():
    cache, now, computed = OverlayCache(), scene(), []
    for seen, token, layers in (
        (now, "a", None),
        (scene(), "a", None),
        (now, "b", None),
        (now, "a", ["arc"]),
    ):
        cache.get(now, seen, token, layers, made(computed, token))
    assert computed == ["a", "a", "b", "a"]


def test_an_overlay_of_the_state_that_is_being_stored_drops_none_of_the_current_state():
    cache, now, upcoming, computed = OverlayCache(), scene(), scene(), []
    for state in (now, upcoming, now, upcoming):
        cache.get(state, state, "orc", None, made(computed, "orc"))
    assert len(computed) == 2


def test_the_overlays_of_a_state_that_has_passed_are_dropped():
    cache, states, computed = OverlayCache(), [scene(), scene(), scene()], []
    for state in (*states, states[0]):
        cache.get(state, state, "orc", None, made(computed, "orc"))
    assert len(computed) == 4


def test_only_a_computed_overlay_is_there():
    cache, now = OverlayCache(), scene()
    assert not cache.has(now, now, "orc", ["arc"])
    cache.get(now, now, "orc", ("arc",), made([], "orc"))
    assert cache.has(now, now, "orc", ["arc"])
    assert not cache.has(scene(), now, "orc", ["arc"])


def test_a_stroke_on_the_map_leaves_the_overlays_as_they_are():
    cache, now, computed = OverlayCache(), scene(), []
    stroke = Drawing(id="d", points=(0, 0, 64, 64))
    first = cache.get(now, now, "orc", None, made(computed, "orc"))
    drawn = replace(now, drawings=(stroke,))
    assert cache.get(drawn, drawn, "orc", None, made(computed, "orc")) is first
    again = replace(drawn, drawings=(stroke, replace(stroke, id="e")))
    assert cache.get(again, again, "orc", None, made(computed, "orc")) is first
    cache.get(again, again, "orc", ["arc"], made(computed, "arc"))
    cache.get(again, again, "imp", None, made(computed, "imp"))
    for changed in (
        replace(drawn, enforcement="enforce"),
        replace(drawn, tracks={"round": 1}),
        replace(drawn, grid=Grid("square", 6, 5)),
    ):
        cache.get(changed, changed, "orc", None, made(computed, "changed"))
    assert computed == ["orc", "arc", "imp", "changed", "changed", "changed"]
