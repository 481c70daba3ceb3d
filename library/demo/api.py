"""The JSON API of the demo site: posts, likes, and the switch that makes it misbehave."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints, ValidationError

from library.demo.behaviour import Answer, Behaviour
from library.demo.connection import drop
from library.demo.posts import Post, PostLog
from library.demo.sessions import Session, Sessions

SESSION_COOKIE = "session"
TOKEN_COOKIE = "_csrf"
TOKEN_HEADER = "X-CSRF-Token"
LONGEST_TEXT = 280
LOOPBACK = ("127.0.0.1", "::1")


class NewPost(BaseModel):
    """The body of ``POST /api/posts``."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT)]


class Refused(Exception):
    """An answer that is no success: HTTP status, a stable code, and a sentence for the page to show."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    def response(self) -> JSONResponse:
        return JSONResponse({"error": {"code": self.code, "message": self.message}}, self.status)


class Api:
    """The routes under ``/api``. ``behaviour`` may be changed at any time and holds for the next request."""

    def __init__(self, log: PostLog, sessions: Sessions) -> None:
        self.behaviour = Behaviour()
        self._log = log
        self._sessions = sessions

    def routes(self, *, control: bool) -> APIRouter:
        router = APIRouter()
        router.add_api_route("/api/me", self._me, methods=["GET"])
        router.add_api_route("/api/posts", self._list, methods=["GET"])
        router.add_api_route("/api/posts", self._create, methods=["POST"])
        router.add_api_route("/api/posts/{post_id}", self._show, methods=["GET"])
        router.add_api_route("/api/posts/{post_id}", self._delete, methods=["DELETE"])
        router.add_api_route("/api/posts/{post_id}/like", self._like, methods=["POST"])
        if control:
            router.add_api_route("/control", self._show_behaviour, methods=["GET"])
            router.add_api_route("/control", self._set_behaviour, methods=["POST"])
        return router

    async def _me(self, request: Request) -> Response:
        return JSONResponse({"user": self._session(request).user})

    async def _list(self, request: Request, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> Response:
        self._session(request)
        await self._delay()
        return JSONResponse({"posts": [self._as_json(post) for post in self._log.visible[:limit]]})

    async def _show(self, request: Request, post_id: int) -> Response:
        self._session(request)
        await self._delay()
        return JSONResponse(self._as_json(self._find(post_id)))

    async def _create(self, request: Request) -> Response:
        body = await request.body()

        def store(session: Session) -> Response:
            try:
                text = NewPost.model_validate_json(body).text
            except ValidationError as error:
                message = f"A post has 1 to {LONGEST_TEXT} characters, in JSON as text."
                raise Refused(422, "TEXT", message) from error
            return JSONResponse(self._as_json(self._log.add(session.user, text)), 201)

        return await self._write(request, store)

    async def _delete(self, request: Request, post_id: int) -> Response:
        def store(session: Session) -> Response:
            if self._find(post_id).author != session.user:
                raise Refused(403, "NOT_YOURS", "Only its author can delete a post.")
            self._log.delete(post_id)
            return Response(status_code=204)

        return await self._write(request, store)

    async def _like(self, request: Request, post_id: int) -> Response:
        def store(session: Session) -> Response:
            return JSONResponse({"likes": self._log.like(self._find(post_id).id)})

        return await self._write(request, store)

    async def _write(self, request: Request, store: Callable[[Session], Response]) -> Response:
        """Checks session and token, misbehaves as told, stores, and gives a new token."""
        session = self._session(request)
        token = request.headers.get(TOKEN_HEADER, "")
        if token in session.dropped:
            return await drop(request)
        if not session.takes(token):
            refused = Refused(403, "TOKEN", f"The {TOKEN_HEADER} header is missing or too old.").response()
            return give_token(refused, session)
        await self._delay()
        answer = self.behaviour.answer
        self.behaviour = self.behaviour.after_one()
        if answer is Answer.FAIL:
            raise Refused(500, "BROKEN", "Something went wrong on our side.")
        if answer is Answer.REFUSE_WITH_200:
            return Refused(200, "LIMIT", "You have reached today's limit.").response()
        response = store(session)
        session.rotate()
        if answer is Answer.DROP:
            session.dropped.add(token)
            return await drop(request)
        if answer is Answer.FAIL_AFTER:
            response = Refused(500, "BROKEN", "Something went wrong on our side.").response()
        return give_token(response, session)

    async def _show_behaviour(self, request: Request) -> Response:
        self._check_control(request)
        return JSONResponse(self.behaviour.model_dump(mode="json"))

    async def _set_behaviour(self, request: Request) -> Response:
        self._check_control(request)
        try:
            self.behaviour = Behaviour.model_validate_json(await request.body())
        except ValidationError as error:
            raise Refused(422, "BEHAVIOUR", str(error)) from error
        return JSONResponse(self.behaviour.model_dump(mode="json"))

    def _check_control(self, request: Request) -> None:
        """No page may turn the switch (pages send an Origin with every POST), and no other machine."""
        is_here = request.client is not None and request.client.host in LOOPBACK
        if not is_here or "origin" in request.headers:
            raise Refused(403, "NOT_HERE", "Only a program on this machine may change the behaviour.")

    def _session(self, request: Request) -> Session:
        session = self._sessions.get(request.cookies.get(SESSION_COOKIE))
        if session is None:
            raise Refused(401, "LOGGED_OUT", "Log in first.")
        return session

    def _find(self, post_id: int) -> Post:
        post = self._log.find(post_id)
        if post is None:
            raise Refused(404, "NO_POST", f"There is no post {post_id}.")
        return post

    def _as_json(self, post: Post) -> dict[str, JsonValue]:
        likes = self._log.likes(post.id)
        return {
            "id": post.id,
            "url": post.url,
            "author": post.author,
            "text": post.text,
            "at": post.at,
            "likes": likes,
        }

    async def _delay(self) -> None:
        await asyncio.sleep(self.behaviour.delay_ms / 1000)


def give_token(response: Response, session: Session) -> Response:
    """Readable by the page's script, which sends it back as a header; useless without the session."""
    response.set_cookie(TOKEN_COOKIE, session.token, samesite="strict")
    return response
