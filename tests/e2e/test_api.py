"""The scripted API alone, asked without a client."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator

import pytest

from .api import Api, ApiServer
from .request import Json
from .script import ApiError, Script, Step, Tool

AGENT_TOOL = [{"name": "Agent"}]


@pytest.fixture
def api() -> Api:
    """An API with a script for each kind of request."""
    main = [
        Step("Hello.", thinking="Hm.", context_tokens=1000),
        Step(tools=[Tool("Read", {"file_path": "{project}/a.txt"})]),
        Step(error=ApiError(529, "overloaded_error", "busy")),
    ]
    script = Script(main=main, summaries=["Short."], subagents={"one": ["I am one."]})
    return Api(script, {"project": "/somewhere"})


@pytest.fixture
def connection(api: Api) -> Iterator[http.client.HTTPConnection]:
    """A connection to the API."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    with ApiServer(listener, api):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        yield connection
        connection.close()


def asked(text: str, **more: object) -> Json:
    """Return the body of a request of the main loop."""
    messages = [{"role": "user", "content": text}]
    return {"model": "some-model", "messages": messages, "tools": AGENT_TOOL, **more}


def post(
    connection: http.client.HTTPConnection, body: Json, path: str = "/v1/messages", agent: str = ""
) -> tuple[int, bytes]:
    """Send a request and return status and answer."""
    headers = {"x-claude-code-agent-id": agent} if agent else {}
    connection.request("POST", f"{path}?beta=true", json.dumps(body), headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_a_plain_request_is_answered_by_the_first_step(
    connection: http.client.HTTPConnection, api: Api
) -> None:
    status, raw = post(connection, asked("hi"))
    message = json.loads(raw)
    assert status == 200
    assert [block["type"] for block in message["content"]] == ["thinking", "text"]
    assert message["usage"]["input_tokens"] + message["usage"]["cache_read_input_tokens"] == 1000
    assert api.requests[0].text() == "hi"
    assert api.requests[0].answer == api.script.main[0]


def test_a_stream_amounts_to_the_plain_answer(connection: http.client.HTTPConnection) -> None:
    post(connection, asked("first"))
    _, raw = post(connection, asked("second", stream=True))
    lines = raw.decode().splitlines()
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    filled = json.loads("".join(delta["partial_json"] for delta in deltas))
    assert filled == {"file_path": "/somewhere/a.txt"}
    assert events[0]["type"] == "message_start"
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-1]["type"] == "message_stop"


def test_an_error_is_answered_with_its_status(connection: http.client.HTTPConnection) -> None:
    answers = [post(connection, asked("again")) for _ in range(4)]
    assert [status for status, _ in answers] == [200, 200, 529, 200]
    assert json.loads(answers[2][1])["error"] == {"type": "overloaded_error", "message": "busy"}
    assert json.loads(answers[3][1])["content"][0]["text"] == "Done."


def test_tokens_are_counted_without_using_up_the_script(
    connection: http.client.HTTPConnection, api: Api
) -> None:
    _, raw = post(connection, asked("count me"), "/v1/messages/count_tokens")
    assert json.loads(raw)["input_tokens"] > 10
    post(connection, asked("hi"))
    assert [request.kind for request in api.requests] == ["count_tokens", "main"]


def test_a_subagent_is_known_by_its_mark_and_then_by_its_header(
    connection: http.client.HTTPConnection, api: Api
) -> None:
    _, raw = post(connection, asked("[[sub:one]] go"), agent="a1")
    post(connection, asked("compacted since"), agent="a1")
    summary = "Your task is to create a detailed summary of the conversation so far"
    post(connection, asked(summary), agent="a1")
    assert json.loads(raw)["content"][0]["text"] == "I am one."
    assert [request.kind for request in api.requests] == ["sub:one", "sub:one", "summary"]
    assert {request.agent for request in api.requests} == {"one"}


def test_whatever_else_is_asked_gets_an_empty_object(
    connection: http.client.HTTPConnection, api: Api
) -> None:
    for method in ("GET", "HEAD"):
        connection.request(method, "/api/anything")
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"{}" if method == "GET" else b"")
    assert post(connection, {}, "/api/event") == (200, b"{}")
    assert json.loads(post(connection, asked("a title", tools=[]))[1])["content"][0]["text"] == "{}"
    assert [request.kind for request in api.requests] == ["other", "other", "other", "aux"]
