"""Advice: the decision map of a token as values for a front end, with ranked advice in words and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Area, Provocation, Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.decision_map import Outlooks, Place, Prospect, prospects, rank
from enfilade.tactics.expected_damage import Strike
from enfilade.tactics.previews import Chance, to_chance

ADVISED = 3
"""The number of places that a map advises, besides the one where the token stands."""

NAMED = 3
"""The most enemies that a sentence names; it counts the others."""


class MapCell(Value, frozen=True):
    """A place of a map: cell, best facing, cost, and damage in thousandths of a point.

    `attackers` is the number of enemies that can attack the token there. `may_come` marks a cell that enemies
    can also attack after a move of their own.
    """

    at: Cell
    facing: int | None
    cost: int
    dealt: int
    taken: int
    provoked: int
    attackers: int
    may_come: bool


class AttackOutlook(Value, frozen=True, kw_only=True):
    """An attack to come: who attacks whom with what, its chance and expected damage, exact or sampled."""

    token: str
    target: str
    act: Act
    label: str
    chance: Chance
    damage: Chance
    exact: bool


class Watcher(Value, frozen=True, kw_only=True):
    """An enemy and a place: whether it sees the token there, the cover, and whether its arc has it.

    `is_seen` is None in a game without lines of sight; `saw` is the same for where the token stands now.
    """

    token: str
    is_seen: bool | None
    saw: bool | None
    cover: str
    distance: str
    is_in_arc: bool


class PlaceOutlook(Value, frozen=True, kw_only=True):
    """Everything about one place, and why to go there or not, in sentences."""

    cell: MapCell
    own: AttackOutlook | None
    suffered: tuple[AttackOutlook, ...]
    provokes: tuple[Provocation, ...]
    watchers: tuple[Watcher, ...]
    text: str


class DecisionMap(Value, frozen=True, kw_only=True):
    """The decision map of a token at one entry of a table (`seq`).

    `is_next_turn` means that it is not the token's turn: the map is that of its next one, as if it began now.
    `here` is the place where it stands, `advice` the best places in order. `places` has the facings of the
    one cell that was asked for, the best first. `is_whole` is false if it has only some of the cells, those
    that were asked for or that there was time for. `notes` say what the numbers leave out.
    """

    token: str
    seq: int
    is_next_turn: bool
    is_whole: bool = True
    notes: tuple[str, ...] = ()
    cells: tuple[MapCell, ...] = ()
    here: PlaceOutlook | None = None
    advice: tuple[PlaceOutlook, ...] = ()
    places: tuple[PlaceOutlook, ...] = ()


def decision_map(
    ruleset: Ruleset, scene: Scene, token_id: str, seq: int, most: int | None = None
) -> DecisionMap:
    """Return the decision map of a token in a seat's view of the scene. Raises NotFound.

    With `most` it has only so many cells, those that cost least, and no advice: the first colors to show.
    """
    outlooks = Outlooks(ruleset, scene, token_id)
    found, exposed = prospects(outlooks, most), _exposed(outlooks)
    at = outlooks.token.at
    if most is not None:
        return DecisionMap(
            token=token_id,
            seq=seq,
            is_next_turn=not outlooks.is_its_turn,
            is_whole=False,
            notes=outlooks.notes,
            cells=tuple(_cell(one, exposed) for one in found),
        )
    ranked = sorted((one for one in found if one.place.at != at), key=rank, reverse=True)
    here = next((one for one in found if one.place.at == at), None)
    return DecisionMap(
        token=token_id,
        seq=seq,
        is_next_turn=not outlooks.is_its_turn,
        is_whole=not outlooks.is_cut_short,
        notes=outlooks.notes,
        cells=tuple(_cell(one, exposed) for one in found),
        here=_outlook(outlooks, here, exposed) if here else None,
        advice=tuple(_outlook(outlooks, one, exposed) for one in ranked[:ADVISED]),
    )


def place_outlooks(ruleset: Ruleset, scene: Scene, token_id: str, seq: int, at: Cell) -> DecisionMap:
    """Return the outlook of a cell in reach for each facing, the best first; none out of reach."""
    outlooks = Outlooks(ruleset, scene, token_id)
    exposed = _exposed(outlooks)
    there = [outlooks.prospect(place) for place in outlooks.places() if place.at == at]
    ranked = sorted((one for one in there if one), key=rank, reverse=True)
    return DecisionMap(
        token=token_id,
        seq=seq,
        is_next_turn=not outlooks.is_its_turn,
        places=tuple(_outlook(outlooks, one, exposed) for one in ranked),
    )


_Rows = dict[int, int]
"""Cells as one integer for each row: bit x of row y is the cell (x, y)."""


def _exposed(outlooks: Outlooks) -> _Rows:
    """Return the cells that enemies can attack, now or after a move, as the threat layer shows them."""
    found: _Rows = {}
    if "threat" in outlooks.ruleset.layers:
        for area in outlooks.ruleset.areas(outlooks.scene, outlooks.token, "threat"):
            for row, first, last in area.runs:
                checkpoint()
                found[row] = found.get(row, 0) | (2 << last) - (1 << first)
    return found


def _cell(prospect: Prospect, exposed: _Rows) -> MapCell:
    checkpoint()
    place = prospect.place
    column, row = place.at
    return MapCell(
        at=place.at,
        facing=place.facing,
        cost=place.cost,
        dealt=_thousandths(prospect.dealt),
        taken=_thousandths(prospect.taken),
        provoked=_thousandths(prospect.provoked),
        attackers=len({strike.act.token for strike in prospect.suffered}),
        may_come=column >= 0 and bool(exposed.get(row, 0) >> column & 1),
    )


def _thousandths(damage: Fraction) -> int:
    return round(damage * 1000)


def _has(area: Area, cell: Cell) -> bool:
    return any(row == cell[1] and first <= cell[0] <= last for row, first, last in area.runs)


def _outlook(outlooks: Outlooks, prospect: Prospect, exposed: _Rows) -> PlaceOutlook:
    watchers = tuple(_watcher(outlooks, prospect.place, enemy) for enemy in outlooks.enemies)
    return PlaceOutlook(
        cell=_cell(prospect, exposed),
        own=_attack(outlooks, prospect.own) if prospect.own else None,
        suffered=tuple(_attack(outlooks, strike) for strike in prospect.suffered),
        provokes=prospect.place.provokes,
        watchers=watchers,
        text=_text(outlooks, prospect, watchers),
    )


def _attack(outlooks: Outlooks, strike: Strike) -> AttackOutlook:
    act = strike.act
    return AttackOutlook(
        token=act.token,
        target=act.target,
        act=act,
        label=attack_label(outlooks.ruleset, act),
        chance=to_chance(strike.chance),
        damage=strike.damage.limit_denominator(10**9).as_integer_ratio(),
        exact=strike.is_exact,
    )


def attack_label(ruleset: Ruleset, act: Act) -> str:
    """Return an attack in a word or two: its weapon, else its kind."""
    return act.weapon or ruleset.acts[act.kind].label


def _watcher(outlooks: Outlooks, place: Place, enemy: Token) -> Watcher:
    ruleset, scene = outlooks.ruleset, outlooks.scene
    there = ruleset.outlook.arrive(outlooks.own, outlooks.own.token(outlooks.token.id), *place[:3])
    there = there or outlooks.own
    seen = ruleset.sight(there, there.token(enemy.id), there.token(outlooks.token.id))
    saw = ruleset.sight(scene, enemy, outlooks.token)
    arcs = ruleset.areas(there, there.token(enemy.id), "arc") if "arc" in ruleset.layers else ()
    return Watcher(
        token=enemy.id,
        is_seen=seen.is_seen,
        saw=saw.is_seen,
        cover=seen.cover or seen.why,
        distance=seen.distance,
        is_in_arc=any(_has(area, place.at) for area in arcs),
    )


def _text(outlooks: Outlooks, prospect: Prospect, watchers: Sequence[Watcher]) -> str:
    """Return why to go to a place, or not, in sentences."""
    parts = [_own_text(outlooks, prospect.own), _sight_text(outlooks, prospect, watchers)]
    parts.append(_suffered_text(outlooks, prospect))
    if prospect.place.provokes:
        names = _names(outlooks, [one.token for one in prospect.place.provokes])
        parts.append(localize("tactics.advice_provokes", names=names))
    return " ".join(part for part in parts if part)


def _own_text(outlooks: Outlooks, strike: Strike | None) -> str:
    if strike is None:
        return localize("tactics.advice_no_attack")
    return localize(
        "tactics.advice_attack",
        act=attack_label(outlooks.ruleset, strike.act),
        target=outlooks.scene.token(strike.act.target).name,
        percent=_percent(strike.chance),
        damage=damage_text(strike.damage),
    )


def _sight_text(outlooks: Outlooks, prospect: Prospect, watchers: Sequence[Watcher]) -> str:
    known = [one for one in watchers if one.is_seen is not None]
    if not known:
        return ""
    seeing, before = [one for one in known if one.is_seen], [one for one in known if one.saw]
    lost = [one for one in before if not one.is_seen]
    if lost and prospect.place.at != outlooks.token.at:
        return localize("tactics.advice_loses_sight", lost=len(lost), count=len(before))
    if not seeing:
        return localize("tactics.advice_unseen")
    return localize("tactics.advice_seen", names=_names(outlooks, [one.token for one in seeing]))


def _suffered_text(outlooks: Outlooks, prospect: Prospect) -> str:
    if not prospect.suffered:
        return localize("tactics.advice_safe")
    names = _names(outlooks, [strike.act.token for strike in prospect.suffered])
    return localize("tactics.advice_suffers", names=names, damage=damage_text(prospect.taken))


def _names(outlooks: Outlooks, tokens: Sequence[str]) -> str:
    names = [outlooks.scene.token(token).name for token in dict.fromkeys(tokens)]
    if len(names) <= NAMED:
        return ", ".join(names)
    more = len(names) - NAMED
    return localize("tactics.advice_and_others", names=", ".join(names[:NAMED]), count=more)


def _percent(chance: Fraction) -> str:
    return f"{round(float(chance) * 100)} %"


def damage_text(damage: Fraction) -> str:
    """Return an expected damage with two digits after the point: "1.25", "0.5"."""
    return f"{float(damage):.2f}".rstrip("0").rstrip(".")
