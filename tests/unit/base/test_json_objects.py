import builtins
from typing import Any

import pytest

from amplihack_compaction.base import json_objects as scanner
from amplihack_compaction.base.json_objects import parse_object


@pytest.mark.parametrize(
    "data",
    [
        b"", b" \n", b"text", b"[1]", b"null", b"42", b'"x"', b"{", b'{"a":', b'{"a":1}x',
        b'{"a":1}{"b":2}', b"\xff\xfe", b'{"a":"\xff"}', b'{"a":' + b"[" * 100_000, b"{'a':1}",
    ],
)  # fmt: skip
def test_what_is_not_one_object_is_nothing(data: bytes) -> None:
    assert parse_object(data) is None


def test_an_object_is_parsed_with_all_its_types() -> None:
    data = b' {"a": [1, -2.5e3, true, null], "b": {"c": "\\u00e9\\n\\"", "d": "\xc3\xa9"}} \n'
    assert parse_object(data) == {
        "a": [1, -2500.0, True, None],
        "b": {"c": 'é\n"', "d": "é"},
    }


def test_without_the_c_scanner_the_json_module_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name == "_json":
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    assert scanner._c_scanner() is None
    monkeypatch.setattr(scanner, "_scan", None)
    assert parse_object(b'{"a": [1]}') == {"a": [1]}
    assert parse_object(b'{"a": [1]') is None
