"""The state of a target after an attack: by its whole procedure, and by the effect on the target alone."""

from __future__ import annotations

from collections import Counter

import msgspec

from enfilade.rules.odds import odds
from enfilade.scene.model import Token
from enfilade.tactics.focus_fire import target_after


def is_down(ruleset, token):
    bar = ruleset.bar(token)
    is_empty = bar is not None and token.track(bar.track, bar.most) <= 0
    return token.at is None or is_empty or any(token.has(name) for name in ruleset.outlook.down)


def after_procedure(ruleset, scene, act):
    """Return the chance of each state of the target after the whole act; None for all in which it is down."""
    found = Counter()
    for state, chance in odds(scene, target_after, (ruleset.acts[act.kind].procedure, act)).chances.items():
        token = msgspec.json.decode(state, type=Token)
        found[None if is_down(ruleset, token) else msgspec.json.encode(token, order="sorted")] += chance
    return found


def after_effect(ruleset, scene, act, effect):
    """Return the same by the effect on the target alone."""

    def run(_scene, call):
        return (yield call)

    found, target = Counter(), scene.token(act.target)
    for result, chance in odds(scene, run, (effect.call(target),)).chances.items():
        token = effect.after(scene, target, result)
        is_none = token is None or is_down(ruleset, token)
        found[None if is_none else msgspec.json.encode(token, order="sorted")] += chance
    return found


def check_effect(ruleset, scene, act):
    """Check that the effect of an attack on its target is that of its procedure; return the two chances."""
    effect = ruleset.outlook.on_target(scene, act)
    assert effect is not None, act
    whole, alone = after_procedure(ruleset, scene, act), after_effect(ruleset, scene, act, effect)
    assert alone == whole, act
    return alone
