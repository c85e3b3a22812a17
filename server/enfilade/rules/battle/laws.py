"""Laws: what forbids a token some acts while a condition holds; the engine asks them before each act."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import NamedTuple

from enfilade.errors import IllegalAct
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Procedure, Require, Steps
from enfilade.rules.ruleset import ActKind
from enfilade.scene.model import Scene, Token


def always(scene: Scene, token: Token, act: Act) -> bool:
    """Return True: the ban holds for each act of its kinds."""
    del scene, token, act
    return True


class Ban(NamedTuple):
    """A condition under which a token may not do acts of some kinds, with the rule and its sentence."""

    condition: str
    acts: Collection[str]
    rule: str
    sentence: str
    when: Callable[[Scene, Token, Act], bool] = always


def require_lawful(scene: Scene, act: Act, bans: Collection[Ban]) -> None:
    """Raise IllegalAct if a ban forbids an act now. Raises NotFound for an unknown token."""
    token = scene.token(act.token)
    for ban in bans:
        if ban.condition in token.conditions and act.kind in ban.acts and ban.when(scene, token, act):
            raise IllegalAct(localize(ban.sentence, name=token.name), ban.rule)


def under_laws(acts: Mapping[str, ActKind], bans: Collection[Ban]) -> dict[str, ActKind]:
    """Return kinds of act whose procedures ask the bans first."""
    return {
        kind: act._replace(procedure=_lawful(act.procedure, [ban for ban in bans if kind in ban.acts]))
        for kind, act in acts.items()
    }


def _lawful(procedure: Procedure, bans: Collection[Ban]) -> Procedure:
    if not bans:
        return procedure

    @wraps(procedure)
    def lawful(scene: Scene, act: Act) -> Steps:
        yield Require(require_lawful, (scene, act, bans))
        return (yield from procedure(scene, act))

    return lawful
