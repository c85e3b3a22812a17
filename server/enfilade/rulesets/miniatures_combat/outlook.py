"""Moments to come, for advice: models whose activation begins, their defenses made."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.rules.outlook import Outlook, refreshed
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import LUNGE_REACH
from enfilade.rulesets.miniatures_combat.movement import cells_in_reach, may_move, move
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier, moved_by_die
from enfilade.rulesets.miniatures_combat.offers import ACTS, acts_of_kind, attacks_in_range
from enfilade.rulesets.miniatures_combat.profiles import GONE, INCH, Fighter
from enfilade.rulesets.miniatures_combat.turn import (
    ACTIVATION_CONDITIONS,
    ACTIVATION_TRACKS,
    TABLE_CONDITIONS,
    group,
    is_group_active,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which models are activated with their dice, and have defended against all foes.

    The dice of the defenses are not taken off: no one knows them yet (MNC-012, MNC-062). Models that are not
    engaged may move as far as one movement die goes on average.
    """
    field, cleared = battlefield(scene), (*ACTIVATION_CONDITIONS, *ACTIVATION_TRACKS)
    foes = " ".join(f"{key}=yes" for key in field.fighters)

    def fresh(token: Token) -> Token:
        checkpoint()
        fighter = field.fighters.get(token.id) if token.id in tokens else None
        if fighter is None:
            return refreshed(token, {}, cleared)
        dice = max(0, fighter.level - token.track("stumble"))
        tracks = {"dice": dice, "allowance": _mean_roll(scene, fighter)}
        token = refreshed(token, tracks, cleared)
        return replace(token, conditions={**token.conditions, "active": "", "defended": foes})

    found = tuple([fresh(token) for token in scene.tokens])
    if not tokens:
        return replace(scene, tokens=found)
    is_engaged = any(key in field.fighters and field.is_engaged(field.fighters[key]) for key in tokens)
    state = "engaged" if is_engaged else "unengaged"
    sides = {"side": scene.token(tokens[0]).side, "activated": state, "rolled": ""}
    kept = {key: note for key, note in scene.conditions.items() if key not in TABLE_CONDITIONS}
    return replace(scene, tokens=found, conditions={**kept, **sides})


def arrive(scene: Scene, token: Token, at: Cell, facing: int | None, cost: int) -> Scene | None:
    """Return the scene after a move by the shortest path: its dice are paid, and a charge is a charge.

    The move of the game rolls no dice and asks no one (MNC-106 to MNC-110).
    """
    del cost
    if at == token.at:
        return scene
    act = Act(kind="move", token=token.id, at=at, facing=facing)
    return resolve(scene, move, (act,), Answers()).scene


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal acts of a model that may harm an enemy."""
    if not token.has("active") or token.track("dice") < 1:  # each of the acts costs a die (MNC-012)
        return ()
    field = battlefield(scene)
    fighter, enemy = field.fighters.get(token.id), field.fighters.get(target.id)
    if fighter is None or enemy is None or scene.are_allies(token, target):
        return ()
    gap = field.gap(fighter.id, enemy.id)
    if gap > LUNGE_REACH:  # most are; no weapon reaches farther than a lunge
        return ()
    acts = attacks_in_range(fighter, enemy, gap)
    return [act for act in acts if refusal(scene, ACTS[act.kind].procedure, act) is None]


def has_near(scene: Scene, token: Token) -> bool:
    """Return whether an enemy is in reach of a lunge from where a model stands: no weapon reaches farther."""
    field = battlefield(scene)
    fighter = field.fighters.get(token.id)
    if fighter is None or fighter.id not in field.bases:
        return False
    gaps = field.positions.gaps(fighter.id)
    return any(gaps[enemy.id] <= LUNGE_REACH for enemy in field.enemies(fighter))


def acting(scene: Scene, tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the models of the active group, of which one may act; all if no group is active (MNC-006)."""
    active = {one.id for one in group(scene)} if is_group_active(scene) else ()
    return [token for token in tokens if token.id in active] or tokens


def _mean_roll(scene: Scene, fighter: Fighter) -> int:
    """Return the mean of one movement die in 64ths of an inch (MNC-109)."""
    modifier = die_modifier(scene, fighter)
    return sum(moved_by_die(face, modifier) for face in range(1, 7)) * INCH // 6


OUTLOOK = Outlook(
    ready=ready,
    arrive=arrive,
    attacks=attacks,
    acts=acts_of_kind,
    acting=acting,
    cells=cells_in_reach,
    may_move=may_move,
    has_near=has_near,
    down=GONE,
    routine=("activate", "defend", "roll_movement", "end"),
)
