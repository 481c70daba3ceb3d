"""The kit of real editors: built once per machine, served, and what is to be typed into each of them."""

import base64
import functools
import hashlib
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TEXTS = {
    "single": "Hello from my phone",
    "paragraphs": "P1\n\nP2\n\nhttps://example.com",
    "two lines": "a\nb",
    "trailing newline": "one\n",
    "emoji": "👩‍👩‍👧 hi",
    "hangul": "안녕하세요 세계",
    "code": "def f(x):\n    if x:\n        return 1\n\n    return 0",
    "markdown": "# Title\n- one\n- two\n**bold**",
    "blanks": "a  b   c    d",
}
TYPED = ("rich", "code", "line", "area")
NO_PEER = {"refuse", "combo", "file", "submit"}  # kinds that Playwright's typing has no word for


@dataclass(frozen=True)
class Case:
    """One text for one field. `before` is set by the editor's own API; `want` is what its model must hold."""

    page: str
    css: str
    field: str | None
    kind: str
    name: str
    value: Any
    want: str
    before: str = ""
    clear: bool = False
    trusted: bool = False

    @property
    def on_empty(self) -> bool:
        return not self.before


def build(kit: Path) -> Path:
    """The folder of built pages; npm runs only where this very kit was not built yet."""
    digest = hashlib.sha256()
    for file in sorted(kit.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(kit).as_posix().encode() + b"\0" + file.read_bytes())
    home = Path(tempfile.gettempdir()) / "runhome-editors" / digest.hexdigest()[:16]
    if not (home / "dist" / "index.html").exists():
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(kit, home, copy_function=shutil.copyfile)
        for folder in [home, *(found for found in home.rglob("*") if found.is_dir())]:
            folder.chmod(0o755)
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund"], cwd=home, check=True, capture_output=True
        )
        subprocess.run(["npm", "run", "build"], cwd=home, check=True, capture_output=True)
    return home / "dist"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves a folder on a loopback port of the system's choice; gives its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def cases(kit: Path) -> list[Case]:
    """Every target with every text (empty, over an old text, after one), and the widgets with their value."""
    pages = json.loads((kit / "editors.json").read_text(encoding="utf-8"))["pages"]
    return [case for page in pages for target in page["targets"] for case in _cases_of(page["id"], target)]


def _cases_of(page: str, target: dict[str, Any]) -> Iterator[Case]:
    base = functools.partial(
        Case, page, target["sel"], target.get("field"), target["kind"], trusted=target.get("trusted", False)
    )
    if target["kind"] not in TYPED:
        yield base("value", target["value"], target["want"])
        return
    line = target["kind"] == "line"
    for name, text in TEXTS.items():
        yield base(name, text, _wanted(text, line))
    for name in ("single", "paragraphs", "emoji"):
        yield base(f"{name}, cleared", TEXTS[name], _wanted(TEXTS[name], line), before="old text", clear=True)
    for name in ("single", "two lines", "hangul"):
        yield base(
            f"{name}, appended", TEXTS[name], "old text" + _wanted(TEXTS[name], line), before="old text"
        )
    yield base("nothing, cleared", "", "", before="old text", clear=True)


def _wanted(text: str, line: bool) -> str:
    return text.replace("\n", " ") if line else text


def alike(got: str, want: str) -> bool:
    """The model's text is what was typed; a field may trim its ends, an editor keep no line at the end."""
    return got.replace("\u00a0", " ").rstrip() == want.rstrip()


def as_files(listed: list[list[str]]) -> list[dict[str, str]]:
    """The kit's `[name, type, text]` as `upload` takes files."""
    return [
        {"name": name, "type": kind, "data": base64.b64encode(text.encode()).decode()}
        for name, kind, text in listed
    ]
