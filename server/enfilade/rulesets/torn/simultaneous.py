"""Attacks whose results are applied at the same time, as one called procedure (TRN-031, TRN-061, TRN-095).

What it returns is what everybody in it suffers: equal results are one in the odds, however they came.
"""

from __future__ import annotations

from fractions import Fraction

from enfilade.rules.procedures import Answer, Call, Change, Choose, Steps
from enfilade.rulesets.torn.attack_rolls import attack_roll, defence, exchange
from enfilade.rulesets.torn.attack_setup import Blow, spread
from enfilade.rulesets.torn.decisions import expected
from enfilade.rulesets.torn.dice import Pool
from enfilade.rulesets.torn.strike import Harm
from enfilade.rulesets.torn.suffered import Suffered, together
from enfilade.scene.events import Explained


def clash(blows: tuple[Blow, ...], beside: tuple[Blow, ...] = ()) -> Steps:
    """Resolves one roll against every target of the first attack, then the others one by one.

    Args:
        blows: the attack, the further targets of the same roll (area), and counter attacks.
        beside: who may be hit by the dice that fail (TRN-061), all equally near.
    """
    first = blows[0]
    suffered = list((yield from _first(first, blows[1:], beside)))
    for other in blows[1:]:
        if other.occasion != "area":
            yield _announced(other)
            harm = yield Call(exchange, (other.strike,))
            suffered += _suffered(other, harm)
    return together(suffered)


def _first(first: Blow, others: tuple[Blow, ...], beside: tuple[Blow, ...]) -> Steps:
    area = [other for other in others if other.occasion == "area"]
    if not area and not beside:
        if first.occasion == "counter":
            yield _announced(first)
        return _suffered(first, (yield Call(exchange, (first.strike,))))
    strike = first.strike._replace(keeps_blanks=bool(beside))
    volley = yield Call(attack_roll, (strike,))
    suffered = _suffered(first, (yield Call(defence, (first.strike, volley.hits))))
    for other in area:
        yield _announced(other)
        suffered += _suffered(other, (yield Call(defence, (other.strike, volley.hits))))
    return [*suffered, *(yield from _strayed(beside, volley.blanks))]


def _strayed(beside: tuple[Blow, ...], blanks: Pool) -> Steps:
    """The dice that failed are rolled again at whoever is nearest beside the target (TRN-061 to 064)."""
    if not beside or spread(beside[0].strike, blanks) is None:
        return []
    again = [other._replace(strike=other.strike._replace(pool=blanks)) for other in beside]
    other = again[0]
    if len(again) > 1:
        answers = tuple(Answer(one.defender, one.defender) for one in again)
        best = max(again, key=_wanted)
        question = "Whom do the dice that failed hit?"
        answer = yield Choose(other.strike.attacker, question, answers, best.defender)
        other = next(one for one in again if one.defender == answer)
    yield _announced(other)
    return _suffered(other, (yield Call(exchange, (other.strike,))))


def _wanted(one: Blow) -> Fraction:
    worth = expected(one.strike)
    return -worth if one.strike.is_friendly else worth


def _suffered(one: Blow, harm: Harm) -> list[Suffered]:
    markers = (one.marker,) if one.marker and harm.by_critical else ()
    found = [Suffered(one.defender, harm.dealt, markers)] if harm.dealt else []
    return found + ([Suffered(one.attacker, harm.returned)] if harm.returned else [])


def _announced(one: Blow) -> Change:
    facts = {"token": one.attacker, "target": one.defender, "act": one.tile}
    return Change(Explained(kind=f"{one.occasion} attack", facts=facts))
