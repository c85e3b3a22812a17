"""What players read: the card of a model, and the log text of an act (MNC-002 to MNC-004, MNC-119)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.allocations import read_split
from enfilade.rules.kit import Step, narrate_steps
from enfilade.rules.ruleset import CardLine
from enfilade.rules.tell import LogText
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.defense import FALL_BACK_DIFFICULTY, bonus_dice
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
    fighter = read_fighter(token)
    needed = defense_difficulty(scene, fighter)
    lines = [
        CardLine(
            localize("miniatures_combat.card_level"),
            str(fighter.level),
            localize("miniatures_combat.card_minion") if fighter.profile.minion else "",
        ),
        CardLine(
            localize("miniatures_combat.card_hits"),
            localize("miniatures_combat.card_hits_of", hits=token.track("hits"), level=fighter.level),
            localize("miniatures_combat.card_wounds", count=fighter.wounds) if fighter.wounds else "",
        ),
        CardLine(
            localize("miniatures_combat.card_defense"),
            f"{needed}+",
            localize("miniatures_combat.card_fall_back", needed=needed + FALL_BACK_DIFFICULTY),
        ),
        CardLine(localize("miniatures_combat.card_weapon"), _weapon(fighter), _gear(fighter)),
        *_own_dice(scene, fighter),
        CardLine(
            localize("miniatures_combat.card_story"),
            str(scene.side(token.side).track("story")),
        ),
        *(CardLine(CONDITIONS[name], token.conditions[name]) for name in SHOWN if token.has(name)),
    ]
    return tuple(lines)


def _weapon(fighter: Fighter) -> str:
    reach = localize("miniatures_combat.card_reach", inches=fighter.reach // INCH)
    return f"{fighter.profile.weapon}, {reach}"


def _gear(fighter: Fighter) -> str:
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


NO_DICE = "-"
"""The dice of a step without a roll."""


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, _other)


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return " ".join([str(face) for roll in rolled for face in roll.faces]) or NO_DICE


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


def _movement_roll(step: Step) -> LogText:
    sentence = localize("miniatures_combat.log_movement_roll", inches=step.facts["inches"])
    return LogText(sentence, _shown_dice(step))


def _shown_dice(step: Step) -> str:
    return "" if step.dice == NO_DICE else localize("miniatures_combat.log_dice", dice=step.dice)


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
    return localize("miniatures_combat.log_move", name=step.name, inches=inches_text(facts["cost"] or 0))


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
    if facts["is_success"]:
        if step.dice == NO_DICE:
            automatic = localize("miniatures_combat.log_defense_automatic")
            return LogText(localize("miniatures_combat.log_defense_succeeds"), automatic)
        return LogText(localize("miniatures_combat.log_defense_succeeds"), _shown_dice(step))
    if step.dice == NO_DICE and not facts["dice"] + facts["bonus"]:
        return localize("miniatures_combat.log_defense_without", target=step.target)
    return LogText(localize("miniatures_combat.log_defense_fails", target=step.target), _shown_dice(step))


def _strike(step: Step) -> LogText:
    facts = step.facts
    bonus = "".join(f", {m['value']:+d} {m['reason']}" for m in facts["modifiers"])
    sentence = localize("miniatures_combat.log_strike", name=step.name, target=step.target)
    return LogText(sentence, _pool(facts["dice"], facts["needed"], bonus))


def _strike_roll(step: Step) -> LogText:
    hits = localize("miniatures_combat.log_strike_roll", count=step.facts["hits"])
    return LogText(hits, _shown_dice(step))


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


def _story_points(step: Step) -> str:
    facts = step.facts
    return localize(
        "miniatures_combat.log_story_points", side=step.side, count=facts["gained"], points=facts["points"]
    )


def _story_roll(step: Step) -> LogText:
    facts = step.facts
    event = event_name(facts["event"])
    sentence = localize("miniatures_combat.log_story_roll", side=step.side, event=event)
    return LogText(
        sentence, localize("miniatures_combat.log_story_dice", dice=step.dice, total=facts["total"])
    )


def _story_event(step: Step) -> str:
    text = step.facts["text"] or localize("miniatures_combat.log_no_text")
    return localize("miniatures_combat.log_story_event", text=text)


def _flee(step: Step) -> LogText:
    facts = step.facts
    names = step.listed(facts["fleeing"])
    sentence = localize("miniatures_combat.log_flee", names=names, inches=facts["distance"])
    return LogText(sentence, localize("miniatures_combat.log_radius", radius=facts["inches"]))


def _captured(step: Step) -> str:
    key = "miniatures_combat.log_captured"
    if step.facts["incapacitated"]:
        key = "miniatures_combat.log_captured_incapacitated"
    return localize(key, name=step.name, target=step.target)


def _push(step: Step) -> LogText:
    facts = step.facts
    sentence = localize("miniatures_combat.log_push", name=step.name, target=step.target)
    return LogText(sentence, _pool(facts["dice"], facts["needed"]))


def _push_roll(step: Step) -> LogText:
    stands = (
        "" if step.facts["is_success"] else localize("miniatures_combat.log_not_pushed", target=step.target)
    )
    return LogText(stands, _shown_dice(step))


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


def _sweep_roll(step: Step) -> LogText:
    swept = localize("miniatures_combat.log_sweep_roll", count=step.facts["successes"])
    return LogText(swept, _shown_dice(step))


def _end(step: Step) -> str:
    if not step.facts["owed"]:
        return localize("miniatures_combat.log_end", name=step.name)
    return localize("miniatures_combat.log_end_owed", names=step.listed(step.facts["owed"]))


def _wound(step: Step) -> str:
    if step.facts["minion"]:
        return localize("miniatures_combat.log_unconscious", name=step.name)
    return localize("miniatures_combat.log_wound", name=step.name)


def _action(step: Step) -> str:
    actions = {
        "stand": localize("miniatures_combat.log_stand", name=step.name),
        "mount": localize("miniatures_combat.log_mount", name=step.name),
        "dismount": localize("miniatures_combat.log_dismount", name=step.name),
        "use": localize("miniatures_combat.log_use", name=step.name),
        "climb": localize("miniatures_combat.log_climb", name=step.name),
    }
    return actions[step.facts["act"]]


_SENTENCES: dict[str, Callable[[Step], LogText | str]] = {
    "activated": _activated,
    "movement dice": _movement_dice,
    "movement roll": _movement_roll,
    "move": _move,
    "action": _action,
    "carry": lambda step: localize("miniatures_combat.log_carry", name=step.name, target=step.target),
    "defense": _defense,
    "defended": _defended,
    "held in place": lambda step: localize("miniatures_combat.log_held", name=step.name),
    "strike": _strike,
    "strike roll": _strike_roll,
    "harm": _harm,
    "wound": _wound,
    "arrows": _arrows,
    "arrow hits": _strike_roll,
    "story points": _story_points,
    "story roll": _story_roll,
    "story event": _story_event,
    "stumble": lambda step: localize("miniatures_combat.log_stumble", name=step.name),
    "named": lambda step: localize("miniatures_combat.log_named", side=step.side, name=step.name),
    "knocked prone": lambda step: localize("miniatures_combat.log_prone", name=step.name),
    "unconscious": lambda step: localize("miniatures_combat.log_unconscious", name=step.name),
    "flee": _flee,
    "captured": _captured,
    "push": _push,
    "push roll": _push_roll,
    "moved back": _moved_back,
    "sweep": _sweep,
    "sweep roll": _sweep_roll,
    "end": _end,
    "next turn": lambda step: localize("miniatures_combat.log_next_turn", side=step.side),
    "victory": lambda step: localize("miniatures_combat.log_victory", side=step.side),
}
