"""Editing JSON as text: the layout of what is there is taken up, and every other byte stays."""

import json

import pytest

from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    insert_part,
    read_container,
    remove_part,
    replace_value,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("{ \n }\n", '{\n  "k": [\n    1\n  ]\n}\n'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "k": [\n        1\n    ]\n}\n'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "k": [\r\n    1\r\n  ]\r\n}\r\n'),
        ('{\n"a": 1\n}', '{\n"a": 1,\n"k": [\n  1\n]\n}'),
        ('{ "a": {"b": 2} , "c": 3 }', '{ "a": {"b": 2} , "c": 3, "k": [1] }'),
    ],
)
def test_a_member_takes_the_layout_of_its_file(text: str, expected: str) -> None:
    new = insert_part(text, read_container(text), "k", [1])
    assert new == expected
    root = read_container(new)
    part = root.member("k")
    assert part is not None
    assert json.loads(remove_part(new, root, part)) == json.loads(text)


def test_removing_what_was_inserted_gives_the_text_back() -> None:
    text = '{\n   "a" : [ 1,2 ],\n\n   "b":{ }\n  }'
    new = insert_part(text, read_container(text), "k", {"x": []})
    root = read_container(new)
    assert remove_part(new, root, root.parts[-1]) == text


def test_the_first_of_several_parts_is_removed_with_its_comma() -> None:
    text = "[\n  1,\n  2\n]"
    assert remove_part(text, read_container(text), read_container(text).parts[0]) == "[\n  2\n]"
    text = "[ 1, 2 ]"
    assert remove_part(text, read_container(text), read_container(text).parts[1]) == "[ 1 ]"


def test_an_item_goes_to_the_end_of_a_nested_list() -> None:
    text = '{"a": {"list": [{"x": 1}]}}'
    inner = read_container(text, text.index("["))
    assert insert_part(text, inner, None, {"y": 2}) == '{"a": {"list": [{"x": 1}, {"y": 2}]}}'


def test_an_empty_list_in_a_file_of_one_line_stays_in_it() -> None:
    text = '{"a":{"list":[]}}'
    inner = read_container(text, text.index("["))
    assert insert_part(text, inner, None, 5) == '{"a":{"list":[5]}}'


def test_a_value_is_replaced_and_its_neighbours_stay() -> None:
    text = '{"a":  "old" ,"b":[true]}'
    part = read_container(text).member("a")
    assert part is not None
    assert replace_value(text, part, 'n"é') == '{"a":  "n\\"é" ,"b":[true]}'


def test_of_two_members_with_one_key_the_last_counts() -> None:
    part = read_container('{"a": 1, "a": 2}').member("a")
    assert part is not None
    assert part.value == 2
    assert read_container("{}").member("a") is None


def test_keys_with_escapes_are_read() -> None:
    part = read_container('{"a\\"}": {"}": "{"}, "z": 1}').member("z")
    assert part is not None
    assert part.value == 1


@pytest.mark.parametrize("text", ["", "  ", "7", '"x"', "{7: 1}"])
def test_what_is_no_container_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no "):
        read_container(text)
