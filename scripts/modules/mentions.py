"""Whether a file of the tests mentions a symbol; for checks/ledger and checks/tag-symbols."""
import collections
import functools
import re

from ledger import ROOT

DECLARATION = re.compile(r"^(?:@\w+ |[a-z]+ )*(?:class|struct|enum|actor|func) (\w+)", re.M)
ADOPTION = re.compile(r"\b(?:class|struct|enum|actor|extension) (\w+): ([^{]+)\{")


@functools.cache
def adopters():
    """Protocol -> the types of the tests that adopt it, and those that are declared beside one of these or hold one: a delegate
    often comes with the stage of a test."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "Tests").rglob("*.swift"))]
    types = {text: set(DECLARATION.findall(text)) for text in texts}
    found = collections.defaultdict(set)
    for text in texts:
        for name, parents in ADOPTION.findall(text):
            for parent in re.findall(r"\w+", parents):
                found[parent].add(name)
    for protocol, names in found.items():
        if protocol.startswith(("AV", "PH")):
            mentioned = re.compile(rf"\b(?:{'|'.join(names)})\b")
            found[protocol] = names.union(*(types[text] for text in texts if mentioned.search(text)))
    return found


def mention(symbol, kind, surface):
    """What a file that uses the symbol has somewhere: its name; of a type also those of its members."""
    path = symbol.partition("(")[0]
    owner, _, name = path.rpartition(".")
    if name == "init":
        # A value may be made without its type's name.
        names = {owner.rpartition(".")[2]} | surface.aliases_of(owner)
        return re.compile(rf"\b(?:{'|'.join(sorted(names))})\b|\.init\b")
    if name == "subscript":
        return re.compile(r"\w\[")
    if "type" not in kind:
        return any_of({name} | adopters()[owner])
    # What has a value of the type is often named after it: `depthDataQuality`, `synchronizedData(for:)`.
    plain = re.sub("^(?:AVCapture|[A-Z]{2}(?=[A-Z][a-z]))", "", name)
    bearers = rf"|(?:\w{plain}|\b{plain[0].lower()}{plain[1:]})\b" if owner or len(re.findall("[A-Z][a-z]+", plain)) > 1 else ""
    return re.compile(any_of(surface.words_of_members(path) | adopters()[name] | {name}).pattern + bearers)


def any_of(words):
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)")
