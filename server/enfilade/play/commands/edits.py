"""Edits by the GM without the rules: map, scene, sides, house rules, tokens, doors, webhook.

They leave a whole state: what follows from them by the rules is a part of the same entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, Forbidden, IllegalAct, NotFound
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.play.hidden_map import is_in_fog, shade
from enfilade.play.setup import contradictions, prepare_scene, prepare_token
from enfilade.play.view import is_visible, view
from enfilade.rules.house_rules import check_settings
from enfilade.rules.registry import ruleset_for
from enfilade.rules.resolve import Answers, resolve
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import events as ev
from enfilade.scene import scene_json
from enfilade.scene.apply import fold, fold_all
from enfilade.scene.entry import PublicText
from enfilade.scene.model import SPECTATOR, OwnUnit, Scene, Side, Terrain, Token, Wall, walls_in_order
from enfilade.store.protocol import Webhook

MAX_OWNERS = 16
"""The number of players that one token may have, as in the wire contract."""

_NUMBER = re.compile(r"[- ]*\d+$")
_MOST_OF_ID, _MOST_OF_NAME = 50, 190
"""The characters that stay before a new number, so that both are as short as the wire contract wants."""


def set_scene(context: CommandContext, command: Command) -> Decision:
    """Put another scene on the table."""
    given = scene_json.convert(command.body["scene"], Scene)
    checkpoint()
    scene = prepare_scene(ruleset_for(context.rulesets, given), given)
    event = ev.SceneSet(scene=scene, was=context.scene)
    name = scene.name or localize("play.unnamed_map")
    units = [{token.id for token in one.tokens} for one in (context.scene, scene)]
    is_map = scene.name == context.scene.name and units[0] == units[1]
    text = localize("play.map_set") if is_map else localize("play.scene_set", name=name)
    return _public_decision(event, text)


def _public_decision(event: ev.AnyEvent, text: str) -> Decision:
    """Return a decision whose text names nothing hidden."""
    return Decision(events=(event,), text=text, plain=PublicText(text=text))


def set_sides(context: CommandContext, command: Command) -> Decision:
    """Name the sides. Raises BadMessage if a side with tokens would go, or a side appears twice."""
    sides = msgspec.convert(command.body["sides"], tuple[Side, ...])
    ids = [side.id for side in sides]
    missing = sorted({token.side for token in context.scene.tokens} - set(ids))
    if missing:
        raise BadMessage({"body.sides": [localize("play.side_has_tokens", sides=", ".join(missing))]})
    if len(set(ids)) < len(ids):
        raise BadMessage({"body.sides": [localize("play.side_twice")]})
    text = localize("play.sides_set", names=", ".join(side.name for side in sides))
    return _public_decision(ev.SidesSet(sides=sides, was=context.scene.sides), text)


def set_units(context: CommandContext, command: Command) -> Decision:
    """Set the table's own catalog of units. Raises BadMessage for a profile that the ruleset refuses.

    Only the GM is told: a unit in store would tell the players what is to come.
    """
    units = msgspec.convert(command.body["units"], tuple[OwnUnit, ...])
    if len({unit.key for unit in units}) < len(units):
        raise BadMessage({"body.units": [localize("play.unit_twice")]})
    wrong: dict[str, list[str]] = {}
    for i, unit in enumerate(units):
        try:
            token = Token(id=unit.key, name=unit.name, side="", profile=unit.profile)
            context.ruleset.prepare_token(token)
        except BadMessage as problem:
            wrong |= {f"body.units[{i}].{path}": why for path, why in problem.fields.items()}
    if wrong:
        raise BadMessage(wrong)
    event = ev.UnitsSet(units=units, was=context.scene.units)
    return Decision(events=(event,), text=localize("play.units_set", count=len(units)), secret=True)


def set_rules(context: CommandContext, command: Command) -> Decision:
    """Choose house rules, and how strictly the table enforces the rules."""
    chosen, enforcement = command.body["house_rules"], command.body["enforcement"]
    check_settings(chosen, context.ruleset.house_rules)
    event = ev.RulesSet(
        house_rules=chosen,
        enforcement=enforcement,
        was_house_rules=context.scene.house_rules,
        was_enforcement=context.scene.enforcement,
    )
    decision = _public_decision(event, localize(f"play.rules_set_{enforcement}"))
    require_room(context, decision)
    return settled(context, decision)


def place_token(context: CommandContext, command: Command) -> Decision:
    """Put a token into the scene, or edit the token with its ID. One that `is_new` never replaces another.

    An edit that changes nothing makes no entry, which an undo would have to take back.
    """
    given = command.body["token"]
    if command.body.get("is_new"):
        given = _with_free_number(context.scene, given)
    was = next((token for token in context.scene.tokens if token.id == given["id"]), None)
    if was is not None:
        given = {"owners": was.owners, **given}
    token = prepare_token(context.ruleset, context.scene, msgspec.convert(given, Token))
    if token == was:
        return Decision()
    text = localize("play.token_edited" if was else "play.token_placed", name=token.name)
    event = ev.TokenPlaced(token=token, was=was)
    decision = Decision(events=(event,), **_token_texts(context.scene, text, was, token))
    if was is not None and was.at == token.at and (was.size, was.profile) != (token.size, token.profile):
        require_room(context, decision)
    return settled(context, decision)


def _with_free_number(scene: Scene, given: dict[str, Any]) -> dict[str, Any]:
    """Return a token whose ID no other has: if it is taken, its ID and its name get the next free number."""
    ids, names = {token.id for token in scene.tokens}, {token.name for token in scene.tokens}
    if given["id"] not in ids:
        return given
    stem = _NUMBER.sub("", given["id"])[:_MOST_OF_ID]
    name = _NUMBER.sub("", given["name"])[:_MOST_OF_NAME]
    number = 2
    while f"{stem}-{number}" in ids or f"{name} {number}" in names:
        number += 1
    return {**given, "id": f"{stem}-{number}", "name": f"{name} {number}"}


def _token_texts(scene: Scene, text: str, *tokens: Token | None) -> dict[str, Any]:
    """Return the text about a token before and after; public if it was neither hidden nor in the fog."""
    is_public = all(is_visible(token) and not is_in_fog(scene, token) for token in tokens if token)
    return {"text": text, "plain": PublicText(text=text) if is_public else None}


def remove_token(context: CommandContext, command: Command) -> Decision:
    """Remove a token from the scene, and with it the notes that name it.

    Notes that stay would reveal a hidden token: without the token nothing says that it was hidden.
    """
    token = context.scene.token(command.body["token"])
    events: tuple[ev.AnyEvent, ...] = (*_clear_notes_on(context.scene, token), ev.TokenRemoved(was=token))
    text = localize("play.token_removed", name=token.name)
    texts = _token_texts(context.scene, text, token)
    return settled(context, Decision(events=events, **texts))


def _clear_notes_on(scene: Scene, token: Token) -> Iterator[ev.ConditionSet]:
    others = [(other.id, other) for other in scene.tokens if other.id != token.id]
    holders = [(ev.TABLE, scene), *((f"side:{side.id}", side) for side in scene.sides), *others]
    for name, holder in holders:
        for condition, note in holder.conditions.items():
            if note == token.id:
                yield ev.ConditionSet(holder=name, condition=condition, note=None, was=note)


def assign_tokens(context: CommandContext, command: Command) -> Decision:
    """Give a player these tokens and no others. Raises NotFound, BadMessage.

    A player who has left can only lose tokens.
    """
    player, wanted = command.body["player"], {context.scene.token(id).id for id in command.body["tokens"]}
    member = context.table.store.members.member(context.table.state.id, player)
    if member is None and wanted:
        raise NotFound(localize("play.no_such_player"))
    name = member.name if member else localize("play.player_who_left")
    changed = [
        (token, token.id in wanted)
        for token in context.scene.tokens
        if (token.id in wanted) != (player in token.owners)
    ]
    if any(gains and len(token.owners) >= MAX_OWNERS for token, gains in changed):
        raise BadMessage({"body.tokens": [localize("play.too_many_owners", limit=MAX_OWNERS)]})
    known = [one for one in changed if is_visible(one[0]) and not is_in_fog(context.scene, one[0])]
    public = _assignment_text(name, known)
    return Decision(
        events=tuple(_with_owner(token, player, gains) for token, gains in changed),
        text=_assignment_text(name, changed),
        plain=PublicText(text=public) if public else None,
        pending=context.table.state.pending,
    )


def _assignment_text(name: str, changed: Sequence[tuple[Token, bool]]) -> str:
    texts = []
    for key, is_gained in (("play.tokens_assigned", True), ("play.tokens_unassigned", False)):
        tokens = ", ".join(token.name for token, gains in changed if gains is is_gained)
        if tokens:
            texts.append(localize(key, name=name, tokens=tokens))
    return " ".join(texts)


def _with_owner(token: Token, player: str, gains: bool) -> ev.TokenPlaced:
    rest = tuple(owner for owner in token.owners if owner != player)
    return ev.TokenPlaced(token=replace(token, owners=(*rest, player) if gains else rest), was=token)


def set_door(context: CommandContext, command: Command) -> Decision:
    """Open, close or lock a door. Only the GM reads of a secret door that stays shut."""
    door, state = context.scene.wall(command.body["wall"]), command.body["state"]
    if door.door == "none":
        raise IllegalAct(localize("play.not_a_door"))
    event = ev.DoorSet(wall=door.id, state=state, was=door.state)
    seen = view(context.scene, SPECTATOR), view(fold(context.scene, event), SPECTATOR)
    is_secret = (door.door == "secret" and "open" not in (door.state, state)) or (
        bool(context.scene.fog.cells) and seen[0] == seen[1]
    )
    return replace(_public_decision(event, localize(f"play.door_{state}")), secret=is_secret)


def add_note(context: CommandContext, command: Command) -> Decision:
    """Write a note of the GM into the log: for all seats, or secret."""
    del context
    text = localize("play.note", text=command.body["text"])
    if command.body["secret"]:
        return Decision(text=text, secret=True)
    return Decision(text=text, plain=PublicText(text=text))


def set_webhook(context: CommandContext, command: Command) -> Decision:
    """Post the log after the current entry to a URL; an empty URL stops. Raises Forbidden."""
    hosts = context.table.hosts
    webhook = Webhook(url=command.body["url"], posted=context.table.state.seq)
    if not webhook.url:
        return Decision(text=localize("play.webhook_off"), webhook=webhook)
    if webhook.host not in hosts:
        allowed = localize("play.webhook_hosts", hosts=", ".join(hosts))
        raise Forbidden(allowed if hosts else localize("play.webhook_no_hosts"))
    return Decision(text=localize("play.webhook_on", host=webhook.host), webhook=webhook)


def test_webhook(context: CommandContext, command: Command) -> Decision:
    """Post a test line, and retry a webhook that was stopped. Raises IllegalAct."""
    del command
    webhook = context.table.state.webhook
    if not webhook.url:
        raise IllegalAct(localize("play.webhook_missing"))
    retry = replace(webhook, due_ms=0, tries=0, is_stopped=False)
    return Decision(text=localize("play.webhook_test", host=webhook.host), webhook=retry)


def settled(context: CommandContext, decision: Decision) -> Decision:
    """Return a decision with what follows from it by the rules; its text names nothing hidden to players."""
    if not decision.events:
        return decision
    scene = fold_all(context.scene, decision.events)
    done = resolve(scene, context.ruleset.settle, (context.scene,), Answers())
    if not done.events:
        return decision
    told = context.ruleset.narrate(scene, done.events)
    text, plain = f"{decision.text} {told}".strip(), decision.plain
    if plain is not None and all(map(is_visible, (*shade(scene).tokens, *shade(context.scene).tokens))):
        plain = PublicText(text=text)
    return replace(decision, events=(*decision.events, *done.events), text=text, plain=plain)


def require_room(context: CommandContext, decision: Decision) -> None:
    """Check that bodies which change where they stand meet no others. Raises IllegalAct with the list.

    The rules of a table or the size of a unit may change what a body fills.
    """
    after = fold_all(context.scene, decision.events)
    known = contradictions(context.ruleset, context.scene)
    new = {path: why for path, why in contradictions(context.ruleset, after).items() if path not in known}
    crowded = [
        f"{after.tokens[int(path.removeprefix('tokens[').removesuffix('].at'))].name}: {' '.join(why)}"
        for path, why in new.items()
        if path.startswith("tokens[") and path.endswith("].at")
    ]
    if crowded:
        raise IllegalAct(localize("play.no_room", list=" ".join(crowded)))


MAX_WALLS, MAX_TERRAINS = 10_000, 1_000
"""The walls and terrains of a scene, as in the wire contract."""

T = TypeVar("T", Wall, Terrain)


def edit_map(context: CommandContext, command: Command) -> Decision:
    """Put walls, doors and terrain on the map, each new or instead of the one with its ID, or remove them.

    Raises NotFound for the ID of nothing, BadMessage if the map gets too large. The players read of it if
    they see a difference.
    """
    scene, body = context.scene, command.body
    gone = set(body["remove"])
    unknown = gone - {wall.id for wall in scene.walls} - {patch.id for patch in scene.terrain}
    if unknown:
        raise NotFound(localize("play.map_no_such", id=min(unknown)))
    walls = walls_in_order(_put(scene.walls, msgspec.convert(body["walls"], tuple[Wall, ...]), gone))
    terrain = _put(scene.terrain, msgspec.convert(body["terrain"], tuple[Terrain, ...]), gone)
    if len(walls) > MAX_WALLS or len(terrain) > MAX_TERRAINS:
        raise BadMessage({"body": [localize("import.too_many_walls", limit=MAX_WALLS)]})
    after = replace(scene, walls=walls, terrain=terrain)
    prepare_scene(context.ruleset, after)
    if after == scene:
        return Decision()
    event = ev.MapSet(walls=walls, terrain=terrain, was_walls=scene.walls, was_terrain=scene.terrain)
    text = localize("play.map_edited")
    if view(scene, SPECTATOR) == view(after, SPECTATOR):
        return Decision(events=(event,), text=text, secret=True)
    return Decision(events=(event,), text=text, plain=PublicText(text=text))


def _put(now: Sequence[T], given: Iterable[T], gone: set[str]) -> tuple[T, ...]:
    """Return things with the given ones, which replace those with their IDs, and without the gone ones."""
    new = {thing.id: thing for thing in given}
    kept = [new.pop(thing.id, thing) for thing in now if thing.id not in gone]
    return tuple(kept + list(new.values()))
