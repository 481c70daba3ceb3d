"""Requests leave by the page's own fetch, with the right bytes and the site's token."""

import asyncio
import base64
import email
import email.policy
import json
from email.message import MIMEPart
from http import HTTPStatus
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from tests.extension.page.act.isolated import ActingPage
from tests.extension.page.act.site import Asked, Reply, Site, echo

pytestmark = pytest.mark.browser


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


BODIES: dict[str, tuple[Any, bytes, str | None]] = {
    "a string": ("héllo", "héllo".encode(), "text/plain;charset=UTF-8"),
    "JSON text": ('{"a": 1}', b'{"a": 1}', "text/plain;charset=UTF-8"),
    "a plain object": ({"a": "ü"}, '{"a":"ü"}'.encode(), "application/json"),
    "URL-encoded": (
        {"$params": "a=1&b=%ED%95%9C+x"},
        b"a=1&b=%ED%95%9C+x",
        "application/x-www-form-urlencoded;charset=UTF-8",
    ),
    "bytes": ({"$bytes": b64(bytes(range(256))), "type": "", "name": None}, bytes(range(256)), None),
    "a blob": ({"$bytes": b64(b"\x89PNG"), "type": "image/png", "name": None}, b"\x89PNG", "image/png"),
}


@pytest.mark.parametrize("name", BODIES)
async def test_a_body_arrives_byte_for_byte(acting: ActingPage, site: Site, name: str) -> None:
    body, wanted, content_type = BODIES[name]
    await acting.page.goto(site.page(""))
    answer = await acting.call("request", f"{site.url}/api", {"method": "POST", "body": body})
    assert answer.ok, answer.error
    assert answer.value["status"] == HTTPStatus.OK
    [asked] = site.writes()
    assert asked.body == wanted
    assert asked.headers.get("Content-Type") == content_type


async def test_a_form_with_files_arrives_part_by_part(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(""))
    form = {
        "$form": [
            ["text", "안녕\r\nline"],
            ["text", "again"],
            ["file", {"$bytes": b64(b"\x00\xff"), "type": "image/gif", "name": "a b.gif"}],
            ["blob", {"$bytes": b64(b"x"), "type": "", "name": None}],
        ]
    }
    headers = {"Content-Type": "multipart/form-data; boundary=old"}
    answer = await acting.call(
        "request", f"{site.url}/api", {"method": "POST", "body": form, "headers": headers}
    )
    assert answer.ok, answer.error
    [asked] = site.writes()
    assert parts(asked) == [
        ("text", None, None, "안녕\r\nline".encode()),
        ("text", None, None, b"again"),
        ("file", "a b.gif", "image/gif", b"\x00\xff"),
        ("blob", "blob", "application/octet-stream", b"x"),
    ]


def parts(asked: Asked) -> list[tuple[str, str | None, str | None, bytes]]:
    """Name, file name, content type and bytes of each part of a multipart body."""
    head = f"Content-Type: {asked.headers['Content-Type']}\r\n\r\n".encode()
    message = email.message_from_bytes(head + asked.body, policy=email.policy.HTTP)
    return [_part(part) for part in message.iter_parts()]


def _part(part: MIMEPart) -> tuple[str, str | None, str | None, bytes]:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    name = str(part.get_param("name", header="content-disposition"))
    return name, part.get_filename(), part.get_content_type() if part["content-type"] else None, content


async def test_it_goes_through_the_page_s_own_patched_fetch(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(""))
    await acting.page.evaluate(
        "() => { const real = fetch; window.fetch = (url, init) => real(url, {...init, headers: "
        "[...init.headers, ['X-Signed', 'yes']]}); }"
    )
    answer = await acting.call("request", "/api", {"method": "PUT", "body": "x"})
    assert answer.ok, answer.error
    assert site.writes()[0].headers["X-Signed"] == "yes"


async def test_headers_of_an_earlier_sending_are_dropped(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(""))
    stale = {
        "set-cookie": "a=1",
        "x-client-transaction-id": "t",
        "LivePipeline-Session": "s",
        "content-length": "999",
        "sec-ch-ua": "x",
        ":authority": "x",
        "X-Kept": "yes",
    }
    answer = await acting.call("request", "/api", {"method": "POST", "body": "x", "headers": stale})
    assert answer.ok, answer.error
    headers = {name.lower(): value for name, value in site.writes()[0].headers.items()}
    assert headers["x-kept"] == "yes"
    assert headers["content-length"] == "1"
    assert (
        not {"set-cookie", "x-client-transaction-id", "livepipeline-session", ":authority"} & headers.keys()
    )


async def test_a_redirect_is_followed_and_told(acting: ActingPage, site: Site) -> None:
    site.answers["/old"] = Reply(status=HTTPStatus.FOUND, headers={"Location": "/new"})
    await acting.page.goto(site.page(""))
    answer = await acting.call("request", "/old")
    assert answer.value["redirected"] is True
    assert answer.value["url"] == f"{site.url}/new"
    assert [note["request"]["final_url"] for note in answer.notes if "request" in note] == [f"{site.url}/new"]


async def test_no_content_is_null_json(acting: ActingPage, site: Site) -> None:
    site.answers["/api"] = Reply(status=HTTPStatus.NO_CONTENT)
    await acting.page.goto(site.page(""))
    answer = await acting.call("requestJson", "/api", {"method": "DELETE"})
    assert answer.ok, answer.error
    assert answer.value is None


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("<h1>Sign in</h1>"), "NOT_JSON"),
        (Reply('{"error": "boom"}', status=500, type="application/json"), "HTTP_STATUS"),
        (Reply("no", status=404), "HTTP_STATUS"),
    ],
)
async def test_request_json_fails_on_what_is_no_good_json(
    acting: ActingPage, site: Site, reply: Reply, code: str
) -> None:
    site.answers["/api"] = reply
    await acting.page.goto(site.page(""))
    answer = await acting.call("requestJson", "/api")
    assert answer.code == code
    assert str(reply.status) in answer.error["message"]
    assert (await acting.call("request", "/api")).value["status"] == reply.status


async def test_a_huge_answer_is_cut_and_said_to_be(acting: ActingPage, site: Site) -> None:
    site.answers["/huge"] = Reply(b"x" * (50 * 1024 * 1024))
    await acting.page.goto(site.page(""))
    answer = await acting.call("request", "/huge", deadline_ms=30_000)
    assert answer.value["truncated"] is True
    assert len(answer.value["body"]) == 16 * 1024 * 1024
    assert (await acting.call("requestJson", "/huge", deadline_ms=30_000)).code == "TOO_LARGE"


async def test_a_slow_answer_is_given_up(acting: ActingPage, site: Site) -> None:
    def slow(asked: Asked) -> Reply:
        site.stopped.wait(20)
        return Reply()

    site.answers["/slow"] = slow
    await acting.page.goto(site.page(""))
    answer = await acting.call("request", "/slow", {"timeout": 100, "method": "POST"})
    assert answer.code == "TIMEOUT"
    assert answer.acted
    assert answer.notes[-1]["request"]["error"] == "TIMEOUT"
    site.stopped.set()


async def test_an_unreachable_server_is_a_network_error(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(""))
    await acting.page.evaluate(
        "() => { window.fetch = () => Promise.reject(new TypeError('Failed to fetch')); }"
    )
    answer = await acting.call("request", "/api")
    assert answer.code == "NETWORK"
    assert not answer.acted


TOKENS = {
    "cookie ct0": ("", "ct0=T%3D1", "X-Csrf-Token", "T=1"),
    "cookie XSRF-TOKEN": ("", "XSRF-TOKEN=T1", "X-Xsrf-Token", "T1"),
    "cookie csrftoken": ("", "csrftoken=T1", "X-Csrftoken", "T1"),
    "cookie _xsrf": ("", "_xsrf=T1", "X-Xsrftoken", "T1"),
    "meta tag": ('<meta name="csrf-token" content="T1">', "", "X-Csrf-Token", "T1"),
    "hidden field": (
        '<form><input type="hidden" name="csrfmiddlewaretoken" value="T1"></form>',
        "",
        "X-Csrftoken",
        "T1",
    ),
}


@pytest.mark.parametrize("place", TOKENS)
async def test_a_token_of_the_page_is_added(acting: ActingPage, site: Site, place: str) -> None:
    html, cookie, header, token = TOKENS[place]
    await acting.page.goto(site.page(html, **({"Set_Cookie": cookie} if cookie else {})))
    assert (await acting.call("getCsrfToken")).value == token
    await acting.call("request", "/api", {"method": "POST", "body": "x"})
    await acting.call("request", "/api", {"method": "GET"})
    with_body, without = (asked for asked in site.asked if asked.path == "/api")
    assert {name.title(): value for name, value in with_body.headers.items()}[header] == token
    assert header not in {name.title() for name in without.headers}


async def test_a_token_of_another_site_of_this_host_does_not_hide_ours(
    acting: ActingPage, site: Site
) -> None:
    await acting.page.goto(site.page("", Set_Cookie="csrftoken=OTHER"))
    await acting.page.evaluate("document.cookie = '_xsrf=OURS'")
    await acting.call("request", "/api", {"method": "POST", "body": "x"})
    headers = {name.title(): value for name, value in site.writes()[0].headers.items()}
    assert (headers["X-Csrftoken"], headers["X-Xsrftoken"]) == ("OTHER", "OURS")


async def test_a_token_in_a_page_variable_named_by_the_manifest_is_added(
    acting: ActingPage, site: Site
) -> None:
    await acting.page.goto(site.page("<script>window.app = {security: {nonce: 'V1'}};</script>"))
    options = {"csrf": "app.security.nonce"}
    assert (await acting.call("getCsrfToken", options=options)).value == "V1"
    await acting.call("request", "/api", {"method": "POST"}, options=options)
    assert site.writes()[0].headers["X-CSRF-Token"] == "V1"


@pytest.mark.parametrize(
    "path", ["app.element.ownerDocument.cookie", "app.element.id", "app", "app.text.length.x"]
)
async def test_a_page_variable_leads_nowhere_but_to_what_the_page_has_put_there(
    acting: ActingPage, site: Site, path: str
) -> None:
    await acting.page.goto(site.page("<script>window.app = {element: document.body, text: 'x'};</script>"))
    await acting.page.evaluate("document.cookie = 'secret=1'; document.body.id = 'body'")
    assert (await acting.call("getCsrfToken", options={"csrf": path})).value is None


async def test_a_token_that_the_author_gives_is_kept(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page("", Set_Cookie="csrftoken=T1"))
    await acting.call("request", "/api", {"method": "POST", "headers": {"X-CSRFToken": "mine"}})
    assert site.writes()[0].headers["X-CSRFToken"] == "mine"


def token_of(asked: Asked) -> str | None:
    return {name.lower(): value for name, value in asked.headers.items()}.get("x-csrf-token")


def guarded(wanted: str, site: Site) -> None:
    """/api acts only with the token `wanted`, and refuses before acting otherwise."""

    def answer(asked: Asked) -> Reply:
        if token_of(asked) == wanted:
            return echo(asked)
        return Reply("CSRF token mismatch", status=HTTPStatus.FORBIDDEN)

    site.answers["/api"] = answer


OLD_AND_NEW = {
    "meta tag": ('<meta name="csrf-token" content="{}">', ""),
    "hidden field": ('<form><input type="hidden" name="_csrf" value="{}"></form>', ""),
    "cookie": ("", "_csrf={}"),
}


@pytest.mark.parametrize("place", OLD_AND_NEW)
async def test_a_token_that_has_grown_old_is_found_before_the_write_leaves(
    acting: ActingPage, site: Site, place: str
) -> None:
    html, cookie = OLD_AND_NEW[place]

    def page(token: str) -> str:
        headers = {"Set_Cookie": cookie.format(token)} if cookie else {}
        return site.page(html.format(token), **headers)

    await acting.page.goto(page("old"))
    page("new")
    guarded("new", site)
    for _ in range(2):
        answer = await acting.call("request", "/api", {"method": "POST", "body": "x"})
        assert answer.value["status"] == HTTPStatus.OK
    assert [token_of(asked) for asked in site.writes()] == ["new", "new"]


async def test_a_write_refused_for_want_of_a_token_is_sent_again_with_it(
    acting: ActingPage, site: Site
) -> None:
    await acting.page.goto(site.page(""))
    site.page('<meta name="csrf-token" content="new">')
    guarded("new", site)
    answer = await acting.call("request", "/api", {"method": "POST", "body": "x"})
    assert answer.value["status"] == HTTPStatus.OK
    assert [token_of(asked) for asked in site.writes()] == [None, "new"]


async def test_a_wrong_token_is_refused_not_done(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page('<meta name="csrf-token" content="wrong">'))
    guarded("right", site)
    answer = await acting.call("request", "/api", {"method": "POST", "body": "x"})
    assert answer.code == "TOKEN_REFUSED"
    assert answer.error["details"]["changed"] is False
    assert len(site.writes()) == 1


@pytest.mark.parametrize("status", [403, 409, 500, 502])
async def test_a_write_that_was_not_refused_for_its_token_is_sent_once(
    acting: ActingPage, site: Site, status: int
) -> None:
    await acting.page.goto(site.page('<meta name="csrf-token" content="T1">'))
    site.page('<meta name="csrf-token" content="T2">')
    site.answers["/api"] = Reply("You may not do this.", status=status)
    answer = await acting.call("request", "/api", {"method": "POST", "body": "x"})
    assert answer.value["status"] == status
    assert len(site.writes()) == 1


async def test_it_works_under_a_strict_content_security_policy(acting: ActingPage, site: Site) -> None:
    policy = (
        "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    await acting.page.goto(
        site.page('<meta name="csrf-token" content="old">', Content_Security_Policy=policy)
    )
    site.page('<meta name="csrf-token" content="new">')
    guarded("new", site)
    answer = await acting.call("requestJson", "/api", {"method": "POST", "json": {"a": 1}})
    assert answer.ok, answer.error
    assert json.loads(site.writes()[0].body) == {"a": 1}


async def test_it_waits_for_the_script_of_the_page_s_world_which_chrome_may_bring_last(
    plain_browser: BrowserContext, site: Site
) -> None:
    acting = await ActingPage.open(plain_browser, site.page(""), main=False)
    asked = asyncio.create_task(acting.call("request", "/api", {"method": "POST", "body": "hello"}))
    await acting.call("read", {"role": "document"})  # the request was asked for before this
    assert site.writes() == []
    await acting.add_main()
    answer = await asked
    assert (answer.ok, [one.body for one in site.writes()]) == (True, [b"hello"]), answer.error
    await acting.close()


async def test_the_trace_is_told_of_each_request(acting: ActingPage, site: Site) -> None:
    await acting.page.goto(site.page(""))
    answer = await acting.call("request", "/api", {"method": "POST", "body": "hello"})
    begun, ended = answer.notes
    assert begun["request_begun"]["url"] == f"{site.url}/api"
    told = ended["request"]
    assert (told["source"], told["method"], told["status"], told["request_body"]) == (
        "helper",
        "POST",
        200,
        "hello",
    )
    assert told["took_ms"] > 0
    assert answer.acted
