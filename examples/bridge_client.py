"""A bridge in one file.

    python examples/bridge_client.py http://127.0.0.1:8090 [the faces of real dice]

creates a table, places tokens, prints where one may go and what it may attack, attacks, answers its
questions, and prints the log. docs/bridges.md explains each step.
"""

import sys
import uuid

import requests

SCENE = {  # cells are [column, row]; lengths are 64ths of a cell; facing 90 is to the right
    "version": 1,
    "name": "The yard",
    "ruleset": "coup_de_grace",
    "grid": {"kind": "square", "columns": 12, "rows": 8, "distance": 5, "units": "ft"},
    "sides": [{"id": "blue", "name": "Blue"}, {"id": "red", "name": "Red"}],
    "walls": [{"id": "wall", "line": [384, 0, 384, 192]}],
    "tokens": [
        {"id": "bran", "name": "Bran", "side": "blue", "at": [3, 3], "facing": 90,
         "profile": {"race": "dwarf", "armor": "heavy", "hands": ["hammer", "shield"]}},
        {"id": "orc", "name": "Orc", "side": "red", "at": [4, 3], "facing": 270,
         "profile": {"race": "orc", "armor": "light", "hands": ["axe", "shield"]}},
    ],
}  # fmt: skip


class Bridge:
    """A table over HTTP. A refusal raises RuntimeError with the server's sentence."""

    def __init__(self, server: str, ruleset: str) -> None:
        self.http = requests.Session()
        made = self._read(self.http.post(f"{server}/api/tables", json={"ruleset": ruleset}))
        self.url = f"{server}/api/tables/{made['table']}"
        self.http.headers["Authorization"] = f"Bearer {made['gm_key']}"

    def send(self, kind: str, body: dict) -> dict:
        """Send a command under a new ID, which makes it safe to send again, with our part of its dice."""
        command = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "body": body, "random": uuid.uuid4().hex}
        return self._read(self.http.post(f"{self.url}/commands", json=command))["result"]

    def get(self, path: str, **query: object) -> dict:
        """Read what the key's seat may know."""
        return self._read(self.http.get(f"{self.url}/{path}", params=query))

    def _read(self, response: requests.Response) -> dict:
        if response.ok:
            return response.json()
        raise RuntimeError(response.json()["error"]["sentence"])


def play(server: str, faces: list[int]) -> None:
    """Play one attack with the faces of real dice; without any, the server rolls."""
    bridge = Bridge(server, SCENE["ruleset"])
    bridge.send("scene.sync", {"scene": SCENE})
    overlay = bridge.get("overlay", token="bran", layers="reach,targets")
    print("Bran reaches", {(column, row): cost for column, row, cost in overlay["reach"]["cells"]})
    attack = next(target for target in overlay["targets"] if target["legal"] and target["target"] == "orc")
    print(f"{attack['label']}: {attack['chance'][0]} in {attack['chance'][1]}")
    result = bridge.send("act", {"act": attack["act"], "faces": faces or None})
    while question := result.get("waiting"):
        print("?", question["question"], [option["label"] for option in question["options"]])
        result = bridge.send("choice.answer", {"choice": question["id"], "answer": question["default"]})
    for entry in bridge.get("facts", log=20)["log"]:
        print(entry["seq"], entry["text"])


if __name__ == "__main__":
    play(sys.argv[1], [int(face) for face in sys.argv[2:]])
