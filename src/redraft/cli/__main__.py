"""In: the arguments of `python -m redraft.cli`, which launchers start. Out: what the command `redraft` gives."""

from redraft.cli import main

if __name__ == "__main__":
    main()
