"""The files of evidence, one folder a run: ``evidence.json`` and the screenshot. Their names come from
run ids only."""

import json
import os
import re
from pathlib import Path

RUN_ID = re.compile(r"r[0-9a-z]{12}")


class EvidenceFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, run_id: str, evidence: str, screenshot: bytes | None) -> str:
        """Writes both, each whole or not at all; gives ``{"evidence": path, "screenshot": path}`` as JSON."""
        if not RUN_ID.fullmatch(run_id):
            raise ValueError(f"{run_id!r} is not a run id, so it names no folder")
        folder = self._folder / run_id
        folder.mkdir(parents=True, exist_ok=True)
        files = {"evidence": _write(folder / "evidence.json", evidence.encode())}
        if screenshot is not None:
            ending = "png" if screenshot.startswith(b"\x89PNG") else "jpg"
            files["screenshot"] = _write(folder / f"screenshot.{ending}", screenshot)
        return json.dumps(files)


def _write(path: Path, content: bytes) -> str:
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(content)
    os.replace(part, path)
    return str(path)
