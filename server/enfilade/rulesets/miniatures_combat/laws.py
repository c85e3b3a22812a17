"""The laws: what the fled, the prone and the undefended may not do, and what a model owes before it strikes.

Each is a line of data with its rule; the engine asks them before every act that has their tag.
"""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.rules.battle.laws import Ban, Duty, Ended, Laws
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, battlefield
from enfilade.rulesets.miniatures_combat.displacement import away_from, free_place
from enfilade.rulesets.miniatures_combat.profiles import INCH, read_fighter
from enfilade.rulesets.miniatures_combat.turn import (
    is_engaged_group,
    owed_defenses,
    read_notes,
    undefended,
)
from enfilade.scene.model import Scene, Token

FALL_BACK_DISTANCE = 2 * INCH
"""How far a model may fall back (MNC-070)."""
CARRY_DISTANCE = INCH
"""How far a carrier may be from its captive (MNC-114)."""


def _is_held(scene: Scene, token: Token, act: Act) -> bool:
    del act
    fighter = battlefield(scene).fighters.get(token.id)
    return fighter is not None and is_engaged_group(scene) and bool(owed_defenses(scene, fighter))


def _has_failed(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether a defense of a model of an engaged group failed, or by a house rule hit it (MNC-107)."""
    del act
    if token.id not in battlefield(scene).fighters or not is_engaged_group(scene):
        return False
    if setting(scene, house_rules.MOVE_AFTER) == "not hit":
        return token.has("hit")
    return "failed" in read_notes(token, "defended").values()


def _would_engage(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether an act would take an unengaged model to within 1 inch of an enemy by its own will."""
    field = battlefield(scene)
    fighter = field.fighters.get(token.id)
    if fighter is None or field.is_engaged(fighter):
        return False
    if act.kind == "lunge":
        return act.target != ""
    if act.kind == "fall_back":
        enemy = field.bases.get(act.target)
        if enemy is None:
            return False
        direction = away_from(field, token, [enemy.at])
        return field.engages_at(fighter, free_place(field, fighter, direction, FALL_BACK_DISTANCE))
    return act.at is not None and field.engages_at(fighter, act.at)


def _undefended_target(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return the target, if it has the model in its reach and was not defended against (MNC-085, MNC-096)."""
    return [key for key in _undefended(scene, token, act) if key == act.target]


def _undefended(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return the enemies that have an active model in reach and were not defended against (MNC-062)."""
    del act
    fighter = battlefield(scene).fighters.get(token.id)
    if fighter is None or not token.has("active"):
        return ()
    return [enemy.id for enemy in undefended(scene, fighter)]


def _undefended_before_lunge(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return them before a lunge at an enemy that is far enough for one (MNC-091, MNC-092)."""
    field, enemy = battlefield(scene), battlefield(scene).fighters.get(act.target)
    if enemy is None or token.id not in field.bases or not field.are_enemies(read_fighter(token), enemy):
        return ()
    return _undefended(scene, token, act) if field.gap(token.id, enemy.id) > ENGAGED else ()


def _owed_at_end(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return the enemies that a model still owes a defense in this activation (MNC-072, MNC-073)."""
    del act
    fighter = battlefield(scene).fighters.get(token.id)
    return () if fighter is None else [enemy.id for enemy in owed_defenses(scene, fighter)]


def carriers_of(token: Token) -> list[str]:
    """Return the models that took up a captive, the first of whom it moves with (MNC-114)."""
    return token.conditions.get("carried", "").split()


def _too_few_carriers(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return a captive without as many carriers as its level: they fight, are near, and carry only it.

    Carriers move one after the other: one is near that is within 1 inch of where the captive lies or is to
    come to lie.
    """
    keys = carriers_of(token) if act.kind == "carry" else ()
    if not keys or token.at is None or act.at is None:
        return ()
    prisoner, field = read_fighter(token), battlefield(scene)
    places = [field.base_at(token, at) for at in (token.at, act.at)]
    others = [carriers_of(one) for one in scene.tokens if one.id != token.id]
    able = [
        key
        for key in keys
        if key in field.bases
        and not any(key in each for each in others)
        and any(field.positions.gap(field.bases[key], place) <= CARRY_DISTANCE for place in places)
    ]
    return () if len(able) >= prisoner.level else [token.id]


LAWS = Laws(
    bans=(
        Ban("fled", ("moves",), "MNC-060", "miniatures_combat.refuse_fled", _would_engage),
        Ban("prone", ("move",), "MNC-107", "miniatures_combat.refuse_prone"),
        Ban("prone", ("lunge",), "MNC-093", "miniatures_combat.refuse_prone"),
        Ban("prone", ("fall_back",), "MNC-070", "miniatures_combat.refuse_prone"),
        Ban("prone", ("push",), "MNC-096", "miniatures_combat.refuse_prone"),
        Ban("prone", ("sweep",), "MNC-101", "miniatures_combat.refuse_prone"),
        Ban(
            "active", ("move", "action"), "MNC-107", "miniatures_combat.refuse_step", _is_held, "duty", False
        ),
        Ban(
            "active",
            ("move", "action"),
            "MNC-107",
            "miniatures_combat.refuse_failed",
            _has_failed,
            is_by_place=False,
        ),
    ),
    duties=(
        Duty(
            "defense of the target",
            ("attack",),
            "MNC-085",
            "miniatures_combat.refuse_undefended",
            _undefended_target,
            "defend",
        ),
        Duty(
            "defense of the pushed",
            ("push",),
            "MNC-096",
            "miniatures_combat.refuse_undefended",
            _undefended_target,
            "defend",
        ),
        Duty(
            "all defenses before a lunge",
            ("lunge",),
            "MNC-092",
            "miniatures_combat.refuse_undefended",
            _undefended_before_lunge,
            "defend",
        ),
        Duty(
            "all defenses before a sweep",
            ("sweep",),
            "MNC-101",
            "miniatures_combat.refuse_undefended",
            _undefended,
            "defend",
        ),
        Duty(
            "all defenses",
            ("ends",),
            "MNC-072",
            "miniatures_combat.refuse_undefended",
            _owed_at_end,
            "defend",
            lapses=True,
        ),
        Duty(
            "carriers",
            ("forced",),
            "MNC-114",
            "miniatures_combat.refuse_few_carriers",
            _too_few_carriers,
            "carry",
        ),
    ),
    ended=Ended("MNC-006", ("victory", "event")),
)
"""What a state forbids and what comes first, whichever act asks."""
