"""Where a project keeps this package's files (hot).

<root>/.claude/runtime/power-steering/
    .gitignore                 "*"
    hooks.log                  one line per problem, bounded
    compaction_events.json     what the validator reads
    store.db                   the session store, see `database.schema`
    sessions/<name>/           one folder per session, see `session_folder`
"""

import posix

from amplihack_compaction.base.files import is_link, link_on_way, make_folder, replace_atomically

RUNTIME_FOLDER = ".claude/runtime/power-steering"
STORE_FILE = "store.db"
EDITS_FILE = "edits.jsonl"
"""What was changed in a session's ledger by hand, in its folder."""
GUARD_FILE = "guard"
"""The rules that a session's tool calls are held against, in its folder."""
_GONE = (
    "the project's folder is gone, and what is kept of its sessions lies in it: bring it back or"
    " make it anew, empty, with `mkdir -p`; what only prints needs no folder, as `handoff --print`"
)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_PLAIN_LIMIT = 80


def project_root() -> str:
    """Return the project's root: `$CLAUDE_PROJECT_DIR`, else the folder the process runs in.

    A payload's `cwd` is never used: it follows every `cd` of the session. Empty when the folder
    is gone.
    """
    named = posix.environ.get(b"CLAUDE_PROJECT_DIR", b"")
    if named:
        return named.decode("utf-8", "surrogateescape")
    try:
        return posix.getcwd()
    except OSError:
        return ""


def runtime_folder(root: str) -> str:
    """Return the folder for everything that is written in a project."""
    return f"{root}/{RUNTIME_FOLDER}"


def session_folder(root: str, session_id: str) -> str:
    """Return the folder of one session; any string is a session id.

    The client's ids (UUIDs) stay readable. Every other string gets a name made from its hash,
    so that no id can leave the folder or collide with another one.
    """
    return f"{runtime_folder(root)}/sessions/{session_name(session_id)}"


def session_name(session_id: str) -> str:
    """Return the file name that stands for a session id."""
    if 0 < len(session_id) <= _PLAIN_LIMIT and _PLAIN.issuperset(session_id):
        return session_id
    from _blake2 import blake2b

    digest = blake2b(session_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"id.{digest}"


def is_transcript_path(path: str) -> bool:
    """Return whether a path that was told or stored can be a transcript's: absolute, `….jsonl`.

    Where the client keeps its transcripts is its own affair; what it never has is another name.
    """
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False  # half a character, which no file's name has
    return path.startswith("/") and path.endswith(".jsonl") and "/../" not in path


def linked_folder(root: str) -> str:
    """Return the first folder on the way to this package's files that is a link, or nothing.

    Asked before anything there is read by name, renamed or removed: git can carry such a link.
    """
    runtime = runtime_folder(root)
    offers = f"{runtime}/offers"
    return link_on_way(f"{runtime}/sessions/") or (offers if is_link(offers) else "")


def prepare_runtime(root: str) -> None:
    """Make the runtime folder with the `.gitignore` that keeps it out of every commit.

    Raises FileNotFoundError when the project's root is gone: it is not made again. Raises OSError
    when a folder on the way is a link: a repository that somebody else made could lead every file
    that is written here out of the project.
    """
    runtime = runtime_folder(root)
    link = linked_folder(root)
    if link:
        raise OSError(f"{link} is a link; nothing is written through it")
    try:
        posix.stat(f"{runtime}/.gitignore")
    except FileNotFoundError:
        try:
            posix.stat(root)
        except FileNotFoundError as error:
            raise FileNotFoundError(error.errno, _GONE, root) from None
        make_folder(runtime)
        replace_atomically(f"{runtime}/.gitignore", b"*\n")
