import inspect
import subprocess
import sys

import pytest

import amplihack_compaction
from amplihack_compaction.base import errors


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); before = set(sys.modules);"
        "import amplihack_compaction; print(sorted(set(sys.modules) - before))"
    )
    out = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "['amplihack_compaction']"


def test_every_public_name_can_be_had() -> None:
    for name in amplihack_compaction.__all__:
        assert getattr(amplihack_compaction, name)
        assert name in dir(amplihack_compaction)


def test_every_error_is_a_public_name() -> None:
    names = [name for name, _ in inspect.getmembers(errors, inspect.isclass)]
    assert set(names) <= set(amplihack_compaction.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Nonsense"):
        _ = amplihack_compaction.Nonsense  # type: ignore[attr-defined]
