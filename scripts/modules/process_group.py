"""Ends what was started in a group of its own (`start_new_session`), with all that it has started."""
import os
import signal
import time


def end(process):
    """Asks the group to end, and kills what is left two seconds later; nothing when it has ended."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        time.sleep(0 if process.poll() is not None else 2)
