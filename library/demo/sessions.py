"""Who is logged in and with which token. The accounts are for trying only: their words are no secrets."""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

ACCOUNTS: Mapping[str, str] = {"demo": "demo-pass-1", "second": "second-pass-1"}


@dataclass
class Session:
    """``token`` is the only one that the next write may carry; every accepted write makes a new one.

    ``dropped`` are the tokens of writes whose connection was dropped: Chrome sends such a request again by
    itself when the connection had been used before, and that one must be lost too.
    """

    user: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    dropped: set[str] = field(default_factory=set)

    def takes(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def rotate(self) -> None:
        self.token = secrets.token_urlsafe(24)


class Sessions:
    """Open sessions by their cookie; gone when the process ends."""

    def __init__(self) -> None:
        self._open: dict[str, Session] = {}

    def log_in(self, user: str, password: str) -> str | None:
        """The new session's cookie, or None when the password is wrong."""
        if not hmac.compare_digest(ACCOUNTS.get(user, "").encode(), password.encode()) or not password:
            return None
        cookie = secrets.token_urlsafe(24)
        self._open[cookie] = Session(user)
        return cookie

    def get(self, cookie: str | None) -> Session | None:
        return self._open.get(cookie or "")

    def log_out(self, cookie: str | None) -> None:
        self._open.pop(cookie or "", None)
