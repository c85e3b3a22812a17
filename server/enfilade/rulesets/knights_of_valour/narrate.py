"""The log text of an act: the natural D20, every modifier with its source, the damage dice (KOV-064)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from enfilade.i18n import localize
from enfilade.rulesets.knights_of_valour.turn import NONE
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import Scene


class Step(NamedTuple):
    """An explained step: its facts, the names of the tokens and sides, and the dice rolled for it."""

    facts: dict[str, Any]
    names: dict[str, str]
    dice: str

    @property
    def name(self) -> str:
        """Return the name of the creature that acts or is affected."""
        return self.names.get(self.facts.get("token", ""), "")

    @property
    def target(self) -> str:
        """Return the name of the target."""
        return self.names.get(self.facts.get("target", ""), "")


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    names = {token.id: token.name for token in scene.tokens}
    names |= {f"side {side.id}": side.name for side in scene.sides}
    return " ".join(sentence for sentence in _sentences(scene, names, events) if sentence)


def _sentences(scene: Scene, names: dict[str, str], events: Sequence[AnyEvent]) -> Iterator[str]:
    rolled: list[DiceRolled] = []
    for event in events:
        if isinstance(event, DiceRolled):
            rolled.append(event)
        elif isinstance(event, ChoiceMade) and not event.automatic and event.answer != NONE:
            side, answer = scene.side(event.side).name, _answer(names, event.answer)
            yield localize("knights_of_valour.log_choice", side=side, question=event.question, answer=answer)
        elif isinstance(event, Explained) and event.kind in _SENTENCES:
            dice = "; ".join(f"{roll.label} {' '.join(map(str, roll.faces))}" for roll in rolled)
            yield _SENTENCES[event.kind](Step(event.facts, names, dice))
            rolled.clear()


def _answer(names: dict[str, str], key: str) -> str:
    return localize("rules.no") if key == "no" else names.get(key, key)


def _list(modifiers: Sequence[dict[str, Any]]) -> str:
    """Return modifiers as "+2 Strength, +1 Sword"; those that are 0 or do not count are left out."""
    shown = [m for m in modifiers if m["value"] and m["counts"]]
    listed = ", ".join(f"{m['value']:+d} {m['reason']}" for m in shown)
    return listed or localize("knights_of_valour.log_no_modifiers")


def _declared(step: Step) -> str:
    facts = step.facts
    defense = sum(m["value"] for m in facts["defenses"] if m["counts"])
    parts = ", ".join(
        f"{m['value']:+d} {m['reason']}" if index else f"{m['value']} {m['reason']}"
        for index, m in enumerate(facts["defenses"])
        if m["value"] and m["counts"]
    )
    sentence = localize(
        "knights_of_valour.log_attack",
        name=step.name,
        target=step.target,
        weapon=facts["weapon"],
        modifiers=_list(facts["modifiers"]),
        defense=defense,
        parts=parts,
    )
    if facts["disadvantage"]:
        sentence += " " + localize("knights_of_valour.log_disadvantage", reason=facts["disadvantage"])
    return sentence


def _free_attack(step: Step) -> str:
    named = localize("knights_of_valour.log_free_attack", name=step.name, target=step.target)
    return f"{named} {_declared(step)}"


def _attack_roll(step: Step) -> str:
    key = "knights_of_valour.log_hit" if step.facts["is_hit"] else "knights_of_valour.log_miss"
    return localize(
        key,
        dice=step.dice,
        natural=step.facts["natural"],
        total=step.facts["total"],
        defense=step.facts["defense"],
    )


def _damage(step: Step) -> str:
    facts = step.facts
    return localize(
        "knights_of_valour.log_damage",
        dice=step.dice,
        modifier=f"{facts['modifier']:+d}",
        damage=facts["damage"],
    )


def _wound(step: Step) -> str:
    facts = step.facts
    return localize("knights_of_valour.log_wound", name=step.name, damage=facts["damage"], left=facts["left"])


_HOW = {
    "walk": localize("knights_of_valour.how_walk"),
    "vault": localize("knights_of_valour.how_vault"),
    "leap": localize("knights_of_valour.how_leap"),
    "climb": localize("knights_of_valour.how_climb"),
    "descend": localize("knights_of_valour.how_descend"),
}


def _move(step: Step) -> str:
    facts = step.facts
    if not facts["allowed"]:
        reasons = " ".join(facts["reasons"])
        return localize("knights_of_valour.log_move_illegal", name=step.name, reasons=reasons)
    parts = ", ".join(f"{_HOW[how]} {cost}" for how, cost in facts["sub_actions"])
    if not parts:
        return localize("knights_of_valour.log_placed", name=step.name)
    return localize("knights_of_valour.log_move", name=step.name, cost=facts["cost"], parts=parts)


def _special(step: Step) -> str:
    act = localize(_ACTS[step.facts["act"]])
    if step.target:
        return localize("knights_of_valour.log_special_at", name=step.name, act=act, target=step.target)
    return localize("knights_of_valour.log_special", name=step.name, act=act)


_ACTS = {
    "shove": "knights_of_valour.act_shove",
    "grapple": "knights_of_valour.act_grapple",
    "throw": "knights_of_valour.act_throw",
    "release": "knights_of_valour.act_release",
    "spell": "knights_of_valour.act_spell",
    "search": "knights_of_valour.act_search",
    "use": "knights_of_valour.act_use",
}


def _opposed(step: Step) -> str:
    key = "knights_of_valour.log_opposed_won" if step.facts["wins"] else "knights_of_valour.log_opposed_lost"
    return localize(key, dice=step.dice, name=step.name)


def _round(step: Step) -> str:
    order = ", ".join(
        f"{step.names.get(one['token'], one['token'])} {one['initiative']:+d}" for one in step.facts["order"]
    )
    return localize("knights_of_valour.log_round", number=step.facts["round"], order=order)


def _end(step: Step) -> str:
    following = step.names.get(step.facts["next"], "")
    if not following:
        return localize("knights_of_valour.log_round_over", name=step.name)
    return localize("knights_of_valour.log_end", name=step.name, next=following)


_SENTENCES: dict[str, Callable[[Step], str]] = {
    "declared": _declared,
    "free attack": _free_attack,
    "attack roll": _attack_roll,
    "damage": _damage,
    "wound": _wound,
    "defeated": lambda step: localize("knights_of_valour.log_defeated", name=step.name),
    "won": lambda step: localize("knights_of_valour.log_won", side=step.names[f"side {step.facts['side']}"]),
    "move": _move,
    "stopped": lambda step: localize("knights_of_valour.log_stopped", name=step.name),
    "special": _special,
    "opposed": _opposed,
    "round": _round,
    "intent": lambda step: localize(
        "knights_of_valour.log_intent", name=step.name, intent=step.facts["intent"]
    ),
    "end": _end,
}
