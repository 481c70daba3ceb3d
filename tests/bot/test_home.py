"""Where a managed browser's profile lies, and when it may be started for a run that is due."""

import os
from pathlib import Path

import pytest

from bot.home import ManagedHome, profile_folder
from bot.settings import BrowserSettings
from tests.fakes_browser import FakeExtension, Home


@pytest.mark.parametrize(
    ("name", "folder"),
    [("Managed", "managed"), ("My Chrome", "my-chrome"), ("../../x", "x"), ("집", "집"), ("..", "managed")],
)
def test_a_name_never_becomes_a_path(tmp_path: Path, name: str, folder: str) -> None:
    assert profile_folder(tmp_path, name) == tmp_path / "browsers" / folder


async def no_code() -> str:
    raise AssertionError("no browser may be started here")


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.home.RETURN_S", 0.01)
    monkeypatch.setattr("bot.home.CONNECT_S", 0.01)


def managed_home(home: Home, tmp_path: Path, *, autostart: bool) -> ManagedHome:
    settings = BrowserSettings(autostart=autostart, headless=True)
    return ManagedHome(settings, tmp_path, home.browsers, port=lambda: 1, code=no_code)


async def test_a_connected_browser_is_enough(tmp_path: Path) -> None:
    home = Home()
    async with FakeExtension(home.pair("Chrome")).connected(home):
        assert await managed_home(home, tmp_path, autostart=True).ensure_browser(None)
        assert await managed_home(home, tmp_path, autostart=True).ensure_browser("Chrome")


@pytest.mark.parametrize(("name", "autostart"), [(None, False), ("Chrome", True), ("Nobody", True)])
async def test_nothing_is_started_unless_it_may_be(tmp_path: Path, name: str | None, autostart: bool) -> None:
    home = Home()
    home.pair("Chrome")
    assert not await managed_home(home, tmp_path, autostart=autostart).ensure_browser(name)
    assert not os.listdir(tmp_path)


async def test_a_browser_that_cannot_be_started_is_told_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("relay.managed.find_chrome", lambda: tmp_path / "nothing")
    assert not await managed_home(Home(), tmp_path, autostart=True).ensure_browser(None)
    assert "the managed browser was not started" in caplog.text
    assert "cannot be started" in caplog.text
