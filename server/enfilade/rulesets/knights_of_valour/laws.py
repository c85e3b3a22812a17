"""The laws: a defeated creature does nothing more in the battle, and what cannot be (KOV-024, KOV-038)."""

from __future__ import annotations

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.laws import Ban, Ended, Laws
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import is_defeated
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.scene.model import Scene, Token

TURN = ("moves", "strikes", "ends", "draw", "throw", "release", "spell", "search", "use")
"""What a creature does in its turn, by tag or kind."""


def _needs_hands(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether a creature that hangs on a climb only climbs (C-26)."""
    del token, act
    return setting(scene, house_rules.HANGING) == "only climbs"


LAWS = Laws(
    (
        Ban("out", TURN, "KOV-024", "knights_of_valour.refuse_out"),
        Ban(
            "climbing",
            ("strikes", "draw", "throw", "use"),
            "KOV-042",
            "knights_of_valour.refuse_hanging",
            _needs_hands,
        ),
    ),
    ended=Ended("KOV-023"),
)
"""What a state forbids, whichever act asks."""


def contradictions(scene: Scene) -> dict[str, str]:
    """Return the states that no creature can be in, and creatures that share a square (KOV-038, C-16)."""
    wrong: dict[str, str] = {}
    first_at: dict[Cell, int] = {}
    for i, token in enumerate(scene.tokens):
        points = read_creature(token).points
        if token.has("out") and (token.at is not None or token.track("points", 0) > 0):
            wrong[f"tokens[{i}].conditions.out"] = localize("knights_of_valour.wrong_out")
        elif token.at is not None and is_defeated(scene, points):
            wrong[f"tokens[{i}].tracks.points"] = localize("knights_of_valour.wrong_points", points=points)
        if token.at is not None and first_at.setdefault(token.at, i) != i and is_on(scene, house_rules.MAP):
            other = scene.tokens[first_at[token.at]].name
            wrong[f"tokens[{i}].at"] = localize("knights_of_valour.move_occupied", name=other)
    return wrong
