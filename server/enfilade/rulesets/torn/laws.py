"""The laws: what stunned and panicking miniatures may not do in their activation (TRN-089, TRN-097)."""

from __future__ import annotations

from collections.abc import Mapping

from enfilade.rules.battle.laws import Ban, Ended, Laws, has_winner
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.kit.activations import sides_in_battle
from enfilade.rules.procedures import Act
from enfilade.scene.model import Scene, Token


def _is_active(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether it is the activation of a miniature on the board."""
    del act
    is_in_play = scene.track("round") > 0
    return is_in_play and token.at is not None and scene.conditions.get("active") == token.id


@per_scene
def is_over(scene: Scene) -> bool:
    """Return whether a battle is won, or over because no miniature is left: two may kill each other."""
    return has_winner(scene) or (bool(scene.tokens) and not sides_in_battle(scene))


TAGS: Mapping[str, frozenset[str]] = {
    "move": frozenset({"moves"}),
    "melee": frozenset({"strikes"}),
    "ranged": frozenset({"strikes"}),
}
"""The tags of the acts that Action Tiles are for."""

LAWS = Laws(
    (
        Ban(
            "stunned",
            ("moves", "strikes", "concentration"),
            "TRN-089",
            "torn.refuse_stunned",
            _is_active,
            "marker",
        ),
        Ban("panic", ("strikes", "concentration"), "TRN-097", "torn.refuse_panic", _is_active, "marker"),
    ),
    ended=Ended("TRN-033", is_over=is_over),
)
"""What a state forbids, whichever act asks. Where one in panic may move to is a matter of its route."""
