"""Which calls break a rule: planted ones, ones that are allowed, and rules that bar nothing."""

import re
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.extract.barred_calls import is_broken
from amplihack_compaction.extract.barred_words import doings, programs
from tests.support.guard_lists import bans_for, breaks, guard_list, tool_input


def test_every_planted_violation_is_noticed_and_the_words_of_a_ban_are_patterns() -> None:
    missed = []
    for rule, tool, given, branch in guard_list("planted"):
        bans, call = bans_for(rule), tool_input(tool, given)
        assert all(re.compile(ban.words) for ban in bans)
        if not any(is_broken(ban, tool, call, "/repo", branch) for ban in bans):
            missed.append((rule, given))
    assert missed == []


def test_what_a_rule_allows_is_not_noticed() -> None:
    rows = guard_list("allowed")
    assert [row for row in rows if breaks(*row)] == []


@pytest.mark.parametrize(
    ("rule", "path", "old", "new", "broken"),
    [
        ("No console.log in src/.", "/repo/src/a.ts", "", "console.log(total)", True),
        ("No console.log in src/.", "/repo/tools/a.ts", "", "console.log(total)", False),
        ("No console.log in src/.", "/repo/src/a.ts", "console.log(1)", "console.log(2)", False),
        (
            "don't add eslint-disable comments",
            "/repo/a.ts",
            "x",
            "// eslint-disable-next-line",
            True,
        ),
        ("Never skip tests with .skip", "/repo/a.ts", "it('a')", "it.skip('a')", True),
        ("never use `any`", "/repo/a.ts", "f(x: A)", "f(x: any)", True),
        ("never use `any`", "/repo/a.ts", "", "// in any case", False),
        ("never import lodash", "/repo/a.ts", "", "import { map } from 'lodash'", True),
        ("never import lodash", "/repo/a.ts", "", "// lodash would be larger", False),
        ("don't use pandas here, we're on polars", "/repo/a.py", "", "import pandas as pd\n", True),
        ("don't use pandas here, we're on polars", "/repo/a.py", "", "# as in pandas", False),
        ("never use moment.js", "/repo/a.ts", "", "import moment from 'moment';", True),
        ("Do not use lodash", "/repo/a.ts", "", "const _ = require('lodash/map')", True),
        ("no print statements", "/repo/a.py", "", "print(total)", True),
        ("no print statements", "/repo/a.go", "", "fmt.Sprint(total)", False),
        ("no TODO comments please", "/repo/a.py", "", "# TODO: later", True),
    ],
)
def test_what_is_written_is_held_against_words_that_are_barred(
    rule: str, path: str, old: str, new: str, broken: bool
) -> None:
    edit = {"file_path": path, "old_string": old, "new_string": new}
    assert breaks(rule, "Edit", edit) is broken
    edits = [{"old_string": old, "new_string": new}]
    assert breaks(rule, "MultiEdit", {"file_path": path, "edits": edits}) is broken
    if not old:
        assert breaks(rule, "Write", {"file_path": path, "content": new}) is broken


@pytest.mark.parametrize(
    ("command", "broken"),
    [
        ('python -c "import pandas as pd; print(pd.__version__)"', True),
        ("cat > a.py <<EOF\nimport pandas as pd\nEOF", True),
        ('grep -rn "import pandas as" src', False),
        ('git commit -m "Drop import pandas as pd"', False),
    ],
)
def test_what_a_command_writes_or_evaluates_is_held_against_them_too(
    command: str, broken: bool
) -> None:
    assert breaks("don't use pandas here", "Bash", command) is broken


def test_a_part_of_a_file_is_barred_where_an_edit_has_it() -> None:
    rule, path = "Don't change the scripts in package.json.", "/repo/package.json"
    script = {"file_path": path, "old_string": '"scripts": {', "new_string": '"scripts": {"a": "b"'}
    version = {"file_path": path, "old_string": '"version": "1"', "new_string": '"version": "2"'}
    assert breaks(rule, "Edit", script)
    assert not breaks(rule, "Edit", version)


@pytest.mark.parametrize(
    ("rule", "command", "broken"),
    [
        ("Don't touch go.mod.", "go mod tidy", True),
        ("Don't touch go.mod.", "go get -u ./...", True),
        ("Don't touch go.mod.", "go mod download && go build ./...", False),
        ("Don't touch go.mod.", "python3 - <<'E'\np='go.mod'\nopen(p, 'w').write(x)\nE", True),
        ("Don't touch go.mod.", "python3 - <<'E'\nprint(open('go.mod').read())\nE", False),
        ("Never edit files in vendor/.", "node -e \"fs.writeFileSync('vendor/a.js', s)\"", True),
        ("Never edit files in vendor/.", "docker exec api sh -c 'echo x > vendor/a.js'", True),
        ("Never edit files in vendor/.", "{ echo 1; cat a; } > vendor/a.js", True),
        ("Never edit files in vendor/.", "(cat a; cat b) >> vendor/a.js", True),
        ("Never touch .env.", "test -f x && > .env", True),
        ("Never edit files in vendor/.", "xargs sh -c 'rm vendor/a.js'", True),
        ("Never touch .env.", "X=$(openssl rand -hex 8 > .env)", True),
        ("Never touch .env.", "bash <<'EOF'\necho x > .env\nEOF", True),
        ("Never touch .env.", "find . -exec sh -c 'echo x > .env' \\;", True),
        ("Never touch .env.", "cat .env.example | tee /tmp/env", False),
        ("Never touch .env.", "cat >> README.md <<'E'\necho KEY=x >> .env\nE", False),
        ("Never touch .env.", "git commit -m 'docs: say to echo KEY=x > .env'", False),
        ("Never edit files in docs/.", "cat > a.md <<'E'\n> docs/a.md says so\nE", False),
        ("Never edit files in vendor/.", "ls # gen > vendor/a.js", False),
        ("Never edit files in vendor/.", "grep -rn '> vendor/' scripts", False),
        ("Never edit files in vendor/.", "cd vendor && rm a.js", True),
        ("Never edit files in vendor/.", "cd vendor && ls; cd .. && rm a.js", False),
        ("Never edit files in vendor/.", "true || rm vendor/a.js", True),
        ("Never edit files in vendor/.", "F=vendor/a.js; sed -i s/a/b/ $F", True),
        ("Never edit files in vendor/.", "curl -o vendor/a.js https://x.org/a.js", True),
        ("Never edit files in vendor/.", "tar xzf a.tgz -C vendor", True),
        ("Never edit files in vendor/.", "tar czf a.tgz -C vendor .", False),
        ("Never edit files in vendor/.", "unzip a.zip -d vendor", True),
        ("Never edit files in vendor/.", "find vendor -name '*.js' -delete", True),
        ("Never edit files in vendor/.", "find vendor -exec sed -i s/a/b/ {} +", True),
        ("Never edit files in vendor/.", "find vendor -exec wc -l {} +", False),
        ("Never edit files in vendor/.", "ruff format vendor/", True),
        ("Never edit files in vendor/.", "ruff format --check vendor/", False),
        ("Never edit files in vendor/.", "install -m 644 vendor/a.js /usr/share/", False),
        ("Never edit files in vendor/.", "ln -s ../vendor/a.js link.js", False),
        ("Never edit files in vendor/.", "git restore --staged vendor/a.js", False),
        ("Never edit files in vendor/.", "git rm --cached vendor/a.js", False),
        ("Never edit files in vendor/.", "git clean -n vendor/", False),
        ("Never edit files in docs/.", "git checkout -b docs/readme-fix", False),
        ("Never edit files in docs/.", "git checkout docs/readme.md", True),
        ("Never edit files in docs/.", "git checkout docs/", True),
        ("Never edit files in docs/.", "grep -rl x docs | xargs sed -i s/x/y/", True),
        ("Never edit files in docs/.", "grep -rl x src | xargs sed -i s/x/y/", False),
        ("Never edit files in docs/.", "find docs -name '*.md' | xargs wc -l", False),
        ("Never edit files in docs/.", 'for f in docs/*.md; do sed -i s/x/y/ "$f"; done', True),
        ("Never edit files in docs/.", 'for f in docs/*.md; do wc -l "$f"; done', False),
        ("Never edit files in docs/.", "cd docs && sed -i 's/a/b/' ../README.md", False),
        ("Never edit files in docs/.", "(cd docs && ls) > list.txt", False),
        ("Never edit files in docs/.", "(\ncd docs\nmake html\n)\nrm -f build.log", False),
        ("Never edit files in docs/.", 'cd docs && make html; cd "$ROOT" && rm a', False),
        ("Never edit files in docs/.", "cd docs && git restore --source HEAD ../src/a", False),
        ("Never edit files in docs/.", "find . -name '*.log' -not -path './docs/*' -delete", False),
        ("Never edit files in docs/.", "ruff format --diff docs/", False),
        ("Never edit files in vendor/.", "bash -c 'X=1'", False),
        ("Please leave package.json alone.", "npm install left-pad", True),
        ("Do not edit web/package.json", "pnpm remove left-pad", True),
        ("Do not edit package.json", "npm install && npm test", False),
        ("Don't read package.json", "npm install left-pad", False),
        ("Do not edit the scripts in package.json", "npm install left-pad", False),
        ("Never change pyproject.toml by hand", "uv add rich", False),
        ("Don't edit Cargo.toml manually", "cargo add serde", False),
        ("Never force push.", "git push --mirror backup", True),
    ],
)
def test_a_file_is_barred_to_the_programs_that_write_it(
    rule: str, command: str, broken: bool
) -> None:
    assert breaks(rule, "Bash", {"command": command}) is broken


@pytest.mark.parametrize(
    ("rule", "command", "broken"),
    [
        ("Never run npm run build in apps/web", "cd apps/web && npm run build", True),
        ("Never run npm run build in apps/web", "npm run build --prefix apps/web", True),
        ("Never run npm run build in apps/web", "cd apps/api && npm run build", False),
        ("Don't use npm install in apps/web, use it at the root", "npm install zod", False),
        ("Never run npm run build in apps/web, only in apps/api", "cd apps/api && npm t", False),
    ],
)
def test_a_command_that_is_barred_in_a_folder_may_be_run_elsewhere(
    rule: str, command: str, broken: bool
) -> None:
    assert breaks(rule, "Bash", {"command": command}) is broken
    assert not breaks(rule, "Edit", {"file_path": "/repo/lib/a.ts", "new_string": "x"})


def test_what_alone_is_to_be_changed_holds_beside_a_command_that_is_barred() -> None:
    rule = "Work only in src/, never run npm publish"
    assert breaks(rule, "Edit", {"file_path": "/repo/lib/a.ts", "new_string": "x"})
    assert breaks(rule, "Bash", {"command": "npm publish"})
    assert not breaks(rule, "Edit", {"file_path": "/repo/src/a.ts", "new_string": "x"})


def test_a_services_tools_are_barred_but_for_those_that_read() -> None:
    for rule, service in (("Never post to Slack.", "slack"), ("don't create jira tickets", "jira")):
        assert breaks(rule, f"mcp__{service}__create_message", {})
        assert not breaks(rule, f"mcp__{service}__get_messages", {})
    assert breaks("never merge PRs", "mcp__github__merge_pull_request", {})
    assert not breaks("never merge PRs", "mcp__github__list_pull_requests", {})


@pytest.mark.parametrize(
    "rule",
    [
        "Never commit without running the tests.",
        "Don't push when the build is red.",
        "Never commit secrets.",
        "Don't use npm in the mobile folder of the old app.",
        "Never change the signature of parse in src/api.ts.",
        "Don't import from src/legacy/x.ts.",
        "Never deploy on Fridays.",
        "Use meaningful names, never abbreviations.",
        "Never use any.",
        "Don't make changes I did not ask for.",
        "Use 127.0.0.1 not localhost for the page.",
    ],
)
def test_a_rule_that_says_more_than_can_be_checked_bars_nothing(rule: str) -> None:
    calls = [
        ("Bash", "git commit -m x && git push origin main && npm install && fly deploy"),
        ("Edit", "/repo/src/api.ts"),
        ("Edit", "/repo/src/legacy/x.ts"),
        ("Bash", "make all"),
        ("Bash", "curl http://127.0.0.1:80/"),
    ]
    assert not any(breaks(rule, tool, given, "main") for tool, given in calls)


@pytest.mark.parametrize(
    "command",
    [
        "cd web && npm ci",
        "timeout 60 npm test",
        "bash -c 'npm test'",
        "FOO=1 npm test | tee log",
        "if true; then npm test; fi",
        "/usr/bin/npm test",
        "out=$(npm test 2>&1 | tail -1); echo $out",
        'echo "it\'s `npm test`"',
        "bash <<'E'\nset -e\nnpm test\nE",
        "ssh host <<E\nnpm test\nE",
        "ssh -p 22 host 'cd web && sudo npm test'",
        "bash -euo pipefail -c 'npm test'",
        "eval 'npm test'",
        "find . -name web -exec npm test \\;",
        "docker run --rm -v $PWD:/a node:22 npm test",
        "false || npm test",
    ],
)
def test_a_command_is_found_wherever_it_stands_in_a_line(command: str) -> None:
    assert breaks("Never use npm.", "Bash", command)


@pytest.mark.parametrize(
    "command",
    [
        "command -v npm",
        "git commit -m 'Tell of `npm test`'",
        "git commit -m \"$(cat <<'E'\nRun `npm test`, or $(npm test)\nE\n)\"",
        'git commit -m "Tell of \\`npm test\\`"',
    ],
)
def test_a_command_that_is_only_told_of_is_none(command: str) -> None:
    assert not breaks("Never use npm.", "Bash", command)


@pytest.mark.parametrize(("command", "is_barred"), [("rm -Rf a", True), ("rm -R a", False)])
def test_an_option_is_known_in_either_case(command: str, is_barred: bool) -> None:
    assert breaks("Never run rm -rf.", "Bash", command) is is_barred


def test_a_folder_of_the_same_name_elsewhere_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ban,) = bans_for("Never edit files in vendor/.")
    home, root = str(tmp_path), str(tmp_path / "repo" / "packages" / "a")
    monkeypatch.setenv("HOME", home)
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    for path in (f"{home}/repo/vendor/a.js", f"{home}/other/vendor/a.js"):
        assert is_broken(ban, "Edit", {"file_path": path}, root, ""), "the project has none"
    (tmp_path / "repo" / "vendor").mkdir()
    for path, is_barred in (
        (f"{root}/vendor/a.js", True),
        (f"{home}/repo/vendor/a.js", True),
        (f"{home}/repo-wt/vendor/a.js", True),
        (f"{home}/other/vendor/a.js", False),
        (f"{home}/repository/vendor/a.js", False),
    ):
        assert is_broken(ban, "Edit", {"file_path": path}, root, "") is is_barred, path
    for command, is_barred in (
        ("cp -r vendor /tmp/vendor", False),
        ("rm -rf /tmp/site/vendor", False),
        ("rm -rf ~/other/vendor", False),
        ("rm -rf ~/repo/vendor", True),
    ):
        assert is_broken(ban, "Bash", {"command": command}, root, "") is is_barred, command


def test_a_line_that_grows_by_its_variables_is_looked_at_as_it_is() -> None:
    line = f"A={'x' * 290}\n{'echo $A;' * 2_000}\ngit push origin main"
    assert breaks("Never push to main.", "Bash", line)


@pytest.mark.parametrize(
    ("command", "on", "is_barred"),
    [
        ("git push origin +main", "dev", True),
        ("git push origin dev:refs/heads/main", "dev", True),
        ("git push --all", "dev", True),
        ("git push origin HEAD", "main", True),
        ("git switch main && git push", "dev", True),
        ("git push origin HEAD:dev", "main", False),
        ("git push", "", False),
        ("B=main; git push origin $B", "dev", True),
        ("B=main\nB=$(git branch --show-current)\ngit push origin $B", "dev", False),
        ("for B in dev; do git push origin $B; done; B=main", "dev", False),
        ("git push --tags", "main", False),
        ("git push --help", "main", False),
    ],
)
def test_a_push_is_held_against_the_branch_it_goes_to(
    command: str, on: str, is_barred: bool
) -> None:
    assert breaks("Never push to main.", "Bash", command, on) is is_barred


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {}), ("Edit", {"file_path": 5}), ("Bash", {"command": None}), ("Bash", {}),
        ("Odd", {"file_path": "/repo/vendor/x"}), ("Bash", {"command": "'"}), ("", {}),
        ("Bash", {"command": "\0" * 10 + "((((" * 100}),
    ],
)  # fmt: skip
def test_a_call_of_another_shape_breaks_nothing(tool: str, given: dict[str, Any]) -> None:
    assert not breaks("Never touch vendor/.", tool, given)


def test_what_is_known_of_doings_is_well_formed() -> None:
    assert len(doings()) > 150
    for doing in doings():
        assert doing.verbs
        assert doing.nouns
        assert all(each.isascii() and each for each in doing.begins)
        assert all(line.strip() == line and "  " not in line for line in doing.by), doing.do
    assert {"terraform", "esptool", "sbatch", "psql"} <= programs()


@pytest.mark.parametrize(
    ("command", "is_barred"),
    [
        ("esptool.py --port /dev/ttyUSB0 write_flash 0x0 app.bin", True),
        ("west flash --runner jlink", True),
        ("west build -b nrf52840dk", False),
        ("esptool.py flash_id", False),
    ],
)
def test_what_is_done_is_told_by_the_tools_of_a_trade(command: str, is_barred: bool) -> None:
    for rule in ("never flash the board", "Bitte das Board nicht flashen", "不要烧录开发板"):
        assert breaks(rule, "Bash", command) is is_barred


def test_what_a_rule_says_beside_a_doing_has_to_be_in_the_command() -> None:
    rule = "never restart nginx"
    assert breaks(rule, "Bash", "sudo systemctl restart nginx")
    assert not breaks(rule, "Bash", "sudo systemctl restart postgresql")
    assert not breaks("don't run the whole e2e suite", "Bash", "npx playwright test e2e/a.spec.ts")
    assert breaks("don't run the whole e2e suite", "Bash", "npx playwright test")


def test_a_commands_own_word_with_a_colon_is_no_condition() -> None:
    assert breaks("Never run `make if:slow`.", "Bash", "make if:slow")
    assert not breaks("Never run `make if:slow`.", "Bash", "make all")
