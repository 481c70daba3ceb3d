"""`runhome extension`: where the unpacked extension lies."""

import typer

app = typer.Typer(help="The Chrome extension.", no_args_is_help=True)


@app.callback()
def extension() -> None:
    """The Chrome extension."""


@app.command("path")
def path() -> None:
    """Print the folder to choose in chrome://extensions, "Load unpacked"."""
    from relay.chrome import extension_folder

    print(extension_folder())
