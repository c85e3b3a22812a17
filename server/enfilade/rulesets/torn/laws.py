"""The laws: what the stunned and panicking may not do, and what cannot be (TRN-033, TRN-089, TRN-097)."""

from __future__ import annotations

from collections.abc import Mapping

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.laws import Ban, Ended, Laws, has_winner
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.kit.activations import sides_in_battle
from enfilade.rules.procedures import Act
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.profiles import read_miniature
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


def contradictions(scene: Scene) -> dict[str, str]:
    """Return the states that no miniature can be in, and miniatures that fill one Hex (TRN-033)."""
    wrong: dict[str, str] = {}
    field, filled = battlefield(scene), dict[Cell, str]()
    for i, token in enumerate(scene.tokens):
        miniature = read_miniature(token)
        if token.has("out") and (token.at is not None or token.track("wounds", 0) > 0):
            wrong[f"tokens[{i}].conditions.out"] = localize("torn.wrong_out")
        elif token.at is not None and miniature.wounds <= 0:
            wrong[f"tokens[{i}].tracks.wounds"] = localize("torn.wrong_wounds")
        hexes = field.body(miniature)
        others = sorted({filled[cell] for cell in hexes if cell in filled})
        if others:
            wrong[f"tokens[{i}].at"] = localize("torn.move_occupied", name=", ".join(others))
        filled |= dict.fromkeys(hexes, token.name)
    return wrong
