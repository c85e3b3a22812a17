"""Moments to come, for advice: new activations, moves that are paid for, and equal attacks."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask
from enfilade.rules.outlook import Outlook, TargetEffect, refreshed, with_token
from enfilade.rules.procedures import Act, Call
from enfilade.rules.resolve import refusal
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import EFFECTS, RollResult, attack_die, attack_spec
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike, attack_refusal, strike_of
from enfilade.rulesets.coup_de_grace.combat.effects import PLAIN
from enfilade.rulesets.coup_de_grace.combat.foci import SPELLS
from enfilade.rulesets.coup_de_grace.combat.spells import cast, spell_acts
from enfilade.rulesets.coup_de_grace.movement import may_move
from enfilade.rulesets.coup_de_grace.movement_costs import STEP, doublings
from enfilade.rulesets.coup_de_grace.offers import strikes_on
from enfilade.rulesets.coup_de_grace.overlays import threatened_now
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.sight import cells_in_range, seen_from
from enfilade.scene.model import Scene, Token

ENDED = ("activated", "used", "acted", "rerolled", "braced")
"""The conditions that a new activation in a new round does not have any more."""


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which miniatures are newly activated (CDG-019 to CDG-021).

    One has its movement points. Several are as before the first round, in which all may act.
    """
    fresh = scene
    for token_id in tokens:
        one = battlefield(scene).fighter(token_id)
        fresh = with_token(fresh, refreshed(one.token, {"mp": one.allowance}, ENDED))
    if len(tokens) > 1:
        return replace(fresh, tracks={**scene.tracks, "round": 0})
    return replace(
        fresh,
        tracks={**scene.tracks, "round": max(1, scene.track("round"))},
        conditions={**scene.conditions, **dict.fromkeys(["active"], tokens[0] if tokens else "")},
    )


def arrive(scene: Scene, token: Token, at: Cell, facing: int | None, cost: int) -> Scene | None:
    """Return the scene after a paid move; None if the points do not last for a turn in place."""
    battle = battlefield(scene)
    mover = battle.fighter(token.id)
    if at == token.at and facing != mover.facing:
        cost = STEP << doublings(battle, mover, at)
    left = battle.points_left(mover) - cost
    if left < 0:
        return None
    tracks = {**token.tracks, "mp": left} if battle.is_in_play else token.tracks
    return with_token(scene, replace(token, at=at, facing=facing, tracks=tracks))


def facings(scene: Scene, token: Token) -> Sequence[int | None]:
    """Return the facings toward the edges of a cell; a downed miniature has none (CDG-013, CDG-069)."""
    battle = battlefield(scene)
    return (None,) if battle.fighter(token.id).is_downed else battle.facings


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal attacks of a miniature on another, and the spells that it can cast at it."""
    battle = battlefield(scene)
    one = battle.fighter(token.id)
    if not battle.is_active(one):
        return ()
    strikes = strikes_on(battle, one, battle.fighter(target.id))
    found = [act for act in strikes if attack_refusal(scene, act) is None]
    if _can_touch(one):
        spells = (act for act in spell_acts(scene, one) if act.target == target.id)
        found += [act for act in spells if refusal(scene, cast, act) is None]
    return found


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the damage of an attack depends on, if its weapon neither strikes again nor moves."""
    if act.kind not in ("melee", "ranged"):
        return None
    strike = strike_of(scene, act)
    return attack_spec(strike) if _is_plain(strike) else None


def _is_plain(strike: Strike) -> bool:
    """Return whether a weapon neither strikes again nor does more than damage."""
    effect = EFFECTS[strike.item.name]
    return effect.again is PLAIN.again and effect.on_hit is None and effect.on_miss is None


def on_target(scene: Scene, act: Act) -> TargetEffect | None:
    """Return the effect of an attack on its target, if its weapon neither strikes again nor moves anyone."""
    if act.kind not in ("melee", "ranged"):
        return None
    if not _is_plain(strike_of(scene, act)):
        return None

    def call(target: Token) -> Call:
        spec = attack_spec(strike_of(with_token(scene, target), act))
        return Call(attack_die, (spec, 1), _damage)

    return TargetEffect(call, _wounded)


def _damage(rolled: RollResult) -> int:
    return rolled.damage


def _wounded(scene: Scene, target: Token, damage: int) -> Token | None:
    """Return a standing miniature after damage, as `apply_damage` leaves it; None if it is down."""
    left = target.track("hp", battlefield(scene).fighter(target.id).max_hit_points) - damage
    return replace(target, tracks={**target.tracks, "hp": left}) if left > 0 else None


class _Contacts:
    """The cells that each enemy can attack, and those that see it, as masks."""

    def __init__(self, scene: Scene, token: Token, enemies: Sequence[str]) -> None:
        battle = battlefield(scene)
        self._battle = battle
        mover = battle.fighter(token.id)
        own = _kinds(mover)
        self._is_caster = _can_touch(mover)
        self._has_melee, self._has_ranged = "melee" in own, "ranged" in own
        self._is_downed = battle.fighter(token.id).is_downed
        self._at: dict[str, Cell] = {}
        self._threatened: dict[str, Mask] = {}
        self._seeing: dict[str, Mask] = {}
        for enemy in enemies:
            one = battle.fighter(enemy)
            if one.token.at is None or one.token.at not in battle.board:
                continue
            self._at[enemy] = one.token.at
            threatened = threatened_now(battle, [one])
            if _can_touch(one):
                threatened |= _touched(battle, one)
            self._threatened[enemy] = threatened
            if self._has_ranged:
                self._seeing[enemy] = seen_from(battle, one.token.at)

    def attackable(self, at: Cell, facing: int | None) -> Collection[str]:
        """Return the enemies straight ahead, and those seen in the front arc (CDG-014, CDG-050)."""
        if self._is_caster or self._is_downed or facing is None:
            return self._at
        battle, ahead = self._battle, self._battle.cell_toward(at, facing)
        found = [one for one, there in self._at.items() if there == ahead] if self._has_melee else []
        for one, seeing in self._seeing.items():
            if at in seeing and battle.is_in_front_arc(at, facing, self._at[one]):
                found.append(one)
        return dict.fromkeys(found)

    def attackers(self, at: Cell) -> Collection[str]:
        """Return the enemies that can attack a cell, and those that cast spells."""
        return [one for one, cells in self._threatened.items() if at in cells]


def _can_touch(one: Fighter) -> bool:
    """Return whether a miniature may affect others by a touch or a prayer, which masks do not show."""
    return any(item.spell == "effect" and SPELLS[item.name].needs == "target" for item in one.items.values())


def _touched(battle: Battlefield, one: Fighter) -> Mask:
    """Return the cells in reach of a miniature's spells that are no attacks."""
    assert one.token.at is not None
    reaches = [item.reach for item in one.items.values() if item.spell == "effect"]
    return cells_in_range(battle, one.token.at, 1, max(reaches))


def _kinds(one: Fighter) -> set[str]:
    """Return the ways in which a miniature's items act on others: "melee", "ranged", "effect"."""
    found = {kind for item in one.items.values() for kind in ("melee", "ranged") if getattr(item, kind)}
    return found | {item.spell for item in one.items.values() if item.spell}


OUTLOOK = Outlook(
    ready=ready,
    arrive=arrive,
    facings=facings,
    attacks=attacks,
    damage_key=damage_key,
    on_target=on_target,
    damage_tracks=("hp",),
    contacts=_Contacts,
    may_move=may_move,
    routine=("recover", "activate", "end"),
)
