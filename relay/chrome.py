"""Finds Chrome and our extension on this machine, and the flags to start them with. Starts nothing."""

import base64
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from library.errors import SetupError

NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "google-chrome-for-testing",
    "google-chrome-beta",
    "microsoft-edge-stable",
    "brave-browser",
)
"""Looked for on the PATH, in this order."""

_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
_WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")

_WHAT_TO_INSTALL = {
    "darwin": "Install Google Chrome from google.com/chrome (or: brew install --cask google-chrome).",
    "win32": "Install Google Chrome from google.com/chrome.",
}
_LINUX_INSTALL = "Install Chromium (Debian, Ubuntu: sudo apt install chromium) or Google Chrome."

CLOSED_NETWORK = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
"""A managed browser goes where subroutines and the person go, and nowhere by itself."""

_QUIET = ("--no-default-browser-check", "--silent-debugger-extension-api")


def find_chrome(
    *,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
    places: Sequence[Path] | None = None,
) -> Path:
    """The first Chrome or Chromium of this machine. Raises SetupError, which says what to install."""
    for name in NAMES:
        found = which(name)
        if found:
            return Path(found)
    for place in places if places is not None else _places(platform):
        if place.is_file():
            return place
    install = _WHAT_TO_INSTALL.get(platform, _LINUX_INSTALL)
    raise SetupError(f"No Chrome or Chromium was found on this machine. {install}")


def extension_folder() -> Path:
    """Where the unpacked extension lies: beside this package, in a checkout and when installed."""
    return Path(__file__).resolve().parent.parent / "extension"


def extension_id(folder: Path | None = None) -> str:
    """The id that Chrome gives the unpacked extension: made from the ``key`` of its manifest.

    The first 16 bytes of the SHA-256 of the public key (DER), each hex digit written as a letter from a to p.
    Raises SetupError when the folder has no readable manifest.
    """
    path = (folder or extension_folder()) / "manifest.json"
    try:
        key = base64.b64decode(json.loads(path.read_text(encoding="utf-8"))["key"], validate=True)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(
            f"{path} is not the manifest of the Runhome extension. Install Runhome again."
        ) from error
    digits = hashlib.sha256(key).hexdigest()[:32]
    return digits.translate(str.maketrans("0123456789abcdef", "abcdefghijklmnop"))


def flags(profile: Path, *, headless: bool, root: bool | None = None) -> list[str]:
    """How a managed browser is started: own profile, extension by pipe, no network of its own."""
    as_root = root if root is not None else hasattr(os, "geteuid") and os.geteuid() == 0
    return [
        f"--user-data-dir={profile}",
        "--remote-debugging-pipe",
        "--enable-unsafe-extension-debugging",
        *CLOSED_NETWORK,
        *_QUIET,
        *(["--headless=new"] if headless else []),
        *(["--no-sandbox"] if as_root else []),  # Chrome's sandbox does not start as root.
    ]


def _places(platform: str) -> list[Path]:
    if platform == "darwin":
        roots = (Path("/Applications"), Path.home() / "Applications")
        return [root / place for root in roots for place in _MAC]
    if platform == "win32":
        folders = [Path(os.environ[name]) for name in _WINDOWS_FOLDERS if name in os.environ]
        return [folder / place for folder in folders for place in _WINDOWS]
    return [Path("/opt/google/chrome/chrome"), Path("/snap/bin/chromium"), Path("/usr/lib/chromium/chromium")]
