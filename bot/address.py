"""Where the Runhome of this data folder answers: a small file for the command line, for its owner only."""

import os
from pathlib import Path

from pydantic import BaseModel, ValidationError

FILE = "running.json"


class Address(BaseModel):
    port: int
    token: str
    pid: int


def write_address(data: Path, address: Address) -> None:
    """Leaves word of where this process serves, mode 0600."""
    draft = data / f"{FILE}.{address.pid}"
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(address.model_dump_json())
    draft.replace(data / FILE)


def read_address(data: Path) -> Address | None:
    """What was written last; whether somebody still answers there is for the reader to try."""
    try:
        return Address.model_validate_json((data / FILE).read_bytes())
    except (OSError, ValidationError):
        return None


def forget_address(data: Path, address: Address) -> None:
    """Removes the file, unless another process has written its own since."""
    if read_address(data) == address:
        (data / FILE).unlink(missing_ok=True)
