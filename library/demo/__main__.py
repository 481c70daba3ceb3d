"""``python -m library.demo --port 8765``: the demo site as a process."""

import argparse
from pathlib import Path

from library.demo.server import HOST, run
from library.demo.sessions import ACCOUNTS
from library.demo.site import DemoSite


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m library.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=8765, help="loopback port to listen on (8765)")
    parser.add_argument("--data", type=Path, help="file that keeps the posts; without it they are forgotten")
    parser.add_argument(
        "--control",
        action="store_true",
        help="let programs on this machine change the behaviour by POST /control",
    )
    arguments = parser.parse_args()
    logins = ", ".join(f"{user} / {password}" for user, password in ACCOUNTS.items())
    print(f"Demo site at http://{HOST}:{arguments.port}/  Log in as {logins}", flush=True)  # noqa: T201
    run(DemoSite(arguments.data, control=arguments.control), port=arguments.port)


if __name__ == "__main__":
    main()
