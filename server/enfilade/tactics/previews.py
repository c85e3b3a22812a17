"""Previews: the cost and the odds of an act, from the procedure that would resolve it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.errors import NotFound
from enfilade.i18n import localize
from enfilade.rules.odds import Allowance, Odds, odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene, Value

Chance = tuple[int, int]
"""A probability as (numerator, denominator), exact unless one of them exceeds 2**53 - 1."""

_LARGEST = 2**53 - 1
_LEAST = Fraction(1, _LARGEST)


class OutcomeChance(Value, frozen=True):
    """One outcome of an act, and its probability."""

    outcome: str
    chance: Chance


class Preview(Value, frozen=True, kw_only=True):
    """An act at a target: legal or refused, its cost, chance, modifiers and outcomes.

    `caught` has the tokens that an area of effect catches beside the target.
    """

    act: Act
    label: str
    target: str
    legal: bool
    why: str
    cost: int
    needed: int | None = None
    chance: Chance = (0, 1)
    exact: bool = True
    modifiers: tuple[dict[str, Any], ...] = ()
    defenses: tuple[dict[str, Any], ...] = ()
    outcomes: tuple[OutcomeChance, ...] = ()
    caught: tuple[str, ...] = ()


def preview(ruleset: Ruleset, scene: Scene, offer: Offer, allowance: Allowance | None = None) -> Preview:
    """Return the preview of an offer; a refused one has its reason and no odds.

    The offers of one answer share an allowance.
    """
    checkpoint()
    plain = Preview(
        act=offer.act,
        label=offer.label,
        target=offer.act.target,
        legal=offer.is_legal,
        why=offer.why,
        cost=offer.cost,
        caught=tuple(ruleset.caught(scene, offer.act)) if offer.is_legal else (),
    )
    if not offer.is_legal or not offer.act.target:
        return plain
    return _with_odds(ruleset, plain, act_odds(ruleset, scene, offer.act, allowance))


def act_odds(ruleset: Ruleset, scene: Scene, act: Act, allowance: Allowance | None = None) -> Odds:
    """Return the odds of an act. Raises NotFound for an unknown kind, and what its procedure raises."""
    procedure = ruleset.acts[act.kind].procedure if act.kind in ruleset.acts else None
    if procedure is None:
        raise NotFound(localize("tactics.no_such_act", title=ruleset.title, kind=act.kind))
    return odds(scene, procedure, (act,), allowance=allowance)


def _with_odds(ruleset: Ruleset, plain: Preview, found: Odds) -> Preview:
    said = explanation_facts(found.declared)
    hit = found.chance(*ruleset.successes)
    return Preview(
        act=plain.act,
        label=plain.label,
        target=plain.target,
        legal=True,
        why="",
        cost=plain.cost,
        needed=said.get("needed"),
        chance=to_chance(hit),
        exact=found.is_exact,
        modifiers=tuple(said.get("modifiers", ())),
        defenses=tuple(said.get("defenses", ())),
        outcomes=outcome_chances(found),
        caught=plain.caught,
    )


def outcome_chances(found: Odds) -> tuple[OutcomeChance, ...]:
    """Return each outcome in words with its probability, the likeliest first."""
    chances: dict[str, Fraction] = {}
    for outcome, chance in found.chances.items():
        chances[outcome_text(outcome)] = chances.get(outcome_text(outcome), Fraction(0)) + chance
    ordered = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    return tuple(OutcomeChance(text, to_chance(chance)) for text, chance in ordered)


def to_chance(chance: Fraction) -> Chance:
    """Return the nearest probability that JSON can hold; an uncertain outcome stays uncertain."""
    near = chance.limit_denominator(_LARGEST)
    return (min(max(near, _LEAST), 1 - _LEAST) if 0 < chance < 1 else near).as_integer_ratio()


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome in a few words: "hit for 2, downed"."""
    text = outcome.result
    if outcome.damage:
        text = localize("tactics.outcome_damage", result=text, damage=outcome.damage)
    return localize("tactics.outcome_leaves", outcome=text, leaves=outcome.leaves) if outcome.leaves else text
