"""Which browsers are there, which one is meant, and who gives way to whom."""

import asyncio

import pytest

from library.errors import NoBrowser
from relay.messages import CloseCode
from tests.fakes_browser import PATIENCE_S, FakeExtension, Home


@pytest.fixture
def home() -> Home:
    return Home()


async def test_the_newest_connection_of_a_browser_wins(home: Home) -> None:
    pairing = home.pair()
    older, newer = FakeExtension(pairing), FakeExtension(pairing)
    async with older.connected(home):
        first = home.browsers.choose(None)
        async with newer.connected(home):
            assert await older.wire.close_code() == CloseCode.REPLACED
            assert home.browsers.choose(None) is not first
            assert newer.wire.closed is None


async def test_the_end_of_the_older_connection_does_not_hide_the_newer(home: Home) -> None:
    pairing = home.pair()
    newer = FakeExtension(pairing)
    async with newer.connected(home):
        async with FakeExtension(pairing).connected(home):
            pass
    assert home.browsers.connected_names() == []


async def test_an_unpaired_browser_is_sent_away(home: Home) -> None:
    extension = FakeExtension(home.pair())
    async with extension.connected(home):
        await home.browsers.unpair("Chrome")
        assert extension.wire.closed == (CloseCode.REVOKED, "this browser was unpaired")
    assert home.browsers.all() == ()


async def test_a_browser_unpaired_during_its_handshake_is_sent_away(home: Home) -> None:
    extension = FakeExtension(home.pair())
    serving = asyncio.create_task(home.reception.receive(extension.wire))
    extension.wire.browser_sends(extension.end.hello())
    challenge = await extension.wire.browser_receives()
    assert challenge is not None
    home.pairings.remove("Chrome")
    extension.wire.browser_sends(extension.end.proof(challenge))
    assert await extension.wire.close_code() == CloseCode.REVOKED
    await serving


async def test_tabs_and_pause_are_known_from_events(home: Home) -> None:
    extension = FakeExtension(home.pair())
    async with extension.connected(home):
        session = home.browsers.choose(None)
        extension.tell("tabs", tabs="nonsense")
        extension.tell("state", paused=True)
        extension.tell("tabs", tabs=[{"id": 12, "url": "http://127.0.0.1/", "title": "Home", "busy": True}])
        await session.ask("tabs", {}, timeout_s=PATIENCE_S)  # Its answer comes after the events.
        (browser,) = home.browsers.all()
        assert browser.connected
        assert [tab.id for tab in browser.tabs] == [12]
        assert session.paused
    assert not home.browsers.all()[0].connected


async def test_a_browser_that_is_on_its_way_is_waited_for(home: Home) -> None:
    extension = FakeExtension(home.pair())
    waiting = asyncio.create_task(home.browsers.wait_connected("Chrome", timeout_s=PATIENCE_S))
    async with extension.connected(home):
        assert (await waiting).browser == extension.end.browser
    with pytest.raises(NoBrowser):
        await home.browsers.wait_connected(None, timeout_s=0.01)


async def test_a_malformed_frame_ends_the_session_with_its_code(home: Home) -> None:
    extension = FakeExtension(home.pair())
    async with extension.connected(home):
        extension.wire.browser_sends("{")
        assert await extension.wire.close_code() == CloseCode.PROTOCOL_ERROR
