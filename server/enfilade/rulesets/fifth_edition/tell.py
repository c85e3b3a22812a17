"""A creature and its acts as people read them: the card, the budgets of its turn, its states, and the log.

The log has each roll with what it needed, and every reason, also those that cancel (SRD-088).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from enfilade.i18n import localize
from enfilade.rules.battle.lasting import Lasting, lasting
from enfilade.rules.ruleset import Budget, CardLine, State
from enfilade.rules.sheets import Damage
from enfilade.rules.tell import LogText, Row, Step, by, narrate_steps, told, with_reasons
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import STATES, creature_in, read_creature
from enfilade.rulesets.fifth_edition.weapons import IMPROVISED, UNARMED
from enfilade.scene.events import AnyEvent, DiceRolled
from enfilade.scene.model import Scene, Token

SHOWN = (*STATES, "concentrating", "dying", "dodging", "hidden", "burning", "inspired")
"""The conditions that people know; the others are the turn's, or only the rules need them."""


def budgets(scene: Scene, token: Token) -> Sequence[Budget]:
    """Return what a creature's turn has left; nothing where a tabletop's system plays (SRD-049)."""
    if is_assistant(scene) or not scene.track("round") or token.has("out"):
        return ()
    parts = (("action", "acted"), ("bonus", "bonus"), ("reaction", "reacted"))
    found = [
        Budget(localize(f"fifth_edition.budget_{name}"), 0 if token.has(spent) else 1, 1)
        for name, spent in parts
    ]
    if token.track("attacks"):
        most = max(read_creature(token).profile.multiattack, token.track("attacks"))
        found.append(Budget(localize("fifth_edition.budget_attacks"), token.track("attacks"), most))
    most = round(creature_in(scene, token).speed + token.track("extra"))
    left = max(0, round(feet_left(scene, token)))
    return (*found, Budget(localize("fifth_edition.budget_feet"), left, max(most, left)))


def states(scene: Scene, token: Token) -> Sequence[State]:
    """Return a creature's conditions, one for each source, with its end in words."""
    names = {one.id: one.name for one in scene.tokens}
    return tuple(
        State(
            condition=condition,
            source=" ".join(filter(None, (names.get(one.source, one.source), one.effect))),
            ends=_end(one, names),
        )
        for condition, note in token.conditions.items()
        if condition in SHOWN
        for one in lasting(note)
    )


def _end(one: Lasting, names: dict[str, str]) -> str:
    """Return when a condition ends, in words; empty if something else ends it."""
    said = []
    if one.moment:
        name = names.get(one.whose, one.whose)
        said.append(localize(f"fifth_edition.until_{one.moment}", name=name))
    if one.is_held:
        said.append(localize("fifth_edition.until_held", name=names.get(one.source, one.source)))
    if one.difficulty:
        said.append(localize("fifth_edition.until_save", ability=one.save, difficulty=one.difficulty))
    return ", ".join(said)


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card, each with the rule that it is from."""
    one = creature_in(scene, token)
    most = localize("kit.of_most", most=one.maximum)
    lines = [
        CardLine(localize("fifth_edition.card_hp"), str(one.hit_points), most),
        CardLine(localize("fifth_edition.card_ac"), str(one.armor_class), "SRD-083"),
        CardLine(localize("fifth_edition.card_speed"), f"{one.speed:g}", "SRD-011"),
        CardLine(localize("fifth_edition.card_left"), f"{max(0, feet_left(scene, token)):g}", "SRD-012"),
    ]
    lines += [
        CardLine(attack.name, _damage(attack.damage), f"{attack.bonus:+d}")
        for attack in one.attacks.values()
        if attack.name not in (UNARMED, IMPROVISED)
    ]
    if shield := token.track("temp"):
        lines.append(CardLine(localize("fifth_edition.card_temp"), str(shield), "SRD-137"))
    states = [localize("fifth_edition.card_bloodied")] if one.is_bloodied else []
    states += [name for name in STATES if name in one.states]
    if states:
        lines.append(CardLine(localize("fifth_edition.card_states"), ", ".join(states)))
    for name in ("successes", "failures"):
        if token.track(name):
            label = localize(f"fifth_edition.track_{name}")
            lines.append(CardLine(label, str(token.track(name)), "SRD-140"))
    return tuple(lines)


def _damage(parts: Sequence[Damage]) -> str:
    texts = []
    for part in parts:
        dice = f"{part.dice}d{part.sides}" if part.sides else ""
        bonus = f"{part.bonus:+d}" if part.bonus and dice else str(part.bonus or "")
        texts.append(f"{dice}{bonus} {part.type}".strip())
    return ", ".join(texts)


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
