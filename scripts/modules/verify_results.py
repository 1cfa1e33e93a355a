"""How the stages of scripts/verify ended, kept in a table with the tree that they were run on."""
import hashlib
import subprocess
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """`result` is "green", "red", or "incomplete" where the machine could not do a part; `notes` say what, and what was unsteady."""
    stage: str
    result: str
    seconds: int
    tree: str
    date: str
    notes: list = field(default_factory=list)

    @property
    def duration(self):
        return f"{self.seconds // 60}:{self.seconds % 60:02}"


class Results:
    """A file of lines with tabs: stage, result, seconds, tree, date, notes."""

    def __init__(self, path):
        self.path = path
        self.outcomes = []
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                stage, result, seconds, tree, date, *notes = line.split("\t")
                self.outcomes.append(Outcome(stage, result, int(seconds), tree, date, notes))

    def add(self, outcome):
        self.outcomes.append(outcome)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            print(outcome.stage, outcome.result, outcome.seconds, outcome.tree, outcome.date, *outcome.notes, sep="\t", file=file)

    def newest(self, stage, tree=None):
        """The newest outcome of a stage; with a tree, of that tree."""
        found = [outcome for outcome in self.outcomes if outcome.stage == stage and tree in (None, outcome.tree)]
        return found[-1] if found else None


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, check=False).stdout


def tree():
    """The commit, with a fingerprint of what is changed and not committed: results of other trees say nothing of this one."""
    commit = git("rev-parse", "--short=12", "HEAD").decode().strip() or "unversioned"
    changes = git("diff", "HEAD") + git("status", "--porcelain")
    return commit + (f"+{hashlib.sha256(changes).hexdigest()[:8]}" if changes else "")


def columns(rows):
    """Lines of which each column begins at one place.

    >>> columns([("a", "green", "0:05"), ("longer", "red", "")])
    ['a       green  0:05', 'longer  red']
    """
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def table(outcomes, now):
    """What the last lines say: a row for each stage, what was left out or unsteady, and the sum."""
    if not outcomes:
        return "verify: no stage has ended"
    rows = [(outcome.stage, outcome.result, outcome.duration) for outcome in outcomes]
    lines = columns([("stage", "result", "time"), *rows])
    lines += [f"{outcome.stage}: {note}" for outcome in outcomes for note in outcome.notes]
    sums = []
    for result in ("green", "incomplete", "red"):
        of_it = [outcome.stage for outcome in outcomes if outcome.result == result]
        names = f" ({', '.join(of_it)})" if result != "green" else ""
        sums += [f"{len(of_it)} {result}{names}"] if of_it else []
    lines.append(f"{', '.join(sums)}; {sum(outcome.seconds for outcome in outcomes) // 60} min, on {now}")
    return "\n".join(f"verify: {line}" for line in lines)


def listing(stages, results, now):
    rows = []
    for stage in stages:
        newest = results.newest(stage.name)
        ended = f"{newest.result} in {newest.duration} min" if newest else ""
        if newest and newest.tree != now:
            ended += f", on {newest.tree}"
        rows.append((stage.name, stage.title, ended))
    return "\n".join(columns(rows))
