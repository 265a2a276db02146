"""Phrases written last, for a fourth measurement."""

RULES = """
Never write to the production bucket.
don't ever rewrite git history
Always run black before pushing.
Please do not use global variables anywhere.
The logging module is off limits for you.
keep the existing tests untouched
we only ship on Tuesdays
All responses need to be cached for five minutes.
you must ask for permission before running docker
Prefer plain functions over classes.
Use kebab-case in URLs, not camelCase.
no inline CSS please
avoid abbreviations
Every table needs a primary key.
From now on reply with bullet points only.
make sure that you never expose internal ids
I don't want to see any warnings in the build.
Nothing leaves this machine without my permission.
If you edit a template, rebuild the docs.
Stick to ES2020 syntax.
The response format must not change.
Leave the Makefile as it is.
no, the timeout is 30 seconds, not 60
I said use the staging server.
Wait until I confirm before you delete the branch.
dont commit generated files
Only change the CSS.
I'd prefer that you use named exports
Treat every lint error as a blocker.
每个函数都必须有单元测试
不许使用第三方库
Não faça commit direto na main.
Responda sempre em português.
No hagas commits sin mi permiso.
Usa pnpm en vez de npm.
Ne modifie pas les tests existants.
Utilise toujours des guillemets simples.
Ändere nie die öffentliche API.
Bitte immer auf Deutsch antworten.
既存のテストを変更しないでください。
コメントは日本語で書いてください。
기존 테스트를 수정하지 마세요.
주석은 한국어로 작성해줘.
Никогда не меняй тесты.
Отвечай коротко и только по-русски.
""".strip().splitlines()
DECOYS = """
Is it true that we never cache errors?
why can't we just always use UTC?
the endpoint never returned anything
my laptop always freezes here
they must have changed the API
Build a login form.
Refactor the date helpers into one module.
the tests pass locally but not in CI
don't you remember what we did?
I don't mind
now update the readme
don't forget to add the file to git
Only one of the checks failed.
Users should see a spinner while loading.
Admins must approve every request in this workflow, that is how the product works.
The docs say "never call this twice".
The manual recommends always using a mutex.
no worries
no response from the server
Could you summarise the changes?
what would happen if we always retried?
Try again with a smaller batch.
We never finished the migration.
It has always worked like that.
I always run it twice.
Thanks, that fixed it.
the second option
please continue with the next file
The deployment is stuck again.
Let's have a look at the logs.
Show me all functions that never return.
How should I name it?
find every place where we use eval
list all files that must be migrated
delete the old branch
if it never ends, kill it
这个测试总是超时
必须要重启吗？
o servidor sempre cai
não entendi nada
el build siempre tarda mucho
¿hay que reiniciar siempre?
le serveur redémarre toujours tout seul
je ne comprends pas
der Build dauert immer lange
ich habe das nie benutzt
いつも同じ場所で止まります
항상 여기서 멈춰요
сборка всегда долгая
я никогда этого не видел
""".strip().splitlines()
