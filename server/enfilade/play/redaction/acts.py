"""What an act looks like to those who do not know all of a scene: its words, worked out from what they see.

They are what would be said if what is hidden from them were not there at all, so they tell nothing of it.
Where what can be seen to happen is not what would have happened then, there are no such words. They are
worked out for every act in a scene with secrets: true words can tell of one without its name, by a count.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.play.commands.act_request import Asked, automatic_sides
from enfilade.play.commands.edits import Draft, Game
from enfilade.play.log.text import words_of
from enfilade.play.redaction.scene import has_secrets, hidden_in, is_shown, view
from enfilade.rules.dice import Die, Face, Faces
from enfilade.rules.procedures import Choose
from enfilade.rules.resolve import Answers, ChoicePending, Resolution, WrongAnswer, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.model import Scene
from enfilade.scene.seat import SPECTATOR, Seat

log = logging.getLogger(__name__)

MET = "{} moves, and something unseen is met on the way."
"""Said of a move that goes otherwise than can be seen why."""


class Seen(NamedTuple):
    """What an act comes to in a scene as somebody sees it, and what is said of it then."""

    done: Resolution
    words: PublicText


@dataclass(frozen=True)
class Done:
    """An act that is done, as it was asked for."""

    game: Game
    asked: Asked

    def on(self, seen: Scene, events: Sequence[AnyEvent]) -> Seen | None:
        """What would have come of it in another scene with the same dice and answers; None for nothing."""
        made = decided(events)
        asked = replace(
            self.asked,
            faces=tuple(face for event in events if isinstance(event, DiceRolled) for face in event.faces),
            decisions=tuple(event.answer for event in made),
            questions=tuple(event.question for event in made),
        )
        answers, ruleset = answers_on(self.game.scene, asked), self.game.ruleset
        done = tried(ruleset, seen, asked, answers)
        if not isinstance(done, Resolution):
            return None
        return Seen(done, words_of(ruleset, seen, asked, done, answers.overridden))

    def words_for(self, seat: Seat, draft: Draft) -> PublicText | None:
        """The words for somebody to whom it looks as if nothing hidden from them had a part in it."""
        return self._words(draft, lambda scene: view(scene, seat))

    def words_if_shown(self, draft: Draft) -> PublicText | None:
        """The words for everybody, once they may know who acts and is acted on, and of nobody else."""
        return self._words(draft, lambda scene: view(_with_shown(self._parties, scene), SPECTATOR))

    @property
    def has_hidden_party(self) -> bool:
        """Whether who acts or is acted on is hidden, and the dice therefore are."""
        return any(token.id in self._parties and token.hidden for token in self.game.scene.tokens)

    @property
    def _parties(self) -> set[str]:
        return {self.asked.act.token, self.asked.act.target}

    def _words(self, draft: Draft, seen_of: Callable[[Scene], Scene]) -> PublicText | None:
        truth = fold_all(self.game.scene, draft.events)
        told = self.on(seen_of(self.game.scene), draft.events)
        if told is None or rolls_of(told.words.facts) != rolls_of(draft.facts):
            return None
        if not _is_result(draft, told.done):
            return None
        looks_so = told.words == PublicText(text=draft.text, facts=draft.facts)
        return told.words if looks_so or told.done.scene == seen_of(truth) else None


def decided(events: Iterable[AnyEvent]) -> list[ChoiceMade]:
    """The choices among some events that somebody made."""
    return [event for event in events if isinstance(event, ChoiceMade) and not event.automatic]


def _with_shown(parties: Collection[str], scene: Scene) -> Scene:
    tokens = (replace(t, hidden=False) if t.id in parties and t.hidden else t for t in scene.tokens)
    return replace(scene, tokens=tuple(tokens))


def _is_result(draft: Draft, done: Resolution) -> bool:
    return not draft.result or draft.result["outcome"] == msgspec.to_builtins(done.result)


def rolls_of(facts: Mapping[str, Any]) -> list[tuple[str, list[Face]]]:
    """The dice among facts. Faces mean nothing where other dice than those that fell would have fallen."""
    return [(roll["die"], roll["faces"]) for roll in facts.get("rolls", ())]


def answers_on(scene: Scene, asked: Asked) -> Answers:
    """What has been said and has fallen, and no more of it; `scene` says which sides are not asked."""
    return _Given(
        faces=asked.faces,
        decisions=asked.decisions,
        questions=asked.questions,
        dice=None if asked.is_typed else _NoMoreDice(),
        automatic=automatic_sides(scene),
        overrides=asked.reason != "",
    )


def tried(
    ruleset: Ruleset, seen: Scene, asked: Asked, answers: Answers
) -> Resolution | ChoicePending | EnfiladeError | None:
    """What an act comes to in a scene as somebody sees it: done, a question, a refusal, or nothing."""
    try:
        return resolve(seen, ruleset.procedures[asked.act.kind], (asked.act,), answers)
    except (EnfiladeError, ChoicePending) as ended:
        return ended
    except Exception:  # a battle may look as its rules never come to, a whole side hidden
        log.warning("%s cannot say what %s looks like", seen.ruleset, asked.act.kind, exc_info=True)
        return None


def with_seeming(done: Done, draft: Draft) -> Draft:
    """A draft with the words for those who know of nothing hidden, and for whoever knows all it is about."""
    if not has_secrets(done.game.scene):
        return draft
    plain, told = done.words_for(SPECTATOR, draft), _told_to_owners(done, draft)
    own = next(iter(told.values()), None)
    readers = tuple(sorted(told)) if all(words == own for words in told.values()) else ()
    own = own if readers else None
    shown = done.words_if_shown(draft) if done.has_hidden_party else None
    return replace(draft, plain=plain, is_unseen=plain is None, own=own, readers=readers, shown=shown)


def _told_to_owners(done: Done, draft: Draft) -> dict[str, PublicText]:
    """The words for each player of a hidden token that a draft is about, where there are any."""
    scene = done.game.scene
    about = hidden_in(scene, fold_all(scene, draft.events), draft.events, draft.text)
    acting = [token for token in scene.tokens if token.id == done.asked.act.token and not is_shown(token)]
    owners = {owner for token in (*about, *acting) for owner in token.owners}
    told = {owner: done.words_for(Seat("player", owner), draft) for owner in owners}
    return {owner: words for owner, words in told.items() if words is not None}


def as_the_mover_sees(done: Done, draft: Draft) -> Draft:
    """A move at a table that does not enforce, with the costs that its player can see.

    It stands wherever the player put it, so what it costs must not tell whether something unseen bars the
    way. The game master reads of that. Where something unseen does more, the words only say that it did.
    """
    game, act = done.game, done.asked.act
    if draft.pending or game.is_seen_whole:
        return draft
    told = done.on(game.seen, draft.events)
    if told and tuple(told.done.events) == draft.events:
        return draft
    truth = fold_all(game.scene, draft.events)
    if told and _is_walk(told.done.events, game.scene, truth, act.token):
        return with_seeming(done, replace(draft, events=tuple(told.done.events)))
    token = game.scene.token(act.token)
    if draft.plain or not is_shown(token):
        return draft
    return replace(draft, plain=PublicText(text=MET.format(token.name)), result={})


def _is_walk(events: Sequence[AnyEvent], before: Scene, truth: Scene, token: str) -> bool:
    """Whether all that happened in truth is that the mover went where these events take it, without dice."""
    seen = fold_all(before, events)
    return (
        not any(isinstance(event, DiceRolled) for event in events)
        and seen.token(token).at == truth.token(token).at
        and _without(token, seen) == _without(token, truth)
    )


def _without(token: str, scene: Scene) -> Scene:
    return replace(scene, tokens=tuple(other for other in scene.tokens if other.id != token))


@dataclass
class _Given(Answers):
    """Answers to the questions that they were given to: others may not have been asked as it looks."""

    questions: Sequence[str] = ()

    def decision(self, choice: Choose) -> tuple[str, bool] | None:
        """The answer to the same question; those to questions that are not asked are passed over."""
        if len(self.questions) == len(self.decisions):
            start = len(self.used_decisions)
            asked = list(self.questions[start:])
            passed = asked.index(choice.question) if choice.question in asked else 0
            self.used_decisions.extend(self.decisions[start : start + passed])
        return super().decision(choice)

    def require_used_up(self) -> None:
        """Raises WrongAnswer; answers that are left over are to questions that are not asked."""
        if len(self.questions) == len(self.decisions):
            self.decisions = self.used_decisions
        super().require_used_up()


class _NoMoreDice:
    """Dice of an act that has been done: all of them have fallen."""

    def roll(self, die: Die, count: int) -> Faces:
        """Raises WrongAnswer."""
        raise WrongAnswer(f"No {count} {die.name} fell here.")
