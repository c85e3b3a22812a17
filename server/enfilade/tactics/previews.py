"""Previews: the cost and the odds of an act, from the procedure that would resolve it, for each it hits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from msgspec.structs import replace

from enfilade.errors import Cause, NotFound, TooSlow
from enfilade.i18n import localize
from enfilade.rules.exact.aftermath import Aftermath
from enfilade.rules.kit.offers import BegunRuns
from enfilade.rules.odds import Allowance, Odds, odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.runtime.time_budget import checkpoint, time_share
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene, Token, Value

Number = tuple[int, int]
"""A probability or a mean as (numerator, denominator), to nine digits."""

DIGITS = 10**9


class TokenResult(Value, frozen=True):
    """A token that an act may hurt: its mean damage and its chance to fall."""

    token: str
    damage: Number
    down: Number


class AreaResult(Value, frozen=True, kw_only=True):
    """The result of an act at several tokens: for each, the chances of how many fall, and in words."""

    tokens: tuple[TokenResult, ...]
    fallen: tuple[tuple[int, Number], ...]
    text: str


def is_down(ruleset: Ruleset, token: Token) -> bool:
    """Return whether a token fights no more: off the board, by a condition, or without hit points."""
    bar = ruleset.bar(token)
    has_no_points = bar is not None and token.track(bar.track) <= 0
    return token.at is None or has_no_points or any(token.has(name) for name in ruleset.outlook.down)


def area_result(ruleset: Ruleset, scene: Scene, aftermath: Aftermath | None) -> AreaResult | None:
    """Return what an act does to the tokens that it may hurt; None if it is not known, or fewer than two."""
    if aftermath is None:
        return None
    damages: dict[str, Fraction] = {}
    for one in aftermath.touched:
        token = next((token for token in scene.tokens if token.id == one), None)
        bar = None if token is None else ruleset.bar(token)
        if token is not None and bar is not None:
            track = bar.track
            damages[one] = token.track(track) - aftermath.mean(one, lambda now, name=track: now.track(name))  # type: ignore[misc]
    hurt = {one: damage for one, damage in damages.items() if damage > 0}
    if len(hurt) < 2:
        return None
    known: dict[int, bool] = {}

    def has_fallen(token: Token) -> bool:
        found = known.get(id(token))
        if found is None:
            found = known[id(token)] = is_down(ruleset, token)
        return found

    fallen = aftermath.number(has_fallen)
    return AreaResult(
        tokens=tuple(
            TokenResult(
                one,
                _number(damage),
                _number(aftermath.chance(one, has_fallen)),
            )
            for one, damage in hurt.items()
        ),
        fallen=tuple((number, _number(chance)) for number, chance in fallen.items()),
        text=_text([*hurt.values()], fallen),
    )


def _number(value: Fraction) -> Number:
    return value.limit_denominator(DIGITS).as_integer_ratio()


def _text(damages: list[Fraction], fallen: dict[int, Fraction]) -> str:
    count, total = len(damages), sum(damages, Fraction(0))
    is_even = max(damages) - min(damages) < Fraction(1, 2)
    key = "tactics.area_damage_each" if is_even else "tactics.area_damage_all"
    parts = [localize(key, damage=_shown(total / count if is_even else total))]
    mean = sum((number * chance for number, chance in fallen.items()), Fraction(0))
    if mean > 0:
        parts.append(localize("tactics.area_fall", number=_shown(mean), count=count))
    if fallen.get(count):
        percent = float(fallen[count]) * 100
        shown = f"{percent:.0f}" if percent >= 1 else localize("tactics.less_than_one")
        parts.append(localize("tactics.area_all_fall", count=count, percent=shown))
    return ", ".join(parts)


def _shown(value: Fraction) -> str:
    return f"{float(value):.1f}".removesuffix(".0")


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

    `caught` has the tokens that an area of effect catches beside the target, `area` the result for each of
    several tokens. `advantages` and `disadvantages` are the reasons for either on the roll, in a game that
    has them. `no_odds` says in a sentence why the odds of a legal act are not known. With `up_to` they are
    known in part: the chances are at least those given, and `up_to` is the most that `chance` may be.
    Without it there is no chance and no outcome then. `cause` is that of a refused act. One that `is_planned`
    is chosen with others at the start of a round: a table refuses it by itself. One that `is_elsewhere` is
    done by the tabletop's system, and only shown. One that `is_placed` may be aimed at any cell instead of
    its own. `command` is the kind of command that does the act.
    """

    act: Act
    label: str
    target: str
    legal: bool
    why: str
    cost: int
    needed: int | None = None
    chance: Chance = (0, 1)
    up_to: Chance | None = None
    exact: bool = True
    modifiers: tuple[dict[str, Any], ...] = ()
    defenses: tuple[dict[str, Any], ...] = ()
    advantages: tuple[str, ...] = ()
    disadvantages: tuple[str, ...] = ()
    outcomes: tuple[OutcomeChance, ...] = ()
    caught: tuple[str, ...] = ()
    area: AreaResult | None = None
    no_odds: str = ""
    cause: Cause | Literal[""] = ""
    is_planned: bool = False
    is_elsewhere: bool = False
    is_placed: bool = False
    command: Literal["act", "token.move"] = "act"


def previews(
    ruleset: Ruleset, scene: Scene, offers: Sequence[Offer], runs: BegunRuns | None = None
) -> tuple[Preview, ...]:
    """Return the previews of the offers of one answer, which share its requests and its time.

    An act whose odds take too long has those that were worked out, and takes no other act with it. `runs` are
    those that the offers have begun.
    """
    is_elsewhere, found = bool(ruleset.done_elsewhere(scene)), []
    allowance: Allowance | None = None
    for place, offer in enumerate(offers, 1):
        checkpoint()
        plain = _plain(ruleset, scene, offer, is_elsewhere)
        if plain.legal and plain.target:
            allowance = Allowance() if allowance is None else allowance
            plain = _weighed(ruleset, scene, plain, allowance, len(offers) - place, runs)
        found.append(plain)
    return tuple(found)


def preview(ruleset: Ruleset, scene: Scene, offer: Offer) -> Preview:
    """Return the preview of an offer; a refused one has its reason and no odds."""
    return previews(ruleset, scene, (offer,))[0]


def _plain(ruleset: Ruleset, scene: Scene, offer: Offer, is_elsewhere: bool) -> Preview:
    """Return the preview of an offer without its odds."""
    act, why = offer.act, offer.why
    plain = Preview(
        act=act,
        label=offer.label,
        target=act.target,
        legal=not why,
        why=why,
        cost=offer.cost,
        caught=() if why else tuple(ruleset.caught(scene, act)),
        cause=offer.cause,
    )
    kind, is_move = ruleset.acts.get(act.kind), act.kind == "move"
    if not (is_elsewhere or is_move or (kind is not None and (kind.planned or kind.is_placed))):
        return plain  # most are, of hundreds
    return replace(
        plain,
        is_planned=kind is not None and bool(kind.planned),
        is_elsewhere=is_elsewhere and not is_move,
        is_placed=kind is not None and kind.is_placed and not act.target,
        command="token.move" if is_move else "act",
    )


def _weighed(
    ruleset: Ruleset,
    scene: Scene,
    plain: Preview,
    allowance: Allowance,
    later: int,
    runs: BegunRuns | None,
) -> Preview:
    """Return a legal act's preview with its odds; `later` is the number of the answer's offers to come."""
    try:
        with time_share(later):
            has_aftermath = bool(plain.caught)
            found = act_odds(
                ruleset, scene, plain.act, allowance, runs, has_aftermath=has_aftermath, has_bounds=True
            )
            area = area_result(ruleset, scene, found.aftermath)
    except TooSlow:
        return replace(plain, exact=False, no_odds=too_slow_text(ruleset, plain.act))
    return _with_odds(ruleset, plain, found, area)


def too_slow_text(ruleset: Ruleset, act: Act) -> str:
    """Return that the odds of an act take too long, with the names of the act and the game."""
    return localize("tactics.odds_too_slow", act=ruleset.acts[act.kind].label, title=ruleset.title)


def _cut_off_text(ruleset: Ruleset, act: Act, slack: Fraction) -> str:
    """Return that a part of the odds of an act is not known, in percent; "" for nothing."""
    if not slack:
        return ""
    percent = min(99, max(1, round(float(slack) * 100)))
    label, title = ruleset.acts[act.kind].label, ruleset.title
    return localize("tactics.odds_cut_off", act=label, title=title, percent=percent)


def act_odds(
    ruleset: Ruleset,
    scene: Scene,
    act: Act,
    allowance: Allowance | None = None,
    runs: BegunRuns | None = None,
    *,
    has_aftermath: bool = False,
    has_bounds: bool = False,
) -> Odds:
    """Return the odds of an act, as `odds`; `runs` are those that offers have begun.

    Raises NotFound for an unknown kind, and what `odds` raises.
    """
    procedure = ruleset.acts[act.kind].procedure if act.kind in ruleset.acts else None
    if procedure is None:
        raise NotFound(localize("tactics.no_such_act", title=ruleset.title, kind=act.kind))
    return odds(
        scene,
        procedure,
        (act,),
        allowance=allowance,
        has_aftermath=has_aftermath,
        has_bounds=has_bounds,
        begun=None if runs is None else runs.take(scene, procedure, act),
    )


def _with_odds(ruleset: Ruleset, plain: Preview, found: Odds, area: AreaResult | None) -> Preview:
    said = explanation_facts(found.declared)
    hit = found.chance(*ruleset.successes)
    return replace(
        plain,
        needed=said.get("needed"),
        chance=to_chance(hit),
        up_to=to_chance(hit + found.slack) if found.slack else None,
        exact=found.is_exact,
        modifiers=tuple(said.get("modifiers", ())),
        defenses=tuple(said.get("defenses", ())),
        advantages=tuple(said.get("advantages", ())),
        disadvantages=tuple(said.get("disadvantages", ())),
        outcomes=outcome_chances(found),
        area=area,
        no_odds=_cut_off_text(ruleset, plain.act, found.slack),
    )


def outcome_chances(found: Odds) -> tuple[OutcomeChance, ...]:
    """Return each outcome in words with its probability, the likeliest first."""
    weights: dict[str, int] = {}
    for outcome, weight in found.weights.items():
        text = outcome_text(outcome)
        weights[text] = weights.get(text, 0) + weight
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return tuple([OutcomeChance(text, to_chance(Fraction(weight, found.total))) for text, weight in ordered])


def to_chance(chance: Fraction) -> Chance:
    """Return the nearest probability that JSON can hold; an uncertain outcome stays uncertain."""
    if chance.denominator <= _LARGEST:  # and so neither less than the least, nor nearer to 1 than that
        return chance.as_integer_ratio()
    near = chance.limit_denominator(_LARGEST)
    return (min(max(near, _LEAST), 1 - _LEAST) if 0 < chance < 1 else near).as_integer_ratio()


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome in a few words: "hit for 2, downed"."""
    text = outcome.result
    if outcome.damage:
        text = localize("tactics.outcome_damage", result=text, damage=outcome.damage)
    return localize("tactics.outcome_leaves", outcome=text, leaves=outcome.leaves) if outcome.leaves else text
