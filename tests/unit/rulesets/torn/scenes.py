"""Build small battlefields of Torn, and resolve acts on them with given faces.

Hexons are counted from the one whose center is column 10, row 10; `hexon_cell((1, 0))` is its neighbor's
center.
"""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import HexonLattice
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.scene.events import ChoiceMade, Explained
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token

BLUE, RED = Side(id="blue", name="Blue"), Side(id="red", name="Red")
BOARD = HexBoard(31, 31, "odd_r")
ORIGIN = 3
"""The house rule with which the Hex at column 10, row 10 is the center of a Hexon."""

SWORD = {"name": "Sword Strike", "kind": "melee", "attack": 2, "skill": 1, "agility": 1, "damage": 1}
BOW = {"name": "Bowshot", "kind": "ranged", "range": 4, "unit": "hexon", "attack": 2, "damage": 1}
MOVE = {"name": "Move", "kind": "move", "range": 3}
RUN = {"name": "Run", "kind": "run", "range": 5}
PLAIN = {"name": "Strike", "kind": "melee", "attack": 2, "damage": 1}


def lattice(chirality="left"):
    """Return the Hexons of the scenes below, counted from the one in the middle."""
    return HexonLattice(chirality, BOARD.axial((10, 10)))


def hexon_cell(hexon, chirality="left"):
    """Return the center Hex of a Hexon, counted from the one in the middle."""
    return BOARD.offset(lattice(chirality).center_hex(hexon))


def hexon_cells(hexon, chirality="left"):
    """Return the seven Hexes of a Hexon, counted from the one in the middle."""
    return tuple(BOARD.offset(axial) for axial in lattice(chirality).hexes(hexon))


def landscape(*hexons, kind="volume", chirality="left"):
    """Build landscape that fills some Hexons."""
    cells = tuple(cell for hexon in hexons for cell in hexon_cells(hexon, chirality))
    return Terrain(id=f"{kind}-{len(cells)}", name=kind, cells=cells, kind=kind)


def ally(token_id, at, side="blue", tiles=(SWORD,), **card):
    """Build a miniature with five wounds, two Defense dice and one Agility die by default."""
    profile = {"wounds": 5, "defense": 2, "agility": 1, "tiles": list(tiles), **card}
    return Token(id=token_id, name=token_id.capitalize(), side=side, at=at, profile=profile)


def foe(token_id, at, tiles=(PLAIN,), is_fresh=False, **card):
    """Build a miniature of the other side; unless it is fresh it has been activated and cannot counter."""
    token = ally(token_id, at, side="red", tiles=tiles, **card)
    return token if is_fresh else replace(token, conditions={"activated": ""})


def scene(*tokens, terrain=(), house_rules=None, sides=(BLUE, RED), chirality="left"):
    """Build a battlefield before the first round, with a Hexon in the middle."""
    rules = {
        "torn.hexon_origin": _origin(chirality),
        "torn.hexon_chirality": chirality,
        **(house_rules or {}),
    }
    return Scene(
        ruleset="torn",
        grid=Grid("hex_odd_r", BOARD.columns, BOARD.rows),
        house_rules=rules,
        sides=sides,
        terrain=tuple(terrain),
        tokens=tuple(TORN.prepare_token(token) for token in tokens),
    )


def _origin(chirality):
    middle = BOARD.axial((10, 10))
    for k in range(7):
        placed = HexonLattice(chirality, (k, 0))
        if placed.center_hex(placed.hexon_of(middle)) == middle:
            return k
    raise AssertionError("one of seven fits")


def in_round(board, active, round_number=1, **conditions):
    """Return the battlefield in a round, with an active miniature."""
    side = board.token(active).side
    return replace(
        board,
        tracks={**board.tracks, "round": round_number},
        conditions={**board.conditions, "active": active, "first": side, **conditions},
    )


def with_condition(board, token_id, *conditions):
    """Return the battlefield with conditions on a miniature."""
    return with_token(
        board, token_id, conditions={**board.token(token_id).conditions, **dict.fromkeys(conditions, "")}
    )


def with_token(board, token_id, **changes):
    """Return the battlefield with a changed miniature."""
    changed = replace(board.token(token_id), **changes)
    return replace(board, tokens=tuple(changed if t.id == token_id else t for t in board.tokens))


def attack(token, target, weapon="Sword Strike", kind="melee"):
    return Act(kind=kind, token=token, target=target, weapon=weapon)


def shoot(token, target, weapon="Bowshot"):
    return attack(token, target, weapon, "ranged")


def do(board, act, faces="", decisions=(), **answers):
    """Resolve an act with given faces ("SC-") and decisions, and defaults for the rest."""
    given = Answers(faces=tuple(faces), decisions=decisions, **answers)
    return resolve(board, TORN.acts[act.kind].procedure, (act,), given)


def wounds(done, token_id):
    """Return the wounds a miniature has left."""
    return read_miniature(done.scene.token(token_id)).wounds


def rolls(done):
    """Return each roll as "label SC-"."""
    return [f"{e.label} {''.join(map(str, e.faces))}" for e in done.events if hasattr(e, "faces")]


def explanation_facts(done, kind):
    """Return the facts of each explanation of a kind."""
    return [e.facts for e in done.events if isinstance(e, Explained) and e.kind == kind]


def asked(done):
    """Return each question with its answer."""
    return [(e.question, e.answer) for e in done.events if isinstance(e, ChoiceMade)]


def refused(board, act):
    """Return the ID of the rule that refuses an act; empty for a legal act."""
    found = refusal(board, TORN.acts[act.kind].procedure, act)
    return found.rule if isinstance(found, IllegalAct) else ""


def text_of(board, done):
    return TORN.narrate(board, done.events)
