"""Steps two to seven of an attack, as procedures that see dice and nothing else (TRN-013 to TRN-031).

Called by `Call`: their odds are worked out once for equal attacks.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from enfilade.rules.dice import Die, Faces
from enfilade.rules.procedures import Answer, Call, Change, Choose, Roll, Steps, TailCall
from enfilade.rulesets.torn.decisions import Plan, Rolled, Warded, attack_after, faded, guard_after, worth_of
from enfilade.rulesets.torn.dice import BLANK, CRITICAL, SUCCESS, Dice, Pool, Shield
from enfilade.rulesets.torn.falls import KEEP, Fall
from enfilade.rulesets.torn.strike import Guard, Hits, Strike, compared, evaded, remaining
from enfilade.scene.events import Explained

NOTHING = Pool(0)


class Volley(NamedTuple):
    """What an attack roll came to, and the unsuccessful dice where they are needed again (TRN-061)."""

    hits: Hits
    blanks: Pool = NOTHING


def exchange(strike: Strike) -> Steps:
    """One attack from its roll to its harm."""
    volley = yield Call(attack_roll, (strike,))
    yield TailCall(defence, (strike, volley.hits))


def attack_roll(strike: Strike) -> Steps:
    """The attacker rolls the tile's dice and spends his Agility (TRN-013 to TRN-016)."""
    dice, pool = strike.dice, strike.pool
    s, c, b = _counted((yield from _rolled("attack", dice.attack, pool.attack)))
    skill, _, skill_blanks = _counted((yield from _rolled("skill", dice.skill, pool.skill)))
    tokens, _, agility_blanks = _counted((yield from _rolled("agility", dice.agility, pool.agility)))
    if not strike.keeps_blanks:
        agility_blanks = 0
    yield TailCall(attackers_agility, (strike, Rolled(s, c, b, skill, skill_blanks, tokens), agility_blanks))


def _rolled(label: str, die: Die, count: int) -> Steps:
    if count == 0:
        return ()
    faces: Faces = yield Roll(label, die, count)
    return faces


def _counted(faces: Faces) -> Fall:
    return faces.count(SUCCESS), faces.count(CRITICAL), faces.count(BLANK)


def attackers_agility(strike: Strike, rolled: Rolled, agility_blanks: int) -> Steps:
    """Each Agility success re-rolls one Attack or Skill die, also one re-rolled before (TRN-014, TRN-015)."""
    answer = KEEP
    if rolled.agility:
        there = (("attack blank", rolled.blanks), ("skill blank", rolled.skill_blanks))
        answers = waves(rolled.agility, (*there, ("attack success", rolled.successes)))
        if len(answers) > 1:
            default = worth_of(strike).attack_wave(rolled)
            answer = yield Choose(strike.attacker, "Re-roll with Agility?", answers, default)
    if answer == KEEP:
        return (yield from _attack_result(strike, rolled, agility_blanks))
    kind, count = _wave(answer)
    die = strike.dice.skill if kind == "skill blank" else strike.dice.attack
    fall = _counted((yield Roll("attack, again", die, count)))
    yield TailCall(attackers_agility, (strike, attack_after(rolled, kind, count, fall), agility_blanks))


@lru_cache(maxsize=1024)
def waves(agility: int, kinds: tuple[tuple[str, int], ...]) -> tuple[Answer, ...]:
    """The answers to what Agility re-rolls: nothing, or so many dice of one kind at once."""
    again = (
        Answer(f"{kind} {count}", f"Re-roll {count} {kind}")
        for kind, there in kinds
        for count in range(1, min(agility, there) + 1)
    )
    return (Answer(KEEP, "Keep the roll"), *again)


def _wave(answer: str) -> tuple[str, int]:
    kind, count = answer.rsplit(" ", 1)
    return kind, int(count)


def _attack_result(strike: Strike, rolled: Rolled, agility_blanks: int) -> Steps:
    """Unsuccessful dice are taken away, or kept for whoever stands beside the target (TRN-016)."""
    blanks = Pool(rolled.blanks, rolled.skill_blanks, agility_blanks) if strike.keeps_blanks else NOTHING
    hits = rolled.hits
    if strike.fades:
        hits = yield from _seen_through(strike, hits)
    yield _explained("attack roll", hits._asdict())
    return Volley(hits._replace(skill=min(hits.skill, hits.successes + hits.criticals)), blanks)


def _seen_through(strike: Strike, hits: Hits) -> Steps:
    """In low visibility the successful Attack dice are rolled again, once (TRN-043)."""
    again, kept = faded(strike, hits)
    s, c, _ = _counted((yield from _rolled("attack, low visibility", strike.dice.attack, again)))
    return Hits(kept.successes + s, kept.criticals + c, hits.skill)


def defence(strike: Strike, hits: Hits) -> Steps:
    """The defender rolls, assigns and suffers (TRN-017 to TRN-031, TRN-082 to TRN-085)."""
    evades = yield from _chooses_to_evade(strike, hits)
    if evades:
        faces = yield from _rolled("evade", strike.dice.agility, strike.shield.agility)
        return (yield from _evaded(strike, hits, faces.count(SUCCESS)))
    roll = (strike.defender, strike.dice, strike.shield, worth_of(strike).plan(hits))
    guard = yield Call(guard_roll, roll, partial(useful, strike, hits))
    on_criticals = yield from _assigned(strike, hits, guard)
    skill = yield from _skill_used(strike, hits, remaining(hits, guard, on_criticals))
    harm = compared(strike, hits, guard, on_criticals, skill)
    facts = {**guard._asdict(), "on_criticals": on_criticals, "skill_used": skill, **harm._asdict()}
    yield _explained("defence", {"evades": False, **facts})
    return harm


def useful(strike: Strike, hits: Hits, guard: Guard) -> Guard:
    """What of a defence roll can matter against these hits."""
    most = guard.criticals if strike.strikes_back else hits.successes + hits.criticals
    return Guard(min(guard.successes, hits.successes), min(guard.criticals, most))


def _chooses_to_evade(strike: Strike, hits: Hits) -> Steps:
    if strike.must_evade or not strike.shield.agility:
        return strike.must_evade
    default = "evade" if worth_of(strike).is_better_to_evade(hits) else "defend"
    answer = yield Choose(strike.defender, "Defend or Evade?", _DEFENCES, default)
    return answer == "evade"


_DEFENCES = (Answer("defend", "Roll all the dice in the shield"), Answer("evade", "Evade: Agility dice only"))


def _evaded(strike: Strike, hits: Hits, successes: int) -> Steps:
    left = remaining(hits, Guard(successes, 0), 0)
    skill = yield from _skill_used(strike, hits, left)
    harm = evaded(strike, hits._replace(skill=skill), successes)
    facts = {"evades": True, "successes": successes, "skill_used": skill, **harm._asdict()}
    yield _explained("defence", facts)
    return harm


def guard_roll(side: str, dice: Dice, shield: Shield, plan: Plan) -> Steps:
    """The defence roll (TRN-017), and each Agility success spent on one of its dice (TRN-018)."""
    ward = yield Call(ward_roll, (side, dice, shield))
    yield TailCall(spare_agility, (side, dice.defence, ward, plan))


def ward_roll(side: str, dice: Dice, shield: Shield) -> Steps:
    """The defence roll with Agility spent on blanks, as long as there are any."""
    s, c, b = _counted((yield from _rolled("defence", dice.defence, shield.defence)))
    tokens = (yield from _rolled("agility", dice.agility, shield.agility)).count(SUCCESS)
    yield TailCall(agility_on_blanks, (side, dice.defence, Warded(s, c, b, tokens)))


def agility_on_blanks(side: str, die: Die, ward: Warded) -> Steps:
    """As many blanks as Agility lasts for, at once or one by one."""
    most = min(ward.agility, ward.blanks)
    if not most:
        return ward
    answers = waves(ward.agility, (("blank", ward.blanks),))
    answer = yield Choose(side, "Re-roll with Agility?", answers, f"blank {most}")
    if answer == KEEP:
        return ward
    ward = yield from _again(die, ward, answer)
    yield TailCall(agility_on_blanks, (side, die, ward))


def spare_agility(side: str, die: Die, ward: Warded, plan: Plan) -> Steps:
    """What Agility is left may try successes for criticals, and then what has become of them."""
    answers = waves(ward.agility, (("blank", ward.blanks), ("success", ward.successes)))
    if len(answers) == 1:
        return Guard(ward.successes, ward.criticals)
    default = f"blank {min(ward.agility, ward.blanks)}"
    if not ward.blanks:
        count = dict(plan).get((ward.successes, ward.agility), 0)
        default = f"success {count}" if count else KEEP
    answer = yield Choose(side, "Re-roll more with Agility?", answers, default)
    if answer == KEEP:
        return Guard(ward.successes, ward.criticals)
    ward = yield from _again(die, ward, answer)
    yield TailCall(spare_agility, (side, die, ward, plan))


def _again(die: Die, ward: Warded, answer: str) -> Steps:
    kind, count = _wave(answer)
    fall = _counted((yield Roll("defence, again", die, count)))
    return guard_after(ward, kind, count, fall)


def _assigned(strike: Strike, hits: Hits, guard: Guard) -> Steps:
    """How many defence criticals cancel criticals; the others cancel successes and strike back (TRN-019)."""
    most = min(guard.criticals, hits.criticals)
    if not most:
        return 0
    best = worth_of(strike).on_criticals(hits, guard)
    answers = tuple(Answer(str(n), f"{n} on criticals") for n in range(most + 1))
    question = "How many Defence criticals cancel criticals? The others cancel successes and strike back."
    return int((yield Choose(strike.defender, question, answers, str(best))))


def _skill_used(strike: Strike, hits: Hits, left: int) -> Steps:
    """The attacker puts Skill dice on the dice that are left, at most one on each (TRN-026, TRN-027)."""
    most = min(hits.skill, left)
    if not most:
        return 0
    answers = tuple(Answer(str(n), f"{n} Skill dice") for n in range(most, -1, -1))
    return int((yield Choose(strike.attacker, "How many Skill dice are used?", answers, str(most))))


def effect_roll(side: str, dice: Dice, pool: Pool) -> Steps:
    """The roll of an attack without damage: whether one Attack die succeeds (TRN-079)."""
    s, c, b = _counted((yield from _rolled("attack", dice.attack, pool.attack)))
    skill, _, skill_blanks = _counted((yield from _rolled("skill", dice.skill, pool.skill)))
    tokens = (yield from _rolled("agility", dice.agility, pool.agility)).count(SUCCESS)
    rolled = Rolled(s, c, b, skill, skill_blanks, tokens)
    while rolled.agility and rolled.blanks:
        succeeds = rolled.successes + rolled.criticals > 0
        default = KEEP if succeeds else f"attack blank {min(rolled.agility, rolled.blanks)}"
        answers = waves(rolled.agility, (("attack blank", rolled.blanks),))
        answer = yield Choose(side, "Re-roll with Agility?", answers, default)
        if answer == KEEP:
            break
        kind, count = _wave(answer)
        fall = _counted((yield Roll("attack, again", dice.attack, count)))
        rolled = attack_after(rolled, kind, count, fall)
    return rolled.successes + rolled.criticals > 0


def any_success(label: str, die: Die, count: int) -> Steps:
    """Whether any of some dice shows a success or a critical: panic and dexterity tests."""
    faces = yield from _rolled(label, die, count)
    return any(face != BLANK for face in faces)


def _explained(kind: str, facts: dict[str, object]) -> Change:
    return Change(Explained(kind=kind, facts=facts))
