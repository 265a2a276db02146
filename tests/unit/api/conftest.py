from pathlib import Path

import pytest

from tests.unit.handoff.kept import Kept


@pytest.fixture
def kept(project: Path) -> Kept:
    """Return a session of the project that can be gone on with."""
    return Kept(project)
