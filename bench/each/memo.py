"""What the memory of parts over places gives to a map: with it, and with a new one for each act."""

from bench.each.maps import timed
from bench.each.stranger import crowd, install
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules import odds as module
from enfilade.rules.each import EachWalk
from enfilade.tactics.advice import decision_map

tune_garbage_collector()
ruleset = install(True)


class Forgetful(list):
    def append(self, one):
        pass


for kind in ("kept", "no memory over acts", "kept, but no results of the rest"):
    module._free = Forgetful() if kind == "no memory over acts" else []
    if kind.endswith("rest"):
        EachWalk.rest_results_ = EachWalk.rest_results
        init = EachWalk.__init__

        def started(self, *a, **k):
            init(self, *a, **{**k, "whole": True})

        EachWalk.__init__ = started
    for who in ("g0", "wizard"):
        ms, found = timed(lambda: decision_map(ruleset, crowd(who), who, 0, most=20), 1)
        print(kind, who, round(ms), {k: module.STATS[k] for k in ("runs", "hits")}, flush=True)
