"""Small subroutines for tests of the library, made without files."""

from library.models import Effect, Expectation, Param, Permissions, Subroutine


def subroutine(
    name: str = "create-post",
    *,
    body: str = "return null;\n",
    sites: tuple[str, ...] = ("http://127.0.0.1:8765/*",),
    requests: tuple[str, ...] = (),
    cookies: bool = False,
    effect: Effect = Effect.READ,
    expect: tuple[Expectation, ...] = (),
    **params: Param,
) -> Subroutine:
    return Subroutine(
        name=name,
        version="1.0.0",
        sites=sites,
        effect=effect,
        params=params,
        permissions=Permissions(requests=requests, cookies=cookies),
        expect=expect,
        body=body,
        source=f"/*---\nname: {name}\n---*/\n{body}",
    )


def text(description: str = "What to say", **more: object) -> Param:
    return Param.model_validate({"type": "string", "description": description, **more})


def optional(kind: str, **more: object) -> Param:
    return Param.model_validate({"type": kind, "required": False, **more})
