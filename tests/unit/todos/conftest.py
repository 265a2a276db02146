"""The windows that extractors of todos get, read as those of the work are."""

from tests.unit.work.conftest import read

__all__ = ["read"]
