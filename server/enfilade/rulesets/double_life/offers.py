"""The acts of a character: planned attacks with their odds, the GM's acts, and changes by hand (DBL-036)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.kit.settling import return_to_battle, win_for_last_team
from enfilade.rules.procedures import Act, Steps
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack import (
    AgainstStance,
    attack_refusal,
    single_attack,
    single_second_life,
)
from enfilade.rulesets.double_life.combat.damage import die
from enfilade.rulesets.double_life.laws import LAWS
from enfilade.rulesets.double_life.movement import judge, move
from enfilade.rulesets.double_life.profiles import Character, Weapon, read_character
from enfilade.rulesets.double_life.sight import can_reach_with_second_life
from enfilade.rulesets.double_life.turn import end_combat, start_round
from enfilade.scene.model import Scene, Token

ROUND_STEPS = frozenset(
    ("round", "attack", "poise", "wound", "fall", "footing", "control", "appears", "death", "move", "won")
)
"""The explanations that begin a step of a round: the reveal, each attack, each effect, each move."""

CHOSEN = "DBL-003"
"""The rule by which attacks are chosen with the round."""

_STRIKES = frozenset({"strikes"})

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "attack": ActKind(
            localize("double_life.act_attack"),
            single_attack,
            body=AgainstStance,
            planned="DBL-003",
            tags=_STRIKES,
            refusal=attack_refusal,
        ),
        "second-life": ActKind(
            localize("double_life.act_second_life"), single_second_life, planned="DBL-003", tags=_STRIKES
        ),
        "move": ActKind(localize("double_life.act_move"), move, tags=frozenset({"moves"})),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "DBL-023"), body=GroupMove
        ),
        "round": ActKind(localize("double_life.act_round"), start_round, is_gm_only=True, steps=ROUND_STEPS),
        "end": ActKind(localize("double_life.act_end"), end_combat, is_gm_only=True),
    }
)
"""The kinds of act. Attacks are chosen with the round."""


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a character could do, attacks first."""
    if not token.has("out") and token.at is not None:
        for act in _attacks(scene, read_character(token)):
            yield Aim(act, act.weapon)
    yield from (Aim(Act(kind=kind, token=token.id)) for kind in ("round", "end"))


offers = offers_from(ACTS, aims)


def _attacks(scene: Scene, character: Character) -> Iterator[Act]:
    enemies = battlefield(scene).enemies(character)
    for weapon in character.profile.weapons:
        yield from (_attack(character, weapon, enemy) for enemy in enemies)
    if character.is_doubler:
        yield from (_second_life(character, enemy) for enemy in enemies)


def attacks_in_reach(scene: Scene, character: Character, enemy: Character) -> Iterator[Act]:
    """Yield those of the attacks that reach one enemy."""
    if battlefield(scene).can_strike(character, enemy):
        yield from (_attack(character, weapon, enemy) for weapon in character.profile.weapons)
    if character.is_doubler and can_reach_with_second_life(scene, character, enemy):
        yield _second_life(character, enemy)


def _attack(character: Character, weapon: Weapon, enemy: Character) -> Act:
    body = AgainstStance()
    return Act(kind="attack", token=character.id, target=enemy.id, weapon=weapon.name, body=body)


def _second_life(character: Character, enemy: Character) -> Act:
    return Act(kind="second-life", token=character.id, target=enemy.id)


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene."""
    scene = yield from return_to_battle(scene, before, lambda token: read_character(token).health > 0)
    for token in scene.tokens:
        if not token.has("out") and read_character(token).health <= 0:
            scene = yield from die(scene, token.id)
    return (yield from win_for_last_team(scene, before))
