"""Random procedures with Each against the plain loop and samples: `python -m bench.each.fuzz FIRST LAST SAMPLES`."""

import sys
import time
import traceback
from collections import Counter

from tests.property.test_each_odds import check, check_aftermath

from enfilade.rules import odds as module

first, last, samples = (int(one) for one in sys.argv[1:4])
found, start = Counter(), time.process_time()
for seed in range(first, last):
    if seed % 5 == 0:
        module._free.clear()
    begun = time.process_time()
    if begun - start > 200:
        print("time is over at", seed)
        break
    try:
        found[check(seed, samples)] += 1
        found["aftermath " + check_aftermath(seed)] += 1
    except Exception:
        found["wrong"] += 1
        traceback.print_exc(limit=3)
        print("SEED", seed)
        if found["wrong"] > 3:
            break
    if time.process_time() - begun > 5:
        print("slow", seed, time.process_time() - begun)
print(
    found,
    {k: module.STATS[k] for k in ("acts", "expanded", "hits", "splits", "runs")},
    round(time.process_time() - start),
    "s",
)
