"""The subroutines installed in some folders, read again when their files change. Runs and installs nothing.

The first folder wins: a file further down the list whose name is taken is not used and is named in
``problems()``. So a file dropped into the person's folder can never pose as a built-in subroutine; whoever
wants to change one gives the copy a name of its own, such as ``my/create-post``.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from library.errors import SubroutineError, UnknownName
from library.models import Subroutine
from library.subroutine_file import LONGEST_FILE, parse

BUILT_IN = Path(__file__).parent / "subroutines"


@dataclass(frozen=True)
class CatalogProblem:
    """Why a file of the folders is not used; ``message`` is for the person who put it there."""

    path: Path
    message: str


@dataclass(frozen=True)
class _Entry:
    """What was read of one file, and the stamp that tells whether it has changed since."""

    stamp: tuple[int, int]
    subroutine: Subroutine | None
    error: SubroutineError | None
    names: frozenset[str]
    """The names that a broken file probably has: by its place, its file name, and when it was last whole."""


class Catalog:
    """Installed subroutines by name; satisfies ``scheduler.ports.Catalog``.

    A look-up of a name that is known compares the time and size of its file, every other one those of all
    files (microseconds a file). Only what has changed is read.
    """

    def __init__(self, folders: Sequence[Path] = (BUILT_IN,)) -> None:
        self._folders = tuple(folders)
        self._entries: dict[Path, _Entry] = {}
        self._by_name: dict[str, Path] = {}
        self._problems: list[CatalogProblem] = []

    def get(self, name: str) -> Subroutine:
        """Raises UnknownName with the nearest names; SubroutineError when the file of that name is broken."""
        path = self._by_name.get(name)
        if path is None or _stamp(path) != self._entries[path].stamp:
            self._refresh()
            path = self._by_name.get(name)
        if path is not None:
            found = self._entries[path].subroutine
            assert found is not None, path
            return found
        for entry in self._entries.values():
            if entry.error is not None and name in entry.names:
                raise entry.error
        raise UnknownName("subroutine", name, self.names())

    def names(self) -> list[str]:
        self._refresh()
        return sorted(self._by_name)

    def all(self) -> list[Subroutine]:
        """Every usable subroutine, by name."""
        return [self.get(name) for name in self.names()]

    def path(self, name: str) -> Path:
        """The file of a subroutine. Raises UnknownName."""
        self.get(name)
        return self._by_name[name]

    def problems(self) -> list[CatalogProblem]:
        """The files that are not used, each with the reason."""
        self._refresh()
        return list(self._problems)

    def _refresh(self) -> None:
        entries: dict[Path, _Entry] = {}
        changed = False
        for folder, path, stamp in self._files():
            known = self._entries.get(path)
            if known is None or known.stamp != stamp:
                known = _read(folder, path, stamp, known)
                changed = True
            entries[path] = known
        if changed or entries.keys() != self._entries.keys():
            self._entries = entries
            self._index()

    def _files(self) -> Iterator[tuple[Path, Path, tuple[int, int]]]:
        for folder in self._folders:
            for place, subfolders, files in os.walk(folder):
                subfolders.sort()
                for name in sorted(files):
                    if name.endswith(".js") and not name.startswith("."):
                        path = Path(place, name)
                        stamp = _stamp(path)
                        if stamp is not None:
                            yield folder, path, stamp

    def _index(self) -> None:
        self._by_name = {}
        self._problems = []
        for path, entry in self._entries.items():
            if entry.error is not None:
                self._problems.append(CatalogProblem(path, str(entry.error)))
            elif entry.subroutine is not None:
                self._place(path, entry.subroutine.name)

    def _place(self, path: Path, name: str) -> None:
        first = self._by_name.setdefault(name, path)
        if first != path:
            message = f'{path.name} is not used: the name "{name}" is already taken by {first}. Rename it.'
            self._problems.append(CatalogProblem(path, message))


def _stamp(path: Path) -> tuple[int, int] | None:
    """Time in ns and size in bytes; None for a file that is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read(folder: Path, path: Path, stamp: tuple[int, int], before: _Entry | None) -> _Entry:
    names = {path.stem, path.relative_to(folder).with_suffix("").as_posix()}
    if before is not None:
        names |= before.names
    try:
        subroutine = parse(_text(path, stamp[1]), path=path)
    except SubroutineError as error:
        return _Entry(stamp, None, error, frozenset(names))
    return _Entry(stamp, subroutine, None, frozenset({subroutine.name}))


def _text(path: Path, size: int) -> str:
    if size > LONGEST_FILE:
        raise SubroutineError(f"{path.name} is larger than {LONGEST_FILE // 1024} KiB.", line=1)
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SubroutineError(f"{path.name}, line {line}: the text is not UTF-8.", line=line) from error
    except OSError as error:
        raise SubroutineError(f"{path.name} cannot be read: {error.strerror}.", line=1) from error
