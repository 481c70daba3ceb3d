"""A small social site of our own for trying and testing; it is not part of a running Runhome.

It does what makes real sites hard to script: a login form, a session cookie, a CSRF token that changes with
every write, a strict policy with Trusted Types, a rich composer, a control in a shadow root. And it can be
told to be slow, to fail, to say 200 and mean no, or to drop the connection after it has stored a post.
"""
