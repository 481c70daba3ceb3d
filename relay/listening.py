"""Binds the loopback port, and says who holds it when it is taken. Knows no HTTP."""

import errno
import os
import socket
import sys
from pathlib import Path

from library.errors import SetupError

HOST = "127.0.0.1"
_CHOOSE = "runhome setup --port NUMBER"
_LISTEN = "0A"  # TCP_LISTEN in the kernel's include/net/tcp_states.h


def bind(port: int) -> socket.socket:
    """A socket bound to the loopback; port 0 takes a free one. Raises SetupError when that cannot be."""
    # asyncio switches Nagle's algorithm off only for sockets that say that they are TCP: without it an answer
    # waits up to 40 ms for the acknowledgement of the one before.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            # On Windows this option would let a second server share the port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((HOST, port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise SetupError(_why(port, error)) from error
    return sock


def _why(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        holder = _holder(port)
        by = f"by {holder}" if holder else "by another program (perhaps a Runhome that is already running)"
        return f"Port {port} is already taken {by}. Stop it, or choose another port: {_CHOOSE}"
    if error.errno == errno.EACCES:
        return f"Port {port} needs rights that this user does not have. Choose one above 1024: {_CHOOSE}"
    return f"Port {port} cannot be opened: {error.strerror}. Choose another port: {_CHOOSE}"


def _holder(port: int) -> str | None:
    """``"python3" (process 4711)`` where Linux tells; None elsewhere, and for other people's processes."""
    inode = _inode(port)
    if inode is None:
        return None
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(os.readlink(link) == f"socket:[{inode}]" for link in folder.iterdir()):
                name = (folder.parent / "comm").read_text().strip()
                return f'"{name}" (process {folder.parent.name})'
        except OSError:
            continue  # Another user's process, or one that has just ended.
    return None


def _inode(port: int) -> str | None:
    """The socket that listens on the port, from /proc/net/tcp (proc(5))."""
    try:
        rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return None
    for row in rows:
        columns = row.split()
        if columns[3] == _LISTEN and int(columns[1].split(":")[1], 16) == port:
            return columns[9]
    return None
