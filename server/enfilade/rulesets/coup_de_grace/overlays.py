"""What a miniature's overlay shows of the board: arcs, bands of range, sight, threat; who is engaged."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battle, battle_of
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.movement import stands_in_the_way
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.ranges import NO_RANGE, farthest, in_range
from enfilade.rulesets.coup_de_grace.sight import seen_from
from enfilade.rulesets.coup_de_grace.threat import threatened_after_a_move, threatened_now
from enfilade.scene.model import Scene, Token


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """The areas of one overlay layer; none for a miniature off the board."""
    battle = battle_of(scene)
    one = battle.fighter(token.id)
    if one.token.at is None or one.token.at not in battle.board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](battle, one, one.token.at)


def _arc(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    if one.facing is None or one.is_downed:
        return ()
    return (_area("arc", "Front arc", battle.front_arc(at, one.facing)),)


def _sight(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    return (_area("sight", "Seen", seen_from(battle, at)),)


def _blind(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    del one
    return (_area("blind", "Not seen", full_mask(battle.board) - seen_from(battle, at)),)


def _ranges(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    shooting = {item.name: item for item in one.items.values() if item.ranged or item.reach}
    return [area for item in shooting.values() for area in _bands(battle, at, item)]


def _bands(battle: Battle, at: Cell, item: Item) -> Sequence[Area]:
    increment = int(battle.setting(house_rules.INCREMENT)) if item.increment is None else item.increment
    most = min(item.reach or NO_RANGE, farthest(battle, at))
    bands = range(most // increment + 1) if increment else (0,)
    cells = {band: _in_band(battle, at, increment, band, most) for band in bands}
    return [
        _area("ranges", _band_name(item, increment, band), there)
        for band, there in cells.items()
        if any(there.rows)
    ]


def _in_band(battle: Battle, at: Cell, increment: int, band: int, most: int) -> Mask:
    last = min(most, (band + 1) * increment - 1) if increment else most
    return in_range(battle, at, max(1, band * increment), last)


def _band_name(item: Item, increment: int, band: int) -> str:
    first, last = max(1, band * increment), (band + 1) * increment - 1
    if item.reach:
        last = min(last, item.reach) if increment else item.reach
    return f"{item.name} {first} to {last}: {-band if band else 'no penalty'}"


def _threat(battle: Battle, one: Fighter, at: Cell) -> Sequence[Area]:
    """Where its enemies can strike: from where they stand, and beside wherever they can come to."""
    del at
    enemies = [other for other in battle.on_board if not battle.are_allies(one, other)]
    now, after = threatened_now(battle, enemies), threatened_after_a_move(battle, enemies)
    return (
        _area("threat", "Enemies can strike here from where they stand", now),
        _area("threat", "Enemies can come and strike here in melee", after - now),
    )


def engagements(scene: Scene) -> list[Engagement]:
    """Enemies side by side, of whom one at least makes the other's movement dear (CDG-040)."""
    battle = battle_of(scene)
    found: dict[tuple[str, str], list[Fighter]] = {}
    for one in battle.on_board:
        assert one.token.at is not None
        for other in battle.enemies_beside(one, one.token.at):
            if stands_in_the_way(battle, other):
                pair = (min(one.id, other.id), max(one.id, other.id))
                found.setdefault(pair, []).append(one)
    return [Engagement(pair, _locked(battle, pair, slowed)) for pair, slowed in found.items()]


def _locked(battle: Battle, pair: tuple[str, str], slowed: Sequence[Fighter]) -> str:
    first, second = (battle.fighter(token) for token in pair)
    if len(slowed) > 1:
        return f"{first.name} and {second.name}: each doubles what the other pays to move"
    other = second if slowed[0].id == first.id else first
    return f"{other.name} doubles what {slowed[0].name} pays to move"


def _area(layer: str, label: str, mask: Mask) -> Area:
    return Area(layer, label, tuple(mask.runs()))


_LAYERS = {"arc": _arc, "sight": _sight, "blind": _blind, "ranges": _ranges, "threat": _threat}
