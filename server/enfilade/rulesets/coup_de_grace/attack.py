"""Attacks from the first word to the last: the die, what a hit does, and the words (CDG-047 to CDG-080)."""

from __future__ import annotations

from msgspec.structs import asdict

from enfilade.rules.dice import D6
from enfilade.rules.modifiers import Modifier, total
from enfilade.rules.procedures import Act, Change, Do, Must, Outcome, Roll, Steps, yes_or_no
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.battle import battle_of
from enfilade.rulesets.coup_de_grace.effects import Hit
from enfilade.rulesets.coup_de_grace.legality import (
    is_out_of_reach,
    must_be_legal,
    must_be_on_the_board,
)
from enfilade.rulesets.coup_de_grace.modifiers import (
    attack_modifiers,
    damage_modifiers,
    defence_modifiers,
    effects_of,
    face_modifiers,
)
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.remembered import remembered
from enfilade.rulesets.coup_de_grace.states import set_condition, set_track, state_of, wounded
from enfilade.rulesets.coup_de_grace.strike import Strike, strike_of
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Value

SIX_FACES = (1, 2, 3, 4, 5, 6)


class ToHit(Value, frozen=True):
    """All that the die of an attack depends on.

    Attributes:
        side: who decides about re-rolls.
        needed: what the die must reach with what `lifts` adds to it.
        lifts: what is added to the result for each face of the first die.
        rerolls: (face, by what) that may be rolled again, each once.
        has_naturals: whether 1 always misses and 6 always hits.
    """

    side: str
    needed: int
    lifts: tuple[int, ...]
    rerolls: tuple[tuple[int, str], ...]
    has_naturals: bool

    def lift(self, face: int, is_first: bool) -> int:
        """What is added for a face: nothing once a die has been rolled again."""
        return self.lifts[face - 1] if is_first else 0

    def is_hit(self, face: int, is_first: bool) -> bool:
        """Whether an attack hits (CDG-047)."""
        if self.has_naturals and face in (1, 6):
            return face == 6
        return face + self.lift(face, is_first) >= self.needed


def attack(scene: Scene, act: Act) -> Steps:
    """A melee or ranged attack, or a spell that is one, with all the further attacks it leads to."""
    strike = strike_of(scene, act)
    must_be_on_the_board(strike)
    yield Must(must_be_legal, (strike,))
    yield _declared(strike)
    scene = yield from paid(scene, strike.attacker, strike.weapon, strike.cost)
    return (yield from _blow(scene, strike, 1))


def paid(scene: Scene, one: Fighter, weapon: str, cost: int) -> Steps:
    """Spends the movement points, and notes the weapon and the act (CDG-021, CDG-022, CDG-071)."""
    if not battle_of(scene).is_in_play:
        return scene
    if cost:
        scene = yield set_track(scene, one.id, "mp", max(0, one.token.track("mp") - cost))
    scene = yield set_condition(scene, one.id, "used", ", ".join([*one.noted("used"), weapon]))
    if one.is_downed:
        scene = yield set_condition(scene, one.id, "acted")
    return scene


def _blow(scene: Scene, strike: Strike, number: int) -> Steps:
    """One roll of an attack and what follows it; `number` counts the attacks of one act."""
    aim = to_hit(strike)
    face, rerolled = yield Do(attack_die, (aim,))
    scene = yield from _noted_rerolls(scene, strike.attacker, rerolled)
    is_hit = aim.is_hit(face, not rerolled)
    damage = max(0, 1 + total(damage_modifiers(strike, face))) if is_hit else 0
    yield _told(strike, face, not rerolled, is_hit, damage)
    if is_hit:
        scene = yield from _hit(scene, strike, face, damage)
        outcome = Outcome("hit", damage, state_of(scene, strike.target.id))
    else:
        scene = yield from _missed(scene, strike)
        outcome = Outcome("miss")
    if any(effect.again(strike, face, is_hit, number) for _, effect in effects_of(strike)):
        return (yield from _again(scene, strike, outcome, number))
    return outcome


def _hit(scene: Scene, strike: Strike, face: int, damage: int) -> Steps:
    scene = yield from wounded(scene, strike.target.id, damage)
    for _, effect in effects_of(strike):
        if effect.on_hit:
            left = state_of(scene, strike.target.id)
            scene = yield from effect.on_hit(Hit(strike, face, left, scene))
    return scene


def _missed(scene: Scene, strike: Strike) -> Steps:
    for _, effect in effects_of(strike):
        if effect.on_miss:
            scene = yield from effect.on_miss(strike, scene)
    return scene


def _again(scene: Scene, strike: Strike, so_far: Outcome, number: int) -> Steps:
    """A further attack at the same target, where it can still be made; both together are the outcome."""
    battle = battle_of(scene)
    attacker, target = battle.fighter(strike.attacker.id), battle.fighter(strike.target.id)
    further = Strike(battle, attacker, target, strike.weapon, strike.item, strike.kind)
    if target.is_out or is_out_of_reach(further):
        return so_far
    yield _declared(further)
    then = yield from _blow(scene, further, number + 1)
    if then.result == "miss":
        return so_far
    return Outcome("hit", so_far.damage + then.damage, then.leaves)


def attack_die(aim: ToHit) -> Steps:
    """The face of an attack's D6, and the names of what it was rolled again by."""
    (face,) = yield Roll("attack", D6)
    used: tuple[str, ...] = ()
    while by := next((by for wanted, by in aim.rerolls if wanted == face and by not in used), ""):
        question = f"Re-roll the attack die that shows {face} ({by})?"
        answer = yield yes_or_no(aim.side, question, default=not aim.is_hit(face, not used))
        if answer != "yes":
            break
        (face,) = yield Roll("attack, again", D6)
        used = (*used, by)
    return face, used


@remembered
def to_hit(strike: Strike) -> ToHit:
    """What the die of a strike depends on."""
    attacker, spent = strike.attacker, strike.attacker.noted("rerolled")
    names = (strike.attacker.race, strike.weapon)
    rerolls = [(effect.reroll, name) for name, (_, effect) in zip(names, effects_of(strike), strict=True)]
    return ToHit(
        side=attacker.token.side,
        needed=_needed(strike),
        lifts=tuple(total(face_modifiers(strike, face)) for face in SIX_FACES),
        rerolls=tuple((face, name) for face, name in rerolls if face and name not in spent),
        has_naturals=strike.battle.is_on(rulings.NATURALS),
    )


def _needed(strike: Strike) -> int:
    return total(defences_of(strike)) - total(modifiers_of(strike))


@remembered
def modifiers_of(strike: Strike) -> list[Modifier]:
    """The modifiers of a strike's die."""
    return attack_modifiers(strike)


@remembered
def defences_of(strike: Strike) -> list[Modifier]:
    """What the target's defence value is made of."""
    return defence_modifiers(strike)


def _noted_rerolls(scene: Scene, attacker: Fighter, rerolled: tuple[str, ...]) -> Steps:
    if rerolled and battle_of(scene).is_in_play:
        names = ", ".join([*attacker.noted("rerolled"), *rerolled])
        scene = yield set_condition(scene, attacker.id, "rerolled", names)
    return scene


def _declared(strike: Strike) -> Change:
    """What is known before the die: modifiers, defence, and what the die must show."""
    deed = "coup de grace" if strike.is_coup_de_grace else strike.kind
    facts = {
        "token": strike.attacker.id,
        "target": strike.target.id,
        "act": f"{deed} {strike.item.name}",
        "modifiers": [asdict(m) for m in modifiers_of(strike)],
        "defences": [asdict(m) for m in defences_of(strike)],
        "needed": to_hit(strike).needed,
        "counts": {"cost": strike.cost},
    }
    return Change(Explained(kind="declared", facts=facts))


def _told(strike: Strike, face: int, is_first: bool, is_hit: bool, damage: int) -> Change:
    """The whole attack for the log (CDG-076, CDG-080)."""
    lifts = face_modifiers(strike, face) if is_first else []
    modifiers = [*modifiers_of(strike), *lifts]
    before = strike.target.hit_points
    facts = {
        "modifiers": [asdict(m) for m in modifiers],
        "total": face + total(modifiers),
        "result": "hit" if is_hit else "miss",
        "damage": damage,
        "hit_points": [before, before - damage],
    }
    return Change(Explained(kind="coup_de_grace" if strike.is_coup_de_grace else "attack", facts=facts))
