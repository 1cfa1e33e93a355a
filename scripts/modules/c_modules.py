"""The C modules behind ours, as the Swift compiler wants to find them when it reads a built module."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The modules of libraries whose headers pkg-config finds, by its name for them.
LIBRARIES = {"CPangoCairo": "cairo"}


def flags(build):
    """The compiler's flags for the modules of a build folder, and for those that have no code of ours."""
    maps = list(build.glob("*.build/module.modulemap"))
    found = [["-I", str(path)] for path in (ROOT / "Sources" / "System").glob("*/include")]
    for name, library in LIBRARIES.items():
        maps.append(ROOT / "Sources" / "System" / name / "module.modulemap")
        found.append(subprocess.run(["pkg-config", "--cflags", library], capture_output=True, text=True, check=True).stdout.split())
    found += [[f"-fmodule-map-file={path}"] for path in sorted(maps)]
    return [word for words in found for flag in words for word in ("-Xcc", flag)]
