"""The owner's own hand in a browser."""

import pytest

from library.errors import PageError
from relay.workbench import Workbench
from tests.fakes_browser import FakeExtension, Home

TAB = {"id": 3, "url": "http://127.0.0.1:8765/", "title": "Home", "busy": False}


async def test_a_page_is_opened_in_the_named_browser() -> None:
    home = Home()
    extension = FakeExtension(home.pair("Chrome"))
    extension.replies["open"] = {"tab": TAB}
    async with extension.connected(home):
        assert await Workbench(home.browsers).open("http://127.0.0.1:8765/", browser="Chrome") == TAB
    assert extension.asked == [("open", {"url": "http://127.0.0.1:8765/"})]


async def test_a_page_that_never_loads_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relay.workbench.PATIENCE_S", 0.05)
    home = Home()
    extension = FakeExtension(home.pair("Chrome"))
    extension.replies["open"] = lambda _: None
    async with extension.connected(home):
        with pytest.raises(PageError, match=r"http://127\.0\.0\.1:1/ did not open within 0 s") as error:
            await Workbench(home.browsers).open("http://127.0.0.1:1/", browser=None)
    assert error.value.code == "TIMEOUT"
