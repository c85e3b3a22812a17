"""The result of an act at several tokens: the mean damage of each, and how many fall, from the act's odds."""

from __future__ import annotations

from fractions import Fraction

from enfilade.i18n import localize
from enfilade.rules.exact.aftermath import Aftermath
from enfilade.rules.ruleset import Ruleset
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
