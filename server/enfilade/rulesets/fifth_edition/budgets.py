"""A creature as people see it: the budgets of its turn, and its conditions with source and end."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.i18n import localize
from enfilade.rules.battle.lasting import Lasting, lasting
from enfilade.rules.ruleset import Budget, State
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import STATES, creature_in, read_creature
from enfilade.scene.model import Scene, Token

SHOWN = (*STATES, "concentrating", "dying", "dodging", "hidden", "burning", "inspired")
"""The conditions that people know; the others are the turn's, or only the rules need them."""


def budgets(scene: Scene, token: Token) -> Sequence[Budget]:
    """Return what a creature's turn has left; nothing where a tabletop's system plays (SRD-049)."""
    if is_assistant(scene) or not scene.track("round") or token.has("out"):
        return ()
    parts = (("action", "acted"), ("bonus", "bonus"), ("reaction", "reacted"))
    found = [
        Budget(localize(f"fifth_edition.budget_{name}"), 0 if token.has(spent) else 1, 1)
        for name, spent in parts
    ]
    if token.track("attacks"):
        most = max(read_creature(token).profile.multiattack, token.track("attacks"))
        found.append(Budget(localize("fifth_edition.budget_attacks"), token.track("attacks"), most))
    most = round(creature_in(scene, token).speed + token.track("extra"))
    left = max(0, round(feet_left(scene, token)))
    return (*found, Budget(localize("fifth_edition.budget_feet"), left, max(most, left)))


def states(scene: Scene, token: Token) -> Sequence[State]:
    """Return a creature's conditions, one for each source, with its end in words."""
    names = {one.id: one.name for one in scene.tokens}
    return tuple(
        State(
            condition=condition,
            source=" ".join(filter(None, (names.get(one.source, one.source), one.effect))),
            ends=_end(one, names),
        )
        for condition, note in token.conditions.items()
        if condition in SHOWN
        for one in lasting(note)
    )


def _end(one: Lasting, names: dict[str, str]) -> str:
    """Return when a condition ends, in words; empty if something else ends it."""
    said = []
    if one.moment:
        name = names.get(one.whose, one.whose)
        said.append(localize(f"fifth_edition.until_{one.moment}", name=name))
    if one.is_held:
        said.append(localize("fifth_edition.until_held", name=names.get(one.source, one.source)))
    if one.difficulty:
        said.append(localize("fifth_edition.until_save", ability=one.save, difficulty=one.difficulty))
    return ", ".join(said)
