"""What an act looks like to those who know of nothing hidden: its words, worked out from what they see.

They are what would be said if what is hidden were not there at all, so they tell nothing of it. Where what
can be seen to happen is not what would have happened then, there are no such words.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.play.deeds import Draft, Game
from enfilade.rules.dice import Die, Faces
from enfilade.rules.performing import Answers, Performed, WaitingError, WrongAnswer, perform
from enfilade.rules.procedures import Act
from enfilade.scene.entry import Plain, explained
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.fold import fold_all
from enfilade.scene.model import Scene
from enfilade.scene.seat import SPECTATOR
from enfilade.scene.view import hidden_in, is_shown, view

log = logging.getLogger(__name__)

MET = "{} moves, and something unseen is met on the way."
"""Said of a move that goes otherwise than can be seen why."""


@dataclass(frozen=True)
class Done:
    """An act that is done: whether its dice were typed in, and whose choices were not asked."""

    game: Game
    act: Act
    are_typed: bool
    automatic: Collection[str]

    def on(self, seen: Scene, events: Sequence[AnyEvent]) -> Performed | None:
        """What would have come of it in another scene with the same dice and answers; None for nothing."""
        answers = Answers(
            faces=[face for event in events if isinstance(event, DiceRolled) for face in event.faces],
            decisions=[e.answer for e in events if isinstance(e, ChoiceMade) and not e.automatic],
            dice=None if self.are_typed else _NoMoreDice(),
            automatic=self.automatic,
        )
        try:
            return perform(seen, self.game.ruleset.procedures[self.act.kind], (self.act,), answers)
        except (EnfiladeError, WaitingError):
            return None
        except Exception:  # a battle may look as its rules never come to, a whole side hidden
            log.warning("%s cannot say what %s looks like", seen.ruleset, self.act.kind, exc_info=True)
            return None


def with_seeming(done: Done, draft: Draft) -> Draft:
    """A draft with words for those who know of nothing hidden, where they may not have its own."""
    game = done.game
    seen = view(game.scene, SPECTATOR)
    if seen == game.scene:
        return draft
    told = done.on(seen, draft.events)
    after = fold_all(game.scene, draft.events)
    if told is None or told.scene != view(after, SPECTATOR):
        return draft
    if draft.result and msgspec.to_builtins(told.result) != draft.result["outcome"]:
        return draft
    plain = Plain(text=game.ruleset.narrate(seen, told.events), facts=explained(told.events))
    return draft if plain == Plain(text=draft.text, facts=draft.facts) else replace(draft, plain=plain)


def as_the_mover_sees(done: Done, draft: Draft) -> Draft:
    """A move at a table that does not enforce, with the costs that its player can see.

    It stands wherever the player put it, so what it costs must not tell whether something unseen bars the
    way. The game master reads of that. Where something unseen does more, the words only say that it did.
    """
    game, act = done.game, done.act
    told = done.on(game.seen, draft.events)
    if told and tuple(told.events) == draft.events:
        return draft
    truth = fold_all(game.scene, draft.events)
    if told and _is_walk(told.events, game.scene, truth, act):
        return with_seeming(done, replace(draft, events=tuple(told.events)))
    token = game.scene.token(act.token)
    if draft.plain or not is_shown(token) or not hidden_in(game.scene, truth, draft.events, draft.text):
        return draft
    return replace(draft, plain=Plain(text=MET.format(token.name)), result={})


def _is_walk(events: Sequence[AnyEvent], before: Scene, truth: Scene, act: Act) -> bool:
    """Whether all that happened in truth is that the mover went where these events take it, without dice."""
    seen = fold_all(before, events)
    return (
        not any(isinstance(event, DiceRolled | ChoiceMade) for event in events)
        and seen.token(act.token).at == truth.token(act.token).at
        and _without(act.token, seen) == _without(act.token, truth)
    )


def _without(token: str, scene: Scene) -> Scene:
    return replace(scene, tokens=tuple(other for other in scene.tokens if other.id != token))


class _NoMoreDice:
    """Dice of an act that has been done: all of them have fallen."""

    def roll(self, die: Die, count: int) -> Faces:
        """Raises WrongAnswer."""
        raise WrongAnswer(f"No {count} {die.name} fell here.")
