"""Documentation/Differences.md: written by hand, with the notes of our documentation comments at its end."""
import re

from ledger import ROOT

PAGE = ROOT / "Documentation" / "Differences.md"
# The rest of the line names what it is unlike: AVFoundation, another framework, or Apple's platforms.
NOTE = "- Note: Unlike "
DECLARATION = re.compile(
    r"^(?P<indentation> *)(?:@\w+(?:\([^)]*\))? |[a-z]+(?:\([a-z]+\))? )*?"
    r"(?P<kind>class(?! (?:var|func)\b)|struct|enum|protocol|extension|actor|typealias|func|var|let|case|init|subscript) ?"
    r"(?P<name>`?[A-Za-z_][\w.]*|(?=[(?]))")


def text():
    """The hand-written page, with the list of notes in our documentation comments at its end."""
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition("<!-- From the sources -->\n")
    found = []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [noted(lines, number) for number, line in enumerate(lines) if line.lstrip(" /").startswith(NOTE)]
    return head + mark + "\n" + "\n".join(sorted(found)) + "\n"


def noted(lines, number):
    """What the note in that line says of which declaration."""
    words, name, indentation, line = [lines[number].partition(NOTE)[2]], "", 0, ""
    rest = iter(lines[number + 1:])
    for line in rest:
        text = line.strip().removeprefix("///").strip()
        if not line.lstrip().startswith("///") or not text or text.startswith(("- ", "Apple: ", "Cost: ", "C: ")):
            break
        words.append(text)
    for line in [line, *rest]:
        declared = DECLARATION.match(line)
        if declared and not line.lstrip().startswith("/"):
            name, indentation = declared["name"] or declared["kind"], len(declared["indentation"])
            break
    for before in reversed(lines[:number]):
        owner = DECLARATION.match(before)
        if owner and len(owner["indentation"]) < indentation and owner["kind"] not in ("func", "var", "let", "case"):
            name, indentation = f"{owner['name']}.{name}", len(owner["indentation"])
    sentence = " ".join(word.strip() for word in words)
    return f"- `{name}`: unlike {sentence}"
