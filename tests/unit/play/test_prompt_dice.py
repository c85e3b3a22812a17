"""A question shows the dice of the attack that it is about, not those of the attack before."""

from __future__ import annotations

from enfilade.play.redaction.choices import _latest_roll
from enfilade.scene.events import DiceRolled, Explained


def roll(label, *faces):
    return DiceRolled(label=label, die="d6", faces=faces)


def explained(**facts):
    return Explained(kind="attack", facts=facts)


def test_a_counterattack_shows_its_own_dice_alone():
    first = [roll("attack", 4), roll("defense", 2), explained(target="orc", result="hit")]
    second = [roll("attack", 6), roll("defense", 1)]
    assert _latest_roll([*first, *second]) == second
    assert _latest_roll(first) == first


def test_rerolls_and_several_dice_of_one_attack_stay_together():
    events = [
        explained(token="ann"),
        roll("attack", 4),
        roll("attack", 5),
        explained(reroll=True),
        roll("defense", 2),
    ]
    assert _latest_roll(events) == events
    assert _latest_roll([]) == []
