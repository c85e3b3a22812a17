"""Offers: every act of a miniature at each target, legal or refused by its own procedure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.resolve import check_refusal, refusal
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


class OnlyTarget:
    """The one target that offers are asked for; `is_heeded` tells whether they left out others."""

    def __init__(self, target: str) -> None:
        self.target, self.is_heeded = target, False


_only: ContextVar[OnlyTarget | None] = ContextVar("only", default=None)


@contextmanager
def offers_at(target: str) -> Iterator[OnlyTarget]:
    """Ask for the acts at one target alone, as a decision map does: `offer` checks no other act."""
    only = OnlyTarget(target)
    before = _only.set(only)
    try:
        yield only
    finally:
        _only.reset(before)


def offers_of(acts: Mapping[str, ActKind], aimed: Collection[str]) -> Callable[[Scene, Token], list[Offer]]:
    """Return a function for `Ruleset.offers`: acts of the kinds in `aimed` at each enemy, and other acts.

    Moves and acts of the GM are not offered.
    """
    kinds = {kind: act for kind, act in acts.items() if kind != "move" and not act.is_gm_only}

    def offers(scene: Scene, token: Token) -> list[Offer]:
        enemies = [other for other in scene.on_board() if not scene.are_allies(token, other)]
        found = []
        for kind in kinds:
            if kind not in aimed:
                found.append(Act(kind=kind, token=token.id))
            elif token.at is not None:
                found += [Act(kind=kind, token=token.id, target=enemy.id) for enemy in enemies]
        return [offer(scene, act, kinds[act.kind].procedure, kinds[act.kind].label) for act in found]

    return offers


def offer(scene: Scene, act: Act, procedure: Procedure, label: str, cost: int = 0) -> Offer:
    """Return the offer of one act, with the reason and the rule if its procedure refuses it."""
    checkpoint()
    only = _only.get()
    if only is not None:
        only.is_heeded = True
        if act.target != only.target:
            return Offer(act, label, cost, localize("kit.not_asked_for"))
    return offer_unless(refusal(scene, procedure, act), act, label, cost)


def offer_if(check: Callable[..., None], scene: Scene, token: Token, act: Act, label: str) -> Offer:
    """Return the offer of an act of a token whose procedure requires one check of it and nothing else."""
    return offer_unless(check_refusal(check, scene, token), act, label, 0)


def offer_unless(refused: IllegalAct | None, act: Act, label: str, cost: int = 0) -> Offer:
    """Return the offer of one act that is legal, or refused for a reason that is known already."""
    return Offer(act, label, cost, refused.sentence, refused.rule) if refused else Offer(act, label, cost)
