"""Overlay areas and the card: ranges, sight, threat, cover, who may react, and a creature's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.i18n import localize
from enfilade.rules.battle.drawing import around, cover_areas, seen_areas, threat_areas
from enfilade.rules.ruleset import Area, CardLine
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition.battlefield import contacts, travel
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.movement import feet_left
from enfilade.rulesets.fifth_edition.profiles import STATES, creature_in, read_creature
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


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card, each with the rule that it is from."""
    one = creature_in(scene, token)
    most = localize("kit.of_most", most=one.maximum)
    lines = [
        CardLine(localize("fifth_edition.card_hp"), str(one.hit_points), most),
        CardLine(localize("fifth_edition.card_ac"), str(one.armor_class), "SRD-083"),
        CardLine(localize("fifth_edition.card_speed"), f"{one.speed:g}", "SRD-011"),
        CardLine(localize("fifth_edition.card_left"), f"{max(0, feet_left(scene, token)):g}", "SRD-012"),
    ]
    lines += [
        CardLine(attack.name, _damage(attack.damage), f"{attack.bonus:+d}")
        for attack in one.attacks.values()
        if attack.name not in (UNARMED, IMPROVISED)
    ]
    if shield := token.track("temp"):
        lines.append(CardLine(localize("fifth_edition.card_temp"), str(shield), "SRD-137"))
    states = [localize("fifth_edition.card_bloodied")] if one.is_bloodied else []
    states += [name for name in STATES if name in one.states]
    if states:
        lines.append(CardLine(localize("fifth_edition.card_states"), ", ".join(states)))
    for name in ("successes", "failures"):
        if token.track(name):
            label = localize(f"fifth_edition.track_{name}")
            lines.append(CardLine(label, str(token.track(name)), "SRD-140"))
    return tuple(lines)


def _damage(parts: Sequence[Damage]) -> str:
    texts = []
    for part in parts:
        dice = f"{part.dice}d{part.sides}" if part.sides else ""
        bonus = f"{part.bonus:+d}" if part.bonus and dice else str(part.bonus or "")
        texts.append(f"{dice}{bonus} {part.type}".strip())
    return ", ".join(texts)
