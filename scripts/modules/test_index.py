"""What the tests use, from the compiler's index, which a build of tests has."""
import collections
import ctypes
import functools
import pathlib
import shutil
import sys

from ledger import ROOT
from test_names import tests_of

# Roles of a relation between two symbols (IndexStore's indexstore.h).
CHILD_OF, OVERRIDE_OF, CALLED_BY, CONTAINED_BY = 1 << 9, 1 << 11, 1 << 13, 1 << 16


class Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.bytes, self.length).decode() if self.length else ""


POINTER = ctypes.c_void_p
NAMED = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, Text)
REFERENCED = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, POINTER)


class Library:
    """The few functions of libIndexStore that are needed here."""

    def __init__(self):
        toolchain = pathlib.Path(shutil.which("swift")).resolve().parent.parent
        self.library = ctypes.CDLL(str(toolchain / "lib" / "libIndexStore.so"))

    def __call__(self, name, *arguments, result=POINTER):
        function = self.library["indexstore_" + name]
        function.restype = result
        return function(*arguments)

    def text(self, name, reference):
        return str(self(name, POINTER(reference), result=Text))

    def all(self, name, reference):
        """The elements that a function hands to a callback."""
        found = []
        callback = REFERENCED(lambda _, element: found.append(element) or True)
        self(name, POINTER(reference), None, callback)
        return found


class TestIndex:
    """Which symbols each test uses: in its own lines, and in the functions and types of its file that it calls or makes."""

    def __init__(self, build):
        self.library = Library()
        error = POINTER()
        self.store = self.library("store_create", str(build / "index" / "store").encode(), ctypes.byref(error))
        if not self.store:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: there is no index in {build}; run 'make test' first.")
        # Path of a file -> identifier of a function or type there -> what it uses, with the lines where it does.
        self.uses = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(set)))
        # (Path, identifier) -> the test.
        self.tests = {}
        # Type of the tests -> what it answers of protocols and superclasses, such as a delegate's methods.
        self.answers = collections.defaultdict(set)
        for path, record in self.records():
            self.read(path, record)

    def records(self):
        names = []
        callback = NAMED(lambda _, name: names.append(str(name)) or True)
        self.library("store_units_apply_f", POINTER(self.store), 0, None, callback)
        for name in names:
            error = POINTER()
            unit = self.library("unit_reader_create", POINTER(self.store), name.encode(), ctypes.byref(error))
            if not unit:
                continue
            main = self.library.text("unit_reader_get_main_file", unit)
            path = pathlib.Path("Tests", main.partition("/Tests/")[2])
            if "/Tests/" in main and path.suffix == ".swift" and (ROOT / path).exists():
                found = []
                # A dependency is valid only while the callback runs.
                def note(_, dependency, main=main, found=found):
                    if self.library.text("unit_dependency_get_filepath", dependency) == main:
                        found.append(self.library.text("unit_dependency_get_name", dependency))
                    return True
                self.library("unit_reader_dependencies_apply_f", POINTER(unit), None, REFERENCED(note))
                yield from ((path, record) for record in found)
            self.library("unit_reader_dispose", POINTER(unit), result=None)

    def read(self, path, record):
        error = POINTER()
        reader = self.library("record_reader_create", POINTER(self.store), record.encode(), ctypes.byref(error))
        if not reader:
            return
        tests, uses, members = tests_of(ROOT / path), self.uses[path], []

        def note(_, occurrence):
            symbol = self.library.text("symbol_get_usr", self.library("occurrence_get_symbol", POINTER(occurrence)))
            line = self.line(occurrence)
            relations = self.relations(occurrence)
            for role, owner, name in relations:
                if role & (CALLED_BY | CONTAINED_BY):
                    uses[owner][symbol].add(line)
                    # Of tests of one name in several suites of the file it is the nearest.
                    named = [test for test in tests if test.function == name.rpartition("(")[0]]
                    if named:
                        self.tests[path, owner] = min(named, key=lambda test: abs(test.first - line))
                if role & OVERRIDE_OF:
                    uses[symbol][owner].add(line)
                    for parent in [parent for other, parent, _ in relations if other & CHILD_OF]:
                        self.answers[parent.replace("s:e:", "", 1)].add(owner)
                if role & CHILD_OF:
                    # Who makes something of a type has its methods called by what it is handed to.
                    members.append((owner.replace("s:e:", "", 1), symbol, line))
            return True

        self.library("record_reader_occurrences_apply_f", POINTER(reader), None, REFERENCED(note))
        self.library("record_reader_dispose", POINTER(reader), result=None)
        # A suite is no such type: a test that names it does not run the others.
        suites = {owner for owner, symbol, _ in members if (path, symbol) in self.tests}
        for owner, symbol, line in members:
            if owner not in suites:
                uses[owner][symbol].add(line)

    def line(self, occurrence):
        line, column = ctypes.c_uint(), ctypes.c_uint()
        self.library("occurrence_get_line_col", POINTER(occurrence), ctypes.byref(line), ctypes.byref(column), result=None)
        return line.value

    def relations(self, occurrence):
        found = []

        def note(_, relation):
            symbol = self.library("symbol_relation_get_symbol", POINTER(relation))
            found.append((self.library("symbol_relation_get_roles", POINTER(relation), result=ctypes.c_uint64),
                          self.library.text("symbol_get_usr", symbol), self.library.text("symbol_get_name", symbol)))
            return True

        self.library("occurrence_relations_apply_f", POINTER(occurrence), None, REFERENCED(note))
        return found

    def reached(self, path, owner):
        """Identifier of a symbol -> the lines of the file that use it, on the way from a function of it.

        A delegate may be of another file: who makes it, or something that does, uses what it answers.
        """
        lines, rest = collections.defaultdict(set), [owner]
        seen = {owner}
        while rest:
            for symbol, places in self.uses[path].get(rest.pop(), {}).items():
                lines[symbol] |= places
                for answered in self.answered(symbol):
                    lines[answered] |= places
                if symbol not in seen:
                    seen.add(symbol)
                    rest.append(symbol)
        return lines

    @functools.cached_property
    def everywhere(self):
        """Identifier of a function or type of the tests -> what it uses, in all files."""
        found = collections.defaultdict(set)
        for uses in self.uses.values():
            for owner, symbols in uses.items():
                found[owner].update(symbols)
        return found

    @functools.lru_cache(maxsize=None)
    def answered(self, symbol):
        """What delegates answer that come with a function or type of the tests."""
        found, seen, rest = set(), {symbol}, [symbol]
        while rest:
            owner = rest.pop()
            found |= self.answers.get(owner, set())
            for used in self.everywhere.get(owner, ()):
                if used not in seen and (used in self.everywhere or used in self.answers):
                    seen.add(used)
                    rest.append(used)
        return frozenset(found)
