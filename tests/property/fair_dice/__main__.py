"""Verify a log of ROLLS rolls, catch edits of it, and test that each die is even (make fair-dice)."""

from __future__ import annotations

import random
import sys
import time

from tests.property.fair_dice.evenness import FAR, NUMBERED, deviation_of, dice_of
from tests.property.fair_dice.logs import RULESETS, honest_log
from tests.property.fair_dice.tamper import with_flipped_bit, with_one_change

from enfilade.cli.verify import verify

SAMPLE = 12


EDITS_PER_ROLL = 0.1
THROWS_PER_ROLL = 5


def main(rolls):
    print(f"fair-dice: {rolls:,} rolls", flush=True)
    results = [
        log_is_verified(rolls),
        edits_are_caught(int(rolls * EDITS_PER_ROLL)),
        dice_are_even(rolls * THROWS_PER_ROLL),
    ]
    return 0 if all(results) else 1


def log_is_verified(rolls):
    began = time.perf_counter()
    log = honest_log(rolls)
    played = time.perf_counter()
    report = verify(log)
    checked = time.perf_counter()
    print(report.in_words())
    cost = f"roll_ms={1000 * (played - began) / rolls:.2f} verify_s={checked - played:.2f}"
    return report_result(report.holds and report.rolled == rolls, f"rolls={report.rolled} {cost}")


def edits_are_caught(edits):
    chance, sample = random.Random(edits), honest_log(SAMPLE)
    bits = sum(verify(with_flipped_bit(sample, chance)).holds for _ in range(edits))
    changes = sum(verify(with_one_change(sample, chance)[0]).holds for _ in range(edits))
    return report_result(not bits + changes, f"bits={edits} missed={bits} resealed={edits} missed={changes}")


def dice_are_even(throws):
    dice = {die for ruleset in RULESETS.values() for die in dice_of(ruleset)} | set(NUMBERED)
    off = {die.name: abs(deviation_of(die, throws)) for die in dice}
    worst = max(off, key=off.__getitem__)
    figures = f"dice={len(dice)} throws={throws} furthest={worst} deviations={off[worst]:.2f} bound={FAR}"
    return report_result(off[worst] < FAR, figures)


def report_result(holds, figures):
    print(f"fair-dice: {'PASS' if holds else 'FAIL'} {figures}")
    return holds


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
