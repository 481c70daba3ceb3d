"""Which encoding a text file is in, judged over the whole file in bounded memory; never decodes itself.

1. A byte order mark decides, and the rest must keep the promise.
2. A file with zero bytes is UTF-16; its ASCII letters show the order of the bytes.
3. What decodes as UTF-8 to its end is UTF-8.
4. Otherwise it is CP949, CP932 or Windows-1252: those in which some byte is wrong are out, the others are
   weighed by what they make of the whole file (legacy_letters). A close result is an error that shows a line
   in each reading.
"""

import codecs
from collections.abc import Iterator
from pathlib import Path

from library.errors import BadArgument
from scheduler.legacy_letters import plausibility

_CHUNK = 1 << 16
_LEGACY = {"cp949": "Korean", "cp932": "Japanese", "cp1252": "Western European"}
_ENOUGH, _ENOUGH_ALONE, _CLEAR_LEAD = 0.7, 0.35, 0.25


class EncodingUnclear(BadArgument):
    """It cannot be told how to read the file. The message shows what each reading would make of one line."""

    code = "ENCODING_UNCLEAR"


def detect(path: Path) -> str:
    """The Python codec to open the file with. Raises EncodingUnclear.

    One of utf-8, utf-8-sig, utf-16 (with a mark), utf-16-le, utf-16-be, cp949, cp932, cp1252.
    """
    with path.open("rb") as file:
        start = file.read(4)
    if start.startswith(codecs.BOM_UTF8):
        return _kept(path, "utf-8-sig")
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _kept(path, "utf-16")
    if order := _wide_order(path):
        return _kept(path, order)
    return "utf-8" if _decodes(path, "utf-8") else _legacy(path)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _texts(path: Path, codec: str) -> Iterator[str]:
    """The file in pieces. Raises UnicodeDecodeError at the first wrong byte, also at a cut-off end."""
    decoder = codecs.getincrementaldecoder(codec)("strict")
    for chunk in _chunks(path):
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _decodes(path: Path, codec: str) -> bool:
    try:
        for _ in _texts(path, codec):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _kept(path: Path, codec: str) -> str:
    if not _decodes(path, codec):
        raise EncodingUnclear(
            f"{path.name} begins as {codec.upper()}, but is damaged further on. Save it again as UTF-8."
        )
    return codec


def _wide_order(path: Path) -> str | None:
    """UTF-16 without a mark: None where there is no zero byte."""
    little = big = zeros = 0
    for chunk in _chunks(path):
        even, odd = chunk[::2], chunk[1::2]
        zeros += chunk.count(0)
        if zeros:
            little += _ascii_before_zero(even, odd)
            big += _ascii_before_zero(odd, even)
    if not zeros:
        return None
    if max(little, big) < 10 * min(little, big) or little == big:
        raise EncodingUnclear(
            f"{path.name} has zero bytes like UTF-16, but not in its pattern. Save it again as UTF-8."
        )
    return "utf-16-le" if little > big else "utf-16-be"


def _ascii_before_zero(letters: bytes, zeros: bytes) -> int:
    return sum(1 for letter, zero in zip(letters, zeros, strict=False) if zero == 0 and 0 < letter < 0x80)


def _legacy(path: Path) -> str:
    weights: dict[str, float] = {}
    for codec in _LEGACY:
        try:
            weights[codec] = plausibility(_texts(path, codec), codec)
        except UnicodeDecodeError:
            continue
    ranked = sorted(weights, key=lambda codec: weights[codec], reverse=True)
    best = weights[ranked[0]] if ranked else 0.0
    second = weights[ranked[1]] if len(ranked) > 1 else 0.0
    enough = _ENOUGH if len(ranked) > 1 else _ENOUGH_ALONE
    if best < enough or best - second < _CLEAR_LEAD:
        raise EncodingUnclear(_readings(path, ranked))
    return ranked[0]


def _readings(path: Path, codecs_left: list[str]) -> str:
    line = _first_strange_line(path)
    shown = [
        f'{_LEGACY[codec]}: "{line.decode(codec, "ignore").strip()}"'
        for codec in codecs_left or list(_LEGACY)
    ]
    return (
        f"It cannot be told which encoding {path.name} is in. One line of it could be: {'; '.join(shown)}. "
        "Save it again as UTF-8 (in Excel: CSV UTF-8)."
    )


def _first_strange_line(path: Path) -> bytes:
    """The first line (at most 80 bytes around the place) with a byte that is not ASCII."""
    tail = b""
    for chunk in _chunks(path):
        if not chunk.isascii():
            place = next(n for n, byte in enumerate(chunk) if byte > 0x7F)
            before = (tail + chunk[:place]).splitlines()[-1:] or [b""]
            if (tail + chunk[:place]).endswith(b"\n"):
                before = [b""]
            return before[0][-40:] + chunk[place : place + 40].splitlines()[0]
        tail = chunk[-40:]
    return b""
