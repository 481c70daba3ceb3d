"""One Chromium with the extension, a fresh scripted relay for each test, and one small site, for all."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from tests.extension.harness import (
    Answer,
    ExtensionBrowser,
    ScriptedRelay,
    extension_browser,
    scripted_relay,
    site,
)

STRICT = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'none'; require-trusted-types-for 'script'; trusted-types"
    )
}
PAGES: dict[str, Answer] = {
    "/": "<title>Start</title><h1>Start</h1><button onclick=\"location.href='/next'\">Go</button>",
    "/next": "<title>Next</title><h1>Next</h1><button>There</button>",
    "/strict": ("<title>Strict</title><h1>Strict</h1><button>Press</button>", STRICT),
    "/outside": "<title>Log in</title><h1>Log in</h1>",
    "/app": """<title>App</title><h1>App</h1>
        <button onclick="setTimeout(() => history.pushState(0, '', '/app/done'), 30)">Finish</button>""",
    "/insists": """<title>Insists</title><button>Only a person</button><input><p role="log">-</p><script>
        const [button, input, log] = document.querySelectorAll("button, input, p");
        let trusted = null;
        const show = () => { log.textContent = `click ${trusted} '${input.value}'`; };
        button.onclick = (event) => { trusted = event.isTrusted; show(); };
        input.oninput = show;</script>""",
    "/cookie": "<script>document.cookie = 'seen=a=b%20%C3%BC'</script>",
    "/slow": """<title>Slow</title><p role="status"></p><button>Send</button><script>
        const status = document.querySelector("p");
        document.querySelector("button").onclick = async () => {
            status.textContent = "Sending";
            await fetch("/api/posts", { method: "POST", body: new URLSearchParams({ text: "slow" }) });
            status.textContent = "Sent!";
        };</script>""",
}


class Site:
    """The test site: its origin, and which paths have been asked for."""

    def __init__(self, origin: str, asked: list[str]) -> None:
        self.origin = origin
        self.asked = asked
        self.anywhere = [f"{origin}/*"]

    def at(self, path: str) -> str:
        return self.origin + path


@pytest.fixture(scope="session")
async def pages() -> AsyncIterator[Site]:
    asked: list[str] = []
    app = FastAPI()

    @app.middleware("http")
    async def note(request: Request, answer):  # type: ignore[no-untyped-def]
        asked.append(request.url.path)
        return await answer(request)

    @app.get("/moved")
    async def moved() -> Response:
        return Response(status_code=302, headers={"Location": "/outside"})

    @app.get("/token")
    async def token(request: Request) -> Response:
        """A page that is there once: who asks for it anew waits."""
        if request.headers["Sec-Fetch-Dest"] != "document":
            while (await request.receive())["type"] != "http.disconnect":
                pass
        return HTMLResponse('<title>Token</title><meta name="csrf-token" content="T1">')

    @app.get("/held")
    async def held(request: Request) -> Response:
        """Answers from the second time on."""
        if asked.count("/held") == 1:
            while (await request.receive())["type"] != "http.disconnect":
                pass
        return HTMLResponse("<title>Held</title><h1>Held</h1>")

    @app.post("/api/posts", status_code=201)
    async def post(request: Request) -> dict[str, object]:
        body = await request.body()
        return {"id": 3, "text": "Hello" if b"Hello" in body else "?"}

    @app.put("/api/never")
    async def never(request: Request) -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    async with site(PAGES, app) as origin:
        yield Site(origin, asked)


@pytest.fixture(scope="session")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ExtensionBrowser]:
    async with extension_browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
async def relay(browser: ExtensionBrowser) -> AsyncIterator[ScriptedRelay]:
    """A fresh relay that the browser is paired with."""
    async with scripted_relay() as fresh:
        await browser.pair(fresh)
        yield fresh
        await browser.command("unpair")
