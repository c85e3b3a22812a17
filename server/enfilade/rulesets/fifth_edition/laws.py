"""The laws: what states forbid in all acts (SRD-014, SRD-046, SRD-139, SRD-149, SRD-188)."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Laws
from enfilade.rules.procedures import Act
from enfilade.rulesets.fifth_edition.profiles import HELPLESS, NO_SPEED, creature_in
from enfilade.scene.model import Scene, Token

MOUNT_ACTIONS = frozenset({"actions"})
"""The tags of dash, disengage and dodge, which a mount takes under its rider's control too (SRD-188)."""
ACTIONS = MOUNT_ACTIONS | {"own_actions"}
"""The tags of the actions that only a creature without a rider's control takes."""
STRIKES = ACTIONS | {"strikes"}


def _has_no_speed(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether an option of the table leaves a creature no Speed (SRD-156, SRD-158)."""
    del act
    one = creature_in(scene, token)
    return (one.is_rooted or one.has_ladder) and not one.speed


LAWS = Laws(
    (
        Ban("surprised", ("moves", "actions"), "SRD-046", "fifth_edition.refuse_surprised"),
        Ban("led", ("own_actions",), "SRD-188", "fifth_edition.refuse_led"),
        Ban("riding", ("moves",), "SRD-187", "fifth_edition.refuse_riding"),
        Ban("out", ("moves", "actions"), "SRD-139", "fifth_edition.refuse_out"),
        *(
            Ban(state, ("actions",), "SRD-149", "fifth_edition.refuse_incapacitated")
            for state in ("incapacitated", *HELPLESS)
        ),
        *(Ban(state, ("moves",), "SRD-014", "fifth_edition.refuse_no_speed") for state in NO_SPEED),
        Ban("", ("moves",), "SRD-014", "fifth_edition.refuse_no_speed", _has_no_speed),
    )
)
