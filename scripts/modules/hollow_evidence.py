"""Evidence that shows nothing, as far as a program can see it; for checks/ledger and checks/tag-symbols."""
import re

# What says that names, numbers and defaults are right, rather than what they do.
NAMES_ONLY = re.compile(r"Apple's (?:own )?(?:defaults|values|numbers|names|constants)|(?:names|defaults|files) are Apple's|"
                        r"is the Swift error of that name|client code|camera program|program for two cameras")
# The suite that holds filters that functions make against those of the same name.
COMPARED = "FilterFunctionTests/"
ANSWER = re.compile(r"^(?:is\w*(?:Supported|Available)|has[A-Z]\w*|supports[A-Z]\w*|can[A-Z]\w*)$")
HANDLER = re.compile(r"\.(\w+)\((?:\w+:)*?(\w*(?:[hH]andler|[cC]ompletion)):\)$")


def is_names_only(symbol, test):
    """Whether the test sees the symbol's name or number alone; of what is made of numbers that is all there is.

    >>> is_names_only("AVCaptureDevice.TorchMode.on", "RawValueTests/controls of a camera have Apple's numbers")
    True
    >>> is_names_only("AVCaptureDevice.TorchMode.init(rawValue:)", "RawValueTests/controls of a camera have Apple's numbers")
    False
    """
    return not symbol.endswith("init(rawValue:)") and bool(NAMES_ONLY.search(test))


def calls(text, name):
    """What stands in the brackets of each call of a method, and whether a closure follows them.

    >>> list(calls("a.take(from: b(1)) { _ in }; a.take(c)", "take"))
    [('from: b(1)', True), ('c', False)]
    """
    for match in re.finditer(rf"\b{name}\(", text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[match.end():end - 1], text[end:].lstrip().startswith("{")


def is_without_handler(symbol, text):
    """Whether a test's own lines call a method that has a handler, and hand none over in any call.

    >>> is_without_handler("Output.prepare(_:completionHandler:)", "output.prepare([wish])")
    True
    >>> [is_without_handler("Output.prepare(_:completionHandler:)", text) for text in
    ...  ("output.prepare([], completionHandler: note)", "output.prepare([])\\n{\\n", "prepared()", "try await output.prepare([])")]
    [False, False, False, False]
    """
    named = HANDLER.search(symbol)
    if not named or re.search(rf"\bawait [\w.]*\b{named[1]}\(", text):
        return False
    found = list(calls(text, named[1]))
    return bool(found) and not any(follows or f"{named[2]}:" in inside for inside, follows in found)


def is_only_denied(symbol, text):
    """Whether a test's own lines ask for an ability, and see in each case that it is not there: so does one that is never there.

    >>> [is_only_denied("Output.canAdd(_:)", text) for text in
    ...  ("#expect(!session.canAdd(a))", "#expect(canAdd(a) == false)", "#expect(!canAdd(a) && session.canAdd(b))", "add(a)")]
    [True, True, False, False]
    """
    word = symbol.partition("(")[0].rpartition(".")[2]
    if not ANSWER.match(word):
        return False
    found = re.findall(rf'(!?)(?:[\w\[\]()$#"]+\.)*{word}\b(?:\([^()]*\))?(?: *(==) *(true|false))?', text)
    return bool(found) and all((bang == "!") != (value == "false") for bang, _, value in found)


def reason(symbol, test):
    """Why a test (test_names.py) shows nothing of the symbol that names it; `None` when no reason is seen."""
    if is_names_only(symbol, test.name):
        return "which sees its name or number alone"
    if symbol.startswith("CIFilter(name:") and test.name.startswith(COMPARED):
        return "which compares it with itself"
    text = "\n".join(test.path.read_text(encoding="utf-8").splitlines()[test.first - 1:test.last])
    if is_without_handler(symbol, text):
        return "which calls it without its handler"
    if is_only_denied(symbol, text):
        return "which sees it denied alone"
    return None
