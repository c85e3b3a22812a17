"""What an act looks like to those who do not know all of a scene: its words, worked out from what they see.

They are what would be said if what is hidden from them were not there at all, so they tell nothing of it.
Where what can be seen to happen is not what would have happened then, there are no such words. They are
worked out for every act in a scene with secrets: true words can tell of one without its name, by a count.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.play.asked import Asked, automatic_sides
from enfilade.play.deeds import Draft, Game
from enfilade.play.wording import words_of
from enfilade.rules.dice import Die, Face, Faces
from enfilade.rules.performing import Answers, Performed, WaitingError, WrongAnswer, perform
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import Plain
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.fold import fold_all
from enfilade.scene.model import Scene
from enfilade.scene.seat import SPECTATOR, Seat
from enfilade.scene.view import has_secrets, hidden_in, is_shown, view

log = logging.getLogger(__name__)

MET = "{} moves, and something unseen is met on the way."
"""Said of a move that goes otherwise than can be seen why."""


class Seen(NamedTuple):
    """What an act comes to in a scene as somebody sees it, and what is said of it then."""

    done: Performed
    words: Plain


@dataclass(frozen=True)
class Done:
    """An act that is done, as it was asked for."""

    game: Game
    asked: Asked

    def on(self, seen: Scene, events: Sequence[AnyEvent]) -> Seen | None:
        """What would have come of it in another scene with the same dice and answers; None for nothing."""
        asked = replace(
            self.asked,
            faces=tuple(face for event in events if isinstance(event, DiceRolled) for face in event.faces),
            decisions=tuple(e.answer for e in events if isinstance(e, ChoiceMade) and not e.automatic),
        )
        answers, ruleset = answers_on(self.game.scene, asked), self.game.ruleset
        done = tried(ruleset, seen, asked, answers)
        if not isinstance(done, Performed):
            return None
        return Seen(done, words_of(ruleset, seen, asked, done, answers.overruled))

    def words_for(self, seat: Seat, draft: Draft) -> Plain | None:
        """The words for somebody to whom it looks as if nothing hidden from them had a part in it."""
        seen, truth = view(self.game.scene, seat), fold_all(self.game.scene, draft.events)
        told = self.on(seen, draft.events)
        if told is None or rolls_of(told.words.facts) != rolls_of(draft.facts):
            return None
        if not _is_result(draft, told.done):
            return None
        looks_so = told.words == Plain(text=draft.text, facts=draft.facts)
        return told.words if looks_so or told.done.scene == view(truth, seat) else None


def _is_result(draft: Draft, done: Performed) -> bool:
    return not draft.result or draft.result["outcome"] == msgspec.to_builtins(done.result)


def rolls_of(facts: Mapping[str, Any]) -> list[tuple[str, list[Face]]]:
    """The dice among facts. Faces mean nothing where other dice than those that fell would have fallen."""
    return [(roll["die"], roll["faces"]) for roll in facts.get("rolls", ())]


def answers_on(scene: Scene, asked: Asked) -> Answers:
    """What has been said and has fallen, and no more of it; `scene` says which sides are not asked."""
    return Answers(
        faces=asked.faces,
        decisions=asked.decisions,
        dice=None if asked.are_typed else _NoMoreDice(),
        automatic=automatic_sides(scene),
        overrules=asked.reason != "",
    )


def tried(
    ruleset: Ruleset, seen: Scene, asked: Asked, answers: Answers
) -> Performed | WaitingError | EnfiladeError | None:
    """What an act comes to in a scene as somebody sees it: done, a question, a refusal, or nothing."""
    try:
        return perform(seen, ruleset.procedures[asked.act.kind], (asked.act,), answers)
    except (EnfiladeError, WaitingError) as ended:
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
    return replace(draft, plain=plain, is_unseen=plain is None, own=own if readers else None, readers=readers)


def _told_to_owners(done: Done, draft: Draft) -> dict[str, Plain]:
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
    told = done.on(game.seen, draft.events)
    if told and tuple(told.done.events) == draft.events:
        return draft
    truth = fold_all(game.scene, draft.events)
    if told and _is_walk(told.done.events, game.scene, truth, act.token):
        return with_seeming(done, replace(draft, events=tuple(told.done.events)))
    token = game.scene.token(act.token)
    if draft.plain or not is_shown(token):
        return draft
    return replace(draft, plain=Plain(text=MET.format(token.name)), result={})


def _is_walk(events: Sequence[AnyEvent], before: Scene, truth: Scene, token: str) -> bool:
    """Whether all that happened in truth is that the mover went where these events take it, without dice."""
    seen = fold_all(before, events)
    return (
        not any(isinstance(event, DiceRolled | ChoiceMade) for event in events)
        and seen.token(token).at == truth.token(token).at
        and _without(token, seen) == _without(token, truth)
    )


def _without(token: str, scene: Scene) -> Scene:
    return replace(scene, tokens=tuple(other for other in scene.tokens if other.id != token))


class _NoMoreDice:
    """Dice of an act that has been done: all of them have fallen."""

    def roll(self, die: Die, count: int) -> Faces:
        """Raises WrongAnswer."""
        raise WrongAnswer(f"No {count} {die.name} fell here.")
