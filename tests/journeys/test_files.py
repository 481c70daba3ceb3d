"""A file of the person's folder, all the way into a file input of a page."""

import pytest

from library.models import Status
from tests.journeys.household import Household, status_of, subroutine
from tests.journeys.sites import Pages

pytestmark = pytest.mark.browser


async def test_a_file_reaches_the_page_and_the_journal_has_its_name(home: Household, pages: Pages) -> None:
    content = bytes(range(256)) * 4096
    (home.folder / "data" / "files" / "보고서 1.pdf").write_bytes(content)
    shown = f"{len(content)} bytes, sum {sum(content)}"
    text = subroutine(
        "send-report",
        "await tab.upload({ label: 'Report' }, file)",
        sites=pages.anywhere,
        start=pages.at("/upload"),
        effect="write",
        more=f'params:\n  file: {{format: file}}\nexpect:\n  - text: "{{file}}: application/pdf, {shown}"',
    )
    home.install("send-report", text)
    said = await home.say('/run send-report file="보고서 1.pdf"')
    assert said.text.startswith("✅ send-report: done\n"), said.text
    run = await home.newest()
    assert status_of(run) == (Status.DONE, True)
    assert run.call.arguments == {"file": "보고서 1.pdf"}
    assert len(run.model_dump_json()) < 20_000
