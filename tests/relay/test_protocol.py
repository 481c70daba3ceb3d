"""The relay's end of the wire against a browser's end that was written from docs/wire.md alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relay.handshake import Role, proof
from relay.messages import Answer, CloseCode, Told
from relay.protocol import Closing, Opened, RelayConnection, State
from tests.fakes_browser import BrowserEnd

KEY = bytes(range(32))
BROWSER = "b7f3c1e09a"
RELAY_NONCE = "1" * 64
WIRE = Path(__file__).parent.parent / "wire"


def example(name: str) -> Any:
    return json.loads((WIRE / f"{name}.json").read_text())["frame"]


def connection(nonce: str = RELAY_NONCE) -> RelayConnection:
    return RelayConnection(lambda browser: KEY if browser == BROWSER else None, nonce=nonce)


def sent(relay: RelayConnection) -> list[Any]:
    return [json.loads(frame) for frame in relay.frames_to_send()]


def opened() -> RelayConnection:
    relay, browser = connection(), BrowserEnd(BROWSER, KEY)
    relay.receive(json.dumps(browser.hello()))
    (challenge,) = sent(relay)
    relay.receive(json.dumps(browser.proof(challenge)))
    (welcome,) = sent(relay)
    assert browser.trusts(welcome)
    return relay


def test_both_ends_prove_the_key_over_an_imaginary_wire() -> None:
    assert opened().state is State.OPEN


def test_the_handshake_is_that_of_the_examples() -> None:
    relay = connection()
    assert relay.receive(json.dumps(example("hello"))) == []
    assert sent(relay) == [example("challenge")]
    assert relay.receive(json.dumps(example("proof"))) == [Opened(BROWSER)]
    assert sent(relay) == [example("welcome")]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"browser": "bffffffff"}, CloseCode.PROOF_REFUSED),
        ({"version": 2}, CloseCode.VERSION_NOT_SPOKEN),
        ({"version": True}, CloseCode.PROTOCOL_ERROR),
        ({"version": "1"}, CloseCode.PROTOCOL_ERROR),
        ({"browser": "b\n"}, CloseCode.PROTOCOL_ERROR),
        ({"browser": ""}, CloseCode.PROTOCOL_ERROR),
        ({"browser": None}, CloseCode.PROTOCOL_ERROR),
        ({"type": "proof"}, CloseCode.PROTOCOL_ERROR),
    ],
)
def test_a_wrong_hello_ends_it(change: dict[str, Any], code: CloseCode) -> None:
    relay = connection()
    (event,) = relay.receive(json.dumps(example("hello") | change))
    assert isinstance(event, Closing)
    assert event.code == code
    assert sent(relay) == []


def test_the_reason_of_a_wrong_version_names_both() -> None:
    relay = connection()
    relay.receive(json.dumps(example("hello") | {"version": 7}))
    assert relay.closing is not None
    assert "7" in relay.closing.reason
    assert "1" in relay.closing.reason


def proofs() -> dict[str, dict[str, Any]]:
    good = example("proof")
    reflected = proof(KEY, Role.RELAY, browser=BROWSER, relay_nonce=RELAY_NONCE, browser_nonce="2" * 64)
    return {
        "of another key": BrowserEnd(BROWSER, b"x" * 32).proof({"nonce": RELAY_NONCE}),
        "replayed from another connection": BrowserEnd(BROWSER, KEY).proof({"nonce": "3" * 64}),
        "of the other role": good | {"hmac": reflected},
        "for another nonce": good | {"nonce": "4" * 64},
        "for another browser": BrowserEnd("b0", KEY).proof({"nonce": RELAY_NONCE}),
    }


@pytest.mark.parametrize("name", proofs())
def test_a_proof_that_does_not_fit_is_refused(name: str) -> None:
    relay = connection()
    relay.receive(json.dumps(example("hello")))
    sent(relay)
    relay.receive(json.dumps(proofs()[name]))
    assert relay.closing is not None
    assert relay.closing.code == CloseCode.PROOF_REFUSED
    assert sent(relay) == []


@pytest.mark.parametrize(
    "frame",
    [
        '{"type": "proof", "nonce": "22", "hmac": "33"}',
        '{"type": "hello", "version": 1, "browser": "b7f3c1e09a"}',
        '{"id": 1, "method": "tabs", "params": {}}',
        '{"event": "state", "params": {"paused": true}}',
    ],
)
def test_nothing_but_the_proof_is_understood_before_the_welcome(frame: str) -> None:
    relay = connection()
    relay.receive(json.dumps(example("hello")))
    sent(relay)
    relay.receive(frame)
    assert relay.closing is not None
    assert relay.closing.code == CloseCode.PROTOCOL_ERROR


GARBAGE = [
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "NaN",
    '{"id": NaN, "result": {}}',
    "{}",
    '{"id": 1}',
    '{"id": 1, "result": {}, "error": {"code": "A", "message": "b"}}',
    '{"id": "1", "result": {}}',
    '{"id": -1, "result": {}}',
    '{"id": 1, "result": []}',
    '{"id": 1, "error": "no"}',
    '{"event": 3, "params": {}}',
    '{"event": "step", "params": []}',
    '{"method": "tabs"}',
    "[" * 100_000,
]


@pytest.mark.parametrize("frame", GARBAGE, ids=[frame[:40] for frame in GARBAGE])
def test_a_malformed_frame_ends_it(frame: str) -> None:
    relay = opened()
    relay.receive(frame)
    assert relay.closing is not None
    assert relay.closing.code == CloseCode.PROTOCOL_ERROR
    assert relay.receive('{"id": 1, "result": {}}') == []


def test_a_frame_over_the_limit_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    relay = opened()
    monkeypatch.setattr("relay.protocol.LARGEST_FRAME", 100)
    relay.receive(json.dumps({"event": "log", "params": {"text": "x" * 100}}))
    assert relay.closing is not None
    assert relay.closing.code == CloseCode.PROTOCOL_ERROR


@given(st.text())
def test_no_text_raises(text: str) -> None:
    connection().receive(text)
    opened().receive(text)


def test_requests_have_ids_of_their_own_and_answers_find_them() -> None:
    relay = opened()
    assert [relay.request("tabs", {}), relay.request("tabs", {})] == [1, 2]
    assert [frame["id"] for frame in sent(relay)] == [1, 2]
    (event,) = relay.receive('{"id": 2, "result": {"tabs": []}}')
    assert event == Answer(id=2, result={"tabs": []})


def test_a_request_before_the_welcome_is_a_mistake_of_ours() -> None:
    with pytest.raises(RuntimeError, match="awaiting_hello"):
        connection().request("tabs", {})


def test_a_method_that_we_do_not_know_is_answered_with_a_typed_error() -> None:
    relay = opened()
    assert relay.receive('{"id": 5, "method": "dance", "params": {}}') == []
    (frame,) = sent(relay)
    assert frame["id"] == 5
    assert frame["error"]["code"] == "UNKNOWN_METHOD"
    assert "dance" in frame["error"]["message"]


def from_the_extension() -> list[str]:
    """The names of the examples that come to an open connection."""
    entries = {path.stem: json.loads(path.read_text()) for path in sorted(WIRE.glob("*.json"))}
    return [
        name
        for name, entry in entries.items()
        if isinstance(entry, dict) and entry.get("from") == "extension" and "type" not in entry["frame"]
    ]


@pytest.mark.parametrize("name", from_the_extension())
def test_every_example_from_the_extension_is_understood(name: str) -> None:
    (event,) = opened().receive(json.dumps(example(name)))
    assert isinstance(event, Answer | Told)


def test_a_frame_nested_too_deeply_ends_the_conversation_and_raises_nothing() -> None:
    for half in ("", '"\\ud83d"'):
        relay = opened()
        (event,) = relay.receive(f'{{"id": 1, "result": {{"value": {"[" * 900}{half}{"]" * 900}}}}}')
        assert isinstance(event, Closing)
        assert event.code == CloseCode.PROTOCOL_ERROR


def test_half_an_emoji_from_a_page_becomes_a_character_that_can_be_stored() -> None:
    (event,) = opened().receive('{"event": "log", "params": {"text": "a\\ud83d b \\ud83d\\ude00"}}')
    assert isinstance(event, Told)
    assert event.params["text"] == "a\N{REPLACEMENT CHARACTER} b \N{GRINNING FACE}"


def test_a_slow_handshake_is_closed_and_an_open_connection_is_not() -> None:
    slow = connection()
    slow.too_slow()
    assert slow.closing is not None
    assert slow.closing.code == CloseCode.TOO_SLOW
    assert opened().too_slow() == []
