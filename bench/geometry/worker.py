"""Our engine as a worker (see `remote`): with ENFILADE_NO_KERNEL=1 it runs without C."""

from __future__ import annotations

import sys

from bench.geometry.jobs import job
from bench.geometry.timing import here

for line in sys.stdin:
    name, scale, seconds = line.split()
    print(here(job(name, scale))(float(seconds)), flush=True)
