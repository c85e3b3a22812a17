"""The laws: what the downed and the braced may not do, and what cannot be (CDG-063, CDG-067 to CDG-071)."""

from __future__ import annotations

from collections.abc import Mapping

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
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


def contradictions(scene: Scene) -> dict[str, str]:
    """Return the states that no miniature can be in, and miniatures that share a cell (CDG-001, CDG-067)."""
    wrong: dict[str, str] = {}
    first_at: dict[Cell, int] = {}
    for i, token in enumerate(scene.tokens):
        hit_points = token.track("hp", 0)
        if hit_points > 0 and token.has("downed"):
            wrong[f"tokens[{i}].conditions.downed"] = localize("coup_de_grace.wrong_downed", hp=hit_points)
        if token.has("out") and (token.at is not None or token.track("hp", -1) >= 0):
            wrong[f"tokens[{i}].conditions.out"] = localize("coup_de_grace.wrong_out")
        elif token.at is not None and hit_points < 0:
            wrong[f"tokens[{i}].at"] = localize("coup_de_grace.wrong_place")
        if token.at is not None and first_at.setdefault(token.at, i) != i:
            other = scene.tokens[first_at[token.at]].name
            wrong[f"tokens[{i}].at"] = localize("coup_de_grace.move_occupied", name=other)
    return wrong
