"""In: options, and which of them are given. Out: a usage error where two exclude each other."""

import typer


def exclude(options: dict[str, bool]) -> None:
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise typer.BadParameter(f"{' and '.join(given[:2])} exclude each other")
