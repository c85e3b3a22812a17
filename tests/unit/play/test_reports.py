"""Reports of a tabletop's own system: what each seat reads of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, Forbidden
from enfilade.scene.model import GM, SPECTATOR, Seat

MIA = Seat("player", "mia")
HIT = {"token": "orc", "defense": 13, "result": "hit"}
ATTACK = {"source": "m1", "kind": "attack", "token": "ann", "item": "Sword", "total": 17}


def texts(duel, seat):
    return [entry.text for entry in duel.table.snapshot(seat).log]


def last(duel, seat):
    return duel.table.snapshot(seat).log[-1]


def test_the_log_says_who_attacked_with_what_the_roll_and_each_target_by_itself():
    duel = Duel()
    duel.do("report", **ATTACK, edge=1, targets=[HIT, {"name": "Rat", "result": "miss"}])
    said = "Ann attacks with Sword: 17 with advantage. Orc (defense 13): hit. Rat: miss."
    assert texts(duel, GM) == texts(duel, SPECTATOR) == [said]
    facts = last(duel, SPECTATOR).facts
    assert (facts["reported"], facts["token"], facts["total"], facts["source"]) == ("attack", "ann", 17, "m1")
    assert [one["result"] for one in facts["outcomes"]] == ["hit", "miss"]


def test_damage_has_its_parts_and_what_each_target_lost():
    duel = Duel()
    parts = [{"amount": 8, "type": "fire"}, {"amount": 2, "type": ""}]
    targets = [{"token": "orc", "amount": 10}, {"token": "ann", "amount": -3}]
    duel.do("report", source="m2", kind="damage", token="ann", item="Fireball", parts=parts, targets=targets)
    said = "Ann deals damage with Fireball: 8 fire, 2. Orc takes 10 damage. Ann regains 3 hit points."
    assert texts(duel, GM) == [said]


@pytest.mark.parametrize(
    ("hides", "said"),
    [
        (["defense"], "Ann attacks with Sword: 17. Orc: hit."),
        (["defense", "result"], "Ann attacks with Sword: 17. Against Orc."),
        (["total"], "Ann attacks with Sword. Orc (defense 13): hit."),
        (["actor"], "Someone attacks with Sword: 17. Orc (defense 13): hit."),
        (["names"], "Ann attacks with Sword: 17. Someone (defense 13): hit."),
        (["all"], ""),
    ],
)
def test_what_the_system_hides_only_the_gm_reads(hides, said):
    duel = Duel()
    duel.do("report", **ATTACK, targets=[HIT], hides=hides)
    assert texts(duel, GM) == ["Ann attacks with Sword: 17. Orc (defense 13): hit."]
    for seat in (SPECTATOR, MIA):
        assert texts(duel, seat) in ([said], [])
        facts = str([entry.facts for entry in duel.table.snapshot(seat).log])
        assert ("13" in facts) is ("13" in said)
        assert ("'hit'" in facts) is ("hit" in said)


def test_a_hidden_target_is_left_out_and_a_hidden_creature_s_own_act_is_the_gm_s():
    tokens = tuple(replace(token, hidden=token.id == "orc") for token in SCENE.tokens)
    duel = Duel(scene=replace(SCENE, tokens=tokens))
    duel.do("report", **ATTACK, targets=[HIT])
    assert last(duel, GM).text.endswith("Orc (defense 13): hit.")
    assert last(duel, SPECTATOR).text == "Ann attacks with Sword: 17."
    assert last(duel, SPECTATOR).facts["outcomes"] == []
    duel.do(
        "report", source="m2", kind="attack", token="orc", item="Axe", total=5, targets=[{"token": "ann"}]
    )
    assert "Axe" in last(duel, GM).text
    assert "Axe" not in str(duel.table.snapshot(SPECTATOR).log)
    duel.do("report", **{**ATTACK, "source": "m3", "item": "Bane of Orc"})
    assert "Orc" not in str(duel.table.snapshot(SPECTATOR).log)


def test_a_correction_has_the_source_of_what_it_corrects_and_can_take_it_back():
    duel = Duel()
    duel.do("report", **ATTACK, targets=[HIT])
    duel.do("report", **ATTACK, is_correction=True, targets=[{"token": "orc", "result": "miss"}])
    duel.do("report", source="m1", kind="withdrawn", is_correction=True, token="ann", item="Sword")
    assert texts(duel, SPECTATOR)[1:] == [
        "Corrected: Ann attacks with Sword: 17. Orc: miss.",
        "Taken back: Ann with Sword.",
    ]
    assert {entry.facts["source"] for entry in duel.table.snapshot(SPECTATOR).log} == {"m1"}


def test_a_player_reports_acts_of_own_tokens_and_corrects_nothing_of_others():
    owned = tuple(replace(one, owners=("mia",) if one.id == "ann" else ()) for one in SCENE.tokens)
    duel = Duel(scene=replace(SCENE, tokens=owned))
    duel.do("report", **ATTACK)
    duel.do("report", seat=MIA, **ATTACK)
    assert last(duel, GM).facts["source"] == "mia.m1"
    with pytest.raises(Forbidden):
        duel.do("report", seat=MIA, **{**ATTACK, "token": "orc"})
    with pytest.raises(Forbidden):
        duel.do("report", seat=MIA, **{**ATTACK, "token": ""})


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "joke"},
        {"total": 10**9},
        {"item": "a\nb"},
        {"targets": [{"token": "orc"}] * 101},
        {"hides": ["secrets"]},
        {"source": "m 1"},
    ],
)
def test_a_report_out_of_bounds_is_refused(wrong):
    with pytest.raises(BadMessage):
        Duel().do("report", **{**ATTACK, **wrong})
