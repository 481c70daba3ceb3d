"""The proof of the pairing key that both ends of the wire give each other (HMAC-SHA256, RFC 2104). Pure."""

import hashlib
import hmac
from enum import StrEnum

from relay.messages import VERSION


class Role(StrEnum):
    """Who proves: without it in the sum, one end could send the other's proof back."""

    BROWSER = "browser"
    RELAY = "relay"


def proof(key: bytes, role: Role, *, browser: str, relay_nonce: str, browser_nonce: str) -> str:
    """64 lower-case hex digits over both nonces, role, version and the browser's id (docs/wire.md)."""
    said = f"runhome|{role}|{VERSION}|{browser}|{relay_nonce}|{browser_nonce}"
    return hmac.new(key, said.encode("ascii"), hashlib.sha256).hexdigest()


def is_proof(given: str, expected: str) -> bool:
    """Compared in constant time, so that a wrong proof does not tell how much of it was right."""
    return hmac.compare_digest(given.encode("ascii"), expected.encode("ascii"))
