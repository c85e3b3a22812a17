"""A log of ROLLS rolls holds, and EDITS edits of each kind are caught (make fair-dice)."""

from __future__ import annotations

import random
import sys
import time

from tests.fair_dice.logs import honest_log
from tests.fair_dice.tamper import with_flipped_bit, with_one_change

from enfilade.verify import verify

SAMPLE = 12


def main(rolls, edits):
    began = time.perf_counter()
    log = honest_log(rolls)
    played = time.perf_counter()
    report = verify(log)
    checked = time.perf_counter()
    chance, sample = random.Random(rolls), honest_log(SAMPLE)
    missed = sum(verify(with_flipped_bit(sample, chance)).holds for _ in range(edits))
    missed += sum(verify(with_one_change(sample, chance)[0]).holds for _ in range(edits))
    holds = report.holds and report.rolled == rolls and not missed
    print(report.in_words())
    print(
        f"fair-dice: {'PASS' if holds else 'FAIL'} rolls={report.rolled} edits={2 * edits} missed={missed} "
        f"roll_ms={1000 * (played - began) / rolls:.2f} verify_s={checked - played:.2f}"
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
