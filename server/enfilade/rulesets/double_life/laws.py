"""The laws: a fallen character does not attack, and a dead one does nothing (DBL-009, DBL-036)."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Ended, Laws
from enfilade.rules.group_moves import GROUP_MOVE

LAWS = Laws(
    (
        Ban("fallen", ("strikes",), "DBL-009", "double_life.refuse_fallen"),
        Ban("out", ("moves", "strikes"), "DBL-036", "double_life.refuse_out"),
    ),
    ended=Ended("DBL-046", ("end", "round", "move", GROUP_MOVE)),
)
"""What a state forbids, whichever act asks. Who has fallen or died is left out of the choices of a round."""
