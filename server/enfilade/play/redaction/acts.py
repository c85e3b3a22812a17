"""Acts in a seat's view: the log text that a seat may read, from what that seat sees.

The text is what would be said if nothing hidden from the seat were there, so it reveals nothing. If what the
seat can see differs from what would happen then, there is no such text. It is computed for every act in a
scene with secrets: a true text can reveal a hidden token without its name, by a count.

An act that runs an `Each` over seen and hidden tokens, as an area spell does, has the text of its seen items
with the dice of these, if they are changed as they are without the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import to_builtins
from msgspec.structs import replace

from enfilade.errors import EnfiladeError, IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.play.context import (
    ActRequest,
    CommandContext,
    Decision,
    automatic_sides,
    automatic_tokens,
)
from enfilade.play.hidden_map import shade
from enfilade.play.log import log_text
from enfilade.play.view import has_secrets, hidden_tokens_in, is_visible, view, without_ids
from enfilade.rules.dice import Die, Face, Faces
from enfilade.rules.group_moves import moved_tokens, named_members
from enfilade.rules.procedures import Allocate, Choose, Roll
from enfilade.rules.resolve import Answers, ChoicePending, Resolution, WrongAnswer, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.model import SPECTATOR, Fog, Scene, Seat, Token

log = logging.getLogger(__name__)

UNITS_PER_INCH = 64

ROUND = "round"
"""The kind of the act that starts a round, in every game with such an act."""


class Seen(NamedTuple):
    """The resolution of an act in a seat's view, and its log text."""

    done: Resolution
    text: PublicText


@dataclass(frozen=True)
class ResolvedAct:
    """A resolved act as it was requested."""

    context: CommandContext
    request: ActRequest

    def on(self, seen: Scene, events: Sequence[AnyEvent]) -> Seen | None:
        """Return the act in another scene with the same dice and answers; None if it cannot happen."""
        request = self._as_it_went(events)
        return self._seen(seen, request, replay_answers(self.context.scene, request))

    def _as_it_went(self, events: Sequence[AnyEvent]) -> ActRequest:
        """Return the request with all that was rolled and decided."""
        made = manual_choices(events)
        return replace(
            self.request,
            faces=tuple(face for event in events if isinstance(event, DiceRolled) for face in event.faces),
            decisions=tuple(event.answer for event in made),
            questions=tuple(event.question for event in made),
        )

    def _seen(self, seen: Scene, request: ActRequest, answers: Answers) -> Seen | None:
        done = try_act(self.context.ruleset, seen, request, answers)
        if not isinstance(done, Resolution):
            return None
        return Seen(done, log_text(self.context.ruleset, seen, request, done, answers.overridden))

    def _seen_items(self, seen: Scene, events: Sequence[AnyEvent]) -> Seen | None:
        """Return the act in another scene, each item of a loop that is there too with its own dice."""
        scene, request = self.context.scene, self._as_it_went(events)
        noted = _Noted(**_given(scene, request))
        if not isinstance(try_act(self.context.ruleset, scene, request, noted), Resolution):
            return None
        if noted.dice_of.keys() <= {()}:
            return None
        return self._seen(seen, request, _OfItems(**_given(scene, request), dice_of=noted.dice_of))

    def redact_entry_text(self, seat: Seat, decision: Decision) -> PublicText | None:
        """Return the log text for a seat, if nothing hidden from it had a part in the act."""
        found = self.as_seen_by(seat, decision)
        return found and found.text

    def as_seen_by(self, seat: Seat, decision: Decision) -> Seen | None:
        """Return the act and its log text for a seat, if nothing hidden has a part in what it sees."""
        return self._redacted(decision, lambda scene: view(scene, seat))

    def text_if_revealed(self, decision: Decision) -> PublicText | None:
        """Return the log text for all seats after the reveal of the actor and the target."""
        found = self._redacted(decision, lambda scene: view(_with_revealed(self._parties, scene), SPECTATOR))
        return found and found.text

    @property
    def has_hidden_party(self) -> bool:
        """Return whether an actor or the target is hidden, and so the dice are."""
        return any(token.id in self._parties and token.hidden for token in shade(self.context.scene).tokens)

    @property
    def _parties(self) -> set[str]:
        act = self.request.act
        return {act.token, act.target, *named_members(act)}

    def _redacted(self, decision: Decision, seen_of: Callable[[Scene], Scene]) -> Seen | None:
        truth = fold_all(self.context.scene, decision.events)
        seen = seen_of(self.context.scene)
        seen_act = self.on(seen, decision.events)
        is_whole = seen_act is not None and dice_in(seen_act.text.facts) == dice_in(decision.facts)
        if not is_whole:
            seen_act = self._seen_items(seen, decision.events)
        if seen_act is None or (is_whole and not _is_result(decision, seen_act.done)):
            return None
        looks_so = seen_act.text == PublicText(text=decision.text, facts=decision.facts)
        if not looks_so and seen_act.done.scene != seen_of(truth):
            return None
        # The act may name a hidden token that its procedure never looks at, as the one that begins a battle.
        known = {token.id for token in seen.tokens}
        unseen = [token.id for token in self.context.scene.tokens if token.id not in known]
        text = seen_act.text
        return Seen(seen_act.done, replace(text, facts=without_ids(unseen, text.facts)))


def manual_choices(events: Iterable[AnyEvent]) -> list[ChoiceMade]:
    """Return the choices among events that a person made."""
    return [event for event in events if isinstance(event, ChoiceMade) and not event.automatic]


def _with_revealed(parties: Collection[str], scene: Scene) -> Scene:
    shaded = shade(scene)
    tokens = (replace(t, hidden=False) if t.id in parties and t.hidden else t for t in shaded.tokens)
    return replace(shaded, tokens=tuple(tokens), fog=Fog())


def _is_result(decision: Decision, done: Resolution) -> bool:
    return not decision.result or decision.result["outcome"] == to_builtins(done.result)


def dice_in(facts: Mapping[str, Any]) -> list[tuple[str, list[Face]]]:
    """Return the dice among facts; other dice than these would make the faces meaningless."""
    return [(roll["die"], roll["faces"]) for roll in facts.get("rolls", ())]


def replay_answers(scene: Scene, request: ActRequest) -> Answers:
    """Return answers with exactly what was rolled and decided; `scene` is the true one."""
    return _Given(**_given(scene, request))


def _given(scene: Scene, request: ActRequest) -> dict[str, Any]:
    return {
        "faces": request.faces,
        "decisions": request.decisions,
        "questions": request.questions,
        "dice": None if request.is_typed else _NoMoreDice(),
        "automatic": automatic_sides(scene, request),
        "automatic_tokens": automatic_tokens(scene),
        "overrides": request.reason != "",
    }


def try_act(
    ruleset: Ruleset, seen: Scene, request: ActRequest, answers: Answers
) -> Resolution | ChoicePending | EnfiladeError | None:
    """Return the result of an act in a seat's view: a resolution, a choice, a refusal, or None."""
    try:
        return resolve(seen, ruleset.acts[request.act.kind].procedure, (request.act,), answers)
    except (EnfiladeError, ChoicePending) as ended:
        return ended
    except Exception:  # a battle may look as its rules never come to, a whole side hidden
        log.warning("%s cannot say what %s looks like", seen.ruleset, request.act.kind, exc_info=True)
        return None


def with_redacted_text(done: ResolvedAct, decision: Decision) -> Decision:
    """Return a decision with the public text, and the text for owners of hidden tokens in it."""
    if not has_secrets(done.context.scene):
        return decision
    texts = _texts_for_owners(done, decision)
    seen = done.as_seen_by(SPECTATOR, decision)
    plain = seen.text if seen else _round_text(done, decision)
    if seen and done.context.seat.role != "gm" and not _is_result(decision, seen.done):
        decision = replace(decision, result={**decision.result, "outcome": to_builtins(seen.done.result)})
    own = next(iter(texts.values()), None)
    readers = tuple(sorted(texts)) if all(text == own for text in texts.values()) else ()
    own = own if readers else None
    shown = done.text_if_revealed(decision) if done.has_hidden_party else None
    return replace(decision, plain=plain, is_unseen=plain is None, own=own, readers=readers, shown=shown)


def _round_text(done: ResolvedAct, decision: Decision) -> PublicText | None:
    """Return that a round begins, and who is first; None if none begins.

    Every seat sees both on the scene, even if hidden tokens had a part in the initiative.
    """
    context, kind = done.context, done.request.act.kind
    if kind != ROUND and not context.ruleset.is_gm_act(kind):
        return None
    before, after = context.scene, fold_all(context.scene, decision.events)
    seen_before, seen_after = view(before, SPECTATOR), view(after, SPECTATOR)
    try:
        was, turn = context.ruleset.turn(seen_before), context.ruleset.turn(seen_after)
    except EnfiladeError:  # a battle may look as its rules never come to, a whole side hidden
        return None
    if turn.round <= was.round:
        return None
    first = [seen_after.token(turn.token).name] if turn.token else []
    names = first or [side.name for side in seen_after.sides if side.id in turn.sides]
    key = "play.round_begins" if len(names) == 1 else "play.round_begins_unseen"
    return PublicText(text=localize(key, number=turn.round, next="".join(names[:1])))


def _texts_for_owners(done: ResolvedAct, decision: Decision) -> dict[str, PublicText]:
    """Return the text for each player of a hidden token in the decision, if there is one."""
    scene = done.context.scene
    mentioned = hidden_tokens_in(scene, fold_all(scene, decision.events), decision.events, decision.text)
    actors = {done.request.act.token, *named_members(done.request.act)}
    acting = [token for token in shade(scene).tokens if token.id in actors and not is_visible(token)]
    owners = {owner for token in (*mentioned, *acting) for owner in token.owners}
    texts = {owner: done.redact_entry_text(Seat("player", owner), decision) for owner in owners}
    return {owner: text for owner, text in texts.items() if text is not None}


def redact_move(done: ResolvedAct, decision: Decision) -> Decision:
    """Return a move's decision with the costs that its player can see, on a table that does not enforce.

    The player does not see the whole scene. The move stands as it was made, so its cost must not reveal
    whether something unseen blocks the path. The GM reads about that. If something unseen does more, the
    text only says that it did.
    """
    context, act = done.context, done.request.act
    if decision.pending:
        return decision
    seen_act = done.on(context.seen, decision.events)
    if seen_act and tuple(seen_act.done.events) == decision.events:
        return decision
    truth = fold_all(context.scene, decision.events)
    if seen_act and _is_walk(seen_act.done.events, context.scene, truth, moved_tokens(act)):
        return with_redacted_text(done, replace(decision, events=tuple(seen_act.done.events)))
    token = shade(context.scene).token(moved_tokens(act)[0])
    if decision.plain or not is_visible(token):
        return decision
    return replace(decision, plain=PublicText(text=localize("play.met_unseen", name=token.name)), result={})


def _is_walk(events: Sequence[AnyEvent], before: Scene, truth: Scene, tokens: Collection[str]) -> bool:
    """Return whether all that happened is that tokens moved as these events say, without dice."""
    seen = fold_all(before, events)
    return (
        not any(isinstance(event, DiceRolled) for event in events)
        and all(seen.token(key).at == truth.token(key).at for key in tokens)
        and _without(tokens, seen) == _without(tokens, truth)
    )


def _without(tokens: Collection[str], scene: Scene) -> Scene:
    return replace(scene, tokens=tuple(other for other in scene.tokens if other.id not in tokens))


def last_visible_step(context: CommandContext, token: Token, at: Cell, facing: int | None) -> Cell:
    """Return the last position on the straight path to `at` that the rules allow in the real scene.

    It is `at` if nothing unseen blocks the path. Raises IllegalAct if not even one step is legal.
    """
    for place in (at, *_back_from(at, token.at or at, context.scene.grid.kind == "gridless")):
        if all(
            context.ruleset.judge(scene, scene.token(token.id), (place,), facing).allowed
            for scene in (context.seen, context.scene)
        ):
            return place
    raise IllegalAct(localize("play.unseen_prevents"))


def _back_from(end: Cell, start: Cell, is_gridless: bool) -> Iterator[Cell]:
    """Yield the positions between two, nearest to the end first: cells, or one an inch without a grid."""
    (x, y), (to_x, to_y) = start, end
    across, down = to_x - x, to_y - y
    steps = max(abs(across), abs(down)) // (UNITS_PER_INCH if is_gridless else 1)
    for step in range(steps - 1, 0, -1):
        # Rounded half up, in whole numbers.
        yield (x + (2 * across * step + steps) // (2 * steps), y + (2 * down * step + steps) // (2 * steps))


@dataclass
class _Given(Answers):
    """Answers bound to their questions: other questions may not be asked in another view."""

    questions: Sequence[str] = ()

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool] | None:
        """Return the answer to the same question; answers to questions that are not asked are skipped."""
        if len(self.questions) == len(self.decisions):
            start = len(self.used_decisions)
            request = list(self.questions[start:])
            passed = request.index(choice.question) if choice.question in request else 0
            self.used_decisions.extend(self.decisions[start : start + passed])
        return super().decision(choice)

    def require_used_up(self) -> None:
        """Raise WrongAnswer; leftover answers belong to questions that are not asked."""
        if len(self.questions) == len(self.decisions):
            self.decisions = self.used_decisions
        super().require_used_up()


Loop = tuple[Any, ...]
"""The items of loops that run, the outermost first; none outside of all loops."""


@dataclass
class _Noted(_Given):
    """Answers that note the faces of each item of a loop, and those of the act beside them."""

    running: Loop = ()
    dice_of: dict[Loop, list[Face]] = field(default_factory=dict)

    def enter(self, item: Any) -> None:
        """Note which item runs."""
        self.running = (*self.running, item)

    def leave(self) -> None:
        """Note that the item is over."""
        self.running = self.running[:-1]

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the faces for a roll, and note them."""
        faces = super().roll_faces(roll)
        self.dice_of.setdefault(self.running, []).extend(faces)
        return faces


@dataclass
class _OfItems(_Noted):
    """Answers that give each item the faces that it had; those of items that are not there are left out."""

    rolled: dict[Loop, int] = field(default_factory=dict)

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the faces for a roll. Raises WrongAnswer where the item had others, or none."""
        start, own = self.rolled.get(self.running, 0), self.dice_of.get(self.running, [])
        faces = tuple(own[start : start + roll.number])
        if len(faces) < roll.number or any(face not in roll.die.faces for face in faces):
            raise WrongAnswer(localize("play.no_dice_rolled", count=roll.number, die=roll.die.name))
        self.rolled[self.running] = start + roll.number
        return faces

    def require_used_up(self) -> None:
        """Raise WrongAnswer if the act, or an item that ran, left any of its faces."""
        for loop, count in {(): 0, **self.rolled}.items():
            own = len(self.dice_of.get(loop, ()))
            if own > count:
                raise WrongAnswer(localize("rules.too_many_dice", given=own, used=count))
        self.faces, self.used_faces = (), []
        super().require_used_up()


class _NoMoreDice:
    """Dice of a resolved act: all of them are rolled."""

    def roll(self, die: Die, count: int) -> Faces:
        """Raise WrongAnswer."""
        raise WrongAnswer(localize("play.no_dice_rolled", count=count, die=die.name))
