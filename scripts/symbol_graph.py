"""The public symbols of the built modules, from the compiler; for check-ledger, tag-symbols and docs."""
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What Apple's modules of these names hold; AVFoundation, CoreGraphics and CoreImage only re-export.
MODULES = ["simd", "FoundationExtras", "CoreVideo", "CoreMedia", "GraphicsCore", "ImageIO", "QuartzCore", "ImageCore",
           "AudioToolbox", "AVFCore", "AVFAudio", "AVFCapture", "VideoToolbox", "Photos"]


def extract(build, modules, out):
    """Writes the symbol graphs of `modules` of a build folder into the folder `out`; extensions of others' types, too."""
    found = build / "Modules"
    if not found.is_dir():
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: there is no build in {build}; run 'make build' first.")
    maps = [flag for path in build.glob("*.build/module.modulemap") for flag in ("-Xcc", f"-fmodule-map-file={path}")]
    maps += [flag for path in (ROOT / "Sources" / "System").glob("*/include")
             for flag in ("-Xcc", "-I", "-Xcc", str(path))]
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


class Surface:
    """Every public path of ours, with typealiases followed and superclasses searched."""

    def __init__(self, build, modules=None):
        self.paths, self.superclass, self.alias = set(), {}, {}
        # Identifier -> its paths: a member of a protocol's extension has one for each type that has it.
        self.paths_of = collections.defaultdict(list)
        graphs = []
        with tempfile.TemporaryDirectory() as out:
            extract(build, modules or MODULES, out)
            for path in sorted(pathlib.Path(out).glob("*.symbols.json")):
                graphs.append(json.loads(path.read_text(encoding="utf-8")))
        for graph in graphs:
            for symbol in graph["symbols"]:
                path = ".".join(symbol["pathComponents"])
                self.paths |= {path, without_labels(path)}
                self.paths_of[symbol["identifier"]["precise"].partition("::SYNTHESIZED::")[0]].append(path)
                if symbol["kind"]["identifier"] == "swift.typealias":
                    text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
                    if "=" in text:
                        self.alias[path] = text.split("=", 1)[1].strip()
        for graph in graphs:
            for edge in graph["relationships"]:
                if edge["kind"] == "inheritsFrom" and edge["source"] in self.paths_of:
                    parent = self.paths_of.get(edge["target"], [edge.get("targetFallback", "")])[0]
                    self.superclass[self.paths_of[edge["source"]][0]] = parent

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
        return None
