"""Read Foundry scenes as the server does: JSON lines in, the board and the cells of tokens out."""

import json
import sys

from enfilade.importers import read_live_scene


def main() -> None:
    for line in sys.stdin:
        scene = read_live_scene(json.loads(line), ruleset="miniatures_combat").scene
        grid = {"kind": scene.grid.kind, "columns": scene.grid.columns, "rows": scene.grid.rows}
        print(json.dumps({"grid": grid, "cells": {token.id: token.at for token in scene.tokens}}))


if __name__ == "__main__":
    main()
