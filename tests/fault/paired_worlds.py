"""Build the two worlds of a pair: one surface that all seats see, and secrets that differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import AUTOMATIC, SPECTATOR, Scene, Seat, Terrain, Token, Wall

ANN = Seat("player", "ann")
OTHERS = (ANN, SPECTATOR)
_MAX_HIDDEN = 3
_NAMES = ("Shade", "Lurker", "The Duke's man")
HIDDEN_IDS = tuple(f"hidden-{number}" for number in range(_MAX_HIDDEN))


def shared_surface(scene: Scene, chance: random.Random) -> Scene:
    """Return the part of the scene that both worlds share."""
    first = scene.sides[0].id
    sides = tuple(
        replace(side, conditions={AUTOMATIC: ""} if chance.randrange(3) else {}) for side in scene.sides
    )
    tokens = tuple(replace(t, owners=("ann",) if t.side == first else ()) for t in scene.tokens)
    walls = tuple(replace(wall, door="none") for wall in scene.walls)
    return replace(scene, sides=sides, tokens=tokens, walls=walls)


def with_secrets(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Scene:
    hidden = [_hidden(ruleset, scene, name, chance) for name in HIDDEN_IDS if chance.randrange(3)]
    walls = tuple(_secret_door(wall, chance) if chance.randrange(2) else wall for wall in scene.walls)
    tokens = tuple(
        replace(token, conditions={"watched by": chance.choice(hidden).id})
        if hidden and chance.randrange(2)
        else token
        for token in scene.tokens
    )
    terrain = (*scene.terrain, *_hidden_terrain(scene, chance))
    return replace(scene, walls=walls, tokens=(*tokens, *hidden), terrain=terrain)


def _hidden_terrain(scene: Scene, chance: random.Random) -> Iterator[Terrain]:
    if scene.grid.kind != "gridless" and chance.randrange(2):
        cells = tuple({anywhere(scene, chance) for _ in range(6)})
        yield Terrain(id="pit", name="The Duke's pit", cells=cells, cost=chance.randrange(3), hidden=True)


def _secret_door(wall: Wall, chance: random.Random) -> Wall:
    return replace(wall, door="secret", state=chance.choice(("closed", "locked")))


def _hidden(ruleset: Ruleset, scene: Scene, name: str, chance: random.Random) -> Token:
    return Token(
        id=name,
        name=chance.choice((f"{chance.choice(_NAMES)} {name[-1]}", chance.choice(scene.tokens).name)),
        side=chance.choice(scene.sides).id,
        at=_hiding_place(scene, chance) if chance.randrange(4) else None,
        facing=chance.randrange(0, 360, 30),
        hidden=True,
        conditions={"bribed": "by the Duke"} if chance.randrange(2) else {},
        profile=chance.choice(ruleset.catalog).profile,
    )


def _hiding_place(scene: Scene, chance: random.Random) -> tuple[int, int]:
    """Return a place beside a visible token or halfway between two, where it changes their odds, or any."""
    places = [token.at for token in scene.on_board() if not token.hidden and token.at]
    if len(places) < 2 or chance.randrange(3) == 0:
        return anywhere(scene, chance)
    if chance.randrange(2) and scene.grid.kind != "gridless":
        return _beside(scene, chance.choice(places), chance)
    (x1, y1), (x2, y2) = chance.sample(places, 2)
    return (x1 + x2) // 2, (y1 + y2) // 2


def _beside(scene: Scene, place: tuple[int, int], chance: random.Random) -> tuple[int, int]:
    """Return a cell next to a visible token, where a hidden one provokes it by moving away."""
    x, y = place[0] + chance.choice((-1, 0, 1)), place[1] + chance.choice((-1, 1))
    return min(max(x, 0), scene.grid.columns - 1), min(max(y, 0), scene.grid.rows - 1)


def anywhere(scene: Scene, chance: random.Random) -> tuple[int, int]:
    unit = 64 if scene.grid.kind == "gridless" else 1
    return chance.randrange(scene.grid.columns) * unit, chance.randrange(scene.grid.rows) * unit


def secret_command(ruleset: Ruleset, scene: Scene, chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Something that a game master does with what is hidden."""
    hidden = [token.id for token in scene.tokens if token.hidden]
    doors = [wall.id for wall in scene.walls if wall.door == "secret"]
    placed = as_sent(_hidden(ruleset, scene, chance.choice(HIDDEN_IDS), chance))
    commands: list[tuple[str, dict[str, Any]]] = [("token.place", {"token": placed})]
    if hidden:
        offers = list(ruleset.offers(scene, scene.token(chance.choice(hidden))))
        others = [{"act": msgspec.to_builtins(offer.act)} for offer in offers if offer.act.kind != "move"]
        commands += (
            [("act", {**chance.choice(others), "override": "in the dark", "secret": True})] * 4
            if others
            else []
        )
        moved = {"token": chance.choice(hidden), "at": list(_hiding_place(scene, chance))}
        commands += [("token.move", moved)] * 2 + [
            ("token.move", _by_the_rules(ruleset, scene, moved, chance))
        ] * 3
        commands += [("token.remove", {"token": chance.choice(hidden)})]
    if doors:
        state = chance.choice(("closed", "locked"))
        commands.append(("door.set", {"wall": chance.choice(doors), "state": state}))
    return chance.choice(commands)


def _by_the_rules(
    ruleset: Ruleset, scene: Scene, moved: dict[str, Any], chance: random.Random
) -> dict[str, Any]:
    """Return a hidden token's move into its reach, if it has any: only such a move provokes reactions."""
    reach = ruleset.reach(scene, scene.token(moved["token"]))
    return {**moved, "at": list(chance.choice(reach.cells)[:2])} if reach and reach.cells else moved


def as_sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
