"""When a call is made and what happened to it: the one door, the journal, schedules. Knows no browser."""
