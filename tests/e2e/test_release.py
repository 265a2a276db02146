"""What a release lists as its parts is what it needs to run, and nothing else."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.processes import CHECKOUT

ADDRESS = "https://example.org/somebody/amplihack-compaction"
LARGEST_SOURCE_BYTES = 1_050_000


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed() -> set[str]:
    """Return what the package needs to run, and what that needs, by the installed metadata."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: set[str] = set()
    due = [Requirement(each) for each in project["dependencies"]]
    while due:
        each = due.pop()
        if plain(each.name) in found:
            continue
        found.add(plain(each.name))
        below = [Requirement(text) for text in requires(each.name) or ()]
        due += [r for r in below if r.marker is None or r.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    done = subprocess.run(
        [str(CHECKOUT / ".ci/release"), "--without-audit", str(folder)],
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "PYTHON": sys.executable,
            "REPOSITORY_URL": ADDRESS,
        },
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "NOT AUDITED" in done.stderr
    return folder


def test_the_bill_of_materials_lists_exactly_what_runs(released: Path) -> None:
    bill = json.loads((released / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "amplihack-compaction"
    listed = [plain(each["name"]) for each in bill["components"]]
    assert sorted(listed) == sorted(needed())
    assert all(each["version"] and each["purl"] for each in bill["components"])


def test_the_lock_has_the_same_versions_each_with_a_hash(released: Path) -> None:
    bill = json.loads((released / "sbom.cdx.json").read_text(encoding="utf-8"))
    parts = {(plain(each["name"]), each["version"]) for each in bill["components"]}
    locked = set()
    for line in (released / "requirements.lock").read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"([\w.-]+)==([\w.]+) --hash=sha256:[0-9a-f]{64}", line)
        assert found is not None, line
        locked.add((plain(found[1]), found[2]))
    assert locked == parts


def test_the_package_has_what_it_needs_and_no_tests(released: Path) -> None:
    (wheel,) = released.glob("amplihack_compaction-*.whl")
    (source,) = released.glob("amplihack_compaction-*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {".claude-plugin/plugin.json", "hooks/hooks.json", "commands/recall.md"} <= names
    inside = zipfile.ZipFile(wheel).namelist()
    assert "amplihack_compaction/commands/recall.md" in inside
    assert not [name for name in (*names, *inside) if "tests/" in name]
    assert source.stat().st_size < LARGEST_SOURCE_BYTES


def test_every_link_of_the_page_on_an_index_leads_somewhere(released: Path) -> None:
    (wheel,) = released.glob("amplihack_compaction-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        page = archive.read(name).decode()
    head, _, text = page.partition("\n\n")
    assert f"Project-URL: Repository, {ADDRESS}\n" in head
    links = re.findall(r"\]\(([^)\s]+)", text)
    assert len(links) > 20
    for link in links:
        assert link.startswith(("https://", "#")), link
        below = link.removeprefix(f"{ADDRESS}/blob/HEAD/").removeprefix(f"{ADDRESS}/raw/HEAD/")
        assert below == link or (CHECKOUT / below.partition("#")[0]).exists(), link


@pytest.mark.parametrize(
    ("dependencies", "code"),
    [
        ([{"name": "a", "version": "1", "vulns": []}], 0),
        ([{"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]}], 1),
        ([{"name": "a", "skip_reason": "Dependency not found"}], 2),
        ([{"name": "b", "version": "1", "vulns": []}], 2),
        ([], 2),
        (None, 2),
    ],
)
def test_an_audit_that_skipped_anything_is_none(
    tmp_path: Path, dependencies: list[dict[str, object]] | None, code: int
) -> None:
    (tmp_path / "lock").write_text("a==1 --hash=sha256:0\n")
    if dependencies is not None:
        (tmp_path / "audit").write_text(json.dumps({"dependencies": dependencies}))
    command = [sys.executable, ".ci/audited.py", f"{tmp_path}/lock", f"{tmp_path}/audit"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("NOT AUDITED" in done.stderr) is (code == 2)
