"""Addresses of this machine from which attackers ask, so that each has limits of its own."""

from __future__ import annotations

from typing import Any

from requests.adapters import HTTPAdapter


class FromAddress(HTTPAdapter):
    """Sends requests from one address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        """Open connections from the address."""
        super().init_poolmanager(*arguments, **options, source_address=(self._address, 0))
