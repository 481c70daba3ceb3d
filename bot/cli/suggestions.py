"""What can be found on a page now, as targets to type: the answer to a line `?` of `runhome try`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from library.models import Subroutine

ASKED = "?"
ROLES = (
    *("button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider"),
    *("spinbutton", "option", "tab", "menuitem", "treeitem", "heading", "article", "listitem", "row"),
    *("table", "dialog", "alert", "status", "form", "navigation", "img"),
)
"""What people act on or read, in this order."""

BODY = """
const found = [];
for (const target of wanted) {
  try {
    const one = await tab.find(target, { timeout: 1 });
    const name = await tab.read(one, { property: "name" });
    found.push({ role: await tab.read(one, { property: "role" }), name, where: "" });
  } catch (error) {
    if (error.code === "AMBIGUOUS") found.push(...error.details.matches);
    else if (error.code !== "NOT_FOUND") throw error;
    else if (wanted.length === 1) found.push(...error.details.candidates);
  }
}
return found;
"""


def targets(line: str) -> list[Any]:
    """What to look for: ``?`` all roles, ``? button`` one, ``? button Post`` its name too, ``? Post`` any."""
    words = line.removeprefix(ASKED).split(maxsplit=1)
    if not words:
        return [{"role": role} for role in ROLES]
    if words[0] not in ROLES:
        return [" ".join(words)]
    return [{"role": words[0], "name": words[1]} if len(words) > 1 else {"role": words[0]}]


def subroutine(site: str) -> "Subroutine":
    """Looks at the page and changes nothing."""
    from library.models import Effect, Param, Subroutine

    return Subroutine(
        name="suggest",
        version="0.0.0",
        sites=(f"{site}/*",),
        params={"wanted": Param(type="array")},
        effect=Effect.READ,
        body=BODY,
        source="",
    )


def shown(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each: a target that can be typed, where it is, and why it is not quite what was sought."""
    if not found:
        return ["Nothing like it is on the page now."]
    return [f"  {target}{_place(one)}" for one, target in zip(found, _typed(found), strict=True)]


def _typed(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Equal ones are told apart by nth, as `find` counts them: from 0, in the order of the page."""
    import json
    from collections import Counter

    kinds = [(one["role"], one["name"]) for one in found]
    total, seen = Counter(kinds), Counter[tuple[str, str]]()
    for role, name in kinds:
        parts = [f"role: {json.dumps(role)}"]
        if name:
            parts.append(f"name: {json.dumps(name, ensure_ascii=False)}")
        if total[role, name] > 1:
            parts.append(f"nth: {seen[role, name]}")
        seen[role, name] += 1
        yield f"{{{', '.join(parts)}}}"


def _place(one: Mapping[str, Any]) -> str:
    where = f"   in {one['where']}" if " > " in one.get("where", "") else ""
    why = f"   ({one['why']})" if one.get("why") else ""
    return where + why
