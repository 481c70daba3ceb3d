"""Plays one call in a browser and gives back its outcome (a scheduler.ports.Runner). Judges nothing itself.

1. The browser is chosen; up to here errors are raised, from here on every end is an Outcome.
2. ``run`` is sent; its events become progress; its reply says how the body ended.
3. Where the reply alone proves it, ``finish`` is sent and not awaited: one round trip in all.
4. Else ``finish`` waits for what the manifest expects and keeps the tab: a picture shows this very run.
"""

import base64
import binascii
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue, ValidationError

from library.errors import BrowserLost, HomeError, PageError
from library.models import Evidence, Fault, Outcome, Progress, Proof, Status, Subroutine, TextSeen
from relay.browsers import Browsers
from relay.expectations import Watch, fill, watch
from relay.messages import Ended, FinishReply, Picture, RunReply
from relay.orders import finish_params, run_params
from relay.progress import ProgressTeller
from relay.session import Result, Session
from relay.verdict import Judgement, Waiting, judge, judge_lost, waiting

log = logging.getLogger(__name__)

OnProgress = Callable[[Progress], None]

GUARD_S = 5.0
"""How much longer than the subroutine's own deadline a silent browser is waited for."""
WAIT_S = {Waiting.NONE: 0.0, Waiting.SHORT: 2.0, Waiting.LONG: 10.0}
"""How long the site may take to show what the manifest expects, after the body has ended."""
PICTURE_S = 10.0
NOTHING_STARTED = frozenset(
    {
        "UNKNOWN_METHOD",
        "BAD_ARGUMENT",
        "BUSY",
        "PAUSED",
        "NO_TAB",
        "SITE_REFUSED",
        "INPUT_REFUSED",
        "BODY_SYNTAX",
    }
)
"""Codes with which a browser answers ``run`` itself when it did not take the run."""


@dataclass(frozen=True)
class _Play:
    """One run on its way."""

    run: str
    subroutine: Subroutine
    arguments: Mapping[str, JsonValue]
    session: Session
    browser: str
    proof: Proof
    teller: ProgressTeller


@dataclass(frozen=True)
class _Seen:
    """What was seen after the body's end."""

    reply: FinishReply = field(default_factory=FinishReply)
    texts: tuple[TextSeen, ...] = ()
    picture: bytes | None = field(default=None, repr=False)
    picture_problem: str | None = None


class Runner:
    def __init__(self, browsers: Browsers) -> None:
        self._browsers = browsers
        self._running: dict[str, Session] = {}

    async def run(
        self,
        run_id: str,
        subroutine: Subroutine,
        arguments: Mapping[str, JsonValue],
        *,
        browser: str | None,
        proof: Proof,
        on_progress: OnProgress | None = None,
    ) -> Outcome:
        """Raises NoBrowser, BrowserNotChosen or UnknownName before anything left; never afterwards."""
        session = self._browsers.choose(browser)
        teller = ProgressTeller(run_id, on_progress)
        play = _Play(run_id, subroutine, arguments, session, self._browsers.name_of(session), proof, teller)
        self._running[run_id] = session
        try:
            with session.listening(run_id, teller.hear):
                return await _play(play)
        finally:
            del self._running[run_id]

    async def cancel(self, run_id: str) -> bool:
        session = self._running.get(run_id)
        if session is None:
            return False
        try:
            result = await session.ask("cancel", {"run": run_id}, timeout_s=GUARD_S)
        except (HomeError, PageError, TimeoutError):
            return False
        return result.get("cancelled") is True


async def _play(play: _Play) -> Outcome:
    timeout_s = play.subroutine.timeout_s + GUARD_S
    try:
        result = await play.session.ask(
            "run", run_params(play.run, play.subroutine, play.arguments), timeout_s=timeout_s
        )
        reply = RunReply.model_validate(result, extra="ignore")
    except BrowserLost:
        return _lost(play, "The connection to the browser ended while it was running.")
    except TimeoutError:
        await _send_quietly(play, "cancel", {"run": play.run})
        return _lost(play, f"The browser did not answer within {timeout_s:g} s.")
    except ValidationError:
        log.warning("the answer to run %s could not be understood", play.run, exc_info=True)
        return _lost(play, "The browser's answer could not be understood.")
    except PageError as error:
        if error.code not in NOTHING_STARTED:
            return _lost(play, str(error))
        reply = _not_started(error)
    return await _conclude(play, reply)


async def _conclude(play: _Play, reply: RunReply) -> Outcome:
    expected = fill(play.subroutine, play.arguments, reply.value)
    evidence = _evidence(reply)
    judgement = judge(play.subroutine, expected, reply, evidence)
    if reply.tab is None:
        return _outcome(play, judgement, evidence)
    if judgement.verdict.status is Status.DONE and play.proof is not Proof.ALWAYS:
        await _send_quietly(play, "finish", finish_params(play.run))
        return _outcome(play, judgement, evidence)
    wait_s = min(WAIT_S[waiting(expected, reply, evidence)], play.subroutine.timeout_s)
    seen = await _finish(play, watch(expected), reply, wait_s=wait_s)
    evidence = _evidence(reply, seen)
    judgement = judge(play.subroutine, expected, reply, evidence)
    if play.proof is Proof.ALWAYS or (
        play.proof is Proof.UNLESS_DONE and judgement.verdict.status is not Status.DONE
    ):
        evidence = await _with_picture(play, reply.tab, evidence)
    await _send_quietly(play, "finish", finish_params(play.run))
    return _outcome(play, judgement, evidence)


async def _finish(play: _Play, wanted: Watch, reply: RunReply, *, wait_s: float) -> _Seen:
    """Waits for the proof and collects it, keeping the tab."""
    params = finish_params(play.run, wanted, page=reply.final_url, wait_s=wait_s, hold=True)
    try:
        result = await play.session.ask("finish", params, timeout_s=wait_s + GUARD_S)
        finished = FinishReply.model_validate(result, extra="ignore")
    except (HomeError, PageError, TimeoutError, ValidationError) as error:
        log.warning("run %s: the end could not be seen: %s", play.run, type(error).__name__)
        return _Seen()
    return _Seen(finished, _shown(wanted, finished.texts))


async def _with_picture(play: _Play, tab: int, evidence: Evidence) -> Evidence:
    try:
        result = await play.session.ask("screenshot", {"tab": tab}, timeout_s=PICTURE_S)
        picture = base64.b64decode(Picture.model_validate(result).data, validate=True)
        return evidence.model_copy(update={"screenshot": picture})
    except (HomeError, PageError) as error:
        problem = str(error)
    except TimeoutError:
        problem = f"The browser took no picture within {PICTURE_S:g} s."
    except (ValidationError, binascii.Error):
        problem = "The browser's picture could not be read."
    return evidence.model_copy(update={"screenshot_problem": problem})


async def _send_quietly(play: _Play, method: str, params: Result) -> None:
    """Sends what nobody waits for; a connection that has ended has let go of the tab by itself."""
    try:
        await play.session.send(method, params)
    except HomeError:
        log.debug("run %s: %s could not be sent", play.run, method)


# --- what comes of it -----------------------------------------------------------------------------


def _evidence(reply: RunReply, seen: _Seen | None = None) -> Evidence:
    """Everything in it was validated when it came from the wire."""
    last = seen.reply if seen else FinishReply()
    return Evidence.model_construct(
        value=reply.value,
        fault=reply.error,
        steps=reply.steps,
        requests=(*reply.requests, *last.requests),
        texts=seen.texts if seen else (),
        notices=last.notices,
        logs=reply.logs,
        final_url=last.final_url or reply.final_url,
        title=last.title or reply.title,
        screenshot=None,
        screenshot_problem=None,
        timings_ms=reply.timings,
    )


def _shown(wanted: Watch, seen: tuple[TextSeen, ...]) -> tuple[TextSeen, ...]:
    """The browser answers in the order it was asked; secrets are masked before the texts become evidence."""
    asked = (*wanted.texts, *wanted.gone)
    return tuple(
        one.model_copy(
            update={"text": text.shown, "excerpt": one.excerpt if text.shown == text.sought else ""}
        )
        for text, one in zip(asked, seen, strict=False)
    )


def _not_started(error: PageError) -> RunReply:
    """The browser answered ``run`` itself with an error: it did not take the run."""
    fault = Fault(code=error.code, message=str(error))
    return RunReply(outcome=Ended.REFUSED, error=fault, acted=False)


def _lost(play: _Play, why: str) -> Outcome:
    """Nobody knows how it ended; what the browser told on the way is all the evidence there is."""
    steps = play.teller.steps
    judgement = judge_lost(play.subroutine, why, acted=any(step.acted for step in steps))
    fault = Fault(code=BrowserLost.code, message=why)
    return _outcome(play, judgement, Evidence(fault=fault, steps=tuple(steps), logs=tuple(play.teller.logs)))


def _outcome(play: _Play, judgement: Judgement, evidence: Evidence) -> Outcome:
    return Outcome.model_construct(
        verdict=judgement.verdict, evidence=evidence, browser=play.browser, acted=judgement.acted
    )
