"""Runs that are given a file: by its name, or sent along with the message."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from library.models import Param
from tests.bot.house import House, open_house
from tests.fakes import FakeCatalog, subroutine

REPORT = {"name": "report.pdf", "type": "application/pdf", "data": b64encode(b"%PDF").decode()}
FILE = Param(format="file", description="The report")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    catalog = FakeCatalog(
        subroutine(),
        subroutine("send-report", params={"file": FILE, "text": Param()}),
        subroutine("compare", params={"old": FILE, "new": FILE}),
    )
    async with open_house(tmp_path, catalog=catalog) as opened:
        yield opened


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    (tmp_path / "report.pdf").write_bytes(b"%PDF")
    return tmp_path / "report.pdf"


async def test_a_file_of_the_folder_is_given_by_its_name(house: House, tmp_path: Path) -> None:
    (tmp_path / "files" / "report.pdf").write_bytes(b"%PDF")
    await house.say("/run send-report file=report.pdf text=Hello")
    assert house.runner.runs[0][2] == {"file": REPORT, "text": "Hello"}


async def test_a_file_sent_along_fills_the_file_parameter_and_is_there_for_run_again(
    house: House, sent: Path
) -> None:
    await house.say("/run send-report Hello, all", files=[sent])
    await asyncio.to_thread(sent.unlink)
    [run] = await house.journal.recent()
    assert run.call.arguments == {"file": "report.pdf", "text": "Hello, all"}
    await house.say(f"/again {run.id}")
    assert [run[2] for run in house.runner.runs] == [{"file": REPORT, "text": "Hello, all"}] * 2


async def test_a_file_sent_along_fills_the_first_one_that_is_not_named(
    house: House, sent: Path, tmp_path: Path
) -> None:
    (tmp_path / "files" / "last.pdf").write_bytes(b"%PDF last")
    await house.say("/run compare old=last.pdf", files=[sent])
    [run] = await house.journal.recent()
    assert run.call.arguments == {"old": "last.pdf", "new": "report.pdf"}


async def test_a_file_that_no_parameter_takes_is_not_silently_dropped(
    house: House, sent: Path, tmp_path: Path
) -> None:
    [reply] = await house.say("/run create-post Hello", files=[sent])
    assert reply.text.startswith('create-post has no parameter left for the file "report.pdf".')
    assert not list((tmp_path / "files").iterdir())
    assert not house.runner.runs


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("reprot.pdf", 'There is no file named "reprot.pdf". Did you mean "report.pdf"?'),
        ("../report.pdf", "file must be the plain name"),
        ("/etc/hostname", 'not "/etc/hostname"'),
        ("link.pdf", 'There is no file named "link.pdf".'),
    ],
)
async def test_a_file_that_cannot_be_had_is_answered_before_there_is_a_run(
    house: House, sent: Path, tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "files" / "report.pdf").write_bytes(b"%PDF")
    (tmp_path / "files" / "link.pdf").symlink_to(sent)
    assert says in await house.answer(f"/run send-report file={name} text=Hello")
    assert await house.journal.recent() == []
    assert not house.runner.runs
