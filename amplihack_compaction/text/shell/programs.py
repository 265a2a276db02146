"""Name the programs, subcommands and script names that check work, and what each checks."""

import re
from typing import Final, Literal

CheckKind = Literal["test", "build", "lint"]

TEST: Final = "test"
BUILD: Final = "build"
LINT: Final = "lint"


def _table(kind: CheckKind, names: str) -> dict[str, CheckKind]:
    return dict.fromkeys(names.split(), kind)


PROGRAMS: dict[str, CheckKind] = {
    **_table(
        TEST,
        "pytest py.test tox nox unittest nosetests nose2 behave vitest jest mocha ava karma jasmine"
        " cypress ctest gotestsum rspec cucumber minitest phpunit pest paratest bats prove busted"
        " testem wtr nextest hypothesis doctest",
    ),
    **_table(
        BUILD,
        "ninja tsup webpack rollup esbuild javac gcc g++ clang clang++ rustc"
        " webpack-cli ng-packagr tsc",
    ),
    **_table(
        LINT,
        "mypy pyright basedpyright pyre pytype flake8 pylint bandit vulture ruff eslint oxlint"
        " stylelint vue-tsc svelte-check golangci-lint staticcheck revive rubocop standardrb"
        " phpstan psalm phpcs pint ktlint detekt shellcheck hadolint yamllint markdownlint"
        " markdownlint-cli2 clang-tidy cppcheck swiftlint tflint ansible-lint actionlint knip"
        " biome xo checkov semgrep luacheck kubeconform kubeval",
    ),
}
SUBCOMMANDS: dict[str, dict[str, CheckKind]] = {
    "cargo": {
        **_table(TEST, "test nextest t"), **_table(BUILD, "build b check"), "clippy": LINT,
    },
    "go": {"test": TEST, "build": BUILD, "install": BUILD, "vet": LINT},
    "dotnet": {"test": TEST, "build": BUILD, "publish": BUILD},
    "mix": {"test": TEST, "compile": BUILD, "credo": LINT, "dialyzer": LINT},
    "swift": {"test": TEST, "build": BUILD},
    "flutter": {"test": TEST, "build": BUILD, "analyze": LINT},
    "dart": {"test": TEST, "compile": BUILD, "analyze": LINT},
    "deno": {"test": TEST, "lint": LINT, "check": LINT, "compile": BUILD},
    "playwright": {"test": TEST},
    "ng": {"test": TEST, "e2e": TEST, "build": BUILD, "lint": LINT},
    "nx": {"test": TEST, "build": BUILD, "lint": LINT},
    "turbo": {"test": TEST, "build": BUILD, "lint": LINT},
    "next": {"build": BUILD, "lint": LINT},
    "vite": {"build": BUILD},
    "astro": {"build": BUILD, "check": LINT},
    "react-scripts": {"test": TEST, "build": BUILD},
    "rails": {"test": TEST, "spec": TEST},
    "rake": {"test": TEST, "spec": TEST, "default": TEST},
    "artisan": {"test": TEST},
    "sbt": {"test": TEST, "compile": BUILD},
    "lein": {"test": TEST, "compile": BUILD},
    "stack": {"test": TEST, "build": BUILD},
    "cabal": {"test": TEST, "build": BUILD},
    "bazel": {"test": TEST, "build": BUILD},
    "zig": {"test": TEST, "build": BUILD},
    "meson": {"test": TEST, "compile": BUILD},
    "hatch": {"test": TEST, "build": BUILD, "fmt": LINT},
    "poetry": {"build": BUILD},
    "uv": {"build": BUILD},
    "pdm": {"test": TEST, "build": BUILD, "lint": LINT},
    "composer": {"test": TEST, "lint": LINT},
    "docker": {"build": BUILD, "buildx": BUILD},
    "mkdocs": {"build": BUILD},
    "xcodebuild": {"test": TEST, "build": BUILD},
    "pre-commit": {"run": LINT},
    "ty": {"check": LINT},
    "sqlfluff": {"lint": LINT},
    "buf": {"lint": LINT, "build": BUILD},
    "terraform": {"validate": LINT, "fmt": LINT},
    "bun": {"test": TEST, "build": BUILD},
    "node": {"--test": TEST},
    "dbt": {"test": TEST, "build": TEST, "compile": BUILD, "parse": LINT},
    "helm": {"lint": LINT},
    "gleam": {"test": TEST, "build": BUILD},
    "forge": {"test": TEST, "build": BUILD},
    "hardhat": {"test": TEST, "compile": BUILD},
    "anchor": {"test": TEST, "build": BUILD},
    "pio": {"test": TEST, "run": BUILD, "check": LINT},
    "west": {"build": BUILD},
    "idf.py": {"build": BUILD},
    "arduino-cli": {"compile": BUILD},
    "esphome": {"compile": BUILD, "config": LINT},
    "detox": {"test": TEST, "build": BUILD},
    "maestro": {"test": TEST},
    "mvn": {
        **_table(TEST, "test verify integration-test"),
        **_table(BUILD, "compile package install"),
    },
    "gradle": {
        **_table(TEST, "test check"),
        **_table(BUILD, "build assemble compileJava"),
        "lint": LINT,
    },
}  # fmt: skip
ALIASES = {"mvnw": "mvn", "gradlew": "gradle", "nvim": "", "bazelisk": "bazel", "platformio": "pio"}
# Of Gradle's tasks for one variant (testDebugUnitTest) the first and the last word tell.
VARIANT_PARTS: dict[str, CheckKind] = {
    **_table(TEST, "test"),
    **_table(BUILD, "assemble bundle compile build"),
    "lint": LINT,
}
# Programs that rewrite files and only check with one of these options.
CHECK_OPTIONS = {
    "black": ("--check", "--diff"),
    "isort": ("--check", "--check-only", "-c", "--diff"),
    "prettier": ("--check", "-c", "-l", "--list-different"),
    "gofmt": ("-l", "-d"),
    "rustfmt": ("--check",),
    "clang-format": ("--dry-run", "-n"),
    "php-cs-fixer": ("--dry-run",),
}
PART = re.compile(r"[:_\-./\s]+")
TEST_PARTS = frozenset(
    "test tests testing unittest unittests spec specs e2e integration unit smoke runtests vitest"
    " jest pytest cypress playwright coverage tests1".split()
)
CHECK_PARTS = frozenset("check checks ci verify validate preflight prepush precommit".split())
BUILD_PARTS = frozenset("build builds compile bundle dist package".split())
LINT_PARTS = frozenset(
    "lint lints typecheck types tsc format fmt style mypy eslint prettier ruff clippy vet".split()
)
OTHER_PARTS = frozenset(
    "start dev serve watch deploy clean install fix generate publish release setup seed create new"
    " preview storybook server run db migrate update".split()
)
