"""The card of a creature, the sentences of the log, and the ready-made creatures (ANY-002, ANY-017)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import to_builtins

from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine, Unit
from enfilade.rules.tell import narrate_steps, with_reasons
from enfilade.rulesets.any_system.battlefield import contacts, flankers, travel
from enfilade.rulesets.any_system.profiles import Profile, WeaponRange, read_creature
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene, Token


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """Return the lines of a card: what the profile knows, and who flanks the creature."""
    one, field = read_creature(token), contacts(scene)
    profile, spaces = one.profile, field.screens.spaces
    lines = [CardLine(name, spaces.text(length)) for name, length in travel(scene, token.id).lengths.items()]
    for mode, speed in profile.speeds.items():
        if mode != one.mode and speed:
            lines.append(CardLine(localize(f"any_system.mode_{mode}"), spaces.text(spaces.length(speed))))
    lines.append(CardLine(localize("any_system.card_reach"), spaces.text(field.reach(token))))
    if profile.hit_points:
        most = localize("kit.of_most", most=profile.hit_points)
        left = str(token.track("hp", profile.hit_points))
        lines.append(CardLine(localize("any_system.card_hp"), left, most))
    if profile.armor_class:
        lines.append(CardLine(localize("any_system.card_ac"), str(profile.armor_class)))
    for sense, far in profile.senses.items():
        text = spaces.text(spaces.length(far)) if far else localize("any_system.no_limit")
        lines.append(CardLine(sense, text))
    if one.conditions:
        lines.append(CardLine(localize("any_system.card_conditions"), ", ".join(sorted(one.conditions))))
    enemies = field.enemies(token) if spaces.is_placed(token) else []
    if flanking := [enemy.name for enemy in enemies if flankers(scene, token, enemy)]:
        lines.append(CardLine(localize("any_system.card_flanked"), ", ".join(flanking), "ANY-015"))
    return tuple(lines)


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """Return a sentence for each move, from the scene before it and its events."""
    move = {"move": with_reasons("any_system.log_move")}
    return narrate_steps(scene, events, move, lambda _: "", lambda *_: "")


BOW = (WeaponRange("Shortbow", 80, 320),)
_PROFILES = {
    "token": Profile(),
    "archer": Profile(speeds={"walk": 30}, ranges=BOW, armor_class=13, hit_points=11),
    "flier": Profile(speeds={"walk": 30, "fly": 60}, size="large", hit_points=30),
    "giant": Profile(speeds={"walk": 40}, reach=10, size="huge", armor_class=13, hit_points=105),
}
UNITS = tuple(
    [Unit(key, localize(f"any_system.unit_{key}"), to_builtins(one)) for key, one in _PROFILES.items()]
)
"""Ready-made creatures, in feet; the actor of a tabletop gives its own profile."""
