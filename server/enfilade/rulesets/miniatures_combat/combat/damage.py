"""Hits: life-threatening successes, their negation, death, and story protection."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Answer,
    Change,
    Choose,
    Outcome,
    Steps,
    remove_token,
    set_condition,
    set_track,
    yes_or_no,
)
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, battlefield
from enfilade.rulesets.miniatures_combat.profiles import Fighter, Item, read_fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

NO_ITEM = "none"
"""The answer that negates no hit."""


class Gain(NamedTuple):
    """Story points that a side gains, and the attack that brought them (C-17); no attack if both are ""."""

    side: str
    points: int
    attacker: str = ""
    target: str = ""
    is_arrows: bool = False


class DamageResult(NamedTuple):
    """The effect of hits on a model: those that gear negates, the others, and the result."""

    target: str
    side: str
    hits: int
    items: tuple[Item, ...]
    result: str

    @property
    def unnegated(self) -> int:
        """Return the hits that were not negated."""
        return self.hits - len(self.items)

    @property
    def outcome(self) -> Outcome:
        """Return the harm as the outcome of an act."""
        leaves = self.result if self.result in ("slain", "endangered", "incapacitated") else ""
        return Outcome(self.result, damage=self.unnegated, leaves=leaves)


def absorb(scene: Scene, side: str, target: str, hits: int) -> Steps:
    """Ask the target's side which gear negates hits by an opposing side; return the harm. Changes nothing."""
    fighter = read_fighter(scene.token(target))
    items = (yield from _ask_negation(scene, fighter, hits)) if hits else ()
    unnegated = hits - len(items)
    if not hits:
        return DamageResult(target, side, hits, (), "miss")
    if not unnegated:
        return DamageResult(target, side, hits, items, "negated")
    if fighter.token.track("hits") + unnegated < fighter.level:
        return DamageResult(target, side, hits, items, "hit")
    return DamageResult(target, side, hits, items, _defeat(fighter))


def _defeat(fighter: Fighter) -> str:
    """Return what a killing blow does (MNC-028, MNC-115, MNC-118)."""
    if not fighter.profile.story_protected:
        return "slain"
    return "incapacitated" if fighter.token.has("endangered") else "endangered"


def _ask_negation(scene: Scene, fighter: Fighter, hits: int) -> Steps:
    """Return the gear that negates hits: each item once in an activation (MNC-026, MNC-090)."""
    items: Sequence[Item] = fighter.items
    most = min(hits, len(items))
    if setting(scene, house_rules.NEGATION) == "one item":
        has_used = fighter.token.has("shield used") or fighter.token.has("armor used")
        most = 0 if has_used else min(most, 1)
    if not most:
        return ()
    sets = [found for count in range(1, most + 1) for found in combinations(items, count)]
    best: tuple[Item, ...] = ()
    if fighter.token.track("hits") + hits - most < fighter.level:
        best = next(found for found in sets if len(found) == most)
    answers = (
        Answer(NO_ITEM, localize("miniatures_combat.answer_no_item")),
        *(Answer("+".join(found), " + ".join(map(_item_name, found))) for found in sets),
    )
    question = localize("miniatures_combat.ask_negation", name=fighter.name, count=hits)
    answer = yield Choose(fighter.side, question, answers, "+".join(best) or NO_ITEM, fighter.id)
    return next((found for found in sets if "+".join(found) == answer), ())


def _item_name(item: Item) -> str:
    if item == "shield":
        return localize("miniatures_combat.item_shield")
    return localize("miniatures_combat.item_armor")


def apply_harm(scene: Scene, harm: DamageResult, attacker: str = "") -> Steps:
    """Record harm; return the scene and the story points that it brings the other side.

    (MNC-005, MNC-027 to MNC-030, MNC-089, MNC-115)
    """
    fighter = read_fighter(scene.token(harm.target))
    for item in harm.items:
        scene = yield set_condition(scene, harm.target, f"{item} used")
    points = len(harm.items)
    if harm.unnegated:
        total = fighter.token.track("hits") + harm.unnegated
        scene = yield set_track(scene, harm.target, "hits", total)
        points += _points_for_hits(scene, fighter, harm)
        scene = yield set_condition(scene, harm.target, "hit")
    if harm.hits:
        facts = {
            "token": attacker,
            "target": harm.target,
            "hits": harm.hits,
            "negated": list(harm.items),
            "total": scene.token(harm.target).track("hits"),
            "toughness": fighter.level,
            "result": harm.result,
        }
        yield Change(Explained(kind="harm", facts=facts))
    scene = yield from _apply_defeat(scene, fighter, harm.result)
    return scene, Gain(harm.side, points, attacker, harm.target)


def _points_for_hits(scene: Scene, fighter: Fighter, harm: DamageResult) -> int:
    """Return the story points for hits that stand: one each if the model survives (MNC-089, C-16)."""
    if harm.result in ("endangered", "incapacitated"):
        return 1
    if harm.result != "hit":
        return 0
    if setting(scene, house_rules.POINTS_FOR_HITS) == "each hit":
        return harm.unnegated
    return 0 if fighter.token.has("hit") else 1


def _apply_defeat(scene: Scene, fighter: Fighter, result: str) -> Steps:
    if result == "slain":
        return (yield from remove(scene, fighter))
    if result == "endangered":
        return (yield set_condition(scene, fighter.id, "endangered", str(scene.track("turn", 1))))
    if result == "incapacitated":
        return (yield set_condition(scene, fighter.id, "incapacitated"))
    return scene


def remove(scene: Scene, fighter: Fighter) -> Steps:
    """Remove a slain or unconscious model from the board; return the scene (MNC-028)."""
    scene = yield remove_token(scene.token(fighter.id))
    return (yield set_condition(scene, fighter.id, "out"))


def wound(scene: Scene, fighter: Fighter) -> Steps:
    """Wound a model; a minion is out of the fight instead (MNC-040). Return the scene."""
    yield Change(Explained(kind="wound", facts={"token": fighter.id, "minion": fighter.profile.minion}))
    if fighter.profile.minion:
        return (yield from remove(scene, fighter))
    return (yield set_track(scene, fighter.id, "wounds", fighter.wounds + 1))


def capture_endangered(scene: Scene) -> Steps:
    """Capture endangered models of the active group with an active enemy within 1"; return the scene.

    The captor chooses whether the model is also incapacitated. The activation that endangered it does not
    count (MNC-116).
    """
    for fighter in list(battlefield(scene).fighters.values()):
        if not (fighter.token.has("active") and fighter.token.has("endangered")):
            continue
        if fighter.token.conditions["endangered"] == str(scene.track("turn", 1)):
            continue
        captors = battlefield(scene).enemies_within(fighter, ENGAGED)
        if not captors:
            continue
        captor = captors[0]
        question = localize("miniatures_combat.ask_incapacitate", name=fighter.name)
        answer = yield yes_or_no(captor.side, question, default=True, token=captor.id)
        scene = yield set_condition(scene, fighter.id, "captured", captor.side)
        if answer == "yes":
            scene = yield set_condition(scene, fighter.id, "incapacitated")
        facts = {"token": captor.id, "target": fighter.id, "incapacitated": answer == "yes"}
        yield Change(Explained(kind="captured", facts=facts))
    return scene
