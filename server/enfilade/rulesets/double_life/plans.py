"""The choices of a character before a round, in secret and at the same time (DBL-003, DBL-011 to DBL-021)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.battle import known_scene
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.procedures import Answer, Choose, ChooseAll, Matchup, Steps
from enfilade.rules.tell import cell_name
from enfilade.rulesets.double_life.battlefield import (
    DIRECTIONS,
    SideName,
    battlefield,
    direction_of,
)
from enfilade.rulesets.double_life.movement import approach, flights, free_moves, nearest_enemy
from enfilade.rulesets.double_life.profiles import Character, Weapon, read_character
from enfilade.rulesets.double_life.sight import can_reach_with_second_life
from enfilade.scene.model import Scene

StanceKind = Literal["attack", "defend", "focus", "flee", "none"]

COVERED: tuple[SideName, ...] = ("front", "left", "right")
"""The sides that a defender may cover; never the back (DBL-014, DBL-015, DBL-047)."""

MOST_KEY = 64
"""The longest key of an answer."""

MANY_TARGETS = 8
"""Up to so many targets in reach, any group of them is offered; beyond, one of them or all."""

COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""The names of the eight directions; north is up the board."""

_TURNS = {
    name: (Answer(name, localize(f"double_life.facing_{name.replace('-', '_')}")), direction)
    for direction, name in enumerate(COMPASS)
}
"""The answers that turn to a direction."""

STAY, KEEP = "stay", "keep"
"""The answers that keep the place and the facing."""


class Stance(NamedTuple):
    """The part of a plan that is for phase 2.

    An attack has a weapon and one or more targets; a focus has one target. A defense covers a side, and may
    be lent to the ally `guarded`.
    """

    kind: StanceKind
    weapon: Weapon | None = None
    targets: tuple[str, ...] = ()
    side: SideName = "front"
    guarded: str = ""
    is_second_life: bool = False

    @property
    def concerned(self) -> tuple[str, ...]:
        """Return the characters that the stance is about."""
        return (*self.targets, *filter(None, [self.guarded]))


class Plan(NamedTuple):
    """The choice of a character for a round: its stance, and the place and facing that it moves to."""

    stance: Stance
    place: Cell | None = None
    direction: int | None = None

    @property
    def is_flight(self) -> bool:
        """Return whether the character flees instead of attacking or defending (DBL-019)."""
        return self.stance.kind == "flee"


NO_PLAN = Plan(Stance("none"))
"""The plan of a character that cannot act."""

Options = Mapping[str, tuple[Answer, Stance]]


def is_able(character: Character) -> bool:
    """Return whether a character chooses in the next round: on the board, and on its feet (DBL-009)."""
    return character.token.at is not None and not character.is_fallen


# Stances


@per_scene
def stances(scene: Scene, character: Character) -> Options:
    """Return the stances that a character may choose, by the key of the answer."""
    known = known_scene(scene, character.id)
    found: dict[str, tuple[Answer, Stance]] = {}
    for key, label, stance in (
        *_attacks(known, character),
        *_defenses(known, character),
        *_focuses(known, character),
    ):
        short = key if len(key) <= MOST_KEY else f"{stance.kind} number {len(found) + 1}"
        found[short] = (Answer(short, label, stance.concerned), stance)
    return found


def attack_types(character: Character) -> list[tuple[Weapon, bool]]:
    """Return the attack types of a character: its weapons, and a second-life that needs no focus.

    Each is with whether it is the second-life (DBL-011, DBL-042).
    """
    weapons = [(weapon, False) for weapon in character.profile.weapons]
    if character.is_doubler and not character.must_focus:
        weapons.append((character.second_life, True))
    return weapons


def targets_of(scene: Scene, character: Character, is_second_life: bool) -> list[Character]:
    """Return the enemies that a character can attack now, with a weapon or with its second-life."""
    battle = battlefield(scene)
    if is_second_life:
        return [one for one in battle.enemies(character) if can_reach_with_second_life(scene, character, one)]
    return [one for one in battle.enemies(character) if battle.can_strike(character, one)]


def _attacks(scene: Scene, character: Character) -> Iterator[tuple[str, str, Stance]]:
    for number, (weapon, is_second_life) in enumerate(attack_types(character), 1):
        targets = targets_of(scene, character, is_second_life)
        for group in _groups(targets):
            ids = tuple(one.id for one in group)
            names = ", ".join(one.name for one in group)
            label = localize("double_life.answer_attack", targets=names, weapon=weapon.name)
            stance = Stance("attack", weapon, ids, is_second_life=is_second_life)
            yield f"attack {number} {','.join(ids)}", label, stance


def _groups(targets: Sequence[Character]) -> Iterator[Sequence[Character]]:
    """Yield the groups of targets on offer: each of them, then groups, or only all if there are many."""
    if len(targets) <= MANY_TARGETS:
        for size in range(1, len(targets) + 1):
            yield from combinations(targets, size)
        return
    yield from ((one,) for one in targets)
    yield targets


def _defenses(scene: Scene, character: Character) -> Iterator[tuple[str, str, Stance]]:
    for side in COVERED:
        yield f"defend {side}", localize(f"double_life.answer_defend_{side}"), Stance("defend", side=side)
    for ally in adjacent_allies(scene, character):
        label = localize("double_life.answer_guard", name=ally.name)
        yield f"guard {ally.id}", label, Stance("defend", guarded=ally.id)


def adjacent_allies(scene: Scene, character: Character) -> list[Character]:
    """Return the allies next to a character, which it may defend (DBL-049, DBL-050)."""
    battle = battlefield(scene)
    near = {*battle.around(character), *battle.cells(character)}
    return [
        one
        for one in battle.units
        if one.id != character.id
        and battle.are_allies(one, character)
        and not near.isdisjoint(battle.cells(one))
        and not one.is_fallen
    ]


def _focuses(scene: Scene, character: Character) -> Iterator[tuple[str, str, Stance]]:
    if not character.must_focus:
        return
    targets = targets_of(scene, character, is_second_life=True)
    if not targets:
        alone = Stance("focus", character.second_life)
        yield "focus", localize("double_life.answer_focus_alone"), alone
    for one in targets:
        label = localize("double_life.answer_focus", target=one.name)
        yield f"focus {one.id}", label, Stance("focus", character.second_life, (one.id,), is_second_life=True)


def default_stance(scene: Scene, character: Character) -> str:
    """Return the key of the stance that automatic seats take.

    It attacks the weakest enemy in reach with the weapon that does most damage, or focuses on the weakest,
    or defends the front. With little poise among several enemies it defends every other round.
    """
    known, options = known_scene(scene, character.id), stances(scene, character)
    engaged = battlefield(known).engaged(character)
    is_shaken = character.poise <= 1 and len(engaged) > 1
    if is_shaken and scene.track("round") % 2:
        return "defend front"

    def rank(key: str) -> tuple[float, int]:
        stance = options[key][1]
        target = read_character(known.token(stance.targets[0]))
        return mean_damage(stance.weapon), -target.health

    for kind in ("attack", "focus"):
        single = [key for key, (_, s) in options.items() if s.kind == kind and len(s.targets) == 1]
        if single:
            return max(single, key=rank)
    return "defend front"


def mean_damage(weapon: Weapon | None) -> float:
    """Return the mean damage of a weapon; 0 without one."""
    return weapon.dice * (weapon.sides + 1) / 2 + weapon.bonus if weapon else 0


# Movement


@per_scene
def places(scene: Scene, character: Character) -> Mapping[str, tuple[Answer, Cell]]:
    """Return the places that a character may choose: where it stands, a few steps away, or in flight."""
    known, at = known_scene(scene, character.id), character.token.at
    assert at is not None
    found = {STAY: (Answer(STAY, localize("double_life.answer_stay")), at)}
    for cell in sorted(free_moves(known, character)):
        key = f"move {cell[0]},{cell[1]}"
        found[key] = (Answer(key, localize("double_life.answer_move", place=cell_name(cell)), at=cell), cell)
    for cell in sorted(flights(known, character)):
        key = f"flee {cell[0]},{cell[1]}"
        found[key] = (Answer(key, localize("double_life.answer_flee", place=cell_name(cell)), at=cell), cell)
    return found


def default_place(scene: Scene, character: Character) -> str:
    """Return the key of the place that automatic seats take: toward the nearest enemy, or none."""
    known = known_scene(scene, character.id)
    cell = approach(known, character)
    return f"move {cell[0]},{cell[1]}" if cell else STAY


def facings(scene: Scene, character: Character) -> dict[str, tuple[Answer, int]]:
    """Return the facings that a character may choose; a surrounded one keeps its own (DBL-017, DBL-018)."""
    known, own = known_scene(scene, character.id), direction_of(character.token)
    found = {KEEP: (Answer(KEEP, localize("double_life.answer_keep")), own)}
    return found if battlefield(known).is_held(character) else found | _TURNS


def default_facing(scene: Scene, character: Character) -> str:
    """Return the key of the facing that automatic seats take: toward the nearest enemy."""
    known = known_scene(scene, character.id)
    enemy, at = nearest_enemy(known, character), character.token.at
    if enemy is None or enemy.token.at is None or at is None or enemy.token.at == at:
        return KEEP
    if battlefield(known).is_surrounded(character):
        return KEEP
    across, down = enemy.token.at[0] - at[0], enemy.token.at[1] - at[1]
    best = max(range(8), key=lambda d: _turned_to(DIRECTIONS[d], across, down))
    return COMPASS[best]


def _turned_to(direction: Cell, across: int, down: int) -> float:
    along = direction[0] * across + direction[1] * down
    return along * abs(along) / (direction[0] ** 2 + direction[1] ** 2)


# The sealed choice


def ask_plans(scene: Scene, matchup: Matchup) -> Steps:
    """Ask all characters that can act for their plans, in secret and at the same time (DBL-003).

    Each is asked for a stance, a place and a facing; `matchup` has the odds of a plan. Returns the plan of
    each character by its ID.
    """
    able = [one for one in battlefield(scene).units if is_able(one)]
    choices = [choice for one in able for choice in questions(scene, one)]
    answers = (yield ChooseAll(tuple(choices), is_sealed=True, matchup=matchup)) if choices else ()
    given = iter(answers)
    plans = {one.id: NO_PLAN for one in battlefield(scene).units}
    for one in able:
        plans[one.id] = read_plan(scene, one, next(given), next(given), next(given))
    return plans


def questions(scene: Scene, character: Character) -> tuple[Choose, Choose, Choose]:
    """Return the three questions that a character answers before a round."""
    side, name = character.token.side, character.name

    def ask(key: str, answers: Sequence[Answer], default: str) -> Choose:
        return Choose(side, localize(key, name=name), tuple(answers), default, character.id)

    return (
        ask(
            "double_life.ask_stance",
            [answer for answer, _ in stances(scene, character).values()],
            default_stance(scene, character),
        ),
        ask(
            "double_life.ask_place",
            [answer for answer, _ in places(scene, character).values()],
            default_place(scene, character),
        ),
        ask(
            "double_life.ask_facing",
            [answer for answer, _ in facings(scene, character).values()],
            default_facing(scene, character),
        ),
    )


def read_plan(scene: Scene, character: Character, stance: str, place: str, facing: str) -> Plan:
    """Return the plan that three answers make; a character that flees does nothing else (DBL-019)."""
    chosen = Stance("flee") if place.startswith("flee ") else stances(scene, character)[stance][1]
    direction = facings(scene, character)[facing][1]
    return Plan(chosen, places(scene, character)[place][1], direction)
