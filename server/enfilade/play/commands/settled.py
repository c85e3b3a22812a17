"""Edits by hand leave a whole state: what follows from them by the rules is a part of the same entry."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.play.context import CommandContext, Decision
from enfilade.play.fog import shade
from enfilade.play.setup import contradictions
from enfilade.play.view import is_visible
from enfilade.rules.resolve import Answers, resolve
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import PublicText


def settled(context: CommandContext, decision: Decision) -> Decision:
    """Return a decision with what follows from it by the rules; its text names nothing hidden to players."""
    if not decision.events:
        return decision
    scene = fold_all(context.scene, decision.events)
    done = resolve(scene, context.ruleset.settle, (context.scene,), Answers())
    if not done.events:
        return decision
    told = context.ruleset.narrate(scene, done.events)
    text, plain = f"{decision.text} {told}".strip(), decision.plain
    if plain is not None and all(map(is_visible, (*shade(scene).tokens, *shade(context.scene).tokens))):
        plain = PublicText(text=text)
    return replace(decision, events=(*decision.events, *done.events), text=text, plain=plain)


def require_room(context: CommandContext, decision: Decision) -> None:
    """Check that bodies which change where they stand meet no others. Raises IllegalAct with the list.

    The rules of a table or the size of a unit may change what a body fills.
    """
    after = fold_all(context.scene, decision.events)
    known = contradictions(context.ruleset, context.scene)
    new = {path: why for path, why in contradictions(context.ruleset, after).items() if path not in known}
    crowded = [
        f"{after.tokens[int(path.removeprefix('tokens[').removesuffix('].at'))].name}: {' '.join(why)}"
        for path, why in new.items()
        if path.startswith("tokens[") and path.endswith("].at")
    ]
    if crowded:
        raise IllegalAct(localize("play.no_room", list=" ".join(crowded)))
