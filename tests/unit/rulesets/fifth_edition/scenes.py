"""Scenes and answers for tests of the fifth edition."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from enfilade.play.setup import prepare_scene
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rules.sheets import Attack, Damage
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.profiles import Profile
from enfilade.scene.model import Grid, Scene, Side, Token

FIELD = Grid("square", 20, 14, distance=5, units="feet")
SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
SWORD = Attack(name="Sword", kind="melee", bonus=5, reach=5, damage=(Damage(1, 8, 3, "slashing"),))
GLAIVE = Attack(name="Glaive", kind="melee", bonus=5, reach=10, damage=(Damage(1, 10, 3, "slashing"),))
BOW = Attack(name="Bow", kind="ranged", bonus=5, normal=150, long=600, damage=(Damage(1, 8, 3, "piercing"),))
SPEAR = Attack(
    name="Spear", kind="both", bonus=5, reach=5, normal=20, long=60, damage=(Damage(1, 6, 3, "piercing"),)
)


def creature(key, side, at, *states, notes=None, tracks=None, elevation=0, **profile):
    """Return a creature with a sword, AC 15 and 30 hit points, if the profile says nothing else."""
    given = {"armor_class": 15, "hit_points": 30, "attacks": (SWORD,), **profile}
    conditions = {**dict.fromkeys(states, ""), **(notes or {})}
    return Token(
        id=key,
        name=key.title(),
        side=side,
        at=at,
        elevation=elevation,
        profile=to_builtins(Profile(**given)),
        conditions=conditions,
        tracks=tracks or {},
    )


def battle(*tokens, turn="ann", grid=FIELD, **more):
    """Return a battle in its first round, in which it is the turn of one creature."""
    rules = more.pop("rules", {})
    state = {"tracks": {"round": 1}, "conditions": {"turn": turn}} if turn else {}
    bare = Scene(
        ruleset="fifth_edition",
        grid=grid,
        sides=SIDES,
        tokens=tokens,
        house_rules={f"fifth_edition.{key}": value for key, value in rules.items()},
        **{**state, **more},
    )
    return prepare_scene(FIFTH_EDITION, bare)


def act(kind, target="", weapon="", *, token="ann", at=None):
    return Act(kind=kind, token=token, target=target, weapon=weapon, at=at)


def procedure(one):
    return FIFTH_EDITION.acts[one.kind].procedure


def play(scene, one, *faces, decisions=()):
    """Return what an act comes to with dice of our own."""
    return resolve(scene, procedure(one), (one,), Answers(faces=list(faces), decisions=list(decisions)))


def refused(scene, one):
    found = refusal(scene, procedure(one), one)
    return (found.rule, found.sentence) if found else ("", "")


def chances(scene, one):
    found = odds(scene, procedure(one), (one,)).chances
    total = {}
    for outcome, chance in found.items():
        total[outcome.result] = total.get(outcome.result, 0) + chance
    return total


def reasons(scene, weapon="Sword", target="bo", token="ann"):
    """Return the needed roll, and the reasons for advantage and disadvantage, of an attack."""
    from enfilade.rulesets.fifth_edition.profiles import read_creature
    from enfilade.rulesets.fifth_edition.terms import terms

    one = scene.token(token)
    found = terms(scene, one, scene.token(target), read_creature(one).attacks[weapon])
    return found.needed, found.edge.advantage, found.edge.disadvantage


def cost(scene, at, key="ann"):
    cells = FIFTH_EDITION.reach(scene, scene.token(key)).cells
    return next((cost for x, y, cost in cells if (x, y) == at), None)


def with_token(scene, key, **changes):
    return replace(
        scene, tokens=tuple(replace(one, **changes) if one.id == key else one for one in scene.tokens)
    )


def hp(done, key="bo"):
    return done.scene.token(key).track("hp")


def run(scene, steps, *faces, decisions=()):
    """Return the scene after some steps of our own."""

    def procedure(scene, one):
        del one
        yield from steps(scene)
        return Outcome("done")

    answers = Answers(faces=list(faces), decisions=list(decisions))
    return resolve(scene, procedure, (act("move"),), answers).scene


def settled(after, before=None):
    """Return the scene after what follows from a change by hand."""
    return resolve(after, FIFTH_EDITION.settle, (before or after,), Answers()).scene


ANN, BO = creature("ann", "blue", (5, 5)), creature("bo", "red", (6, 5))
"""Two enemies side by side."""
HIT = act("attack", "bo", "Sword")
