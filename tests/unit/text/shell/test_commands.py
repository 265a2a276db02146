"""Shell lines as agents type them, cut into simple commands."""

import pytest

from amplihack_compaction.text.shell.commands import split_commands
from tests.effort import watchdog


def words(line: str) -> list[tuple[str, ...]]:
    return [command.words for command in split_commands(line)]


def test_operators_and_newlines_separate_commands() -> None:
    line = "cd /a && npm test 2>&1 | tail -5; echo done &\nls || true"
    assert words(line) == [
        ("cd", "/a"), ("npm", "test"), ("tail", "-5"), ("echo", "done"), ("ls",), ("true",),
    ]  # fmt: skip
    commands = split_commands(line)
    assert [c.before for c in commands] == ["", "&&", "|", ";", "\n", "||"]
    assert commands[1].text == "npm test 2>&1"
    assert commands[1].after == "|"


def test_quotes_keep_words_together_and_operators_quiet() -> None:
    assert words("""git commit -m "a && b; c" --author='x | y' \\; z""") == [
        ("git", "commit", "-m", "a && b; c", "--author=x | y", ";", "z")
    ]


def test_heredocs_and_comments_are_no_commands() -> None:
    line = "cat > t.sh <<'EOF'\npytest -q && rm -rf /\nEOF\nnpm test # then pytest\n# make"
    assert words(line) == [("cat",), ("npm", "test")]


def test_an_unclosed_heredoc_reaches_to_the_end() -> None:
    assert words("cat <<EOF\npytest -q") == [("cat",)]
    assert words("cat <<EOF") == [("cat",)]


def test_redirections_are_no_words() -> None:
    assert words("pytest > out.txt 2>&1 < in.txt &> all.log -q") == [("pytest", "-q")]


@pytest.mark.parametrize(
    "line",
    [
        "pytest -q",
        "PYTHONPATH=. CI=1 pytest -q",
        "timeout -k 5 600 pytest -q",
        "time sudo -u app env A=b pytest -q",
        "uv run --with x pytest -q",
        "poetry run pytest -q",
        "if ! pytest -q",
        "bundle exec pytest -q",
        "/usr/bin/timeout 60 npx --yes pytest -q",
    ],
)
def test_what_only_runs_another_program_is_taken_off(line: str) -> None:
    assert words(line) == [("pytest", "-q")]


def test_a_wrapper_alone_is_a_command() -> None:
    assert words("time; env; timeout 5") == [("time",), ("env",), ()]


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("/opt/bin/pytest -q tests", "pytest"),
        ("git -c x=y push origin main", "git push"),
        ("git push --force", "git push"),
        ("npm run build", "npm run build"),
        ("npm test", "npm test"),
        ("python -m pytest -q", "pytest"),
        ("python3.11 scripts/a.py --x", "python a.py"),
        ("python", "python"),
        ("bash ./scripts/ci.sh all", "bash ci.sh"),
        ("bash -c 'x'", "bash"),
        ("A=1", ""),
    ],
)
def test_a_phrase_says_what_a_command_does(line: str, phrase: str) -> None:
    assert split_commands(line)[0].phrase == phrase


def test_an_empty_line_has_no_commands() -> None:
    assert split_commands("") == split_commands(" \n ;; && ") == ()


@pytest.mark.parametrize(
    "piece", ["'", '"', '"\\"', "$(", "`", "\\", "<<A\n", "((", "a=", "&&", "#"]
)
def test_hostile_lines_are_split_in_linear_time(piece: str) -> None:
    with watchdog():
        split_commands(piece * 20_000)
