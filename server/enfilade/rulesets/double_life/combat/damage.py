"""The end of a phase: poise, falls, Focus tests and wounds of all at once (DBL-006 to DBL-010, C-20)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.kit.settling import win
from enfilade.rules.procedures import Call, Change, Steps, remove_token, set_condition, set_track
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack_rolls import Band, DiceTest, roll_test
from enfilade.rulesets.double_life.profiles import Character, focus_value, race_of, read_character
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

Difficulty = Literal["easy", "normal", "hard"]

DIFFICULTIES: dict[Difficulty, int] = {"easy": -5, "normal": 0, "hard": 5}
"""What a difficulty adds to the throw of a test (C-2)."""

POISE_EFFECTS: dict[Band, tuple[int, int, int]] = {
    "total failure": (-3, 0, 2),
    "bad": (-2, 0, 1),
    "blah": (-1, 0, 0),
    "so-so": (0, -1, 0),
    "good": (1, -2, 0),
    "excellent": (2, -3, 0),
}
"""The poise of the attacker, the target and the defender by the band (DBL-028 to DBL-033)."""

AGILITY_TESTS: dict[Band, tuple[Difficulty | None, Difficulty | None]] = {
    "total failure": ("normal", None),
    "bad": ("easy", None),
    "blah": (None, None),
    "so-so": (None, None),
    "good": (None, "normal"),
    "excellent": (None, "hard"),
}
"""The Agility tests of the attacker and the target instead, without the rule of poise (C-5)."""


@dataclass
class Tally:
    """The effects of a phase on each character, to apply at its end."""

    poise: dict[str, int] = field(default_factory=dict)
    damage: dict[str, int] = field(default_factory=dict)
    agility: list[tuple[str, Difficulty]] = field(default_factory=list)
    focus: list[str] = field(default_factory=list)
    appeared: list[str] = field(default_factory=list)

    def add_attack(self, attacker: str, target: str, defender: str, band: Band) -> None:
        """Add the effects on footing of an attack; `defender` is empty if no one defended."""
        for token, change in zip((attacker, target, defender), POISE_EFFECTS[band], strict=True):
            if token and change:
                self.poise[token] = self.poise.get(token, 0) + change
        of_attacker, of_target = AGILITY_TESTS[band]
        for token, difficulty in ((attacker, of_attacker), (target, of_target)):
            if difficulty:
                self.agility.append((token, difficulty))

    def add_damage(self, target: str, damage: int) -> None:
        """Add the damage of an attack."""
        self.damage[target] = self.damage.get(target, 0) + damage


def roll_agility(scene: Scene, character: Character, difficulty: Difficulty) -> Steps:
    """Test Agility. Returns whether it passes: a result of 0 or more (DBL-010, C-2, C-3)."""
    modifier = DIFFICULTIES[difficulty]
    if setting(scene, house_rules.DIFFICULTY) == "as written":
        modifier = -modifier
    test = DiceTest(character.id, "agility", character.value("agility") - modifier, race_of(scene, character))
    return (yield Call(roll_test, (test,))) >= 0


def roll_focus(scene: Scene, character: Character) -> Steps:
    """Test Focus + Will. Returns whether it passes: a result of 0 or more (DBL-045, C-3, C-13)."""
    test = DiceTest(character.id, "focus", focus_value(scene, character), race_of(scene, character))
    return (yield Call(roll_test, (test,))) >= 0


def apply_tally(scene: Scene, tally: Tally) -> Steps:
    """Apply the effects of a phase on all characters at once; return the scene (DBL-035, DBL-036, C-20)."""
    ids = [one.id for one in battlefield(scene).units]
    unstable = yield from find_falls(scene, tally)
    for token_id in dict.fromkeys(tally.appeared):
        yield Change(Explained(kind="appears", facts={"token": token_id}))
        scene = yield set_condition(scene, token_id, "second-life")
    for token_id in tally.focus:
        scene = yield from _keep_control(scene, token_id)
    if is_on(scene, house_rules.POISE):
        for token_id in ids:
            scene = yield from _change_poise(scene, token_id, tally.poise.get(token_id, 0))
    for token_id in ids:
        scene = yield from _wound(scene, token_id, tally.damage.get(token_id, 0))
    for token_id in unstable:
        if not scene.token(token_id).has("out"):
            scene = yield from fall(scene, token_id)
    return scene


def find_falls(scene: Scene, tally: Tally) -> Steps:
    """Return the characters that lose their footing: those without poise, or that fail an Agility test."""
    on_feet = [one for one in battlefield(scene).units if not one.is_fallen]
    if is_on(scene, house_rules.POISE):
        return [one.id for one in on_feet if one.poise + tally.poise.get(one.id, 0) <= 0]
    fallen: list[str] = []
    for token_id, difficulty in tally.agility:
        one = next((each for each in on_feet if each.id == token_id), None)
        if one is not None and token_id not in fallen:
            is_steady = yield from roll_agility(scene, one, difficulty)
            if not is_steady:
                fallen.append(token_id)
    return fallen


def _change_poise(scene: Scene, token_id: str, change: int) -> Steps:
    """Change the poise of a character between 0 and its start; return the scene (DBL-006, DBL-007, C-8)."""
    one = read_character(scene.token(token_id))
    left = max(0, min(one.starting_poise, one.poise + change))
    if one.is_fallen or left == one.poise:
        return scene
    facts = {"token": token_id, "change": left - one.poise, "left": left}
    yield Change(Explained(kind="poise", facts=facts))
    return (yield set_track(scene, token_id, "poise", left))


def fall(scene: Scene, token_id: str) -> Steps:
    """Let a character fall in this round; return the scene (DBL-008, DBL-009, C-21)."""
    yield Change(Explained(kind="fall", facts={"token": token_id}))
    return (yield set_condition(scene, token_id, "fallen", str(scene.track("round"))))


def stand_up(scene: Scene, token_id: str) -> Steps:
    """Let a fallen character test Agility to regain its footing; return the scene (DBL-010, C-21)."""
    one = read_character(scene.token(token_id))
    is_up = yield from roll_agility(scene, one, "normal")
    yield Change(Explained(kind="footing", facts={"token": token_id, "is_up": is_up}))
    if not is_up:
        return scene
    scene = yield set_condition(scene, token_id, "fallen", None)
    if not is_on(scene, house_rules.POISE):
        return scene
    start, kept = one.starting_poise, setting(scene, house_rules.POISE_AFTER_FALL)
    poise = {"half": (start + 1) // 2, "one": 1, "all": start}[str(kept)]
    return (yield set_track(scene, token_id, "poise", poise))


def _keep_control(scene: Scene, token_id: str) -> Steps:
    """Let a character test Focus to keep its second-life; return the scene (DBL-045)."""
    one = read_character(scene.token(token_id))
    if not one.controls_second_life:
        return scene
    is_kept = yield from roll_focus(scene, one)
    yield Change(Explained(kind="control", facts={"token": token_id, "is_kept": is_kept}))
    return scene if is_kept else (yield set_condition(scene, token_id, "second-life", None))


def _wound(scene: Scene, token_id: str, damage: int) -> Steps:
    """Take Health from a character; at 0 it dies and leaves the board. Returns the scene."""
    if damage <= 0:
        return scene
    left = max(0, read_character(scene.token(token_id)).health - damage)
    facts = {"token": token_id, "damage": damage, "left": left}
    yield Change(Explained(kind="wound", facts=facts))
    scene = yield set_track(scene, token_id, "health", left)
    return scene if left else (yield from die(scene, token_id))


def die(scene: Scene, token_id: str) -> Steps:
    """Take a character without Health off the board; return the scene (DBL-036)."""
    yield Change(Explained(kind="death", facts={"token": token_id}))
    token = scene.token(token_id)
    scene = yield remove_token(token, token.facing)
    return (yield set_condition(scene, token_id, "out"))


def settle_victory(scene: Scene) -> Steps:
    """Record the end of the fight if one team, or no one, is left; return the scene."""
    left = battlefield(scene).units
    had_teams = any(not scene.are_allies(scene.tokens[0], token) for token in scene.tokens)
    if (
        scene.has("won")
        or not had_teams
        or any(not scene.are_allies(left[0].token, one.token) for one in left)
    ):
        return scene
    return (yield from win(scene, left[0].token.side if left else ""))
