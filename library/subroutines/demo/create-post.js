/*---
name: create-post
version: 1.0.0
title: Post a message
description: Publishes a text post from the account that is logged in.
author: runhome
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
params:
  text: {type: string, description: What to say, minLength: 1, maxLength: 280}
effect: write              # read | write. A write is never retried once it may have happened
timeout: 30s
permissions:
  requests: ["POST http://127.0.0.1:8765/api/posts"]   # default: none
  cookies: false
expect:                    # how we know that it happened; {param} and {result.key} are filled in
  - request: POST /api/posts
    status: 201
  - text: "{text}"
---*/
const box = await tab.find({ role: "textbox", name: "What is happening?" });
await tab.type(box, text, { clear: true });
await tab.click({ role: "button", name: "Post" });
const post = await tab.waitFor({ role: "article", text, nth: 0 }); // the same text may stand there twice
return { url: await tab.read(post, { attribute: "data-url" }) };
