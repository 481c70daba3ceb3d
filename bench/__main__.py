"""`make bench`: one table, every peer interleaved in one run."""

import argparse
import asyncio

from bench import editors, find, imports, program, queue, runs, schedules
from bench.stage import stage
from bench.table import Row, table


async def _runs(rounds: int) -> list[Row]:
    async with stage() as ready:
        return [*await runs.measure(ready, rounds=rounds), *await queue.measure(ready)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how often each is measured (200)")
    parser.add_argument("--editors", action="store_true", help="typing into real editors too (minutes)")
    arguments = parser.parse_args()
    rows = asyncio.run(_runs(arguments.rounds)) + asyncio.run(find.measure(rounds=5))
    print(table([*rows, *program.measure(), *imports.measure(), *schedules.measure()]))
    if arguments.editors:
        print(f"\nTyping into real editors:\n{asyncio.run(editors.measured())}")


main()
