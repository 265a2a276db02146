"""The settings as the table of the documentation."""

from math import isinf

from amplihack_compaction.base.settings.settings import SETTINGS
from amplihack_compaction.base.settings.values import Setting, Trust, shown

BEGIN = "<!-- made from the settings by `python -m tests.publish_settings` -->"
END = "<!-- end of what is made from the settings -->"
_ADDED_MARK = " ³"
_MARKS = {Trust.PROJECT_FIRST: "", Trust.OWN_FIRST: " ¹", Trust.OWN_ONLY: " ²"}


def settings_table() -> str:
    """Return a row for each setting: key, default, what can be set, and what it is for."""
    rows = ["| key | default | values | what |", "|---|---|---|---|"]
    for name, each in SETTINGS.items():
        default = f"`{shown(each.default)}`"
        mark = _ADDED_MARK if each.is_added else _MARKS[each.trust]
        rows.append(f"| `{name}`{mark} | {default} | {values_of(each)} | {each.what} |")
    return "\n".join(rows) + "\n"


def values_of(each: Setting) -> str:
    """Return which values a setting takes, in words."""
    if each.choices:
        return ", ".join(f"`{choice}`" for choice in each.choices)
    if each.kind is bool:
        return "`true`, `false`"
    if each.is_folder:
        return "a folder below the project"
    if each.is_added:
        return "a list of regular expressions"
    bounds = "" if isinf(each.low) else f"{each.low:,.0f} to {each.high:,.0f}"
    null = ", `null`" if each.optional else ""
    return (bounds or "a text") + null


def put_table(text: str) -> str:
    """Return a page with the present table between its marks. Raises ValueError without them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks between which the table belongs")
    return f"{before}{BEGIN}\n\n{settings_table()}\n{END}{after}"
