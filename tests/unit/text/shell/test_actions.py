"""Actions that must not be done twice."""

import pytest

from amplihack_compaction.text.shell.actions import finished_actions


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
    assert finished_actions("gh pr create --fill", output, True) == [
        "gh pr create --fill -> https://github.com/a/b/pull/12"
    ]


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("git push --dry-run", ""),
        ("git push | tail -3", " ! [rejected] main -> main (fetch first)"),
        ("git push", "Everything up-to-date"),
        ("git merge --abort", ""),
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
