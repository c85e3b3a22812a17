"""Senses: light and obscurement by viewer, and who sees whom or knows its place (SRD-105 to SRD-113)."""

from __future__ import annotations

from enfilade.geometry.board.mask import Mask
from enfilade.i18n import localize
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.light import Murk, Senses, Shades
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.profiles import Creature, read_creature
from enfilade.scene.model import Scene, Token

KINDS = {
    "dim": Murk("light", is_heavy=False),
    "dark": Murk("light", is_heavy=True),
    "magical dark": Murk("magic", is_heavy=True),
    "light fog": Murk("matter", is_heavy=False),
    "heavy fog": Murk("matter", is_heavy=True),
}
"""The kinds of terrain that obscure: darkness, and what is in the air or grows (SRD-105 to SRD-107)."""


NO_SENSES = Senses()


@per_scene
def _shades(scene: Scene, screens: Screens) -> Shades:
    del scene
    return Shades(screens.spaces, KINDS)


def _senses(one: Creature, screens: Screens) -> Senses:
    """Return how far a creature's senses lift what obscures (SRD-108, SRD-109, SRD-111)."""
    far, length = one.profile.senses, screens.spaces.length
    if not far:
        return NO_SENSES
    return Senses(*[length(far.get(name, 0)) for name in ("darkvision", "truesight", "blindsight")])


def why_unseen(screens: Screens, viewer: Token, target: Token) -> str:
    """Return why a creature does not see another to which its line is clear; empty if it does (SRD-112)."""
    one, shades = read_creature(viewer), _shades(screens.spaces.scene, screens)
    is_invisible = "invisible" in read_creature(target).states
    if not is_invisible and not shades.has_any and "blinded" not in one.states:
        return ""  # as it is mostly; advice asks for thousands of pairs
    senses = _senses(one, screens)
    far = max(senses.blind, senses.true)
    if far and screens.spaces.distance(viewer, target) <= far:
        return ""
    if "blinded" in one.states:
        return localize("fifth_edition.unseen_blinded", name=viewer.name)
    if is_invisible and not is_found(screens, viewer, target):
        return localize("fifth_edition.unseen_invisible", name=target.name)
    if shades.hides(viewer, target, senses):
        return localize("fifth_edition.unseen_obscured", name=target.name)
    return ""


def is_found(screens: Screens, viewer: Token, target: Token) -> bool:
    """Return whether a creature finds one that hides without a search, by its passive score (SRD-065).

    By the older rule one that hides is no more than unseen: it is found where no good cover is before it.
    """
    scene = screens.spaces.scene
    is_contest = setting(scene, house_rules.HIDING) == "contest"
    if target.conditions.get("invisible") != HIDING or not (is_contest or is_on(scene, house_rules.PASSIVE)):
        return False
    if is_contest and screens.covered(viewer, target).walls < THREE_QUARTERS:
        return True
    worse = 5 if is_dimmed(screens, viewer, target) else 0
    return 10 + read_creature(viewer).skill("perception") - worse >= target.track("hidden", 100)


def sees(screens: Screens, viewer: Token, target: Token) -> bool:
    """Return whether a creature sees another (SRD-104, SRD-106, SRD-112)."""
    return screens.sees(viewer, target) and not why_unseen(screens, viewer, target)


def is_dimmed(screens: Screens, viewer: Token, target: Token) -> bool:
    """Return whether a creature looks for another with disadvantage, for dim light or fog (SRD-105)."""
    senses = _senses(read_creature(viewer), screens)
    return _shades(screens.spaces.scene, screens).dims(viewer, target, senses)


def dark_cells(screens: Screens, viewer: Token) -> Mask:
    """Return the squares that are heavily obscured for a creature (SRD-106)."""
    return _shades(screens.spaces.scene, screens).heavy(viewer, _senses(read_creature(viewer), screens))


def feels(screens: Screens, viewer: Token, target: Token) -> bool:
    """Return whether a creature knows the place of another by tremorsense (SRD-110).

    Both are on one ground: fliers escape it. It is not sight.
    """
    far = screens.spaces.length(read_creature(viewer).profile.senses.get("tremorsense", 0))
    is_grounded = viewer.elevation == target.elevation and not read_creature(target).is_aloft
    return far > 0 and is_grounded and screens.spaces.distance(viewer, target) <= far


def knows_place(screens: Screens, viewer: Token, target: Token) -> bool:
    """Return whether a creature knows where another is: unless that one hides from it (SRD-093, SRD-113)."""
    is_hiding = target.conditions.get("invisible") == HIDING
    return not is_hiding or sees(screens, viewer, target) or feels(screens, viewer, target)


THREE_QUARTERS = 3
"""The least of four lines that walls block for three-quarters cover (SRD-101)."""
HIDING = "hiding"
"""The note of one that is Invisible because it hides (SRD-063)."""
