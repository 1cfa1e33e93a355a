"""A scene whose codes are covered and shown again and again, so that `obscura scan` reports each of them every time."""
import json
import pathlib
import struct
import zlib

# A reader takes 32 codes of a picture at most.
COLUMNS, ROWS = 6, 5
CODES = COLUMNS * ROWS
RATE = 10
# A code is news after it was away for a second.
SHOWN, COVERED = 0.4, 1.2
# A scene file has 1000 layers at most.
SHOWINGS = 1000 - CODES


def grey_picture(path):
    """A grey square, as PNG."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    side = 16
    rows = (b"\0" + b"\xb0" * side) * side
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b""))


def scene(folder):
    """Writes the scene file; returns the word for `--devices`. It lasts for some 25 minutes and 29 000 events."""
    folder = pathlib.Path(folder)
    grey_picture(folder / "cover.png")
    codes = [
        {"code": {"type": "qr", "text": f"item {number}"}, "width": 0.09, "depth": 1,
         "center": [(number % COLUMNS + 0.5) / COLUMNS, (number // COLUMNS + 0.5) / ROWS]}
        for number in range(CODES)]
    period = SHOWN + COVERED
    covers = [
        {"image": "cover.png", "width": 1.1, "depth": 1, "from": round(number * period, 3), "to": round(number * period + COVERED, 3)}
        for number in range(SHOWINGS)]
    path = folder / "codes.json"
    path.write_text(json.dumps({"version": 1, "rate": RATE, "layers": codes + covers}))
    return f"simulated:{path}"


def still(folder):
    """Writes a scene in which nothing is to be seen; returns the word for `--devices`."""
    path = pathlib.Path(folder, "still.json")
    path.write_text(json.dumps({"version": 1, "rate": 1}))
    return f"simulated:{path}"
