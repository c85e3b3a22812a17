"""Deltas: what a part of an act made of a token, to be put on another state of it."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.rules.exact.states import States
from enfilade.rules.exact.watch import RAW, WatchedToken
from enfilade.runtime.lazy import lazy


class Delta:
    """A changed token, and the fields that were written, also where the value stayed."""

    def __init__(self, state: WatchedToken, written: frozenset[str]) -> None:
        self.token, self.state, self.written = state.id, state, written
        self._applied: dict[int, int] = {}

    @lazy
    def _fields(self) -> dict[str, object]:
        return {name: RAW[name](self.state) for name in self.written}

    def apply(self, states: States, token: WatchedToken) -> int:
        """Return the number of the state of a token with the new values."""
        state = states.number(token)
        found = self._applied.get(state)
        if found is None:
            found = self._applied[state] = states.number(replace(token, **self._fields))
        return found


Changed = dict[str, Delta]
"""The tokens that a part changed, by ID."""


def joined(first: Changed | None, then: Changed | None) -> Changed | None:
    """Return the changes of a part and of the rest of it; None if either cannot be told."""
    if first is None or then is None:
        return None
    found = dict(first)
    for one, delta in then.items():
        found[one] = Delta(delta.state, delta.written | first[one].written) if one in first else delta
    return found
