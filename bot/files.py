"""The person's own files that a run may be given: one folder, by plain name. No part of a name is a path."""

import base64
import mimetypes
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from pydantic import JsonValue

from library.errors import BadArgument, UnknownName
from library.values import file_name

MOST_BYTES = 20 * 1024 * 1024
"""Of all files of one run: base64 and the frame around it stay well below docs/wire.md's 64 MiB."""
WHERE = 'Put it into the folder "files" of the data folder, or send it with the message.'

_LONGEST_STEM = 80


class Files:
    """Names are looked up in the folder's own listing, so that none can lead out of it. A link is no file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(self, names: Sequence[str]) -> None:
        """Raises UnknownName with the nearest names, or BadArgument when they are too large together."""
        size = sum(self._find(name).stat().st_size for name in names)
        if size > MOST_BYTES:
            raise BadArgument(_too_large(", ".join(names), size))

    def open(self, name: str) -> Mapping[str, JsonValue]:
        """``{name, type, data}`` as ``tab.upload`` takes it, the data in base64. Raises like ``check``."""
        self.check([name])
        name = _composed(name)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        try:
            data = self._find(name).read_bytes()
        except OSError as error:
            raise BadArgument(f'The file "{name}" cannot be read: {error.strerror}.') from error
        return {"name": name, "type": kind, "data": base64.b64encode(data).decode("ascii")}

    def keep(self, path: Path, name: str) -> str:
        """Copies a file that was sent into the folder. Gives the name it has there: ``name`` made harmless,
        with a number where another file has it already. The same file again keeps its name.

        Raises BadArgument when it is too large."""
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BadArgument(_too_large(name, size))
        data, wanted = path.read_bytes(), Path(_harmless(name))
        for number in count(1):
            ending = f"-{number}" if number > 1 else ""
            place = self._folder / f"{wanted.stem}{ending}{wanted.suffix}"
            if _holds(place, data) or _write_new(place, data):
                return place.name
        raise AssertionError("count() has no end")

    def _find(self, name: str) -> Path:
        paths = [path for path in self._folder.iterdir() if _is_file(path) and not path.name.startswith(".")]
        listing = {_composed(path.name): path for path in paths}
        found = listing.get(_composed(name))
        if found is None:
            raise UnknownName("file", name, sorted(listing), hint=WHERE)
        return found


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _write_new(path: Path, data: bytes) -> bool:
    """False where something is already, in whatever case, be it a link."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        return False
    return True


def _holds(path: Path, data: bytes) -> bool:
    return _is_file(path) and path.stat().st_size == len(data) and path.read_bytes() == data


def _composed(name: str) -> str:
    """macOS keeps names decomposed, phones send them composed: to a person they are the same."""
    return unicodedata.normalize("NFC", name)


def _harmless(name: str) -> str:
    """A sender's file name with letters, digits and a few signs of any script; all else becomes ``_``."""
    kept = "".join(sign if sign.isalnum() or sign in " ._-" else "_" for sign in _composed(name))
    whole = Path(kept.strip(" .") or "file")
    return file_name(f"{whole.stem[:_LONGEST_STEM]}{whole.suffix[:16]}")


def _too_large(what: str, size: int) -> str:
    most = MOST_BYTES // 1024 // 1024
    return f"{what}: {size / 1024 / 1024:.1f} MiB is too large, a run takes at most {most} MiB of files."
