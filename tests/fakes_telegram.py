"""A fake Bot API: every call and every answer is checked against the published contract.

It keeps updates until a higher offset acknowledges them, as Telegram does. Its HTTP is in
``tests/fakes_telegram_http.py``.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from tests.fakes_telegram_http import Broken, Fault, served
from tests.telegram_contract import Contract, Json

TOKEN = "110201543:a-token-for-tests"
BOT = {"id": 110201543, "is_bot": True, "first_name": "Runhome", "username": "RunhomeBot"}
ME = {"id": 4711, "is_bot": False, "first_name": "Ada"}
BOUND_S = 10


REFUSALS: dict[Fault, tuple[int, str, dict[str, Json]]] = {
    Fault.CONFLICT: (409, "Conflict: terminated by other getUpdates request", {}),
    Fault.FLOOD: (429, "Too Many Requests: retry after 7", {"parameters": {"retry_after": 7}}),
    Fault.BLOCKED: (403, "Forbidden: bot was blocked by the user", {}),
    Fault.BAD_REQUEST: (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", {}),
    Fault.BAD_GATEWAY: (502, "Bad Gateway", {}),
    Fault.UNAUTHORIZED: (401, "Unauthorized", {}),
}


@dataclass
class Called:
    method: str
    params: dict[str, Json]


@dataclass
class FakeTelegram:
    """``shown[chat][message_id]`` is what the person sees; ``calls`` is all that was asked, in order."""

    contract: Contract
    base_url: str = ""
    base_file_url: str = ""
    calls: list[Called] = field(default_factory=list)
    shown: dict[int, dict[int, Json]] = field(default_factory=lambda: defaultdict(dict))
    problems: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    deliver_twice: bool = False
    """Updates stay, though they were acknowledged, for one more poll."""

    def __post_init__(self) -> None:
        self._updates: list[Json] = []
        self._pushed: dict[int, Json] = {}
        self._faults: dict[str, list[Fault]] = defaultdict(list)
        self._changed = asyncio.Condition()
        self._message_ids = count(1)
        self._update_ids = count(81_231)

    # --- what a test does ---

    def fail_next(self, method: str, *faults: Fault) -> None:
        self._faults[method] += faults

    async def says(self, text: str, *, chat: int = 4711, sender: Json = ME, **more: Json) -> int:
        """A person sends a message; the id of its update."""
        body = {"text": text} if text else {}
        return await self.push("message", self._message(chat, {"from": sender, **body, **more}))

    async def edits(self, text: str) -> int:
        edited = self._message(4711, {"from": ME, "text": text, "edit_date": 1_772_438_500})
        return await self.push("edited_message", edited)

    async def presses(self, label: str, *, chat: int = 4711, sender: Json = ME) -> int:
        """A person presses the newest button with this label."""
        for message in reversed(self.shown[chat].values()):
            for button in buttons_of(message):
                if button["text"] == label:
                    return await self.press_again(message, button["callback_data"], sender=sender)
        raise AssertionError(f"There is no button {label!r} in {self.shown[chat]}")

    async def press_again(self, message: Json, data: str, *, sender: Json = ME) -> int:
        query = {"id": str(next(self._update_ids)), "from": sender, "chat_instance": "1", "data": data}
        return await self.push("callback_query", {**query, "message": message})

    async def push(self, kind: str, content: Json) -> int:
        update = {"update_id": next(self._update_ids), kind: content}
        self.problems += self.contract.problems_of("Update", update)
        self._updates.append(update)
        self._pushed[update["update_id"]] = update
        await self._change()
        return int(update["update_id"])

    async def delivers_again(self, update_id: int) -> None:
        """As after a crash before the update was acknowledged."""
        self._updates.append(self._pushed[update_id])
        await self._change()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Waits, within bounds, until something that was asked of this server makes it so."""
        async with asyncio.timeout(BOUND_S), self._changed:
            await self._changed.wait_for(is_so)

    async def until_called(self, method: str, times: int = 1) -> None:
        await self.until(lambda: len(self.called(method)) >= times)

    def called(self, method: str) -> list[dict[str, Json]]:
        return [call.params for call in self.calls if call.method == method]

    def texts(self, chat: int = 4711) -> list[str]:
        return [str(message.get("text") or message.get("caption")) for message in self.shown[chat].values()]

    # --- the methods of the Bot API ---

    def _answer(self, method: str, params: Mapping[str, Json]) -> Json:
        answers: dict[str, Callable[[Mapping[str, Json]], Json]] = {
            "getMe": lambda _: BOT,
            "sendMessage": lambda p: self._sent(p, {"text": p["text"]}),
            "sendPhoto": lambda p: self._sent(p, {"caption": p.get("caption", ""), "photo": [PHOTO]}),
            "sendDocument": lambda p: self._sent(p, {"caption": p.get("caption", ""), "document": DOCUMENT}),
            "editMessageText": lambda p: self._edited(p, {"text": p["text"]}),
            "editMessageReplyMarkup": lambda p: self._edited(p, {}),
            "getFile": self._file,
        }
        return answers[method](params) if method in answers else True

    def _sent(self, params: Mapping[str, Json], content: dict[str, Json]) -> Json:
        markup = {"reply_markup": params["reply_markup"]} if "reply_markup" in params else {}
        message = self._message(params["chat_id"], {"from": BOT, **content, **markup})
        self.shown[params["chat_id"]][message["message_id"]] = message
        return message

    def _edited(self, params: Mapping[str, Json], content: dict[str, Json]) -> Json:
        before = self.shown[params["chat_id"]].get(params["message_id"])
        if before is None:
            raise _Refused(400, "Bad Request: message to edit not found")
        after = {key: value for key, value in before.items() if key != "reply_markup"} | content
        if "reply_markup" in params:
            after["reply_markup"] = params["reply_markup"]
        if after == before:
            raise _Refused(400, "Bad Request: message is not modified: the same content")
        self.shown[params["chat_id"]][params["message_id"]] = after
        return after

    def _file(self, params: Mapping[str, Json]) -> Json:
        file_id = params["file_id"]
        return {"file_id": file_id, "file_unique_id": file_id, "file_path": f"documents/{file_id}"}

    def _message(self, chat: int, content: dict[str, Json]) -> Json:
        kind = {"id": chat, "type": "private" if chat > 0 else "group"}
        return {"message_id": next(self._message_ids), "date": 1_772_438_400, "chat": kind, **content}

    async def _get_updates(self, params: Mapping[str, Json]) -> list[Json]:
        """Long polling: acknowledges what is below the offset, then waits for something new."""
        if not self.deliver_twice:
            self._updates = [item for item in self._updates if item["update_id"] >= params.get("offset", 0)]
        self.deliver_twice = False
        allowed = set(params.get("allowed_updates", []))
        if not self._updates and params.get("timeout", 0):
            try:
                async with asyncio.timeout(params["timeout"]), self._changed:
                    await self._changed.wait_for(lambda: bool(self._updates))
            except TimeoutError:
                return []
        return [item for item in self._updates if allowed & item.keys() or not allowed]

    # --- HTTP ---

    async def handle(self, method: str, sent: Mapping[str, Json]) -> tuple[int, Json]:
        """One call: its status and its JSON. Raises Broken for a connection that is to break."""
        name = self.contract.name_of(method)
        if name is None:
            self.problems.append(f"{method} is no method of the Bot API")
            return _refusal(404, "Not Found", {})
        texts = {key: value for key, value in sent.items() if isinstance(value, str)}
        uploads = {key: value for key, value in sent.items() if key not in texts}
        params = self.contract.read_params(name, texts) | uploads
        self.problems += self.contract.problems_of_call(name, params)
        if "parse_mode" in params:
            self.problems.append(f"{name}: text from people was sent as markup")
        fault = self._faults[name].pop(0) if self._faults[name] else None
        self.calls.append(Called(name, params))
        await self._change()
        if fault in (Fault.DROP, Fault.STALL):
            raise Broken(fault)
        if fault is not None:
            return _refusal(*REFUSALS[fault])
        return await self._result(name, params)

    async def _result(self, name: str, params: Mapping[str, Json]) -> tuple[int, Json]:
        try:
            result = await self._get_updates(params) if name == "getUpdates" else self._answer(name, params)
        except _Refused as refused:
            return _refusal(refused.status, str(refused), {})
        self.problems += self.contract.problems_of_result(name, result)
        await self._change()
        return 200, {"ok": True, "result": result}

    async def _change(self) -> None:
        async with self._changed:
            self._changed.notify_all()


PHOTO = {"file_id": "p", "file_unique_id": "p", "width": 90, "height": 90}
DOCUMENT = {"file_id": "d", "file_unique_id": "d"}


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def buttons_of(message: Json) -> list[Json]:
    return [button for row in message.get("reply_markup", {}).get("inline_keyboard", []) for button in row]


def _refusal(status: int, description: str, more: dict[str, Json]) -> tuple[int, Json]:
    return status, {"ok": False, "error_code": status, "description": description, **more}


@asynccontextmanager
async def fake_telegram(contract: Contract) -> AsyncIterator[FakeTelegram]:
    """Serves until the block ends; then nothing may have gone against the contract."""
    telegram = FakeTelegram(contract)
    async with served(telegram.handle, telegram.files) as port:
        telegram.base_url = f"http://127.0.0.1:{port}/bot"
        telegram.base_file_url = f"http://127.0.0.1:{port}/file/bot"
        yield telegram
    assert telegram.problems == []
