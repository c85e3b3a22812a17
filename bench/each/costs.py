"""Deterministic costs: cold and warm are equal."""

from bench.each import stranger
from bench.each.compare import fresh
from bench.each.stranger import *
from enfilade.rules.odds import Allowance, odds

install(True)
fresh()
for dice in (4, 8):
    DICE["fireball"] = dice
    for n in (1, 8):
        a = Act(kind="fireball", token="wizard", target="g0")
        print(
            dice,
            n,
            [odds(blast_scene(n, 24), stranger.fireball, (a,)).cost for _ in range(2)],
            "plain",
            odds(blast_scene(n, 24), stranger.plain_fireball, (a,)).cost,
        )
a = Act(kind="multiattack", token="hero", target="ogre", weapon="Greatsword")
print(
    [odds(duel(), stranger.multiattack, (a,)).cost for _ in range(2)],
    odds(duel(), stranger.plain_multiattack, (a,), 10**9, Allowance(10**9)).cost,
)
