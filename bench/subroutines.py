"""What the bench asks Runhome to do: the same work as its peers do. Measures nothing."""

REQUEST = """/*---
name: bench-request
version: 1.0.0
sites: ["{address}/*"]
start: {address}/
params:
  text: {{type: string}}
effect: read
permissions:
  requests: ["POST {address}/api/echo"]
---*/
return await tab.requestJson("/api/echo", {{ method: "POST", body: {{ text }} }});
"""

FORM = """/*---
name: bench-form
version: 1.0.0
sites: ["{address}/*"]
start: {address}/
params:
  text: {{type: string}}
effect: read
---*/
await tab.type({{ role: "textbox", name: "What is happening?" }}, text);
await tab.click({{ role: "button", name: "Post" }});
const post = await tab.waitFor({{ role: "article", text }});
return {{ url: await tab.read(post, {{ attribute: "data-url" }}) }};
"""

FORM_AFTER_NAVIGATION = FORM.replace("bench-form", "bench-navigation").replace(
    "---*/\n", '---*/\nawait tab.goto("{address}/");\n'
)
