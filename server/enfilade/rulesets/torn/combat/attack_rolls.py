"""Steps two to seven of an attack, as procedures that depend on dice alone (TRN-013 to TRN-031).

Other procedures run them with `Call`, so equal attacks share their odds.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.dice import Die, Faces
from enfilade.rules.procedures import Answer, Call, Change, Choose, Roll, Steps, TailCall
from enfilade.rulesets.torn.combat.decisions import attack_value, low_visibility_reroll
from enfilade.rulesets.torn.combat.rerolls import (
    KEEP,
    AttackRoll,
    DefenseRoll,
    reroll_attack,
    reroll_defense,
)
from enfilade.rulesets.torn.combat.shields import SuccessRerolls
from enfilade.rulesets.torn.dice import (
    BLANK,
    CRITICAL,
    SUCCESS,
    AttackSpec,
    Blocks,
    Counts,
    Dice,
    Hits,
    Pool,
    Shield,
    compare_evade,
    compare_rolls,
    remaining_dice,
)
from enfilade.scene.events import Explained

NO_DICE = Pool(0)

# The labels of the rolls are read once, because the odds make thousands of rolls.
ATTACK = localize("torn.roll_attack")
ATTACK_REROLL = localize("torn.roll_attack_reroll")
LOW_VISIBILITY = localize("torn.roll_low_visibility")
SKILL = localize("torn.roll_skill")
AGILITY = localize("torn.roll_agility")
DEFENSE = localize("torn.roll_defense")
DEFENSE_REROLL = localize("torn.roll_defense_reroll")
EVADE = localize("torn.roll_evade")

REROLL_ANSWERS = {
    "attack blank": "torn.reroll_attack_blank",
    "skill blank": "torn.reroll_skill_blank",
    "attack success": "torn.reroll_attack_success",
    "blank": "torn.reroll_defense_blank",
    "success": "torn.reroll_defense_success",
}
"""The text of each kind of reroll. The key of an answer is a kind and a number: "attack blank 2"."""

DEFENSES = (
    Answer("defend", localize("torn.answer_defend")),
    Answer("evade", localize("torn.answer_evade")),
)


class AttackRollResult(NamedTuple):
    """The result of an attack roll, and its unsuccessful dice if another attack needs them (TRN-061)."""

    hits: Hits
    blanks: Pool = NO_DICE


def exchange(spec: AttackSpec) -> Steps:
    """Resolve one attack from its roll to its damage."""
    result = yield Call(attack_roll, (spec,))
    yield TailCall(defense, (spec, result.hits))


def attack_roll(spec: AttackSpec, keeps_blanks: bool = False) -> Steps:
    """Roll the dice of the tile; the attacker spends Agility (TRN-013 to TRN-016).

    With `keeps_blanks` the result has the unsuccessful dice, for an attack on another target (TRN-061).
    """
    dice, pool = spec.dice, spec.pool
    s, c, b = _count_faces((yield from _roll(ATTACK, dice.attack, pool.attack)))
    skill, _, skill_blanks = _count_faces((yield from _roll(SKILL, dice.skill, pool.skill)))
    tokens, _, agility_blanks = _count_faces((yield from _roll(AGILITY, dice.agility, pool.agility)))
    roll = AttackRoll(s, c, b, skill, skill_blanks, tokens)
    yield TailCall(spend_attack_agility, (spec, roll, agility_blanks if keeps_blanks else None))


def _roll(label: str, die: Die, count: int) -> Steps:
    if count == 0:
        return ()
    faces: Faces = yield Roll(label, die, count)
    return faces


def _count_faces(faces: Faces) -> Counts:
    return faces.count(SUCCESS), faces.count(CRITICAL), faces.count(BLANK)


def spend_attack_agility(spec: AttackSpec, roll: AttackRoll, agility_blanks: int | None) -> Steps:
    """Reroll one Attack or Skill die for each Agility success, a die also twice (TRN-014, TRN-015).

    `agility_blanks` is None if no other attack needs the unsuccessful dice.
    """
    answer = KEEP
    if roll.agility:
        blanks = (("attack blank", roll.blanks), ("skill blank", roll.skill_blanks))
        answers = reroll_answers(roll.agility, (*blanks, ("attack success", roll.successes)))
        if len(answers) > 1:
            default = attack_value(spec).best_reroll(roll)
            answer = yield Choose(spec.attacker_side, localize("torn.ask_reroll"), answers, default)
    if answer == KEEP:
        return (yield from _attack_result(spec, roll, agility_blanks))
    kind, count = _split_answer(answer)
    die = spec.dice.skill if kind == "skill blank" else spec.dice.attack
    counts = _count_faces((yield Roll(ATTACK_REROLL, die, count)))
    yield TailCall(spend_attack_agility, (spec, reroll_attack(roll, kind, count, counts), agility_blanks))


@lru_cache(maxsize=1024)
def reroll_answers(agility: int, kinds: tuple[tuple[str, int], ...]) -> tuple[Answer, ...]:
    """Return the answers for rerolls with Agility: none, or some dice of one kind at once."""
    rerolls = (
        Answer(f"{kind} {count}", localize(REROLL_ANSWERS[kind], count=count))
        for kind, dice in kinds
        for count in range(1, min(agility, dice) + 1)
    )
    return (Answer(KEEP, localize("torn.answer_keep")), *rerolls)


def _split_answer(answer: str) -> tuple[str, int]:
    kind, count = answer.rsplit(" ", 1)
    return kind, int(count)


def _attack_result(spec: AttackSpec, roll: AttackRoll, agility_blanks: int | None) -> Steps:
    """Remove the unsuccessful dice, or keep them for a target beside the first (TRN-016, TRN-061).

    In low visibility the successful Attack dice are rerolled once (TRN-043).
    """
    blanks = NO_DICE
    if agility_blanks is not None:
        blanks = Pool(roll.blanks, roll.skill_blanks, agility_blanks)
    hits = roll.hits
    if spec.rerolled_faces:
        count, kept = low_visibility_reroll(spec, hits)
        s, c, _ = _count_faces((yield from _roll(LOW_VISIBILITY, spec.dice.attack, count)))
        hits = Hits(kept.successes + s, kept.criticals + c, hits.skill)
    yield _explain("attack roll", hits._asdict())
    return AttackRollResult(hits._replace(skill=min(hits.skill, hits.successes + hits.criticals)), blanks)


def defense(spec: AttackSpec, hits: Hits) -> Steps:
    """Resolve the defense against a roll; return the damage (TRN-017 to TRN-031, TRN-082 to TRN-085)."""
    evades, value = spec.must_evade, attack_value(spec)
    if not evades and spec.shield.agility:
        default = "evade" if value.is_evade_better(hits) else "defend"
        evades = (yield Choose(spec.defender_side, localize("torn.ask_evade"), DEFENSES, default)) == "evade"
    if evades:
        faces = yield from _roll(EVADE, spec.dice.agility, spec.shield.agility)
        return (yield from _resolve_evade(spec, hits, faces.count(SUCCESS)))
    roll = (spec.defender_side, spec.dice, spec.shield, value.success_rerolls(hits))
    blocks = yield Call(defense_roll, roll, partial(useful_blocks, spec, hits))
    on_criticals = yield from _assign_criticals(spec, hits, blocks)
    skill = yield from _use_skill(spec, hits, remaining_dice(hits, blocks, on_criticals))
    result = compare_rolls(spec, hits, blocks, on_criticals, skill)
    facts = {**blocks._asdict(), "on_criticals": on_criticals, "skill_used": skill, **result._asdict()}
    yield _explain("defense", {"evades": False, **facts})
    return result


def useful_blocks(spec: AttackSpec, hits: Hits, blocks: Blocks) -> Blocks:
    """Return the part of a defense roll that matters against these hits, so that odds merge results."""
    limit = blocks.criticals if spec.return_damage else hits.successes + hits.criticals
    return Blocks(min(blocks.successes, hits.successes), min(blocks.criticals, limit))


def _resolve_evade(spec: AttackSpec, hits: Hits, successes: int) -> Steps:
    left = remaining_dice(hits, Blocks(successes, 0), 0)
    skill = yield from _use_skill(spec, hits, left)
    result = compare_evade(spec, hits._replace(skill=skill), successes)
    yield _explain(
        "defense", {"evades": True, "successes": successes, "skill_used": skill, **result._asdict()}
    )
    return result


def defense_roll(side: str, dice: Dice, shield: Shield, successes_to_reroll: SuccessRerolls) -> Steps:
    """Roll the shield (TRN-017); the defender spends each Agility success on one die (TRN-018)."""
    roll = yield Call(defense_roll_without_blanks, (side, dice, shield))
    yield TailCall(spend_spare_agility, (side, dice.defense, roll, successes_to_reroll))


def defense_roll_without_blanks(side: str, dice: Dice, shield: Shield) -> Steps:
    """Roll the shield, and spend Agility on blanks as long as there are any."""
    s, c, b = _count_faces((yield from _roll(DEFENSE, dice.defense, shield.defense)))
    tokens = (yield from _roll(AGILITY, dice.agility, shield.agility)).count(SUCCESS)
    yield TailCall(spend_agility_on_blanks, (side, dice.defense, DefenseRoll(s, c, b, tokens)))


def spend_agility_on_blanks(side: str, die: Die, roll: DefenseRoll) -> Steps:
    """Reroll as many blanks as Agility pays for, at once or one by one."""
    limit = min(roll.agility, roll.blanks)
    if not limit:
        return roll
    answers = reroll_answers(roll.agility, (("blank", roll.blanks),))
    answer = yield Choose(side, localize("torn.ask_reroll"), answers, f"blank {limit}")
    if answer == KEEP:
        return roll
    roll = yield from _reroll(die, roll, answer)
    yield TailCall(spend_agility_on_blanks, (side, die, roll))


def spend_spare_agility(side: str, die: Die, roll: DefenseRoll, successes_to_reroll: SuccessRerolls) -> Steps:
    """Reroll successes for criticals with the Agility that is left, and the blanks that this brings."""
    answers = reroll_answers(roll.agility, (("blank", roll.blanks), ("success", roll.successes)))
    if len(answers) == 1:
        return Blocks(roll.successes, roll.criticals)
    default = f"blank {min(roll.agility, roll.blanks)}"
    if not roll.blanks:
        count = dict(successes_to_reroll).get((roll.successes, roll.agility), 0)
        default = f"success {count}" if count else KEEP
    answer = yield Choose(side, localize("torn.ask_reroll_more"), answers, default)
    if answer == KEEP:
        return Blocks(roll.successes, roll.criticals)
    roll = yield from _reroll(die, roll, answer)
    yield TailCall(spend_spare_agility, (side, die, roll, successes_to_reroll))


def _reroll(die: Die, roll: DefenseRoll, answer: str) -> Steps:
    kind, count = _split_answer(answer)
    counts = _count_faces((yield Roll(DEFENSE_REROLL, die, count)))
    return reroll_defense(roll, kind, count, counts)


def _assign_criticals(spec: AttackSpec, hits: Hits, blocks: Blocks) -> Steps:
    """Ask how many defense criticals cancel criticals (TRN-019)."""
    limit = min(blocks.criticals, hits.criticals)
    if not limit:
        return 0
    best = attack_value(spec).criticals_to_cancel(hits, blocks)
    answers = _criticals_answers(limit)
    return int((yield Choose(spec.defender_side, localize("torn.ask_on_criticals"), answers, str(best))))


@cache
def _criticals_answers(limit: int) -> tuple[Answer, ...]:
    return tuple(Answer(str(n), localize("torn.answer_on_criticals", number=n)) for n in range(limit + 1))


def _use_skill(spec: AttackSpec, hits: Hits, left: int) -> Steps:
    """Ask how many Skill dice go on the dice that are left, at most one on each (TRN-026, TRN-027)."""
    limit = min(hits.skill, left)
    if not limit:
        return 0
    answers = _skill_answers(limit)
    return int((yield Choose(spec.attacker_side, localize("torn.ask_skill"), answers, str(limit))))


@cache
def _skill_answers(limit: int) -> tuple[Answer, ...]:
    return tuple(Answer(str(n), localize("torn.answer_skill", count=n)) for n in range(limit, -1, -1))


def effect_roll(side: str, dice: Dice, pool: Pool, rerolled_faces: str = "") -> Steps:
    """Roll an attack without damage; return whether an Attack die succeeds (TRN-079).

    In low visibility the successful Attack dice are rerolled once, after Agility (TRN-043).
    """
    s, c, b = _count_faces((yield from _roll(ATTACK, dice.attack, pool.attack)))
    skill, _, skill_blanks = _count_faces((yield from _roll(SKILL, dice.skill, pool.skill)))
    tokens = (yield from _roll(AGILITY, dice.agility, pool.agility)).count(SUCCESS)
    roll = AttackRoll(s, c, b, skill, skill_blanks, tokens)
    while roll.agility and roll.blanks:
        succeeds = roll.successes + roll.criticals > 0
        default = KEEP if succeeds else f"attack blank {min(roll.agility, roll.blanks)}"
        answers = reroll_answers(roll.agility, (("attack blank", roll.blanks),))
        answer = yield Choose(side, localize("torn.ask_reroll"), answers, default)
        if answer == KEEP:
            break
        kind, count = _split_answer(answer)
        counts = _count_faces((yield Roll(ATTACK_REROLL, dice.attack, count)))
        roll = reroll_attack(roll, kind, count, counts)
    unseen = roll.successes * (SUCCESS in rerolled_faces) + roll.criticals * (CRITICAL in rerolled_faces)
    s, c, _ = _count_faces((yield from _roll(LOW_VISIBILITY, dice.attack, unseen)))
    return roll.successes + roll.criticals - unseen + s + c > 0


def any_success(label: str, die: Die, count: int) -> Steps:
    """Roll dice; return whether any shows a success or a critical, as in Panic and Dexterity Tests."""
    faces = yield from _roll(label, die, count)
    return any(face != BLANK for face in faces)


def _explain(kind: str, facts: dict[str, object]) -> Change:
    return Change(Explained(kind=kind, facts=facts))
