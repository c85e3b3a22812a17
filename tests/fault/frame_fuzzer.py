"""Generate malformed frames from the contract's examples; a few stay valid."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import orjson

from enfilade.importers import Imported
from enfilade.messages import dump
from enfilade.messages.acts import LAYERS
from enfilade.messages.commands import BODIES
from enfilade.messages.examples import EXAMPLES
from enfilade.rules.registry import load_rulesets, ruleset_for
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Scene

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 5, 63, 64, 65, 499, 500, 2**31, -(2**31), 2**53, 2**63 - 1, 2**64 - 1),
    *(0.5, -0.0, 1e308, 5e-324, "", " ", "a", "gm", "blue", "..", "\x00", "\u202e", "\U0001f600", "é" * 40),
    *("x" * 65, "x" * 201, "x" * 5_000, "constructor", "__proto__", "0", "1e5", "NaN", [], [[]], [0], [0, 0]),
    *([1] * 300, {}, {"": None}, {"a": {}}, {"token": {}}, [None, None], [[0, 0], [1, 1]]),
)
EMPTY: tuple[Any, ...] = (None, 0, -1, "", [], {}, True)
DEEP = "[" * 70 + "]" * 70
TEXTS = ("NaN", "-Infinity", '"\\ud800"', DEEP, "1e999", "01", "{,}", '{"a":1,"a":2}', "9" * 400)
HEADS = ("42", "421", "42/t,", "42/t,7", "42" + "9" * 17, "43", "431", "40", "41", "44", "451-", "46", "4")
OTHERS = ("1", "2", "3", "5", "6", "0{}", "", "4", "b4AA", "40", "41", "\x00", "42", "42[]", '42["command"]')
PLAYED = ("overlay.show", "act", "act.preview", "choice.answer", "token.move", "verdict.ask")
"""The commands that games consist of, sent more often than the rest."""

WORDS = (*BODIES, *LAYERS, "melee", "walk", "open", "closed", "enforce", "advise")


class Fuzzer:
    """Frames out of a seed, about the tokens of a battle and the acts that are offered there."""

    def __init__(self, seed: int, battle: Imported, auth: dict[str, Any]) -> None:
        self._dice = random.Random(seed)
        self._tokens = [token.id for token in battle.scene.tokens]
        self._acts = _offered(battle.scene)
        self._strings = (*self._tokens, *WORDS)
        self._examples = [value for name, value in EXAMPLES.items() if name.startswith("commands/")]
        self._played = [EXAMPLES[f"commands/{kind}"] for kind in PLAYED]
        self._auth = auth
        self._count = 0
        self.n = 1
        """The number of the next command on the connection; the sender of the frames updates it."""
        self.choice: Mapping[str, Any] | None = None
        """The choice that the table waits for, kept likewise."""

    def frame(self) -> str | bytes:
        """The next frame."""
        luck = self._dice.random()
        if luck < 0.01:
            return self._dice.choice(OTHERS)
        if luck < 0.015:
            return self._dice.randbytes(self._dice.randrange(60))
        if luck < 0.03:
            return f"40{self._written(self._changed(self._auth))}"
        head = self._dice.choice(HEADS) if luck < 0.05 else f"42{self._count % 1_000}"
        frame = head + self._written(["command", self._command()])
        return self._torn(frame) if luck < 0.3 else frame

    def _command(self) -> Any:
        self._count += 1
        example = self._dice.choice(self._played if self._dice.random() < 0.15 else self._examples)
        command = orjson.loads(orjson.dumps(example))
        command["id"] = f"f{self._count}" if self._dice.random() < 0.9 else "again"
        command.pop("base", None)
        command["n"] = self.n
        self._name_what_is_there(command["body"])
        for _ in range(self._dice.choice((0, 1, 1, 1, 2, 2, 3))):
            if (
                isinstance(command, dict)
                and isinstance(command.get("body"), dict)
                and self._dice.random() < 0.8
            ):
                command = {**command, "body": self._changed(command["body"])}
            else:
                command = self._changed(command)
        return command

    def _name_what_is_there(self, body: dict[str, Any]) -> None:
        for key, inner in body.items():
            if key in ("token", "target") and isinstance(inner, str):
                body[key] = self._dice.choice(self._tokens)
            elif key == "act":
                body[key] = self._dice.choice(self._acts)
        if self.choice and "choice" in body:
            body["choice"] = self.choice["id"]
            body["answer"] = self._dice.choice(self.choice["options"])["key"]

    def _changed(self, value: Any) -> Any:
        """The value with one thing in it another, gone, or added."""
        if not isinstance(value, dict | list) or not value or self._dice.random() < 0.2:
            return self._other(value)
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        place = self._dice.choice(list(copy)) if isinstance(copy, dict) else self._dice.randrange(len(copy))
        luck = self._dice.random()
        if luck < 0.08:
            del copy[place]
        elif luck < 0.16 and isinstance(copy, dict):
            copy[self._dice.choice(self._strings)] = self._dice.choice(ODD)
        else:
            copy[place] = self._changed(copy[place])
        return copy

    def _other(self, value: Any) -> Any:
        luck = self._dice.random()
        if isinstance(value, int) and abs(value) < 2**60 and luck < 0.5:
            return value + self._dice.choice((-64, -1, 1, 2, 64))
        return self._dice.choice(self._strings if luck < 0.2 else EMPTY if luck < 0.6 else ODD)

    def _written(self, value: Any) -> str:
        text = orjson.dumps(value).decode()
        if self._dice.random() < 0.03 and ":" in text:
            at = text.index(":", self._dice.randrange(text.rindex(":") + 1))
            return f"{text[: at + 1]}{self._dice.choice(TEXTS)}{text[at + 2 :]}"
        return text

    def _torn(self, frame: str) -> str:
        """The frame with some of its characters cut, doubled or changed."""
        start = self._dice.randrange(len(frame))
        end = min(len(frame), start + self._dice.choice((1, 1, 2, 5, 40)))
        strange = chr(self._dice.randrange(1, 0x3000))
        middle = self._dice.choice(("", frame[start:end] * 2, strange, '"', "}", "]"))
        return frame[:start] + middle + frame[end:]


def _offered(scene: Scene) -> list[dict[str, Any]]:
    """Every act that any miniature is offered."""
    ruleset = ruleset_for(load_rulesets(BUILT_IN), scene)
    offers = [offer for token in scene.tokens for offer in ruleset.offers(scene, token)]
    return [dump.plain(offer.act) for offer in offers]
