"""What was posted: an append-only log of events, in memory or in a file that others may read. No HTTP."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True)
class Post:
    """``at`` is RFC 3339 in UTC."""

    id: int
    author: str
    text: str
    at: str

    @property
    def url(self) -> str:
        return f"/p/{self.id}"


class PostLog:
    """Every post that was ever stored, in order; deleting hides a post and never takes it out of the log.

    With ``path`` each event is a line of JSON, written with one call, so that another process can count lines
    while this one runs, and a restart goes on where a killed process ended.
    """

    def __init__(self, path: Path | None = None, *, now: Callable[[], datetime] | None = None) -> None:
        self._path = path
        self._now = now or (lambda: datetime.now(UTC))
        self._posts: list[Post] = []
        self._deleted: set[int] = set()
        self._likes: dict[int, int] = {}
        if path is not None and path.exists():
            self._load(path)

    @property
    def stored(self) -> list[Post]:
        """All posts ever stored, the oldest first, deleted ones too."""
        return list(self._posts)

    @property
    def visible(self) -> list[Post]:
        """What the site shows, the newest first."""
        return [post for post in reversed(self._posts) if post.id not in self._deleted]

    def find(self, post_id: int) -> Post | None:
        return next((post for post in self.visible if post.id == post_id), None)

    def likes(self, post_id: int) -> int:
        return self._likes.get(post_id, 0)

    def add(self, author: str, text: str) -> Post:
        post = Post(len(self._posts) + 1, author, text, self._now().isoformat(timespec="milliseconds"))
        self._write({"event": "posted", **asdict(post)})
        self._posts.append(post)
        return post

    def delete(self, post_id: int) -> None:
        self._write({"event": "deleted", "id": post_id})
        self._deleted.add(post_id)

    def like(self, post_id: int) -> int:
        """The likes the post has now; they are not kept over a restart."""
        self._likes[post_id] = self.likes(post_id) + 1
        return self._likes[post_id]

    def _write(self, event: dict[str, object]) -> None:
        if self._path is None:
            return
        line = json.dumps(event, ensure_ascii=False) + "\n"
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)

    def _load(self, path: Path) -> None:
        for line in path.read_text("utf-8").splitlines():
            event = json.loads(line)
            if event.pop("event") == "posted":
                self._posts.append(Post(**event))
            else:
                self._deleted.add(event["id"])
