"""Small battles for tests, and acts performed in them with given dice."""

from msgspec.structs import replace

from enfilade.play.setup import prepare_scene
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Grid, Scene, Side, Token, Wall

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270
SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
TEAMS = (
    Side(id="blue", name="Blue", team="a"),
    Side(id="green", name="Green", team="a"),
    Side(id="red", name="Red", team="b"),
)


def mini(name, side="blue", at=None, facing=NORTH, hands=("sword", "fist"), *, hp=None, **more):
    """A miniature whose id is its name in small letters; a plain lightly armored human."""
    profile = {"armor": more.pop("armor", "light"), "race": more.pop("race", "human"), "hands": list(hands)}
    tracks = more.pop("tracks", {}) | ({} if hp is None else {"hp": hp})
    return Token(
        id=name.lower(), name=name, side=side, at=at, facing=facing, profile=profile, tracks=tracks, **more
    )


def foe(name, at=None, facing=SOUTH, hands=("sword", "fist"), **more):
    """An enemy of the usual miniature, looking the other way: two in a column are face to face."""
    return mini(name, "red", at, facing, hands, **more)


def battle(*tokens, grid="square", size=(12, 12), rules=None, **more):
    """Build a scene before the first round: each miniature may act and move as if newly activated."""
    scene = Scene(
        ruleset="coup_de_grace",
        grid=Grid(kind=grid, columns=size[0], rows=size[1]),
        tokens=tokens,
        sides=more.pop("sides", SIDES),
        house_rules={f"cdg.{key}": value for key, value in (rules or {}).items()},
        **more,
    )
    return prepare_scene(COUP_DE_GRACE, scene)


def active(scene, token_id, mp=None):
    """The scene in its first round, in the middle of a miniature's activation."""
    one = scene.token(token_id)
    spent = {**one.tracks, "mp": allowance(scene, token_id) if mp is None else mp}
    tokens = tuple(replace(t, tracks=spent) if t.id == token_id else t for t in scene.tokens)
    conditions = {"active": token_id, "priority": one.side, "first": one.side}
    return replace(scene, tokens=tokens, tracks={"round": 1}, conditions=conditions)


def allowance(scene, token_id):
    return int(card(scene, token_id)["Movement"])


def card(scene, token_id):
    """A card as a dict from label to value."""
    return {line.label: line.value for line in COUP_DE_GRACE.card(scene, scene.token(token_id))}


def notes(scene, token_id):
    """The notes of a card, in order."""
    return [line.note for line in COUP_DE_GRACE.card(scene, scene.token(token_id))]


def act(kind, token, target="", weapon="sword", at=None, facing=None):
    return Act(kind=kind, token=token, target=target, weapon=weapon, at=at, facing=facing)


def do(scene, what, *faces, answers=()):
    """An act performed with these faces, and defaults where answers run out."""
    procedure = COUP_DE_GRACE.acts[what.kind].procedure
    return resolve(scene, procedure, (what,), Answers(faces=faces, decisions=answers))


def after(scene, what, *faces, answers=()):
    """The scene after an act."""
    return do(scene, what, *faces, answers=answers).scene


def why_not(scene, what):
    """The rule that refuses an act; None where it is legal."""
    refused = refusal(scene, COUP_DE_GRACE.acts[what.kind].procedure, what)
    return refused.rule if refused else None


def sentence(scene, what):
    """Return the error that refuses an act."""
    return refusal(scene, COUP_DE_GRACE.acts[what.kind].procedure, what).sentence


def log_text(scene, what, *faces, answers=()):
    """The log's sentences for an act."""
    return COUP_DE_GRACE.narrate(scene, do(scene, what, *faces, answers=answers).events)


def facts(scene, what, *faces, answers=()):
    """Return the facts of a log entry."""
    return explanation_facts(do(scene, what, *faces, answers=answers).events)


def aim(scene, what):
    """Return an attack's declaration: (needed, modifiers by reason, defenses by reason)."""
    said = explanation_facts(odds(scene, COUP_DE_GRACE.acts[what.kind].procedure, (what,)).declared)
    return (
        said["needed"],
        {m["reason"]: m["value"] for m in said["modifiers"]},
        {m["reason"]: m["value"] for m in said["defenses"]},
    )


def modifiers(scene, what):
    """The modifiers of an attack's die, by reason."""
    return aim(scene, what)[1]


def defense(scene, what):
    """The defense value an attack must reach."""
    return sum(aim(scene, what)[2].values())


def chances(scene, what):
    """Every outcome with its exact chance."""
    return odds(scene, COUP_DE_GRACE.acts[what.kind].procedure, (what,)).chances


def reach(scene, token_id):
    """Return the cells in a miniature's reach, as a dict from cell to cost."""
    found = COUP_DE_GRACE.reach(scene, scene.token(token_id))
    return {(x, y): cost for x, y, cost in found.cells} if found else None


def judge(scene, token_id, at, facing=None):
    return COUP_DE_GRACE.judge(scene, scene.token(token_id), (at,), facing)


def cells(scene, token_id, layer):
    """The cells of each area of an overlay layer, by label."""
    found = {}
    for area in COUP_DE_GRACE.areas(scene, scene.token(token_id), layer):
        found[area.label] = {(x, row) for row, first, last in area.runs for x in range(first, last + 1)}
    return found


def hp(scene, token_id):
    return scene.token(token_id).track("hp")


def wall(x1, y1, x2, y2, **more):
    """A wall between two corners of cells."""
    return Wall(id=f"w{x1}-{y1}-{x2}-{y2}", line=(64 * x1, 64 * y1, 64 * x2, 64 * y2), **more)
