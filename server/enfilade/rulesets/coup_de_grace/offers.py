"""The acts a miniature has now: every attack at every enemy, and its turn's acts, legal or refused."""

from __future__ import annotations

from enfilade.errors import IllegalAct
from enfilade.rules.performing import refusal
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.ruleset import Offer
from enfilade.rulesets.coup_de_grace.attack import cost_of, must_be_legal, strike_of, strikes
from enfilade.rulesets.coup_de_grace.profiles import fighter
from enfilade.rulesets.coup_de_grace.turn import activate, end_activation, recover, start_round
from enfilade.scene.model import Scene, Token


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Every act of a miniature, those at targets first; a refused one says why and by which rule."""
    at_targets = [_strike_offer(scene, act) for act in strikes(scene, fighter(token))] if token.at else []
    return [*at_targets, *_turn_offers(scene, token)]


def _strike_offer(scene: Scene, act: Act) -> Offer:
    strike = strike_of(scene, act)
    label = f"{strike.item.name}, {act.kind}"
    try:
        must_be_legal(strike)
    except IllegalAct as refused:
        return Offer(act, label, cost_of(strike), refused.sentence, refused.rule)
    return Offer(act, label, cost_of(strike))


def _turn_offers(scene: Scene, token: Token) -> list[Offer]:
    acts: list[tuple[str, str, Procedure]] = [
        ("activate", "Activate", activate),
        ("end", "End activation", end_activation),
        ("round", "Start the next round", start_round),
    ]
    if token.has("downed"):
        acts.append(("recover", "Dramatic recovery", recover))
    return [_offer(scene, token, kind, label, procedure) for kind, label, procedure in acts]


def _offer(scene: Scene, token: Token, kind: str, label: str, procedure: Procedure) -> Offer:
    act = Act(kind=kind, token=token.id)
    refused = refusal(scene, procedure, act)
    return Offer(act, label, 0, refused.sentence, refused.rule) if refused else Offer(act, label)
