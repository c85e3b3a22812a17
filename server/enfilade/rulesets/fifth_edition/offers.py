"""The acts of a creature, with the laws over them (SRD-049 to SRD-076)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from enfilade.errors import EnfiladeError, IllegalAct
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.house_rules import setting
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import ActKind, QuickRefusal, RefusalNow
from enfilade.rulesets.fifth_edition import actions, combat, house_rules, motions, unarmed
from enfilade.rulesets.fifth_edition.areas import AT_POINT, caught_in
from enfilade.rulesets.fifth_edition.battlefield import BESIDE, contacts, is_beside
from enfilade.rulesets.fifth_edition.effects import Cast, aimed_by, effect, unfocus
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.laws import ACTIONS, LAWS, MOUNT_ACTIONS, STRIKES
from enfilade.rulesets.fifth_edition.movement import judge, move
from enfilade.rulesets.fifth_edition.profiles import Creature, creature_in, read_creature
from enfilade.rulesets.fifth_edition.rounds import begin, end
from enfilade.rulesets.fifth_edition.turn import MOVE, OPENING, require_action
from enfilade.scene.model import Scene, Token, Value

STEPS = frozenset(
    (
        *("attack", "offhand", "cleave", "opportunity", "readied", "legendary", "hit", "miss", "graze"),
        *("parry", "save", "falls", "dies", "drops", "lands"),
    )
)


TargetRefusal = Callable[[Scene, Token, Token, Act], IllegalAct | None]
"""Returns what refuses an act of a creature at another, if its cost is left."""


def _at_enemies_of(part: str, target_refusal: TargetRefusal, *, is_armed: bool = False) -> RefusalNow:
    """Return the quick answer of acts at enemies that cost a part of the turn, such as an action."""

    def refusal_now(scene: Scene, token_id: str) -> QuickRefusal | None:
        token = scene.token(token_id)
        not_now = check_refusal(require_action, scene, token, part)
        enemies, names = _enemies(scene, token_id), read_creature(token).attacks if is_armed else ("",)

        def refusal(scene: Scene, act: Act) -> IllegalAct | None:
            enemy = enemies.get(act.target)
            if enemy is None or act.weapon not in names:
                return None
            return not_now or target_refusal(scene, token, enemy, act)

        return refusal

    return refusal_now


_ATTACKS = _at_enemies_of("attack", combat.attack_refusal, is_armed=True)
_GRIPS = _at_enemies_of("attack", unarmed.grip_refusal)
_HELP = _at_enemies_of("act", actions.help_refusal)


def _kind(
    name: str,
    procedure: Procedure,
    tags: frozenset[str] = ACTIONS,
    body: type[Value] | None = None,
    quick: RefusalNow | None = None,
) -> ActKind:
    label = localize(f"fifth_edition.act_{name}")
    return ActKind(label, procedure, body=body, tags=tags, steps=STEPS, refusal_now=quick)


FREE: frozenset[str] = frozenset()
MOVING: frozenset[str] = frozenset({"moves"})

ACTS: Mapping[str, ActKind] = LAWS.over(
    {
        "attack": _kind("attack", combat.attack, STRIKES, combat.Strike, _ATTACKS),
        "offhand": _kind("offhand", combat.offhand, STRIKES, combat.Strike),
        "effect": _kind("effect", effect, STRIKES, Cast)._replace(is_placed=True),
        "grapple": _kind("grapple", unarmed.grapple, STRIKES, quick=_GRIPS),
        "shove": _kind("shove", unarmed.shove, STRIKES, quick=_GRIPS),
        "shove_away": _kind("shove_away", unarmed.shove_away, STRIKES, quick=_GRIPS),
        "dash": _kind("dash", actions.dash, MOUNT_ACTIONS),
        "disengage": _kind("disengage", actions.disengage, MOUNT_ACTIONS),
        "dodge": _kind("dodge", actions.dodge, MOUNT_ACTIONS),
        "help": _kind("help", actions.assist, quick=_HELP),
        "aid": _kind("aid", actions.aid),
        "first_aid": _kind("first_aid", actions.first_aid),
        "hide": _kind("hide", actions.hide),
        "search": _kind("search", actions.search),
        "douse": _kind("douse", actions.douse),
        "unfocus": _kind("unfocus", unfocus, FREE),
        "ready": _kind("ready", actions.ready),
        "release": _kind("release", actions.release, STRIKES),
        "utilize": _kind("utilize", actions.utilize),
        "influence": _kind("influence", actions.influence),
        "study": _kind("study", actions.study),
        "interact": _kind("interact", actions.interact, FREE),
        "escape": _kind("escape", unarmed.escape),
        "let_go": _kind("let_go", unarmed.release_grip, FREE),
        "stand": _kind("stand", motions.stand, FREE),
        "drop": _kind("drop", motions.drop, FREE),
        "rise": _kind("rise", motions.rise, MOVING, motions.Rise),
        "jump": _kind("jump", motions.jump, MOVING),
        "high_jump": _kind("high_jump", motions.high_jump, MOVING),
        "mount": _kind("mount", motions.mount, MOVING, motions.Ride),
        "dismount": _kind("dismount", motions.dismount, FREE),
        "move": ActKind(localize("fifth_edition.move"), move, tags=MOVING, steps=STEPS),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "SRD-012"), body=GroupMove
        ),
        "end": _kind("end", end, frozenset({"ends"})),
        OPENING: ActKind(localize("fifth_edition.act_begin"), begin, is_gm_only=True),
    }
)
"""The kinds of act."""

_UNAIMED = (
    *("dash", "disengage", "dodge", "hide", "utilize", "influence", "study", "interact", "escape", "stand"),
    *("drop", "high_jump", "dismount", "search", "end", OPENING),
)
_SHOWN = frozenset({"attack", "effect", "grapple", "shove", "hide", "escape"})
"""The acts that tell something where a tabletop's system does them."""


def aims(scene: Scene, token: Token) -> list[Aim]:
    """Return each act that a creature could do, attacks first."""
    found = _all_aims(scene, token)
    return [aim for aim in found if aim.act.kind in _SHOWN] if is_assistant(scene) else found


def _all_aims(scene: Scene, token: Token) -> list[Aim]:
    spaces, found = contacts(scene).screens.spaces, list[Aim]()
    if spaces.is_placed(token) and not token.has("out"):
        found += _at_enemies(scene, token)
        found += _at_allies(scene, token)
        found += [Aim(Act(kind="jump", token=token.id, at=at)) for at in motions.landings(scene, token)]
    found += [Aim(Act(kind=kind, token=token.id)) for kind in _UNAIMED]
    found += _by_name(creature_in(scene, token))
    return found


@per_scene
def _enemies(scene: Scene, token_id: str) -> Mapping[str, Token]:
    """Return the enemies on the board of a creature on it, by ID."""
    field, token = contacts(scene), scene.token(token_id)
    is_placed = field.screens.spaces.is_placed(token)
    return {one.id: one for one in field.enemies(token)} if is_placed else {}


def _at_enemies(scene: Scene, token: Token) -> Iterator[Aim]:
    one = read_creature(token)
    enemies = [
        enemy for enemy in _enemies(scene, token.id).values() if "out" not in read_creature(enemy).states
    ]
    effects = tuple(
        effect.name for effect in one.profile.effects if effect.shape != "teleport" and not effect.healing
    )
    light = tuple(name for name, own in one.attacks.items() if "lgt" in own.properties)
    named = (("attack", tuple(one.attacks)), ("offhand", light), ("effect", effects))
    keys, own = [enemy.id for enemy in enemies], token.id
    for kind, names in named:
        for name in names:
            yield from [Aim(Act(kind=kind, token=own, target=key, weapon=name), name) for key in keys]
    kinds = ("grapple", "shove", "shove_away", "help", *(("release",) if token.has("readied") else ()))
    for kind in kinds:
        yield from [Aim(Act(kind=kind, token=own, target=key)) for key in keys]
    is_free = setting(scene, house_rules.ORIGIN) == "any"
    for spell in one.profile.effects:
        if spell.shape not in ("single", "emanation"):  # the others are at a creature, or around one
            # With a facing the board sends the side of the square at which it is aimed (SRD-169).
            facing = 0 if spell.shape in AT_POINT and is_free else None
            aimed = Act(kind="effect", token=token.id, weapon=spell.name, at=token.at, facing=facing)
            yield Aim(aimed, spell.name)
    for held in one.listed("grappling"):
        yield Aim(Act(kind="let_go", token=token.id, target=held))


def _at_allies(scene: Scene, token: Token) -> Iterator[Aim]:
    """Yield the acts at allies that are near enough for one of them, and spells that heal."""
    for spell in [one.name for one in read_creature(token).profile.effects if one.healing]:
        for other in contacts(scene).screens.spaces.placed:
            if scene.are_allies(other, token) and "out" not in read_creature(other).states:
                yield Aim(Act(kind="effect", token=token.id, target=other.id, weapon=spell), spell)
    spaces = contacts(scene).screens.spaces
    for ally in spaces.near(token, spaces.length(BESIDE)):
        if scene.are_allies(ally, token) and is_beside(scene, token, ally):
            is_larger = read_creature(ally).rank > read_creature(token).rank
            for kind in ("aid", "first_aid", *(("mount",) if is_larger else ())):
                yield Aim(Act(kind=kind, token=token.id, target=ally.id))


def _by_name(one: Creature) -> Iterator[Aim]:
    """Yield what names a speed, or what is readied, and what ends a state of its own."""
    for state, kind in (("burning", "douse"), ("concentrating", "unfocus")):
        if state in one.states:
            yield Aim(Act(kind=kind, token=one.id))
    for mode, feet in one.speeds.items():
        if feet != one.speed:
            label = localize("fifth_edition.dash_by", mode=localize(f"fifth_edition.mode_{mode}"))
            yield Aim(Act(kind="dash", token=one.id, weapon=mode), label)
    for name in (*one.attacks, *(spell.name for spell in one.profile.effects), MOVE):
        label = localize(
            "fifth_edition.ready_for", name=name if name != MOVE else localize("fifth_edition.move")
        )
        yield Aim(Act(kind="ready", token=one.id, weapon=name), label)
    if one.profile.speeds.get("fly"):
        yield Aim(Act(kind="rise", token=one.id))


offers = offers_from(ACTS, aims)


def caught(scene: Scene, act: Act) -> Sequence[str]:
    """Return the creatures that an effect catches beside its target (SRD-176)."""
    if act.kind != "effect":
        return ()
    try:
        aimed = aimed_by(scene, act)
    except EnfiladeError:
        return ()
    return [key for key in caught_in(scene, aimed) if key != act.target]
