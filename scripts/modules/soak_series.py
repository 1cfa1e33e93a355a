"""A series of runs of the same tests under the same load, kept in a file so that it can be gone on with, and what it proves."""
import collections
import re
import time

FAULT = re.compile(r"^tests: (?:red|unsteady): ([^;]*)", re.M)
CONFIDENCE = 0.95


def faults(log):
    """What failed in a run, or passed only when it was run again.

    >>> faults("tests: 3 passed\\ntests: unsteady: A/b(); both outputs are kept\\ntests: red: C/d()\\n")
    ['A/b()', 'C/d()']
    """
    return [match.strip() for match in FAULT.findall(log)]


def rarer_than(failures, runs):
    """The N of "fails less than once in N runs", true with 95 % confidence of what failed so often (Clopper and Pearson); 1 says nothing.

    >>> round(rarer_than(0, 50), 1), round(rarer_than(0, 299), 0), round(rarer_than(1, 50), 1), rarer_than(5, 5)
    (17.2, 100.0, 10.9, 1.0)
    """
    if failures >= runs:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        # The chance to see no more failures than these, if one run fails with the chance `middle`.
        chance, term = 0.0, (1 - middle) ** runs
        for count in range(failures + 1):
            chance += term
            term *= (runs - count) / (count + 1) * middle / (1 - middle)
        low, high = (middle, high) if chance > 1 - CONFIDENCE else (low, middle)
    return 1 / high


class Series:
    """`runs` are pairs of seconds and faults; the file's first line says of what they are."""

    def __init__(self, path, what):
        self.path, self.what, self.runs = path, what, []

    @classmethod
    def open(cls, place, what, resume):
        """The newest series of the same tests under the same load, or a new one."""
        place.mkdir(parents=True, exist_ok=True)
        if resume:
            for path in sorted(place.glob("*.tsv"), reverse=True):
                first, *lines = path.read_text(encoding="utf-8").splitlines()
                if first == what:
                    series = cls(path, what)
                    rows = [line.split("\t") for line in lines]
                    series.runs = [(int(seconds), found) for seconds, *found in rows]
                    return series
        series = cls(place / f"{time.strftime('%Y%m%dT%H%M%S')}.tsv", what)
        series.path.write_text(what + "\n", encoding="utf-8")
        return series

    def add(self, seconds, found):
        self.runs.append((seconds, found))
        with open(self.path, "a", encoding="utf-8") as file:
            print(seconds, *found, sep="\t", file=file)

    @property
    def failed(self):
        return sum(1 for _, found in self.runs if found)

    def verdict(self):
        if not self.runs:
            return ["no run"]
        total = len(self.runs)
        counts = collections.Counter(name for _, found in self.runs for name in set(found))
        lines = [f"failed in {count} of {total}: {name}" for name, count in counts.most_common()]
        lines.append(f"{total - self.failed} of {total} passed ({self.what})")
        if self.failed < total:
            lines.append(f"that shows, with 95 % confidence: a run fails less than once in {rarer_than(self.failed, total):.1f}, a test that "
                         f"never failed less than once in {rarer_than(0, total):.1f} (less than once in a hundred takes 299 clean runs)")
        return lines
