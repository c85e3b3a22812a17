"""Checks for every ruleset: after each act of a game, and for any question at any moment.

Each check raises an AssertionError that describes the failure.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from enfilade.errors import EnfiladeError
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Run
from enfilade.rules.allocations import encode_split, legal_splits
from enfilade.rules.conformance.games import PlayedAct, active_tokens
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act, Allocate, Choose, Outcome
from enfilade.rules.resolve import Answers, check_default, refusal, resolve
from enfilade.rules.ruleset import Blocker, Offer, Provocation, Reach, Ruleset
from enfilade.rules.tell import split_detail
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.events import Event, Explained
from enfilade.scene.model import Holder, Scene, Terrain, Token, Wall

_COORDINATES = re.compile(r"\b\d+, ?\d+\b")

HOUSE_CONDITIONS = frozenset({"automatic"})
"""Conditions that belong to the table and to no ruleset."""
FACT_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("token", "target", "act", "result", "override"), str),
    **dict.fromkeys(("total", "needed", "damage"), int),
}
"""The types of the facts that all front ends show."""


def check_act(ruleset: Ruleset, played: PlayedAct) -> None:
    """Check the result of one act, and that its log replays, undoes and reads."""
    scene, done = played.before, played.done
    assert isinstance(done.result, Outcome), f"It came to {done.result!r}, which is no Outcome."
    assert fold_all(scene, done.events) == done.scene, "Its events do not lead to its scene."
    assert fold_all(done.scene, inverse(done.events)) == scene, "Taken back, it leaves something behind."
    assert done.events, "It leaves nothing for the log."
    text = ruleset.narrate(scene, done.events)
    assert text[-1:] in {".", "!", "?"}, f"The log says '{text}'."
    sentences = split_detail(text).text
    assert not _COORDINATES.search(sentences), f"The log names a place by its coordinates: '{sentences}'."
    assert ruleset.turn(scene).round <= ruleset.turn(done.scene).round, "The round went back."
    check_facts(done.events)
    check_declared(ruleset, done.scene)
    check_occupancy(ruleset, done.scene)


def check_facts(events: Sequence[Event]) -> None:
    """Check that the facts that all front ends show have the type that they expect."""
    explained = [event for event in events if isinstance(event, Explained)]
    for event in explained:
        for name, value in event.facts.items():
            kind = FACT_TYPES.get(name, object)
            assert value is None or isinstance(value, kind), (
                f"The fact '{name}' is {value!r}, no {kind.__name__}."
            )


def check_declared(ruleset: Ruleset, scene: Scene) -> None:
    """Check that the ruleset declares every track and condition in the scene."""
    holders: list[Holder] = [scene, *scene.sides, *scene.tokens]
    tracks = {name for holder in holders for name in holder.tracks}
    conditions = {name for holder in holders for name in holder.conditions}
    assert tracks <= ruleset.tracks.keys(), f"Tracks {tracks - ruleset.tracks.keys()} are not declared."
    unknown = conditions - ruleset.conditions.keys() - HOUSE_CONDITIONS
    assert not unknown, f"Conditions {unknown} are not declared."


def check_occupancy(ruleset: Ruleset, scene: Scene) -> None:
    """Check that on a grid every token is on the board, and none shares a cell unless the rules allow it."""
    if scene.grid.kind == "gridless":
        return
    columns, rows = scene.grid.columns, scene.grid.rows
    taken: dict[Cell, list[Token]] = {}
    for token in scene.on_board():
        runs = ruleset.body(scene, token)
        filled = [(x, row) for row, first, last in runs for x in range(first, last + 1)]
        for x, y in filled or _cells(token):
            on_board = 0 <= x < columns and 0 <= y < rows
            assert on_board, f"{token.name} stands off the board."
            others = taken.setdefault((x, y), [])
            for other in others:
                may_share = ruleset.may_share(scene, token, other)
                assert may_share, f"{token.name} and {other.name} stand in one cell."
            others.append(token)


def _cells(token: Token) -> Sequence[Cell]:
    assert token.at is not None
    (x, y), (width, height) = token.at, token.size
    if width == height == 1:
        return (token.at,)
    return [(x + dx, y + dy) for dx in range(width) for dy in range(height)]


def check_determinism(ruleset: Ruleset, played: PlayedAct) -> None:
    """Check that the same faces bring the same events, as pending procedures need."""
    procedure = ruleset.acts[played.act.kind].procedure
    again = resolve(played.before, procedure, (played.act,), Answers(faces=played.answers.used_faces))
    without_typed = [e for e in again.events if not hasattr(e, "typed")]
    assert without_typed == [e for e in played.done.events if not hasattr(e, "typed")], (
        "With the same dice something else happens."
    )


class _RandomAnswers(Answers):
    """Answers that decide each choice at random, so that not only the defaults are tried."""

    def __init__(self, seed: int) -> None:
        super().__init__(dice=SeededDice(seed))
        self._chance = random.Random(seed)  # noqa: S311 - repeatable

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool]:
        """Return a random answer, or a random split."""
        check_default(choice)
        if isinstance(choice, Allocate):
            return encode_split(self._chance.choice(legal_splits(choice))), False
        return self._chance.choice(choice.answers).key, False


def check_random_answers(ruleset: Ruleset, played: PlayedAct, seed: int) -> None:
    """Check the act again with random answers to its choices."""
    procedure, answers = ruleset.acts[played.act.kind].procedure, _RandomAnswers(seed)
    done = resolve(played.before, procedure, (played.act,), answers)
    check_act(ruleset, PlayedAct(played.before, played.act, done, answers))


def check_offers(ruleset: Ruleset, scene: Scene, seed: int) -> None:
    """Check that every legal offer resolves, and that the same rule refuses every refused one."""
    for token in scene.tokens:
        for offer in ruleset.offers(scene, token):
            _check_offer(ruleset, scene, offer, seed)


def _check_offer(ruleset: Ruleset, scene: Scene, offer: Offer, seed: int) -> None:
    assert offer.act.kind in ruleset.acts, f"'{offer.act.kind}' is offered and has no procedure."
    procedure, what = ruleset.acts[offer.act.kind].procedure, f"{offer.act.kind} of {offer.act.token}"
    refused = refusal(scene, procedure, offer.act)
    if offer.is_legal:
        assert refused is None, f"{what} is offered, and refused: {refused}"
        resolve(scene, procedure, (offer.act,), Answers(dice=SeededDice(seed)))
        return
    assert refused is not None, f"{what} is not offered ({offer.why}), and goes through."
    assert offer.rule, f"{what} is refused by no rule: {offer.why}"
    cause = offer.cause or refused.cause
    assert (offer.why, offer.rule, cause) == (refused.sentence, refused.rule, refused.cause), (
        f"{what} is refused for two reasons: {offer.why} and {refused.sentence}"
    )


def check_reach(ruleset: Ruleset, scene: Scene, chance: random.Random) -> None:
    """Check that moves within reach are allowed at their cost, and other moves are not."""
    for token in active_tokens(ruleset, scene):
        if token.at is None:
            continue
        reach = ruleset.reach(scene, token)
        costs = {(x, y): cost for x, y, cost in reach.cells} if reach else {}
        _check_may_move(ruleset, scene, token, reach)
        _check_has_near(ruleset, scene, token)
        if reach is not None:
            _check_provocations(ruleset, scene, token, reach)
        for x, y in _some_cells(scene, chance):
            ruling = ruleset.judge(scene, token, ((x, y),), token.facing)
            provoked = [one for step in ruling.steps for one in step.provokes]
            _check_provoked(ruleset, scene, token, provoked)
            if (x, y) in costs and (x, y) != token.at:
                assert ruling.allowed, f"{token.name} reaches {x, y}, and may not: {ruling.reasons}"
                assert ruling.cost == costs[x, y], f"{x, y} costs {costs[x, y]} and {ruling.cost}."
            elif scene.grid.kind == "gridless":
                # A reach lists some places; between them there are others.
                assert not ruling.allowed or (reach and (ruling.cost or 0) <= reach.budget), (
                    f"{token.name} may move to {x, y}, which costs {ruling.cost}."
                )
                assert ruling.allowed or ruling.reasons, f"{token.name} may not move, for no reason."
            elif (x, y) != token.at:
                assert not ruling.allowed, f"{token.name} may move to {x, y}, which is out of its reach."
                assert ruling.reasons, f"{token.name} may not move to {x, y}, for no reason."


def _check_may_move(ruleset: Ruleset, scene: Scene, token: Token, reach: Reach | None) -> None:
    """Check that the quick answer of the outlook, if there is one, is that of the reach."""
    may_move, has_budget = ruleset.outlook.may_move, bool(reach and reach.budget)
    if may_move is not None:
        assert may_move(scene, token) == has_budget, f"The outlook is wrong that {token.name} may move."


def _check_has_near(ruleset: Ruleset, scene: Scene, token: Token) -> None:
    """Check that the outlook, if it tells, finds an enemy near to a token that can attack where it stands."""
    outlook = ruleset.outlook
    if outlook.has_near is None or outlook.attacks is None or outlook.has_near(scene, token):
        return
    ready = outlook.ready(scene, (token.id,))
    legal = [outlook.attacks(ready, ready.token(token.id), other) for other in ready.on_board()]
    assert not any(legal), f"The outlook finds no enemy near to {token.name}, and it may attack one."


def _check_provoked(ruleset: Ruleset, scene: Scene, token: Token, provoked: Sequence[Provocation]) -> None:
    """Check that all whom a move provokes exist, and that the game says that it may provoke them."""
    for other in [scene.token(one.token) for one in provoked]:
        may_provoke = ruleset.may_provoke(scene, token, other)
        assert may_provoke, f"{token.name} provokes {other.name}, whom its moves may not provoke."


def _check_provocations(ruleset: Ruleset, scene: Scene, token: Token, reach: Reach) -> None:
    """Check that a reach provokes on its own cells, and that safe paths cost no less."""
    _check_provoked(ruleset, scene, token, reach.provocations)
    costs = {(x, y): cost for x, y, cost in reach.cells}
    provoked = {(x, y): places for x, y, places in reach.provokes}
    for cell, places in provoked.items():
        assert cell in costs, f"The path to {cell} provokes, and {cell} is out of reach."
        assert places, f"The path to {cell} provokes nothing and is listed."
        assert set(places) <= set(range(len(reach.provocations))), f"{cell} names unknown provocations."
    for x, y, cost in reach.safe:
        assert (x, y) in provoked, f"{x, y} has a safe path, and its cheapest path provokes nothing."
        assert costs[x, y] <= cost <= reach.budget, f"The safe path to {x, y} costs {cost}."


def _some_cells(scene: Scene, chance: random.Random) -> list[Cell]:
    unit = 64 if scene.grid.kind == "gridless" else 1
    columns, rows = scene.grid.columns * unit, scene.grid.rows * unit
    return [(chance.randrange(columns), chance.randrange(rows)) for _ in range(6)]


def check_drawings(ruleset: Ruleset, scene: Scene) -> None:
    """Check that every token has a card, and that areas, regions and bodies are on the board."""
    for region in ruleset.regions(scene):
        _check_runs(scene, region.runs, f"The region {region.label}")
    for token in scene.tokens:
        assert ruleset.card(scene, token), f"{token.name} has no card."
        _check_bar(ruleset, token)
        _check_runs(scene, ruleset.body(scene, token), token.name)
        for layer in ruleset.layers:
            for area in ruleset.areas(scene, token, layer):
                assert area.layer == layer, f"The layer {layer} holds {area.layer}."
                _check_runs(scene, area.runs, f"{layer} of {token.name}")


def check_sight(ruleset: Ruleset, scene: Scene, chance: random.Random) -> None:
    """Check that each line of sight has a reason, and that only enemies on the board are engaged."""
    if not scene.tokens:
        return
    viewer, target = chance.choice(scene.tokens), chance.choice(scene.tokens)
    sight = ruleset.sight(scene, viewer, target)
    who = f"{viewer.name} and {target.name}"
    assert sight.is_seen is not False or sight.why, f"{who}: not seen, for no reason."
    assert not sight.is_seen or not (sight.why or sight.blocker), f"{who}: seen, and stopped: {sight.why}"
    assert sight.line is not None or sight.at is None, f"{who}: a line is stopped that is not there."
    _check_blocker(scene, sight.blocker)
    _check_engagements(ruleset, scene)


def _check_blocker(scene: Scene, blocker: Blocker | None) -> None:
    if blocker is None or not blocker.id:
        return
    things: dict[str, Sequence[Wall | Token | Terrain]] = {"token": scene.tokens, "terrain": scene.terrain}
    ids = {thing.id for thing in things.get(blocker.kind, scene.walls)}
    assert blocker.id in ids, f"What stops a line is not there: the {blocker.kind} {blocker.id}."


def _check_engagements(ruleset: Ruleset, scene: Scene) -> None:
    pairs = [one.tokens for one in ruleset.engagements(scene)]
    assert not pairs or "engagement" in ruleset.layers, "Some are engaged, and the layer is not offered."
    assert len({frozenset(pair) for pair in pairs}) == len(pairs), f"A pair is engaged twice: {pairs}"
    for a, b in pairs:
        assert None not in (scene.token(a).at, scene.token(b).at), f"{a} and {b} are engaged off the board."
        assert not scene.are_allies(scene.token(a), scene.token(b)), f"{a} and {b} are engaged and allies."


def _check_bar(ruleset: Ruleset, token: Token) -> None:
    bar = ruleset.bar(token)
    if bar:
        assert bar.track in ruleset.tracks, f"The bar of {token.name} is no track of the game."
        assert token.track(bar.track) <= bar.most, f"{token.name} has more {bar.track} than it may."


def _check_runs(scene: Scene, runs: Sequence[Run], what: str) -> None:
    for row, first, last in runs:
        assert 0 <= row < scene.grid.rows, f"{what} leaves the board."
        assert 0 <= first <= last < scene.grid.columns, f"{what} is broken."


def check_invalid_acts(ruleset: Ruleset, scene: Scene, chance: random.Random) -> None:
    """Check that an invalid act is refused with a sentence, or does something."""
    weapons = ["", "spoon", *_weapons(scene)]
    for kind in ruleset.acts:
        act = _invalid_act(kind, scene, weapons, chance)
        for overrules in (False, True):
            answers = Answers(dice=SeededDice(1), overrides=overrules)
            refused: EnfiladeError | None = None
            try:
                resolve(scene, ruleset.acts[kind].procedure, (act,), answers)
            except EnfiladeError as problem:
                refused = problem.with_traceback(None)  # with its frames it would be in a cycle
            assert refused is None or refused.sentence, f"{act} is refused without a sentence."
            assert getattr(refused, "rule", "not asked"), f"{act} is refused by no rule: {refused}"


def _invalid_act(kind: str, scene: Scene, weapons: Sequence[str], chance: random.Random) -> Act:
    tokens = [*(token.id for token in scene.tokens), "nobody", ""]
    places = [None, (0, 0), (chance.randrange(6), chance.randrange(6)), (-1, 3), (99_999, 99_999)]
    return Act(
        kind=kind,
        token=chance.choice(tokens),
        target=chance.choice(tokens),
        weapon=chance.choice(weapons),
        at=chance.choice(places),
        facing=chance.choice([None, 0, 37, 359]),
    )


def _weapons(scene: Scene) -> list[str]:
    """Return every word of the tokens' profiles: some are weapons."""
    values = [value for token in scene.tokens for value in token.profile.values()]
    lists = [value if isinstance(value, list | tuple) else [value] for value in values]
    return sorted({word for items in lists for word in items if isinstance(word, str)})
