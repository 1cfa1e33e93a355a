"""A stage of scripts/verify: lines of bash, run with the functions of scripts/stages.bash."""
import re
import subprocess
import sys
import time

from process_group import end
from verify_results import Outcome

NOTE = re.compile(r"^(?:[\w /-]+: )?(left out: .*|unsteady: [^;]*)")
# The lines that say what went wrong; they stand among thousands.
FAULT = re.compile(r"(?:error|warning): |(?:Thread|Address)Sanitizer: |^\s+#\d |Fatal error|^tests: red: |: failed at: ")
MOST_FAULTS = 60


class Stage:
    def __init__(self, name, title, command):
        self.name, self.title, self.command = name, title, command

    def run(self, place, tree):
        """Runs it, prints what it prints, and keeps that in PLACE/NAME.log."""
        print(f"== {self.name}: {self.title}", flush=True)
        place.mkdir(parents=True, exist_ok=True)
        began, notes, faults = time.monotonic(), [], []
        command = ["bash", "-euo", "pipefail", "-c", f". scripts/stages.bash '{self.name}'\n{self.command}"]
        with open(place / f"{self.name}.log", "wb") as log:
            # Into a file, because what a stage leaves behind would keep a pipe open; in a group of its own, so that it ends with it.
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                for line in followed(place / f"{self.name}.log", process):
                    print(line, end="", flush=True)
                    note = NOTE.match(line)
                    if note and note[1] not in notes:
                        notes.append(note[1])
                    if FAULT.search(line) and len(faults) < MOST_FAULTS:
                        faults.append(line)
            finally:
                end(process)
        status = process.returncode
        seconds = round(time.monotonic() - began)
        result = "red" if status else "incomplete" if any(note.startswith("left out") for note in notes) else "green"
        if status:
            sys.stdout.writelines(faults)
        outcome = Outcome(self.name, result, seconds, tree, time.strftime("%Y-%m-%dT%H:%M:%S"), notes)
        print(f"== {self.name}: {result}, {outcome.duration} min\n", flush=True)
        return outcome


def followed(path, process):
    """The lines of a file as a process writes them, until it has ended."""
    rest = ""
    with open(path, encoding="utf-8", errors="replace") as file:
        while True:
            is_over = process.poll() is not None
            *lines, rest = (rest + file.read()).split("\n")
            yield from (line + "\n" for line in lines)
            if is_over:
                if rest:
                    yield rest + "\n"
                return
            time.sleep(0.2)
