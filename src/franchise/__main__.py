"""The command `franchise`, also as python -m franchise: signals end it quietly from its first moment on."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT  # exit code
USUAL = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}  # where nobody ignores them


def leave(number: int, frame: FrameType | None) -> None:
    """End at once: nothing has been started that would need to be finished."""
    os._exit(128 + number)


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback, also while it is still being loaded."""
    loading = {number: usual for number, usual in USUAL.items() if signal.getsignal(number) is usual}
    for number in loading:
        signal.signal(number, leave)
    from franchise.cli import main as run

    try:
        for number, usual in loading.items():
            signal.signal(number, usual)
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
