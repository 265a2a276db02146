"""What compacting a feature gives back, as plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from shlex import quote
from typing import Any, Literal

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.compactor.condense.documents import CompactedItem
from amplihack_compaction.text.words import inert

FeatureLevel = Literal["compact", "summarize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """What a compaction of a feature did, or would do: tokens of all its texts before and after.

    `history_id` is None on a dry run and where nothing was to be done. `skipped` says why files
    were left alone, `unread` which of them the system did not let be read, `notices` what was found
    and put right before.
    """

    feature: str
    level: FeatureLevel = "compact"
    original_tokens: int
    compacted_tokens: int
    items: tuple[CompactedItem, ...] = ()
    files: tuple[str, ...] = ()
    history_id: str | None = None
    dry_run: bool = False
    skipped: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def saved_tokens(self) -> int:
        """How many tokens less the feature has."""
        return self.original_tokens - self.compacted_tokens

    @property
    def problems(self) -> list[str]:
        """A sentence for each file or folder that could not be looked at."""
        return unread_problems(self.skipped, self.unread)

    @property
    def can_revert(self) -> bool:
        """Whether there is something to take back."""
        return self.history_id is not None

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values, `saved_tokens` included."""
        return {**asdict(self), "saved_tokens": self.saved_tokens}


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizeResult(CompactionResult):
    """What a summary of a feature did: `files` gave way to `summary`, in `SUMMARY.md`.

    `made_by` is "rules" for the deterministic one, "claude" for the user's own client.
    """

    summary: str = ""
    made_by: Literal["rules", "claude"] = "rules"
    summary_tokens: int = 0


def unread_problems(skipped: Mapping[str, str], unread: Iterable[str]) -> list[str]:
    """Return a sentence for each file or folder that could not be read."""
    return [f"{path} was left out: {skipped[path]}" for path in unread]


def revert_command(feature: str, history_id: str = "", program: str = "") -> str:
    """Return the command that takes a change of a feature back, without an id the newest one.

    It is what works here; with a `program`, as files that others read are to have it.
    """
    which = f"--revert --id {history_id}" if history_id else "--revert"
    return f"{program or own_command()} feature compact {quote(inert(feature))} {which}"
