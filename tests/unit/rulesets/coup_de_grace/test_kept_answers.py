"""Answers that are kept from scene to scene, against answers that are worked out anew."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.sight.line_of_sight import first_obstructions
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.movement_costs import movement_field
from enfilade.rulesets.coup_de_grace.sight import TouchRule, _blockers, _hiding, seen_from, stops_from
from enfilade.scene.apply import fold
from enfilade.scene.events import ConditionSet, DoorSet, RulesSet, TokenMoved, TrackSet

MAX_EVENTS = 12


def changes(scene, draw):
    """Yield scenes, each after one event that may change a line of sight, or none."""
    for _ in range(draw(st.integers(1, MAX_EVENTS))):
        token = draw(st.sampled_from(scene.tokens))
        doors = [wall for wall in scene.walls if wall.door == "door"]
        kind = draw(
            st.sampled_from(["move", "turn", "down", "stand", "track", "rule", *(["door"] if doors else [])])
        )
        if kind == "door":
            door = draw(st.sampled_from(doors))
            state = "closed" if door.state == "open" else "open"
            event = DoorSet(wall=door.id, state=state, was=door.state)
        elif kind == "rule":
            rules = {**scene.house_rules, house_rules.CORNERS.key: draw(st.booleans())}
            rules[house_rules.DOWNED_HIDE.key] = draw(st.booleans())
            event = RulesSet(
                house_rules=rules,
                enforcement=scene.enforcement,
                was_house_rules=scene.house_rules,
                was_enforcement=scene.enforcement,
            )
        elif kind == "track":
            event = TrackSet(holder=token.id, track="mp", value=draw(st.integers(0, 9)), was=None)
        elif kind in ("down", "stand"):
            note = "" if kind == "down" else None
            event = ConditionSet(holder=token.id, condition="downed", note=note, was=None)
        else:
            cell = (draw(st.integers(0, 5)), draw(st.integers(0, 5))) if kind == "move" else token.at
            facing = draw(st.sampled_from([0, 90, 180, 270]))
            event = TokenMoved(
                token=token.id, at=cell, facing=facing, was_at=token.at, was_facing=token.facing
            )
        scene = fold(scene, event)
        yield scene


@given(st.integers(0, 500), st.data())
def test_lines_of_sight_that_are_kept_are_those_of_a_new_scene(seed, data):
    for scene in changes(skirmish(BUILT_IN[0], seed, strength=3), data.draw):
        battle = battlefield(scene)
        start = data.draw(st.sampled_from([one.token.at for one in battle.on_board]))
        kept = stops_from(battle, start)
        assert kept == new_stops(battle, start)
        assert kept.keys() == battle.occupied


def new_stops(battle, start):
    """Return what `stops_from` returns, worked out from the walls, the terrain and the miniatures alone."""
    corner = "blocks" if battle.is_on(house_rules.CORNERS) else "passes"
    hiders = [one for one in battle.on_board if battle.is_on(house_rules.DOWNED_HIDE) or not one.is_downed]
    blockers = _blockers.__wrapped__(
        battle.scene.walls,
        _hiding.__wrapped__(battle.scene.terrain, battle.board),
        battle.board,
        TouchRule(corner=corner, edge=corner if isinstance(battle.board, HexBoard) else "passes"),
        tuple(one.token.at for one in hiders),
    )
    ends = list(battle.occupied)
    center = battle.board.center
    return dict(
        zip(ends, first_obstructions(center(start), [center(end) for end in ends], blockers), strict=True)
    )


@given(st.integers(0, 500), st.data())
def test_sight_and_reach_that_are_kept_are_those_of_a_new_scene(seed, data):
    for scene in changes(skirmish(BUILT_IN[0], seed, strength=3), data.draw):
        battle = battlefield(scene)
        anew = battlefield(msgspec.json.decode(msgspec.json.encode(scene), type=type(scene)))
        for one in battle.on_board:
            assert seen_from(battle, one.token.at) == seen_from(anew, one.token.at)
            kept, fresh = (movement_field(each, one.id, one.allowance) for each in (battle, anew))
            assert kept.costs == fresh.costs
