"""Symbols that stand in no symbol graph, found by how they are spelled: filters that have a name instead of a type, and initializers
whose label begins with an underscore, which the compiler hides. For checks/ledger and checks/tag-symbols."""
import functools
import re

import hollow_evidence
from ledger import ROOT
from test_names import tests_of as tests_in

FILTER = re.compile(r'^CIFilter\(name: "(CI\w+)"\)$')
HIDDEN = re.compile(r"^(\w+)\.init\((_\w+):\)$")


def is_spelled(symbol):
    """Whether the symbol is looked for here.

    >>> [is_spelled(name) for name in ('CIFilter(name: "CIBloom")', "AVError.init(_nsError:)", "AVError.init(_:)", "AVError.code")]
    [True, True, False, False]
    """
    return bool(FILTER.match(symbol) or HIDDEN.match(symbol))


@functools.cache
def texts(folder, pattern):
    """Path -> what it holds."""
    return {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob(pattern))}


def is_declared(symbol):
    """Whether the sources have it: the definition of a filter, or a public initializer in a file of the type's name."""
    named, hidden = FILTER.match(symbol), HIDDEN.match(symbol)
    if named:
        return any(f'"{named[1]}"' in text for text in texts("Sources/Frameworks/ImageCore/Filters", "*Filters.swift").values())
    initializer = re.compile(rf"\bpublic [\w ]*init\({hidden[2]}\b")
    return any(initializer.search(text) for text in texts("Sources", f"{hidden[1]}*.swift").values())


def tests_of(symbol):
    """The tests that spell it, those that do so in their own lines first; then those of a file that does so in a table. A
    function of Core Image makes the filter of its name: `sepiaTone()` is "CISepiaTone"."""
    named, hidden = FILTER.match(symbol), HIDDEN.match(symbol)
    if named:
        function = named[1][2].lower() + named[1][3:]
        spelled = re.compile(rf'"{named[1]}"|\bCIFilter\.{function}\(')
    else:
        spelled = re.compile(rf"\b{hidden[1]}\({hidden[2]}:")
    own, beside = [], []
    for path, text in texts("Tests", "*.swift").items():
        if not spelled.search(text):
            continue
        lines = text.splitlines()
        for test in tests_in(path):
            if named and test.name.startswith(hollow_evidence.COMPARED):
                continue
            spells = any(spelled.search(line) for line in lines[test.first - 1:test.last])
            (own if spells else beside).append(test)
    return own or beside
