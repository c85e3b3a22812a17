"""The laws: what states forbid in all acts (SRD-014, SRD-139, SRD-149)."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Laws
from enfilade.rulesets.fifth_edition.profiles import HELPLESS, NO_SPEED

ACTIONS = frozenset({"actions"})
STRIKES = frozenset({"actions", "strikes"})


LAWS = Laws(
    (
        Ban("out", ("moves", "actions"), "SRD-139", "fifth_edition.refuse_out"),
        *(
            Ban(state, ("actions",), "SRD-149", "fifth_edition.refuse_incapacitated")
            for state in ("incapacitated", *HELPLESS)
        ),
        *(Ban(state, ("moves",), "SRD-014", "fifth_edition.refuse_no_speed") for state in NO_SPEED),
    )
)
