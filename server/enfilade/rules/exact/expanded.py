"""The definition of `Each` and `Rest`: the loop and the continuation that they stand for."""

from __future__ import annotations

from typing import Any

from enfilade.rules.procedures import Call, Change, Each, Procedure, Rest, Step, Steps, TailCall
from enfilade.scene.model import Scene


class ExpandError(Exception):
    """A procedure did what the watch cannot follow: its odds are those of the expanded loop."""


def expanded_act(procedure: Procedure) -> Procedure:
    """Return the procedure of an act without `Each` and `Rest`; its odds are the same, worked out slowly."""

    def act(scene: Scene, *arguments: Any) -> Steps:
        return (yield from _expanded(procedure(scene, *arguments), scene))[0]

    return act


def _expanded(steps: Steps, scene: Scene) -> Steps:
    """Yield the other requests of a procedure; return its result and the scene after it."""
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration as end:
            return end.value, scene
        if isinstance(request, Each):
            combined = request.start
            for item in request.items:
                part = request.procedure(scene, item, *request.arguments)
                result, scene = yield from _expanded(part, scene)
                combined = combined if request.add is None else request.add(combined, result)
            answer = scene, combined
        elif isinstance(request, Rest):
            steps.close()
            return (yield from _expanded(request.procedure(scene, *request.arguments), scene))
        elif isinstance(request, TailCall):
            steps.close()
            return (yield Call(request.procedure, request.arguments)), scene
        else:
            answer = yield request
            scene = answer if isinstance(request, Change | Step) else scene
