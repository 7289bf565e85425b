"""In: the arguments of `redraft`, or of `python -m redraft`. Out: its exit code, also when it is stopped early."""

try:
    import gc
    import os
    import sys
    from signal import SIG_IGN, SIGINT, signal

    # While modules are imported there is nothing to clean up, and an exception could be lost.
    signal(SIGINT, lambda number, frame: os._exit(130))
    # To look for cycles among the many small objects of an edit, which has next to none, takes a tenth of its time.
    gc.set_threshold(50_000)
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> None:
    """Runs one command. A signal to end ends it with 128 and its number; an interrupt is ignored when it is done."""
    try:
        from redraft.patterns import remembered_patterns

        with remembered_patterns():
            from redraft.cli import run
            from redraft.cli.streams import STOPPED, closing, interruptible, opened

            opened()
            with interruptible() as stop:
                code = run(sys.argv[1:])
            code = stop.code if code == STOPPED else code
            code = closing(code)
            signal(SIGINT, SIG_IGN)  # keeping the patterns is no part of the command
    except KeyboardInterrupt:
        code = 130
        signal(SIGINT, SIG_IGN)
    sys.exit(code)


if __name__ == "__main__":
    main()
