"""Story points: how they are gained, the roll on the table of random events, and the events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Answer, Change, Choose, Roll, Steps, set_condition, set_track
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import LUCKY_STRIKE, Strike, roll_strike
from enfilade.rulesets.miniatures_combat.combat.damage import Gain, wound
from enfilade.rulesets.miniatures_combat.combat.flight import minions_flee
from enfilade.rulesets.miniatures_combat.combat.missiles import fire, most_archers, volley_archers
from enfilade.rulesets.miniatures_combat.groups import may_join, nearby_group
from enfilade.rulesets.miniatures_combat.profiles import Fighter
from enfilade.scene.events import Explained, side_holder
from enfilade.scene.model import Scene

POINTS_WORTH_ROLLING, POINTS_FOR_STRONG = 5, 8
"""From how many points the default is to roll them all; against a target of level 3 or more they wait for the
eight dice that mostly knock it unconscious.
"""
STRONG = 3
"""The level from which dice alone rarely kill a target."""
USUAL_MOST = 12
"""The most points that the default rolls at once: they mostly reach any event."""
MOST_DICE = 100
"""The most points that one roll offers: all that play brings, but not all that a GM may enter."""
SIX = 6
"""The face of a story die that gives the opponent one (MNC-035)."""


class Event(NamedTuple):
    """A line of the random events table: the least total, its name in the code, and its rule."""

    total: int
    key: str
    rule: str


EVENTS = (
    Event(1, "nothing", "MNC-036"),
    Event(5, "stumble", "MNC-037"),
    Event(7, "name group", "MNC-038"),
    Event(9, "2 dice", "MNC-039"),
    Event(11, "wound", "MNC-040"),
    Event(13, "story event", "MNC-041"),
    Event(15, "volley", "MNC-042"),
    Event(17, "3 dice", "MNC-043"),
    Event(18, "prone", "MNC-044"),
    Event(20, "minions flee", "MNC-045"),
    Event(21, "4 dice", "MNC-046"),
    Event(24, "major story event", "MNC-047"),
    Event(27, "unconscious", "MNC-048"),
)
"""The random events table (MNC-033, MNC-036 to MNC-048)."""


class Roller(NamedTuple):
    """The side that rolls, its opponent, and the current attack: the one that brought the point (C-17)."""

    side: str
    opponent: str
    gain: Gain

    def target(self, scene: Scene) -> Fighter | None:
        """Return the target of the current attack, if it is an enemy that still fights."""
        fighter = battlefield(scene).fighters.get(self.gain.target)
        return fighter if fighter is not None and fighter.side != self.side else None

    def attacker(self, scene: Scene) -> Fighter | None:
        """Return the attacker of the current attack, if it still fights."""
        return battlefield(scene).fighters.get(self.gain.attacker)

    def enemies(self, scene: Scene) -> list[Fighter]:
        """Return the models that fight against the side."""
        own = scene.side(self.side)
        return [one for one in battlefield(scene).fighters.values() if not own.is_ally(scene.side(one.side))]

    def may_stumble(self, scene: Scene) -> list[Fighter]:
        """Return the enemies that may stumble: all, or only those of the attack (MNC-037, C-40)."""
        enemies = self.enemies(scene)
        if setting(scene, house_rules.STUMBLES) == "any enemy":
            return enemies
        return [one for one in enemies if one.id in (self.gain.attacker, self.gain.target)]


def book(scene: Scene, gains: Iterable[Gain]) -> Steps:
    """Book story points at once, and let each gainer roll on the events table; return the scene.

    Points that a roll brings are booked before the other gains (MNC-005, MNC-032, MNC-033, C-15).
    """
    waiting = list(gains)
    while waiting:
        gain = waiting.pop(0)
        if not gain.points:
            continue
        points = scene.side(gain.side).track("story") + gain.points
        scene = yield set_track(scene, side_holder(gain.side), "story", points)
        facts = {"side": gain.side, "gained": gain.points, "points": points}
        yield Change(Explained(kind="story points", facts=facts))
        scene, brought = yield from _ask_roll(scene, gain)
        waiting = [*brought, *waiting]
    return scene


def _ask_roll(scene: Scene, gain: Gain) -> Steps:
    """Ask how many points are turned in, roll them, and apply the chosen event.

    Return the scene and the gains that the event and the sixes bring.
    """
    points = scene.side(gain.side).track("story")
    most = min(points, MOST_DICE)
    answers = tuple(Answer(str(count), str(count)) for count in range(most + 1))
    target = Roller(gain.side, "", gain).target(scene)
    is_strong = target is not None and target.level >= STRONG
    enough = points >= (POINTS_FOR_STRONG if is_strong else POINTS_WORTH_ROLLING)
    default = str(min(most, USUAL_MOST) if enough else 0)
    question = localize("miniatures_combat.ask_story", count=points)
    count = int((yield Choose(gain.side, question, answers, default)))
    if not count:
        return scene, ()
    scene = yield set_track(scene, side_holder(gain.side), "story", points - count)
    faces = yield Roll(localize("miniatures_combat.roll_story"), D6, count)
    roller = Roller(gain.side, opponent_of(scene, gain), gain)
    event = yield from _ask_event(scene, roller, sum(faces))
    facts = {"side": gain.side, "total": sum(faces), "event": event.key, "rule": event.rule}
    yield Change(Explained(kind="story roll", facts=facts))
    scene, gains = yield from _EFFECTS[event.key](scene, roller)
    sixes = sum(face == SIX for face in faces)
    return scene, (*gains, *([Gain(roller.opponent, sixes)] if roller.opponent else []))


def opponent_of(scene: Scene, gain: Gain) -> str:
    """Return the side that a roll's sixes help: of the current attack, else the first enemy (MNC-035)."""
    for key in (gain.target, gain.attacker):
        sides = [token.side for token in scene.tokens if token.id == key and token.side != gain.side]
        if sides:
            return sides[0]
    own = scene.side(gain.side)
    return next((side.id for side in scene.sides if not side.is_ally(own)), "")


def possible_events(scene: Scene, roller: Roller, total: int) -> list[Event]:
    """Return the events that a total allows, lowest first: the one rolled or any lower one (MNC-034).

    Left out are those that nothing on the board can suffer; "nothing" is always there.
    """
    return [event for event in EVENTS if event.total <= total and _is_possible(scene, roller, event.key)]


def _is_possible(scene: Scene, roller: Roller, key: str) -> bool:
    fighters = battlefield(scene).fighters.values()
    target, enemies = roller.target(scene), roller.enemies(scene)
    if key in _DICE:
        attacker = roller.attacker(scene)
        if roller.gain.is_arrows:
            return target is not None and is_on(scene, house_rules.MORE_ARROWS)
        return target is not None and attacker is not None and attacker.side == roller.side
    if key in ("wound", "unconscious"):
        return target is not None
    if key == "volley":
        return any(volley_archers(scene, roller.side, [enemy]) for enemy in enemies)
    if key == "minions flee":
        return any(one.profile.minion for one in fighters)
    if key == "stumble":
        return bool(roller.may_stumble(scene))
    return bool(enemies) or key not in ("name group", "prone")


def _ask_event(scene: Scene, roller: Roller, total: int) -> Steps:
    """Ask for the event (MNC-034).

    The default is the highest possible one; a strong target is wounded rather than attacked again.
    """
    events = possible_events(scene, roller, total)
    default, target = events[-1].key, roller.target(scene)
    can_wound = "wound" in [event.key for event in events]
    if default in _DICE and can_wound and target is not None and target.level >= STRONG:
        default = "wound"
    answers = tuple(Answer(event.key, f"{event.total}+ {event_name(event.key)}") for event in events)
    question = localize("miniatures_combat.ask_event", total=total)
    key = yield Choose(roller.side, question, answers, default)
    return next(event for event in events if event.key == key)


def event_name(key: str) -> str:
    """Return the name of an event on screen."""
    names = {
        "nothing": localize("miniatures_combat.event_nothing"),
        "stumble": localize("miniatures_combat.event_stumble"),
        "name group": localize("miniatures_combat.event_name_group"),
        "2 dice": localize("miniatures_combat.event_dice", count=2),
        "wound": localize("miniatures_combat.event_wound"),
        "story event": localize("miniatures_combat.event_story"),
        "volley": localize("miniatures_combat.event_volley"),
        "3 dice": localize("miniatures_combat.event_dice", count=3),
        "prone": localize("miniatures_combat.event_prone"),
        "minions flee": localize("miniatures_combat.event_flee"),
        "4 dice": localize("miniatures_combat.event_dice", count=4),
        "major story event": localize("miniatures_combat.event_major"),
        "unconscious": localize("miniatures_combat.event_unconscious"),
    }
    return names[key]


# The events: each returns the scene and the gains that it brings


def _nothing(scene: Scene, roller: Roller) -> Steps:
    del roller
    yield from ()
    return scene, ()


def _ask_enemy(scene: Scene, roller: Roller, question: str, enemies: Sequence[Fighter]) -> Steps:
    """Ask the roller for one of some enemies; the default is the strongest."""
    best = max(enemies, key=lambda one: (one.level, one.id))
    answers = tuple(Answer(one.id, one.name) for one in enemies)
    key = yield Choose(roller.side, question, answers, best.id)
    return battlefield(scene).fighters[key]


def _stumble(scene: Scene, roller: Roller) -> Steps:
    """Let an enemy stumble: one die fewer on its turn (MNC-037)."""
    question = localize("miniatures_combat.ask_stumble")
    enemy = yield from _ask_enemy(scene, roller, question, roller.may_stumble(scene))
    yield Change(Explained(kind="stumble", facts={"token": enemy.id}))
    return (yield set_track(scene, enemy.id, "stumble", enemy.token.track("stumble") + 1)), ()


def _name_group(scene: Scene, roller: Roller) -> Steps:
    """Let the side name a model of the opponent's next group, when that turn begins (MNC-038)."""
    return (yield set_condition(scene, side_holder(roller.side), "names group")), ()


def _more_dice(count: int) -> Callable[[Scene, Roller], Steps]:
    def effect(scene: Scene, roller: Roller) -> Steps:
        """Roll more dice in the current attack; of a volley, more arrows (C-39)."""
        attacker, target = roller.attacker(scene), roller.target(scene)
        if target is not None and roller.gain.is_arrows:
            archers = volley_archers(scene, roller.side, [target])
            scene, gain = yield from fire(scene, roller.side, count, [target], archers)
            return scene, (gain,)
        assert attacker is not None
        assert target is not None
        strike = Strike(attacker, target, count, LUCKY_STRIKE)
        scene, _, gain = yield from roll_strike(scene, strike)
        return scene, (gain,)

    return effect


def _wound(scene: Scene, roller: Roller) -> Steps:
    """Wound the target of the attack; a minion is out of the fight (MNC-040)."""
    target = roller.target(scene)
    if target is not None:
        scene = yield from wound(scene, target)
    return scene, ()


def _story_event(key: str) -> Callable[[Scene, Roller], Steps]:
    def effect(scene: Scene, roller: Roller) -> Steps:
        """Record a story event of the scenario: the text that the scenario gives on the table (MNC-041)."""
        text = scene.conditions.get(key, "")
        yield Change(Explained(kind="story event", facts={"side": roller.side, "event": key, "text": text}))
        return scene, ()

    return effect


def _volley(scene: Scene, roller: Roller) -> Steps:
    """Fire a volley at a group: the roller picks a model, its owner the rest (MNC-042, MNC-049)."""
    enemies = [one for one in roller.enemies(scene) if volley_archers(scene, roller.side, [one])]
    answers = tuple(Answer(one.id, one.name) for one in enemies)
    best = max(enemies, key=lambda one: (one.token.track("hits"), one.level, one.id))
    key = yield Choose(roller.side, localize("miniatures_combat.ask_volley"), answers, best.id)
    target = battlefield(scene).fighters[key]
    members = yield from _ask_group(scene, target)
    targets = [battlefield(scene).fighters[member] for member in members]
    archers = volley_archers(scene, roller.side, targets)
    dice = min(len(archers), most_archers(scene, len(targets)))
    scene, gain = yield from fire(scene, roller.side, dice, targets, archers)
    return scene, (gain,)


def _ask_group(scene: Scene, target: Fighter) -> Steps:
    """Ask the owner for the group of a named model: it alone, all near it, or any legal ones (MNC-049)."""
    near_by = nearby_group(scene, target)
    if len(near_by) == 1:
        yield from ()
        return near_by
    ways = (
        Answer("alone", localize("miniatures_combat.answer_alone", name=target.name)),
        Answer("group", localize("miniatures_combat.answer_group", count=len(near_by))),
        Answer("some", localize("miniatures_combat.answer_some")),
    )
    question = localize("miniatures_combat.ask_volley_group", name=target.name)
    way = yield Choose(target.side, question, ways, "alone", target.id)
    if way == "group":
        return near_by
    members: tuple[str, ...] = (target.id,)
    while way == "some" and (more := may_join(scene, target, members)):
        done = Answer("done", localize("miniatures_combat.answer_done"))
        answers = (done, *(Answer(one.id, one.name) for one in more))
        question = localize("miniatures_combat.ask_join", name=target.name)
        key = yield Choose(target.side, question, answers, "done", target.id)
        if key == "done":
            break
        members = (*members, key)
    return members


def _prone(scene: Scene, roller: Roller) -> Steps:
    """Knock an enemy prone; a mounted one loses its horse as well (MNC-044)."""
    question = localize("miniatures_combat.ask_prone")
    enemy = yield from _ask_enemy(scene, roller, question, roller.enemies(scene))
    yield Change(Explained(kind="knocked prone", facts={"token": enemy.id}))
    if enemy.is_mounted:
        scene = yield set_condition(scene, enemy.id, "dismounted")
    return (yield set_condition(scene, enemy.id, "prone")), ()


def _flee(scene: Scene, roller: Roller) -> Steps:
    return (yield from minions_flee(scene, roller.side)), ()


def _unconscious(scene: Scene, roller: Roller) -> Steps:
    """Knock the target of the attack unconscious: it is incapacitated (MNC-048)."""
    target = roller.target(scene)
    if target is not None:
        yield Change(Explained(kind="unconscious", facts={"token": target.id}))
        scene = yield set_condition(scene, target.id, "incapacitated")
    return scene, ()


_DICE = {"2 dice": 2, "3 dice": 3, "4 dice": 4}

_EFFECTS: dict[str, Callable[[Scene, Roller], Steps]] = {
    "nothing": _nothing,
    "stumble": _stumble,
    "name group": _name_group,
    "wound": _wound,
    "story event": _story_event("story event"),
    "volley": _volley,
    "prone": _prone,
    "minions flee": _flee,
    "major story event": _story_event("major story event"),
    "unconscious": _unconscious,
    **{key: _more_dice(count) for key, count in _DICE.items()},
}


# Naming the next group


def ask_named_model(scene: Scene, side: str) -> Steps:
    """Ask who names the group of the side whose turn begins; return the scene (MNC-038, MNC-049)."""
    for other in scene.sides:
        if not other.has("names group") or other.is_ally(scene.side(side)):
            continue
        models = [one for one in battlefield(scene).fighters.values() if one.side == side]
        if not models:
            continue
        scene = yield set_condition(scene, side_holder(other.id), "names group", None)
        answers = tuple(Answer(one.id, one.name) for one in models)
        best = min(models, key=lambda one: (one.level, one.id))
        key = yield Choose(other.id, localize("miniatures_combat.ask_named"), answers, best.id)
        scene = yield set_condition(scene, key, "named")
        yield Change(Explained(kind="named", facts={"side": other.id, "token": key}))
    return scene
