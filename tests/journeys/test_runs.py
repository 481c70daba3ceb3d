"""What a person sends and reads, and what the site says: runs that work, and runs that meet trouble."""

import pytest

from library.demo.behaviour import Answer, Behaviour
from library.demo.policy import CONTENT_SECURITY_POLICY
from library.models import Status
from tests.journeys.household import Household, status_of, subroutine
from tests.journeys.pictures import colour_in_the_middle
from tests.journeys.sites import Demo, Pages, demo_site

pytestmark = pytest.mark.browser

POST = "POST /api/posts"


async def test_a_post_is_published_and_the_answer_has_its_proof(home: Household, demo: Demo) -> None:
    said = await home.say("/run here/create-post text='Hello, “world” & <b>all</b>'")
    run = await home.newest()
    assert said.text.startswith("✅ here/create-post: done\nThe site answered 201 to POST /api/posts.\n/p/")
    assert demo.texts[-1] == "Hello, “world” & <b>all</b>"
    assert demo.log.count(POST) == 1
    assert status_of(run) == (Status.DONE, True)
    assert run.evidence is not None
    assert [step.helper for step in run.evidence.steps] == ["find", "type", "click", "waitFor", "read"]
    assert said.answer["photo"] == run.files["screenshot"]


async def test_the_page_is_one_with_a_strict_policy_and_trusted_types(home: Household, demo: Demo) -> None:
    page = await home.browser.context.new_page()
    answer = await page.goto(demo.origin)
    assert answer is not None
    assert (await answer.all_headers())["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "script-src 'self'" in CONTENT_SECURITY_POLICY
    assert "require-trusted-types-for 'script'; trusted-types 'none'" in CONTENT_SECURITY_POLICY
    await page.close()


async def test_the_picture_shows_the_page(home: Household, pages: Pages) -> None:
    text = subroutine(
        "press",
        "await tab.click({ role: 'button', name: 'Press' })",
        sites=pages.anywhere,
        start=pages.at("/green"),
        effect="write",
        more="expect:\n  - text: Pressed.",
    )
    home.install("press", text)
    said = await home.say("/run press")
    assert said.text.startswith('✅ press: done\nThe page shows "Pressed.".')
    width, height, colour = await colour_in_the_middle(home.browser, said.answer["photo"])
    assert width > 600
    assert height > 400
    assert all(abs(is_ - should) < 6 for is_, should in zip(colour, (10, 200, 90), strict=True)), colour


async def test_a_missing_element_is_answered_with_the_three_nearest(home: Household, demo: Demo) -> None:
    body = "await tab.click({ role: 'button', name: 'Publish' }, { timeout: 300 })"
    text = subroutine("publish", body, sites=[f"{demo.origin}/*"], start=f"{demo.origin}/", effect="write")
    home.install("publish", text)
    said = await home.say("/run publish")
    assert said.text.startswith("❌ publish: failed\n")
    assert 'button named "Publish"' in said.text
    assert "Closest on the page:\n1. " in said.text
    assert [line[:2] for line in said.text.splitlines() if line[1:3] == ". "] == ["1.", "2.", "3."]
    assert 'button "Post"' in said.text
    assert status_of(await home.newest()) == (Status.FAILED, False)
    assert demo.log.count(POST) == 0


async def test_two_equal_buttons_are_named_and_none_is_pressed(home: Household, pages: Pages) -> None:
    text = subroutine(
        "save",
        "await tab.click({ role: 'button', name: 'Save' })",
        sites=pages.anywhere,
        start=pages.at("/twins"),
        effect="write",
    )
    home.install("save", text)
    said = await home.say("/run save")
    run = await home.newest()
    assert said.text.startswith("❌ save: failed\n")
    assert 'form "One"' in said.text
    assert 'form "Two"' in said.text
    assert run.evidence is not None
    assert run.evidence.fault is not None
    assert run.evidence.fault.code == "AMBIGUOUS"
    assert status_of(run) == (Status.FAILED, False)


async def test_built_in_list_and_delete(home: Household, demo: Demo) -> None:
    await home.say("/run here/create-post text='To be deleted'")
    post = demo.site.visible[0]
    listed = await home.say("/run here/list-posts limit=1")
    assert listed.text.startswith("✅ here/list-posts: done\n")
    assert "To be deleted" in listed.text
    run = await home.newest()
    assert run.evidence is not None
    assert run.evidence.value == [{"id": post.id, "author": "demo", "text": post.text, "at": post.at}]
    deleted = await home.say(f"/run here/delete-post id={post.id}")
    answered = f"The site answered 204 to DELETE /api/posts/{post.id}."
    assert deleted.text.startswith(f"✅ here/delete-post: done\n{answered}")
    assert post not in demo.site.visible
    again = await home.press(deleted, "Run again")
    assert again.text.startswith("❌ here/delete-post: failed\nRefused: the site answered 404 to DELETE")
    assert status_of(await home.newest()) == (Status.FAILED, True)


def api_post(demo: Demo) -> str:
    """A post by one request: what the site says to it is known at once."""
    return subroutine(
        "api-post",
        "return await tab.requestJson('/api/posts', { method: 'POST', json: { text } })",
        sites=[f"{demo.origin}/*"],
        start=f"{demo.origin}/",
        effect="write",
        more="params:\n  text: {type: string}\npermissions:\n"
        f'  requests: ["POST {demo.origin}/api/posts"]\n'
        "expect:\n  - request: POST /api/posts\n    status: 201",
    )


@pytest.mark.parametrize(
    ("answer", "rests_on", "stored"),
    [
        (Answer.FAIL, "answered 500", 0),
        (Answer.FAIL_AFTER, "answered 500", 1),
        (Answer.DROP, "got no answer", 1),
    ],
)
async def test_an_answer_that_proves_nothing_leaves_a_write_unconfirmed_and_it_is_not_sent_again(
    home: Household, demo: Demo, answer: Answer, rests_on: str, stored: int
) -> None:
    home.install("api-post", api_post(demo))
    demo.site.behaviour = Behaviour(answer=answer)
    before = len(demo.texts)
    said = await home.say("/run api-post text='Is it there?'")
    run = await home.newest()
    assert said.text.startswith(f"❓ api-post: not confirmed\nPOST {demo.origin}/api/posts {rests_on}")
    assert "it may or may not have happened" in said.text
    assert "It is not tried again by itself." in said.text
    assert status_of(run) == (Status.UNCONFIRMED, True)
    assert len(demo.texts) == before + stored
    if answer is not Answer.DROP:  # Chrome itself sends again what was lost on a connection it had kept
        assert demo.log.count(POST) == 1
    settled = await home.press(said, "It worked" if stored else "It did not")
    assert settled.text.endswith("Noted: it worked." if stored else "Noted: it did not work.")
    assert (await home.newest()).status is (Status.DONE if stored else Status.FAILED)


async def test_a_200_that_means_no_is_not_taken_for_done(home: Household, demo: Demo) -> None:
    home.install("hasty/create-post", demo.built_in("create-post", "hasty", timeout="5s"))
    demo.site.behaviour = Behaviour(answer=Answer.REFUSE_WITH_200)
    before = demo.texts
    said = await home.say("/run hasty/create-post text='Over the limit'")
    assert said.text.startswith("❓ hasty/create-post: not confirmed\n"), said.text
    assert "The page says: You have reached today's limit." in said.text
    assert status_of(await home.newest()) == (Status.UNCONFIRMED, True)
    assert demo.texts == before
    assert demo.log.count(POST) == 1


async def test_a_site_that_is_logged_out_is_said_to_be(home: Household) -> None:
    async with demo_site() as elsewhere:
        home.install("elsewhere/create-post", elsewhere.built_in("create-post", "elsewhere"))
        said = await home.say("/run elsewhere/create-post text=Hello")
        assert said.text.startswith("❌ elsewhere/create-post: ")
        led = f"{elsewhere.origin}/ led to {elsewhere.origin}/login. If that is a login page, log in there"
        assert led in said.text
        assert elsewhere.texts == []
