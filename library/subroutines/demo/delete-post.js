/*---
name: delete-post
version: 1.0.0
title: Delete a post
description: Deletes one of the posts of the account that is logged in.
author: runhome
sites: ["http://127.0.0.1:8765/*"]
start: http://127.0.0.1:8765/
params:
  id: {type: integer, description: "The number of the post, as list-posts shows it", minimum: 1}
effect: write
timeout: 30s
permissions:
  requests: ["DELETE http://127.0.0.1:8765/api/posts/*"]
expect:
  - request: DELETE /api/posts/{id}
    status: 204
---*/
await tab.requestJson(`/api/posts/${id}`, { method: "DELETE" });
return { deleted: id };
