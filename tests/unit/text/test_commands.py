"""Shell lines as agents type them, cut into simple commands."""

import pytest

from amplihack_compaction.text.commands import finished_actions, split_commands
from tests.support.effort import watchdog


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


def test_where_a_group_writes_is_a_command_without_words() -> None:
    made = split_commands("(cd a && make) > log && ls; > empty")
    assert [(c.words, c.into) for c in made] == [
        (("cd", "a"), ()), (("make",), ()), ((), ("log",)), (("ls",), ()), ((), ("empty",)),
    ]  # fmt: skip


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


def test_a_commit_is_told_by_what_git_reports() -> None:
    output = "[feat/parser 1a2b3c4] Add the parser\n 2 files changed"
    assert finished_actions("git add -A && git commit -m x", output, True) == [
        "commit 1a2b3c4 on feat/parser: Add the parser"
    ]


def test_a_commit_counts_when_a_later_command_failed() -> None:
    output = "[main (root-commit) 1a2b3c4] Start\nfatal: no remote"
    assert finished_actions("git commit -m x && git push", output, False) == [
        "commit 1a2b3c4 on main: Start"
    ]


@pytest.mark.parametrize(
    "line",
    [
        'git commit -q -m "Add the parser"',
        "git commit -qm 'Add the parser'",
        'git commit -q -m "Add the parser\n\nCo-Authored-By: A <a@shop.example>"',
        "git commit -m \"$(cat <<'EOF'\nAdd the parser\n\nBody\nEOF\n)\"",
    ],
)
def test_a_silent_commit_is_told_by_its_message(line: str) -> None:
    assert finished_actions(line, "", True) == ["commit: Add the parser"]


def test_a_commit_that_did_not_happen_is_none() -> None:
    assert finished_actions("git commit -m x", "nothing to commit", True) == []
    assert finished_actions("git commit -m x", "error", False) == []
    assert finished_actions("git commit --dry-run -m x", "", True) == []
    assert finished_actions("git commit -F msg", "", True) == []
    assert finished_actions("git log --grep commit", "", True) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("git push -u origin feat 2>&1", "pushed: git push -u origin feat"),
        ("git merge feat", "merged: git merge feat"),
        ("git tag v1.2.0", "tagged: git tag v1.2.0"),
        ("npm publish --access public", "npm publish --access public"),
        ("npm run deploy", "npm run deploy"),
        ("make release", "make release"),
        ("./scripts/deploy_prod.sh", "./scripts/deploy_prod.sh"),
        ("vercel --prod", "vercel --prod"),
        ("kubectl apply -f k8s/", "kubectl apply -f k8s/"),
        ("terraform apply -auto-approve", "terraform apply -auto-approve"),
        ("npx prisma migrate deploy", "npx prisma migrate deploy"),
        ("gcloud app deploy", "gcloud app deploy"),
        ("gh pr merge 12 --squash", "gh pr merge 12 --squash"),
        ("ansible-playbook site.yml", "ansible-playbook site.yml"),
    ],
)
def test_an_action_outside_the_tree_is_told_as_typed(line: str, said: str) -> None:
    assert finished_actions(line, "ok", True) == [said]


def test_a_pull_request_is_told_with_its_address() -> None:
    output = "https://github.com/a/b/pull/12\n"
    told = "https://github.com/a/b/pull/12: gh pr create"
    assert finished_actions("gh pr create --fill", output, True) == [f"{told} --fill"]
    written = 'gh pr create --title "Add it" --body "$(cat <<\'EOF\'\n## Summary\n- it\nEOF\n)"'
    assert finished_actions(written, output, True) == [f'{told} --title "Add it"']


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("git push --dry-run", ""),
        ("git push | tail -3", " ! [rejected] main -> main (fetch first)"),
        ("git push", "Everything up-to-date"),
        ("git merge --abort", ""),
        (
            "git worktree add --detach /tmp/pr origin/x && cd /tmp/pr && git merge main",
            "Merge made",
        ),
        ("git merge feat || true", "CONFLICT (content)"),
        ("git tag", ""),
        ("git tag -d v1", ""),
        ("git tag --list", ""),
        ("npm publish | tail", "npm ERR! 403"),
        ("terraform plan", ""),
        ("kubectl get pods", ""),
        ("gh pr view 12", ""),
        ("npm run build", ""),
        ("npm", ""),
        ("make", ""),
        ("cat deploy.md", ""),
    ],
)
def test_what_changes_nothing_outside_is_no_action(line: str, output: str) -> None:
    assert finished_actions(line, output, True) == []


def test_a_failed_line_finished_nothing() -> None:
    assert finished_actions("git push", "fatal: denied", False) == []


@pytest.mark.parametrize(
    ("output", "done"),
    [
        ("? You deploy your home. Do you want to continue? (y/N)\x1b[73G\n\x1b[?25h", []),
        ("Proceed? [Y/n] ", []),
        ("Proceed? [Y/n] y\nDeployed.", ["vercel --prod"]),
    ],
)
def test_what_ends_with_an_unanswered_question_is_not_done(output: str, done: list[str]) -> None:
    assert finished_actions("vercel --prod", output, True) == done
