from pathlib import Path

from amplihack_compaction.base.settings import Settings
from amplihack_compaction.compactor.features.compact_feature import compact_active_feature, describe


def test_only_what_the_user_switched_on_is_done_and_told(login: Path, project: Path) -> None:
    on = Settings(auto=True)
    assert compact_active_feature(str(project), "compact", Settings(), "login") is None
    assert compact_active_feature(str(project), "compact", on) is None  # none is active
    done = compact_active_feature(str(project), "compact", on, "login")
    assert done is not None
    assert describe(done).startswith("feature login compacted from ")
    again = compact_active_feature(str(project), "compact", on, "login")
    assert again is not None
    assert describe(again) == ""  # there was nothing more to do
