"""The laws: the fallen do not attack, the dead do nothing, and what cannot be (DBL-009, DBL-036, DBL-053)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.battle.laws import Ban, Ended, Laws
from enfilade.rules.group_moves import GROUP_MOVE
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.profiles import read_character
from enfilade.scene.model import Scene

LAWS = Laws(
    (
        Ban("fallen", ("strikes",), "DBL-009", "double_life.refuse_fallen"),
        Ban("out", ("moves", "strikes"), "DBL-036", "double_life.refuse_out"),
    ),
    ended=Ended("DBL-046", ("end", "round", "move", GROUP_MOVE)),
)
"""What a state forbids, whichever act asks. Who has fallen or died is left out of the choices of a round."""


def contradictions(scene: Scene) -> dict[str, str]:
    """Return the states that no character can be in, and characters in each other's way (DBL-053)."""
    wrong: dict[str, str] = {}
    battle = battlefield(scene)
    for i, token in enumerate(scene.tokens):
        character = read_character(token)
        if token.has("out"):
            if token.at is not None or character.health > 0:
                wrong[f"tokens[{i}].conditions.out"] = localize("double_life.wrong_out")
        elif character.health <= 0:
            wrong[f"tokens[{i}].tracks.health"] = localize("double_life.wrong_health")
        elif token.at is not None and not battle.walker(character).can_stand(token.at):
            wrong[f"tokens[{i}].at"] = localize("double_life.wrong_place", name=token.name)
    return wrong
