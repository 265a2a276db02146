"""Files touched and the branch worked on."""

import pytest

from amplihack_compaction.extract.files_and_branch import (
    extract_branch,
    extract_change,
    extract_commit,
    extract_files,
)
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read


def started(branch: str = "HEAD", text: str = "Fix the parser") -> Transcript:
    transcript = Transcript(branch=branch)
    transcript.root = "/p"
    transcript.user(text)
    return transcript


def test_files_are_counted_and_the_last_touched_is_last(read: Read) -> None:
    transcript = started()
    transcript.tool("Read", {"file_path": "/a.py"})
    transcript.tool("Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "y"})
    transcript.tool("Write", {"file_path": "/b.py", "content": ""})
    transcript.tool("NotebookEdit", {"notebook_path": "/n.ipynb"})
    transcript.user("And the lexer\n```\npasted code\n```")
    transcript.tool("MultiEdit", {"file_path": "/a.py", "edits": []})
    files = extract_files(read(transcript))
    assert [(f.path, f.reads, f.edits, f.why) for f in files] == [
        ("/b.py", 0, 1, "Fix the parser"),
        ("/n.ipynb", 0, 1, "Fix the parser"),
        ("/a.py", 1, 2, "And the lexer"),
    ]
    assert files[2].offset > files[0].offset


def test_what_edits_bring_in_is_named(read: Read) -> None:
    transcript = started()
    content = "import os\n\nclass Pager:\n    def rows(self): ...\n\ndef page(): ...\n"
    transcript.tool("Write", {"file_path": "/a.py", "content": content})
    old, new = "func rows() {", "func rows() {\n}\n\nfunc (p *Pager) Last() int {"
    transcript.tool("Edit", {"file_path": "/b.go", "old_string": old, "new_string": new})
    edits = [{"old_string": "x", "new_string": f"export interface Row{n} {{"} for n in range(2)]
    transcript.tool("MultiEdit", {"file_path": "/c.ts", "edits": edits})
    made = {file.path: file.made for file in extract_files(read(transcript))}
    assert made == {"/a.py": ("Pager", "page"), "/b.go": ("Last",), "/c.ts": ("Row0", "Row1")}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"old_string": "def page():\n    return 1\n", "new_string": ""}),
        ("Edit", {"old_string": "def page():", "new_string": "def leaf():"}),
        ("Write", {"content": "class Pager:\n    pass\n"}),
    ],
)
def test_what_a_later_edit_takes_out_is_named_no_more(
    read: Read, tool: str, given: dict[str, str]
) -> None:
    transcript = started()
    content = "class Pager:\n    pass\n\ndef page():\n    return 1\n"
    transcript.tool("Write", {"file_path": "/a.py", "content": content})
    transcript.tool(tool, {"file_path": "/a.py", **given})
    (file,) = extract_files(read(transcript))
    assert "Pager" in file.made
    assert "page" not in file.made


def test_the_prompt_that_names_a_file_tells_why_it_was_edited(read: Read) -> None:
    transcript = started(text="Fix src/pager.py: the last row is lost")
    edit = {"file_path": "/p/src/pager.py", "old_string": "x", "new_string": "y"}
    transcript.tool("Edit", edit)
    transcript.user("Now tidy up")
    transcript.tool("Edit", edit)
    (file,) = extract_files(read(transcript))
    assert file.why == "Fix src/pager.py: the last row is lost"


def test_what_failed_or_never_answered_touched_nothing(read: Read) -> None:
    transcript = started()
    transcript.tool("Read", {"file_path": "/a.py"}, "no such file", error=True)
    transcript.tool("Read", {"file_path": 3})
    transcript.tool("Other", {"file_path": "/c.py"})
    transcript.assistant(tools=[{"id": "t", "name": "Write", "input": {"file_path": "/b.py"}}])
    assert extract_files(read(transcript)) == ()


def test_another_tools_use_of_a_file_changes_nothing(read: Read) -> None:
    transcript = started()
    transcript.tool("Read", {"file_path": "/a.py"})
    transcript.tool("Other", {"file_path": "/a.py"})
    assert [(f.reads, f.edits, f.why) for f in extract_files(read(transcript))] == [(1, 0, "")]


@pytest.mark.parametrize(
    ("line", "output", "branch"),
    [
        ("git checkout -b feat/a", "Switched to a new branch 'feat/a'", "feat/a"),
        ("git checkout -q -b feat/a main", "", "feat/a"),
        ("cd /p && git switch -c fix-1", "", "fix-1"),
        ("git switch main", "", "main"),
        ("git checkout main", "Already on 'main'", "main"),
        ("git checkout release-1.2 && git pull", "", "release-1.2"),
        ("git checkout --track origin/dev", "", "dev"),
        ("git worktree add -b spike ../spike", "Preparing worktree", "spike"),
        ("git worktree add ../spike", "Preparing worktree", ""),
        ("git status", "On branch topic\nnothing to commit", "topic"),
        ("git branch --show-current", "topic\n", "topic"),
        ("git rev-parse --abbrev-ref HEAD", "topic\n", "topic"),
        ("git commit -m x", "[topic 1a2b3c4] x\n 1 file changed", "topic"),
        ("git checkout README.md", "", ""),
        ("git checkout -- a.py", "", ""),
        ("git checkout main a.py", "", ""),
        ("git checkout 1a2b3c4d", "HEAD is now at", ""),
        ("git checkout HEAD~1", "", ""),
        ("git switch --detach v1", "", ""),
        ("git rev-parse --abbrev-ref HEAD", "HEAD\n", ""),
        ("git branch --show-current", "", ""),
        ("git commit -m x", "[detached HEAD 1a2b3c4] x", ""),
        ("git -C /other status", "On branch other", ""),
        ("cd ../other && git status", "On branch other", ""),
        ("cat notes", "On branch other", ""),
        ("git", "", ""),
    ],
)
def test_the_branch_is_read_from_git(read: Read, line: str, output: str, branch: str) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": line}, output)
    assert extract_branch(read(transcript)) == branch


def test_a_failed_checkout_counts_only_when_git_says_that_it_switched(read: Read) -> None:
    transcript = started("main")
    transcript.tool("Bash", {"command": "git checkout -b a"}, "fatal: exists", error=True)
    assert extract_branch(read(transcript)) == "main"
    line = "git checkout -b b && npm test"
    transcript.tool("Bash", {"command": line}, "Switched to a new branch 'b'\nfail", error=True)
    assert extract_branch(read(transcript)) == "b"


def test_the_newest_of_the_clients_note_and_gits_answer_wins(read: Read) -> None:
    transcript = started("main")
    transcript.assistant("Hello.")
    assert extract_branch(read(transcript)) == "main"
    transcript.tool("Bash", {"command": "git switch -c feat"})
    transcript.assistant("The client still notes main.")
    assert extract_branch(read(transcript)) == "feat"
    transcript.branch = "other"
    transcript.assistant("Switched by hand.")
    assert extract_branch(read(transcript)) == "other"


def test_a_worktree_that_the_client_entered_has_its_own_branch(read: Read) -> None:
    transcript = started("main")
    transcript.tool("EnterWorktree", {}, "ok", data={"worktreeBranch": "worktree-a"})
    assert extract_branch(read(transcript)) == "worktree-a"
    transcript.tool("EnterWorktree", {}, "ok")
    assert extract_branch(read(transcript)) == "worktree-a"


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("git merge origin/main", True),
        ("git stash pop && make", True),
        ("git checkout main", True),
        ("sed -i s/a/b/ x.py", True),
        ("cat > x.py <<'EOF'\n1\nEOF", True),
        ("cat > x.md <<'EOF'\n1\nEOF", False),
        ("cat > /tmp/x.py <<'EOF'\n1\nEOF", False),
        ("git checkout -b topic", False),
        ("git commit -m merge", False),
        ("git log --merges", False),
        ("git stash list; git stash show", False),
        ("rm -f x.py && cat > x.py <<'E'\n1\nE", True),
        ("cat > t.tmp.mjs <<'EOF'\n1\nEOF\nnode ./t.tmp.mjs; rm -f ./t.tmp.mjs", False),
        ("git -C ../other pull", False),
        ("sed -n 1,5p x.py", False),
    ],
)
def test_what_changes_the_working_tree(read: Read, command: str, changes: bool) -> None:
    transcript = Transcript()
    transcript.user("go on")
    transcript.tool("Edit", {"file_path": "a.py"}, "edited")
    transcript.tool("Bash", {"command": command}, "")
    content = read(transcript)
    edited, ran = (step.offset for step in content.steps if step.tool is not None)
    assert extract_change(content) == (ran if changes else edited)


def test_prose_is_no_change_that_a_check_would_see(read: Read) -> None:
    transcript = started()
    transcript.tool("Edit", {"file_path": "/p/notes.md"}, "edited")
    assert extract_change(read(transcript)) == 0


def test_a_file_that_a_command_removed_is_told_no_more(read: Read) -> None:
    transcript = started()
    for path in ("/p/a.py", "/p/src/b.py", "/p/src/c.py"):
        transcript.tool("Write", {"file_path": path, "content": ""})
    transcript.tool("Bash", {"command": "rm -f ./a.py && git mv src/b.py src/d.py"}, "")
    transcript.tool("Bash", {"command": "rm src/c.py"}, "denied", error=True)
    found = [file.path for file in extract_files(read(transcript))]
    assert found == ["/p/src/c.py", "/p/src/d.py"]


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("mv src/b.py src/new.py", "/p/src/new.py"),
        ("mv ./src/b.py lib/", "/p/lib/b.py"),
        ("git mv src/b.py lib && ls", None),
        ("mv src/b.py .", "/p/b.py"),
        ("mv -t lib src/b.py", None),
        ("mv src/b.py scripts/build", None),
        ("mv src/b.py $DEST/", None),
        ("mv src/b.py ''", None),
        ("mv src/b.py -f lib/", "/p/lib/b.py"),
        ("mv /p/src/b.py /p/lib/new.py", "/p/lib/new.py"),
        ("mv src/b.py ../elsewhere.py", None),
        ("mv src/b.py", "/p/src/b.py"),
    ],
)
def test_a_file_that_was_moved_is_told_in_its_new_place(
    read: Read, command: str, path: str | None
) -> None:
    transcript = started()
    transcript.tool("Write", {"file_path": "/p/src/b.py", "content": ""})
    transcript.tool("Bash", {"command": command}, "")
    assert [file.path for file in extract_files(read(transcript))] == ([path] if path else [])


def test_a_file_that_the_shell_wrote_was_edited_for_the_prompt(read: Read) -> None:
    transcript = started(text="Fix the last row")
    pager = f"{transcript.root}/src/pager.py"
    transcript.tool("Read", {"file_path": pager})
    script = "python3 - <<'EOF'\np='src/pager.py'\nopen(p,'w').write('x')\nEOF"
    transcript.tool("Bash", {"command": script}, "")
    transcript.tool("Bash", {"command": "cd /p/web && sed -i s/a/b/ x.ts"}, "")
    transcript.tool("Bash", {"command": "echo x > refused.py"}, "denied", error=True)
    files = extract_files(read(transcript))
    assert [(f.path, f.reads, f.edits, f.why) for f in files] == [
        (pager, 1, 1, "Fix the last row"),
        ("/p/web/x.ts", 0, 1, "Fix the last row"),
    ]


def test_what_was_moved_without_having_been_read_was_edited(read: Read) -> None:
    transcript = started()
    line = "git mv README.md docs/REPORT.md; sed s/a/b/ a.py > /tmp/x && mv /tmp/x a.py"
    transcript.tool("Bash", {"command": line}, "")
    found = [(file.path.rpartition("/")[2], file.edits) for file in extract_files(read(transcript))]
    assert found == [("REPORT.md", 1), ("a.py", 1)]


def test_a_file_is_the_one_below_the_folder_that_the_shell_is_in(read: Read) -> None:
    transcript = started()
    other = f"{transcript.root}/packages/api/package.json"
    transcript.tool("Edit", {"file_path": other})
    transcript.tool("Bash", {"command": "sed -i s/1/2/ package.json"}, "")
    found = [(file.path, file.edits) for file in extract_files(read(transcript))]
    assert found == [(other, 1), (f"{transcript.root}/package.json", 1)]


def test_what_a_line_that_failed_had_written_before_was_edited(read: Read) -> None:
    transcript = started()
    written = "cat > /p/a.py <<'E'\n1\nE\ncat > /p/test_a.py <<'E'\n2\nE\n"
    transcript.tool("Bash", {"command": f"{written}pytest -q"}, "1 failed", error=True)
    script = "python3 - <<'E'\nopen('/p/b.py', 'w')\nE\npytest -q"
    failed = 'Traceback (most recent call last):\n  File "<stdin>", line 1'
    transcript.tool("Bash", {"command": script}, failed, error=True)
    assert [file.path for file in extract_files(read(transcript))] == ["/p/a.py", "/p/test_a.py"]
    (place,) = {step.offset for step in read(transcript).steps[:2] if step.tool is not None}
    assert extract_change(read(transcript)) == place


def test_a_file_that_the_shell_did_not_find_was_not_touched(read: Read) -> None:
    transcript = started()
    output = (
        "cat: /home/ada/.netrc: No such file or directory\nx\nsed: can't read /p/b.py: No such file"
    )
    line = "cat /home/ada/.netrc 2>&1; cat /p/a.py; sed -i s/a/b/ /p/b.py 2>&1; ls"
    transcript.tool("Bash", {"command": line}, output)
    deep = f"/p/{'folder/' * 40}c.py"
    transcript.tool("Bash", {"command": f"cat {deep} 2>&1; ls"}, f"cat: {deep}: No such file")
    assert [file.path for file in extract_files(read(transcript))] == ["/p/a.py"]


def test_what_stands_before_a_check_that_failed_was_run(read: Read) -> None:
    transcript = started()
    line = "sed -i s/a/b/ a.py && sed -i s/a/b/ b.py && pytest -q && sed -i s/a/b/ c.py"
    transcript.tool("Bash", {"command": line}, "1 failed, 2 passed", error=True)
    transcript.tool("Bash", {"command": 'rm -f "" d.py; mv "" e.py'}, "")
    assert [file.path for file in extract_files(read(transcript))] == ["/p/a.py", "/p/b.py"]


def test_what_was_not_there_and_is_written_then_was_edited(read: Read) -> None:
    transcript = started()
    line = "cat notes.py; cat > notes.py <<'E'\n1\nE\ncat > run.sh <<'E'\n2\nE\n./run.sh | tail"
    told = "cat: notes.py: No such file or directory\nbash: ./run.sh: Permission denied"
    transcript.tool("Bash", {"command": line}, told)
    script = "python3 - <<'E'\nopen('a.py', 'w')\nE\npython manage.py test 2>&1 | tail"
    told = 'Traceback (most recent call last):\n  File "/p/tests.py", line 1'
    transcript.tool("Bash", {"command": script}, told)
    found = [(file.path, file.reads, file.edits) for file in extract_files(read(transcript))]
    assert found == [("/p/notes.py", 0, 1), ("/p/run.sh", 0, 1), ("/p/a.py", 0, 1)]


def test_an_agent_may_have_changed_the_tree(read: Read) -> None:
    for kind, changes in (("general-purpose", True), ("Explore", False)):
        transcript = started()
        transcript.tool("Agent", {"subagent_type": kind, "prompt": "Do it"}, "Done")
        assert (extract_change(read(transcript)) > 0) is changes


@pytest.mark.parametrize(
    ("command", "is_over"),
    [
        ("git add -A && git commit -q -F message.txt", True),
        ("git stash", True),
        ("git checkout -- .", True),
        ("git reset --hard HEAD", True),
        ("git restore .", True),
        ("git restore --staged .", False),
        ("git restore --staged --worktree .", True),
        ("git checkout -b feat/pager", False),
        ("git checkout dev", False),
        ("git reset HEAD b.py", False),
        ("git stash list", False),
        ("git stash && git pull && git stash pop", False),
        ("git commit --dry-run", False),
        ("git stash && git pull && git stash pop && git commit -am x", True),
        ("git commit -am 'docs: cd ../web first'", True),
        ("git status --short", False),
        ("git log --oneline | head -3", False),
    ],
)
def test_a_commit_is_seen_whether_or_not_it_says_anything(
    read: Read, command: str, *, is_over: bool
) -> None:
    transcript = started()
    transcript.tool("Edit", {"file_path": "/p/b.py", "old_string": "x", "new_string": "y"})
    transcript.tool("Bash", {"command": command}, "")
    content = read(transcript)
    assert (extract_commit(content) > extract_files(content)[0].changed_offset) is is_over


def test_a_commit_that_failed_is_none(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git commit -m x"}, "Exit code 1\nhook", error=True)
    assert extract_commit(read(transcript)) == 0
    pushed = "Exit code 1\n[main 1234abc] x\nfatal: no remote"
    transcript.tool("Bash", {"command": "git commit -m x && git push"}, pushed, error=True)
    assert extract_commit(read(transcript)) > 0


def test_a_clean_working_tree_and_a_rebase_that_went_on_have_it_all_committed(read: Read) -> None:
    for line, output in (
        ("git status", "On branch main\nnothing to commit, working tree clean"),
        ("git add a.py && git rebase --continue", "[detached HEAD 1a2b3c4d] Fix it"),
    ):
        transcript = started()
        transcript.tool("Edit", {"file_path": "/p/a.py", "old_string": "x", "new_string": "y"})
        transcript.tool("Bash", {"command": line}, output)
        content = read(transcript)
        assert extract_commit(content) > extract_files(content)[0].changed_offset
