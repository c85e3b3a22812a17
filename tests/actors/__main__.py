"""`python -m tests.actors FOLDER`: read every exported actor of a folder, and compare it with its own data.

The folder has actors as JSON, or as YAML as a system's repository keeps them. Each actor of dnd5e is read in
the shapes of versions 4, 5 and 6, which must give one sheet. A sheet is compared with what the document says
beside the values that were read: the mean of the hit points' formula, the width of the token, the plain
numbers. Actors that differ need a reason in reasons.tsv.
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from enfilade.importers.actors import is_actor, read_actor
from enfilade.rules.sheets import Sheet

REASONS = Path(__file__).parent / "reasons.tsv"
WIDTHS = {"tiny": 0.5, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
LEAST_SHARE = 95
"""Of the actors of systems other than dnd5e so many in 100 must have speed, size, armor class and reach."""
SIZES_OF = {
    "sm": "small",
    "med": "medium",
    "lg": "large",
    "grg": "gargantuan",
    "tiny": "tiny",
    "huge": "huge",
}
BODIES = {"tiny": 0, "huge": 10, "grg": 15}
MOST_SHOWN = 100
SHIELD = 3
KINDS = {"npc", "character", "vehicle"}


def documents(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the actors in a folder, with their paths in it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".json":
            found = json.loads(path.read_text("utf-8"))
        elif path.suffix in (".yml", ".yaml"):
            import yaml  # what keeps actors so has a library for it

            found = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        else:
            continue
        for one in found if isinstance(found, list) else [found]:
            if is_actor(one) and one.get("type") in KINDS:
                yield str(path.relative_to(folder)), one


def shapes(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a dnd5e actor in the shapes of its system's versions 4, 5 and 6: speeds and senses move."""
    attributes = document["system"]["attributes"]
    movement, senses = attributes.get("movement") or {}, attributes.get("senses") or {}
    ranges = senses.get("ranges") or {
        key: senses.get(key) for key in ("darkvision", "blindsight", "tremorsense", "truesight")
    }
    speeds = {key: movement.get(key) for key in ("walk", "climb", "swim", "fly", "burrow")}
    rest = {key: movement.get(key) for key in ("units", "hover")}
    texts = {key: None if one is None else str(one) for key, one in speeds.items()}
    units = {"units": senses.get("units")}
    for own, seen in (
        ({**rest, **speeds}, {**units, **ranges}),
        ({**rest, **texts}, {**units, "ranges": ranges}),
        ({**rest, "speeds": speeds}, {**units, "ranges": ranges}),
    ):
        changed = deepcopy(document)
        changed["system"]["attributes"] |= {"movement": own, "senses": seen}
        yield changed


def differences(document: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield what a sheet of dnd5e has otherwise than the document itself."""
    if any(read_actor(shape) != sheet for shape in shapes(document)):
        yield "shapes"
    mean = mean_points(document["system"]["attributes"]["hp"])
    if document["type"] == "npc" and mean is not None and mean != sheet.hit_points:
        yield "hit points"
    width = (document.get("prototypeToken") or {}).get("width")
    if document["type"] == "npc" and width and width != WIDTHS[sheet.size]:
        yield "size"
    needed = {
        "no hit points": sheet.hit_points,
        "no armor class": sheet.armor_class,
        "no speed": sheet.speeds,
    }
    yield from (what for what, value in needed.items() if not value)
    yield from armor_differences(document["system"]["attributes"].get("ac") or {}, sheet)
    yield from save_differences(document, sheet)
    yield from attack_differences(document, sheet)


def mean_points(points: dict[str, Any]) -> int | None:
    """Return the mean of the hit points' formula, rounded down; None without one."""
    text = str(points.get("formula") or "").replace(" ", "")
    dice = re.fullmatch(r"(\d+)d(\d+)(?:([+-])(\d+))?", text)
    if not dice:
        return None
    more = int(dice[4] or 0) * (-1 if dice[3] == "-" else 1)
    return max(1, int(dice[1]) * (int(dice[2]) + 1) // 2 + more)


def armor_differences(armor: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield a difference if an armor class that is stored as a number is another, but for a shield."""
    if armor.get("calc") in ("flat", "natural") and armor.get("flat") not in (None, ""):
        flat = float(armor["flat"])
        if not flat <= sheet.armor_class <= flat + SHIELD:
            yield "armor class"


def save_differences(document: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield the saves that are not the ability's modifier and its share of the proficiency bonus."""
    if document.get("effects") or any(item.get("effects") for item in document["items"]):
        return
    for key, one in document["system"].get("abilities", {}).items():
        score, bonus = one.get("value"), (one.get("bonuses") or {}).get("save")
        plain = math.floor((float(10 if score is None else score) - 10) / 2)
        plain += math.floor(float(one.get("proficient") or 0) * sheet.proficiency)
        if key in sheet.saves and not bonus and sheet.saves[key] != plain:
            yield f"save {key}"


def attack_differences(document: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield the attacks that were not read, or without reach, range or the dice of their weapon."""
    names = Counter(
        item["name"]
        for item in document["items"]
        for one in (item["system"].get("activities") or {}).values()
        if one.get("type") == "attack"
    )
    if len(sheet.attacks) + len(sheet.unread) != sum(names.values()):
        yield "attacks"
    yield from (f"attack {name}" for name in dict.fromkeys(sheet.unread))
    for attack in sheet.attacks:
        if not attack.reach and not attack.normal:
            yield f"distance of {attack.name}"
    dice = {
        item["name"]: ((item["system"].get("damage") or {}).get("base") or {})
        for item in document["items"]
        if not any(
            (one.get("damage") or {}).get("includeBase") is False
            for one in (item["system"].get("activities") or {}).values()
        )
    }
    for attack in sheet.attacks:
        base = dice.get(attack.name, {})
        if base.get("number") and not base.get("custom", {}).get("enabled"):
            own = [(part.dice, part.sides) for part in attack.damage]
            if (base["number"], base["denomination"]) not in own:
                yield f"dice of {attack.name}"


def pathfinder_differences(document: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield what a sheet of pf2e has otherwise than the stored values of a non-player character.

    Its reach is that of its farthest strike: the number of the trait, 5 feet more than its body's, or this.
    """
    system = document["system"]
    attributes, size = system["attributes"], system["traits"]["size"]["value"]
    speed = attributes.get("speed") or {}
    speeds = {
        "walk": speed.get("value"),
        **{one["type"]: one["value"] for one in speed.get("otherSpeeds") or ()},
    }
    if {mode: feet for mode, feet in speeds.items() if feet} != sheet.speeds:
        yield "speeds"
    if (SIZES_OF[size], attributes["ac"]["value"]) != (sheet.size, sheet.armor_class):
        yield "size or armor class"
    body, reaches = BODIES.get(size, 5), []
    for item in document["items"]:
        traits = ((item.get("system") or {}).get("traits") or {}).get("value") or ()
        is_far = any(trait.startswith("range") for trait in traits)
        if item["type"] == "melee" and not is_far and not (item["system"].get("range") or {}):
            named = [int(trait[6:]) for trait in traits if trait.startswith("reach-")]
            reaches.append(max(named, default=body + 5 * ("reach" in traits)))
    if sheet.reach != max(reaches, default=body):
        yield "reach"


def main() -> int:
    """Print the figures, and each difference without a reason; return 1 if there is one."""
    with REASONS.open(encoding="utf-8") as file:
        reasons = [(row["actor"], row["what"]) for row in csv.DictReader(file, delimiter="\t")]
    count, complete, attacks = Counter[str](), Counter[str](), 0
    unexplained, explained = [], 0
    for path, document in documents(Path(sys.argv[1])):
        sheet = read_actor(document)
        count[sheet.system] += 1
        if sheet.system != "dnd5e":
            is_whole = all((sheet.speeds, sheet.armor_class, sheet.reach or sheet.size == "tiny"))
            complete[sheet.system] += is_whole and not list(pathfinder_differences(document, sheet))
            continue
        found = list(differences(document, sheet))
        listed = [kind for actor, kind in reasons if fnmatch(path, actor)]
        known = [what for what in found if any(fnmatch(what, kind) for kind in listed)]
        attacks, explained = attacks + len(sheet.attacks), explained + len(known)
        complete["dnd5e"] += not found
        unexplained += [f"{path}: {what}" for what in found if what not in known]
    for system, number in count.items():
        print(f"actors: {number} of {system}, {complete[system]} of them complete and as their data say")
    print(f"actors: {attacks} attacks of dnd5e")
    print(f"actors: {explained} differences with a reason, {len(unexplained)} without")
    print(*unexplained[:MOST_SHOWN], sep="\n")
    poor = [key for key in count if key != "dnd5e" and complete[key] * 100 < LEAST_SHARE * count[key]]
    is_failed = bool(unexplained or poor or not count)
    print(f"actors: {'FAIL' if is_failed else 'PASS'}")
    return int(is_failed)


if __name__ == "__main__":
    sys.exit(main())
