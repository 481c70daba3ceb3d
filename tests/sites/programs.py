"""Starts other people's programs by the scripts beside the checkout, and stops what it started.

What they install and store lies in ``$RUNHOME_SITES`` (else in a folder of the temporary folder), so that the
next run of the tests starts in a second.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

PATIENCE_S = 500
"""A first start installs packages."""

PORTS = {"wordpress": 18081, "jupyterlab": 18083, "misago": 18084}


@asynccontextmanager
async def running(shared: Path, name: str) -> AsyncIterator[str]:
    """The program's address while the block runs; one that was running before goes on running."""
    port = PORTS[name]
    was_running = await _listens(port)
    try:
        try:
            await _script(shared, name, "up.sh")
        except AssertionError:
            # What earlier tests have posted may be in its way: WordPress's script looks for its own posts.
            await _script(shared, name, "down.sh")
            await asyncio.to_thread(shutil.rmtree, _kept(name))
            await _script(shared, name, "up.sh")
        yield f"http://127.0.0.1:{port}"
    finally:
        if not was_running:
            await _script(shared, name, "down.sh")


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


def _kept(name: str) -> Path:
    return Path(os.environ.get("RUNHOME_SITES") or Path(tempfile.gettempdir(), "runhome-sites")) / name


async def _script(shared: Path, name: str, script: str) -> None:
    kept = _kept(name)
    environment = {**os.environ, "SITE_DATA": str(kept / "data"), "SITE_RUN": str(kept / "run")}
    process = await asyncio.create_subprocess_exec(
        "bash",
        str(shared / "sites" / name / script),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(PATIENCE_S):
        said, _ = await process.communicate()
    assert process.returncode == 0, f"{name}/{script} failed:\n{said.decode(errors='replace')}"
