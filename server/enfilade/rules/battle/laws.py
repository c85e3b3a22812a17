"""Laws: what forbids a token acts while a state lasts, and what it must do before other acts.

Bans and duties are data. They name acts by kind or by tag, so that a new act gets its laws with its tags. The
engine asks them before each act, in offers, previews, play and odds alike, because `Laws.over` puts them into
the procedures themselves. `Laws.judging` asks them of moves, which the table judges and does not refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from typing import Literal, NamedTuple

from enfilade.errors import Cause, IllegalAct
from enfilade.geometry.board.units import Cell
from enfilade.i18n import has_text, localize
from enfilade.rules.battle import causes
from enfilade.rules.battle.memo import per_profile
from enfilade.rules.procedures import Act, Procedure, Require, Steps
from enfilade.rules.ruleset import ActKind, QuickRefusal, RefusalNow, Ruling
from enfilade.scene.model import Scene, Token

Tag = Literal["moves", "strikes", "forced", "ends"]
"""What an act does, as laws name it: its token moves by its own will; it strikes at others; it moves tokens
by force; it ends a turn or an activation."""


def always(scene: Scene, token: Token, act: Act) -> bool:
    """Return True: the ban holds for each act that it names."""
    del scene, token, act
    return True


class Ban(NamedTuple):
    """Acts that a token may not do while it has a condition.

    `acts` are kinds, tags, or causes of forced moves. `when` narrows it further: it gets the scene, the token
    and the act. A ban without a condition holds whenever `when` does. `sentence` is a key of the catalog, or
    a text, and gets the token's `name`. `cause` is "marker" for a condition that is a marker on the table.
    One that is not `is_by_place` holds for an act at each place alike: `when` does not read where it leads.
    """

    condition: str
    acts: Collection[str]
    rule: str
    sentence: str
    when: Callable[[Scene, Token, Act], bool] = always
    cause: Cause = "ban"
    is_by_place: bool = True


def holds_none(scene: Scene, token: Token, act: Act) -> Sequence[str]:
    """Return none: a duty that is never owed."""
    del scene, token, act
    return ()


class Duty(NamedTuple):
    """A thing to do before other acts: to defend before a strike, to have enough carriers.

    `owed` gets the scene, the token and the act, and returns the IDs of those whom it is owed to: its own, if
    there is no other. `before` are kinds, tags or causes, as in `Ban`. `act` is the kind of act that does the
    duty; empty if none does. A duty that `lapses` refuses nothing: the act before which it is owed settles
    it, as the end of an activation fails the defenses still owed. `sentence` gets the `name` of the first.
    """

    key: str
    before: Collection[str]
    rule: str
    sentence: str
    owed: Callable[[Scene, Token, Act], Sequence[str]] = holds_none
    act: str = ""
    lapses: bool = False


class Owed(NamedTuple):
    """A duty that a token has now, and the IDs of those whom it is owed to."""

    duty: Duty
    to: tuple[str, ...]


def has_winner(scene: Scene) -> bool:
    """Return whether a battle is won, or over without a winner."""
    return "won" in scene.conditions  # asked before every act


class Ended(NamedTuple):
    """The end of a battle, after which every act is refused but those of the kinds in `but_for`."""

    rule: str
    but_for: Collection[str] = ()
    is_over: Callable[[Scene], bool] = has_winner

    def refusal(self, scene: Scene, kind: str) -> IllegalAct | None:
        """Return the error with which a kind of act is refused after the battle, or None."""
        return None if kind in self.but_for or not self.is_over(scene) else self.error()

    def error(self) -> IllegalAct:
        """Return the error with which acts are refused after the battle."""
        return IllegalAct(localize("rules.battle_over"), self.rule, "turn")


Refuses = Callable[[Act], IllegalAct | None]
"""A function that returns the error that refuses an act, or None."""


class Laws(NamedTuple):
    """The bans and the duties of a game, and what its end refuses."""

    bans: tuple[Ban, ...] = ()
    duties: tuple[Duty, ...] = ()
    ended: Ended | None = None

    def refusal(self, scene: Scene, act: Act, tags: Collection[str] = ()) -> IllegalAct | None:
        """Return the error with which a law refuses an act now, or None; raises NotFound for its token.

        What an act moves by force after it has decided the battle is not refused for that.
        """
        over = self.ended.refusal(scene, act.kind) if self.ended and "forced" not in tags else None
        if over is not None:
            return over
        token, names = scene.token(act.token), frozenset(tags)
        bans, duties = _naming(self.bans, act.kind, names), _refusing(self.duties, act.kind, names)
        return _first_refusal(bans, duties, scene, token, act) if bans or duties else None

    def at_places(self, scene: Scene, act: Act, tags: Collection[str] = ()) -> Refuses | None:
        """Return `refusal` for acts that differ from one in their places alone; None if no place is refused.

        What holds for all places is asked once.
        """
        token, names = scene.token(act.token), frozenset(tags)
        bans, duties = _naming(self.bans, act.kind, names), _refusing(self.duties, act.kind, names)
        bans = [ban for ban in bans if not ban.condition or ban.condition in token.conditions]
        by_place = [ban for ban in bans if ban.is_by_place and ban.when is not always]
        if (self.ended and self.ended.refusal(scene, act.kind)) or any(
            ban.when(scene, token, act) for ban in bans if ban not in by_place
        ):
            return lambda act: self.refusal(scene, act, tags)
        if not by_place and not duties:
            return None
        return lambda act: _first_refusal(by_place, duties, scene, token, act)

    def owed(self, scene: Scene, token: Token, act: Act, tags: Collection[str] = ()) -> list[Owed]:
        """Return the duties that a token has before an act, those that lapse with it too."""
        named = _owed_before(self.duties, act.kind, frozenset(tags)) if self.duties else ()
        return [Owed(duty, tuple(to)) for duty in named if (to := duty.owed(scene, token, act))]

    def over(self, acts: Mapping[str, ActKind]) -> dict[str, ActKind]:
        """Return kinds of act whose procedures ask the laws first; moves are `judging`'s."""
        return {kind: self._lawful(kind, act) for kind, act in acts.items()}

    def _lawful(self, kind: str, act: ActKind) -> ActKind:
        check = None if kind in JUDGED else self._check_of(kind, act.tags)
        if check is None:
            return act
        (first_refusal, first_refusal_now), quick = check, act.refusal

        def refusal(scene: Scene, act: Act) -> IllegalAct | None:
            refused = first_refusal(scene, act)
            return quick(scene, act) if quick and refused is None else refused

        def refusal_now(scene: Scene, token: str) -> QuickRefusal | None:
            law, own = first_refusal_now(scene, token), act.quick_refusal(scene, token)
            if law is None or own is None:
                return law or own
            return lambda scene, act: law(scene, act) or own(scene, act)

        procedure = _lawful_procedure(act.procedure, first_refusal)
        return act._replace(procedure=procedure, refusal=refusal, refusal_now=refusal_now)

    def _check_of(self, kind: str, tags: Collection[str]) -> _Check | None:
        """Return the check of the laws that name a kind of act or one of its tags; None if none does."""
        named = {kind, *tags}
        bans = [ban for ban in self.bans if not named.isdisjoint(ban.acts)]
        duties = [duty for duty in self.duties if not named.isdisjoint(duty.before) and not duty.lapses]
        ended = self.ended if self.ended and kind not in self.ended.but_for else None
        states = {ban.condition for ban in bans}
        is_by_state = not duties and "" not in states

        def refusal(scene: Scene, act: Act) -> IllegalAct | None:
            if ended is not None and ended.is_over(scene):
                return ended.error()
            if not (bans or duties):
                return None
            token = scene.token(act.token)
            if is_by_state and states.isdisjoint(token.conditions):
                return None
            return _first_refusal(bans, duties, scene, token, act)

        def refusal_now(scene: Scene, token_id: str) -> QuickRefusal | None:
            is_over = ended is not None and ended.is_over(scene)
            return refusal if is_over else _refusal_now(bans, duties, scene.token(token_id))

        return _Check(refusal, refusal_now) if bans or duties or ended else None

    def judging(self, judge: Judge) -> Judge:
        """Return a judge of moves that refuses what a law forbids, for that reason alone."""

        @wraps(judge)
        def lawful(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
            ruling = judge(scene, token, path, facing)
            if not path:
                return ruling
            act = Act(kind="move", token=token.id, at=path[-1], facing=facing, path=tuple(path))
            refused = self.refusal(scene, act, MOVES)
            if refused is None:
                return ruling
            return causes.ruling((refused,), ruling.cost, ruling.budget, ruling.path, ruling.steps)

        return lawful


Judge = Callable[[Scene, Token, Sequence[Cell], int | None], Ruling]


class _Check(NamedTuple):
    """The refusals by the laws that name a kind of act: asked of one act, and once for all of a token."""

    refusal: QuickRefusal
    refusal_now: RefusalNow


NO_LAWS = Laws()
MOVES: frozenset[str] = frozenset({"moves"})
JUDGED: frozenset[str] = frozenset({"move"})
"""The kinds of act that `Ruleset.judge` rules on: at a table that only advises they go through."""


def _lawful_procedure(procedure: Procedure, first_refusal: QuickRefusal) -> Procedure:
    """Return a procedure that asks the laws first."""

    def require(scene: Scene, act: Act) -> None:
        refused = first_refusal(scene, act)
        if refused is not None:
            raise refused

    def refused_first(scene: Scene, act: Act) -> Steps:
        yield Require(require, (scene, act))
        return (yield from procedure(scene, act))

    @wraps(procedure)
    def lawful(scene: Scene, act: Act) -> Steps:
        # Most acts are lawful: they run as if there were no laws, without a generator around them.
        is_lawful = first_refusal(scene, act) is None
        return procedure(scene, act) if is_lawful else refused_first(scene, act)

    return lawful


def _first_refusal(
    bans: Iterable[Ban], duties: Iterable[Duty], scene: Scene, token: Token, act: Act
) -> IllegalAct | None:
    """Return the error of the first of some laws that refuses a token's act which all of them name."""
    for ban in bans:
        if (not ban.condition or ban.condition in token.conditions) and ban.when(scene, token, act):
            return IllegalAct(_told(ban.sentence, token), ban.rule, ban.cause)
    for duty in duties:
        to = duty.owed(scene, token, act)
        if to:
            return IllegalAct(_told(duty.sentence, scene.token(to[0])), duty.rule, "duty")
    return None


def _refusal_now(bans: Iterable[Ban], duties: Collection[Duty], token: Token) -> QuickRefusal | None:
    """Return what some laws refuse a token in the state that it is in; None if they refuse it nothing.

    Most tokens are in no state that a ban names: then no target needs to ask the laws.
    """
    held = [ban for ban in bans if not ban.condition or ban.condition in token.conditions]
    if not held and not duties:
        return None
    return lambda scene, act: _first_refusal(held, duties, scene, token, act)


def _told(sentence: str, token: Token) -> str:
    """Return a sentence about a token: of the catalog, or the text of a game that has no catalog."""
    return localize(sentence, name=token.name) if has_text(sentence) else sentence.format(name=token.name)


@per_profile
def _naming(bans: tuple[Ban, ...], kind: str, tags: frozenset[str]) -> list[Ban]:
    """Return the bans that name a kind of act or one of its tags; kept, because each move asks."""
    return [ban for ban in bans if kind in ban.acts or not tags.isdisjoint(ban.acts)]


@per_profile
def _refusing(duties: tuple[Duty, ...], kind: str, tags: frozenset[str]) -> list[Duty]:
    """Return the duties before a kind of act that refuse it."""
    return [duty for duty in _owed_before(duties, kind, tags) if not duty.lapses]


@per_profile
def _owed_before(duties: tuple[Duty, ...], kind: str, tags: frozenset[str]) -> list[Duty]:
    """Return the duties before a kind of act or one of its tags."""
    return [duty for duty in duties if kind in duty.before or not tags.isdisjoint(duty.before)]
