"""The headers of C modules, and whether a first build takes all of them."""
import pathlib


def left_out(files):
    """One sentence for each header beside a module's own that it does not include, where no module map stands.

    `files` maps paths below the root to their text.

    >>> left_out({"S/C/include/C.h": '#include "D.h"', "S/C/include/D.h": "", "S/C/include/E.h": "", "S/C/F.h": ""})
    ['S/C/include/E.h: C.h does not include it, so a first build ends with a warning; include it, or name it in a module.modulemap']
    >>> left_out({"S/C/include/C.h": "", "S/C/include/D.h": "", "S/C/include/module.modulemap": ""})
    []
    """
    broken = []
    for path in sorted(files):
        folder = pathlib.PurePath(path).parent
        umbrella = f"{folder}/{folder.parent.name}.h"
        if folder.name != "include" or path == umbrella or umbrella not in files or f"{folder}/module.modulemap" in files:
            continue
        if f'#include "{pathlib.PurePath(path).name}"' not in files[umbrella]:
            broken.append(f"{path}: {folder.parent.name}.h does not include it, so a first build ends with a warning; include it, "
                          "or name it in a module.modulemap")
    return broken
