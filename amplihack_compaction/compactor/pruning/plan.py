"""Plan what is to be cut out of a folder's files, before any of them is changed."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from amplihack_compaction.compactor.archives.ages import LastChange
from amplihack_compaction.compactor.archives.blocks import split_lines
from amplihack_compaction.compactor.archives.documents import PART_LIMIT_BYTES, Part
from amplihack_compaction.compactor.archives.protection import is_document
from amplihack_compaction.compactor.backups.folder import FileImage, Folder
from amplihack_compaction.compactor.pruning.cutting import Count, Cut, cut, cut_whole
from amplihack_compaction.compactor.pruning.sections import newest_date, split_sections
from amplihack_compaction.compactor.pruning.selection import choose_all, choose_old, choose_overflow


@dataclass(slots=True)
class PrunePlan:
    """The files of one folder that are to be cut."""

    folder: Folder
    feature: str
    files: dict[str, FileImage]
    texts: dict[str, str]
    cuts: dict[str, Cut] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[Part, str]]:
        """The parts that go, with their contents, in the order of their files."""
        return [pair for each in self.cuts.values() for pair in each.parts]

    @property
    def documents(self) -> dict[str, FileImage]:
        """The files that are notes rather than code or data."""
        return {p: self.files[p] for p, text in self.texts.items() if is_document(p, text)}


def plan_old(
    plan: PrunePlan, path: str, changed: LastChange, prune_days: float, count: Count
) -> None:
    """Plan to cut what is old of one file."""
    today = _today()
    before = today - timedelta(days=prune_days)
    text = plan.texts[path]
    sections = split_sections(text, today, rst=path.endswith(".rst"))
    if newest_date(sections) is not None:
        choice = choose_old(sections, path, before)
    elif changed.day < before:
        choice = choose_all(sections, path)
    else:
        return
    if choice.whole:
        found = cut_whole(path, text, changed, count)
    else:
        found = cut(path, sections, choice.firsts, changed, count)
    # The line that tells of the archive may cost more than a few words that would go.
    if found.parts and count(found.text or "") < count(text):
        _add(plan, path, found)


def plan_overflow(
    plan: PrunePlan, path: str, changed: LastChange, limit_lines: int, count: Count
) -> None:
    """Plan to bring one file down to so many lines."""
    text = plan.texts[path]
    lines = len(split_lines(text))
    if lines <= limit_lines:
        return
    sections = split_sections(text, _today())
    choice = choose_overflow(sections, path, lines - limit_lines)
    found = cut(path, sections, choice.firsts, changed, count)
    _add(plan, path, found)
    left = len(split_lines(found.text or ""))
    if left > limit_lines:
        plan.notices.append(
            f"{path} has {left} lines, more than {limit_lines}, when all has gone that may:"
            " headings, open items, decisions and rules stay"
        )


def _add(plan: PrunePlan, path: str, found: Cut) -> None:
    if any(len(content.encode()) > PART_LIMIT_BYTES for _, content in found.parts):
        plan.notices.append(f"{path}: too large to be archived")
    elif found.parts:
        plan.cuts[path] = found


def _today() -> date:
    return date.today()
