from __future__ import annotations

import pytest

from enfilade.store.memory import MemoryStore
from enfilade.store.sql import SqlStore


@pytest.fixture(params=["sqlite", "memory"])
def store(request, tmp_path):
    """Every store in turn: what is tested of one holds of all."""
    return SqlStore(f"sqlite:///{tmp_path / 'tables.sqlite'}") if request.param == "sqlite" else MemoryStore()
