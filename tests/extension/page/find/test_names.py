"""Names and roles beyond the W3C's cases: each line is what Chromium itself computes, and why it matters."""

import re

import pytest

from tests.extension.page.find.conftest import Show
from tests.extension.page.find.finding import FindingPage

pytestmark = pytest.mark.browser

# HTML with one element #a, its role, its name.
CASES = [
    # A placeholder names a text box and nothing else.
    ("<button id=a aria-placeholder=P></button>", "button", ""),
    ("<div id=a role=textbox aria-placeholder=P></div>", "textbox", "P"),
    ("<input id=a type=range placeholder=P>", "slider", ""),
    ("<input id=a type=number placeholder=P>", "spinbutton", "P"),
    ("<input id=a placeholder=P title=T>", "textbox", "T"),
    # A tooltip on plain text, or on what may have no name, is no name; on a control it is.
    ("<b id=a title=T>text</b>", "generic", ""),
    ("<mark id=a title=T>text</mark>", "mark", ""),
    ("<time id=a title=T>text</time>", "time", ""),
    ("<button id=a title=T></button>", "button", "T"),
    ("<ul><li id=a title=T>text</ul>", "listitem", "T"),
    # What a control inside says: its value, bullets for a password, its name where it is picked.
    ("<button id=a>Pay <input value=5> now</button>", "button", "Pay 5 now"),
    ("<button id=a>Pay <input type=password value=abc> now</button>", "button", "Pay ••• now"),
    ("<button id=a>On <input type=date title=day> now</button>", "button", "On day now"),
    ("<button id=a>At <input type=range value=7> now</button>", "button", "At 7 now"),
    (
        "<label><input id=a type=checkbox> every <select><option>1<option selected>2</select> days</label>",
        "checkbox",
        "every 2 days",
    ),
    # Text between the tags of a frame or a film is for browsers that do not know it.
    ("<iframe id=a role=button>no frame</iframe>", "button", ""),
    # A menu that opens from an item is not part of what the item says; nor are the branches of a tree.
    (
        "<div role=menubar><div id=a role=menuitem>File"
        "<div role=menu><div role=menuitem>Open</div></div></div></div>",
        "menuitem",
        "File",
    ),
    (
        "<ul role=tree><li id=a role=treeitem>Root<ul role=group><li role=treeitem>Leaf</ul></ul>",
        "treeitem",
        "Root",
    ),
    # Words: boxes part them, inline text does not, a label of its own does.
    ("<button id=a>a<b>b</b>c</button>", "button", "abc"),
    ("<button id=a>a<div>b</div>c</button>", "button", "a b c"),
    ("<button id=a>a<b aria-label=two>b</b>c</button>", "button", "a two c"),
    ("<button id=a>a<b style='float: left'>b</b>c</button>", "button", "a b c"),
    # Tokens: unknown and abstract ones are passed over, case does not count, focus overrules none.
    ("<div id=a role='range xyz BUTTON link'>x</div>", "button", "x"),
    ("<button id=a role=none>x</button>", "button", "x"),
    ("<h1 id=a role=none aria-live=polite>x</h1>", "heading", "x"),
    ("<h1 id=a role=none aria-level=2>x</h1>", "none", ""),
    ("<section id=a role=region>x</section>", "generic", ""),
    ("<summary id=a>alone</summary>", "generic", ""),
    ("<table role=none><tr><td id=a>x</table>", "generic", ""),
    # Labels: each of several, its own label first, and never the field's own text.
    ("<label for=a>One</label><label for=a>Two</label><input id=a value=v>", "textbox", "One Two"),
    ("<label for=a aria-label=L>One</label><input id=a>", "textbox", "L"),
    ("<button id=a aria-labelledby='a x'>Delete</button><i id=x>file.txt</i>", "button", "Delete file.txt"),
    (
        "<div id=a role=group aria-labelledby=x></div><p id=x aria-labelledby=y>in</p><p id=y>out</p>",
        "group",
        "in",
    ),
    ("<fieldset id=a><p>first</p><legend>Legend</legend></fieldset>", "group", "Legend"),
    # Generated text, with its alternative.
    ("<style>#a::before { content: '★' / 'Star' }</style><button id=a>x</button>", "button", "Star x"),
    ("<style>#a::before { content: '★' / '' }</style><button id=a>x</button>", "button", "x"),
    ("<style>#a::after { content: attr(data-n) }</style><button id=a data-n=3>x</button>", "button", "x3"),
]


async def test_roles_and_names_are_what_the_browser_says(show: Show) -> None:
    wrong = []
    for html, role, name in CASES:
        page = await show(html)
        ours = await page.run("[page.role(a), page.name(a)]")
        if ours != [role, name] or await browsers_name(page) not in (name, None):
            wrong.append((html, ours, await browsers_name(page)))
    assert not wrong


async def browsers_name(page: FindingPage) -> str | None:
    """What Chromium computes for #a; None where it leaves the element out."""
    found = await page.session.send("Runtime.evaluate", {"expression": "document.querySelector('#a')"})
    asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
    [node] = (await page.session.send("Accessibility.getPartialAXTree", asked))["nodes"]
    return None if node["ignored"] else re.sub(r"\s+", " ", node["name"]["value"]).strip()
