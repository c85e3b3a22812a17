"""Statistics of a battle: attacks, hits, luck against the exact odds, damage dealt and taken.

They are worked out from the log. Each recorded act is resolved again with its dice in the seat's view of the
scene before it, and its odds are those of that view. So a seat gets numbers about acts that it was told of,
and of all others only the damage that it saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import fsum
from typing import Any, NamedTuple

from enfilade.analysis.timeline import Timeline
from enfilade.errors import EnfiladeError
from enfilade.play.context import ActRequest, CommandContext, read_request
from enfilade.play.redaction.acts import ResolvedAct
from enfilade.play.redaction.views import Step
from enfilade.play.view import can_read, view
from enfilade.rules.procedures import Act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.resolve import Resolution
from enfilade.rules.ruleset import PlayedAttack, Ruleset
from enfilade.runtime.time_budget import UnmeteredRLock, checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.entry import Entry
from enfilade.scene.events import AnyEvent, DiceRolled, Explained
from enfilade.scene.model import Scene, Seat, Token, Value
from enfilade.store.protocol import TableState
from enfilade.tactics.expected_damage import DamageTable
from enfilade.tactics.previews import Chance, to_chance

MAX_ENTRIES = 20_000
"""Statistics cover this many of the last entries."""

ACTS_PER_ANSWER = 40
"""An answer stops after this many new acts, so that none takes long; the next one continues."""


class AttackRecord(Value, frozen=True, kw_only=True):
    """One attack: attacker, target, result, and the expected result.

    `chance` is the chance to hit and `expected` the mean damage, both from the odds before the roll; None if
    the rules did not allow the act and the GM overrode them.
    """

    seq: int
    token: str
    target: str
    side: str
    is_hit: bool
    damage: int
    chance: Chance | None
    expected: float | None


class Totals(Value, frozen=True, kw_only=True):
    """The numbers of one unit, or of one side.

    `expected_hits` and `expected_damage` are sums over the attacks with known odds, and `known`, `known_hits`
    and `known_damage` what these came to. `at_least` is the chance of as many hits or more in these attacks,
    `at_most` of as many or fewer. `dealt` and `taken` are the hit points that the acts of the battle took,
    `downed` the tokens put out of the fight, `lost` its own ones that were.
    """

    id: str
    name: str
    side: str
    attacks: int
    hits: int
    known: int
    known_hits: int
    expected_hits: float
    at_least: float
    at_most: float
    known_damage: int
    expected_damage: float
    dealt: int
    taken: int
    downed: int
    lost: int


class BattleStatistics(Value, frozen=True, kw_only=True):
    """The statistics in a seat's view, so far: `done` of `of` entries that the seat knows of are counted."""

    done: int
    of: int
    units: tuple[Totals, ...]
    sides: tuple[Totals, ...]
    attacks: tuple[AttackRecord, ...]


class _Loss(NamedTuple):
    """Hit points that a token lost to another, or that it went down; `by` is "" for an unknown cause."""

    token: str
    by: str
    points: int
    is_down: bool = False


class _Counted(NamedTuple):
    """The attacks and losses of one entry."""

    attacks: tuple[AttackRecord, ...] = ()
    losses: tuple[_Loss, ...] = ()


class Tally:
    """The statistics of one seat, which grow with the log."""

    def __init__(self, timeline: Timeline, rulesets: Rulesets, seat: Seat) -> None:
        self._timeline = timeline
        self._rulesets = rulesets
        self._seat = seat
        self._place = -1
        self._first = 0
        self._counted: dict[int, _Counted] = {}
        self._undoes: dict[int, int] = {}
        self._undone: set[int] = set()
        self._names: dict[str, tuple[str, str]] = {}
        self._lock = UnmeteredRLock()

    def answer(self, state: TableState) -> BattleStatistics:
        """Count some more entries, and return the statistics so far."""
        with self._lock:
            if self._place < 0:
                self._first = max(0, state.view_seq.of(self._seat, state.seq) - MAX_ENTRIES)
                self._place = self._timeline.place_of(state, self._seat, self._first)
            acts = 0
            for step in self._timeline.steps(state, self._place, state.seq):
                acts += self._count(step)
                self._place = step.entry.seq
                if acts >= ACTS_PER_ANSWER:
                    break
            return self._statistics(state)

    def _count(self, step: Step) -> int:
        """Count one entry; return the number of acts that had to be resolved."""
        entry = step.entry
        if entry.undoes is not None:
            self._undoes[entry.seq] = entry.undoes
            self._undone.add(entry.undoes)
            self._undone.discard(self._undoes.get(entry.undoes, 0))
            return 0
        if entry.request is None or not entry.is_known_to(self._seat):
            return 0
        checkpoint()
        before, after = (view(scene, self._seat) for scene in (step.before, step.after))
        for token in (*before.tokens, *after.tokens):
            self._names[token.id] = token.name, token.side
        ruleset = ruleset_for(self._rulesets, step.before)
        counted = self._of_act(ruleset, step, before, after)
        if counted.attacks or counted.losses:
            self._counted[entry.seq] = counted
        return 1

    def _of_act(self, ruleset: Ruleset, step: Step, before: Scene, after: Scene) -> _Counted:
        entry = step.entry
        assert entry.request is not None
        request = read_request(ruleset, entry.request)
        done = self._resolved(step, before, request)
        attacks = played_attacks(ruleset, before, request.act, done) if done else ()
        blamed = _blamed(ruleset, before, request.act, done.events) if done else {}
        losses = [
            loss
            for token, points in _lost(ruleset, before, after).items()
            for loss in _shared(token, points, attacks, blamed.get(token, ""))
        ]
        for token in _downed(ruleset, before, after):
            fatal = [attack.token for attack in attacks if attack.target == token and attack.is_hit]
            losses.append(_Loss(token, (fatal or [blamed.get(token, "")])[-1], 0, is_down=True))
        records = (self._record(entry, before, attack) for attack in attacks)
        return _Counted(tuple(records), tuple(losses))

    def _resolved(self, step: Step, before: Scene, request: ActRequest) -> Resolution | None:
        """Return the act as it looks to the seat; None if the seat was not told of it."""
        entry = step.entry
        if not (can_read(entry, self._seat) or entry.plain):
            return None
        act = ResolvedAct(CommandContext(self._rulesets, step.before, self._seat), request)
        seen = act.on(before, entry.events)
        return seen.done if seen else None

    def _record(self, entry: Entry, before: Scene, attack: PlayedAttack) -> AttackRecord:
        return AttackRecord(
            seq=entry.number(self._seat),
            token=attack.token,
            target=attack.target,
            side=before.token(attack.token).side,
            is_hit=attack.is_hit,
            damage=attack.damage,
            chance=None if attack.chance is None else to_chance(attack.chance),
            expected=None if attack.expected is None else round(float(attack.expected), 6),
        )

    def _statistics(self, state: TableState) -> BattleStatistics:
        counted = [one for seq, one in self._counted.items() if seq not in self._undone]
        attacks = [attack for one in counted for attack in one.attacks]
        losses = [loss for one in counted for loss in one.losses]
        scene = view(state.scene, self._seat)
        for token in scene.tokens:
            self._names[token.id] = token.name, token.side
        named = {token: name for token, (name, _) in self._names.items()}
        side_of = {token: side for token, (_, side) in self._names.items()}
        units = [
            _totals(one, named[one], side, [a for a in attacks if a.token == one], losses, {one})
            for one, side in side_of.items()
        ]
        sides = [
            _totals(
                side.id,
                side.name,
                side.id,
                [a for a in attacks if a.side == side.id],
                losses,
                {token for token, its in side_of.items() if its == side.id},
            )
            for side in scene.sides
        ]
        return BattleStatistics(
            # In the seat's numbers, because those of the log count what is kept from the seat.
            done=self._timeline.number_at(self._seat, self._place) - self._first,
            of=state.view_seq.of(self._seat, state.seq) - self._first,
            units=tuple(one for one in units if one.attacks or one.dealt or one.taken or one.lost),
            sides=tuple(sides),
            attacks=tuple(attacks),
        )


def played_attacks(ruleset: Ruleset, scene: Scene, act: Act, done: Resolution) -> Sequence[PlayedAttack]:
    """Return the attacks of a resolved act: those that its ruleset names, or the act itself at an enemy.

    What reacts to an act, such as a counterattack, is a part of that act's odds and no attack of its own.
    """
    if ruleset.played_attacks is not None:
        return ruleset.played_attacks(scene, act, done.events)
    actor, target = (_find(scene, token) for token in (act.token, act.target))
    if actor is None or target is None or scene.are_allies(actor, target):
        return ()
    if not any(isinstance(event, DiceRolled) for event in done.events):
        return ()
    chance: Fraction | None = None
    expected: Fraction | None = None
    try:
        strike = DamageTable(ruleset).strike(scene, act)
        chance, expected = strike.chance, strike.damage
    except EnfiladeError:
        pass  # the GM overrode the rules, which have no odds for it
    is_hit = done.result.result in ruleset.successes
    return (PlayedAttack(act.token, act.target, is_hit, done.result.damage, chance, expected),)


def _find(scene: Scene, token_id: str) -> Token | None:
    return next((token for token in scene.tokens if token.id == token_id), None)


def _points(ruleset: Ruleset, scene: Scene) -> dict[str, int]:
    found = {}
    for token in scene.tokens:
        bar = ruleset.bar(token)
        if bar is not None:
            found[token.id] = max(0, token.track(bar.track, bar.most))
    return found


def _lost(ruleset: Ruleset, before: Scene, after: Scene) -> dict[str, int]:
    """Return the hit points that each token has lost from one scene to another."""
    was, now = _points(ruleset, before), _points(ruleset, after)
    return {
        token: points - now[token] for token, points in was.items() if token in now and points > now[token]
    }


def _shared(token: str, points: int, attacks: Sequence[PlayedAttack], other: str) -> list[_Loss]:
    """Return the losses of a token by attacker, up to the damage of each; the rest has no attacker."""
    losses = []
    for attack in attacks:
        part = min(points, attack.damage if attack.target == token else 0)
        if part > 0:
            losses.append(_Loss(token, attack.token, part))
            points -= part
    return [*losses, _Loss(token, other, points)] if points else losses


def _downed(ruleset: Ruleset, before: Scene, after: Scene) -> list[str]:
    """Return the tokens that went down from one scene to another: out of the fight by a condition."""

    def down(scene: Scene) -> set[str]:
        names = ruleset.outlook.down
        return {token.id for token in scene.tokens if any(token.has(name) for name in names)}

    return sorted(down(after) - down(before))


def _blamed(ruleset: Ruleset, scene: Scene, act: Act, events: Sequence[AnyEvent]) -> dict[str, str]:
    """Return, by token, who took its hit points: the last that an explanation names as acting on it.

    Without an explanation it is the actor, or for the actor itself its target.
    """
    blamed: dict[str, str] = {}
    acting, points = _Pair(act.token, act.target), _points(ruleset, scene)
    for event in events:
        if isinstance(event, Explained):
            acting = acting.after(event.facts, set(points))
        scene = fold(scene, event)
        now = points if isinstance(event, Explained | DiceRolled) else _points(ruleset, scene)
        for token, left in now.items():
            if left < points.get(token, left):
                blamed[token] = acting.other(token)
        points = now
    return blamed


class _Pair(NamedTuple):
    """The token that acts at a moment of an act, and the one that it acts on."""

    token: str
    target: str

    def after(self, facts: Mapping[str, Any], known: set[str]) -> _Pair:
        """Return the pair after an explanation that names one."""
        token, target = facts.get("token"), facts.get("target")
        if isinstance(token, str) and isinstance(target, str) and {token, target} <= known:
            return _Pair(token, target)
        return self

    def other(self, token: str) -> str:
        """Return who hurts a token: the one that acts, or for that one its target."""
        return self.target if token == self.token else self.token


def _totals(
    key: str,
    name: str,
    side: str,
    attacks: Sequence[AttackRecord],
    losses: Sequence[_Loss],
    members: set[str],
) -> Totals:
    known = [one for one in attacks if one.chance is not None]
    chances = [one.chance[0] / one.chance[1] for one in known if one.chance]
    hits = sum(one.is_hit for one in known)
    spread = hits_distribution(chances)
    return Totals(
        id=key,
        name=name,
        side=side,
        attacks=len(attacks),
        hits=sum(one.is_hit for one in attacks),
        known=len(known),
        known_hits=hits,
        expected_hits=round(fsum(chances), 6),
        at_least=round(fsum(spread[hits:]), 6),
        at_most=round(fsum(spread[: hits + 1]), 6),
        known_damage=sum(one.damage for one in known),
        expected_damage=round(fsum(one.expected or 0.0 for one in known), 6),
        dealt=sum(loss.points for loss in losses if loss.by in members),
        taken=sum(loss.points for loss in losses if loss.token in members),
        downed=sum(loss.is_down for loss in losses if loss.by in members and loss.token not in members),
        lost=sum(loss.is_down for loss in losses if loss.token in members),
    )


def hits_distribution(chances: Sequence[float]) -> list[float]:
    """Return the chance of each number of hits among independent attacks (the Poisson binomial)."""
    spread = [1.0]
    for chance in chances:
        stay = [share * (1 - chance) for share in spread] + [0.0]
        for hits, share in enumerate(spread):
            stay[hits + 1] += share * chance
        spread = stay
    return spread
