"""What the tests use, from the compiler's index of a debug build."""
import collections
import ctypes
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A test function; its name stands in backticks where it is a sentence.
TEST = re.compile(r"@Test\b(?:(?!\bfunc\b).)*?\bfunc\s+(?:`([^`]+)`|(\w+))", re.DOTALL)
# Roles of a relation between two symbols (IndexStore's indexstore.h).
CHILD_OF, OVERRIDE_OF, CALLED_BY, CONTAINED_BY = 1 << 9, 1 << 11, 1 << 13, 1 << 16


def tests_in(path):
    """The names of the test functions of a file; most are sentences."""
    return {quoted or plain for quoted, plain in TEST.findall(path.read_text(encoding="utf-8"))}


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
    """Which symbols each test reaches: by itself, and through functions and types of the tests."""

    def __init__(self, build):
        self.library = Library()
        error = POINTER()
        self.store = self.library("store_create", str(build / "index" / "store").encode(), ctypes.byref(error))
        if not self.store:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: there is no index in {build}; run 'swift build --build-tests' first.")
        # Identifier of a function or type of the tests -> what it uses.
        self.uses = collections.defaultdict(set)
        self.tests = {}
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
        names = tests_in(ROOT / path)

        def note(_, occurrence):
            symbol = self.library.text("symbol_get_usr", self.library("occurrence_get_symbol", POINTER(occurrence)))
            for role, owner, name in self.relations(occurrence):
                if role & (CALLED_BY | CONTAINED_BY):
                    self.uses[owner].add(symbol)
                    if name.rpartition("(")[0] in names:
                        self.tests[owner] = name.rpartition("(")[0]
                if role & OVERRIDE_OF:
                    self.uses[symbol].add(owner)
                if role & CHILD_OF:
                    # Who makes something of a type has its methods called by what it is handed to.
                    self.uses[owner.replace("s:e:", "", 1)].add(symbol)
            return True

        self.library("record_reader_occurrences_apply_f", POINTER(reader), None, REFERENCED(note))
        self.library("record_reader_dispose", POINTER(reader), result=None)

    def relations(self, occurrence):
        found = []

        def note(_, relation):
            symbol = self.library("symbol_relation_get_symbol", POINTER(relation))
            found.append((self.library("symbol_relation_get_roles", POINTER(relation), result=ctypes.c_uint64),
                          self.library.text("symbol_get_usr", symbol), self.library.text("symbol_get_name", symbol)))
            return True

        self.library("occurrence_relations_apply_f", POINTER(occurrence), None, REFERENCED(note))
        return found

    def reached(self, test):
        """Identifier of a symbol -> how many steps of the tests' own code lie between."""
        distance, rest = {test: 0}, [test]
        while rest:
            following = []
            for owner in rest:
                for symbol in self.uses.get(owner, ()):
                    if symbol not in distance:
                        distance[symbol] = distance[owner] + 1
                        following.append(symbol)
            rest = following
        return distance
