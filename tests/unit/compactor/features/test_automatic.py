from pathlib import Path

from amplihack_compaction.compactor.features.compact_feature import compact_feature, describe


def test_what_was_done_is_told_in_a_few_words_and_nothing_of_nothing(
    login: Path, project: Path
) -> None:
    done = compact_feature(str(project), "login")
    assert describe(done).startswith("feature login compacted from ")
    again = compact_feature(str(project), "login")
    assert describe(again) == ""  # there was nothing more to do
