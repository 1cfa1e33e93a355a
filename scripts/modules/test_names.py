"""The tests, read from their sources: each by the name of its suite and what it says, "ExportTests/What cannot be exported is an error"."""
import collections
import functools
import pathlib
import re

from ledger import ROOT

# A test function; it is named by what it says in its attribute or, where that says nothing, by the function's name.
TEST = re.compile(r'@Test\b(?:\(\s*"((?:[^"\\]|\\.)*)")?(?:(?!\bfunc\b).)*?\bfunc\s+(?:`([^`]+)`|(\w+))', re.DOTALL)
TYPE = re.compile(r"^( *)(?:@\w+(?:\([^)]*\))? |[a-z]+ )*?(?:struct|class|enum|actor|extension) (?:`([^`]+)`|([\w.]+))")

Test = collections.namedtuple("Test", "name path function first last")


def suite(lines, number):
    """The types around a line, the outermost first: those that are indented less.

    >>> suite(["@Suite struct `A and B` {", "  struct Late: Sendable {", "    @Test func c() {}"], 2)
    'A and B.Late'
    """
    names, indentation = [], len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[:number]):
        found = TYPE.match(line)
        if found and len(found[1]) < indentation:
            names.insert(0, found[2] or found[3])
            indentation = len(found[1])
        if not indentation:
            break
    return ".".join(names)


@functools.cache
def tests_of(path):
    """The tests of a file, with the numbers of their lines, from 1 on."""
    text = path.read_text(encoding="utf-8")
    lines, found = text.splitlines(), []
    for match in TEST.finditer(text):
        first = text.count("\n", 0, match.start())
        end = re.compile(r"^" + re.match(" *", lines[first])[0] + r"\}", re.M).search(text, match.end())
        function = match[2] or match[3]
        says = re.sub(r"\\(.)", r"\1", match[1]) if match[1] else function
        # The function may stand on one line.
        last = text.count("\n", 0, end.start()) if end else first
        found.append(Test(f"{suite(lines, first)}/{says}", path, function, first + 1, last + 1))
    # One line each: nothing of the next test is in it.
    return [test._replace(last=min([test.last, *(other.first - 1 for other in found if other.first > test.first)]))
            for test in found]


@functools.cache
def all_tests():
    """Name -> the tests of that name: more than one where a name is ambiguous."""
    found = collections.defaultdict(list)
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        for test in tests_of(path):
            found[test.name].append(test)
    return found
