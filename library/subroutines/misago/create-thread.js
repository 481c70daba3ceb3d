/*---
name: misago/create-thread
version: 1.0.0
title: Start a thread in a Misago forum
description: Starts a thread in one of the forum's categories, by the forum's own API.
author: runhome
sites: ["http://127.0.0.1:18084/*"]
start: http://127.0.0.1:18084/
params:
  title: {type: string, description: The title of the thread, minLength: 5, maxLength: 90}
  text: {type: string, description: "The first post, in Markdown", minLength: 5, maxLength: 60000}
  category: {type: string, description: "The name of the category; without it, the first one that takes threads", required: false}
effect: write
timeout: 60s
permissions:
  requests:
    - GET http://127.0.0.1:18084/api/threads/editor/
    - POST http://127.0.0.1:18084/api/threads/
expect:
  - request: POST /api/threads/
    status: 200
    response: {title: "{title}"}
---*/
const open = (await tab.requestJson("/api/threads/editor/")).filter(({ post }) => post);
const fold = (name) => name.trim().toLowerCase();
const chosen = category === null ? open[0] : open.find(({ name }) => fold(name) === fold(category));
if (!chosen) throw new Error(`There is no category "${category}" for new threads. There is: ${open.map(({ name }) => name).join(", ")}.`);
const thread = await tab.requestJson("/api/threads/", {
  method: "POST",
  json: { category: chosen.id, title, post: text },
});
return { thread: thread.id, url: thread.url };
