"""The laws: a defeated creature does nothing more in the battle."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Ended, Laws
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import house_rules
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
