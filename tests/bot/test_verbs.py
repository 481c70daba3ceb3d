"""Text to Command, as phones type it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import commands
from bot.verbs import VERBS, parse

READ_AS = [
    ('/run create-post text="a b"', commands.Run("create-post", 'text="a b"')),
    ("  /run   create-post   hi  ", commands.Run("create-post", "hi")),
    ("/Run@RunhomeBot create-post", commands.Run("create-post")),
    ("/run “create-post” hi", commands.Run("create-post", "hi")),
    ("/run create–post hi", commands.Run("create-post", "hi")),
    ("\u00a0/run\u00a0create-post\u00a0hi", commands.Run("create-post", "hi")),
    ("/run\ncreate-post hi", commands.Run("create-post", "hi")),
    ("/run create-post\nTwo\n\nlines", commands.Run("create-post", "\nTwo\n\nlines")),
    ("/run wordpress/publish-post —title “a”", commands.Run("wordpress/publish-post", "—title “a”")),
    ("\uff0fhelp", commands.Help()),
    ("/help /run", commands.Help("/run")),
    ("/status", commands.Status()),
    ("/status r0123", commands.Status("r0123")),
    ("/stop #r0123", commands.Stop("r0123")),
    ("/pair K7MP-Q2XW", commands.Pair("K7MP-Q2XW")),
    ("/start", commands.Start()),
    ("/start K7MPQ2XW", commands.Start("K7MPQ2XW")),
    ("/again r0123", commands.Again("r0123")),
    ("/again r0123 “work”", commands.Again("r0123", "work")),
    ("/worked r0123", commands.Worked("r0123")),
    ("/didnt r0123", commands.Didnt("r0123")),
    ("/proof r0123", commands.Proof("r0123")),
    ("/library", commands.Library()),
    ("/browsers please", commands.Browsers()),
    ("/schedule create-post text=a daily 09:00", commands.Schedule("create-post", "text=a daily 09:00")),
    ("/pause #3", commands.Pause("3")),
    ("/trigger #3 text=a", commands.Trigger("3", "text=a")),
    ("/trigger new create-post on webhook", commands.NewTrigger("create-post on webhook")),
    ("/check_schedule_results", commands.CheckResults()),
    ("/check-schedule-results #3 monday —csv", commands.CheckResults("3", "monday", csv=True)),
    ("/queue New posts for create-post", commands.Queue("new", "posts for create-post")),
    ("/queue", commands.Queue()),
    ("/tz Europe/Berlin", commands.TimeZone("Europe/Berlin")),
    ("hello there", commands.Plain("hello there")),
    ("", commands.Plain("")),
    ("/", commands.Plain("/")),
    ("/home/me/file.txt", commands.Plain("/home/me/file.txt")),
    ("see /run", commands.Plain("see /run")),
    ("/run", commands.Incomplete("/run NAME arguments")),
    ("/pair “”", commands.Incomplete("/pair CODE")),
    ("/rnu create-post", commands.Unknown("rnu", "run")),
    ("/xyzzy", commands.Unknown("xyzzy", None)),
]


@pytest.mark.parametrize(("text", "command"), READ_AS, ids=[repr(text) for text, _ in READ_AS])
def test_a_message_is_read_as_it_was_meant(text: str, command: commands.Command) -> None:
    assert parse(text) == command


@given(st.text() | st.builds("/{} {}".format, st.sampled_from([*VERBS, "rnu", "Run@b"]), st.text()))
def test_no_text_makes_the_parser_raise(text: str) -> None:
    assert isinstance(parse(text), commands.Command)


@given(st.sampled_from([*VERBS]))
def test_every_command_word_is_one_that_telegram_accepts_in_its_menu(word: str) -> None:
    assert 1 <= len(word) <= 32
    assert set(word) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
    assert len(VERBS[word].summary) <= 256
