"""The laws: a defeated creature does nothing more in the battle."""

from __future__ import annotations

from enfilade.rules.battle.laws import Ban, Ended, Laws

TURN = ("moves", "strikes", "ends", "throw", "release", "spell", "search", "use")
"""What a creature does in its turn, by tag or kind."""

LAWS = Laws((Ban("out", TURN, "KOV-024", "knights_of_valour.refuse_out"),), ended=Ended("KOV-023"))
"""What a state forbids, whichever act asks."""
