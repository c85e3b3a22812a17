"""Odds and decision maps of a game that an outside author wrote plainly: the fifth edition of tests/fixtures.

"fireball" and "eight dice": four and eight dice over eight creatures. "multiattack": three attacks with
advantage on a creature with 60 hit points. "overlay": all acts of a wizard in a crowd of 20; "map": what it
could do at each cell in reach, and "first" the 20 cells that are colored before the rest. Nothing is cached.
Each figure is the least of some rounds: what else runs on the machine only adds to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from tests.fixtures.fifth_edition import CATALOG, FIFTH_EDITION

from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules import odds as odds_module
from enfilade.rules.odds import Odds, odds
from enfilade.rules.procedures import Act
from enfilade.scene.model import Grid, Scene, Side, Token
from enfilade.tactics import expected_damage
from enfilade.tactics.advice import decision_map
from enfilade.tactics.overlays import overlay

ROUNDS = 5
BLOCK = ((14, 8), (15, 8), (14, 9), (15, 9), (13, 8), (13, 9), (14, 7), (15, 7))
GREATSWORD = {"name": "Greatsword", "to_hit": 5, "dice": 2, "die": 6, "bonus": 3}


def area_acts() -> dict[str, float]:
    """Return the CPU milliseconds of each case."""
    tune_garbage_collector()
    goblins = blast(4)
    cases: dict[str, Callable[[], Any]] = {
        "fireball_8": lambda: act_odds(goblins, "fireball", "wizard", "g0"),
        "eight_dice_8": lambda: act_odds(blast(8), "fireball", "wizard", "g0"),
        "multiattack": lambda: act_odds(duel(), "multiattack", "hero", "ogre"),
        "overlay": lambda: overlay(FIFTH_EDITION, crowd("wizard"), "wizard", 0, ["targets"]),
        "map_first": lambda: decision_map(FIFTH_EDITION, crowd("wizard"), "wizard", 0, most=20),
        "map": lambda: decision_map(FIFTH_EDITION, crowd("wizard"), "wizard", 0),
        "fighter_map": lambda: decision_map(FIFTH_EDITION, crowd("h0"), "h0", 0),
        "goblin_map": lambda: decision_map(FIFTH_EDITION, crowd("g0"), "g0", 0),
    }
    return {f"{name}_ms": _least(case) for name, case in cases.items()}


def _least(case: Callable[[], Any]) -> float:
    times = []
    for _ in range(ROUNDS):
        forget()
        start = time.process_time()
        case()
        times.append(time.process_time() - start)
    return round(min(times) * 1000, 1)


def forget() -> None:
    """Empty what odds and expected damages remember."""
    odds_module.forget()
    expected_damage.forget()


def act_odds(scene: Scene, kind: str, token: str, target: str) -> Odds:
    """Return the odds of an act of one token at another."""
    act = Act(kind=kind, token=token, target=target)
    found = odds(scene, FIFTH_EDITION.acts[kind].procedure, (act,))
    assert found.is_exact, f"{kind} is sampled."
    return found


def _one(key: str, unit: str, side: str, at: tuple[int, int], **changes: Any) -> Token:
    profile = next(one.profile for one in CATALOG if one.key == unit)
    return FIFTH_EDITION.prepare_token(
        Token(id=key, name=key, side=side, at=at, profile={**profile, **changes})
    )


def _battle(tokens: list[Token], active: str) -> Scene:
    return Scene(
        ruleset=FIFTH_EDITION.key,
        grid=Grid("square", 24, 16, 5, "ft"),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=tuple(tokens),
        tracks={"round": 1},
        conditions={"turn": active},
    )


def blast(dice: int, targets: int = 8, hit_points: int = 10) -> Scene:
    """Return a wizard far from a block of goblins; the first is the center of its fireball."""
    goblins = [
        _one(f"g{i}", "goblin", "red", at, hit_points=hit_points + i % 5)
        for i, at in enumerate(BLOCK[:targets])
    ]
    return _battle([_one("wizard", "wizard", "blue", (2, 8), fireball=dice), *goblins], "wizard")


def duel() -> Scene:
    """Return a fighter with three attacks beside a held ogre of 60 hit points."""
    ogre = _one("ogre", "ogre", "red", (6, 5), hit_points=60)
    ogre = replace(ogre, conditions={"held": "wizard"})
    hero = _one("hero", "fighter", "blue", (5, 5), weapon=GREATSWORD, attacks=3)
    return _battle([hero, ogre, _one("wizard", "wizard", "blue", (2, 2))], "hero")


def crowd(active: str) -> Scene:
    """Return four fighters and a wizard against 13 goblins, eight of them in a block, and two wizards."""
    places = [(12 + x, 6 + y) for x in range(4) for y in range(2)]
    places += [(18, 3), (19, 9), (20, 12), (11, 2), (17, 13)]
    goblins = [_one(f"g{i}", "archer" if i > 7 else "goblin", "red", at) for i, at in enumerate(places)]
    heroes = [_one(f"h{i}", "fighter", "blue", at) for i, at in enumerate([(8, 6), (8, 8), (7, 10), (9, 4)])]
    wizards = [_one("w1", "wizard", "red", (20, 6)), _one("w2", "wizard", "red", (19, 11))]
    return _battle([*heroes, _one("wizard", "wizard", "blue", (4, 7)), *goblins, *wizards], active)


if __name__ == "__main__":
    print(area_acts())
