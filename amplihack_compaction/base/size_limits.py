"""Size limits of hooks and commands with their measure, and the marks of our texts (hot)."""

STDIN_LIMIT_BYTES = 64 * 1024 * 1024
"""A payload beyond this is not read on; the largest real one is a Write of a few megabytes."""

HOT_SCAN_BYTES = 1024 * 1024
"""How far from its end an unknown transcript is searched by a hook that runs on every call."""

LINE_LIMIT_BYTES = 16 * 1024 * 1024
"""A longer transcript line is skipped and counted; the longest seen in the wild has 3.5 MB."""

VALUES_LIMIT = 500_000
"""A line with more objects and lists is skipped too: each takes a hundred times its characters."""

LOG_LIMIT_BYTES = 256 * 1024
"""At this size `hooks.log` becomes `hooks.log.1`, and the old one of that name is dropped."""

INJECTION_LIMIT_UTF16 = 10_000
"""The client replaces a longer hook text by a 2 kB preview and a file name."""

STATE_HEAD = "<!-- AMPLIHACK STATE -->"
"""The first line of a state that is injected, by which a transcript shows that it arrived."""

STATE_END = "<!-- END AMPLIHACK STATE -->"
"""Its last line."""

DISABLE_VARIABLE = "AMPLIHACK_COMPACTION_DISABLED"
NOT_DISABLING = ("0", "false", "no", "off")
"""Its values, in small letters, that leave the hooks on, as an empty one does."""
