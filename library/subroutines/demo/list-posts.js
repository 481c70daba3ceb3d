/*---
name: list-posts
version: 1.0.0
title: List the latest posts
description: Gives number, author, text and time of the latest posts, the newest first.
author: runhome
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
params:
  limit: {type: integer, description: How many at most, minimum: 1, maximum: 200, default: 20}
effect: read
timeout: 30s
permissions:
  requests: ["GET http://127.0.0.1:8765/api/posts"]
expect:
  - request: GET /api/posts
    status: 200
---*/
const { posts } = await tab.requestJson(`/api/posts?limit=${limit}`);
return posts.map(({ id, author, text, at }) => ({ id, author, text, at }));
