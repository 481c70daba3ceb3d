"""How the site shall misbehave: settable by a test in the same process, or over ``POST /control``."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Answer(StrEnum):
    NORMAL = "normal"
    FAIL = "fail"
    """500, and nothing is stored."""
    FAIL_AFTER = "fail_after"
    """500, although it was stored."""
    REFUSE_WITH_200 = "refuse_with_200"
    """200 with an error in the body, and nothing is stored."""
    DROP = "drop"
    """Stored, then the connection is dropped without a byte of answer; so are writes until the next load."""


class Behaviour(BaseModel):
    """Applies to the JSON API; ``times`` limits ``answer`` to that many writes, None means all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    delay_ms: int = Field(0, ge=0, le=60_000)
    answer: Answer = Answer.NORMAL
    times: int | None = Field(None, ge=1)

    def after_one(self) -> "Behaviour":
        """What is left once ``answer`` was given one more time."""
        if self.times is None:
            return self
        if self.times == 1:
            return self.model_copy(update={"answer": Answer.NORMAL, "times": None})
        return self.model_copy(update={"times": self.times - 1})
