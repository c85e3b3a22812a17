"""Offers: every act of a miniature at each target, legal or refused by its own procedure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


class OnlyTargets:
    """The targets that offers are asked for; `is_heeded` tells whether they left out others."""

    def __init__(self, targets: Collection[str]) -> None:
        self.targets, self.is_heeded = targets, False


_only: ContextVar[OnlyTargets | None] = ContextVar("only", default=None)


@contextmanager
def offers_at(targets: Collection[str]) -> Iterator[OnlyTargets]:
    """Ask for the acts at some targets alone, as a decision map does: `offer` checks no other act."""
    only = OnlyTargets(targets)
    before = _only.set(only)
    try:
        yield only
    finally:
        _only.reset(before)


class Aim(NamedTuple):
    """An act that a token could do, as a game states it. Without a label it has the label of its kind."""

    act: Act
    label: str = ""
    cost: int = 0


def offers_from(
    acts: Mapping[str, ActKind], aims: Callable[[Scene, Token], Iterable[Aim]]
) -> Callable[[Scene, Token], list[Offer]]:
    """Return a function for `Ruleset.offers`: each aim of a token, legal or refused by its own procedure.

    A procedure runs up to its first dice or question, so that an act is legal by the same rules, and refused
    with the same sentence, wherever it is asked for.
    """

    def offers(scene: Scene, token: Token) -> list[Offer]:
        found = []
        for act, label, cost in aims(scene, token):
            kind = acts[act.kind]
            found.append(offer(scene, act, kind.procedure, label or kind.label, cost))
        return found

    return offers


def no_offers(scene: Scene, token: Token) -> list[Offer]:
    """Return no acts beside moves: for a game whose dice the tabletop rolls."""
    del scene, token
    return []


def offers_of(acts: Mapping[str, ActKind], aimed: Collection[str]) -> Callable[[Scene, Token], list[Offer]]:
    """Return a function for `Ruleset.offers`: acts of the kinds in `aimed` at each enemy, and other acts.

    Moves and acts of the GM are not offered.
    """
    kinds = {kind: act for kind, act in acts.items() if kind != "move" and not act.is_gm_only}

    def aims(scene: Scene, token: Token) -> Iterator[Aim]:
        enemies = [other for other in scene.on_board() if not scene.are_allies(token, other)]
        for kind in kinds:
            if kind not in aimed:
                yield Aim(Act(kind=kind, token=token.id))
            elif token.at is not None:
                yield from (Aim(Act(kind=kind, token=token.id, target=enemy.id)) for enemy in enemies)

    return offers_from(kinds, aims)


def offer(scene: Scene, act: Act, procedure: Procedure, label: str, cost: int = 0) -> Offer:
    """Return the offer of one act, with the reason and the rule if its procedure refuses it."""
    checkpoint()
    only = _only.get()
    if only is not None:
        only.is_heeded = True
        if act.target not in only.targets:
            return Offer(act, label, cost, localize("kit.not_asked_for"))
    refused = refusal(scene, procedure, act)
    return Offer(act, label, cost, refused.sentence, refused.rule) if refused else Offer(act, label, cost)
