"""Hooks that carry a Claude Code session's state across context compaction.

Importing this package imports nothing else: a hook starts with every tool call. Public names
load their module when they are first used (PEP 562); `__init__.pyi` tells type checkers of them.
"""

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import the module that holds a public name, on first use."""
    import importlib

    known = importlib.import_module(f"{__name__}.api.public_names")
    if name == "__all__":
        return known.PUBLIC_NAMES
    if name not in known.HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{known.HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the lazy names too."""
    from amplihack_compaction.api.public_names import PUBLIC_NAMES

    return sorted({*globals(), *PUBLIC_NAMES})
