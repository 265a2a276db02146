"""Rules, todos and decisions with what a summary may have made of them.

Each row: the item, its kind, sentences that keep it in other words, sentences that turn it round
or weaken it, sentences that keep only a part, and translations.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    item: str
    kind: str
    kept: tuple[str, ...]
    against: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    translated: tuple[str, ...] = ()


ROWS = (
    Row(
        "Never push to main without asking me.",
        "rule",
        (
            "Pushing to main is forbidden unless the user was asked first.",
            "Do not push to main without the user's consent; ask before.",
            "The assistant must ask before any push to main.",
        ),
        (
            "Push to main without asking.",
            "Pushing to main is fine now, no need to ask.",
            "It may push to main whenever it likes, asking is optional.",
        ),
        ("Never push anywhere.",),
        ("Nie ohne Rückfrage auf den Hauptzweig schieben.", "未经询问不得推送到主分支。"),
    ),
    Row(
        "Always run the unit tests before committing.",
        "rule",
        (
            "Unit tests have to be run before each commit.",
            "Before every commit the unit tests must be executed.",
            "- run unit tests prior to committing (required)",
        ),
        (
            "Unit tests need not be run before committing.",
            "Skip the unit tests before committing.",
            "Running the unit tests before a commit is optional.",
            "Run the unit tests before committing if time permits.",
            "Commit without running the unit tests.",
        ),
        (),
        ("Ejecuta siempre las pruebas unitarias antes de confirmar los cambios en git.",),
    ),
    Row(
        "Use pnpm, not npm.",
        "rule",
        (
            "pnpm is to be used instead of npm.",
            "Package manager: pnpm (never npm).",
            "The user prefers pnpm over npm.",
        ),
        ("Use npm, not pnpm.", "npm is to be used instead of pnpm.", "Don't use pnpm, use npm."),
        (),
        ("Verwende pnpm statt npm und frag nicht nach dem Grund.",),
    ),
    Row(
        "Don't touch the files under src/legacy/.",
        "rule",
        (
            "Files in src/legacy/ must not be edited.",
            "src/legacy/ is off-limits: no changes to its files.",
            "Avoid modifying any file below src/legacy/.",
        ),
        (
            "The files under src/legacy/ may now be changed.",
            "Edit the files under src/legacy/ freely.",
            "Touch the files under src/legacy/ as needed.",
        ),
        ("Don't touch the old files.",),
        ("Die Dateien unter src/legacy/ dürfen nicht verändert werden, das ist wichtig.",),
    ),
    Row(
        "Keep functions under 30 lines.",
        "rule",
        (
            "Functions must stay below 30 lines.",
            "No function may be longer than 30 lines.",
            "Function length: at most 30 lines.",
        ),
        ("Functions should have more than 30 lines.", "Keep functions above 30 lines."),
        ("Keep functions under 50 lines.", "Keep functions short."),
    ),
    Row(
        "All commit messages must be in English.",
        "rule",
        (
            "Commit messages are always written in English.",
            "English is required for every commit message.",
        ),
        (
            "Commit messages must not be in English.",
            "Commit messages no longer have to be in English.",
        ),
        ("Commit messages must be short.",),
        ("Todos los mensajes de confirmación deben estar en inglés.",),
    ),
    Row(
        "Never log access tokens or passwords.",
        "rule",
        (
            "Access tokens and passwords must never be logged.",
            "Logging of passwords or access tokens is prohibited.",
        ),
        (
            "Log access tokens and passwords.",
            "Access tokens and passwords are to be logged for debugging.",
            "Logging access tokens and passwords is allowed.",
        ),
    ),
    Row(
        "Only use the standard library, no third-party packages.",
        "rule",
        (
            "Nothing but the standard library may be used; third-party packages are forbidden.",
            "Use the standard library only (no third-party dependencies).",
        ),
        (
            "Third-party packages are allowed besides the standard library.",
            "Do not use the standard library, use third-party packages.",
        ),
    ),
    Row(
        "Use tabs for indentation.",
        "rule",
        ("Indentation is done with tabs.", "Indent with tabs (user's preference)."),
        ("Use spaces for indentation.", "Don't use tabs for indentation."),
    ),
    Row(
        "Set the request timeout to 45 seconds.",
        "rule",
        ("The request timeout is 45 s.", "Request timeouts must be set to 45 seconds."),
        (),
        ("Set the request timeout to 90 seconds.",),
    ),
    Row(
        "Never delete rows from the billing table.",
        "rule",
        (
            "Rows of the billing table must not be deleted.",
            "Deleting billing table rows is not allowed.",
        ),
        ("Delete rows from the billing table.", "Rows may be deleted from the billing table."),
    ),
    Row(
        "Don't add emojis to the README.",
        "rule",
        ("No emojis in the README.", "The README must be free of emojis: never add any."),
        ("Add emojis to the README.", "Emojis in the README are welcome; add some."),
    ),
    Row(
        "Ask me before you install a dependency.",
        "rule",
        (
            "The user wants to be asked before any dependency is installed.",
            "Installing dependencies requires asking first.",
            "No dependency may be installed without asking the user.",
        ),
        (
            "Install dependencies without asking.",
            "No need to ask before installing a dependency.",
            "Ask only after you have installed a dependency.",
        ),
    ),
    Row(
        "Never commit directly to the release branch, except for hotfixes.",
        "rule",
        (
            "No direct commits to the release branch; only hotfixes are exempt.",
            "Direct commits to the release branch are forbidden (exception: hotfixes).",
        ),
        ("Commit directly to the release branch.",),
        ("Never commit directly to the release branch.",),
    ),
    Row(
        "Leave the database schema alone.",
        "rule",
        ("The database schema is to be left alone.", "Leave the db schema alone (user rule)."),
    ),
    Row(
        "Bitte niemals direkt auf den Server deployen.",
        "rule",
        ("Auf den Server wird niemals direkt deployt.",),
        ("Bitte direkt auf den Server deployen.",),
        (),
        ("Never deploy straight to the machine that serves customers.",),
    ),
    Row(
        "不要修改数据库迁移文件。",
        "rule",
        ("数据库迁移文件不要修改。", "规则：不要修改数据库迁移文件"),
        ("请修改数据库迁移文件。", "可以修改数据库迁移文件。"),
        (),
        ("The migration scripts must stay as they are.",),
    ),
    Row(
        "Nunca uses console.log en producción.",
        "rule",
        ("No se debe usar console.log en producción.",),
        ("Usa console.log en producción.",),
        (),
        ("Never use console.log in production code.",),
    ),
    Row(
        "Ne modifie jamais le fichier config.yml sans demander.",
        "rule",
        ("Le fichier config.yml ne doit jamais être modifié sans demander.",),
        ("Modifie le fichier config.yml sans demander.",),
        (),
        ("Do not change config.yml unless you asked for permission.",),
    ),
    Row(
        "テストを削除しないでください。",
        "rule",
        ("テストを削除しないこと。",),
        ("テストを削除してください。",),
        (),
        ("The tests must not be removed from the project.",),
    ),
    Row(
        "Никогда не удаляй резервные копии.",
        "rule",
        ("Резервные копии нельзя удалять.", "Резервные копии не удалять никогда."),
        ("Удаляй резервные копии.",),
        (),
        ("Backups must never be deleted by the assistant.",),
    ),
    Row(
        "테스트 없이 커밋하지 마세요.",
        "rule",
        ("테스트 없이 커밋하지 말 것.",),
        ("테스트 없이 커밋하세요.",),
        (),
        ("Nothing may be committed when it is untested.",),
    ),
    Row(
        "Write integration tests for the payment webhook",
        "todo",
        (
            "Still to do: integration tests for the payment webhook need to be written.",
            "Payment webhook: add integration tests (pending)",
        ),
        (),
        (),
        ("Integrationstests für den Zahlungs-Webhook sind noch zu schreiben.",),
    ),
    Row(
        "Update docs for the new CLI flags",
        "todo",
        (
            "The documentation of the new CLI flags has to be updated.",
            "Docs: new CLI flags (not done yet)",
        ),
    ),
    Row(
        "Fix the race condition in cache.py",
        "todo",
        (
            "cache.py still has a race condition that must be fixed.",
            "Pending: race condition in cache.py",
        ),
        (),
        (),
        ("La condition de concurrence dans cache.py reste à corriger.",),
    ),
    Row(
        "Migrate the user table to UUID keys",
        "todo",
        (
            "User table migration to UUID keys is outstanding.",
            "Next: migrate users table to UUIDs as keys",
        ),
    ),
    Row(
        "Add rate limiting to the login endpoint",
        "todo",
        ("The login endpoint needs rate limiting.", "Rate limiting on the login route: pending"),
    ),
    Row(
        "Remove the deprecated v1 handlers",
        "todo",
        ("The deprecated v1 handlers are to be removed.", "Delete deprecated handlers of v1"),
    ),
    Row(
        "Step 2",
        "todo",
        ("- [ ] Step 2", "Step 2 comes next."),
    ),
    Row(
        "We go with PostgreSQL instead of SQLite for the event store.",
        "decision",
        (
            "Decision: the event store uses PostgreSQL rather than SQLite.",
            "The event store will be built on Postgres, not SQLite.",
        ),
        ("The event store uses SQLite rather than PostgreSQL.",),
    ),
    Row(
        "Retry failed uploads three times with exponential backoff.",
        "decision",
        (
            "Failed uploads are retried 3 times, with exponential backoff.",
            "Uploads that failed: exponential backoff, three retries.",
        ),
        (),
        ("Retry failed uploads 5 times with exponential backoff.",),
    ),
)

FILLER = (
    "1. Primary Request and Intent: the user works on a web shop with an API and an admin area.",
    "2. Key Technical Concepts: request routing, background jobs, caching, access control.",
    "The assistant read app/server.py and changed how errors are reported to the client.",
    "Several commits were made on the feature branch, and the test suite passed at the end.",
    "The user asked how the queue works and was shown the main loop.",
    "Current work: the assistant was about to look at the search page.",
)
