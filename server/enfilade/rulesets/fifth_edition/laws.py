"""The laws: what states forbid in all acts (SRD-014, SRD-046, SRD-139, SRD-149, SRD-188)."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Laws
from enfilade.rules.procedures import Act
from enfilade.rulesets.fifth_edition.profiles import HELPLESS, NO_SPEED
from enfilade.scene.model import Scene, Token

ACTIONS = frozenset({"actions"})
STRIKES = frozenset({"actions", "strikes"})


OF_MOUNTS = frozenset({"dash", "disengage", "dodge"})
"""The acts of a mount that its rider controls (SRD-188)."""


def _is_beyond_mounts(scene: Scene, token: Token, act: Act) -> bool:
    del scene, token
    return act.kind not in OF_MOUNTS


LAWS = Laws(
    (
        Ban("surprised", ("moves", "actions"), "SRD-046", "fifth_edition.refuse_surprised"),
        Ban("led", ("actions",), "SRD-188", "fifth_edition.refuse_led", _is_beyond_mounts),
        Ban("riding", ("moves",), "SRD-187", "fifth_edition.refuse_riding"),
        Ban("out", ("moves", "actions"), "SRD-139", "fifth_edition.refuse_out"),
        *(
            Ban(state, ("actions",), "SRD-149", "fifth_edition.refuse_incapacitated")
            for state in ("incapacitated", *HELPLESS)
        ),
        *(Ban(state, ("moves",), "SRD-014", "fifth_edition.refuse_no_speed") for state in NO_SPEED),
    )
)
