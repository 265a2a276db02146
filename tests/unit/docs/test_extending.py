"""The example of a consideration of one's own does what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"


@pytest.mark.parametrize(("said", "satisfied"), [("pytest -q", True), ("Hello", False)])
def test_a_consideration_of_ones_own_is_asked(project: Path, said: str, satisfied: bool) -> None:
    code, listed = re.findall(r"```(?:python|yaml)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    folder = project / ".claude" / "tools" / "amplihack"
    folder.mkdir(parents=True)
    (folder / "considerations.yaml").write_text(listed)
    made: dict[str, Any] = {}
    exec(code, made)
    result = made["Checker"](project).check([{"role": "user", "content": said}], "s")
    answer = next(each for each in result.considerations if each.id == "tests_ran")
    assert answer.executed
    assert answer.satisfied is satisfied
    assert bool(answer.reason) is not satisfied
