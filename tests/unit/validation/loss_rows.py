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
        ("Request timeouts must be set to 45 seconds.",),
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
    Row("Step 2", "todo", ("- [ ] Step 2", "Step 2 comes next.")),
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

# (item, what the text says of it, label); one sentence on one item each.
PAIRS = (
    (
        "Never push to main; open a pull request instead.",
        "I will open a pull request when done.",
        "partly",
    ),
    (
        "Never push to main; open a pull request instead.",
        "Open a pull request instead of pushing to main.",
        "reworded",
    ),
    (
        "Never push to main; open a pull request instead.",
        "No direct pushes to main: use pull requests.",
        "reworded",
    ),
    (
        "Never push to main; open a pull request instead.",
        "No direct commits on main, but a pull request is opened.",
        "reworded",
    ),
    ("No em dashes in the docs; use commas instead.", "The docs use commas.", "partly"),
    (
        "No em dashes in the docs; use commas instead.",
        "In the docs, no em dashes but commas.",
        "reworded",
    ),
    ("Always use type hints in new code.", "New code may have type hints.", "negated"),
    ("Always use type hints in new code.", "Type hints are required in all new code.", "reworded"),
    (
        "Always use type hints in new code.",
        "Type hints in new code are encouraged where possible.",
        "negated",
    ),
    ("You must not change the public API.", "The public API may be changed.", "negated"),
    ("You must not change the public API.", "Public API must remain unchanged.", "reworded"),
    ("You must not change the public API.", "Change the public API.", "negated"),
    ("Do not use any ORM, write raw SQL.", "Raw SQL is written, no ORM.", "reworded"),
    ("Do not use any ORM, write raw SQL.", "Use an ORM rather than raw SQL.", "negated"),
    ("Never use force push.", "Force push is forbidden.", "reworded"),
    ("Never use force push.", "Use force push when the branch is stale.", "negated"),
    ("Never use force push.", "Never:\n- use force push\n- rebase shared branches", "reworded"),
    ("Never use force push.", "Allowed:\n- use force push", "negated"),
    ("Never use force push.", "Rules that no longer apply:\n- Never use force push.", "negated"),
    ("The API must return JSON.", "The API must not return JSON.", "negated"),
    ("The API must return JSON.", "The API need not return JSON.", "negated"),
    ("The API must return JSON.", "API responses have to be JSON.", "reworded"),
    ("Prefer composition over inheritance.", "Prefer inheritance over composition.", "negated"),
    (
        "Prefer composition over inheritance.",
        "Composition is preferred to inheritance.",
        "reworded",
    ),
    ("Set DEBUG to false in production.", "Set DEBUG to true in production.", "negated"),
    ("Set DEBUG to false in production.", "DEBUG is false in production.", "reworded"),
    ("Deploy only after the smoke tests pass.", "Deploy before the smoke tests pass.", "negated"),
    (
        "Deploy only after the smoke tests pass.",
        "Deployment only once smoke tests pass.",
        "reworded",
    ),
    (
        "Passwords must be at least 12 characters long.",
        "Passwords must be at most 12 characters long.",
        "changed",
    ),
    (
        "Passwords must be at least 12 characters long.",
        "Minimum password length: 12 characters.",
        "reworded",
    ),
    ("Always answer in French.", "Answers are always in French.", "reworded"),
    ("Always answer in French.", "Never answer in French.", "negated"),
    ("Always answer in French.", "Answers need not be in French any more.", "negated"),
    ("Don't refactor unrelated code.", "Refactor unrelated code as well.", "negated"),
    ("Don't refactor unrelated code.", "Unrelated code is not to be refactored.", "reworded"),
    ("Don't refactor unrelated code.", "Feel free to refactor unrelated code.", "negated"),
    ("Don't forget to update the changelog.", "The changelog has to be updated.", "reworded"),
    ("Don't forget to update the changelog.", "Don't update the changelog.", "negated"),
    (
        "Keep backward compatibility with Python 3.8.",
        "Drop backward compatibility with Python 3.8.",
        "negated",
    ),
    (
        "Keep backward compatibility with Python 3.8.",
        "Python 3.8 must stay supported (backward compatibility).",
        "reworded",
    ),
    (
        "Enable strict mode in tsconfig.json.",
        "Strict mode is enabled in tsconfig.json.",
        "reworded",
    ),
    ("Enable strict mode in tsconfig.json.", "Disable strict mode in tsconfig.json.", "negated"),
    ("Tests must not access the network.", "Tests may access the network.", "negated"),
    ("Tests must not access the network.", "No network access in tests.", "reworded"),
    (
        "Tests must not access the network.",
        "Tests run offline: network access is prohibited.",
        "reworded",
    ),
    ("I want every function documented.", "Every function is to be documented.", "reworded"),
    ("I want every function documented.", "Functions do not need to be documented.", "negated"),
    (
        "Do not create new files unless necessary.",
        "New files are created only if necessary.",
        "reworded",
    ),
    ("Stop adding comments to every line.", "Do not add comments to every line.", "reworded"),
    ("Stop adding comments to every line.", "Add comments to every line.", "negated"),
    (
        "Use the staging database only, never production.",
        "Use the production database, never staging.",
        "negated",
    ),
    (
        "Use the staging database only, never production.",
        "Only the staging database may be used; production is off limits.",
        "reworded",
    ),
    ("Write tests", "All tests have been written.", "reworded"),
    ("不要使用npm，用pnpm。", "使用npm，不要用pnpm。", "negated"),
    ("Vermeide globale Variablen.", "Globale Variablen sind zu vermeiden.", "reworded"),
    ("Vermeide globale Variablen.", "Globale Variablen sind erlaubt.", "negated"),
    (
        "Não altere o arquivo de configuração.",
        "O arquivo de configuração não deve ser alterado.",
        "reworded",
    ),
    ("Não altere o arquivo de configuração.", "Altere o arquivo de configuração.", "negated"),
    ("絶対にmainへpushしないで。", "mainへpushしてよい。", "negated"),
    ("绝不要提交到main分支。", "不得提交到main分支。", "reworded"),
    ("main 브랜치에 직접 푸시하지 마세요.", "main 브랜치에 직접 푸시하세요.", "negated"),
    (
        "Never store credentials in plain text",
        "Credentials must never be kept in plain text form.",
        "reworded",
    ),
    (
        "Never store credentials in plain text",
        "Credentials can be stored in plain text.",
        "negated",
    ),
    ("Never store credentials in plain text", "Store credentials in plain text.", "negated"),
    ("All endpoints must require authentication", "Every endpoint requires auth.", "reworded"),
    (
        "All endpoints must require authentication",
        "Endpoints must not require authentication.",
        "negated",
    ),
    (
        "All endpoints must require authentication",
        "Authentication is optional for endpoints.",
        "negated",
    ),
    ("Only admins may delete projects", "Projects may be deleted by admins only.", "reworded"),
    ("Only admins may delete projects", "Anyone may delete projects, not only admins.", "negated"),
    ("Don't upgrade React beyond version 17", "Upgrade React beyond version 17.", "negated"),
    ("Don't upgrade React beyond version 17", "React must not be upgraded.", "partly"),
    (
        "Always squash commits before merging",
        "Commits are squashed before each merge (mandatory).",
        "reworded",
    ),
    ("Always squash commits before merging", "Never squash commits before merging.", "negated"),
    ("Always squash commits before merging", "Merge without squashing commits.", "negated"),
    (
        "Always squash commits before merging",
        "You don't need to squash commits before merging.",
        "negated",
    ),
    (
        "Make sure the build works offline",
        "The build has to work without network access (offline).",
        "reworded",
    ),
    ("Make sure the build works offline", "The build does not have to work offline.", "negated"),
    (
        "Do not use inheritance in the domain models",
        "Domain models must avoid inheritance.",
        "reworded",
    ),
    (
        "Do not use inheritance in the domain models",
        "Use inheritance in the domain models.",
        "negated",
    ),
    (
        "Do not use inheritance in the domain models",
        "Inheritance is allowed in the domain models.",
        "negated",
    ),
    (
        "Log every request with its duration",
        "Each request is logged together with its duration.",
        "reworded",
    ),
    (
        "Log every request with its duration",
        "Requests are not logged with their duration.",
        "negated",
    ),
    ("Never retry a failed payment", "Failed payments must not be retried.", "reworded"),
    ("Never retry a failed payment", "Retry a failed payment up to three times.", "negated"),
    ("Never retry a failed payment", "Failed payments are retried.", "negated"),
    (
        "Wait at least 5 minutes between deployments",
        "Deployments must be at least 5 minutes apart.",
        "reworded",
    ),
    (
        "Wait at least 5 minutes between deployments",
        "Wait at most 5 minutes between deployments.",
        "negated",
    ),
    ("Wait at least 5 minutes between deployments", "Wait between deployments.", "partly"),
    ("Use British spelling in the docs", "Docs use British spelling.", "reworded"),
    ("Use British spelling in the docs", "Docs must not use British spelling.", "negated"),
    (
        "Use British spelling in the docs",
        "Use American spelling in the docs, not British.",
        "negated",
    ),
    (
        "Don't call the production API from tests",
        "Tests never call the production API.",
        "reworded",
    ),
    ("Don't call the production API from tests", "Call the production API from tests.", "negated"),
    (
        "Don't call the production API from tests",
        "The prohibition on calling the production API from tests has been lifted.",
        "negated",
    ),
    (
        "You may not rename public functions",
        "Public functions must keep their names; renaming them is not permitted.",
        "reworded",
    ),
    ("You may not rename public functions", "Public functions may be renamed.", "negated"),
    (
        "Run make lint after every change to src/",
        "After each change to src/, make lint is run.",
        "reworded",
    ),
    (
        "Run make lint after every change to src/",
        "Never run make lint after changes to src/.",
        "negated",
    ),
    (
        "No trailing whitespace in any file",
        "Files must not contain trailing whitespace.",
        "reworded",
    ),
    ("No trailing whitespace in any file", "Trailing whitespace in files is fine.", "negated"),
    ("Keep the response under 200 ms", "Responses take less than 200 ms.", "reworded"),
    ("Keep the response under 200 ms", "Responses may take more than 200 ms.", "negated"),
    ("Keep the response under 200 ms", "Responses must be fast.", "partly"),
    ("We decided to keep the monorepo", "Decision: the monorepo stays.", "reworded"),
    ("We decided to keep the monorepo", "We decided to abandon the monorepo.", "negated"),
    (
        "Please don't reformat files you don't otherwise touch",
        "Files that are not otherwise touched must not be reformatted.",
        "reworded",
    ),
    ("Comments must be written in German", "Comments in German are required.", "reworded"),
    ("Comments must be written in German", "Comments must not be written in German.", "negated"),
    (
        "Use feature flags for every new feature",
        "Feature flags are used for each new feature.",
        "reworded",
    ),
    (
        "Use feature flags for every new feature",
        "Do not use feature flags for new features.",
        "negated",
    ),
    (
        "Bitte keine neuen Abhängigkeiten hinzufügen.",
        "Es sollen keine neuen Abhängigkeiten hinzugefügt werden.",
        "reworded",
    ),
    (
        "Bitte keine neuen Abhängigkeiten hinzufügen.",
        "Neue Abhängigkeiten dürfen hinzugefügt werden.",
        "negated",
    ),
    (
        "Toujours lancer les tests avant de pousser.",
        "Les tests doivent toujours être lancés avant de pousser.",
        "reworded",
    ),
    (
        "Toujours lancer les tests avant de pousser.",
        "Ne jamais lancer les tests avant de pousser.",
        "negated",
    ),
    ("Sempre escreva testes para cada função.", "Não escreva testes para cada função.", "negated"),
    (
        "Sempre escreva testes para cada função.",
        "Testes devem ser escritos sempre para cada função.",
        "reworded",
    ),
    ("Siempre usa comillas dobles.", "Nunca uses comillas dobles.", "negated"),
    ("Siempre usa comillas dobles.", "Hay que usar siempre comillas dobles.", "reworded"),
    ("Всегда пиши тесты перед коммитом.", "Не пиши тесты перед коммитом.", "negated"),
    ("Всегда пиши тесты перед коммитом.", "Перед коммитом всегда нужно писать тесты.", "reworded"),
    ("必须使用 TypeScript 严格模式。", "不要使用 TypeScript 严格模式。", "negated"),
    ("必须使用 TypeScript 严格模式。", "使用 TypeScript 严格模式是必须的。", "reworded"),
    ("コメントは必ず日本語で書いてください。", "コメントは日本語で書かないでください。", "negated"),
    ("コメントは必ず日本語で書いてください。", "コメントは日本語で書くこと（必須）。", "reworded"),
    ("항상 테스트를 먼저 작성하세요.", "테스트를 먼저 작성하지 마세요.", "negated"),
    ("항상 테스트를 먼저 작성하세요.", "항상 테스트를 먼저 작성해야 한다.", "reworded"),
)
