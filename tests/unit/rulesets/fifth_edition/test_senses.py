"""Light, obscurement and senses by viewer (SRD-093, SRD-094, SRD-105 to SRD-113)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import FIRST_LINES, can_see, contacts, seeing
from enfilade.rulesets.fifth_edition.senses import is_dimmed, knows_place
from enfilade.scene.model import Grid, Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import BOW, SWORD, battle, creature, reasons

WIDE = Grid("square", 40, 14, distance=5, units="feet")
ALL = tuple((x, y) for x in range(40) for y in range(14))


def field(kind, ann=None, bo=None, at=(11, 5), cells=ALL, **more):
    """Return Ann with a bow and Bo 30 feet away, on a map full of one kind of terrain."""
    one = creature("ann", "blue", (5, 5), attacks=(SWORD, BOW), **(ann or {}))
    other = creature("bo", "red", at, attacks=(SWORD, BOW), **(bo or {}))
    terrain = (Terrain(id="t", name="Murk", cells=cells, kind=kind),) if kind else ()
    return battle(one, other, grid=WIDE, terrain=terrain, **more)


def look(scene, viewer="ann", target="bo"):
    return can_see(scene, scene.token(viewer), scene.token(target))


def senses(**feet):
    return {"senses": {name: float(far) for name, far in feet.items()}}


@pytest.mark.rule("SRD-105")
@pytest.mark.parametrize(
    ("kind", "dimmed"), [("", False), ("dim", True), ("light fog", True), ("dark", True)]
)
def test_dim_light_and_light_fog_make_it_harder_to_find_one_and_do_nothing_else(kind, dimmed):
    scene = field(kind)
    ann, bo = scene.token("ann"), scene.token("bo")
    assert is_dimmed(contacts(scene).screens, ann, bo) is dimmed
    if kind in ("dim", "light fog"):
        assert look(scene)
        assert reasons(scene, "Bow") == (10, (), ())
    clear = field(kind, ann=senses(blindsight=60))
    assert not is_dimmed(contacts(clear).screens, clear.token("ann"), clear.token("bo"))


@pytest.mark.rule("SRD-106", "SRD-107")
@pytest.mark.parametrize("kind", ["dark", "heavy fog", "magical dark"])
def test_who_is_in_darkness_or_heavy_fog_is_not_seen(kind):
    hidden = field(kind, cells=((11, 5),))
    assert (look(hidden), look(hidden, "bo", "ann")) == (False, True), "by the square of the one looked at"
    assert reasons(hidden, "Bow") == (10, (), ("Bo is not seen",))
    assert reasons(hidden, "Bow", "ann", "bo") == (10, ("Bo is not seen",), ())
    found = FIFTH_EDITION.sight(hidden, hidden.token("ann"), hidden.token("bo"))
    assert (found.is_seen, found.why) == (False, "Bo is in darkness or fog.")
    large = field(kind, cells=((11, 5),), bo={"size": "large"})
    assert look(large), "a part of it stands in the light"


def test_the_overlay_of_sight_leaves_dark_squares_out():
    scene = field("dark", cells=((11, 5), (12, 5)))
    areas = {layer: FIFTH_EDITION.areas(scene, scene.token("ann"), layer)[0] for layer in ("sight", "blind")}
    rows = [run for run in areas["sight"].runs if run[0] == 5]
    assert rows == [(5, 0, 10), (5, 13, 39)]
    assert (5, 11, 12) in areas["blind"].runs


@pytest.mark.rule("SRD-108")
def test_darkvision_makes_darkness_dim_in_its_range_and_does_not_pierce_magic_or_fog():
    sees = senses(darkvision=30)
    assert look(field("dark", sees))
    assert not look(field("dark", sees, at=(12, 5))), "35 feet away"
    dark = field("dark", sees)
    assert is_dimmed(contacts(dark).screens, dark.token("ann"), dark.token("bo"))
    dim = field("dim", sees)
    assert not is_dimmed(contacts(dim).screens, dim.token("ann"), dim.token("bo"))
    assert not look(field("magical dark", sees))
    assert not look(field("heavy fog", sees))


@pytest.mark.rule("SRD-094", "SRD-108")
def test_in_darkness_one_with_darkvision_shoots_at_an_advantage_and_two_without_it_cancel():
    scene = field("dark", bo=senses(darkvision=60))
    assert reasons(scene, "Bow")[1:] == ((), ("Bo is not seen",))
    assert reasons(scene, "Bow", "ann", "bo")[1:] == (("Bo is not seen",), ())
    neither = field("dark")
    assert reasons(neither, "Bow")[1:] == (("Ann is not seen",), ("Bo is not seen",))


@pytest.mark.rule("SRD-109")
def test_blindsight_sees_in_darkness_fog_and_blindness_and_the_invisible_but_not_through_walls():
    for kind in ("dark", "magical dark", "heavy fog"):
        assert look(field(kind, senses(blindsight=30)))
        assert not look(field(kind, senses(blindsight=25)))
    blind = creature("ann", "blue", (5, 5), "blinded", **senses(blindsight=30))
    for at, seen in (((11, 5), True), ((12, 5), False)):
        scene = battle(blind, creature("bo", "red", at, "invisible"), grid=WIDE)
        assert look(scene) is seen
    wall = Wall("w", (8 * 64, 0, 8 * 64, 14 * 64))
    assert not look(field("", senses(blindsight=60), walls=(wall,)))


@pytest.mark.rule("SRD-110")
def test_tremorsense_knows_the_place_of_one_on_the_ground_and_does_not_see_it():
    scene = field("heavy fog", senses(tremorsense=30))
    found = FIFTH_EDITION.sight(scene, scene.token("ann"), scene.token("bo"))
    assert (found.is_seen, found.why) == (
        False,
        "Bo is in darkness or fog. Its place is felt by tremorsense.",
    )

    def knows(at=(11, 5), elevation=0, speeds=None, height=0):
        bo = creature(
            *("bo", "red", at),
            notes={"invisible": "hiding"},
            elevation=elevation,
            speeds=speeds or {"walk": 30.0},
        )
        ann = creature("ann", "blue", (5, 5), elevation=height, **senses(tremorsense=30))
        one = battle(ann, bo, grid=WIDE)
        return knows_place(contacts(one).screens, one.token("ann"), one.token("bo"))

    assert knows()
    assert not knows(at=(12, 5))
    assert not knows(elevation=10, speeds={"fly": 60.0}), "fliers escape it"
    assert knows(elevation=10, height=10), "both stand on one roof"
    assert not knows(elevation=10, speeds={"fly": 60.0}, height=10)
    assert not knows(elevation=10)


@pytest.mark.rule("SRD-111")
def test_truesight_sees_in_every_darkness_and_the_invisible():
    for kind, state in (("dark", ()), ("magical dark", ()), ("", ("invisible",))):
        bo = creature("bo", "red", (11, 5), *state)
        scene = field(kind, senses(truesight=30))
        assert look(replace(scene, tokens=(scene.token("ann"), bo)))
        short = field(kind, senses(truesight=25))
        assert not look(replace(short, tokens=(short.token("ann"), bo)))


@pytest.mark.rule("SRD-112")
def test_one_is_seen_by_a_clear_line_unless_blinded_obscured_or_invisible():
    assert look(field(""))
    assert not look(battle(creature("ann", "blue", (5, 5), "blinded"), creature("bo", "red", (8, 5))))
    assert not look(battle(creature("ann", "blue", (5, 5)), creature("bo", "red", (8, 5), "invisible")))
    wall = Wall("w", (8 * 64, 0, 8 * 64, 14 * 64))
    assert not look(field("", walls=(wall,)))


@pytest.mark.rule("SRD-113")
def test_one_that_is_unseen_but_does_not_hide_is_known_by_its_square():
    for note, known in (("", True), ("hiding", False)):
        bo = creature("bo", "red", (8, 5), notes={"invisible": note})
        scene = battle(creature("ann", "blue", (5, 5)), bo)
        assert knows_place(contacts(scene).screens, scene.token("ann"), scene.token("bo")) is known


def test_who_of_a_crowd_sees_one_is_told_in_its_order_however_many_are_asked_at_once():
    wall = Wall("w", (20 * 64, 2 * 64, 20 * 64, 14 * 64))
    places = [(x, y) for x in range(22, 38, 2) for y in range(0, 14, 2)]
    crowd = [creature(f"c{i}", "red", at) for i, at in enumerate(places)]
    scene = battle(creature("ann", "blue", (16, 1)), *crowd, grid=WIDE, walls=(wall,))
    ann, others = scene.token("ann"), [scene.token(one.id) for one in crowd]
    found = [one.id for one in others if can_see(scene, one, ann)]
    assert 0 < len(found) < len(others) > 3 * FIRST_LINES
    anew = replace(scene, walls=(replace(wall),))
    assert [one.id for one in seeing(anew, others, ann)] == found
    assert list(seeing(anew, [], ann)) == []
