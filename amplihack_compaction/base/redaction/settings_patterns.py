"""The user's own patterns of what is a secret: the setting `redact_patterns` (light).

The environment, the project's file and the user's own each add to the others: a pattern that one
place could take away from another would be a leak. Those of the project that a process runs in are
read when the first text is redacted; who works on another one calls `redaction.use_project`.
"""

from amplihack_compaction.base.settings.raw import read_own_file, read_project_file, read_variable

NAME = "redact_patterns"
KIND = "own-pattern"


def read_patterns(root: str) -> list[str]:
    """Return the accepted patterns of a project, of all places together."""
    text = read_variable(NAME)
    places = [read_own_file().get(NAME), read_project_file(root).get(NAME)] if root else []
    if not text and not any(places):
        return []
    from amplihack_compaction.base.redaction.accepted_patterns import (
        parse_patterns,
        usable_patterns,
    )

    if text:
        places.append(parse_patterns(text))
    found: list[str] = []
    for values in places:
        if isinstance(values, list):
            found += usable_patterns(values)[0]
    return list(dict.fromkeys(found))
