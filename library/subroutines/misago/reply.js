/*---
name: misago/reply
version: 1.0.0
title: Reply in a Misago forum
description: Adds a post to a thread, by the forum's own API.
author: runhome
sites: ["http://127.0.0.1:18084/*"]
start: http://127.0.0.1:18084/
params:
  thread: {type: integer, description: "The number of the thread: the last one in its address", minimum: 1}
  text: {type: string, description: "The post, in Markdown", minLength: 5, maxLength: 60000}
effect: write
timeout: 60s
permissions:
  requests: ["POST http://127.0.0.1:18084/api/threads/*\/posts/"]
expect:
  - request: "POST /api/threads/{thread}/posts/"
    status: 200
    response: {is_new: true, is_hidden: false, is_unapproved: false}
---*/
const post = await tab.requestJson(`/api/threads/${thread}/posts/`, { method: "POST", json: { post: text } });
return { post: post.id, url: post.url.index };
