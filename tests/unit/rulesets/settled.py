"""Changes by hand and what a game makes of them: for the settling tests of each game."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.rules.resolve import Answers, resolve


def settled(ruleset, before, *edited, **changes):
    """Return what follows when a GM has given the tokens in `edited` other fields, by ID.

    A token edited to None is removed; `tracks` and `conditions` are added to its own.
    """
    given = dict(edited)
    tokens = [_edited(token, given.get(token.id, {})) for token in before.tokens]
    scene = replace(before, tokens=tuple(one for one in tokens if one is not None), **changes)
    return resolve(scene, lambda after: ruleset.settle(after, before), (), Answers())


def _edited(token, fields):
    if fields is None:
        return None
    added = {
        name: {**getattr(token, name), **fields[name]} for name in ("tracks", "conditions") if name in fields
    }
    return replace(token, **{**fields, **added})
