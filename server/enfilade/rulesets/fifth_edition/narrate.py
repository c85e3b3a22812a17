"""The log: each roll with what it needed, and every reason, also those that cancel (SRD-088)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from enfilade.i18n import localize
from enfilade.rules.tell import LogText, Row, Step, by, narrate_steps, told, with_reasons
from enfilade.scene.events import AnyEvent, DiceRolled
from enfilade.scene.model import Scene


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each step of an act, from the scene before it and its events."""
    return narrate_steps(scene, events, _SENTENCES, _dice, lambda *_: "")


def _dice(rolled: Sequence[DiceRolled]) -> str:
    return " ".join(str(face) for roll in rolled for face in roll.faces)


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


def _effect(step: Step) -> LogText:
    names = step.listed(step.facts["caught"]) or localize("fifth_edition.log_no_one")
    text = localize("fifth_edition.log_effect", name=step.name, effect=step.facts["weapon"], names=names)
    return LogText(text)


def _rider(step: Step) -> str:
    state = localize(f"fifth_edition.condition_{step.facts['state']}")
    return localize("fifth_edition.log_rider", name=step.name, state=state)


_TOLD = (
    *("begin", "end", "dash", "disengage", "dodge", "help", "aid", "first_aid", "hide", "ready", "utilize"),
    *("influence", "study", "interact", "grapple", "shove", "shove_away", "escape", "let_go", "stand"),
    *("rise", "jump", "high_jump", "mount", "dismount", "falls", "knocked_out", "dies", "stable", "heals"),
    *("fortitude", "death_save", "resists", "parry", "graze", "drops", "lands", "recharge", "recovers"),
    *("search", "douse", "unfocus", "burns", "drop", "miss"),
)
_BLOWS = ("attack", "offhand", "cleave", "opportunity", "readied", "legendary")


def _told(kind: str) -> Row:
    return told(f"fifth_edition.log_{kind}", dice="fifth_edition.detail_dice")


_SENTENCES: Mapping[str, Row] = {
    **{kind: _told(kind) for kind in _TOLD},
    **{kind: partial(_attack, kind=kind) for kind in _BLOWS},
    "effect": _effect,
    "rider": _rider,
    "move": with_reasons("fifth_edition.log_move"),
    "hit": by("result", {"critical": _told("critical")}, _told("hit")),
    "save": by("result", {one: _told(one) for one in ("saved", "failed")}),
    "grip": by("result", {one: _told(f"grip_{one}") for one in ("saved", "failed")}),
    "check": by("result", {one: _told(f"check_{one}") for one in ("success", "failure")}),
}
