"""Hooks that carry a Claude Code session's state across context compaction.

Importing this package imports nothing else: a hook starts with every tool call. Public names
load their module when they are first used (PEP 562).
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 14 ms of start-up
    from amplihack_compaction.compaction.context import (
        CompactionContext as CompactionContext,
    )
    from amplihack_compaction.compaction.context import (
        CompactionEvent as CompactionEvent,
    )
    from amplihack_compaction.compaction.context import (
        ValidationResult as ValidationResult,
    )
    from amplihack_compaction.compaction.validator import CompactionValidator as CompactionValidator
    from amplihack_compaction.preservation.handler import CompactionHandler as CompactionHandler
    from amplihack_compaction.steering.checker import PowerSteeringChecker as PowerSteeringChecker

_HOMES = {
    "CompactionContext": "compaction.context",
    "CompactionEvent": "compaction.context",
    "CompactionHandler": "preservation.handler",
    "CompactionValidator": "compaction.validator",
    "PowerSteeringChecker": "steering.checker",
    "ValidationResult": "compaction.context",
}
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    """Import the module that holds a public name, on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the lazy names too."""
    return sorted([*globals(), *_HOMES])
