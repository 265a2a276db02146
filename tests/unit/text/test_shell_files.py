"""Which files a shell line shows, writes, removes and moves."""

import pytest

from amplihack_compaction.text.shell_files import file_events, written_files

PYTHON = "python3 - <<'EOF'\n{}\nEOF"


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("cat > src/a.py <<'EOF'\nimport os\nEOF", ["src/a.py"]),
        ("cat <<EOF > a.txt\nb > c.txt\nEOF\necho done", ["a.txt"]),
        ("cd /p/app && cat >> ./b/c.ts << 'X'\nlet a = 1;\nX\nnpx tsc", ["/p/app/b/c.ts"]),
        ('cd "/p/my app"\nprintf "%s\\n" a > "x y.txt"', ["/p/my app/x y.txt"]),
        ("echo A=1 | sudo tee -a /etc/app.conf >/dev/null", ["/etc/app.conf"]),
        ("tee a.yml b.yml <<EOF\nx\nEOF", ["a.yml", "b.yml"]),
        ("sed -i 's/a/b/' one.go two.go && go build ./...", ["one.go", "two.go"]),
        ("sed -i '' -e 's/a/b/' -e 's/c/d/' one.go", ["one.go"]),
        ("sed -i.bak 's/a/b/' one.go", ["one.go"]),
        ("perl -0pi -e 's/a/b/g' lib/x.pl", ["lib/x.pl"]),
        (PYTHON.format("p='a/b.py'\ns=open(p).read()\nopen(p,'w').write(s)"), ["a/b.py"]),
        (PYTHON.format("open('a.json', mode=\"w\").write('x')"), ["a.json"]),
        (PYTHON.format("import pathlib\np = pathlib.Path('c.md')\np.write_text('x')"), ["c.md"]),
        (PYTHON.format("Path('d.md').write_text('x')"), ["d.md"]),
        (
            PYTHON.format("for f in ['x.py', \"y.py\"]:\n    open(f, 'w').write(open(f).read())"),
            ["x.py", "y.py"],
        ),
        ("python -c \"open('e.py','a').write('x')\"", ["e.py"]),
        ("node -e \"fs.writeFileSync('f.js', s)\"", ["f.js"]),
        ('python3 -c "open(\\"q.py\\",\\"w\\").write(s)"', ["q.py"]),
        ("(cd web && npm ci) && sed -i s/a/b/ README.md", ["README.md"]),
        ("pushd web; npm ci; popd; sed -i s/a/b/ a.go", ["a.go"]),
        ("cd web && npm ci && cd - && sed -i s/a/b/ a.go", ["a.go"]),
        ("sed -i --expression='s/a/b/' a.go", ["a.go"]),
        ("(cd a && cd b && make) && echo x > f.py", ["f.py"]),
        ("(cd a; (cd b; make); echo x > f.py); echo y > g.py", ["a/f.py", "g.py"]),
        ("pushd a && cd b && popd && echo x > f.py", ["f.py"]),
        ("cd app; case $x in a) echo hi > f.py;; esac; echo hi > g.py", ["app/f.py", "app/g.py"]),
        ("cat > a.py <<END-OF\n1\nEND-OF\necho x > b.py", ["a.py", "b.py"]),
        ("git commit -m \"$(cat <<'EOF'\nm\nEOF)\" && echo x > b.py", ["b.py"]),
        (PYTHON.format("s = s.replace('```','')\nopen('a.md','w')\nprint('`x`')"), ["a.md"]),
        ("cat > a.env <<'E'\nECHO=1\nsed -i s/a/b/ prod.py\nE\n", ["a.env"]),
        ("node <<'EOF'\nconst p = 'g.js'\nfs.writeFileSync(p, s)\nEOF", ["g.js"]),
        (
            "W=/p/wt\nS=$W/src\ncd $W && echo x > a.py; echo y > ${S}/b.py",
            ["/p/wt/a.py", "/p/wt/src/b.py"],
        ),
        ("export F='a b.py'; echo x > \"$F\"", ["a b.py"]),
        (
            "S=/private/tmp/claude-501/-p/1a-2b/scratchpad\ncat > $S/walk.html <<'E'\nx\nE",
            ["/private/tmp/claude-501/-p/1a-2b/scratchpad/walk.html"],
        ),
        ("F=a.py; F=b.py; echo x > $F; echo y > c.py", ["c.py"]),
        ("F=$(ls | head -1); echo x > $F; F=a.py make; echo y > c.py", ["c.py"]),
    ],
)
def test_what_is_typed_edited_or_saved(line: str, files: list[str]) -> None:
    assert list(written_files(line)) == files


@pytest.mark.parametrize(
    "line",
    [
        "npm test > out.txt 2>&1",
        "npm test | tee results.txt",
        "cat a.py",
        "cat > /tmp/x.py <<EOF\n1\nEOF",
        "cat > /dev/null <<EOF\n1\nEOF",
        'echo hi >> "$GITHUB_ENV"',
        "echo hi > run.log",
        'cd "$DIR" && echo hi > a.txt',
        "sed -n 1,20p a.py",
        "sed 's/a/b/' a.py 2> errors.txt",
        "grep -c 'x > y' a.py",
        "git commit -m \"$(cat <<'EOF'\nopen('a.py', 'w')\nEOF\n)\"",
        PYTHON.format("print(open('a.py').read())"),
        PYTHON.format("import sys\nopen(sys.argv[1], 'w')"),
        PYTHON.format("s = '''open('prod.json','w')'''\n# never open('prod.json','w')"),
        "[ -f .env ] || echo A=1 > .env",
        PYTHON.format("open(f'{x}.py', 'w')"),
        "ssh host 'cat > a.py <<EOF\n1\nEOF'",
    ],
)
def test_what_writes_no_file_that_is_worked_on(line: str) -> None:
    assert written_files(line) == ()


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("cat a.py b/c.ts | head -20", ["a.py", "b/c.ts"]),
        ("cat ~/.netrc .env 2>/dev/null; cat a.py || cat b.py", ["a.py"]),
        ("cd /p && sed -n '1,40p' src/a.go; tail -n 5 ./b.md", ["/p/src/a.go", "/p/b.md"]),
        ("head -50 Makefile && nl -ba x.c | sed -n 3p", ["Makefile", "x.c"]),
        ("cat > a.py <<'EOF'\ncat b.py\nEOF", []),
        ("cat a.py > b.py", []),
        ("git diff | cat", []),
        ("cat /tmp/x.txt run.log *.md", []),
        ("tail -n +120 src/x.py | head -40", ["src/x.py"]),
        ("bat --style plain -r 1:20 Makefile", ["Makefile"]),
        ("[ -f NOTES.md ] && cat NOTES.md || echo none; cat a.py", ["a.py"]),
        ("sed -i s/a/b/ a.py", []),
        ("grep -n x a.py", []),
    ],
)
def test_what_is_shown(line: str, files: list[str]) -> None:
    assert [event.path for event in file_events(line) if event.kind == "read"] == files


def test_files_are_written_removed_and_moved_in_order() -> None:
    line = "rm a.py; cat > b.new <<'E'\n1\nE\nmv b.new b.py && git mv c.py lib/ && rm -f d.py"
    assert [event[:3] for event in file_events(line)] == [
        ("removed", "a.py", ""),
        ("written", "b.new", ""),
        ("moved", "b.new", "b.py"),
        ("moved", "c.py", "lib/c.py"),
        ("removed", "d.py", ""),
    ]


@pytest.mark.parametrize(
    ("line", "sure"),
    [
        ("cat > a.py <<'E'\n1\nE\npytest -q", ["a.py"]),
        ("cd p && echo x > a.py && npm test", ["p/a.py"]),
        ("git mv a.py b.py && pytest -q", ["a.py"]),
        ("echo x | tee a.py; npm test", ["a.py"]),
        ("python3 - <<'E'\nopen('a.py','w')\nE\nnpm test", ["a.py"]),
        ("pytest -q && sed -i s/a/b/ a.py", []),
        ("mkdir d && sed -i s/a/b/ a.py; ls", ["a.py"]),
        ("grep x b.py && sed -i s/a/b/ a.py; ls", []),
        ("sed -i s/a/b/ a.py", []),
        ("make || echo x > a.py; ls", []),
    ],
)
def test_what_was_done_also_where_the_line_failed(line: str, sure: list[str]) -> None:
    assert [event.path for event in file_events(line) if event.is_sure] == sure


@pytest.mark.parametrize(
    "line",
    ["mv out.json /tmp/", "mv dist/*.js public/", "git mv -n a.py b.py", "git rm --cached .env"],
)
def test_what_is_moved_nowhere_has_no_target(line: str) -> None:
    assert all(not event.target for event in file_events(line))
