"""Tests/quarantine.tsv: the tests that are left out of `make test` until they are mended, at most ten.

A line is the test as --filter names it (Module.Suite/function()), the day, and what is suspected, with tabs between them.
"""
import pathlib

LIMIT = 10
FILE = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests" / "quarantine.tsv"


def names():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 3 or not all(cell.strip() for cell in row):
            raise ValueError(f"{FILE.name}: a line is a test, a day and what is suspected: {row[0]}")
    if len(rows) > LIMIT:
        raise ValueError(f"{FILE.name}: {len(rows)} tests are quarantined, at most {LIMIT} may be; mend the oldest")
    return [row[0] for row in rows]
