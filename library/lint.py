"""Static checks of a subroutine's body: what would fail, or prove nothing, before it is ever run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urljoin

from library.body import Body, HelperCall, Node, function_around
from library.body_names import ABSENT, HELPERS, NEED_NO_AWAIT, OBJECTS, PRESENT
from library.errors import nearest
from library.models import Effect, Subroutine
from library.patterns import read_request

_REQUESTS = ("request", "requestJson")


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend. An error will fail when the body gets there; a warning may be meant."""

    line: int
    column: int
    level: Level
    code: str
    message: str


def lint(subroutine: Subroutine) -> list[Finding]:
    """Everything found, by its place in the file. After a syntax error nothing else is looked for."""
    body = Body(subroutine)
    syntax = list(_syntax(body))
    if syntax:
        return sorted(syntax)
    return sorted(finding for rule in _RULES for finding in rule(body))


def _at(body: Body, node: Node, level: Level, code: str, message: str) -> Finding:
    return Finding(*body.place(node), level, code, message)


def _at_key(body: Body, key: str, level: Level, code: str, message: str) -> Finding:
    return Finding(*body.place_of_key(key), level, code, message)


def _syntax(body: Body) -> Iterator[Finding]:
    for node in body.nodes if body.root.has_error else ():
        if node.is_missing:
            yield _at(
                body,
                node,
                Level.ERROR,
                "syntax",
                f'The body is not JavaScript here: "{node.type}" is missing.',
            )
        elif node.is_error:
            shown = body.text(node).strip().splitlines()[:1]
            near = f' near "{shown[0][:40]}"' if shown else ""
            yield _at(body, node, Level.ERROR, "syntax", f"The body is not JavaScript here{near}.")


def _names(body: Body) -> Iterator[Finding]:
    """Names that nobody declares: typing mistakes, and globals that do not exist in a body."""
    declared = body.declared() | set(body.subroutine.params) | set(OBJECTS)
    for node in body.nodes:
        if node.type not in ("identifier", "shorthand_property_identifier"):
            continue
        name = body.text(node)
        if name in declared or name in PRESENT or _is_typeof(node):
            continue
        if name in ABSENT:
            yield _at(body, node, Level.ERROR, "absent", f'There is no "{name}" in a body: {ABSENT[name]}.')
            continue
        near = nearest(name, sorted(declared | PRESENT), most=1)
        hint = f' Did you mean "{near[0]}"?' if near else ""
        yield _at(body, node, Level.ERROR, "unknown-name", f'"{name}" is declared nowhere.{hint}')


def _members_of_global(body: Body) -> Iterator[Finding]:
    for node in body.nodes:
        owner = node.child_by_field_name("object") if node.type == "member_expression" else None
        name = node.child_by_field_name("property")
        if owner is None or name is None or body.text(owner) not in ("self", "globalThis"):
            continue
        if body.text(name) in ABSENT:
            hint = ABSENT[body.text(name)]
            yield _at(
                body, name, Level.ERROR, "absent", f'There is no "{body.text(name)}" in a body: {hint}.'
            )


def _imports(body: Body) -> Iterator[Finding]:
    for node in body.nodes:
        if node.type in ("import_statement", "export_statement") or (
            node.type == "import" and node.parent is not None and node.parent.type == "call_expression"
        ):
            message = (
                "A body cannot import or export: it is one function, and all it can call are the helpers."
            )
            yield _at(body, node, Level.ERROR, "absent", message)


def _helpers(body: Body) -> Iterator[Finding]:
    """Helpers that do not exist."""
    for call in body.calls():
        if call.helper not in HELPERS:
            near = nearest(call.helper, sorted(HELPERS), most=1)
            hint = f'Did you mean "{near[0]}"?' if near else f"There is: {', '.join(sorted(HELPERS))}."
            message = f'There is no helper "{call.helper}". {hint}'
            yield _at(body, call.name, Level.ERROR, "unknown-helper", message)


def _awaits(body: Body) -> Iterator[Finding]:
    """Helper calls nobody waits for, and ``await`` where JavaScript does not allow it."""
    for call in body.calls():
        if call.helper in HELPERS - NEED_NO_AWAIT and not _is_awaited(body, call.node):
            message = f'"{call.helper}" takes time: write await before it, or the next line runs too early.'
            yield _at(body, call.node, Level.ERROR, "not-awaited", message)
    for node in body.nodes:
        around = function_around(node) if node.type == "await_expression" else None
        if around is not None and not any(child.type == "async" for child in around.children):
            message = "await stands in a function that is not async: write async before that function."
            yield _at(body, node, Level.ERROR, "await-outside-async", message)


def _requests(body: Body) -> Iterator[Finding]:
    """Requests whose written address the manifest does not permit."""
    patterns = [read_request(text) for text in body.subroutine.permissions.requests]
    for call in body.calls():
        if call.helper not in _REQUESTS or not call.arguments:
            continue
        method, url, is_sure = _written_request(body, call)
        if method is None or url is None or any(pattern.matches(method, url) for pattern in patterns):
            continue
        level = Level.ERROR if is_sure else Level.WARNING
        message = f'permissions.requests does not cover this request. It needs "{method} {url}".'
        yield _at(body, call.arguments[0], level, "request-not-permitted", message)


def _written_request(body: Body, call: HelperCall) -> tuple[str | None, str | None, bool]:
    """Method and absolute URL as far as they are written out, and whether nothing is filled in."""
    first = call.arguments[0]
    options = first if first.type == "object" else (call.arguments[1] if len(call.arguments) > 1 else None)
    place = body.property(first, "url") if first.type == "object" else first
    url = body.literal(place)
    wanted = body.property(options, "method")
    method = body.literal(wanted) if wanted is not None else "GET"
    if place is None or url is None or (options is not None and options.type != "object"):
        return None, None, False
    starts_open = place.type == "template_string" and body.text(place).startswith("`${")
    base = body.subroutine.start or body.subroutine.sites[0].rstrip("*")
    is_sure = place.type == "string"
    return method.upper() if method else None, None if starts_open else urljoin(base, url), is_sure


def _cookies(body: Body) -> Iterator[Finding]:
    for call in body.calls():
        if call.helper == "getCookie" and not body.subroutine.permissions.cookies:
            message = "getCookie needs cookies: true under permissions in the manifest."
            yield _at(body, call.node, Level.ERROR, "cookies-not-permitted", message)


def _params(body: Body) -> Iterator[Finding]:
    used = {
        body.text(node) for node in body.nodes if node.type in ("identifier", "shorthand_property_identifier")
    }
    for name in body.subroutine.params:
        if name not in used:
            message = f'The parameter "{name}" is never used in the body.'
            yield _at_key(body, name, Level.WARNING, "unused-param", message)


def _proof(body: Body) -> Iterator[Finding]:
    if body.subroutine.effect is Effect.WRITE and not body.subroutine.expect:
        message = "A write without expect can never be proven: every run of it will end as unconfirmed."
        yield _at_key(body, "effect", Level.WARNING, "no-expect", message)


_RULES: tuple[Callable[[Body], Iterator[Finding]], ...] = (
    _names, _members_of_global, _imports, _helpers, _awaits, _requests, _cookies, _params, _proof,
)  # fmt: skip


def _is_typeof(node: Node) -> bool:
    return node.parent is not None and any(child.type == "typeof" for child in node.parent.children)


def _is_awaited(body: Body, node: Node) -> bool:
    """Whether somebody waits for a promise: here, through a chain of then, a list, or its variable."""
    above = node.parent
    if above is None:
        return False
    if above.type in ("await_expression", "return_statement", "arrow_function", "array", "yield_expression"):
        return True
    if above.type in ("parenthesized_expression", "ternary_expression", "binary_expression"):
        return _is_awaited(body, above)
    if above.type == "member_expression" and above.parent is not None:
        name = above.child_by_field_name("property")
        is_chain = name is not None and body.text(name) in ("then", "catch", "finally")
        return is_chain and above.parent.type == "call_expression" and _is_awaited(body, above.parent)
    if above.type in ("variable_declarator", "assignment_expression"):
        name = above.child_by_field_name("name") or above.child_by_field_name("left")
        return name is not None and _is_awaited_by_name(body, body.text(name))
    return False


def _is_awaited_by_name(body: Body, name: str) -> bool:
    waits = ("await_expression", "return_statement", "array")
    return any(
        node.type == "identifier"
        and body.text(node) == name
        and node.parent is not None
        and node.parent.type in waits
        for node in body.nodes
    )
