"""The run of an act up to its `Rest`, on the plain scene: most acts of a map differ in nothing else.

An act that checks, explains and pays, and then continues as a `Rest`, has the odds of that rest. If an
earlier walk has kept them, no watched scene is needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from enfilade.rules.exact.callees import DECISIONS, default_answer
from enfilade.rules.procedures import Change, Require, Rest, Step, Steps, step_change
from enfilade.rules.resolve import BegunRun
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene


class Reached(NamedTuple):
    """The `Rest` of an act, with the scene before it, the events until then, and the requests made."""

    rest: Rest
    scene: Scene
    events: list[AnyEvent]
    asked: int


def run_to_rest(scene: Scene, steps: Steps, begun: BegunRun | None = None) -> Reached | None:
    """Return where a run comes to its `Rest`; None if it asks for dice, for `Each` or for anything else.

    `begun` is the run itself, after its checks. Raises what the procedure raises.
    """
    checkpoint()
    events: list[AnyEvent] = []
    answer: Any = None
    request: Any = next(steps) if begun is None else begun.request
    asked = 1 if begun is None else begun.checks + 1
    while True:
        kind = type(request)
        if kind is Rest:
            steps.close()
            return Reached(request, scene, events, asked)
        if kind is Step:
            request = step_change(scene, request)
            kind = Change
        if kind is Change:
            events.append(request.event)
            answer = scene = fold(scene, request.event)
        elif kind is Require:
            request.check(*request.arguments)
            answer = None
        elif kind in DECISIONS:
            answer = default_answer(request)
        else:
            steps.close()
            return None
        request = steps.send(answer)
        asked += 1
