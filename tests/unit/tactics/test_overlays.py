"""The overlay of a token: its ruleset's areas, and the odds of the same procedure that resolves the act."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE

from enfilade.errors import NotFound, OutOfReach
from enfilade.importers.demo import demo_battle
from enfilade.play.command import ruleset_info
from enfilade.play.setup import prepare_scene
from enfilade.play.tables import Tables
from enfilade.play.view import view
from enfilade.rules.dice import SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Offer
from enfilade.rulesets.torn import TORN
from enfilade.scene.model import GM, SPECTATOR, Scene
from enfilade.store.memory import MemoryStore
from enfilade.tactics.overlays import LAYERS, MAX_CELLS, bodies, overlay, regions
from enfilade.tactics.previews import act_odds, outcome_chances, outcome_text, preview, to_chance

STRIKE = Act(kind="strike", token="ann", target="orc")
ENTERED = replace(SCENE, tokens=tuple(FIRST_BLOOD.prepare_token(token) for token in SCENE.tokens))


def test_an_overlay_has_the_card_the_reach_and_every_target():
    drawn = overlay(FIRST_BLOOD, ENTERED, "ann", seq=7)
    assert (drawn.token, drawn.seq) == ("ann", 7)
    assert [line.label for line in drawn.card] == ["Speed", "Hit points"]
    assert drawn.reach.budget == 3
    assert [(target.act.kind, target.legal) for target in drawn.targets] == [
        ("strike", True),
        ("strike", False),
        ("feint", True),
        ("feint", False),
        ("pass", True),
    ]


def test_only_requested_layers_are_computed():
    drawn = overlay(FIRST_BLOOD, ENTERED, "ann", 0, ["arc"])
    assert (drawn.reach, drawn.targets) == (None, ())
    assert overlay(FIRST_BLOOD, ENTERED, "ann", 0, LAYERS) == overlay(FIRST_BLOOD, ENTERED, "ann", 0)


def test_an_overlay_for_a_spectator_has_no_hidden_target():
    seen = overlay(FIRST_BLOOD, view(ENTERED, SPECTATOR), "ann", 0)
    assert "spy" not in [target.target for target in seen.targets]
    with pytest.raises(NotFound, match="no token 'spy'"):
        overlay(FIRST_BLOOD, view(ENTERED, SPECTATOR), "spy", 0)


def test_a_preview_has_the_exact_chance_and_every_outcome_the_likeliest_first():
    found = preview(FIRST_BLOOD, ENTERED, Offer(STRIKE, "Strike"))
    assert (found.legal, found.exact, found.chance, found.needed) == (True, True, (3, 4), 4)
    assert [(o.outcome, o.chance) for o in found.outcomes] == [("hit for 1", (3, 4)), ("miss", (1, 4))]


def test_a_refused_offer_has_its_reason_and_no_odds():
    found = preview(FIRST_BLOOD, ENTERED, Offer(STRIKE, "Strike", 0, "Too far.", "FBL-003"))
    assert (found.legal, found.why, found.chance, found.outcomes) == (False, "Too far.", (0, 1), ())


def test_a_refused_or_unknown_act_has_no_odds():
    with pytest.raises(OutOfReach):
        act_odds(FIRST_BLOOD, ENTERED, replace(STRIKE, target="spy"))
    with pytest.raises(NotFound, match="First Blood has no act 'dance'"):
        act_odds(FIRST_BLOOD, ENTERED, Act(kind="dance"))


def test_outcomes_with_equal_text_are_merged():
    found = act_odds(FIRST_BLOOD, ENTERED, STRIKE)
    assert sum(Fraction(*o.chance) for o in outcome_chances(found)) == 1
    assert found.chances == odds(ENTERED, FIRST_BLOOD.acts["strike"].procedure, (STRIKE,)).chances


@pytest.mark.parametrize(
    "chance",
    [
        Fraction(0),
        Fraction(1, 3),
        Fraction(1),
        Fraction(6**40 + 1, 6**41),
        Fraction(1, 6**41),
        1 - Fraction(1, 6**41),
    ],
)
def test_a_probability_is_sent_in_numbers_that_a_browser_can_hold(chance):
    part, whole = to_chance(chance)
    assert whole < 2**53
    assert abs(Fraction(part, whole) - chance) <= Fraction(1, 2**52)
    assert (part == 0, part == whole) == (chance == 0, chance == 1)


def test_an_outcome_reads_in_a_few_words():
    assert outcome_text(Outcome("miss")) == "miss"
    assert outcome_text(Outcome("hit", 2, "downed")) == "hit for 2, downed"


FORD = prepare_scene(TORN, demo_battle(TORN).scene)


def _cells(runs):
    return {(column, row) for row, first, last in runs for column in range(first, last + 1)}


def _table(scene: Scene = FORD):
    tables = Tables(MemoryStore(), load_rulesets((TORN,)), SeededDice(1))
    links = tables.create(scene)
    return tables.enter(links.table, links.gm_key)[0]


def _with_rules(scene: Scene, **rules) -> Scene:
    return replace(scene, house_rules={f"torn.{name}": value for name, value in rules.items()})


def test_the_regions_of_torn_are_hexons_that_cover_every_hex_once():
    found = [_cells(area.runs) for area in regions(TORN, FORD)]
    assert sum(len(cells) for cells in found) == 22 * 16
    assert len(set().union(*found)) == 22 * 16
    assert max(len(cells) for cells in found) == 7


def test_house_rules_change_the_regions():
    here = {frozenset(_cells(area.runs)) for area in regions(TORN, FORD)}
    for rules in ({"hexon_chirality": "right"}, {"hexon_origin": 3}):
        there = {frozenset(_cells(area.runs)) for area in regions(TORN, _with_rules(FORD, **rules))}
        assert there != here


def test_a_board_too_large_to_draw_has_no_regions():
    assert regions(TORN, replace(FORD, grid=replace(FORD.grid, columns=MAX_CELLS))) == ()


def test_a_ruleset_without_regions_and_bodies_sends_none():
    assert (regions(FIRST_BLOOD, SCENE), bodies(FIRST_BLOOD, SCENE)) == ((), {})
    assert ruleset_info(FIRST_BLOOD)["faces"] == []


def test_the_body_of_a_large_miniature_is_its_hexon_and_infantry_has_none():
    found = bodies(TORN, FORD)
    assert set(found) == {"otraak"}
    assert len(_cells(found["otraak"])) == 7
    assert FORD.token("otraak").at in _cells(found["otraak"])


def test_a_snapshot_holds_regions_bodies_layers_and_faces():
    snapshot = _table().snapshot(GM)
    assert snapshot.regions == regions(TORN, FORD)
    assert snapshot.bodies == bodies(TORN, FORD)
    assert snapshot.ruleset["layers"] == ["reach", *TORN.layers, "targets"]
    assert {"threat", "cover", "engagement"} < set(TORN.layers)
    assert snapshot.ruleset["faces"] == ["S", "C", "-"]


def test_a_spectator_does_not_receive_the_body_of_a_hidden_token():
    hidden = tuple(replace(token, hidden=True) for token in FORD.tokens)
    table = _table(replace(FORD, tokens=hidden))
    assert table.snapshot(SPECTATOR).bodies == {}
    assert table.entries_after(SPECTATOR, 0).bodies == {}
    assert set(table.snapshot(GM).bodies) == {"otraak"}
