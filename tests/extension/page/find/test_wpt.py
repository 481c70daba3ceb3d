"""The W3C's own cases for roles and names: how many pass, beside the baselines of ../shared/wpt."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.find.finding import FindingPage

pytestmark = pytest.mark.browser

AIMS = {"names": (283, 286), "roles": (205, 236), "find": (245, 249)}
SAME = {"img": "image", "presentation": "none", "": "generic"}

INTO_SHADOW = """() => {
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(...document.querySelectorAll("head style"), ...document.body.childNodes);
  document.body.append(host);
}"""

ASK = """cases.map(({ selector, role, name }) => {
  const root = inShadow ? document.body.firstElementChild.shadowRoot : document;
  const element = root.querySelector(selector);
  const found = role === null ? [] : page.findAll({ role, name });
  const hidden = page.visibility.whyHidden(element);
  return { role: page.role(element), name: page.name(element), found: found.includes(element), hidden };
})"""


@dataclass
class Tally:
    """Passed cases of one question, and the ids of the others."""

    passed: int = 0
    failed: tuple[str, ...] = ()

    def count(self, case: str, passes: bool) -> None:
        if passes:
            self.passed += 1
        else:
            self.failed += (case,)


def as_compared(text: str) -> str:
    return re.sub(r"^ | $", "", re.sub(r"[ \t\n\r\f]+", " ", text))


def is_asked_by_role(case: Mapping[str, Any]) -> bool:
    """Chromium's private roles (SvgRoot, ColorWell ...) and generic cannot be asked for."""
    role = case.get("chrome_role") or ""
    return bool(case.get("expected_label")) and role.islower() and role not in ("generic", "none")


def judge(case: Mapping[str, Any], got: Mapping[str, Any], tallies: Mapping[str, Tally]) -> None:
    if "expected_label" in case:
        tallies["names"].count(case["id"], as_compared(got["name"]) == as_compared(case["expected_label"]))
    if "expected_role" in case:
        accepted = [case["expected_role"], *case.get("accept_roles", [])]
        role = SAME.get(got["role"], got["role"])
        tallies["roles"].count(case["id"], role in [SAME.get(one, one) for one in accepted])
    if is_asked_by_role(case):
        tallies["find"].count(case["id"], got["found"])


async def run(browser: BrowserContext, folder: Path, *, in_shadow: bool) -> Mapping[str, Tally]:
    pages = defaultdict(list)
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8")):
        pages[case["page"]].append(case)
    tallies = {question: Tally() for question in AIMS}
    page = await browser.new_page()
    for name, cases in pages.items():
        await page.goto((folder / name).as_uri())
        if in_shadow:
            await page.evaluate(INTO_SHADOW)
        finding = await FindingPage.attach(page)
        asked = [
            {
                "selector": case["selector"],
                "role": case["chrome_role"] if is_asked_by_role(case) else None,
                "name": case.get("expected_label"),
            }
            for case in cases
        ]
        for case, got in zip(cases, await finding.run(ASK, cases=asked, inShadow=in_shadow), strict=True):
            judge(case, got, tallies)
    await page.close()
    return tallies


@pytest.mark.parametrize("in_shadow", [False, True], ids=["in the page", "in an open shadow root"])
async def test_names_roles_and_finds_pass_as_many_w3c_cases_as_they_should(
    plain_browser: BrowserContext, shared: Path, in_shadow: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "wpt"
    tallies = await run(plain_browser, folder, in_shadow=in_shadow)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    table = [line for line in readme.splitlines() if line.startswith("|")]
    place = "body in an open shadow root" if in_shadow else "as they are"
    ours = " | ".join(str(tallies[question].passed) for question in AIMS)
    with capsys.disabled():
        sys.stdout.write("\n".join(["", *table, f"| **Runhome** ({place}) | {ours} |", ""]))
        for question, tally in tallies.items():
            sys.stdout.write(f"not passed, {question}: {', '.join(tally.failed) or 'none'}\n")
    for question, (aim, total) in AIMS.items():
        tally = tallies[question]
        assert tally.passed + len(tally.failed) == total, question
        assert tally.passed >= aim, (question, tally.failed)
