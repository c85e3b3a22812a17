"""The log: each roll with what it needed, and every reason, also those that cancel (SRD-088)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from enfilade.i18n import localize
from enfilade.rules.kit import Step, narrate_steps
from enfilade.rules.tell import LogText
from enfilade.scene.events import AnyEvent, DiceRolled
from enfilade.scene.model import Scene


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, lambda *_: "")


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return " ".join(str(face) for roll in rolled for face in roll.faces)


def _with_dice(text: str, step: Step) -> LogText:
    return LogText(text, localize("fifth_edition.detail_dice", dice=step.dice) if step.dice else "")


def _attack(step: Step, kind: str) -> LogText:
    facts = step.facts
    names = {"name": step.name, "target": step.target, "weapon": facts["weapon"]}
    details = [localize("fifth_edition.detail_needed", needed=facts["needed"])]
    details.append(", ".join(facts["reasons"]) + ".")
    details += [
        localize(f"fifth_edition.detail_{side}", reasons="; ".join(facts[f"{side}s"]))
        for side in ("advantage", "disadvantage")
        if facts[f"{side}s"]
    ]
    return LogText(localize(f"fifth_edition.log_{kind}", **names), " ".join(details))


def _hit(step: Step) -> LogText:
    key = "fifth_edition.log_critical" if step.facts["result"] == "critical" else "fifth_edition.log_hit"
    return _with_dice(localize(key, target=step.target, damage=step.facts["damage"]), step)


def _miss(step: Step) -> LogText:
    return _with_dice(localize("fifth_edition.log_miss"), step)


def _effect(step: Step) -> LogText:
    names = step.listed(step.facts["caught"]) or localize("fifth_edition.log_no_one")
    text = localize("fifth_edition.log_effect", name=step.name, effect=step.facts["weapon"], names=names)
    return LogText(text)


def _save(step: Step) -> LogText:
    key = f"fifth_edition.log_{step.facts['result']}"
    return _with_dice(localize(key, name=step.name, damage=step.facts["damage"]), step)


def _grip(step: Step) -> LogText:
    return _with_dice(localize(f"fifth_edition.log_grip_{step.facts['result']}", target=step.target), step)


def _move(step: Step) -> str:
    return " ".join([localize("fifth_edition.log_move", name=step.name), *step.facts["reasons"]])


def _check(step: Step) -> LogText:
    return _with_dice(localize(f"fifth_edition.log_check_{step.facts['result']}", name=step.name), step)


def _rider(step: Step) -> str:
    state = localize(f"fifth_edition.condition_{step.facts['state']}")
    return localize("fifth_edition.log_rider", name=step.name, state=state)


_TOLD = (
    *("begin", "end", "dash", "disengage", "dodge", "help", "aid", "first_aid", "hide", "ready", "utilize"),
    *(
        "influence",
        "study",
        "interact",
        "grapple",
        "shove",
        "shove_away",
        "escape",
        "let_go",
        "stand",
        "drop",
    ),
    *("rise", "jump", "high_jump", "mount", "dismount", "falls", "knocked_out", "dies", "stable", "heals"),
    *("fortitude", "death_save", "resists", "parry", "graze", "drops", "lands", "recharge", "recovers"),
    *("search", "douse", "unfocus", "burns"),
)
_BLOWS = ("attack", "offhand", "cleave", "opportunity", "readied", "legendary")


def _told(kind: str) -> Callable[[Step], LogText]:
    def tell(step: Step) -> LogText:
        values = {name: step.facts.get(name) for name in ("total", "damage", "feet", "hands", "weapon")}
        names = {"name": step.name, "target": step.target}
        return _with_dice(localize(f"fifth_edition.log_{kind}", **names, **values), step)

    return tell


_SENTENCES: Mapping[str, Callable[[Step], LogText | str]] = {
    **{kind: _told(kind) for kind in _TOLD},
    **{kind: partial(_attack, kind=kind) for kind in _BLOWS},
    "effect": _effect,
    "check": _check,
    "rider": _rider,
    "move": _move,
    "hit": _hit,
    "miss": _miss,
    "save": _save,
    "grip": _grip,
}
