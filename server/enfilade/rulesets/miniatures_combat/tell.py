"""The card of a model, and the log text of an act (MNC-002 to MNC-004, MNC-119)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.allocations import read_split
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import (
    CardRow,
    CardTable,
    LogText,
    Row,
    Step,
    by,
    card_lines,
    either,
    narrate_steps,
    told,
)
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import bonus_dice
from enfilade.rulesets.miniatures_combat.combat.defense import FALL_BACK_DIFFICULTY
from enfilade.rulesets.miniatures_combat.combat.story import event_name
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier
from enfilade.rulesets.miniatures_combat.profiles import (
    CONDITIONS,
    INCH,
    Fighter,
    defense_difficulty,
    free_movement_dice,
    inches_text,
    read_fighter,
)
from enfilade.rulesets.miniatures_combat.turn import is_group_active, owed_defenses
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.model import Scene, Token

SHOWN = ("prone", "dismounted", "endangered", "captured", "incapacitated", "fled", "named", "out")
"""The conditions that the card names."""


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card."""
    return card_lines(_CARD, scene, read_fighter(token))


def _hits(_: Scene, one: Fighter) -> str:
    return localize("miniatures_combat.card_hits_of", hits=one.token.track("hits"), level=one.level)


def _wounds(_: Scene, one: Fighter) -> str:
    return localize("miniatures_combat.card_wounds", count=one.wounds) if one.wounds else ""


def _fall_back(scene: Scene, one: Fighter) -> str:
    needed = defense_difficulty(scene, one) + FALL_BACK_DIFFICULTY
    return localize("miniatures_combat.card_fall_back", needed=needed)


def _weapon(_: Scene, fighter: Fighter) -> str:
    reach = localize("miniatures_combat.card_reach", inches=fighter.reach // INCH)
    return f"{fighter.profile.weapon}, {reach}"


def _gear(_: Scene, fighter: Fighter) -> str:
    own = fighter.profile
    named = {
        localize("miniatures_combat.gear_two_handed"): own.two_handed,
        localize("miniatures_combat.gear_missiles"): own.missiles,
        localize("miniatures_combat.gear_shield"): own.shield == "shield",
        localize("miniatures_combat.gear_buckler"): own.shield == "buckler",
        localize("miniatures_combat.gear_armor"): own.heavy_armor,
        localize("miniatures_combat.gear_mounted"): fighter.is_mounted,
        localize("miniatures_combat.gear_protected"): own.story_protected,
    }
    return ", ".join(name for name, has in named.items() if has)


def _own_dice(scene: Scene, fighter: Fighter) -> Iterator[CardLine]:
    if fighter.id not in battlefield(scene).fighters:
        return
    if is_group_active(scene) and fighter.token.has("active"):
        owed = owed_defenses(scene, fighter)
        names = ", ".join(one.name for one in owed)
        yield CardLine(
            localize("miniatures_combat.card_dice_left"),
            localize(
                "miniatures_combat.card_pool",
                dice=fighter.token.track("dice"),
                bonus=bonus_dice(scene, fighter),
                free=fighter.token.track("movement dice"),
            ),
            localize("miniatures_combat.card_owed", names=names) if owed else "",
        )
    modifier = die_modifier(scene, fighter)
    yield CardLine(
        localize("miniatures_combat.card_movement"),
        localize("miniatures_combat.card_free_dice", count=free_movement_dice(scene, fighter)),
        localize("miniatures_combat.card_modifier", modifier=f"{modifier:+d}"),
    )


def _states(_: Scene, one: Fighter) -> list[CardLine]:
    return [CardLine(CONDITIONS[name], one.token.conditions[name]) for name in SHOWN if one.token.has(name)]


_CARD: CardTable[Fighter] = (
    CardRow(
        "miniatures_combat.card_level",
        lambda _, one: one.level,
        lambda _, one: localize("miniatures_combat.card_minion") if one.profile.minion else "",
    ),
    CardRow("miniatures_combat.card_hits", _hits, _wounds),
    CardRow(
        "miniatures_combat.card_defense",
        lambda scene, one: f"{defense_difficulty(scene, one)}+",
        _fall_back,
    ),
    CardRow("miniatures_combat.card_weapon", _weapon, _gear),
    _own_dice,
    CardRow("miniatures_combat.card_story", lambda scene, one: scene.side(one.side).track("story")),
    _states,
)

_DICE = "miniatures_combat.log_dice"
NO_DICE = "-"
"""The dice of a story roll without any."""


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, _other)


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return " ".join([str(face) for roll in rolled for face in roll.faces])


def _other(names: Mapping[str, str], event: AnyEvent) -> LogText | str:
    if not isinstance(event, ChoiceMade) or event.automatic:
        return ""
    side, answer = names[f"side {event.side}"], _answer(names, event.answer)
    choice = localize("miniatures_combat.log_choice", side=side, question=event.question, answer=answer)
    return LogText("", choice)


def _answer(names: Mapping[str, str], answer: str) -> str:
    split = read_split(answer)
    if split is not None:
        return ", ".join(f"{names.get(key, key)} {count}" for key, count in split.items()) or "0"
    if answer in ("yes", "no"):
        return localize("rules.yes") if answer == "yes" else localize("rules.no")
    return names.get(answer, answer)


def _activated(step: Step) -> LogText:
    key = (
        "miniatures_combat.log_activated_engaged"
        if step.facts["state"] == "engaged"
        else "miniatures_combat.log_activated"
    )
    pools = "; ".join(
        localize(
            "miniatures_combat.log_pool",
            name=step.names.get(pool["token"], ""),
            dice=pool["dice"],
            bonus=pool["defense dice"],
            free=pool["movement dice"],
        )
        for pool in step.facts["pools"]
    )
    names = step.listed([pool["token"] for pool in step.facts["pools"]])
    return LogText(localize(key, names=names), f"{pools}." if pools else "")


def _movement_dice(step: Step) -> LogText:
    facts = step.facts
    detail = localize(
        "miniatures_combat.log_movement_dice",
        name=step.names.get(facts["slowest"], ""),
        count=facts["dice"],
        modifier=f"{facts['modifier']:+d}",
    )
    return LogText("", detail)


def _move(step: Step) -> str:
    facts = step.facts
    if not facts["allowed"]:
        reasons = " ".join(facts["reasons"])
        return localize("miniatures_combat.log_move_illegal", name=step.name, reasons=reasons)
    if not step.way:
        return localize("miniatures_combat.log_move_stays", name=step.name)
    return localize("miniatures_combat.log_move", name=step.name, inches=inches_text(facts["cost"]))


def _defense(step: Step) -> LogText | str:
    facts = step.facts
    names, needed = {"name": step.name, "target": step.target}, max(1, facts["needed"])
    if not facts["dice"] + facts["bonus"]:
        return localize("miniatures_combat.log_undefended", **names)
    if facts["act"] == "fall back":
        count = facts["dice"] + facts["bonus"]
        return LogText(localize("miniatures_combat.log_fall_back", **names), _pool(count, needed))
    numbers = {"needed": needed, "dice": facts["dice"], "bonus": facts["bonus"]}
    detail = localize("miniatures_combat.log_defense_pool", **numbers)
    return LogText(localize("miniatures_combat.log_defense", **names), detail)


def _pool(count: int, needed: int, bonus: str = "") -> str:
    return localize("miniatures_combat.log_pool_of", count=count, needed=needed, bonus=bonus)


def _defended(step: Step) -> LogText | str:
    facts = step.facts
    rolled = localize(_DICE, dice=step.dice) if step.dice else ""
    if facts["is_success"]:
        rolled = rolled or localize("miniatures_combat.log_defense_automatic")
        return LogText(localize("miniatures_combat.log_defense_succeeds"), rolled)
    if not rolled and not facts["dice"] + facts["bonus"]:
        return localize("miniatures_combat.log_defense_without", target=step.target)
    return LogText(localize("miniatures_combat.log_defense_fails", target=step.target), rolled)


def _strike(step: Step) -> LogText:
    facts = step.facts
    bonus = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
    sentence = localize("miniatures_combat.log_strike", name=step.name, target=step.target)
    return LogText(sentence, _pool(facts["dice"], facts["needed"], bonus))


def _harm(step: Step) -> LogText:
    facts = step.facts
    sentences, detail = [], ""
    if facts["negated"]:
        items = {
            "shield": localize("miniatures_combat.item_shield"),
            "armor": localize("miniatures_combat.item_armor"),
        }
        named = ", ".join(items[item] for item in facts["negated"])
        sentences.append(localize("miniatures_combat.log_negated", target=step.target, items=named))
    if facts["result"] != "negated":
        numbers = {"total": facts["total"], "toughness": facts["toughness"]}
        detail = localize("miniatures_combat.log_hits", target=step.target, **numbers)
    results = {
        "slain": localize("miniatures_combat.log_slain", target=step.target),
        "endangered": localize("miniatures_combat.log_endangered", target=step.target),
        "incapacitated": localize("miniatures_combat.log_incapacitated", target=step.target),
    }
    sentences.append(results.get(facts["result"], ""))
    return LogText(" ".join(filter(None, sentences)), detail)


def _arrows(step: Step) -> LogText:
    count, needed = step.facts["dice"], step.facts["needed"]
    targets = step.listed(step.facts["targets"])
    sentence = localize("miniatures_combat.log_arrows", side=step.side, targets=targets, count=count)
    return LogText(sentence, localize("miniatures_combat.log_needed", needed=needed))


def _story_roll(step: Step) -> LogText:
    sentence = localize(
        "miniatures_combat.log_story_roll", side=step.side, event=event_name(step.facts["event"])
    )
    numbers = {"dice": step.dice or NO_DICE, "total": step.facts["total"]}
    return LogText(sentence, localize("miniatures_combat.log_story_dice", **numbers))


def _story_event(step: Step) -> str:
    text = step.facts["text"] or localize("miniatures_combat.log_no_text")
    return localize("miniatures_combat.log_story_event", text=text)


def _flee(step: Step) -> LogText:
    facts = step.facts
    names = step.listed(facts["fleeing"])
    sentence = localize("miniatures_combat.log_flee", names=names, inches=facts["distance"])
    return LogText(sentence, localize("miniatures_combat.log_radius", radius=facts["inches"]))


def _push(step: Step) -> LogText:
    facts = step.facts
    sentence = localize("miniatures_combat.log_push", name=step.name, target=step.target)
    return LogText(sentence, _pool(facts["dice"], facts["needed"]))


def _moved_back(step: Step) -> str:
    length = step.facts["length"]
    if not length:
        return localize("miniatures_combat.log_move_stays", name=step.name)
    pushed = "miniatures_combat.log_pushed"
    key = pushed if step.facts["act"] == "push" else "miniatures_combat.log_swept"
    return localize(key, target=step.name, inches=inches_text(length))


def _sweep(step: Step) -> LogText:
    facts = step.facts
    sentence = localize("miniatures_combat.log_sweep", name=step.name)
    return LogText(sentence, _pool(facts["dice"], facts["needed"]))


_HITS = told("miniatures_combat.log_strike_roll", dice=_DICE, count="hits")


def _end_owed(step: Step) -> str:
    return localize("miniatures_combat.log_end_owed", names=step.listed(step.facts["owed"]))


_SENTENCES: dict[str, Row] = {
    "activated": _activated,
    "movement dice": _movement_dice,
    "movement roll": told("miniatures_combat.log_movement_roll", dice=_DICE),
    "move": _move,
    "action": by(
        "act",
        {
            "stand": told("miniatures_combat.log_stand"),
            "mount": told("miniatures_combat.log_mount"),
            "dismount": told("miniatures_combat.log_dismount"),
            "use": told("miniatures_combat.log_use"),
            "climb": told("miniatures_combat.log_climb"),
        },
    ),
    "carry": told("miniatures_combat.log_carry"),
    "defense": _defense,
    "defended": _defended,
    "held in place": told("miniatures_combat.log_held"),
    "strike": _strike,
    "strike roll": _HITS,
    "harm": _harm,
    "wound": either("minion", told("miniatures_combat.log_unconscious"), told("miniatures_combat.log_wound")),
    "arrows": _arrows,
    "arrow hits": _HITS,
    "story points": told("miniatures_combat.log_story_points", count="gained"),
    "story roll": _story_roll,
    "story event": _story_event,
    "stumble": told("miniatures_combat.log_stumble"),
    "named": told("miniatures_combat.log_named"),
    "knocked prone": told("miniatures_combat.log_prone"),
    "unconscious": told("miniatures_combat.log_unconscious"),
    "flee": _flee,
    "captured": either(
        "incapacitated",
        told("miniatures_combat.log_captured_incapacitated"),
        told("miniatures_combat.log_captured"),
    ),
    "push": _push,
    "push roll": either(
        "is_success", told("", dice=_DICE), told("miniatures_combat.log_not_pushed", dice=_DICE)
    ),
    "moved back": _moved_back,
    "sweep": _sweep,
    "sweep roll": told("miniatures_combat.log_sweep_roll", dice=_DICE, count="successes"),
    "end": either("owed", _end_owed, told("miniatures_combat.log_end")),
    "next turn": told("miniatures_combat.log_next_turn"),
    "victory": told("miniatures_combat.log_victory"),
}
