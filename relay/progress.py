"""Turns the events of one run into progress for a person, and keeps its steps and logs in case it is lost."""

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from library.models import Progress, Step
from relay.session import Result

_LONGEST_TEXT = 200


class _Said(BaseModel):
    """The params of the events ``progress`` and ``log``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    fraction: float | None = Field(None, ge=0, le=1)


class ProgressTeller:
    def __init__(self, run: str, on_progress: Callable[[Progress], None] | None) -> None:
        self._run = run
        self._on_progress = on_progress
        self.steps: list[Step] = []
        self.logs: list[str] = []

    def hear(self, event: str, params: Result) -> None:
        """One event of the run. What does not fit the wire is passed over: the reply has it all once more."""
        try:
            if event == "step":
                self._step(Step.model_validate(params.get("step"), extra="ignore"))
            elif event == "progress":
                said = _Said.model_validate(params)
                self._tell(said.text, said.fraction)
            elif event == "log":
                said = _Said.model_validate(params)
                self.logs.append(said.text)
                self._tell(said.text)
        except ValidationError:
            return

    def _step(self, step: Step) -> None:
        self.steps.append(step)
        self._tell(f"{step.n}. {in_words(step)}")

    def _tell(self, text: str, fraction: float | None = None) -> None:
        if self._on_progress is not None:
            self._on_progress(Progress(run=self._run, text=text[:_LONGEST_TEXT], fraction=fraction))


def in_words(step: Step) -> str:
    """``click button "Post"``: the helper, what it was pointed at, and the error's code if it failed."""
    target = _target(step.args[0]) if step.args else ""
    failed = f" – {step.error.code}" if step.error else ""
    return f"{step.helper} {target}".rstrip() + failed


def _target(arg: JsonValue) -> str:
    if isinstance(arg, str):
        return arg
    if not isinstance(arg, dict):
        return ""
    inner = arg.get("target")
    if isinstance(inner, dict):
        return _target(inner)
    name = next(
        (arg[key] for key in ("name", "label", "placeholder", "text", "testId") if arg.get(key)), None
    )
    role = arg.get("role")
    parts = [str(role)] if role else []
    return " ".join([*parts, f'"{name}"'] if name else parts)
