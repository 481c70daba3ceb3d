"""The pages of the demo site: the login form, the feed, one post. Their content comes from the API."""

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from library.demo.api import SESSION_COOKIE, give_token
from library.demo.sessions import Sessions

STATIC = Path(__file__).parent / "static"
_PROBLEM = '<p class="problem" role="alert">That name and password do not belong together.</p>'


class Pages:
    """Routes that answer with HTML or a redirect."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def routes(self) -> APIRouter:
        router = APIRouter()
        router.add_api_route("/", self._feed, methods=["GET"])
        router.add_api_route("/p/{post_id}", self._post, methods=["GET"])
        router.add_api_route("/login", self._login_form, methods=["GET"])
        router.add_api_route("/login", self._log_in, methods=["POST"])
        router.add_api_route("/logout", self._log_out, methods=["POST"])
        return router

    async def _feed(self, request: Request) -> Response:
        session = self._sessions.get(request.cookies.get(SESSION_COOKIE))
        if session is None:
            return RedirectResponse("/login", 303)
        return give_token(FileResponse(STATIC / "feed.html"), session)

    async def _post(self, request: Request, post_id: int) -> Response:
        return await self._feed(request)

    async def _login_form(self, request: Request) -> Response:
        if self._sessions.get(request.cookies.get(SESSION_COOKIE)) is not None:
            return RedirectResponse("/", 303)
        return _login_page("")

    async def _log_in(
        self, username: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
    ) -> Response:
        cookie = self._sessions.log_in(username.strip(), password)
        if cookie is None:
            return _login_page(_PROBLEM, 401)
        response = RedirectResponse("/", 303)
        response.set_cookie(SESSION_COOKIE, cookie, httponly=True, samesite="lax")
        return response

    async def _log_out(self, request: Request) -> Response:
        self._sessions.log_out(request.cookies.get(SESSION_COOKIE))
        response = RedirectResponse("/login", 303)
        response.delete_cookie(SESSION_COOKIE)
        return response


def _login_page(problem: str, status: int = 200) -> HTMLResponse:
    page = (STATIC / "login.html").read_text("utf-8")
    return HTMLResponse(page.replace("<!-- problem -->", problem), status)
