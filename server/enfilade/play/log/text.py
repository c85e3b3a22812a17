"""What is said of an act: the ruleset's words, and the game master's word where it overruled the rules."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.errors import IllegalAct
from enfilade.play.commands.act_request import Asked
from enfilade.rules.resolve import Resolution
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import PublicText, explanation_facts
from enfilade.scene.model import Scene


def words_of(
    ruleset: Ruleset, scene: Scene, asked: Asked, done: Resolution, overruled: Sequence[IllegalAct]
) -> PublicText:
    """The words and facts of what came of an act; `overridden` are the refusals that it went on against."""
    text, facts = ruleset.narrate(scene, done.events), explanation_facts(done.events)
    if asked.is_stopped:
        text += f" Something unseen stops {scene.token(asked.act.token).name}."
    against = _against(ruleset, scene, asked, overruled)
    if not against:
        return PublicText(text=text, facts=facts)
    said = f"By the game master's word ({asked.reason}), against the rules: {against} {text}"
    return PublicText(text=said, facts={**facts, "override": asked.reason})


def _against(ruleset: Ruleset, scene: Scene, asked: Asked, overruled: Sequence[IllegalAct]) -> str:
    """What the rules have against an act that the game master's word let through; empty for nothing."""
    if asked.act.kind != "move" or not asked.reason or asked.act.at is None:
        return " ".join(f"{refused.sentence} ({refused.rule})" for refused in overruled)
    token = scene.token(asked.act.token)
    return " ".join(ruleset.judge(scene, token, asked.act.at, asked.act.facing).reasons)
