"""Calls of wait( in Swift, for checks that read line by line."""
import re


def on_one_line(text):
    """The text with each call of wait( on the line where it begins, as far as its parenthesis, and the other lines where they were.

    >>> on_one_line("a.wait(\\n  until: b(c),\\n  on: d) {\\ne")
    'a.wait(   until: b(c),   on: d) {\\n\\n\\ne'
    """
    parts, place = [], 0
    for call in re.finditer(r"\.wait\(", text):
        if call.start() < place:
            continue
        depth, end = 1, call.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        line = text.find("\n", end)
        line = len(text) if line < 0 else line
        inside = text[call.start():end]
        parts += [text[place:call.start()], inside.replace("\n", " "), text[end:line], "\n" * inside.count("\n")]
        place = line
    return "".join(parts) + text[place:]
