"""The files of evidence, beside the database: screenshots, named by run ids only. All else is in the rows."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from library.models import Evidence

RUN_ID = re.compile(r"r[0-9a-z]{12}")


class EvidenceFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, run_id: str, evidence: Evidence) -> Mapping[str, str]:
        """Writes the picture, if there is one, whole or not at all; gives its path as ``screenshot``."""
        if not RUN_ID.fullmatch(run_id):
            raise ValueError(f"{run_id!r} is not a run id, so it names no file")
        picture = evidence.screenshot
        if picture is None:
            return {}
        ending = "png" if picture.startswith(b"\x89PNG") else "jpg"
        return {"screenshot": self._write(f"{run_id}.{ending}", picture)}

    def _write(self, name: str, content: bytes) -> str:
        path = self._folder / name
        part = self._folder / f"{name}.part"
        part.write_bytes(content)
        os.replace(part, path)
        return str(path)
