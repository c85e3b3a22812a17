"""Rounds: initiative, the end and the start of turns (SRD-043 to SRD-054, SRD-181 to SRD-185)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.battle.lasting import cease_at
from enfilade.rules.d20 import roll_d20
from enfilade.rules.dice import numbered
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    Outcome,
    Require,
    Roll,
    Steps,
    set_condition,
    set_track,
)
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts
from enfilade.rulesets.fifth_edition.combat import explain, struck
from enfilade.rulesets.fifth_edition.damage import afflict, burn, death_save, heal
from enfilade.rulesets.fifth_edition.effects import save_again
from enfilade.rulesets.fifth_edition.profiles import (
    BY_OTHERS,
    OF_ROUND,
    OF_TURN,
    SEPARATOR,
    Creature,
    creature_in,
    read_creature,
)  # fmt: skip
from enfilade.rulesets.fifth_edition.senses import HIDING
from enfilade.rulesets.fifth_edition.terms import is_target
from enfilade.rulesets.fifth_edition.turn import (
    fighting,
    has_turns,
    in_order,
    place_in_order,
    require_turn,
    turn,
)  # fmt: skip
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

SCORE = 10
"""The fixed Initiative before modifiers, by the house rule (SRD-043)."""
ENDS = "ends"
"""What the note of a vexed creature adds in the last turn that it counts in (SRD-131)."""


def begin(scene: Scene, act: Act) -> Steps:
    """Roll Initiative for all, and begin the first turn (SRD-043 to SRD-048)."""
    yield Require(_require_new, (scene,))
    yield Change(Explained(kind="begin", facts={"token": act.token}))
    rolled: dict[object, int] = {}
    for token in [one for one in fighting(scene) if has_turns(one)]:
        one = creature_in(scene, token)
        kin = (token.side, id(one.profile)) if is_on(scene, house_rules.SHARED_ROLL) else token.id
        if kin not in rolled:
            rolled[kin] = yield from _initiative_face(scene, one)
        place = rolled[kin] + one.modifier("dex") + one.profile.initiative - one.tired
        scene = yield set_track(scene, token.id, "initiative", place)
        if token.has("surprised") and setting(scene, house_rules.SURPRISE) == "disadvantage":
            scene = yield set_condition(scene, token.id, "surprised", None)
    if setting(scene, house_rules.TIES) == "roll":
        scene = yield from _break_ties(scene)
    scene = yield set_track(scene, TABLE, "round", 1)
    yield from start(scene, in_order(scene)[0].id)
    return Outcome("begun")


def _break_ties(scene: Scene) -> Steps:
    """Roll for each creature whose Initiative another has too: the higher acts first (SRD-045)."""
    ones = [one for one in fighting(scene) if has_turns(one)]
    places = Counter(one.track("initiative") for one in ones)
    for one in ones:
        if places[one.track("initiative")] > 1:
            face = yield Call(roll_d20, (localize("fifth_edition.roll_tie", name=one.name), 0))
            scene = yield set_track(scene, one.id, "tie", face)
    return scene


def _initiative_face(scene: Scene, one: Creature) -> Steps:
    """Roll the die of Initiative, or return the fixed score (SRD-043, SRD-046, SRD-047)."""
    is_surprised = one.token.has("surprised") and setting(scene, house_rules.SURPRISE) == "disadvantage"
    hinders = ("incapacitated", "poisoned") if is_on(scene, house_rules.SLOW_START) else ("poisoned",)
    is_slow = is_surprised or one.is_worn(1) or not one.states.isdisjoint(hinders)
    is_hiding = one.token.conditions.get("invisible") == HIDING
    is_seen = "invisible" not in one.states or (is_hiding and setting(scene, house_rules.HIDING) == "contest")
    mode = (not is_seen) - is_slow
    if setting(scene, house_rules.INITIATIVE) == "score":
        return SCORE + 5 * mode
    return (yield Call(roll_d20, (localize("fifth_edition.roll_initiative", name=one.name), mode)))


def _require_new(scene: Scene) -> None:
    if scene.track("round"):
        raise IllegalAct(localize("fifth_edition.refuse_begun"), "SRD-043", "turn")
    if turn(scene).is_over:
        raise IllegalAct(localize("fifth_edition.refuse_over"), "SRD-049", "turn")


def end(scene: Scene, act: Act) -> Steps:
    """End a turn; the next creature begins its own (SRD-044)."""
    token = scene.token(act.token)
    yield Require(require_turn, (scene, token))
    yield Change(Explained(kind="end", facts={"token": token.id}))
    scene = yield from _close(scene, token.id)
    scene = yield from save_again(scene, token.id)
    scene = yield from cease_at(scene, "end", token.id)
    if token.has("riding"):
        scene = yield from _close(scene, token.conditions["riding"])
    if _is_crowded(scene, scene.token(token.id)):
        scene = yield from afflict(scene, token.id, "prone")
    scene = yield from _legendary(scene, token.id)
    order = [one for one in scene.tokens if one.id == token.id or (has_turns(one) and not one.has("out"))]
    order.sort(key=partial(place_in_order, scene))
    place = [one.id for one in order].index(token.id) + 1
    if place == len(order):
        scene = yield set_track(scene, TABLE, "round", scene.track("round") + 1)
    yield from start(scene, order[place % len(order)].id)
    return Outcome("ended")


def _close(scene: Scene, key: str) -> Steps:
    """Clear what lasts for a turn, and what ends with it; return the scene."""
    scene = yield from _clear(scene, key, (*OF_TURN, "surprised"))
    for track in ("moved", "extra", "run", "attacks"):
        if scene.token(key).track(track):
            scene = yield set_track(scene, key, track, None)
    for token in scene.tokens:
        if token.conditions.get("vexed") == SEPARATOR.join((key, ENDS)):
            scene = yield set_condition(scene, token.id, "vexed", None)
    return scene


def _is_crowded(scene: Scene, token: Token) -> bool:
    """Return whether a creature falls because it shares a space with another at the turn's end (SRD-035)."""
    spaces, one = contacts(scene).screens.spaces, read_creature(token)
    if token.has("out") or "prone" in one.states or not is_on(scene, house_rules.END_PRONE):
        return False
    if one.profile.size == "tiny" or token.has("riding") or not spaces.is_placed(token):
        return False
    body = set(spaces.cells(token))
    others = [
        read_creature(other)
        for other in spaces.placed
        if other.id not in (token.id, token.conditions.get("ridden"))
    ]
    return any(other.rank >= one.rank and not body.isdisjoint(spaces.cells(other.token)) for other in others)


def _legendary(scene: Scene, ended: str) -> Steps:
    """Ask who has legendary actions for one after the turn of another (SRD-183); return the scene."""
    for token in [one for one in in_order(scene) if one.id != ended and not turn(scene).is_over]:
        one = read_creature(scene.token(token.id))
        if token.track("legendary") >= one.profile.legendary_actions or not one.can_act:
            continue
        targets = contacts(scene).enemies(token)
        options = [
            Answer(f"{weapon.name}{SEPARATOR}{enemy.id}", f"{weapon.name}: {enemy.name}", (enemy.id,))
            for weapon in one.profile.attacks
            for enemy in targets
            if is_target(scene, one.token, enemy, weapon)
        ]
        if options:
            scene = yield from _act_between(scene, one, options)
    return scene


def _act_between(scene: Scene, one: Creature, options: list[Answer]) -> Steps:
    question = localize("fifth_edition.ask_legendary", name=one.name)
    none = Answer("", localize("fifth_edition.no_one"))
    chosen = yield Choose(one.token.side, question, (*options, none), options[0].key, one.id)
    if not chosen:
        return scene
    name, target = chosen.split(SEPARATOR)
    scene = yield set_track(scene, one.id, "legendary", one.token.track("legendary") + 1)
    weapon = one.attacks[name]
    found = yield from explain(scene, scene.token(one.id), scene.token(target), weapon, "legendary")
    scene, _ = yield from struck(scene, one.id, target, weapon, found)
    return scene


def start(scene: Scene, key: str) -> Steps:
    """Begin a creature's turn: its reaction is back, what lasted until then ends, and it may be dying."""
    scene = yield set_condition(scene, TABLE, "turn", key)
    scene = yield from _clear(scene, key, OF_ROUND)
    for track in ("moved", "run", "legendary"):
        if scene.token(key).track(track):
            scene = yield set_track(scene, key, track, None)
    scene = yield from _end_for_others(scene, key)
    scene = yield from cease_at(scene, "start", key)
    due = [happen for is_due, happen in _STARTS if is_due(creature_in(scene, scene.token(key)))]
    if len(due) > 1:
        due = yield from _in_order(scene, key, due)
    for happen in due:
        if not scene.token(key).has("out"):
            scene = yield from happen(scene, key)
    return scene


def _end_for_others(scene: Scene, key: str) -> Steps:
    """End what a creature has done to others until its turn (SRD-061, SRD-128, SRD-129); return the scene."""
    for token in scene.tokens:
        for name in BY_OTHERS:
            if token.conditions.get(name) == key:
                note = SEPARATOR.join((key, ENDS)) if name == "vexed" else None
                scene = yield set_condition(scene, token.id, name, note)
    return scene


def _in_order(scene: Scene, key: str, due: list[Happening]) -> Steps:
    """Ask whose turn it is which of several things comes first (SRD-053); return them in order."""
    token = scene.token(key)
    answers = tuple(
        Answer(one.__name__.strip("_"), localize(f"fifth_edition.start_{one.__name__.strip('_')}"))
        for one in due
    )
    question = localize("fifth_edition.ask_order", name=token.name)
    first = yield Choose(token.side, question, answers, answers[0].key, key)
    return sorted(due, key=lambda one: one.__name__.strip("_") != first)


def _can_regenerate(one: Creature) -> bool:
    return bool(one.profile.regeneration) and (one.token.has("burnt") or one.is_hurt)


def _regenerate(scene: Scene, key: str) -> Steps:
    """Regain hit points, unless damage of a certain type stops it (SRD-185); return the scene."""
    if scene.token(key).has("burnt"):
        return (yield set_condition(scene, key, "burnt", None))
    return (yield from heal(scene, key, read_creature(scene.token(key)).profile.regeneration))


def _recharge(scene: Scene, key: str) -> Steps:
    """Roll for each spent effect that recharges (SRD-181); return the scene."""
    one = read_creature(scene.token(key))
    left = []
    for effect in one.profile.effects:
        if effect.name in one.listed("spent"):
            face = yield Roll(
                localize("fifth_edition.roll_recharge", effect=effect.name), numbered(6), read=sum
            )
            left += [effect.name] if face < effect.recharge else []
    yield Change(
        Explained(kind="recharge", facts={"token": key, "total": len(one.listed("spent")) - len(left)})
    )
    return (yield set_condition(scene, key, "spent", SEPARATOR.join(left) if left else None))


Happening = Callable[[Scene, str], Steps]
_STARTS: tuple[tuple[Callable[[Creature], bool], Happening], ...] = (
    (lambda one: one.token.has("dying"), death_save),
    (_can_regenerate, _regenerate),
    (lambda one: one.token.has("spent"), _recharge),
    (lambda one: one.token.has("burning"), burn),
)
"""What may happen at the start of a turn: whether it does, and its procedure."""


def _clear(scene: Scene, key: str, names: tuple[str, ...]) -> Steps:
    for name in names:
        if scene.token(key).has(name):
            scene = yield set_condition(scene, key, name, None)
    return scene
