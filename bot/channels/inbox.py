"""Where files that people send are kept until they are used. It chooses names; it fetches nothing."""

import re
from pathlib import Path

_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}")


class Inbox:
    """One folder, only its owner can read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def place_for(self, claim: str, name: str) -> Path:
        """A path made of the update's claim; of the person's own file name only a harmless ending is used."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        ending = Path(name).suffix
        kept = ending.lower() if _ENDING.fullmatch(ending) else ""
        return self._folder / (re.sub(r"[^A-Za-z0-9]+", "-", claim) + kept)
