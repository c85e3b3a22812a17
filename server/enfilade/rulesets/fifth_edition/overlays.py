"""Overlay areas: ranges, sight, threat, cover, and who may react (SRD-077 to SRD-097)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.i18n import localize
from enfilade.rules.battle.drawing import around, cover_areas, seen_areas, threat_areas
from enfilade.rules.ruleset import Area
from enfilade.rulesets.fifth_edition.battlefield import contacts, travel
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.rulesets.fifth_edition.senses import dark_cells
from enfilade.rulesets.fifth_edition.weapons import IMPROVISED, UNARMED
from enfilade.scene.model import Scene, Token

LAYERS = ("ranges", "sight", "blind", "reactions", "threat", "cover", "engagement")


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none off the board (SRD-080, SRD-090, SRD-097)."""
    field = contacts(scene)
    if not field.screens.spaces.is_placed(token) or token.has("out"):
        return ()
    if layer == "ranges":
        return list(_ranges(scene, token))
    if layer == "threat":
        return threat_areas(field, token)
    if layer == "reactions":
        return list(_reactions(scene, token))
    if layer == "cover":
        half, most = (localize(f"fifth_edition.cover_{name}") for name in ("half", "three_quarters"))
        return cover_areas(field.screens, token, (half, half, most, most), half)
    if layer in ("sight", "blind"):
        return seen_areas(field.screens, token, layer, dark_cells(field.screens, token))
    return ()


def _ranges(scene: Scene, token: Token) -> Iterator[Area]:
    """Yield the reach and the ranges of each attack (SRD-090, SRD-092)."""
    spaces = contacts(scene).screens.spaces
    if is_assistant(scene):
        yield from travel(scene, token.id, feet_left(scene, token)).areas("ranges")
    for attack in read_creature(token).attacks.values():
        for key, feet in (("reach", attack.reach), ("range", attack.normal), ("long", attack.long)):
            if feet and attack.name not in (UNARMED, IMPROVISED):
                label = localize(f"fifth_edition.area_{key}", name=attack.name, feet=f"{feet:g}")
                yield around(spaces, "ranges", label, [token], spaces.length(feet))


def _reactions(scene: Scene, token: Token) -> Iterator[Area]:
    """Yield those that may react if a creature leaves their reach now (SRD-077)."""
    spaces = contacts(scene).screens.spaces
    for key, zone in travel(scene, token.id, feet_left(scene, token)).ways.zones.items():
        if token.at is not None and token.at in zone:
            enemy = scene.token(key)
            label = localize("fifth_edition.area_reaction", name=enemy.name)
            yield around(spaces, "reactions", label, [enemy], 0)
