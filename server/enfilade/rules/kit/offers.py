"""Offers: every act of a miniature at each target, legal or refused by its own procedure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.resolve import BegunRun, begin
from enfilade.rules.ruleset import ActKind, Offer, QuickRefusal
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Value


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


class BegunRuns:
    """The runs that offers have begun to check their acts, for the odds of the same acts."""

    def __init__(self) -> None:
        self._runs: dict[Act, tuple[Scene, Procedure, BegunRun]] = {}

    def keep(self, scene: Scene, procedure: Procedure, act: Act, run: BegunRun) -> None:
        """Keep a run of an act that is legal."""
        self._runs[act] = scene, procedure, run

    def take(self, scene: Scene, procedure: Procedure, act: Act) -> BegunRun | None:
        """Return the run of an act, once; None if none was begun on this scene."""
        known, by, run = self._runs.pop(act, (None, None, None))
        return run if known is scene and by is procedure else None


_begun: ContextVar[BegunRuns | None] = ContextVar("begun", default=None)


@contextmanager
def kept_runs() -> Iterator[BegunRuns]:
    """Keep the runs that `offer` begins in the block: what they have worked out is not worked out again."""
    runs = BegunRuns()
    before = _begun.set(runs)
    try:
        yield runs
    finally:
        _begun.reset(before)


class Aim(Value, frozen=True):
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
        found, only = [], _only.get()
        asked: dict[tuple[str, str], QuickRefusal | None] = {}
        for aim in aims(scene, token):
            checkpoint()
            act, cost, kind = aim.act, aim.cost, acts[aim.act.kind]
            text = aim.label or kind.label
            if only is not None and _leaves_out(only, act):
                found.append(_not_asked_for(act, text, cost))
                continue
            key = act.kind, act.token
            if key not in asked:
                asked[key] = kind.quick_refusal(scene, act.token)
            quick = asked[key]
            error = quick(scene, act) if quick else None
            if error is not None:
                found.append(Offer(act, text, cost, error.sentence, error.rule, error.cause))
            else:
                found.append(_begun_offer(scene, act, kind.procedure, text, cost))
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


def offer(
    scene: Scene,
    act: Act,
    procedure: Procedure,
    label: str,
    cost: int = 0,
    quick: QuickRefusal | None = None,
) -> Offer:
    """Return the offer of one act, with the reason and the rule if its procedure refuses it.

    `quick` is the `refusal` of its kind, which is asked first.
    """
    checkpoint()
    only = _only.get()
    if only is not None and _leaves_out(only, act):
        return _not_asked_for(act, label, cost)
    error = quick(scene, act) if quick else None
    if error is not None:
        return _refused(act, label, cost, error)
    return _begun_offer(scene, act, procedure, label, cost)


def _leaves_out(only: OnlyTargets, act: Act) -> bool:
    only.is_heeded = True
    return act.target not in only.targets


def _not_asked_for(act: Act, label: str, cost: int) -> Offer:
    return Offer(act, label, cost, localize("kit.not_asked_for"))


def _begun_offer(scene: Scene, act: Act, procedure: Procedure, label: str, cost: int) -> Offer:
    """Return the offer of an act by its procedure, whose run is kept for the odds."""
    run = begin(scene, procedure, act)
    if isinstance(run, IllegalAct):
        return _refused(act, label, cost, run)
    if run is not None and (runs := _begun.get()) is not None:
        runs.keep(scene, procedure, act, run)
    return Offer(act, label, cost)


def _refused(act: Act, label: str, cost: int, error: IllegalAct) -> Offer:
    return Offer(act, label, cost, error.sentence, error.rule, error.cause)
