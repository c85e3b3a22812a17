"""Find the folders beside the code: the page with the Foundry module, the published contract, and deployment.

A wheel has them in the package, in `product/`. A checkout has them beside `server/`.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Literal

FolderName = Literal["deploy", "plugin_manifest", "schemas"]

LINKED = {"foundry-readme.md": "docs/foundry.md", "CHANGELOG.md": "CHANGELOG.md"}
"""The texts about the Foundry module, by their names in a wheel, with their places in a checkout."""


def product_folder(name: FolderName) -> Path:
    """Return the path of a folder of the product. In a broken installation it does not exist."""
    package = Path(str(resources.files("enfilade")))
    packaged = package / "product" / name
    return packaged if packaged.is_dir() else package.parents[1] / name


def linked_file(name: str) -> Path:
    """Return the path of a text about the Foundry module, by its name in `LINKED`."""
    package = Path(str(resources.files("enfilade")))
    packaged = package / "product" / "linked" / name
    return packaged if packaged.is_file() else package.parents[1] / LINKED[name]
