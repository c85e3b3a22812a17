"""The ready-made parts for rulesets, on a game of archers on hexes and one of duelists on squares."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfReach, OutOfTurn
from enfilade.geometry.board.square import Diagonals
from enfilade.rules.conformance import check_conformance
from enfilade.rules.dice import D6
from enfilade.rules.kit import AlternateTurns, HitPoints, SideTurns, Targets, Walk, build_ruleset
from enfilade.rules.procedures import Act, Roll
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.ruleset import ActKind, Unit
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall


class Archer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archer of a small game."""

    longest_shot: int = 4


def archers(turns, grids, longest=4, **more):
    """Return a game whose attack always hits on 3 or more, and takes two of three hit points."""
    walk = Walk(lambda _: 3, turns, rule="ARC-002", **more)
    health = HitPoints(lambda _: 3)
    shots = Targets(turns, rule="ARC-003", longest=lambda _: longest)

    def shoot(scene, act):
        _, target = yield from shots.begin(scene, act)
        (face,) = yield Roll("shot", D6)
        scene = (yield from health.wound(scene, target.id, 2)) if face >= 3 else scene
        return (yield from shots.finish(scene, act, "hit" if face >= 3 else "miss"))

    return build_ruleset(
        key="archers",
        title="Archers",
        grids=grids,
        profile=Archer,
        catalog=[Unit("archer", "Archer", {})],
        walk=walk,
        health=health,
        targets=shots,
        attacks={"shoot": ActKind("Shoot", shoot)},
        texts={"shoot": "{token} shoots at {target}: {result}."},
    )


ALTERNATE = archers(AlternateTurns("ARC-001"), {"square"})
SIDES = archers(SideTurns("ARC-001"), {"hex_odd_r", "hex_even_q", "square"})
BLUE, RED = Side(id="blue", name="Blue"), Side(id="red", name="Red")


def board(game, *tokens, kind="square", **parts):
    """Return a scene of 8 by 8 cells; a token is (ID, side, cell)."""
    scene = Scene(ruleset="archers", grid=Grid(kind, 8, 8), sides=(BLUE, RED), **parts)
    made = [game.prepare_token(Token(id=i, name=i.title(), side=side, at=at)) for i, side, at in tokens]
    return replace(scene, tokens=tuple(made))


def do(game, scene, faces=(), **act):
    return resolve(scene, game.acts[act["kind"]].procedure, (Act(**act),), Answers(faces=faces))


def costs(game, scene, token):
    return {(x, y): cost for x, y, cost in game.reach(scene, scene.token(token)).cells}


def ruling(game, scene, token, *path):
    return game.judge(scene, scene.token(token), path, None)


@pytest.mark.parametrize("game", [ALTERNATE, SIDES], ids=["alternate turns", "side turns"])
def test_a_game_of_the_parts_conforms(game):
    check_conformance(game, games=60, previews=8)


def test_the_parts_refuse_a_board_without_cells():
    with pytest.raises(ValueError, match="squares and hexes"):
        archers(AlternateTurns("ARC-001"), {"gridless"})


def test_a_wall_bars_the_way_and_an_open_door_does_not():
    duel = (("ann", "blue", (1, 1)), ("rob", "red", (7, 7)))
    walls = [Wall(f"w{i}", (128, 64 * i, 128, 64 * i + 64)) for i in range(8)]
    assert (2, 1) not in costs(ALTERNATE, board(ALTERNATE, *duel, walls=tuple(walls)), "ann")
    door = replace(walls[1], door="door", state="open")
    opened = board(ALTERNATE, *duel, walls=(walls[0], door, *walls[2:]))
    assert costs(ALTERNATE, opened, "ann")[2, 1] == 1
    shut = board(ALTERNATE, *duel, walls=tuple(walls))
    assert ruling(ALTERNATE, shut, "ann", (2, 1)).reasons == ("A wall bars Ann's way there. (ARC-002)",)


def test_terrain_multiplies_the_cost_and_closes_cells():
    mire = Terrain("mire", "Mire", ((2, 1),), 3)
    rock = Terrain("rock", "Rock", ((0, 1),), 0)
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (7, 7)), terrain=(mire, rock))
    found = costs(ALTERNATE, scene, "ann")
    assert found[2, 1] == 3
    assert (0, 1) not in found


def test_allies_are_passed_and_enemies_are_not():
    friend, row = ("bea", "blue", (1, 0)), Diagonals.ILLEGAL
    narrow = replace(board(ALTERNATE, ("ann", "blue", (0, 0)), friend, ("rob", "red", (5, 0))))
    narrow = replace(narrow, grid=Grid("square", 8, 1))
    assert set(costs(ALTERNATE, narrow, "ann")) == {(0, 0), (2, 0), (3, 0)}
    enemy = replace(
        narrow, tokens=tuple(replace(t, side="red") if t.id == "bea" else t for t in narrow.tokens)
    )
    assert set(costs(ALTERNATE, enemy, "ann")) == {(0, 0)}
    lonely = archers(AlternateTurns("ARC-001"), {"square"}, passes_allies=False, diagonals=row)
    assert set(costs(lonely, narrow, "ann")) == {(0, 0)}


def test_diagonal_steps_count_as_the_game_says():
    around = archers(AlternateTurns("ARC-001"), {"square"}, diagonals=Diagonals.ILLEGAL)
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (7, 7)))
    assert costs(ALTERNATE, scene, "ann")[2, 2] == 1
    assert costs(around, scene, "ann")[2, 2] == 2


def test_a_drawn_path_is_walked_and_paid_as_drawn():
    # The cheapest way to its end was taken instead.
    mire = Terrain("mire", "Mire", ((2, 1),), 2)
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (7, 7)), terrain=(mire,))
    through = ruling(ALTERNATE, scene, "ann", (2, 1), (3, 1))
    assert (through.cost, through.path) == (3, ((1, 1), (2, 1), (3, 1)))
    assert ruling(ALTERNATE, scene, "ann", (3, 1)).cost == 2
    around = ruling(ALTERNATE, scene, "ann", (1, 0), (1, 1), (1, 2))
    assert (around.cost, around.path) == (3, ((1, 1), (1, 0), (1, 1), (1, 2)))


def test_a_drawn_path_through_a_body_or_a_wall_is_refused():
    duel = (("ann", "blue", (1, 1)), ("rob", "red", (2, 1)))
    assert not ruling(ALTERNATE, board(ALTERNATE, *duel), "ann", (2, 1), (3, 1)).allowed
    apart = (("ann", "blue", (1, 1)), ("rob", "red", (7, 7)))
    wall = board(ALTERNATE, *apart, walls=(Wall("w", (128, 64, 128, 128)),))
    assert not ruling(ALTERNATE, wall, "ann", (2, 1), (3, 1)).allowed
    assert ruling(ALTERNATE, wall, "ann", (3, 1)).allowed


def test_a_drawn_path_counts_its_diagonals_by_turns():
    game = archers(AlternateTurns("ARC-001"), {"square"}, diagonals=Diagonals.ALTERNATING_1)
    scene = board(game, ("ann", "blue", (1, 1)), ("rob", "red", (7, 0)))
    assert ruling(game, scene, "ann", (2, 2), (3, 3)).cost == 3
    assert ruling(game, scene, "ann", (2, 2), (3, 3), (4, 4)).cost == 4
    assert ruling(game, scene, "ann", (3, 3), (4, 4)).cost == 4


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ((5, 5), "The way is 4 squares long; Ann moves 3 squares. (ARC-002)"),
        ((7, 7), "Rob stands there. (ARC-002)"),
        ((8, 1), "That is not on the board. (ARC-002)"),
    ],
)
def test_a_ruling_says_why_a_move_is_not_allowed(at, reason):
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (7, 7)))
    assert ruling(ALTERNATE, scene, "ann", at).reasons == (reason,)


def test_an_illegal_move_is_a_fact_and_ends_the_turn_like_a_legal_one():
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (7, 7)))
    done = do(ALTERNATE, scene, kind="move", token="ann", at=(6, 6)).scene
    assert done.token("ann").at == (6, 6)
    assert ALTERNATE.turn(done).sides == ("red",)


def test_sides_alternate_and_the_last_one_begins_a_round():
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (2, 1)))
    with pytest.raises(OutOfTurn, match="It is not the turn of Red"):
        do(ALTERNATE, scene, kind="pass", token="rob")
    second = do(ALTERNATE, scene, kind="pass", token="ann").scene
    assert (ALTERNATE.turn(second).round, ALTERNATE.turn(second).sides) == (1, ("red",))
    third = do(ALTERNATE, second, kind="pass", token="rob").scene
    assert (ALTERNATE.turn(third).round, ALTERNATE.turn(third).sides) == (2, ("blue",))


def test_a_side_moves_and_shoots_with_each_miniature_until_it_ends_its_turn():
    scene = board(SIDES, ("ann", "blue", (1, 1)), ("bea", "blue", (1, 2)), ("rob", "red", (4, 1)))
    moved = do(SIDES, scene, kind="move", token="ann", at=(2, 1)).scene
    assert "Ann has moved this turn." in ruling(SIDES, moved, "ann", (3, 1)).reasons[0]
    shot = do(SIDES, moved, (1,), kind="shoot", token="ann", target="rob").scene
    with pytest.raises(IllegalAct, match="Ann has acted this turn"):
        do(SIDES, shot, (1,), kind="shoot", token="ann", target="rob")
    assert ruling(SIDES, shot, "bea", (2, 2)).allowed
    ended = do(SIDES, shot, kind="end", token="bea").scene
    assert SIDES.turn(ended).sides == ("red",)
    assert not ended.token("ann").has("moved")
    assert not ended.token("ann").has("acted")


def test_hit_points_end_at_0_and_the_last_side_wins():
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (2, 1)))
    hurt = do(ALTERNATE, scene, (6,), kind="shoot", token="ann", target="rob").scene
    assert hurt.token("rob").track("hp") == 1
    hurt = do(ALTERNATE, hurt, kind="pass", token="rob").scene
    last = do(ALTERNATE, hurt, (6,), kind="shoot", token="ann", target="rob")
    assert (last.result.leaves, last.scene.token("rob").track("hp")) == ("out", 0)
    assert last.scene.token("rob").at is None
    assert ALTERNATE.turn(last.scene).winners == ("blue",)
    with pytest.raises(IllegalAct, match="The battle is over"):
        do(ALTERNATE, last.scene, kind="pass", token="ann")
    assert ALTERNATE.narrate(hurt, last.events) == "Ann shoots at Rob: hit. Rob is out."


def test_healing_stops_at_the_maximum():
    health = HitPoints(lambda _: 3)
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)))
    hurt = resolve(scene, health.wound, ("ann", 2), Answers()).scene
    assert resolve(hurt, health.heal, ("ann", 9), Answers()).scene.token("ann").track("hp") == 3


def test_hit_points_of_a_token_never_exceed_its_maximum():
    token = Token(id="ann", name="Ann", side="blue", tracks={"hp": 9})
    assert ALTERNATE.prepare_token(token).track("hp") == 3


@pytest.mark.parametrize(("kind", "unit"), [("square", "squares"), ("hex_odd_r", "hexes")])
def test_a_target_out_of_range_is_refused_with_both_distances(kind, unit):
    scene = board(SIDES, ("ann", "blue", (1, 1)), ("rob", "red", (6, 1)), kind=kind)
    with pytest.raises(OutOfReach, match=f"Rob is 5 {unit} away; the range is 4 {unit}"):
        do(SIDES, scene, (6,), kind="shoot", token="ann", target="rob")


def test_a_wall_hides_a_target_and_is_named():
    wall = Wall("w", (128, 0, 128, 512))
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (3, 1)), walls=(wall,))
    with pytest.raises(OutOfReach, match="Rob: The line of sight is blocked: a wall"):
        do(ALTERNATE, scene, (6,), kind="shoot", token="ann", target="rob")
    found = ALTERNATE.sight(scene, scene.token("ann"), scene.token("rob"))
    assert (found.is_seen, found.blocker.id, found.at[0]) == (False, "w", 128)
    window = replace(scene, walls=(replace(wall, sight="none"),))
    assert ALTERNATE.sight(window, scene.token("ann"), scene.token("rob")).is_seen


def test_terrain_hides_a_target_and_is_named():
    wood = Terrain("wood", "Wood", ((2, 1),), blocks_sight=True)
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)), ("rob", "red", (3, 1)), terrain=(wood,))
    assert ALTERNATE.sight(scene, scene.token("ann"), scene.token("rob")).blocker.name == "Wood"


def count(areas):
    return sum(last - first + 1 for area in areas for _, first, last in area.runs)


@pytest.mark.parametrize("kind", ["square", "hex_odd_r"])
def test_the_layers_of_sight_share_the_board_between_them(kind):
    wall = Wall("w", (128, 0, 128, 512))
    scene = board(SIDES, ("ann", "blue", (1, 1)), ("rob", "red", (3, 1)), kind=kind, walls=(wall,))
    cells = {layer: count(SIDES.areas(scene, scene.token("ann"), layer)) for layer in SIDES.layers}
    assert cells["sight"] + cells["blind"] == 64
    assert cells["blind"] > 8
    assert cells["ranges"] > 20


def test_nothing_is_aimed_at_allies():
    allies = board(ALTERNATE, ("ann", "blue", (1, 1)), ("bea", "blue", (2, 1)), ("rob", "red", (3, 1)))
    aimed = {offer.act.target for offer in ALTERNATE.offers(allies, allies.token("ann")) if offer.act.target}
    assert aimed == {"rob"}
    with pytest.raises(IllegalAct, match="Bea is not an enemy"):
        do(ALTERNATE, allies, (6,), kind="shoot", token="ann", target="bea")


def test_the_card_shows_each_field_of_the_profile():
    scene = board(ALTERNATE, ("ann", "blue", (1, 1)))
    lines = {line.label: line.value for line in ALTERNATE.card(scene, scene.token("ann"))}
    assert lines == {"Hit points": "3", "Longest shot": "4"}


@pytest.mark.parametrize("game", [ALTERNATE, SIDES], ids=["alternate", "sides"])
def test_advice_takes_each_side_as_at_the_start_of_its_turn(game):
    scene = board(game, ("a", "blue", (0, 0)), ("b", "red", (2, 0)))
    scene = do(game, scene, token="a", kind="move", at=(1, 0)).scene
    scene = replace(scene, conditions={**scene.conditions, "next": "blue"})
    for one, other in (("a", "b"), ("b", "a")):
        ready = game.outlook.ready(scene, (one,))
        assert costs(game, ready, one)
        shots = [offer for offer in game.offers(ready, ready.token(one)) if offer.act.kind == "shoot"]
        assert [(offer.act.target, offer.is_legal) for offer in shots] == [(other, True)]
    assert game.outlook.ready(scene, ()) is scene
