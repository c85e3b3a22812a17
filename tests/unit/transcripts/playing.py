"""Plays a transcript: from its title, scene and commands to the same with everything they bring."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from enfilade.errors import EnfiladeError
from enfilade.geometry.board.base import Cell
from enfilade.messages.load import load_command, load_scene
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM, Scene, Token
from enfilade.store.memory import MemoryStore

FOLDER = Path(__file__).parent
RULESETS = load_rulesets(BUILT_IN)
IDS = itertools.count()
UNITS_PER_INCH = 64
WORDS = ("by", "at", "with", "to", "facing", "dice", "because", "says", "using")


def transcripts(key: str) -> list[Path]:
    return sorted((FOLDER / key).glob("*.txt"))


def played(text: str) -> str:
    """A transcript with what its commands bring now."""
    kept = _commands(text)
    table = _table(kept)
    lines = list(itertools.chain.from_iterable(_with_what_it_brings(table, line) for line in kept))
    return "\n".join([*_without_blanks_at_the_end(lines), "", "In the end:", *_state(table.scene)]) + "\n"


def logged(text: str) -> Table:
    """The table after the commands of a transcript."""
    kept = _commands(text)
    table = _table(kept)
    for line in kept:
        list(_with_what_it_brings(table, line))
    return table


def _commands(text: str) -> list[str]:
    """The lines of a transcript without what they brought."""
    kept = [line for line in text.splitlines() if not line.startswith("  ")]
    return kept[: kept.index("In the end:")] if "In the end:" in kept else kept


def _without_blanks_at_the_end(lines: list[str]) -> list[str]:
    while not lines[-1]:
        lines = lines[:-1]
    return lines


def _with_what_it_brings(table: Table, line: str) -> Iterator[str]:
    yield line
    if line[:2] in ("> ", "? "):
        try:
            brought = _asked(table, line[2:]) if line[0] == "?" else _done(table, line[2:])
        except EnfiladeError as refused:
            rule = getattr(refused, "rule", "")
            brought = [f"refused: {refused.code}{f' {rule}' if rule else ''}: {refused.sentence}"]
        yield from (f"  {said}" for said in brought)


# The scene


def _table(lines: list[str]) -> Table:
    raw: dict[str, Any] = {"version": 1, "name": lines[0], "house_rules": {}}
    raw |= {"walls": [], "terrain": [], "sides": [], "tokens": []}
    for line in lines[1:]:
        what, *terms = line.split("#")[0].split() or [""]
        if what in _SETUP:
            _SETUP[what](raw, terms)
    tables = Tables(MemoryStore(), RULESETS, SeededDice(1))
    links = tables.create(load_scene(raw))
    return tables.enter(links.table, links.gm_key)[0]


def _set_ruleset(raw: dict[str, Any], terms: list[str]) -> None:
    raw["ruleset"] = terms[0]


def _set_grid(raw: dict[str, Any], terms: list[str]) -> None:
    raw["grid"] = {"kind": terms[0], "columns": int(terms[1]), "rows": int(terms[2])}


def _set_track(raw: dict[str, Any], terms: list[str]) -> None:
    holder, *track, value = terms
    _holder(raw, holder).setdefault("tracks", {})[" ".join(track)] = int(value)


def _set_condition(raw: dict[str, Any], terms: list[str]) -> None:
    holder, condition, *note = terms
    _holder(raw, holder).setdefault("conditions", {})[condition] = " ".join(note)


def _holder(raw: dict[str, Any], key: str) -> dict[str, Any]:
    return next(one for one in (*raw["sides"], *raw["tokens"]) if one["id"] == key)


def _set_rule(raw: dict[str, Any], terms: list[str]) -> None:
    key, chosen = terms[0], " ".join(terms[1:])
    rules = {rule.key: rule for rule in _ruleset(raw).house_rules}
    raw["house_rules"][key] = next(option for option in rules[key].options if str(option) == chosen)


def _add_side(raw: dict[str, Any], terms: list[str]) -> None:
    side, name, *team = terms
    raw["sides"].append({"id": side, "name": name, "team": team[0] if team else ""})


def _add_wall(raw: dict[str, Any], terms: list[str], door: str = "none") -> None:
    wall_id = f"w{len(raw['walls']) + 1}"
    raw["walls"].append({"id": wall_id, "line": [int(word) for word in terms], "door": door})


def _add_terrain(raw: dict[str, Any], terms: list[str]) -> None:
    name, cost, *cells = terms
    height = 0 if "," in cells[0] else int(cells.pop(0))
    # A cost in words is what the ruleset takes the terrain for.
    terrain = {"cost": int(cost)} if cost.isdecimal() else {"kind": cost}
    raw["terrain"].append(
        {"id": name, "name": name, "cells": [_cell(cell) for cell in cells], **terrain, "height": height}
    )


def _add_token(raw: dict[str, Any], terms: list[str]) -> None:
    token, side, unit = terms[:3]
    fields = _parse_fields(terms[3:])
    profile = next(u.profile for u in _ruleset(raw).catalog if u.key == unit)
    raw["tokens"].append(
        {
            "id": token,
            "name": token.replace("-", " ").capitalize(),
            "side": side,
            "at": _place(fields["at"], raw["grid"]["kind"]) if "at" in fields else None,
            "facing": int(fields.get("facing", 0)),
            "profile": profile,
        }
    )


_SETUP = {
    "ruleset": _set_ruleset,
    "grid": _set_grid,
    "rule": _set_rule,
    "side": _add_side,
    "wall": _add_wall,
    "door": lambda raw, terms: _add_wall(raw, terms, "door"),
    "terrain": _add_terrain,
    "token": _add_token,
    "track": _set_track,
    "condition": _set_condition,
}


def _ruleset(raw: dict[str, Any]):
    return RULESETS[raw["ruleset"]]


def _cell(terms: str) -> list[int]:
    return [int(word) for word in terms.split(",")]


def _place(terms: str, kind: str) -> list[int]:
    """Return a cell, or on a gridless board a place in 64ths of an inch, which is written in inches."""
    if kind != "gridless":
        return _cell(terms)
    return [round(float(word) * UNITS_PER_INCH) for word in terms.split(",")]


# The commands


def _parse_fields(terms: list[str]) -> dict[str, str]:
    """Return the parts of a command by their keyword; the kind and its object come first, without one."""
    if terms[:1] == ["answer"] and "dice" in terms:
        # An answer can be "2 dice".
        last = len(terms) - terms[::-1].index("dice")
        return {"": " ".join(terms[: last - 1]), "dice": " ".join(terms[last:])}
    fields: dict[str, list[str]] = {"": []}
    key = ""
    for word in terms:
        if word in WORDS and key not in ("because", "says"):
            key = word
            fields[key] = []
        else:
            fields[key].append(word)
    return {key: " ".join(value) for key, value in fields.items()}


def _body(fields: dict[str, str]) -> dict[str, Any]:
    """Return an act's body: its text, or fields such as `dice=2 members=ann,bob`."""
    if "says" in fields:
        return {"body": {"text": fields["says"]}}
    parts = dict(word.split("=", 1) for word in fields.get("using", "").split())
    body = {name: _FIELDS.get(name, _number)(value) for name, value in parts.items()}
    return {"body": body} if body else {}


def _paths(word: str) -> list[list[list[int]]]:
    """Return the path of each member of a group on a gridless board: `10,12/11,14;20,12`."""
    return [[_place(step, "gridless") for step in path.split("/")] for path in word.split(";")]


_FIELDS = {"members": lambda word: word.split(","), "paths": _paths}


def _number(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


def _act(table: Table, fields: dict[str, str]) -> dict[str, Any]:
    act: dict[str, Any] = {"kind": fields[""], "token": fields.get("by", ""), "target": fields.get("at", "")}
    act |= {"weapon": fields.get("with", "")}
    act |= _body(fields)
    act |= {"at": _place(fields["to"], table.scene.grid.kind)} if "to" in fields else {}
    return act | ({"facing": int(fields["facing"])} if "facing" in fields else {})


def _asked(table: Table, command: str) -> list[str]:
    preview = _sent(table, "act.preview", {"act": _act(table, _parse_fields(command.split()))}).result
    reasons = [f"{m['value']:+d} {m['reason']}" for m in (*preview["modifiers"], *preview["defenses"])]
    needs = "" if preview["needed"] is None else f"needs {preview['needed']}: "
    lines = [f"{needs}{', '.join(reasons)}"] if reasons else []
    return lines + [
        f"{o['chance'][0] / o['chance'][1]:7.2%}  {o['chance'][0]}/{o['chance'][1]}  {o['outcome']}"
        for o in preview["outcomes"]
    ]


def _done(table: Table, command: str) -> list[str]:
    terms = command.split()
    done = _sent(table, *_command(table, terms[0], _parse_fields(terms)))
    if "waiting" in done.result:
        choice = done.result["waiting"]
        keys = ", ".join(option["key"] for option in choice["options"])
        return [f"{table.scene.side(choice['side']).name} is asked: {choice['question']} ({keys})"]
    if done.entry is None:
        return [f"Withdrawn: {done.result['cancelled']}"]
    detail = done.entry.facts.get("detail")
    return [done.entry.text, *([f"  {detail}"] if detail else [])]


def _command(table: Table, kind: str, fields: dict[str, str]) -> tuple[str, dict[str, Any]]:
    faces = [_number(face) for face in fields["dice"].split()] if "dice" in fields else None
    if kind == "undo":
        return "undo", {}
    if kind == "answer":
        choice = table.snapshot(GM).choice
        answer: Any = fields[""].removeprefix("answer ")
        if "=" in answer:
            answer = {slot: int(number) for slot, number in (word.split("=") for word in answer.split())}
        return "choice.answer", {"choice": choice.id if choice else "none", "answer": answer, "faces": faces}
    if kind == "close":
        choice = table.snapshot(GM).choice
        return "choice.close", {"choice": choice.id if choice else "none"}
    override = fields.get("because", "")
    if kind == "move":
        facing = {"facing": int(fields["facing"])} if "facing" in fields else {}
        token = fields[""].removeprefix("move ")
        at = _place(fields["to"], table.scene.grid.kind)
        return "token.move", {"token": token, "at": at, "override": override, **facing}
    return "act", {"act": _act(table, fields), "faces": faces, "override": override}


def _sent(table: Table, kind: str, body: dict[str, Any]):
    return table.execute(GM, load_command({"v": 1, "id": f"c{next(IDS)}", "kind": kind, "body": body}))


# What is left


def _state(scene: Scene) -> list[str]:
    table = _carried(scene.tracks, scene.conditions)
    return [*(f"  {_token_state(scene, token)}" for token in scene.tokens), f"  the table: {table}"]


def _token_state(scene: Scene, token: Token) -> str:
    where = f"at {_written(scene, token.at)}" if token.at else "off the board"
    facing = "" if token.facing is None else f" facing {token.facing}"
    return f"{token.id} {where}{facing}: {_carried(token.tracks, token.conditions)}"


def _written(scene: Scene, at: Cell) -> str:
    """Return a cell, or on a gridless board a place in inches."""
    unit = UNITS_PER_INCH if scene.grid.kind == "gridless" else 1
    return ",".join(f"{part / unit:.4g}" for part in at)


def _carried(tracks: dict[str, int], conditions: dict[str, str]) -> str:
    flags = [f"{name} {note}".strip() for name, note in sorted(conditions.items())]
    return ", ".join([*(f"{name} {value}" for name, value in sorted(tracks.items())), *flags]) or "nothing"
