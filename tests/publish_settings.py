"""Write what is made from the settings: the JSON schema, and the table of docs/settings.md.

python -m tests.publish_settings
"""

from pathlib import Path

from amplihack_compaction.base.settings.published import SCHEMA_PATH, put_table, schema_text

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"


def main() -> None:
    """Write both files."""
    SCHEMA_PATH.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(put_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
