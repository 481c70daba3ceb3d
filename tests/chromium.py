"""Starts a real Chromium for tests, with or without the extension. Nothing of it leaves the loopback."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Playwright

EXTENSION = Path(__file__).parent.parent / "extension"

CLOSED_NETWORK = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def chromium_path() -> str:
    """The Chromium to test with; skips the test, saying so, where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome-for-testing"):
        found = shutil.which(name)
        if found:
            return found
    pytest.skip("needs Chromium (Debian: apt-get install chromium)")


async def launch(playwright: Playwright, profile: Path, *, extension: bool) -> BrowserContext:
    """A Chromium with its own profile folder; the caller closes the context."""
    args = [*CLOSED_NETWORK]
    if extension:
        args += [f"--load-extension={EXTENSION}", f"--disable-extensions-except={EXTENSION}"]
    return await playwright.chromium.launch_persistent_context(
        profile,
        executable_path=chromium_path(),
        chromium_sandbox=hasattr(os, "geteuid") and os.geteuid() != 0,
        headless=not os.environ.get("HEADED"),
        args=args,
    )
