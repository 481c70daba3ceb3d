"""The files of evidence, beside the database: ``RUN.json`` and the screenshot. Named by run ids only."""

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
        """Writes each file whole or not at all; gives their paths as ``evidence`` and ``screenshot``."""
        if not RUN_ID.fullmatch(run_id):
            raise ValueError(f"{run_id!r} is not a run id, so it names no file")
        picture, text = evidence.screenshot, evidence.model_copy(update={"screenshot": None})
        files = {"evidence": self._write(f"{run_id}.json", text.model_dump_json(indent=2).encode())}
        if picture is not None:
            ending = "png" if picture.startswith(b"\x89PNG") else "jpg"
            files["screenshot"] = self._write(f"{run_id}.{ending}", picture)
        return files

    def _write(self, name: str, content: bytes) -> str:
        path = self._folder / name
        part = self._folder / f"{name}.part"
        part.write_bytes(content)
        os.replace(part, path)
        return str(path)
