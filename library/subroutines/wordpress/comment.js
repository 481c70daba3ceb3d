/*---
name: wordpress/comment
version: 1.0.0
title: Comment on a WordPress post
description: Writes a comment under a post, by the form on its page.
author: runhome
sites: ["http://127.0.0.1:18081/*"]
start: http://127.0.0.1:18081/
params:
  post: {type: string, format: uri, description: The address of the post, pattern: "^http://127[.]0[.]0[.]1:18081/"}
  text: {type: string, description: The comment, minLength: 1, maxLength: 65525}
effect: write
timeout: 60s
expect:
  - request: POST /wp-comments-post.php   # WordPress answers with a redirect to the comment only when it took it
    status: 302
---*/
await tab.goto(post);
await tab.type({ role: "textbox", name: "Comment" }, text, { clear: true });
await tab.click({ role: "button", name: "Post Comment" });
const { url } = await tab.waitForUrl(/#comment-\d+$|wp-comments-post\.php/);
if (!url.includes("#comment-")) throw new Error("WordPress did not take the comment; the page says why.");
return { comment: Number(url.split("#comment-")[1]), url };
