"""The effects of mage foci (the page Mage Foci): spells that are attacks, and other spells.

An attack spell is an `Effect` like a weapon's. Any other spell is a `Spell`. Texts that the published
excerpts cut short are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Act, Change, Outcome, Roll, Steps, set_condition
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.catalog import UNDEAD, Held
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.combat.damage import add_to_track, apply_damage, heal, state_of
from enfilade.rulesets.coup_de_grace.combat.effects import Effect, Hit
from enfilade.rulesets.coup_de_grace.combat.weapons import pull_closer, push_back
from enfilade.rulesets.coup_de_grace.movement_costs import EARTH_REACH, can_step, force_move
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

ANSWERED = 5
"""The needed D6 of a holy symbol or a skull."""

HASTE = 2
STORM_REACH = 6


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell as it is cast: the caster, its act, and the target if there is one."""

    battle: Battlefield
    caster: Fighter
    act: Act
    target: Fighter | None

    @property
    def victim(self) -> Fighter:
        """Return the target. The spell must have one."""
        assert self.target is not None
        return self.target


Needs = Literal["nothing", "target", "waiting ally", "target and cell", "facing"]


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell that is not an attack: the parts that its act must name, its effect, and its sentence.

    `effect` is called with the cast and the scene. It returns the scene after it and the outcome. `area` has
    the IDs of the miniatures in the spell's area, if it has one.
    """

    needs: Needs
    effect: Callable[[Cast, Scene], Steps]
    sentence: str
    area: Callable[[Cast], Sequence[str]] | None = None


# Attacks


def _chill(hit: Hit) -> Steps:
    """Take 1 movement point of the victim until the end of the round."""
    return (yield add_to_track(hit.scene, hit.strike.target.id, "slowed", 1))


def _crystal(strike: Strike) -> int | None:
    return {"unarmored": 5, "heavy": 3}.get(strike.target.profile.armor)


LEFT_FIST_QUALITY = localize("coup_de_grace.effect_left_fist_quality")

FORCE_FIST = Effect(
    sentence=localize("coup_de_grace.effect_force_fist"),
    damage=lambda _, __: 1,
)

ATTACKS: dict[Held, Effect] = {
    "blast staff": Effect(sentence=localize("coup_de_grace.effect_blast_staff"), on_hit=push_back),
    "crystal": Effect(
        sentence=localize("coup_de_grace.effect_crystal"),
        base_defense=_crystal,
    ),
    "mage claw": Effect(sentence=localize("coup_de_grace.effect_mage_claw"), on_hit=pull_closer),
    "mage left fist": FORCE_FIST,
    "mage right fist": FORCE_FIST,
    "mage right open hand": Effect(
        sentence=localize("coup_de_grace.effect_mage_right_open_hand"),
        on_hit=_chill,
    ),
}


# Other spells


def _ward(cast: Cast, scene: Scene) -> Steps:
    scene = yield set_condition(scene, cast.caster.id, "warded")
    yield Change(Explained(kind="warded", facts={"target": cast.caster.id}))
    return scene, Outcome("warded")


def _hasten(cast: Cast, scene: Scene) -> Steps:
    scene = yield add_to_track(scene, cast.victim.id, "hastened", HASTE)
    yield Change(Explained(kind="hastened", facts={"target": cast.victim.id}))
    return scene, Outcome("hastened")


def _move_target(cast: Cast, scene: Scene) -> Steps:
    """Move the target of a force orb one square and turn it."""
    victim, there = cast.victim, cast.act.at
    assert there is not None
    facing = victim.token.facing if cast.act.facing is None else cast.battle.nearest_facing(cast.act.facing)
    turned = None if victim.is_downed else facing
    scene, _ = yield from displace(scene, victim.id, there, "spell", battlefield, facing=turned)
    yield Change(Explained(kind="spirited", facts={"target": victim.id}))
    return scene, Outcome("moved")


def _pray(cast: Cast, scene: Scene) -> Steps:
    return (yield from _answer_prayer(cast, scene, heals_undead=False))


def _curse(cast: Cast, scene: Scene) -> Steps:
    return (yield from _answer_prayer(cast, scene, heals_undead=True))


def _answer_prayer(cast: Cast, scene: Scene, heals_undead: bool) -> Steps:
    """Heal or harm on a 5 or 6, by whether the target is undead."""
    (face,) = yield Roll(localize("coup_de_grace.roll_prayer"), D6)
    result = "answered" if face >= ANSWERED else "unheard"
    scene = yield Change(
        Explained(kind="prayer", facts={"needed": ANSWERED, "total": face, "result": result})
    )
    if face < ANSWERED:
        return scene, Outcome("unheard")
    return (yield from _touch(cast, scene, heals_undead))


def _staff_of_death(cast: Cast, scene: Scene) -> Steps:
    return (yield from _touch(cast, scene, heals_undead=True))


def _touch(cast: Cast, scene: Scene, heals_undead: bool) -> Steps:
    victim = cast.victim
    before = victim.hit_points
    if (victim.race in UNDEAD) == heals_undead:
        scene = yield from heal(scene, victim.id)
        word = "healed"
    else:
        scene = yield from apply_damage(scene, victim.id, 1)
        word = "harmed"
    after = battlefield(scene).fighter(victim.id).hit_points
    facts = {"result": word, "damage": max(0, before - after), "hit_points": [before, after]}
    scene = yield Change(Explained(kind="touched", facts=facts))
    return scene, Outcome(word, max(0, before - after), state_of(scene, victim.id))


def _storm(cast: Cast, scene: Scene) -> Steps:
    """Move all other miniatures within 6 squares one square in one direction, the foremost first."""
    facing = cast.battle.nearest_facing(cast.act.facing)
    assert facing is not None
    has_moved = False
    for one in _foremost_first(cast, facing):
        assert one.token.at is not None
        there = cast.battle.cell_toward(one.token.at, facing)
        if can_step(battlefield(scene), one.token.at, there):
            scene = yield from force_move(scene, one.id, there, "blown")
            has_moved = True
    if not has_moved:
        yield Change(Explained(kind="calm", facts={}))
    return scene, Outcome("blown" if has_moved else "nothing")


def _near(cast: Cast, reach: int) -> list[Fighter]:
    """Return all other miniatures within so many squares of the caster."""
    at = cast.caster.token.at
    others = [one for one in cast.battle.on_board if one.id != cast.caster.id]
    return [one for one in others if at and one.token.at and _steps(cast, at, one.token.at) <= reach]


def _in_storm(cast: Cast) -> Sequence[str]:
    return [one.id for one in _near(cast, STORM_REACH)]


def _on_slow_ground(cast: Cast) -> Sequence[str]:
    near = _near(cast, EARTH_REACH)
    return [one.id for one in near if not cast.battle.are_allies(cast.caster, one)]


def _foremost_first(cast: Cast, facing: int) -> list[Fighter]:
    near = _near(cast, STORM_REACH)
    dx, dy = cast.battle.board.direction(facing)

    def how_far(one: Fighter) -> int:
        assert one.token.at is not None
        x, y = cast.battle.board.center(one.token.at)
        return dx * x + dy * y

    return sorted(near, key=how_far, reverse=True)


def _steps(cast: Cast, a: Cell, b: Cell) -> int:
    return cast.battle.board.distance(a, b)


def _slow_enemies(cast: Cast, scene: Scene) -> Steps:
    scene = yield set_condition(scene, cast.caster.id, "earth")
    yield Change(Explained(kind="earth", facts={"target": cast.caster.id}))
    return scene, Outcome("earth")


SPELLS: dict[Held, Spell] = {
    "mage left open hand": Spell("nothing", _ward, localize("coup_de_grace.effect_mage_left_open_hand")),
    "mage left pointing hand": Spell(
        "waiting ally", _hasten, localize("coup_de_grace.effect_mage_left_pointing_hand")
    ),
    "force orb": Spell("target and cell", _move_target, localize("coup_de_grace.effect_force_orb")),
    "holy symbol": Spell("target", _pray, localize("coup_de_grace.effect_holy_symbol")),
    "skull": Spell("target", _curse, localize("coup_de_grace.effect_skull")),
    "air staff": Spell("facing", _storm, localize("coup_de_grace.effect_air_staff"), _in_storm),
    "death staff": Spell("target", _staff_of_death, localize("coup_de_grace.effect_death_staff")),
    "earth staff": Spell(
        "nothing", _slow_enemies, localize("coup_de_grace.effect_earth_staff"), _on_slow_ground
    ),
}
