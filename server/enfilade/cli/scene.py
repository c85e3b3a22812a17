"""The shell commands that apply the rules to a scene file: overlays, odds, acts, and a list of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from enfilade.cli.output import (
    ErrorWithMore,
    json_option,
    print_result,
    read_bytes,
    report_errors,
    write_file,
)
from enfilade.errors import BadFile, BadMessage, NotFound
from enfilade.i18n import localize
from enfilade.messages.acts import ActSchema
from enfilade.messages.fields import is_split
from enfilade.messages.load import checked, load_scene
from enfilade.play.setup import contradictions, prepare_scene
from enfilade.rules.allocations import answer_text
from enfilade.rules.coverage import counts, untested
from enfilade.rules.group_moves import GROUP_MOVE
from enfilade.rules.procedures import Act, Procedure
from enfilade.rules.profiles import read_act
from enfilade.rules.questions import Questions, find_questions
from enfilade.rules.registry import MOVE, load_rulesets, ruleset_for
from enfilade.rules.resolve import Answers, WrongAnswer, refusal, resolve
from enfilade.rules.ruleset import Ruleset, refused_move
from enfilade.rulesets import BUILT_IN
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene
from enfilade.tactics.overlays import LAYERS, overlay
from enfilade.tactics.previews import OutcomeChance, act_odds, outcome_chances

_MAX_FACE_LENGTH = 20
REFUSAL_BUDGET = 400
"""How often an act is run, at most, to list its questions after a wrong number of dice: within a second."""

scene_argument = click.argument("scene", type=click.Path(path_type=Path))
act_option = click.option("--act", required=True, help='The act as JSON: {"kind": "melee", "token": ...}.')


class UnansweredAct(WrongAnswer, ErrorWithMore):
    """The given faces or answers do not fit the act, whose questions it lists."""

    def __init__(self, sentence: str, questions: Questions) -> None:
        super().__init__(sentence)
        self.more_facts = {"questions": msgspec.to_builtins(questions)}
        self.more_text = _questions_text(questions)


@click.command("overlay")
@scene_argument
@click.option("--token", required=True, help="The ID of the token.")
@click.option("--layers", help=f"Only these layers, separated by commas: {', '.join(LAYERS)}.")
@json_option
@report_errors
def show_overlay(scene: Path, token: str, layers: str | None, as_json: bool) -> None:
    """Show where a token can go, what it sees, and which targets it can attack."""
    ruleset, board = _read_scene(scene)
    wanted = layers.split(",") if layers else None
    unknown = set(wanted or ()) - set(LAYERS)
    if unknown:
        raise BadMessage({"layers": [localize("cli.unknown_layers", layers=", ".join(sorted(unknown)))]})
    result = msgspec.to_builtins(overlay(ruleset, board, token, 0, wanted))
    print_result(result, _overlay_text(result), as_json)


@click.command("odds")
@scene_argument
@act_option
@click.option(
    "--questions", "lists_questions", is_flag=True, help="List the dice and answers it may ask for."
)
@json_option
@report_errors
def show_odds(scene: Path, act: str, lists_questions: bool, as_json: bool) -> None:
    """Show the exact chance of each outcome of an act."""
    ruleset, board = _read_scene(scene)
    parsed = _parse_act(ruleset, act)
    with _missing_tokens_named(parsed):
        _require_possible(ruleset, board, parsed)
        odds = act_odds(ruleset, board, parsed)
    chances = outcome_chances(odds)
    lines = [*([] if odds.is_exact else [localize("cli.sampled")]), *map(_chance_text, chances)]
    result = {
        "exact": odds.is_exact,
        "chance": odds.chance(*ruleset.successes).as_integer_ratio(),
        "outcomes": msgspec.to_builtins(chances),
        **explanation_facts(odds.declared),
    }
    if lists_questions:
        found = find_questions(board, ruleset.acts[parsed.kind].procedure, (parsed,))
        result["questions"] = msgspec.to_builtins(found)
        lines.append(_questions_text(found))
    print_result(result, "\n".join(lines), as_json)


@click.command("resolve")
@scene_argument
@act_option
@click.option("--faces", default="", help="The rolled faces, separated by commas.")
@click.option(
    "--answers", default="[]", help='Answers to choices, as JSON: ["yes", {"orc": 2}]; then defaults.'
)
@click.option("--override", "overrides", is_flag=True, help="Resolve it against the rules, as a GM may.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the scene after the act to this file.")
@json_option
@report_errors
def resolve_act(
    scene: Path, act: str, faces: str, answers: str, overrides: bool, out: Path | None, as_json: bool
) -> None:
    """Resolve an act with given dice, and print everything that happens."""
    ruleset, board = _read_scene(scene)
    parsed = _parse_act(ruleset, act)
    inputs = Answers(_parse_faces(faces), _parse_answers(answers), overrides=overrides)
    procedure = _procedure(ruleset, parsed)
    with _missing_tokens_named(parsed):
        if not overrides:
            _require_possible(ruleset, board, parsed)
        try:
            resolution = resolve(board, procedure, (parsed,), inputs)
        except WrongAnswer as problem:
            questions = find_questions(board, procedure, (parsed,), REFUSAL_BUDGET)
            raise UnansweredAct(problem.sentence, questions) from None
    text = ruleset.narrate(board, resolution.events)
    result = {
        "outcome": resolution.result,
        "text": text,
        "facts": explanation_facts(resolution.events),
        "events": resolution.events,
        "scene": resolution.scene,
    }
    if out is not None:
        write_scene(out, resolution.scene)
    print_result(msgspec.to_builtins(result), text, as_json)


def _procedure(ruleset: Ruleset, act: Act) -> Procedure:
    """Return the procedure of an act. Raises BadMessage for an unknown kind."""
    if act.kind not in ruleset.acts:
        sentence = localize("cli.unknown_act", ruleset=ruleset.title, kind=act.kind)
        raise BadMessage({"act.kind": [sentence, localize("cli.known_acts", kinds=", ".join(ruleset.acts))]})
    return ruleset.acts[act.kind].procedure


def _require_possible(ruleset: Ruleset, board: Scene, act: Act) -> None:
    """Refuse an unknown kind of act, and a move that the rules do not allow, as a table that enforces does.

    Raises BadMessage, NotFound, IllegalAct.
    """
    procedure = _procedure(ruleset, act)
    if act.kind == GROUP_MOVE:
        refused = refusal(replace(board, enforcement="enforce"), procedure, act)
        if refused is not None:
            raise refused
    if act.kind != MOVE:
        return
    token = board.token(act.token)
    path = act.waypoints or ((token.at,) if token.at is not None else ())
    if not path:
        raise BadMessage({"act.at": [localize("cli.move_nowhere")]})
    for cell in path:
        if cell not in board.grid:
            raise BadMessage({"act.at": [localize("play.off_board")]})
    ruling = ruleset.judge(board, token, path, token.facing if act.facing is None else act.facing)
    if not ruling.allowed:
        raise refused_move(ruling)


@contextmanager
def _missing_tokens_named(act: Act) -> Iterator[None]:
    """Name the field of an act that lacks the ID of a token, in place of a token that is not found.

    Raises BadMessage.
    """
    try:
        yield
    except NotFound:
        missing = [field for field in ("token", "target") if not getattr(act, field)]
        if not missing:
            raise
        raise BadMessage({f"act.{missing[0]}": [localize("cli.missing_token", kind=act.kind)]}) from None


@click.command("rules")
@json_option
def show_rules(as_json: bool) -> None:
    """Count each ruleset's rules, and those that a passing test names."""
    found, missing = counts(), untested()
    lines = [
        localize("cli.rules_tested", ruleset=key, tested=count["tested"], count=count["rules"])
        for key, count in found.items()
    ]
    lines += [
        localize("cli.rules_untested", ruleset=key, rules=", ".join(rules)) for key, rules in missing.items()
    ]
    print_result(found, "\n".join(lines), as_json)


COMMANDS = (show_overlay, show_odds, resolve_act, show_rules)


def _read_scene(path: Path) -> tuple[Ruleset, Scene]:
    scene = load_scene(_parse_json(path.name, read_bytes(path)))
    ruleset = ruleset_for(load_rulesets(BUILT_IN), scene)
    prepared = prepare_scene(ruleset, scene)
    for path_in_scene, sentences in contradictions(ruleset, scene).items():
        click.echo(localize("cli.contradiction", path=path_in_scene, why=" ".join(sentences)), err=True)
    return ruleset, prepared


def write_scene(path: Path, scene: Scene) -> None:
    """Write a scene file. Raises BadFile if that fails."""
    text = json.dumps(msgspec.to_builtins(scene), indent=2, ensure_ascii=False)
    write_file(path, (text + "\n").encode())


def _parse_json(name: str, data: bytes | str) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        raise BadFile(localize("cli.not_json", name=name, reason=problem)) from None


def _parse_act(ruleset: Ruleset, text: str) -> Act:
    return read_act(ruleset, checked(ActSchema(), _parse_json("--act", text), "act."))


def _parse_faces(text: str) -> list[int | str]:
    faces = [face.strip() for face in text.split(",") if face.strip()]
    if any(len(face) > _MAX_FACE_LENGTH for face in faces):
        raise BadMessage({"faces": [localize("cli.bad_faces")]})
    return [int(face) if face.isdecimal() else face for face in faces]


def _parse_answers(text: str) -> list[str]:
    answers = _parse_json("--answers", text)
    if not isinstance(answers, list) or not all(isinstance(one, str) or is_split(one) for one in answers):
        raise BadMessage({"answers": [localize("cli.bad_answers")]})
    return [answer_text(answer) for answer in answers]


def _chance_text(outcome: OutcomeChance) -> str:
    top, bottom = outcome.chance
    return f"{top / bottom:7.2%}  {top}/{bottom}  {outcome.outcome}"


def _overlay_text(result: dict[str, Any]) -> str:
    lines = [f"{line['label']}: {line['value']} {line['note']}".rstrip() for line in result["card"]]
    if result["reach"]:
        reach = result["reach"]
        lines.append(localize("cli.reach", count=len(reach["cells"]), budget=reach["budget"]))
    for area in result["areas"]:
        count = sum(last - first + 1 for _, first, last in area["runs"])
        lines.append(localize("cli.area", label=area["label"], count=count))
    lines += [_target_text(target) for target in result["targets"]]
    return "\n".join(lines)


def _target_text(target: dict[str, Any]) -> str:
    offer, facing = target["label"], target["act"]["facing"]
    if facing is not None:
        offer = localize("cli.offer_facing", label=offer, facing=facing)
    if target["target"]:
        offer = localize("cli.offer_target", label=offer, target=target["target"])
    if not target["legal"]:
        return localize("cli.offer_refused", offer=offer, why=target["why"])
    if not target["target"]:
        return localize("cli.offer_possible", offer=offer)
    top, bottom = target["chance"]
    chance = {"percent": f"{top / bottom:.1%}", "top": top, "bottom": bottom}
    if target["needed"] is None:
        return localize("cli.offer_chance", offer=offer, **chance)
    modifiers = "".join(f", {m['value']:+d} {m['reason']}" for m in target["modifiers"])
    return localize("cli.offer_odds", offer=offer, **chance, needed=target["needed"], modifiers=modifiers)


def _questions_text(found: Questions) -> str:
    lines = [
        localize(
            "cli.possible_roll",
            label=roll.label,
            most=roll.most,
            die=roll.die,
            faces=" ".join(map(str, roll.faces)),
        )
        for roll in found.rolls
    ]
    for question in found.questions:
        lines.append(localize("cli.possible_question", side=question.side_name, question=question.question))
        lines += [f"  {json.dumps(answer.key)}  {answer.label}" for answer in question.answers]
    if not lines:
        lines = [localize("cli.no_questions")]
    return "\n".join(lines if found.is_complete else [*lines, localize("cli.more_questions")])
