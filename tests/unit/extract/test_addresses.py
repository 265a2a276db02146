"""Servers, endpoints and hosts that the model's commands use."""

import pytest

from amplihack_compaction.extract.values import extract_addresses
from tests.unit.conftest import Read, started


def addresses(read: Read, *commands: str) -> list[str]:
    transcript = started()
    for command in commands:
        transcript.tool("Bash", {"command": command}, "ok")
    return [item.text for item in extract_addresses(read(transcript))]


@pytest.mark.parametrize(
    ("command", "address"),
    [
        ("curl -s https://127.0.0.1:3847/process-xml -d @x", "https://127.0.0.1:3847"),
        ("curl http://localhost:11434/api/tags", "http://localhost:11434"),
        ("psql -h localhost:5432 shop", "localhost:5432"),
        ("createdb --url postgres://ada@localhost:5432/shop", "postgres://localhost:5432/shop"),
        ("mongosh mongodb://ada:x1@127.0.0.1:27017/shop", "mongodb://127.0.0.1:27017/shop"),
        ("REDIS=redis://localhost:6379/2 npm start", "redis://localhost:6379/2"),
        (
            "curl https://api.shop.example/v2/4oa1b4awk/health",
            "https://api.shop.example/v2/4oa1b4awk/health",
        ),
        ("curl -s localhost:3000/healthz", "http://localhost:3000/healthz"),
        ("curl -s http://localhost:3000/api/health -o x", "http://localhost:3000/api/health"),
        ("ssh root@203.0.113.9 'docker ps'", "root@203.0.113.9"),
        ("gh pr checks 142 --watch", "PR #142"),
        ("glab mr merge -d 7", "PR #7"),
        ("gh api repos/ada/shop/pulls/31/comments --jq '.[].body'", "PR ada/shop#31"),
        ("git pull https://github.com/ada1985x/shop", "https://github.com/ada1985x/shop"),
        ("git clone https://github.com/ada/shop", "https://github.com/ada/shop"),
        ("gh run view 22197927426 --log-failed | tail", "CI run 22197927426"),
    ],
)
def test_what_a_command_was_sent_to_is_kept(read: Read, command: str, address: str) -> None:
    assert addresses(read, command) == [address]


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'See https://tracker.example/issues/7'",
        "gh pr create --body 'Made with https://tool.example.com'",
        "git -c user.email=ada@shop.example log",
        "git config --get credential.https://github.com.helper",
        "ls src",
        "ssh -T git@github.com",
    ],
)
def test_what_is_only_written_down_is_no_address_in_use(read: Read, command: str) -> None:
    assert addresses(read, command) == []


def test_the_address_used_last_stands_last_and_once(read: Read) -> None:
    first, second = "curl http://localhost:3000/a", "curl http://localhost:4000/b"
    expected = ["http://localhost:4000", "http://localhost:3000"]
    assert addresses(read, first, second, first) == expected


def test_a_local_address_that_the_model_tells_twice_counts(read: Read) -> None:
    transcript = started()
    for _ in range(2):
        transcript.assistant("It runs on http://localhost:3001, see https://docs.example.com.")
        transcript.user("Go on.")
    assert [item.text for item in extract_addresses(read(transcript))] == ["http://localhost:3001"]


def test_a_pull_request_that_was_made_is_kept(read: Read) -> None:
    transcript = started()
    url = "https://git.example.com/shop/api/pull/136"
    transcript.tool("Bash", {"command": "gh pr create --fill"}, f"Creating...\n\n{url}\n")
    transcript.tool("Bash", {"command": "gh pr create"}, f"exists: {url[:-1]}7", error=True)
    transcript.tool("Bash", {"command": "cat notes"}, f"{url[:-1]}8")
    assert [item.text for item in extract_addresses(read(transcript))] == [url]


def test_an_id_that_several_commands_name_is_kept_and_no_commit(read: Read) -> None:
    commands = ("runpod stop 4s8uzmhs935609", "runpod start 4s8uzmhs935609", "git show 1a2b3c4d5")
    assert addresses(read, *commands) == ["4s8uzmhs935609"]
    named = (
        "git diff ba25764~1..ba25764",
        "git show ba25764 -- a.go",
        "echo SHOP-12",
        "echo SHOP-12",
    )
    assert addresses(read, *named) == ["SHOP-12"]


def test_an_id_that_an_output_gave_and_a_command_took_is_kept(read: Read) -> None:
    transcript = started()
    made = "Created template: pj5hu66qyn, beside kj6lbd2a9w"
    transcript.tool("Bash", {"command": "./make_template.sh"}, made)
    update = "./update.sh 4oa1b4awkenwvn --template pj5hu66qyn"
    transcript.tool("Bash", {"command": update}, "updated 4oa1b4awkenwvn")
    assert [item.text for item in extract_addresses(read(transcript))] == ["--template pj5hu66qyn"]


def test_variables_of_the_shell_are_no_ids(read: Read) -> None:
    command = 'curl -H "Key: $SHOP_API_KEY" x && LOG_FILE=/tmp/x make'
    assert addresses(read, command, command) == []


def test_words_and_paths_are_no_ids(read: Read) -> None:
    command = "cargo test --no-default-features src/version2/parse10.rs version-bump 1920x1080"
    assert addresses(read, command, command) == []


def test_ids_of_one_command_stand_as_it_names_them(read: Read) -> None:
    names = [f"SHOP-{number}" for number in (31, 4, 15, 92, 6, 53)]
    command = "echo " + " ".join(names)
    assert addresses(read, command, command)[-len(names) :] == names


def test_the_number_of_a_redirection_is_no_pull_requests(read: Read) -> None:
    assert addresses(read, "gh pr checks 2>&1 | head") == []


def test_an_id_stands_with_the_name_that_commands_give_it(read: Read) -> None:
    version = "4f0c2b1e-7d43-4a0e-9a55-0c3fd1f2a6b7"
    commands = (
        f'V_ID="{version}"; asc get $V_ID --app 6799644194',
        f"asc submit {version} --app=6799644194",
    )
    assert addresses(read, *commands) == [f"V_ID={version}", "--app=6799644194"]
    assert addresses(read, *("sleep --timeout 600000; seq --limit 1000000",) * 2) == []
    in_path = "cat C:\\Temp\\a1b2c3d4-7d43-4a0e-9a55-0c3fd1f2a6b7\\x.txt"
    assert addresses(read, in_path, in_path) == []
