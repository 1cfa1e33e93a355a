"""The public symbols of the built modules, from the compiler; for checks/ledger, checks/tag-symbols and docs."""
import collections
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import c_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What Apple's modules of these names hold; AVFoundation, CoreGraphics and CoreImage only re-export.
MODULES = ["simd", "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore", "DrawingCore", "ImageIO", "QuartzCore", "ImageCore",
           "AudioToolbox", "MediaToolbox", "AVFCore", "AVFAudio", "AVFCapture", "VideoToolbox", "Photos"]


def extract(build, modules, out):
    """Writes the symbol graphs of `modules` of a build folder into the folder `out`; extensions of others' types, too."""
    found = build / "Modules"
    if not found.is_dir():
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: there is no build in {build}; run 'make build' first.")
    maps = c_modules.flags(build)
    target = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True,
                                       check=True).stdout)["target"]["unversionedTriple"]

    def run(module):
        command = ["swift-symbolgraph-extract", "-module-name", module, "-I", str(found), "-output-dir", str(out),
                   "-target", target, "-minimum-access-level", "public", *maps]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode and f"the symbols of {module} cannot be read: {done.stderr.strip()[-400:]}"

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for failure in pool.map(run, modules):
            if failure:
                sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {failure}")


def without_labels(name):
    return re.sub(r"\(.*\)$", "", name)


# A symbol of a graph as it stands there; a comment is one line.
Symbol = collections.namedtuple("Symbol", "path module is_type comment")
TYPES = {"swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias"}


NUMBERS = {"Int", "Int32", "Int64", "UInt", "UInt32", "UInt64", "Float", "Double", "CFIndex"}


class Surface:
    """Every public path of ours, with typealiases followed and superclasses searched."""

    def __init__(self, build, modules=None):
        self.paths, self.superclass, self.alias, self.symbols = set(), {}, {}, []
        # Paths whose types have them by themselves, and not from a protocol of Swift's or of ours.
        self.own = set()
        # Identifier -> its paths: a member of a protocol's extension has one for each type that has it.
        self.paths_of = collections.defaultdict(list)
        graphs = []
        with tempfile.TemporaryDirectory() as out:
            extract(build, modules or MODULES, out)
            for path in sorted(pathlib.Path(out).glob("*.symbols.json")):
                graphs.append((path.name.partition(".")[0].partition("@")[0], json.loads(path.read_text(encoding="utf-8"))))
        for module, graph in graphs:
            for symbol in graph["symbols"]:
                path = ".".join(symbol["pathComponents"])
                self.paths |= {path, without_labels(path)}
                identifier, synthesized, _ = symbol["identifier"]["precise"].partition("::SYNTHESIZED::")
                self.paths_of[identifier].append(path)
                if not synthesized:
                    self.own.add(path)
                    comment = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
                    self.symbols.append(Symbol(path, module, symbol["kind"]["identifier"] in TYPES, comment))
                if symbol["kind"]["identifier"] == "swift.typealias":
                    text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
                    if "=" in text:
                        self.alias[path] = text.split("=", 1)[1].strip()
        for _, graph in graphs:
            for edge in graph["relationships"]:
                if edge["kind"] == "inheritsFrom" and edge["source"] in self.paths_of:
                    parent = self.paths_of.get(edge["target"], [edge.get("targetFallback", "")])[0]
                    self.superclass[self.paths_of[edge["source"]][0]] = parent

    @functools.cached_property
    def members(self):
        """Path of a type -> the paths of what is in it by itself, however deep."""
        found = collections.defaultdict(set)
        for path in self.own:
            owner = without_labels(path)
            while "." in owner:
                owner = owner.rpartition(".")[0]
                found[owner].add(path)
        return found

    @functools.cached_property
    def owners(self):
        """Name of a member, without labels -> the types that have one of it."""
        found = collections.defaultdict(set)
        for path in self.own:
            owner, _, name = without_labels(path).rpartition(".")
            found[name].add(owner)
        return found

    def words_of_members(self, path):
        """The names of a type's members, without labels, that hardly any other type has."""
        words = {without_labels(member).rpartition(".")[2] for member in self.members[self.resolve(path)]}
        return {word for word in words if len(self.owners[word]) <= 2}

    def aliases_of(self, path):
        """The last names of the typealiases of a type."""
        return {alias.rpartition(".")[2] for alias, target in self.alias.items() if target == path}

    def has(self, path):
        return self.resolve(path) is not None

    def resolve(self, path, depth=0):
        """The path under which `path` is declared, or None."""
        if path in self.paths:
            return path
        head, parenthesis, labels = path.partition("(")
        owner, dot, member = head.rpartition(".")
        if depth > 8 or not dot:
            return None
        for other in (self.alias.get(owner), self.superclass.get(owner)):
            found = other and self.resolve(f"{other}.{member}{parenthesis}{labels}", depth + 1)
            if found:
                return found
            # A number of Swift's by another name has its conversions.
            if other in NUMBERS and member == "init" and labels == "_:)":
                return path
        return None
