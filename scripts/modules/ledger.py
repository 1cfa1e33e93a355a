"""The two tables behind COMPATIBILITY.md: Apple's symbols, and what of ours shows that they work."""
import csv
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYMBOLS = ROOT / "Documentation" / "apple-symbols.tsv"
EVIDENCE = ROOT / "Documentation" / "ledger.tsv"
# What an entry of the evidence begins with when it is no test's name.
ANSWERS_NO, DOES_NOTHING, NOT_APPLICABLE = "answers no: ", "does nothing: ", "not applicable: "
# An entry that says that no test uses the symbol; where one does and shows nothing of it, the reason follows.
NO_TEST, NO_TEST_BECAUSE = "no test", "no test: "


def symbols():
    """Rows of framework, symbol, kind, projects, uses."""
    with SYMBOLS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def evidence():
    """Symbol -> a test by suite and name (test_names.py), or why there is none."""
    lines = EVIDENCE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def is_test(entry):
    return bool(entry) and entry != NO_TEST and not entry.startswith(
        (ANSWERS_NO, DOES_NOTHING, NOT_APPLICABLE, NO_TEST_BECAUSE))


def write_evidence(entries):
    head = [line for line in EVIDENCE.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = [f"{symbol}\t{entry}" for symbol, entry in sorted(entries.items())]
    EVIDENCE.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
