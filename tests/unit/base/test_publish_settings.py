from pathlib import Path

import pytest

from amplihack_compaction.cli.commands.config import SCHEMA_PATH
from tests.publish_settings import PAGE, put_table, schema_text

HOW = "run `python -m tests.publish_settings`"


def test_the_published_schema_is_that_of_the_settings() -> None:
    assert SCHEMA_PATH.read_text(encoding="utf-8") == schema_text(), HOW


def test_the_documentations_table_is_that_of_the_settings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert put_table(text) == text, HOW
    assert put_table(text).count("| `on_loss` |") == 1


def test_the_schema_is_part_of_the_package() -> None:
    assert Path(SCHEMA_PATH.parent / "__init__.py").exists()


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no marks"):
        put_table("# Settings")
