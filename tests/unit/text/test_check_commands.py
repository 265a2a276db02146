"""What commands check: the runners of many ecosystems, and what only looks like one."""

import pytest

from amplihack_compaction.text.commands import line_kind

TESTS = """
pytest -q
python -m pytest tests/unit -q 2>&1 | tail -20
/opt/venv/bin/python -m pytest -x
cd x && PYTHONPATH=. timeout 600 uv run pytest -q | tee out.log
poetry run pytest
tox -e py311
nox -s tests
python3 -m unittest discover -s tests
npm test
npm t
npm run test:unit -- --watch=false
CI=1 npm --prefix web run test 2>&1 | tail -5
npm run verify
pnpm test
pnpm -r test
pnpm --filter web test
yarn test
yarn workspace web test
yarn vitest run
bun test
bun run test
npx vitest run
npx jest src/a.test.ts
npx playwright test
cargo test --all
cargo +nightly test
cargo nextest run
go test ./... -run X -v 2>&1 | head -50
make test
make -j4 check
make -C sub lint test V=1
ctest --output-on-failure
mvn -q clean test
./mvnw verify
./gradlew :app:test
./gradlew :app:testDebugUnitTest
./gradlew connectedAndroidTest
dbt test --select stg_events --target dev
dbt build
npx hardhat test
pio test -e native
maestro test flow.yaml
dotnet test
bundle exec rspec
rake test
bin/rails test
vendor/bin/phpunit
php artisan test
mix test
./run_tests.sh
bash scripts/run-tests.sh all
./RUN_ALL_TESTS.sh all
.ci/run
sh ./ci.sh
docker compose run --rm web pytest -q
docker compose exec -T api npm test
docker exec -it app python -m pytest
docker compose run web sh -c "pytest -q"
python manage.py test
coverage run -m pytest
node --test
node tests/run.js
python tests/test_parser.py
bash -lc "cd a && pytest"
for i in 1 2 3; do pytest -q; done
if pytest -q; then echo ok; fi
sudo -u app pytest
xvfb-run -a npm test
deno test
just test
mise run test
mise run test:ci
moon run web:test
( cd web && npm test )
xcodebuild -scheme A test
"""
BUILDS = """
npm run build
pnpm build
npx tsc -p .
cargo build --release
cargo check
go build ./...
cmake --build build -j4
make
make all
mise r build
ninja -C out
mvn package -DskipTests
./gradlew build
./gradlew assembleDebug
platformio run
arduino-cli compile --fqbn arduino:avr:uno .
idf.py build
dotnet build
docker build -t x .
npx next build
vite build
python -m build
uv build
node scripts/build.mjs
bash build.sh
"""
LINTS = """
mise run lint
ruff check .
ruff format --check .
mypy --strict src
uvx ruff check
black --check .
npx eslint src --max-warnings 0
npx tsc --noEmit
npm run lint
npm run typecheck
npm run check
pnpm lint
golangci-lint run
./gradlew lintDebug
helm lint charts/shop
luacheck src
go vet ./...
cargo clippy -- -D warnings
cargo fmt --check
pre-commit run --all-files
npx prettier --check .
shellcheck a.sh
make lint
biome check
terraform fmt -check
dotnet format --verify-no-changes
"""
NONE = """
mise use test
mise run deploy
mise install
grep pytest file
cat test.py
echo "npm test"
npm install
npm i -D jest
pip install pytest
pytest --version
jest --help
which pytest
git commit -m "run npm test"
ls tests/
python -c "import pytest"
python
rg "cargo test"
vim test_x.py
black .
ruff format .
cargo fmt
npx prettier --write .
biome format
npm run dev
npm run
npm start
npm run start:test
npm ci
yarn
yarn add jest
pnpm exec
docker compose up -d
docker compose run web bash
cargo install ripgrep
cargo run
cargo
go mod tidy
make clean
./gradlew installDebug
./gradlew -PskipTest run
dbt run --select stg_events
helm upgrade shop charts/shop
make -n
make install
cmake -B build
coverage report
python script.py
python check_data.py
python build_index.py
python manage.py migrate
python /tmp/test_x.py
bash
bash -c
curl http://x/test
cd tests
mkdir -p build
tail -f test.log
git checkout test
playwright install
npx playwright install chromium
brew install bats
"""


def lines(block: str) -> list[str]:
    return block.strip().splitlines()


@pytest.mark.parametrize("line", lines(TESTS))
def test_a_test_run_is_recognised(line: str) -> None:
    assert line_kind(line) == "test"


@pytest.mark.parametrize("line", lines(BUILDS))
def test_a_build_is_recognised(line: str) -> None:
    assert line_kind(line) == "build"


@pytest.mark.parametrize("line", lines(LINTS))
def test_a_check_of_style_or_types_is_recognised(line: str) -> None:
    assert line_kind(line) == "lint"


@pytest.mark.parametrize("line", lines(NONE))
def test_what_only_looks_like_a_check_is_none(line: str) -> None:
    assert line_kind(line) is None


def test_a_check_inside_a_heredoc_is_only_text() -> None:
    assert line_kind("cat > run.sh <<'EOF'\npytest -q\nEOF") is None
    message = "git commit -m \"$(cat <<'EOF'\nnpm test\nEOF\n)\""
    assert line_kind(message) is None
