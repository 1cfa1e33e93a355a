"""Runs a test executable, watches that it gets on, and tells how it ended."""
import pathlib
import re
import shutil
import signal
import subprocess
import time

from event_stream import EventStream

# What Swift Testing's executables exit with when no test matches; the caller counts those that ran.
NO_TESTS = 69
# Of the tests that ran when a process died or hung, those that began last.
MOST_NAMED = 3
PRESSURE = pathlib.Path("/proc/pressure/cpu")
DEATH = re.compile(r"Fatal error|^\*\*\* |Sanitizer: ")


class TestProcess:
    """One run of `executable`; its console goes to FOLDER/NAME.log, its events to FOLDER/NAME.events.

    `how` is None while it runs, then "passed", "failed" (of tests, `stream` says which), "died" or "hung".
    """

    def __init__(self, executable, folder, name, filters=(), skips=(), silence=60):
        self.name, self.silence = name, silence
        self.log, self.events = pathlib.Path(folder, f"{name}.log"), pathlib.Path(folder, f"{name}.events")
        self.events.unlink(missing_ok=True)
        self.stream = EventStream(self.events)
        self.how, self.status = None, None
        command = [executable, "--testing-library", "swift-testing",
                   "--event-stream-output-path", self.events, "--event-stream-version", "0"]
        for option, patterns in (("--filter", filters), ("--skip", skips)):
            for pattern in patterns:
                command += [option, pattern]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                            preexec_fn=hear_signals)
        self.last_ended, self.silent, self.seen = 0, 0, (time.monotonic(), seconds_of_waiting())

    def poll(self):
        """Takes in what has happened; returns the lines that say what went wrong since the last call."""
        self.status = self.process.poll()
        news = self.stream.read()
        if self.status is not None:
            self.how = self.how or self.end()
        elif self.stream.ended > self.last_ended:
            self.last_ended, self.silent = self.stream.ended, 0
        elif self.silent > self.silence:
            self.how = "hung"
            news += stacks(self.process.pid)
            self.kill()
        self.count_silence()
        return news

    def count_silence(self):
        """Counts the time since the last call; what some program here waited for a processor in it counts a fifth.

        So a test that a busy machine holds up does not count as hung, and one that hangs there is found after five times as long.
        """
        before, self.seen = self.seen, (time.monotonic(), seconds_of_waiting())
        passed, waited = (now - then for now, then in zip(self.seen, before))
        self.silent += passed - 0.8 * min(waited, passed)

    def end(self):
        if self.status == NO_TESTS:
            return "passed"
        if not self.stream.is_over:
            return "died"
        if self.status == 0:
            return "passed"
        return "failed" if self.stream.with_result("failed") and not self.stream.stray else "died"

    def kill(self):
        self.process.kill()
        self.status = self.process.wait()

    @property
    def story(self):
        """How it ended, in a sentence."""
        running = self.stream.under_way()
        others = f" and {len(running) - MOST_NAMED} others" if len(running) > MOST_NAMED else ""
        during = f", while {', '.join(test.title for test in running[:MOST_NAMED])}{others} ran" if running else ""
        if self.how == "hung":
            return f"no test ended for {self.silence} s{during}"
        if self.stream.stray:
            return "an issue belongs to no test: " + self.stream.stray[0]
        ending = f"signal {-self.status}" if self.status < 0 else f"exit status {self.status}"
        return f"the process ended with {ending} before its tests had ended{during}"

    def clues(self):
        """The lines of the console from the first that says why the process died; without one the last."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        first = next((index for index, line in enumerate(lines) if DEATH.search(line)), len(lines) - 20)
        return lines[max(0, first):][:60]


def seconds_of_waiting():
    """How long since the machine's start some program has waited for a processor; 0 where the kernel does not count it."""
    try:
        return int(PRESSURE.read_text(encoding="ascii").partition("total=")[2].split()[0]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0


def hear_signals():
    """Undoes what nohup and shells do to commands in the background: programs that tests interrupt would ignore it."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def stacks(process):
    """The stacks of all threads of a process, or why they cannot be had."""
    if not shutil.which("gdb"):
        return ["There is no gdb, which would print the stacks of all threads."]
    command = ["gdb", "--batch", "--nx", "-ex", "set debuginfod enabled off", "-ex", "thread apply all backtrace 40",
               "-p", str(process)]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                timeout=50, check=False)
    except subprocess.TimeoutExpired:
        return ["gdb could not print the stacks of all threads within 50 s."]
    lines = result.stdout.splitlines()
    first = next((index for index, line in enumerate(lines) if line.startswith("Thread ")), None)
    return lines[first:] if first is not None else lines + result.stderr.splitlines()
