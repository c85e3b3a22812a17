"""The shell command, with the worked examples of Coup-de-Grace."""

from __future__ import annotations

import base64
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner

from enfilade import cli
from enfilade.cli.main import MODULES, main
from tests.unit.importers.maps import png

SCENE = Path(__file__).parents[3] / "schemas/examples/scene.json"


def run(*arguments, code=0):
    """Run the shell command; check its exit status unless `code` is None."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert code is None or result.exit_code == code, result.output
    return result


def run_json(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


@pytest.fixture
def scene_file(tmp_path):
    """Return a function that writes a scene of some `mini(...)` tuples and returns its path."""

    def write(*minis, **parts):
        tokens = [
            {"id": i, "name": i, "side": side, "at": at, "facing": facing, "profile": profile, **more}
            for i, side, at, facing, profile, more in minis
        ]
        scene = {
            "version": 1,
            "ruleset": "coup_de_grace",
            "grid": {"kind": "square", "columns": 30, "rows": 30},
            "sides": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}],
            "tokens": tokens,
            **parts,
        }
        path = tmp_path / "scene.json"
        path.write_text(json.dumps(scene))
        return path

    return write


def profile(armor="unarmored", race="dwarf", *hands):
    return {"armor": armor, "race": race, "hands": list(hands) or ["sword"]}


def mini(name, side, at, facing=0, shape=None, **more):
    return (name, side, at, facing, shape or profile(), more)


def act(kind, token, target="", weapon="", **more):
    return json.dumps({"kind": kind, "token": token, "target": target, "weapon": weapon, **more})


def card_of(scene, token):
    return {line["label"]: line["value"] for line in run_json("overlay", scene, "--token", token)["card"]}


def reach_of(scene, token):
    cells = run_json("overlay", scene, "--token", token, "--layers", "reach")["reach"]["cells"]
    return {(x, y): cost for x, y, cost in cells}


def offers_of(scene, token):
    return run_json("overlay", scene, "--token", token, "--layers", "targets")["targets"]


def needed_against(scene, facing_target):
    (offer,) = [o for o in offers_of(scene, "archer") if o["target"] == facing_target]
    return offer["needed"]


def test_t01_a_dwarf_in_heavy_plate_with_hammer_and_shield(scene_file):
    dwarf = profile("heavy", "dwarf", "hammer", "shield")
    scene = scene_file(mini("bran", "a", [5, 5], 0, dwarf), mini("foe", "b", [5, 4], 180))
    card = card_of(scene, "bran")
    assert (card["Defense"], card["Movement"], card["Hit points"]) == ("5", "4", "4 of 4")
    pushed = run_json("resolve", scene, "--act", act("melee", "bran", "foe", "hammer"), "--faces", "6")
    assert [t["at"] for t in pushed["scene"]["tokens"]] == [[5, 5], [5, 3]]


@pytest.mark.parametrize(("facing", "needed"), [(0, 6), (180, 5)])
def test_t01_the_shield_counts_against_attacks_from_the_front_only(scene_file, facing, needed):
    dwarf = profile("heavy", "dwarf", "hammer", "shield")
    archer = mini("archer", "b", [5, 2], 180, profile("light", "dwarf", "bow"))
    scene = scene_file(mini("bran", "a", [5, 5], facing, dwarf), archer)
    assert needed_against(scene, "bran") == needed


def test_t02_the_front_arc_widens_by_two_a_row(scene_file):
    scene = scene_file(mini("bran", "a", [10, 10]))
    (arc,) = run_json("overlay", scene, "--token", "bran", "--layers", "arc")["areas"]
    widths = {10 - row: last - first + 1 for row, first, last in arc["runs"]}
    assert [widths[k] for k in (1, 2, 3, 4)] == [3, 5, 7, 9]


@pytest.mark.parametrize(("enemies", "cost"), [(1, 2), (2, 4), (3, 8)])
def test_t04_a_step_costs_double_for_each_enemy_it_starts_beside(scene_file, enemies, cost):
    around = [[5, 4], [4, 5], [6, 5]][:enemies]
    foes = [mini(f"foe{i}", "b", at) for i, at in enumerate(around)]
    scene = scene_file(mini("bran", "a", [5, 5]), *foes)
    assert reach_of(scene, "bran")[5, 6] == cost


@pytest.mark.parametrize(("armor", "left"), [("unarmored", 2), ("light", 0)])
def test_t05_t06_an_archer_steps_back_from_one_enemy_and_shoots(scene_file, armor, left):
    archer = profile(armor, "dwarf", "bow")
    foe = mini("foe", "b", [5, 4], 180)
    archers_turn = {"tracks": {"round": 1}, "conditions": {"active": "archer"}}
    movement = {"unarmored": 8, "light": 6}[armor]
    scene = scene_file(mini("archer", "a", [5, 5], 0, archer, tracks={"mp": movement}), foe, **archers_turn)
    stepped = run_json("resolve", scene, "--act", act("move", "archer", at=[5, 6], facing=0))
    scene.write_text(json.dumps(stepped["scene"]))
    shot = run_json("resolve", scene, "--act", act("ranged", "archer", "foe", "bow"), "--faces", "6")
    assert shot["outcome"]["result"] == "hit"
    assert shot["scene"]["tokens"][0]["tracks"]["mp"] == left


@pytest.mark.parametrize(("armor", "legal"), [("heavy", False), ("unarmored", True)])
def test_t07_t08_shooting_beside_an_enemy_costs_eight(scene_file, armor, legal):
    archer = profile(armor, "dwarf", "bow")
    scene = scene_file(mini("archer", "a", [5, 5], 0, archer), mini("foe", "b", [5, 4], 180))
    (offer,) = [o for o in offers_of(scene, "archer") if o["target"] == "foe"]
    assert (offer["cost"], offer["legal"]) == (8, legal)


@pytest.mark.parametrize(
    ("steps", "penalty"), [(5, []), (6, [-1]), (11, [-1]), (12, [-2]), (17, [-2]), (18, [-3])]
)
def test_t09_the_range_penalty_grows_by_one_an_increment(scene_file, steps, penalty):
    archer = profile("unarmored", "dwarf", "bow")
    scene = scene_file(mini("archer", "a", [5, 25], 0, archer), mini("foe", "b", [5, 25 - steps]))
    (offer,) = [o for o in offers_of(scene, "archer") if o["target"] == "foe"]
    assert [m["value"] for m in offer["modifiers"]] == penalty


def test_t10_the_range_penalty_doubles_against_a_downed_target(scene_file):
    archer = profile("unarmored", "dwarf", "bow")
    down = {"tracks": {"hp": 0}, "conditions": {"downed": ""}}
    scene = scene_file(mini("archer", "a", [5, 25], 0, archer), mini("foe", "b", [5, 13], None, **down))
    (offer,) = [o for o in offers_of(scene, "archer") if o["target"] == "foe"]
    assert [m["value"] for m in offer["modifiers"]] == [-4]


def struck(scene_file, hit_points, weapon="sword", face="6"):
    fighter = profile("light", "dwarf", weapon)
    foe = mini("foe", "b", [5, 4], 180, tracks={"hp": hit_points})
    scene = scene_file(mini("bran", "a", [5, 5], 0, fighter), foe)
    found = run_json("resolve", scene, "--act", act("melee", "bran", "foe", weapon), "--faces", face)
    return next(t for t in found["scene"]["tokens"] if t["id"] == "foe"), found


def test_t11_a_hit_takes_one_hit_point(scene_file):
    foe, found = struck(scene_file, 3)
    assert foe["tracks"]["hp"] == 2
    assert found["facts"]["hit_points"] == [3, 2]


def test_t12_two_damage_at_one_hit_point_is_out_of_action_and_never_downed(scene_file):
    foe, found = struck(scene_file, 1, weapon="axe")
    assert (foe["tracks"]["hp"], foe["at"], set(foe["conditions"])) == (-1, None, {"out"})
    assert "downed" not in found["text"]


def test_t13_one_damage_at_one_hit_point_is_downed_without_a_facing(scene_file):
    foe, _ = struck(scene_file, 1)
    assert (foe["tracks"]["hp"], foe["facing"], set(foe["conditions"])) == (0, None, {"downed"})


@pytest.mark.parametrize(("face", "hit_points"), [("5", 1), ("4", 0)])
def test_t14_a_downed_miniature_stands_on_a_five(scene_file, face, hit_points):
    down = mini("bran", "a", [5, 5], None, tracks={"hp": 0}, conditions={"downed": ""})
    scene = scene_file(down, mini("foe", "b", [9, 9]))
    answers = ["--answers", '["180"]'] if hit_points else []
    found = run_json("resolve", scene, "--act", act("recover", "bran"), "--faces", face, *answers)
    (bran, _) = found["scene"]["tokens"]
    assert (bran["tracks"]["hp"], bran["facing"]) == (hit_points, 180 if hit_points else None)


def test_t15_the_side_with_the_most_miniatures_activates_first(scene_file):
    a = [mini(f"a{i}", "a", [i, 1]) for i in range(5)]
    off = mini("a5", "a", None)
    down = mini("a6", "a", [6, 1], None, tracks={"hp": 0}, conditions={"downed": ""})
    b = [mini(f"b{i}", "b", [i, 9]) for i in range(6)]
    found = run_json("resolve", scene_file(*a, off, down, *b), "--act", act("round", ""))
    assert found["facts"]["counts"] == {"A": 7, "B": 6}
    assert found["scene"]["conditions"]["priority"] == "a"


def test_t16_sides_alternate_and_an_exhausted_side_is_skipped(scene_file):
    minis = [mini(f"a{i}", "a", [i, 1]) for i in range(3)] + [mini("b0", "b", [1, 9])]
    scene = scene_file(*minis)
    scene.write_text(json.dumps(run_json("resolve", scene, "--act", act("round", ""))["scene"]))
    order = []
    for token in ("a0", "b0", "a1", "a2"):
        order.append(json.loads(scene.read_text())["conditions"]["priority"].upper())
        for kind in ("activate", "end"):
            scene.write_text(json.dumps(run_json("resolve", scene, "--act", act(kind, token))["scene"]))
    assert order == ["A", "B", "A", "A"]
    assert "priority" not in json.loads(scene.read_text())["conditions"]


def test_the_odds_are_exact_fractions():
    found = run_json("odds", SCENE, "--act", act("melee", "bran", "orc-3", "hammer"))
    assert found["exact"]
    assert found["chance"] == [2, 3]
    assert {o["outcome"]: tuple(o["chance"]) for o in found["outcomes"]} == {
        "hit for 1, standing": (2, 3),
        "miss": (1, 3),
    }


def test_text_is_printed_without_json():
    assert (
        "66.67%  2/3  hit for 1, standing"
        in run("odds", SCENE, "--act", act("melee", "bran", "orc-3", "hammer")).output
    )
    assert "hammer, melee at orc-3: 66.7% (2/3)" in run("overlay", SCENE, "--token", "bran").output


def test_an_imported_map_is_a_scene_that_other_commands_read(tmp_path):
    maps = Path(__file__).parents[3] / "server/enfilade/maps"
    out = tmp_path / "scene.json"
    run("import", maps / "ruined-watch.uvtt", "--out", out)
    scene = json.loads(out.read_text())
    scene["sides"] = [{"id": "a", "name": "A"}]
    scene["tokens"] = [{"id": "x", "name": "X", "side": "a", "at": [4, 4], "profile": profile()}]
    out.write_text(json.dumps(scene))
    assert run_json("overlay", out, "--token", "x")["reach"]["cells"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["overlay", "nowhere.json", "--token", "bran"], "Cannot read nowhere.json"),
        (["overlay", SCENE, "--token", "nobody"], "There is no token 'nobody'"),
        (["overlay", SCENE, "--token", "bran", "--layers", "smell"], "Unknown layers: smell"),
        (["odds", SCENE, "--act", "{"], "--act is not JSON"),
        (["odds", SCENE, "--act", '{"token": "bran", "zeal": 1}'], "act.zeal: Unknown field."),
        (["odds", SCENE, "--act", act("dance", "bran")], "has no act 'dance'"),
        (["resolve", SCENE, "--act", act("melee", "bran", "orc-3", "club")], "no 'club'"),
        (["resolve", SCENE, "--act", act("melee", "bran", "orc-3", "hammer")], "More dice are needed"),
        (["resolve", SCENE, "--act", act("melee", "bran", "orc-3", "hammer"), "--faces", "7"], "no face 7"),
        (
            ["resolve", SCENE, "--act", act("melee", "bran", "orc-3", "hammer"), "--faces", "2,2"],
            "Too many dice: 2 given",
        ),
        (["resolve", SCENE, "--act", act("activate", "bran")], "No round has begun"),
        (["import", SCENE], "is already a scene file"),
        (["import", "nowhere.uvtt"], "Cannot read nowhere.uvtt"),
    ],
)
def test_errors_are_sentences_with_exit_status_two(arguments, sentence):
    assert sentence in run(*arguments, code=2).stderr


def test_a_scene_on_the_wrong_grid_is_refused(scene_file):
    grid = {"kind": "gridless", "columns": 30, "rows": 30}
    scene = scene_file(mini("bran", "a", [5, 5]), grid=grid)
    assert "wrong-grid" in run("overlay", scene, "--token", "bran", code=2).stderr


def test_a_scene_of_another_version_is_refused(scene_file):
    scene = scene_file(mini("bran", "a", [5, 5]), version=2)
    assert "version 1, not 2" in run("overlay", scene, "--token", "bran", code=2).stderr


PNG = png(70, 56) + b"not decoded"


@pytest.fixture
def map_with_picture(tmp_path):
    raw = json.loads((Path(__file__).parents[3] / "server/enfilade/maps/tavern-and-yard.uvtt").read_text())
    raw["image"] = base64.b64encode(PNG).decode()
    path = tmp_path / "yard.uvtt"
    path.write_text(json.dumps(raw))
    return path


def test_import_saves_the_picture_of_a_map_beside_its_scene(map_with_picture, tmp_path):
    done = CliRunner().invoke(main, ["import", str(map_with_picture), "--out", str(tmp_path / "scene.json")])
    assert done.exit_code == 0
    assert (tmp_path / "scene.png").read_bytes() == PNG
    assert "scene.png" in done.stderr


def several_files(folder):
    """A scene with a broken wall, a file with two scenes, one of them without a grid, and a text."""
    scene = {"name": "Inn", "width": 1000, "height": 600, "padding": 0, "grid": {"type": 1, "size": 100}}
    walls = [{"c": [0, 0, 0, 100]}, {"c": [0, 0, 100, 0], "door": 1}, {"c": None}]
    road = {"scenes": [scene, {**scene, "name": "Mill", "grid": {"size": "wide"}}]}
    texts = {"inn.json": json.dumps({**scene, "walls": walls}), "road.json": json.dumps(road), "a.txt": "a"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [str(folder / name) for name in texts]


def test_import_check_lists_what_each_file_gives_and_ends_with_status_1_if_one_is_refused(tmp_path):
    files = several_files(tmp_path)
    done = CliRunner().invoke(main, ["import", "--check", *files, "--json"])
    assert done.exit_code == 1
    maps = json.loads(done.stdout)["maps"]
    assert [(one["scene"], one["board"], one["walls"], one["doors"]) for one in maps] == [
        ("", "10 x 6 square", 1, 1),
        ("Inn", "10 x 6 square", 0, 0),
        ("Mill", "", 0, 0),
        ("", "", 0, 0),
    ]
    assert [bool(one["error"]) for one in maps] == [False, False, True, True]
    assert any(note.startswith("Left out: walls[2]") for note in maps[0]["notes"])
    table = CliRunner().invoke(main, ["import", "--check", *files])
    assert table.exit_code == 1
    for text in (
        "board",
        "road.json: Mill",
        "Refused: grid: The scene has no usable grid",
        "4 maps, 2 refused.",
    ):
        assert text in table.stdout
    assert CliRunner().invoke(main, ["import", "--check", files[0]]).exit_code == 0


def test_import_takes_one_file_and_one_of_its_scenes(tmp_path):
    files = several_files(tmp_path)
    assert CliRunner().invoke(main, ["import", *files]).exit_code == 2
    done = CliRunner().invoke(main, ["import", files[1]])
    assert (done.exit_code, "Inn (10 x 6), Mill" in done.stderr) == (2, True)
    done = CliRunner().invoke(main, ["import", files[1], "--scene", "inn"])
    assert json.loads(done.stdout)["name"] == "Inn"


def test_import_to_the_terminal_reports_that_the_picture_is_left_out(map_with_picture):
    done = CliRunner().invoke(main, ["import", str(map_with_picture)])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["grid"]
    assert "picture (PNG) is left out" in done.stderr


def test_each_command_is_found_in_the_module_that_has_it():
    found = {
        command.name: module.name
        for module in pkgutil.iter_modules(cli.__path__)
        for command in getattr(importlib.import_module(f"enfilade.cli.{module.name}"), "COMMANDS", ())
    }
    assert found == MODULES
    assert main.get_command(Context(main), "no-such-command") is None


def test_the_process_that_starts_others_imports_no_rules():
    """It is one more process to each server with several, and would hold what it never uses."""
    program = (
        "import enfilade.cli.main, enfilade.cluster.workers, sys; "
        "print(*sorted(name for name in sys.modules if name.startswith('enfilade.rule')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert ran.stdout.split() == []
