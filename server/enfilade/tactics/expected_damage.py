"""Expected damage: the mean of an act's damage and its chance, from the odds of its procedure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from fractions import Fraction
from typing import NamedTuple

from enfilade.errors import TooSlow
from enfilade.rules.kit.offers import BegunRuns, kept_runs, offers_at
from enfilade.rules.odds import Allowance, Odds, odds
from enfilade.rules.procedures import Act, Call, Steps
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint, time_share
from enfilade.scene.model import Scene, Token
from enfilade.tactics.previews import act_odds, too_slow_text


class Strike(NamedTuple):
    """An attack: its expected damage, its chance to hit, and whether both are exact."""

    act: Act
    damage: Fraction
    chance: Fraction
    is_exact: bool = True


def mean_damage(odds: Odds) -> Fraction:
    """Return the mean of the damage of an act; what heals its target is no damage."""
    return Fraction(sum([weight * one.damage for one, weight in odds.weights.items()]), odds.total)


_Known = dict[Hashable, tuple[Fraction, Fraction, bool]]

MAX_KNOWN = 4_096
"""The number of known damages at which the next table starts anew."""

_known: _Known = {}


def _memory() -> _Known:
    """Return the damages by ruleset and key: pure numbers, the same for every table and seat."""
    global _known
    if len(_known) >= MAX_KNOWN:
        _known = {}
    return _known


def forget() -> None:
    """Forget the damages that earlier answers have left to later ones: for measurements."""
    _known.clear()


class DamageTable:
    """The strikes of one answer; attacks that depend on the same are worked out once."""

    def __init__(self, ruleset: Ruleset, allowance: Callable[[], Allowance] = Allowance) -> None:
        """`allowance` returns what the odds of one attack may cost; beyond, they are sampled."""
        self._ruleset, self._allowance = ruleset, allowance
        self._known = _memory()
        self.too_slow: dict[tuple[str, str], str] = {}

    def strike(self, scene: Scene, act: Act, runs: BegunRuns | None = None) -> Strike:
        """Return the strike of a legal act; `runs` are those that its offers have begun."""
        key = self._ruleset.outlook.damage_key(scene, act)
        if key is None:
            return Strike(act, *self._of_odds(scene, act, runs))
        key = (self._ruleset.key, key)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._of_odds(scene, act, runs)
        return Strike(act, *known)

    def _of_odds(self, scene: Scene, act: Act, runs: BegunRuns | None) -> tuple[Fraction, Fraction, bool]:
        call, allowance = self._ruleset.outlook.damage_call(scene, act), self._allowance()
        if call is not None:
            found = odds(scene, result_of, (call,), allowance=allowance)
        else:
            found = act_odds(self._ruleset, scene, act, allowance, runs)
        return mean_damage(found), found.chance(*self._ruleset.successes), found.is_exact

    def strikes(self, scene: Scene, token: Token, target: Token, among: Collection[str] = ()) -> list[Strike]:
        """Return the strikes of the legal attacks of a token on an enemy, in a scene where it is ready."""
        checkpoint()
        legal, runs = _begun_attacks(self._ruleset, scene, token, target, among)
        found = [self._strike_in_time(scene, act, runs) for act in legal]
        return [strike for strike in found if strike is not None]

    def _strike_in_time(self, scene: Scene, act: Act, runs: BegunRuns | None) -> Strike | None:
        """Return the strike of an act; None for a kind that takes too long, for which others do not pay."""
        key = (act.kind, act.weapon)
        if key in self.too_slow:
            return None
        share = time_share(1)
        try:
            with share:
                return self.strike(scene, act, runs)
        except TooSlow:
            if share.is_small:  # not this act, but all before it
                raise
            self.too_slow[key] = too_slow_text(self._ruleset, act)
            return None

    def best(self, scene: Scene, token: Token, target: Token, among: Collection[str] = ()) -> Strike | None:
        """Return the strike with the highest expected damage; None if it would do none.

        `among` are the targets that are asked about one after the other, by ID.
        """
        found = max(self.strikes(scene, token, target, among), key=worth, default=None)
        return found if found and found.damage > 0 else None


def result_of(scene: Scene, call: Call) -> Steps:
    """Run a callee as an act of its own; return its result."""
    del scene
    return (yield call)


def worth(strike: Strike) -> tuple[Fraction, Fraction]:
    """Return what a strike is compared by: its expected damage, then its chance."""
    return strike.damage, strike.chance


def attacks(
    ruleset: Ruleset, scene: Scene, token: Token, target: Token, among: Collection[str] = ()
) -> list[Act]:
    """Return the legal acts of a token at a target now; `among` are all that will be asked about."""
    return _begun_attacks(ruleset, scene, token, target, among)[0]


def _begun_attacks(
    ruleset: Ruleset, scene: Scene, token: Token, target: Token, among: Collection[str]
) -> tuple[list[Act], BegunRuns | None]:
    """Return the legal acts of a token at a target, and the runs that their offers have begun."""
    if ruleset.outlook.attacks is not None:
        return list(ruleset.outlook.attacks(scene, token, target)), None
    for known in _last:
        if known.scene is scene and known.token is token and target.id in (known.targets or (target.id,)):
            return known.legal.get(target.id, []), known.runs
    targets = {target.id, *among}
    with offers_at(targets) as only, kept_runs() as runs:
        offers = ruleset.offers(scene, token)
    legal: dict[str, list[Act]] = {}
    for offer in offers:
        if offer.is_legal and offer.act.target:
            legal.setdefault(offer.act.target, []).append(offer.act)
    _last[:] = [_Legal(scene, token, targets if only.is_heeded else None, legal, runs)]
    return legal.get(target.id, []), runs


class _Legal(NamedTuple):
    """The legal acts of a token at some targets, by target; None: at all, for its ruleset checks all anyway.

    `runs` are those that the offers have begun.
    """

    scene: Scene
    token: Token
    targets: Collection[str] | None
    legal: dict[str, list[Act]]
    runs: BegunRuns


_last: list[_Legal] = []
"""The acts that were asked for last: a loop over targets asks for the same ones."""
