"""`python -m bot.cli` is `runhome`."""

from bot.cli import main

main()
