"""What pages say of names, messages, functions, keys, bars and orders, held against the sources; for checks/documents."""
import json
import os
import pathlib
import re
import runpy

from ledger import ROOT

FENCE = re.compile(r"^( *)```.*?^\1```[^\n]*$", re.M | re.S)
# A span may go on in the next line of its paragraph.
SPAN = re.compile(r"`((?:[^`\n]|\n(?!\s*\n))+)`")
FOLDERS = ["Sources", "App", "Tests", "scripts", "Benchmarks", "DeviceLab", "Examples", ".ci"]
# Pages on rules of naming, and on where pictures of others come from.
OTHERS_NAMES = {"STYLE.md", "Tests/AVFCoreTests/Movies/SOURCES.md", "Tests/CodeReadingTests/Pictures/ZXing/SOURCES.md",
                "Tests/Portraits/SOURCES.md", "Tests/V4L2DevicesTests/Streams/SOURCES.md"}
# Names of other programs and libraries, what stands for a name, and the beginnings of names.
FOREIGN = {"DISOpticalFlow", "objc", "webrtc", "lsusb", "base64", "NameDevices", "NameDevicesTests", "CName", "Mutation",
           # What BesideAVFoundation.md says is absent.
           "measureInterval", "untilOutputFrom", "breakpoint", "os_unfair_lock", "OSLogStore",
           # Apple's view that none stands for here.
           "PHLivePhotoView",
           # What the porting table names because it is absent.
           "CADisplayLink", "willChangeValue", "didChangeValue"}
# Messages of the compiler and of LiteRT.
FOREIGN_MESSAGES = ("missing required module", "library not found", "no such module", "INFO: Created TensorFlow")
HOP = re.compile(r"^\| \d+ \| `([\w.]+)[^`]*` \| ([^|]*) \|", re.M)
# Rows of README's table, in English and Korean, that say yes of what answers no.
PROMISES = [(r"raw photos|RAW 사진", "AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes"),
            (r"Live Photo", "AVCapturePhotoOutput.isLivePhotoCaptureSupported"),
            (r"depth maps inside photos|사진 속 깊이 맵", "AVCapturePhotoOutput.isDepthDataDeliverySupported")]
# The figures whose bars README names, in its order.
BARS = ["delivery.cpu", "movies.cpu", "scan.whole"]


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def without_fences(text):
    """The text with what stands in fences blanked, line by line where it was.

    >>> without_fences("a\\n```sh\\nb\\n```\\nc")
    'a\\n\\n\\n\\nc'
    """
    return FENCE.sub(lambda match: "\n" * match.group().count("\n"), text)


def spans(text):
    """The code spans of a text without fences: the number of the line, and the code in one line.

    >>> list(spans("a `b` and `obscura photo\\n-o c` d\\n\\n`e"))
    [(1, 'b'), (1, 'obscura photo -o c')]
    """
    for match in SPAN.finditer(text):
        yield line_of(text, match.start()), re.sub(r"\s+", " ", match.group(1))


class Sources:
    """The text of all that is built or run, by its path from the root."""

    def __init__(self):
        self.texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("Package.swift", "Makefile")}
        for folder in FOLDERS:
            for place, folders, files in os.walk(ROOT / folder):
                folders[:] = [name for name in folders if not name.startswith(".build") and name != ".cache"]
                for path in (pathlib.Path(place) / file for file in files if not file.endswith(".md")):
                    # Pictures and movies are no text.
                    try:
                        self.texts[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
                    except UnicodeDecodeError:
                        continue
        # This file names what is not there.
        self.texts.pop("scripts/modules/page_facts.py", None)
        self.texts.pop("scripts/checks/documents", None)
        self.words = set()
        for path, text in self.texts.items():
            self.words.update(re.findall(r"\w+", text), re.findall(r"\w+", path))
        self.everything = "\n".join([*self.texts, *self.texts.values()])
        self.swift = "\n".join(text for path, text in self.texts.items()
                               if path.endswith(".swift") and path.startswith(("Sources/", "App/Sources/")))

    def file(self, ending):
        return next((text for path, text in self.texts.items() if ("/" + path).endswith("/" + ending)), None)


def unknown_names(name, text, words):
    """A sentence for each word in a code span that nothing has; words in capitals alone are placeholders.

    >>> list(unknown_names("A.md", "`AVCaptureSession.startRuning()`, `FILE`, `is…Supported`", {"AVCaptureSession"}))
    ['A.md:1: nothing is called startRuning']
    """
    if name in OTHERS_NAMES:
        return
    for line, span in spans(without_fences(text)):
        for word in re.findall(r"(?<![\w…])[A-Za-z_]\w{2,}\b(?!…)", span):
            if word not in words and word not in FOREIGN and not re.fullmatch(r"[A-Z_\d]+", word):
                yield f"{name}:{line}: nothing is called {word}"


def unknown_labels(name, text, swift):
    """A sentence for each queue or schema that no source names.

    >>> list(unknown_labels("A.md", "`obscura.sesion`, `obscura.session`", '"obscura.session"'))
    ['A.md:1: no queue and no schema is called obscura.sesion']
    """
    for match in re.finditer(r"`((?:obscura|camera)\.[a-z][a-z.-]+)`|\"schema\": \"([\w.-]+)\"", text):
        label = match.group(1) or match.group(2)
        if f'"{label}"' not in swift:
            yield f"{name}:{line_of(text, match.start())}: no queue and no schema is called {label}"


def unknown_words(name, text, everything):
    """A sentence for each word with hyphens, or name of a settings file, in a code span that nothing writes.

    >>> list(unknown_words("A.md", "`slow-open`, `slow-start`, `--no-zsl`, `a/settings.json`", "slow-start settings.jso"))
    ['A.md:1: nothing writes slow-open', 'A.md:1: nothing writes settings.json']
    """
    if name in OTHERS_NAMES:
        return
    for line, span in spans(without_fences(text)):
        for word in re.findall(r"(?<![\w.-])(?:[a-z]+(?:-[a-z]+)+(?![\w./-])|[a-z][\w-]*\.(?:json|tsv|timer|service)\b)", span):
            if word not in everything:
                yield f"{name}:{line}: nothing writes {word}"


def unknown_articles(name, text):
    """A sentence for each article that is linked and not there."""
    for match in re.finditer(r"<doc:(\w+)>", text):
        if not (ROOT / "Documentation/Obscura.docc" / f"{match.group(1)}.md").exists():
            yield f"{name}:{line_of(text, match.start())}: there is no article {match.group(1)}"


def unknown_keys(name, text, sources):
    """A sentence for each key of a JSON answer on a page that the source with its schema, or one beside it, does not have."""
    for match in re.finditer(r'`\{"schema": "([\w.-]+)"(.*?)`', text, re.S):
        homes = {path.rpartition("/")[0] for path, source in sources.texts.items()
                 if path.startswith("Sources/") and f'"{match.group(1)}"' in source}
        words = {word for path, source in sources.texts.items() if path.rpartition("/")[0] in homes
                 for word in re.findall(r"\w+", source)}
        for key in re.findall(r'"(\w+)":', match.group(2)):
            if key not in words:
                yield f"{name}:{line_of(text, match.start())}: the answer {match.group(1)} has no {key}"


def wrong_defaults(name, text, helps):
    """A sentence for each number that the help of a command has as a default and its section does not; 0 and 1 say nothing.

    >>> helps = {"bench": "  --live N  how often; default: 1000\\n  --rate N  default: 1"}
    >>> list(wrong_defaults("A.md", "## bench\\n`--live N` (100)\\n", helps))
    ['A.md:1: the section on bench does not have the default 1000']
    """
    for match in re.finditer(r"^## ([a-z]+)\n((?:(?!## ).*\n?)*)", text, re.M):
        for number in re.findall(r"default: (\d+)", helps.get(match.group(1), "")):
            if number not in ("0", "1") and not re.search(rf"\b{number}\b", match.group(2)):
                yield f"{name}:{line_of(text, match.start())}: the section on {match.group(1)} does not have the default {number}"


def unknown_messages(name, text, swift):
    """A sentence for each message in the first column of a table that nothing says; … stands for what differs.

    >>> list(unknown_messages("A.md", "| *the disc … full* | x |\\n| *the disk … full* | x |", '"the disk is full"'))
    ['A.md:1: nothing says “the disc”']
    """
    for match in re.finditer(r"^\| ([^|]*)\|", text, re.M):
        for message in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", match.group(1)):
            if message.startswith(FOREIGN_MESSAGES):
                continue
            for part in (part.strip() for part in message.split("…")):
                if len(part) > 3 and part not in swift:
                    yield f"{name}:{line_of(text, match.start())}: nothing says “{part}”"


def wrong_hops(name, text, sources):
    """A sentence for each row of a way, hop by hop, whose function its file lacks."""
    ending = None
    for match in HOP.finditer(text):
        file = re.search(r"`([\w/+]+\.swift)`", match.group(2))
        if file:
            ending = file.group(1)
        elif match.group(2).strip() != "the same":
            continue
        method = match.group(1).rpartition(".")[2]
        found = sources.file(ending)
        if found is None or not re.search(rf"\bfunc {method}\b", found):
            yield f"{name}:{line_of(text, match.start())}: {ending} has no function {method}"


def wrong_keys(name, text, swift):
    """A sentence for each key that the desktop camera does not know.

    >>> list(wrong_keys("A.md", "(Ctrl+Q), (Ctrl+X), (F9)", '["<Control>q"] ["F9"]'))
    ['A.md:1: the desktop camera does not know Ctrl+X']
    """
    for match in re.finditer(r"\bCtrl\+(\w+)\b|(?<=\()F\d+(?=\))", text):
        key = f"<Control>{match.group(1).lower()}" if match.group(1) else match.group()
        if f'"{key}"' not in swift:
            yield f"{name}:{line_of(text, match.start())}: the desktop camera does not know {match.group()}"


def wrong_bars(name, text):
    """How the bars that a README names differ from those of Benchmarks/Thresholds.json."""
    bars = json.loads((ROOT / "Benchmarks/Thresholds.json").read_text(encoding="utf-8"))
    named = re.findall(r"\b(\d+(?:\.\d+)?)(?: times\b|배)", text)
    if sorted(map(float, named)) != sorted(bars[figure] for figure in BARS):
        yield f"{name}: its bars {', '.join(named)} are not those of Benchmarks/Thresholds.json for {', '.join(BARS)}"


def promises(name, text, entries):
    """A sentence for each feature that a README promises and that answers no.

    >>> row, entries = "| raw photos | yes | no |", {"AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes": "answers no: x"}
    >>> list(promises("README.md", row, entries))
    ['README.md:1: it promises AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes, which answers no']
    >>> list(promises("README.md", "| Live Photo | 미지원 | 미지원 |", {"AVCapturePhotoOutput.isLivePhotoCaptureSupported": "answers no: x"}))
    []
    """
    for words, symbol in PROMISES:
        for match in re.finditer(rf"^\|[^|\n]*(?:{words})[^|\n]*\|[^\n]*(?:\byes\b|(?<!미)지원)", text, re.M):
            if entries.get(symbol, "").startswith("answers no"):
                yield f"{name}:{line_of(text, match.start())}: it promises {symbol}, which answers no"


def wrong_rules(name, text):
    """How the orders and owners of modules on a page differ from those that scripts/checks/imports holds."""
    rules = runpy.run_path(str(ROOT / "scripts/checks/imports"))
    flat = re.sub(r"\s+", " ", text)
    for start, order in [("frameworks may import frameworks in this order: ", "FRAMEWORK_ORDER"),
                         ("`Media` the order is ", "MEDIA_ORDER"), ("apps in this one: ", "APPS_ORDER")]:
        if start + ", ".join(rules[order]) not in flat:
            yield f"{name}: the sentence “{start.strip()} …” is not {order} of scripts/checks/imports"
    owners = rules["owners"]((ROOT / "Package.swift").read_text(encoding="utf-8"))
    shown = {}
    for modules, owner in re.findall(r"(C\w+(?:(?:, | and )C\w+)*) → (\w+)", flat):
        shown.update(dict.fromkeys(re.split(r", | and ", modules), [owner]))
    for module in sorted(owners):
        if len(owners[module]) == 1 and shown.get(module) != owners[module]:
            yield f"{name}: it does not say that {module} is {owners[module][0]}'s"
