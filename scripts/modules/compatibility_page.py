"""COMPATIBILITY.md: what of Apple's API is here, from the symbols of the build and the ledger."""
import collections
import re

import ledger
import spelled_symbols

PAGE = ledger.ROOT / "COMPATIBILITY.md"
WORKS, NO, NOTHING, UNTESTED = "works", "answers no", "does nothing", "untested"
ABSENT, NOT_APPLICABLE = "absent", "not applicable"
STATES = (WORKS, NO, NOTHING, UNTESTED, ABSENT, NOT_APPLICABLE)
HEADER = """# Compatibility

What of Apple's API is here: every symbol of the families in Apple's capture headers; of the other frameworks what 36 open-source
camera projects use, and after that [every other name that is declared](#declared-beside-these). Search this page for a name.
What behaves differently from Apple's is on [a page of its own](Documentation/Differences.md).

| state | meaning |
|---|---|
| works | declared, and the test that is named uses it |
| answers no | declared, and answers as a device does that lacks the feature: code for it compiles and takes its other way |
| does nothing | declared, so that code compiles, and changes nothing |
| untested | declared, and no test uses it, or one sees only its name, number or default |
| absent | not declared: code that uses it does not compile |
| not applicable | has no meaning on Linux |

A test is named by its suite and what it says. CI checks that it is there and that its file spells the symbol's name; `make verify`
checks in the compiler's index that it uses the symbol in its own lines or in functions and types of its file that it calls or makes
(of a type: one of its members). That the test would fail if the symbol did nothing, no program can check: people chose the tests for
that, and read some of them, not all.

*Projects* says how many of the 36 use a symbol; *weighted* counts a symbol once for each project that uses it. Only what
works counts; what is not applicable is left out of the sum. Written by `scripts/checks/ledger --write` from the compiler's
symbol graph, `Documentation/apple-symbols.tsv` and `Documentation/ledger.tsv`; CI fails when this page is stale.
"""
# The modules, by the name of the framework that holds on Apple's platforms what they hold.
FRAMEWORKS = {
    "AVFCapture": "AVFoundation", "AVFCore": "AVFoundation", "AVFAudio": "AVFoundation", "AudioToolbox": "AudioToolbox",
    "MediaToolbox": "MediaToolbox",
    "CoreMedia": "CoreMedia", "CoreVideo": "CoreVideo", "GraphicsCore": "CoreGraphics", "DrawingCore": "CoreGraphics and UIKit",
    "ImageCore": "CoreImage",
    "ImageIO": "ImageIO", "QuartzCore": "QuartzCore", "Photos": "Photos", "VideoToolbox": "VideoToolbox", "simd": "simd",
    "FoundationExtras": "Foundation, Core Foundation and Core Location",
}
# How Apple's names begin; what Apple does not have never begins so.
APPLES = re.compile(r"(AV|CM|MT|CV|CI|CG|CA|CF|CL|PH|VT|UI|NS|OS|Audio|ManagedAudio|UnsafeMutableAudio|System|Four|Notification"
                    r"Center|Dispatch|k[A-Z]|simd_|matrix_|vector_|float\dx|noErr)")
# A member of an Apple type that is ours says so.
OURS = re.compile(r"Unlike [^.]*\bhas no(?:thing| such)|Unlike [^.]*names no|Apple has no such")
# What Swift gives an enumeration or a structure, and NSObject a class; and members of ours that no comment calls so.
UNLISTED = re.compile(r"(?:^|\.)(?:rawValue|init\(rawValue:\)|hash\(into:\)|hashValue|==\(_:_:\)|!=\(_:_:\)|hash|isEqual\(_:\)|description|"
                      r"debugDescription|observerTable|exportDMABuffer\(\)|makePicture\(\)|drawPicture\((?:of:)?into:\)|AVPlayerLayer\.frames)$")


# The families of the capture headers and how their symbols begin; the first that fits is a symbol's.
FAMILIES = [
    ("Recording to files", "AVCaptureFileOutput AVCaptureMovieFileOutput AVCaptureAudioFileOutput"),
    ("Controls on the phone's edge", "AVCaptureControl AVCaptureSlider AVCaptureIndexPicker AVCaptureSystem AVCaptureEvent "
     "AVCaptureSession.controls AVCaptureSession.supportsControls AVCaptureSession.maxControlsCount "
     "AVCaptureSession.addControl AVCaptureSession.removeControl AVCaptureSession.canAddControl "
     "AVCaptureSession.setControlsDelegate AVCaptureSessionControls"),
    ("Photos", "AVCapturePhoto AVCaptureResolvedPhoto AVCaptureBracketed AVCaptureAutoExposure AVCaptureManualExposure "
     "AVCaptureStillImage AVCaptureDeferred"),
    ("Depth and mattes", "AVCaptureDepthData AVDepthData AVCameraCalibrationData AVPortrait AVSemantic AVCaptureSynchronized "
     "AVCaptureDataOutputSynchronizer"),
    ("Codes, faces and people", "AVCaptureMetadata AVMetadata"),
    ("Video, audio and preview", "AVCaptureVideoData AVCaptureAudioData AVCaptureVideoPreview AVCaptureAudioPreview"),
    ("Devices", "AVCaptureDevice. AVCaptureDeviceWas AVFrameRateRange AVAuthorizationStatus AVCaptureReaction AVExternalStorage "
     "AVSpatialCapture AVCaptureColorSpace AVCaptureDesk AVCaptureScreen"),
    ("Sessions", "AVCapture"),
]


def family(row):
    """The heading that a symbol stands under, and its place among the headings."""
    name = row["symbol"].removeprefix("NSNotification.Name.")
    metadata = name.startswith("AVMetadata") and not name.split(".")[0].endswith("Object")
    if row["framework"] == "AVFoundation" and not metadata:
        for title, starts in FAMILIES:
            # A dot ends a name: the type itself belongs to it, and types that begin alike do not.
            if (name + ".").startswith(tuple(starts.split())):
                return f"Capture: {title}"
        return "AVFoundation: the rest"
    return "AVFoundation: the rest" if metadata else row["framework"]


def by_letters(name):
    """The order of a list: small letters beside large ones, and always the same."""
    return name.lower(), name


def is_declared(symbol, surface):
    if spelled_symbols.is_spelled(symbol):
        return spelled_symbols.is_declared(symbol)
    return surface.has(symbol)


def state(row, surface, entries):
    entry = entries.get(row["symbol"], "")
    if not is_declared(row["symbol"], surface):
        return NOT_APPLICABLE if entry.startswith(ledger.NOT_APPLICABLE) else ABSENT
    if entry.startswith(ledger.ANSWERS_NO):
        return NO
    if entry.startswith(ledger.DOES_NOTHING):
        return NOTHING
    return WORKS if ledger.is_test(entry) else UNTESTED


def summary(name, listed):
    """A row of the first table."""
    count = collections.Counter(found for _, found in listed)
    weight = sum(int(row["projects"]) for row, found in listed if found != NOT_APPLICABLE)
    done = sum(int(row["projects"]) for row, found in listed if found == WORKS)
    cells = " | ".join(str(count[found]) for found in STATES)
    return f"| {name} | {cells} | {f'{100 * done / weight:.1f} %' if weight else '–'} |"


def said(entry):
    """What a table says of an entry."""
    for prefix in (ledger.ANSWERS_NO, ledger.DOES_NOTHING, ledger.NOT_APPLICABLE, ledger.NO_TEST_BECAUSE):
        entry = entry.removeprefix(prefix)
    return "" if entry == ledger.NO_TEST else entry.replace("|", "\\|")


def apart(rows, surface, entries, wanted, title, sentence):
    """A list of the symbols of a state, for they are easily missed among those that work; also of those that stand in no table."""
    found = {row["symbol"] for row in rows if state(row, surface, entries) == wanted}
    found |= {symbol for symbol in entries if state({"symbol": symbol}, surface, entries) == wanted}
    reasons = {symbol: said(entries.get(symbol, "")) for symbol in found}
    lines = [f"- `{symbol}`" + (f": {reasons[symbol]}" if reasons[symbol] else "") for symbol in sorted(found, key=by_letters)]
    return ["", f"## {title}", "", sentence, "", *(lines or ["None."])]


def is_listed(symbol, listed):
    """Whether the page has the symbol of the graph, with its labels or without them; of capture it has all."""
    return symbol.path in listed or symbol.path.partition("(")[0] in listed or symbol.path.startswith("AVCapture")


def beside(rows, surface, entries):
    """What is declared and stands in no table: a line for each type with its members, the rest by themselves."""
    listed = {row["symbol"] for row in rows} | entries.keys()
    listed |= {surface.resolve(symbol) or symbol for symbol in listed}
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for symbol in surface.symbols:
        if (not APPLES.match(symbol.path) or UNLISTED.search(symbol.path) or OURS.search(symbol.comment)
                or is_listed(symbol, listed)):
            continue
        owner, _, member = symbol.path.partition("(")[0].rpartition(".")
        labels = symbol.path[len(symbol.path.partition("(")[0]):]
        owned = found[FRAMEWORKS[symbol.module]][owner or (symbol.path if symbol.is_type else "")]
        if owner or not symbol.is_type:
            owned.add(member + labels)
    text = ["", "## Declared beside these", "", "What is declared of Apple's and stands in no table above, a line for each type with "
            "its members; what belongs to no type\ncomes last. No project of the 36 uses these names, and no test is named for them here."]
    for framework in sorted(found):
        text += ["", f"### {framework}, other names", ""]
        for owner in sorted(found[framework], key=lambda name: (not name, by_letters(name))):
            names = ", ".join(f"`{name}`" for name in sorted(found[framework][owner], key=by_letters))
            text.append(f"- {names}" if not owner else f"- **`{owner}`**" + (f": {names}" if names else ""))
    return text


def text(rows, surface, entries):
    families = {f"Capture: {title}": [] for title, _ in reversed(FAMILIES)}
    for row in rows:
        families.setdefault(family(row), []).append((row, state(row, surface, entries)))
    capture = [pair for name, listed in families.items() if name.startswith("Capture: ") for pair in listed]
    lines = [HEADER, f"| family | {' | '.join(STATES)} | works, weighted |", "|---|" + "---|" * (len(STATES) + 1)]
    lines += [summary("**Capture, all of it**", capture),
              summary("Capture without recording to files",
                      [pair for pair in capture if family(pair[0]) != "Capture: Recording to files"])]
    lines += [summary(name, listed) for name, listed in families.items()]
    lines += apart(rows, surface, entries, NOTHING, "Declared, and does nothing",
                   "Code that uses these compiles, and nothing comes of it.")
    lines += apart(rows, surface, entries, UNTESTED, "Declared, and no test uses it",
                   "Or a test sees only the name, the number or the default. These may work; nothing here shows it.")
    for name, listed in families.items():
        lines += ["", f"## {name}", "", "| symbol | state | projects | test, or why not |", "|---|---|---|---|"]
        for row, found in sorted(listed, key=lambda pair: by_letters(pair[0]["symbol"])):
            lines.append(f"| `{row['symbol']}` | {found} | {row['projects']} | {said(entries.get(row['symbol'], ''))} |")
    return "\n".join(lines + beside(rows, surface, entries)) + "\n"
