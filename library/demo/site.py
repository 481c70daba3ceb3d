"""The demo site as one object: its app to serve, its posts to count, its behaviour to set."""

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp

from library.demo.api import Api, Refused
from library.demo.behaviour import Behaviour
from library.demo.connection import WithTransport
from library.demo.pages import STATIC, Pages
from library.demo.policy import StrictPolicy
from library.demo.posts import Post, PostLog
from library.demo.sessions import Sessions


class DemoSite:
    """``app`` is the ASGI application; ``data`` a file that keeps the posts, ``control`` opens /control."""

    def __init__(self, data: Path | None = None, *, control: bool = False) -> None:
        self._log = PostLog(data)
        sessions = Sessions()
        self._api = Api(self._log, sessions)
        app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
        app.include_router(self._api.routes(control=control))
        app.include_router(Pages(sessions).routes())
        app.mount("/static", StaticFiles(directory=STATIC))
        app.add_exception_handler(Refused, _refused)
        self.app: ASGIApp = WithTransport(StrictPolicy(app))

    @property
    def posts(self) -> list[Post]:
        """Every post that was ever stored, the oldest first, deleted ones too: for tests to count."""
        return self._log.stored

    @property
    def visible(self) -> list[Post]:
        """What the site shows now, the newest first."""
        return self._log.visible

    @property
    def behaviour(self) -> Behaviour:
        return self._api.behaviour

    @behaviour.setter
    def behaviour(self, behaviour: Behaviour) -> None:
        self._api.behaviour = behaviour


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return error.response()
