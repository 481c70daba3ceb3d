"""One-use codes, and the browsers that hold a key. Where pairings are kept is handed in; knows no HTTP.

1. ``new_code`` shows the owner a code: eight characters, ten minutes, one use.
2. The extension's popup redeems it: the browser gets an id, a key of 256 bits and a name of its own.
3. Five wrong codes in a row end every code that is open, so guessing 32**8 of them is hopeless.
4. ``remove`` ends a pairing; its key opens nothing from then on.
"""

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from library.errors import AskError, PairingRefused, UnknownName

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No 0 O 1 I: they are mistaken for each other on paper and on phones."""
CODE_LENGTH = 8
CODE_LIFE = timedelta(minutes=10)
WRONG_TRIES = 5
KEY_BYTES = 32
LONGEST_NAME = 40

_REFUSED = "This code is wrong, used or too old. Get a new one with: runhome pair"


@dataclass(frozen=True)
class Code:
    text: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True)
class Pairing:
    """One browser that may connect."""

    browser: str
    name: str
    key: bytes = field(repr=False)
    paired_at: datetime


class PairingStore(Protocol):
    """Where pairings are kept between starts."""

    def load(self) -> Sequence[Pairing]: ...

    def save(self, pairings: Sequence[Pairing]) -> None:
        """All of them at once: either the old or the new list is there after a crash."""
        ...


class Pairings:
    """``random`` gives n random bytes; codes, ids and keys come from it."""

    def __init__(
        self,
        store: PairingStore,
        *,
        now: Callable[[], datetime],
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._store = store
        self._now = now
        self._random = random
        self._codes: list[Code] = []
        self._wrong_tries = 0
        self._pairings = {pairing.browser: pairing for pairing in store.load()}

    # --- codes ------------------------------------------------------------------------------------

    def new_code(self) -> Code:
        """A code for one browser. Several may be open at once: a managed browser takes its own."""
        # 256 is a multiple of 32: the remainder of a random byte is as even as the byte.
        text = "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._random(CODE_LENGTH))
        code = Code(text, self._now() + CODE_LIFE)
        self._codes.append(code)
        return code

    def redeem(self, code: str, browser_name: str) -> Pairing:
        """Pairs the browser that knows the code. Raises PairingRefused, always with the same words."""
        used = self._take(code)
        if used is None:
            raise PairingRefused(_REFUSED)
        pairing = Pairing(
            browser="b" + self._random(8).hex(),
            name=self._free_name(browser_name),
            key=self._random(KEY_BYTES),
            paired_at=self._now(),
        )
        self._keep(pairing)
        return pairing

    def _take(self, code: str) -> Code | None:
        given = "".join(code.split()).replace("-", "").upper().encode()
        now = self._now()
        self._codes = [open_code for open_code in self._codes if now < open_code.expires_at]
        for open_code in self._codes:
            if hmac.compare_digest(given, open_code.text.encode()):
                self._codes.remove(open_code)
                self._wrong_tries = 0
                return open_code
        self._wrong_tries += 1
        if self._wrong_tries >= WRONG_TRIES:
            self._codes, self._wrong_tries = [], 0
        return None

    # --- pairings ---------------------------------------------------------------------------------

    def key_of(self, browser: str) -> bytes | None:
        pairing = self._pairings.get(browser)
        return pairing.key if pairing else None

    def all(self) -> list[Pairing]:
        """In the order in which they were paired."""
        return sorted(self._pairings.values(), key=lambda pairing: pairing.paired_at)

    def names(self) -> list[str]:
        return [pairing.name for pairing in self.all()]

    def name_of(self, browser: str) -> str:
        """The browser's name; its id when it has just been unpaired."""
        pairing = self._pairings.get(browser)
        return pairing.name if pairing else browser

    def find(self, name: str) -> Pairing:
        """Upper and lower case are the same. Raises UnknownName with the nearest names."""
        for pairing in self._pairings.values():
            if pairing.name.casefold() == name.strip().casefold():
                return pairing
        raise UnknownName("browser", name, self.names())

    def rename(self, old: str, new: str) -> Pairing:
        """Raises UnknownName for ``old``, AskError when ``new`` is empty or taken."""
        pairing = self.find(old)
        name = _tidy(new)
        others = {other.name.casefold() for other in self._pairings.values() if other is not pairing}
        if not name:
            raise AskError("A browser needs a name. Try for example: Chrome at home")
        if name.casefold() in others:
            raise AskError(
                f'Another browser is already named "{name}". Names here: {", ".join(self.names())}.'
            )
        return self._keep(replace(pairing, name=name))

    def remove(self, name: str) -> Pairing:
        """Unpairs. Raises UnknownName with the nearest names."""
        pairing = self.find(name)
        rest = {browser: other for browser, other in self._pairings.items() if other is not pairing}
        self._store.save(list(rest.values()))
        self._pairings = rest
        return pairing

    def _keep(self, pairing: Pairing) -> Pairing:
        kept = {**self._pairings, pairing.browser: pairing}
        self._store.save(list(kept.values()))
        self._pairings = kept
        return pairing

    def _free_name(self, wanted: str) -> str:
        """The wanted name, or with the first free number: the second "Chrome" is "Chrome 2"."""
        wanted = _tidy(wanted) or "Browser"
        taken = {pairing.name.casefold() for pairing in self._pairings.values()}
        name, number = wanted, 1
        while name.casefold() in taken:
            number += 1
            name = f"{wanted} {number}"
        return name


def _tidy(name: str) -> str:
    """One line of printable characters, white space folded, at most LONGEST_NAME of them."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())[:LONGEST_NAME].strip()
