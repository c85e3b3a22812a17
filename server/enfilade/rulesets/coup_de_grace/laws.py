"""The laws: what downed and braced miniatures may not do (CDG-063, CDG-070, CDG-071)."""

from __future__ import annotations

from collections.abc import Mapping

from enfilade.rules.battle.laws import Ban, Ended, Laws
from enfilade.rules.procedures import Act
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.scene.model import Scene, Token

ACTIVATION = ("strikes", "spell", "brace", "entangle", "crawl", "recover")
"""What a miniature does in its activation beside a move, by tag or kind."""


ATTACKS: Mapping[str, frozenset[str]] = {
    "melee": frozenset({"strikes"}),
    "ranged": frozenset({"strikes"}),
    "spell": frozenset(),
}
"""The kinds of act that attack, with their tags; whether a spell strikes depends on the item."""


def _is_in_play(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether the first round has begun."""
    del token, act
    return scene.track("round") > 0


def _is_no_blow(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether a spell is none that the downed may attack with, by a house rule (CDG-070)."""
    battle = battlefield(scene)
    item = battle.fighter(token.id).items.get(act.weapon)
    is_blow = item is not None and item.spell in ("melee", "ranged")
    return not (is_blow and battle.is_on(house_rules.DOWNED_CAST))


def _is_attack(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether an act is an attack of a round: with a weapon, or a spell that is one (CDG-062)."""
    if not _is_in_play(scene, token, act):
        return False
    item = battlefield(scene).fighter(token.id).items.get(act.weapon)
    return act.kind != "spell" or (item is not None and item.spell != "effect")


def _has_attacked(scene: Scene, token: Token, act: Act) -> bool:
    """Return whether a miniature has attacked: to ward, to pray and to entangle are no attacks (CDG-063)."""
    del act
    fighter = battlefield(scene).fighter(token.id)
    used = [fighter.items.get(weapon) for weapon in fighter.listed("used")]
    return any(item is not None and item.can_attack for item in used)


LAWS = Laws(
    (
        Ban("acted", ACTIVATION, "CDG-071", "coup_de_grace.refuse_acted"),
        Ban("downed", ("move",), "CDG-070", "coup_de_grace.move_downed"),
        Ban("acted", ("move",), "CDG-071", "coup_de_grace.move_acted", _is_in_play),
        Ban("downed", ("spell",), "CDG-070", "coup_de_grace.refuse_downed_cast", _is_no_blow),
        Ban("downed", ("brace", "entangle"), "CDG-070", "coup_de_grace.refuse_downed"),
        Ban("braced", ("strikes", "spell"), "CDG-063", "coup_de_grace.refuse_braced", _is_attack),
        Ban("braced", ("brace",), "CDG-063", "coup_de_grace.refuse_brace_again"),
        Ban("used", ("brace",), "CDG-063", "coup_de_grace.refuse_brace_again", _has_attacked),
    ),
    ended=Ended("CDG-078"),
)
"""What a state forbids, whichever act asks."""
