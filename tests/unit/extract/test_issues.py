"""What is still unresolved."""

import pytest

from amplihack_compaction.extract.issues import extract_issues, extract_solved
from amplihack_compaction.extract.verify_commands import extract_verify
from amplihack_compaction.extract.window_content import WindowContent
from tests.unit.conftest import Read, started


def issue_texts(window: WindowContent) -> list[str]:
    return [issue.text for issue in extract_issues(window)]


def test_a_check_that_last_failed_is_an_issue(read: Read) -> None:
    transcript = started()
    output = "E   AssertionError: 1 != 2\n1 failed"
    transcript.tool("Bash", {"command": "pytest -q"}, output, error=True)
    (issue,) = extract_issues(read(transcript))
    assert issue.text == "`pytest -q` fails: E AssertionError: 1 != 2"
    transcript.tool("Bash", {"command": "pytest -q"}, "3 passed")
    assert extract_issues(read(transcript)) == ()


@pytest.mark.parametrize(
    ("said", "is_issue"),
    [
        ("Build a small feature from an open issue in this repo.", False),
        ("Pick any open issue and fix it.", False),
        ("Known issue: the export loses the last row.", True),
        ("There is an open issue with the cache.", True),
        ("Build has a known issue on arm64: the linker crashes.", True),
        ("Review found an open issue: tokens leak.", True),
        ("Shipping with known issues: the cache never expires.", True),
        ("We must fix the remaining bug in the scheduler before release.", True),
        ("The build still fails with a known issue in webpack.", True),
        ("The crash stems from a known bug in node 20.", True),
    ],
)
def test_who_asks_for_work_on_open_issues_tells_of_none(
    read: Read, said: str, *, is_issue: bool
) -> None:
    transcript = started()
    transcript.user(said)
    assert issue_texts(read(transcript)) == ([said] if is_issue else [])


def test_any_step_that_failed_lately_is_an_issue_until_its_like_succeeds(read: Read) -> None:
    transcript = started()
    push = {"command": "cd /home/u/app && git push origin main"}
    transcript.tool("Bash", push, "Counting\nfatal: unable to access the remote", error=True)
    transcript.tool("Task", {"description": "Design it"}, "Agent type 'dba' not found", error=True)
    transcript.tool("Grep", {"pattern": "nothing"}, "No such file", error=True)
    assert issue_texts(read(transcript)) == [
        "`git push origin main` fails: fatal: unable to access the remote",
        "`Task Design it` fails: Agent type 'dba' not found",
    ]
    transcript.tool("Bash", {"command": "git push"}, "main -> main")
    assert issue_texts(read(transcript)) == ["`Task Design it` fails: Agent type 'dba' not found"]


def test_a_cross_in_an_output_tells_of_a_failure_with_the_line_before_it(read: Read) -> None:
    transcript = started()
    output = "[1/2] health\n  ✅ up\n[2/2] /billing/credits\n  ❌ not there\ndone"
    transcript.tool("Bash", {"command": "/tmp/probe.sh"}, output)
    transcript.tool("Bash", {"command": "cat notes"}, "❌ not read")
    assert issue_texts(read(transcript)) == [
        "`/tmp/probe.sh` fails: [2/2] /billing/credits ❌ not there"
    ]


def test_a_call_that_the_client_did_not_run_is_no_issue(read: Read) -> None:
    transcript = started()
    not_run = "<tool_use_error>Sibling tool call errored</tool_use_error>"
    transcript.tool("Bash", {"command": "make deploy"}, not_run, error=True)
    assert issue_texts(read(transcript)) == []


def test_what_failed_before_something_else_was_done_is_left_behind_with_the_next_prompt(
    read: Read,
) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git checkout main"}, "error: local changes", error=True)
    transcript.tool("Read", {"file_path": "/p/a.py"}, "")
    transcript.user("try again")
    assert issue_texts(read(transcript)) == ["`git checkout main` fails: error: local changes"]
    transcript.tool("Edit", {"file_path": "/p/a.py", "old_string": "a", "new_string": "b"}, "")
    assert len(issue_texts(read(transcript))) == 1
    transcript.user("and now the docs")
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("./deploy/ship.sh", "bash ship.sh"),
        ("node scripts/seed.mjs", "cd scripts && ./seed.mjs"),
        ("git add gone.py", "git add a.py && git commit -m x && git push"),
        ("git merge origin/main", "git checkout --theirs a.go && git add a.go && git commit"),
    ],
)
def test_a_success_in_other_words_settles_a_step(read: Read, failed: str, later: str) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": failed}, "fatal: it failed", error=True)
    assert len(issue_texts(read(transcript))) == 1
    transcript.tool("Bash", {"command": later}, "done")
    assert issue_texts(read(transcript)) == []


def test_a_success_after_a_semicolon_says_nothing_of_what_stood_before_it(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git push"}, "fatal: it failed", error=True)
    transcript.tool("Bash", {"command": "git push; make docs"}, "done")
    assert len(issue_texts(read(transcript))) == 1


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("for a in b; do make deploy; done", "(eval):1: parse error near `do'"),
        ("./scripts/ship.sh", "(eval):1: no such file or directory: ./scripts/ship.sh"),
        ("make deploy", "/bin/bash: -c: line 1: syntax error near unexpected token"),
        ("make deploy", "[Request interrupted by user for tool use]"),
        ("cd web && pytest -q", "Exit code 1\n(eval):cd:1: no such file or directory: web"),
        ("chmod +x verify.sh && ./verify.sh", "chmod: verify.sh: No such file or directory"),
        ("git config user.signingkey", "Exit code 1"),
        ("tasklist | findstr docker", "FINDSTR: Cannot open docker"),
        ("vercel logs --since 5m", "Error: expects one argument"),
        ("gh run view 4", "Error: no run"),
        ("terraform --version", "Error: no version"),
    ],
)
def test_what_did_not_come_to_run_or_only_looks_is_no_issue(
    read: Read, command: str, output: str
) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": command}, output, error=True)
    assert issue_texts(read(transcript)) == []


def test_a_program_that_is_not_there_is_an_issue(read: Read) -> None:
    transcript = started()
    missing = "(eval):1: command not found: vsce"
    transcript.tool("Bash", {"command": "vsce package"}, missing, error=True)
    assert issue_texts(read(transcript)) == [f"`vsce package` fails: {missing}"]


def test_a_check_whose_cases_miss_a_file_failed(read: Read) -> None:
    transcript = started()
    output = "E   FileNotFoundError: [Errno 2] No such file or directory: 'a.json'\n1 failed"
    transcript.tool("Bash", {"command": "pytest -q"}, output, error=True)
    (issue,) = extract_issues(read(transcript))
    assert issue.text.startswith("`pytest -q` fails: E FileNotFoundError")
    assert [check.passed for check in extract_verify(read(transcript))] == [False]


def test_a_cross_that_the_line_itself_prints_is_no_failure(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": './probe.sh && echo "✅ up" || echo "❌ down"'}, "❌ down")
    assert issue_texts(read(transcript)) == []


def test_a_line_that_fails_again_with_more_checks_is_told_alone(read: Read) -> None:
    transcript = started()
    for line in ("npm run lint", "npm run typecheck", "npm run lint && npm run typecheck 2>&1"):
        transcript.tool("Bash", {"command": line}, f"{line}: error TS1: no", error=True)
    (issue,) = issue_texts(read(transcript))
    assert issue.startswith("`npm run lint && npm run typecheck 2>&1` fails: ")


def test_what_was_said_of_failing_tests_is_told_with_how_they_went_last(read: Read) -> None:
    transcript = started()
    transcript.user("the tests are still failing")
    transcript.tool("Bash", {"command": "make test"}, "--- FAIL: TestRefund (0.1s)", error=True)
    texts = issue_texts(read(transcript))
    assert texts == ["`make test` fails: --- FAIL: TestRefund (0.1s)"]
    transcript.tool("Bash", {"command": "go test -run TestOther ./..."}, "ok  a 0.1s")
    assert issue_texts(read(transcript)) == texts
    transcript.tool("Bash", {"command": "go test -run TestRefund ./..."}, "ok  a 0.1s")
    assert issue_texts(read(transcript)) == []


def test_a_step_that_failed_long_ago_is_no_issue(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "vercel --prod"}, "Error: timed out", error=True)
    for number in range(20):
        transcript.tool("Read", {"file_path": f"/p/{number}.py"}, "")
    assert issue_texts(read(transcript)) == []


def test_a_check_whose_result_another_command_hides_is_an_issue(read: Read) -> None:
    transcript = started()
    line = {"command": "go build ./cmd/... && mise run test 2>&1 | tail -20"}
    transcript.tool("Bash", line, "a.go:4:1: syntax error: unexpected type", error=True)
    (issue,) = issue_texts(read(transcript))
    assert issue.endswith("fails: a.go:4:1: syntax error: unexpected type")


def test_what_a_report_calls_a_problem_is_no_issue_what_a_short_text_does_is(read: Read) -> None:
    trouble = "The feed still times out now and then."
    transcript = started()
    transcript.assistant(f"I ran it. {trouble}")
    assert issue_texts(read(transcript)) == [trouble]
    report = started()
    report.assistant("\n".join([f"- It draws page {number}." for number in range(6)] + [trouble]))
    assert issue_texts(read(report)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The upload is still failing with a timeout.",
        "Known issue: the exporter drops the last row.",
        "The release is blocked by the licence review.",
        "BUG: the parser eats the last comma",
        "FIXME: the retry loop never ends",
        "One remaining problem is the flaky watcher.",
        "The feed is still failing: the socket closes too early.",
        "The feed still times out now and then.",
        "The importer keeps dropping the last row.",
        "Not fixed: the feed drops the second message.",
        "I could not get the feed to work, it refuses the certificate.",
        "I don't know why the feed closes early.",
        "The memory leak is not fixed yet.",
    ],
)
def test_what_is_said_to_be_unresolved_is_an_issue(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(f"All done otherwise.\n{sentence}")
    assert issue_texts(read(transcript)) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "There are no known issues.",
        "If it is still failing, tell me.",
        "Is it still failing?",
        "The known issue was fixed in 1.2.",
        "We are no longer blocked by the review.",
        "The cache still works as before.",
        "The timeout is fixed.",
        "Nothing special here.",
        "Locks per cart now; I could not reproduce the loss any more.",
        '{"error": ..., "code": ...}.',
    ],
)
def test_what_is_denied_or_asked_is_no_issue(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(sentence)
    assert issue_texts(read(transcript)) == []


def test_a_resolved_issue_is_left_out(read: Read) -> None:
    transcript = started()
    transcript.assistant("The upload to S3 is still failing.")
    transcript.user("BUG: the parser eats the last comma")
    transcript.assistant("Once this is fixed the upload will work.")
    assert len(issue_texts(read(transcript))) == 2
    transcript.assistant("I fixed the parser: it keeps the last comma now.")
    assert issue_texts(read(transcript)) == ["The upload to S3 is still failing."]
    transcript.assistant("Resolved: `S3` permissions.")
    assert issue_texts(read(transcript)) == []


def test_a_passing_check_resolves_what_was_said_of_its_kind(read: Read) -> None:
    transcript = started()
    transcript.assistant("Two tests are still failing. The build is still broken.")
    transcript.tool("Bash", {"command": "pytest"}, "9 passed")
    assert issue_texts(read(transcript)) == ["The build is still broken."]
    transcript.tool("Bash", {"command": "npm run build"}, "ok")
    assert issue_texts(read(transcript)) == []


def test_a_check_of_one_part_leaves_the_other_parts_failures_open(read: Read) -> None:
    transcript = started()
    error = "E   AssertionError: 3 rows\n1 failed"
    transcript.tool("Bash", {"command": "pytest tests/feed -x"}, error, error=True)
    transcript.assistant("The billing suite still fails with a deadlock.")
    transcript.tool("Bash", {"command": "pytest -q tests/test_cart.py"}, "4 passed")
    assert issue_texts(read(transcript)) == [
        "`pytest tests/feed -x` fails: E AssertionError: 3 rows",
        "The billing suite still fails with a deadlock.",
    ]
    transcript.tool("Bash", {"command": "pytest -k slow"}, "8 passed")
    assert len(issue_texts(read(transcript))) == 2
    transcript.tool("Bash", {"command": "pytest"}, "30 passed")
    assert issue_texts(read(transcript)) == []


def test_a_failure_that_comes_again_is_told_once(read: Read) -> None:
    transcript = started()
    for error in ("E   KeyError: a", "E   KeyError: b"):
        transcript.tool("Bash", {"command": "pytest tests/feed"}, error, error=True)
    assert issue_texts(read(transcript)) == ["`pytest tests/feed` fails: E KeyError: b"]


def test_what_an_option_lacks_is_no_issue(read: Read) -> None:
    transcript = started()
    lacking = "2. **Webhooks** - at once, needs a public address that we do not have yet"
    transcript.assistant(f"Two ways:\n1. Polling\n{lacking}\n\nWhich one do you **prefer?**")
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    ("said", "solved"),
    [
        ("That worked, the image is there.", True),
        ("Fixed.", True),
        ("Yes, that did the trick.", True),
        ("That helped a little, but not enough.", False),
        ("It worked once.", False),
        ("I renamed the job.", False),
    ],
)
def test_what_names_nothing_speaks_of_what_was_told_last(
    read: Read, said: str, solved: bool
) -> None:
    transcript = started()
    transcript.assistant("I could not get it to compile.")
    transcript.user("Try another mirror.")
    transcript.assistant(said)
    assert (issue_texts(read(transcript)) == []) is solved


def test_what_names_nothing_does_not_reach_back_far(read: Read) -> None:
    transcript = started()
    transcript.assistant("I could not get it to compile.")
    for prompt in ("Leave it. Rename the job.", "Now the label."):
        transcript.user(prompt)
        transcript.assistant("Renamed it.")
    transcript.assistant("That worked.")
    assert issue_texts(read(transcript)) == ["I could not get it to compile."]


@pytest.mark.parametrize(
    "sentence", ["I could not reproduce it.", "I don't know why.", "It still fails."]
)
def test_trouble_that_names_nothing_is_told_with_what_stood_before_it(
    read: Read, sentence: str
) -> None:
    transcript = started()
    transcript.assistant(f"The form is there. A second refund goes through. {sentence}")
    assert issue_texts(read(transcript)) == [f"A second refund goes through. {sentence}"]


def test_what_is_told_twice_in_a_row_is_one_issue_that_a_check_settles(read: Read) -> None:
    transcript = started()
    transcript.assistant("Two golden tests are still failing. I could not fix them here.")
    expected = ["Two golden tests are still failing. I could not fix them here."]
    assert issue_texts(read(transcript)) == expected
    transcript.tool("Bash", {"command": "pytest"}, "9 passed")
    assert issue_texts(read(transcript)) == []


def test_of_a_long_text_before_it_only_the_beginning_is_told(read: Read) -> None:
    transcript = started()
    transcript.assistant(f"The feed {'and the mail ' * 30}stop. I don't know why.")
    (text,) = issue_texts(read(transcript))
    assert len(text) <= 200
    assert text.startswith("The feed and the mail")
    assert text.endswith("I don't know why.")


@pytest.mark.parametrize(
    "words",
    [
        "Fixed and all 44 tests pass.",
        "Solved with a lock.",
        "That was it: undef is no value.",
        "The second refund is gone.",
    ],
)
def test_more_words_call_fixed_what_was_told_last(read: Read, words: str) -> None:
    transcript = started()
    transcript.assistant("The second refund of an order still fails.")
    assert len(issue_texts(read(transcript))) == 1
    transcript.user("look into it")
    transcript.assistant(words)
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    "words",
    [
        "applied. works now!",
        "great, working",
        "it's gone",
        "all good now",
        "works like a charm",
        "jetzt geht es",
        "ya funciona",
        "ça marche maintenant",
        "теперь работает",
        "现在好了",
        "直りました",
    ],
)
def test_the_user_says_that_it_works_some_prompts_after_he_told_the_trouble(
    read: Read, words: str
) -> None:
    transcript = started()
    transcript.user("the socket still fails after 60s exactly")
    transcript.assistant("The ingress closes it after 60 s.")
    assert len(issue_texts(read(transcript))) == 1
    transcript.user("ok set it to 3600, I apply it myself")
    transcript.assistant("Set to 3600, not applied.")
    transcript.user(words)
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize("words", ["funktioniert nicht", "ça marche pas", "working on it"])
def test_what_does_not_work_yet_settles_nothing(read: Read, words: str) -> None:
    transcript = started()
    transcript.user("the socket still fails after 60s exactly")
    transcript.user(words)
    assert "the socket still fails after 60s exactly" in issue_texts(read(transcript))


def test_an_answer_that_tells_nothing_without_its_question_is_no_issue(read: Read) -> None:
    transcript = started()
    transcript.assistant("Joint calling is in.")
    transcript.user("is the vcf normalised?")
    transcript.assistant("Not yet.")
    assert issue_texts(read(transcript)) == []


def test_a_sentence_on_them_is_told_with_what_they_are(read: Read) -> None:
    transcript = started()
    said = (
        "The shipments table has three duplicate ids. They come from the source; I don't know why."
    )
    transcript.assistant(said)
    assert issue_texts(read(transcript)) == [said]


def test_a_check_of_something_else_does_not_settle_what_a_command_had(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "make hil"}, "1 failed", error=True)
    trouble = "The HIL test fails: the cutoff is late. I have not found the reason yet."
    transcript.assistant(trouble)
    transcript.user("leave it for tomorrow")
    transcript.tool("Bash", {"command": "make test"}, "41 passed")
    transcript.assistant("The logger has 2 KB now.")
    assert any("I have not found the reason yet." in text for text in issue_texts(read(transcript)))


def test_an_answer_may_nod_and_tell_of_trouble(read: Read) -> None:
    transcript = started()
    said = "OK, but the export still fails on umlauts."
    transcript.assistant(said)
    assert issue_texts(read(transcript)) == [said]


@pytest.mark.parametrize(
    "sentence",
    [
        "I fixed the import, but the login test still fails.",
        "The crash is not fixed yet.",
        "This should fix the build once the cache is gone.",
    ],
)
def test_what_sounds_solved_and_leaves_something_open_is_not_solved(
    read: Read, sentence: str
) -> None:
    transcript = started()
    transcript.assistant(sentence)
    assert sentence not in [said.text for said in extract_solved(read(transcript))]


LONG = (
    "go test -tags=integration -race ./cmd/entire/cli/integration_test/ -run TestCommitBeforeStop"
)


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        (LONG, LONG),
        (f"{LONG} 2>&1 | tail -40", f"{LONG} -v 2>&1 | grep -E 'FAIL|ok'"),
        ("go test ./cli/strategy/... -v", "go test ./..."),
        ("go test ./cli/strategy", "go test -v ./cli/... 2>&1 | tail -5"),
        ("go test -run TestA ./cli/strategy", "mise run lint && mise run test:ci"),
        ("cd /home/u/app && pytest tests/api -x 2>&1 | head -50", "pytest tests/api -q"),
        ("npx tsc", "tsc --noEmit"),
    ],
)
def test_a_failing_check_is_settled_by_its_own_success_whatever_pipe_or_length(
    read: Read, failed: str, passed: str
) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": failed}, "--- FAIL: TestCommitBeforeStop", error=True)
    assert len(issue_texts(read(transcript))) == 1
    transcript.tool("Bash", {"command": passed}, "ok  \tentire.io/cli\t0.96s\n12 passed in 1.2s")
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("go test ./cli/strategy", "go test ./cli/session"),
        ("go test ./cli/...", "go test ./cli/... -run TestOne"),
        ("npm run build", "tsc --noEmit"),
    ],
)
def test_a_failing_check_is_not_settled_by_one_of_something_else(
    read: Read, failed: str, passed: str
) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": failed}, "--- FAIL: TestCommitBeforeStop", error=True)
    transcript.tool("Bash", {"command": passed}, "ok  \tentire.io/cli\t0.96s")
    assert len(issue_texts(read(transcript))) == 1


def test_a_check_that_fails_again_with_another_pipe_is_one_issue(read: Read) -> None:
    transcript = started()
    for pipe in ("| head -100", "| tail -150", ""):
        command = f"mise run test:ci 2>&1 {pipe}"
        transcript.tool("Bash", {"command": command}, "--- FAIL: TestCommit", error=True)
    assert len(issue_texts(read(transcript))) == 1


def test_a_slip_of_the_models_own_hands_is_no_issue(read: Read) -> None:
    transcript = started()
    told = "String to replace not found in file."
    transcript.tool("Edit", {"file_path": "/p/a.sh"}, told, error=True)
    assert extract_issues(read(transcript)) == ()
    transcript.tool("Bash", {"command": "S=/p; git push"}, "fatal: no remote", error=True)
    (issue,) = extract_issues(read(transcript))
    assert issue.text.startswith("`git push` fails")


@pytest.mark.parametrize(
    ("line", "output", "is_over"),
    [
        ("./gradlew build -q 2>&1 | tail -20; ls libs", "checkVision: OK\nshop.jar", True),
        ("./gradlew build -q 2>&1 | head", "checkVision: OK\nshop.jar", False),
        ("./gradlew build -q > o.txt 2>&1; echo done", "done", False),
        ("./gradlew build -q 2>&1 | tail; echo $?", "1", False),
        ("./gradlew build -q 2>&1 | tail -2", "checkVision: OK", False),
        ("./gradlew build -q & echo started", "started", False),
        ("./gradlew build -q 2>&1 | tail -20; ls libs", "BUILD FAILED in 3s", False),
    ],
)
def test_a_check_whose_end_tells_of_no_failure_ends_its_issue(
    read: Read, line: str, output: str, is_over: bool
) -> None:
    transcript = started()
    failing = "FAILURE: Build failed with an exception.\nBUILD FAILED in 23s"
    transcript.tool("Bash", {"command": "./gradlew build -q 2>&1"}, failing, error=True)
    transcript.tool("Bash", {"command": line}, output)
    assert (issue_texts(read(transcript)) == []) is is_over


@pytest.mark.parametrize(
    ("told", "issue"),
    [
        ('Agent "Look at MFA" failed: no route to host', '`Agent "Look at MFA"` fails: no route'),
        ('Background command "Start it" failed with exit code 1', "with exit code 1"),
        ('Background command "Start it" failed with exit code 143', ""),
    ],
)
def test_work_that_failed_in_the_background_is_an_issue(read: Read, told: str, issue: str) -> None:
    transcript = started()
    transcript.user(
        "<task-notification>\n<task-id>a1</task-id>\n<status>failed</status>\n"
        f"<summary>{told}</summary>\n</task-notification>"
    )
    issues = issue_texts(read(transcript))
    assert (len(issues) == 1 and issue in issues[0]) if issue else not issues


def test_what_git_stopped_at_a_conflict_is_under_way_until_it_is_continued(read: Read) -> None:
    transcript = started()
    stopped = "Rebasing (1/4)\nCONFLICT (content): Merge conflict in app.go"
    transcript.tool("Bash", {"command": "git rebase origin/main 2>&1 | tail -5"}, stopped)
    transcript.tool("Edit", {"file_path": "/home/u/app/app.go"}, "updated")
    transcript.user("keep both sides there")
    for _ in range(25):
        transcript.tool("Edit", {"file_path": "/home/u/app/app.go"}, "updated")
    assert issue_texts(read(transcript)) == [
        "`git rebase origin/main` fails: CONFLICT (content): Merge conflict in app.go"
        "; under way, it goes on with `git rebase --continue`"
    ]
    done = {"command": "git add app.go && GIT_EDITOR=true git rebase --continue"}
    transcript.tool("Bash", done, "Successfully rebased and updated refs/heads/app.")
    assert issue_texts(read(transcript)) == []


def test_what_one_tool_of_a_server_failed_at_is_settled_by_another_of_them(read: Read) -> None:
    transcript = started()
    transcript.tool("mcp__browser__click", {"ref": "e1"}, "Error: not visible", error=True)
    assert issue_texts(read(transcript)) == ["`mcp__browser__click` fails: Error: not visible"]
    transcript.tool("mcp__browser__run_code", {"code": "upload()"}, "done")
    assert issue_texts(read(transcript)) == []


@pytest.mark.parametrize(
    "words", ["it's fixed, right?", "is it gone?", "that works for admins only"]
)
def test_who_asks_whether_it_is_over_or_says_so_in_part_settles_nothing(
    read: Read, words: str
) -> None:
    transcript = started()
    transcript.user("the export still fails on umlauts")
    transcript.user(words)
    assert "the export still fails on umlauts" in issue_texts(read(transcript))
