"""Saves and checks: one d20 with the reasons of its creature (SRD-062, SRD-153, SRD-161, SRD-162)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.d20 import passes, roll_d20
from enfilade.rules.procedures import Call, Change, Steps, set_condition, set_track, yes_or_no
from enfilade.rulesets.fifth_edition.battlefield import is_pressed
from enfilade.rulesets.fifth_edition.profiles import Ability, creature_in
from enfilade.rulesets.fifth_edition.terms import is_afraid
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

IMPOSSIBLE = 1_000
"""A difficulty that no save reaches."""


def save_edge(scene: Scene, target: Token, ability: Ability, difficulty: int) -> tuple[int, int]:
    """Return the mode of a save and its difficulty; one that fails by itself cannot be reached (SRD-151)."""
    creature = creature_in(scene, target)
    states = creature.states
    is_helpless = states & {"paralyzed", "petrified", "stunned", "unconscious"}
    if (ability in ("str", "dex") and is_helpless) or creature.is_object:
        return 0, IMPOSSIBLE
    dodges = ability == "dex" and creature.is_dodging
    held = ability == "dex" and ("restrained" in states or is_pressed(scene, target))
    return int(dodges or creature.is_frenzied) - int(held or creature.is_worn(3)), difficulty


def save(scene: Scene, target: str, ability: Ability, difficulty: int, bonus: int = 0) -> Steps:
    """Save against a difficulty (SRD-161); return the scene and whether the save is made.

    A failed save may be made by a legendary resistance (SRD-182).
    """
    token = scene.token(target)
    creature = creature_in(scene, token)
    mode, needed = save_edge(scene, token, ability, difficulty)
    label = localize("fifth_edition.roll_save", name=token.name)
    is_made = yield Call(passes, (label, creature.save(ability) + bonus, needed, mode))
    left = creature.profile.legendary_resistance - token.track("resisted")
    if is_made or left <= 0:
        return scene, is_made
    question = localize("fifth_edition.ask_resist", name=token.name, left=left)
    if (yield yes_or_no(token.side, question, True, target)) != "yes":
        return scene, False
    yield Change(Explained(kind="resists", facts={"token": target}))
    scene = yield set_track(scene, target, "resisted", token.track("resisted") + 1)
    return scene, True


def check(scene: Scene, token_id: str, label: str, bonus: int, difficulty: int) -> Steps:
    """Make a check (SRD-062, SRD-147, SRD-153); return the scene and whether it reaches the difficulty."""
    scene, mode, text = yield from _before_check(scene, token_id, label)
    bonus -= creature_in(scene, scene.token(token_id)).tired
    is_made = yield Call(passes, (text, bonus, difficulty, mode))
    facts = {"token": token_id, "result": "success" if is_made else "failure"}
    yield Change(Explained(kind="check", facts=facts))
    return scene, is_made


def check_total(scene: Scene, token_id: str, label: str, bonus: int, is_dim: bool = False) -> Steps:
    """Make a check, with disadvantage in dim light (SRD-105); return the scene and the total."""
    scene, mode, text = yield from _before_check(scene, token_id, label, is_dim)
    face = yield Call(roll_d20, (text, mode))
    return scene, face + bonus - creature_in(scene, scene.token(token_id)).tired


def _before_check(scene: Scene, token_id: str, label: str, is_dim: bool = False) -> Steps:
    """Spend what helps a check; return the scene, the mode and the text of the roll."""
    token = scene.token(token_id)
    one = creature_in(scene, token)
    helps = token.has("aided")
    hinders = "poisoned" in one.states or is_afraid(scene, one) or one.is_worn(1) or is_dim
    if token.has("aided"):
        scene = yield set_condition(scene, token_id, "aided", None)
    return scene, int(helps) - int(hinders), localize(f"fifth_edition.roll_{label}")
