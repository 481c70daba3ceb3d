"""Keeps pairings in one JSON file that only its owner can read (mode 0600). Knows no codes."""

import json
import os
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from library.errors import SetupError
from relay.pairing import Pairing


class PairingFile:
    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> list[Pairing]:
        """No file is no pairings. Raises SetupError when the file is there and cannot be understood."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise SetupError(f"{self._path} cannot be read: {error.strerror}.") from error
        try:
            return [_pairing(row) for row in json.loads(text)["browsers"]]
        except (ValueError, KeyError, TypeError) as error:
            raise SetupError(
                f"{self._path} is not a list of paired browsers. Move it away and pair again: runhome pair"
            ) from error

    def save(self, pairings: Sequence[Pairing]) -> None:
        """Written beside the file and renamed: a crash leaves the old list or the new one."""
        text = json.dumps({"browsers": [_row(pairing) for pairing in pairings]}, indent=2)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # mkstemp makes the file with mode 0600 from its first moment on.
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _row(pairing: Pairing) -> dict[str, str]:
    return {
        "browser": pairing.browser,
        "name": pairing.name,
        "key": pairing.key.hex(),
        "paired_at": pairing.paired_at.isoformat(),
    }


def _pairing(row: dict[str, str]) -> Pairing:
    return Pairing(
        browser=row["browser"],
        name=row["name"],
        key=bytes.fromhex(row["key"]),
        paired_at=datetime.fromisoformat(row["paired_at"]),
    )
