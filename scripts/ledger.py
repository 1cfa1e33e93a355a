"""The two tables behind COMPATIBILITY.md: Apple's symbols, and what of ours shows that they work."""
import csv
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYMBOLS = ROOT / "Documentation" / "apple-symbols.tsv"
EVIDENCE = ROOT / "Documentation" / "ledger.tsv"
# What an entry of the evidence begins with when it is no test's name.
ANSWERS_NO, NOT_APPLICABLE = "answers no: ", "not applicable: "


def symbols():
    """Rows of framework, symbol, kind, projects, uses."""
    with SYMBOLS.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def evidence():
    """Symbol -> a test's name, or why there can be none."""
    lines = EVIDENCE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def write_evidence(entries):
    head = [line for line in EVIDENCE.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    lines = [f"{symbol}\t{entry}" for symbol, entry in sorted(entries.items())]
    EVIDENCE.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
