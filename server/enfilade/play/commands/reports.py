"""Reports: what a tabletop's own system did, as facts in the log, for each seat what it may know."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.play.view import mentioned_in, view
from enfilade.scene.entry import PublicText
from enfilade.scene.model import SPECTATOR, Scene, Token

_EDGES = {1: "play.reported_advantage", -1: "play.reported_disadvantage"}


class Part(NamedTuple):
    """A part of a roll of damage or healing."""

    amount: int
    type: str


class ReportedTarget(NamedTuple):
    """One target of a reported act: its defense, the result, and what it lost or got."""

    token: str
    name: str
    defense: int | None
    result: str
    amount: int | None


class Report(NamedTuple):
    """An act of the tabletop's system, as far as a seat may know it."""

    source: str
    kind: str
    is_correction: bool
    token: str
    name: str
    item: str
    total: int | None
    edge: int
    parts: Sequence[Part]
    targets: Sequence[ReportedTarget]


def report(context: CommandContext, command: Command) -> Decision:
    """Write what the tabletop's system did into the log. Changes nothing else.

    A later report with the same `source` counts instead. What `hides` names only the GM reads; a hidden
    token's act stays the GM's, and a hidden target is left out for all others.
    """
    body, scene, seat = command.body, context.scene, context.seat
    # A player corrects what they reported themselves, nothing else.
    source = body["source"] if seat.role == "gm" else f"{seat.id}.{body['source']}"
    whole = Report(
        source=source,
        kind=body["kind"],
        is_correction=body["is_correction"],
        token=body["token"],
        name=_name(scene, body["token"], body["name"]),
        item=body["item"],
        total=body["total"],
        edge=body["edge"],
        parts=tuple(Part(**one) for one in body["parts"]),
        targets=tuple(
            ReportedTarget(**{**one, "name": _name(scene, one["token"], one["name"])})
            for one in body["targets"]
        ),
    )
    own = _told(whole)
    if "all" in body["hides"]:
        return Decision(text=own.text, facts=own.facts, secret=True)
    seen = {token.id for token in view(scene, SPECTATOR).tokens}
    hidden = [token for token in scene.tokens if token.id not in seen]
    public = _told(_public(whole, body["hides"], hidden))
    if whole.token in {token.id for token in hidden} or mentioned_in(hidden, [public.text, public.facts]):
        return Decision(text=own.text, facts=own.facts, is_unseen=True)
    return Decision(text=own.text, facts=own.facts, plain=public, readers=())


def _name(scene: Scene, token: str, name: str) -> str:
    """Return the table's name of a token, or the tabletop's of one that is not at the table."""
    return next((one.name for one in scene.tokens if one.id == token), name)


def _public(whole: Report, hides: Collection[str], hidden: Sequence[Token]) -> Report:
    """Return a report without hidden targets, and without what the tabletop's system hides from players."""
    away = {token.id for token in hidden}
    targets = [
        one._replace(
            name="" if "names" in hides else one.name,
            defense=None if "defense" in hides else one.defense,
            result="" if "result" in hides else one.result,
            amount=None if "amount" in hides else one.amount,
        )
        for one in whole.targets
        if one.token not in away
    ]
    return whole._replace(
        name="" if "actor" in hides else whole.name,
        total=None if "total" in hides else whole.total,
        parts=() if "amount" in hides else whole.parts,
        targets=targets,
    )


def _told(one: Report) -> PublicText:
    """Return a report in sentences, each target by itself, and as facts."""
    facts: dict[str, Any] = {
        "source": one.source,
        "reported": one.kind,
        "token": one.token,
        "weapon": one.item,
        "parts": [part._asdict() for part in one.parts],
        "outcomes": [target._asdict() for target in one.targets],
    }
    if one.total is not None:
        facts["total"] = one.total
    if len(one.targets) == 1:
        facts["target"] = one.targets[0].token
    text = " ".join([_first(one), *_of_targets(one)])
    if one.is_correction and one.kind != "withdrawn":
        text = localize("play.reported_corrected", text=text)
    return PublicText(text=text, facts=msgspec.to_builtins(facts))


def _first(one: Report) -> str:
    """Return the sentence of who did what, with what was rolled."""
    rolled = ", ".join(f"{part.amount} {part.type}".strip() for part in one.parts)
    if not rolled and one.total is not None:
        rolled = str(one.total)
    edge = {1: localize("play.reported_advantage"), -1: localize("play.reported_disadvantage")}.get(
        one.edge, ""
    )
    name = one.name or localize("play.reported_someone")
    key = f"play.reported_{one.kind}" if one.item else f"play.reported_{one.kind}_plain"
    text = localize(key, name=name, item=one.item)
    return localize("play.reported_rolled", text=text, rolled=f"{rolled}{edge}") if rolled else f"{text}."


def _of_targets(one: Report) -> Iterator[str]:
    """Yield what came of it for each target."""
    for target in one.targets:
        name = target.name or localize("play.reported_someone")
        if target.defense is not None:
            name = localize("play.reported_defense", name=name, defense=target.defense)
        if target.result:
            yield localize("play.reported_result", name=name, result=localize(f"play.result_{target.result}"))
        if target.amount is not None:
            key = "play.reported_loses" if target.amount >= 0 else "play.reported_regains"
            yield localize(key, name=name, amount=abs(target.amount))
        if not target.result and target.amount is None:
            yield localize("play.reported_against", name=name)
