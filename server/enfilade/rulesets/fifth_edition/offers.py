"""The acts of a creature, with the laws over them (SRD-049 to SRD-075)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.fifth_edition import actions
from enfilade.rulesets.fifth_edition.battlefield import caught_in, contacts
from enfilade.rulesets.fifth_edition.combat import attack, effect
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.laws import ACTIONS, LAWS, STRIKES
from enfilade.rulesets.fifth_edition.movement import judge, move
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.rulesets.fifth_edition.rounds import begin, end
from enfilade.scene.model import Scene, Token

STEPS = frozenset(("attack", "opportunity", "hit", "miss", "save", "falls", "dies"))


def _kind(name: str, procedure: object, tags: frozenset[str] = ACTIONS) -> ActKind:
    return ActKind(localize(f"fifth_edition.act_{name}"), procedure, tags=tags, steps=STEPS)  # type: ignore[arg-type]


ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "attack": _kind("attack", attack, STRIKES),
        "effect": _kind("effect", effect, STRIKES),
        "grapple": _kind("grapple", actions.grapple, STRIKES),
        "shove": _kind("shove", actions.shove, STRIKES),
        "dash": _kind("dash", actions.dash),
        "disengage": _kind("disengage", actions.disengage),
        "dodge": _kind("dodge", actions.dodge),
        "help": _kind("help", actions.assist),
        "hide": _kind("hide", actions.hide),
        "escape": _kind("escape", actions.escape),
        "stand": _kind("stand", actions.stand, frozenset()),
        "move": ActKind(localize("fifth_edition.move"), move, tags=frozenset({"moves"}), steps=STEPS),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "SRD-012"), body=GroupMove
        ),
        "end": _kind("end", end, frozenset({"ends"})),
        "begin": ActKind(localize("fifth_edition.act_begin"), begin, is_gm_only=True),
    }
)
"""The kinds of act."""

_UNAIMED = ("dash", "disengage", "dodge", "hide", "escape", "stand", "end", "begin")
_SHOWN = ("hide", "escape")
"""Those of them that tell something where a tabletop's system does them."""


def aims(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield each act that a creature could do, attacks first."""
    spaces = contacts(scene).screens.spaces
    if spaces.is_placed(token) and not token.has("out"):
        one = read_creature(token)
        enemies = [
            enemy for enemy in contacts(scene).enemies(token) if "out" not in read_creature(enemy).states
        ]
        for kind, names in (("attack", tuple(one.attacks)), ("effect", _effects(token))):
            for name in names:
                for enemy in enemies:
                    yield Aim(Act(kind=kind, token=token.id, target=enemy.id, weapon=name), name)
        for kind in ("grapple", "shove", "help"):
            yield from (Aim(Act(kind=kind, token=token.id, target=enemy.id)) for enemy in enemies)
    own = _SHOWN if is_assistant(scene) else _UNAIMED
    yield from (Aim(Act(kind=kind, token=token.id)) for kind in own)


def _effects(token: Token) -> tuple[str, ...]:
    return tuple(one.name for one in read_creature(token).profile.effects)


offers = offers_from(ACTS, aims)


def caught(scene: Scene, act: Act) -> Sequence[str]:
    """Return the creatures that an effect catches beside its target (SRD-176)."""
    tokens = {token.id: token for token in scene.tokens}
    caster, target = tokens.get(act.token), tokens.get(act.target)
    if act.kind != "effect" or caster is None or target is None:
        return ()
    found = [one for one in read_creature(caster).profile.effects if one.name == act.weapon]
    placed = contacts(scene).screens.spaces.is_placed
    if not found or not (placed(caster) and placed(target)):
        return ()
    return [key for key in caught_in(scene, caster, target, found[0]) if key != act.target]
