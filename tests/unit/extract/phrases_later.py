"""Phrases written after the second measurement, for a third."""

RULES = """
Don't remove existing tests.
Never trust user input.
keep backwards compatibility
the frontend must not talk to the database directly
please avoid one-letter variable names
if unsure, ask me first
leave the deployment to me
every bug fix gets a regression test
I do the commits myself
All timestamps are to be stored in UTC.
Support Python 3.9+
Indent with two spaces.
We never store plain passwords.
only async functions in the handlers, please
Do not change anything outside the src folder.
run prettier after every edit
Whenever tests fail, show me the output first.
Use the existing helper functions instead of writing new ones.
no magic numbers
dont add any console.log
You have to ask before installing packages.
Pls keep the answers brief
type hints are required
Each file starts with the license header.
Don't guess, ask.
nothing in the core package may import from the ui package
tests before code
the schema of the events table is not to be changed
I want the tests to run offline, always.
when you write SQL, use uppercase keywords
don't be verbose
never again use that library
I said: no new tables!
That's wrong. We use kebab-case for file names.
We only deploy from main.
the max file size is 200 lines
from here on no more refactoring
Please do not commit anything until I tell you so.
My convention is: one class per file.
you are supposed to write the test first
不要引入新的依赖
所有函数都要写注释
Nunca apague migrações.
Use tabs em vez de espaços.
No modifiques los tests.
Haz siempre un commit por tarea.
Ne fais jamais de force push.
Les tests doivent toujours passer avant un commit.
Keine Emojis in Commit-Nachrichten.
Jede Funktion braucht einen Docstring.
テストなしでコミットしないで
변수 이름은 반드시 영어로 써줘
Не добавляй комментарии.
Все функции должны иметь типы.
""".strip().splitlines()
DECOYS = """
Are the tests always run in parallel?
I don't remember the password
the job must have crashed
she always reviews on Mondays
it never stops loading
There should be a file called foo.txt.
Should be fine now.
create a migration for the new table
only the header is wrong
can you look into the failing build
don't know
don't bother
tell me what you did
I only changed one line
The API says the key is never valid.
we tried everything
no more errors!
nice, no warnings
you were right
use that one
Let me check first.
we should be able to see it now
What must I install?
Use case: a user uploads a file.
I need a script that counts lines.
I want a page with a table.
The page should show the last ten orders.
customers can only see their own orders
write a readme
undo that
it should be possible to filter by date
This is the only file I changed.
The old code never closed the connection, which caused the leak.
Please explain why this must be a list.
keep it up!
make it faster
stop
never saw that before
the tests have to be fixed
why should I avoid globals?
测试从来不会失败吗？
我不知道为什么总是报错
não funciona mais
não sei
siempre pasa lo mismo
no hay errores
toujours la même erreur
ça ne marche pas
es geht nicht
warum nicht?
まだ動きません
아직 안 돼요
не понимаю, почему всё падает
""".strip().splitlines()
