"""The demo site in a real Chromium, used as a person would."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import BrowserContext, Page

from library.demo.behaviour import Answer, Behaviour
from library.demo.server import serve
from library.demo.site import DemoSite

pytestmark = pytest.mark.browser


@pytest.fixture
def site() -> DemoSite:
    return DemoSite()


@pytest.fixture
async def page(plain_browser: BrowserContext, site: DemoSite) -> AsyncIterator[Page]:
    async with serve(site) as url:
        page = await plain_browser.new_page()
        await page.goto(url)
        await page.get_by_label("Name").fill("demo")
        await page.get_by_label("Password").fill("demo-pass-1")
        await page.get_by_role("button", name="Log in").click()
        yield page
        await plain_browser.clear_cookies()
        await page.close()


async def write(page: Page, text: str) -> None:
    await page.get_by_role("textbox", name="What is happening?").click()
    await page.keyboard.insert_text(text)
    await page.get_by_role("button", name="Post", exact=True).click()


async def test_a_post_arrives_as_it_was_typed_and_can_be_liked_and_deleted(
    page: Page, site: DemoSite
) -> None:
    await write(page, "one\ntwo\n\n<b>four</b>")
    article = page.get_by_role("article").filter(has_text="<b>four</b>")
    await article.get_by_role("button", name="Like").click()
    await article.get_by_role("button", name="Like · 1").wait_for()
    assert [post.text for post in site.posts] == ["one\ntwo\n\n<b>four</b>"]
    assert await article.get_attribute("data-url") == "/p/1"
    await article.get_by_role("button", name="Delete").click()
    await page.get_by_role("button", name="Delete it").click()
    await page.get_by_text("Deleted.").wait_for()
    assert site.visible == []


@pytest.mark.parametrize(
    ("answer", "says", "stored"),
    [
        (Answer.REFUSE_WITH_200, "You have reached today's limit.", 0),
        (Answer.FAIL, "Something went wrong on our side.", 0),
        (Answer.DROP, "The connection was lost.", 1),
    ],
)
async def test_what_goes_wrong_is_told_as_an_alert(
    page: Page, site: DemoSite, answer: Answer, says: str, stored: int
) -> None:
    site.behaviour = Behaviour(answer=answer)
    await write(page, "hello")
    await page.get_by_role("alert").filter(has_text=says).wait_for()
    assert len(site.posts) == stored


async def test_no_page_can_make_html_out_of_text(page: Page) -> None:
    refused = await page.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; } catch (error) { return error.name; } }"
    )
    assert refused == "TypeError"
