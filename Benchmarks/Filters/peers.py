"""Does what filter-frames does with other libraries, as their users would, and prints the same lines.

Usage: peers.py pointwise|blur FRAMES WIDTH HEIGHT THREADS REPEATS OUT, noir-jpeg IN OUT REPEATS, strip OUT REPEATS IN…
libvips takes its threads from VIPS_CONCURRENCY.
"""
import sys
import time

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

import truth


def timed(body):
    cpu, wall = time.process_time(), time.perf_counter()
    result = body()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"wall {wall * 1000} cpu {cpu * 1000}")
    return result


def pointwise():
    """The chain in linear light with libvips: tables from and to numbers, matrices between; each offset and scale is in a table or matrix.

    Light between -0.35 and 1.65 is counted in 65 536 steps where a curve has to be looked up.
    """
    import pyvips
    low, span, steps = -0.35, 2.0, 65535

    def table(values, kind=np.float32):
        return pyvips.Image.new_from_array(values.astype(kind).reshape(1, len(values), -1))

    gain = truth.CONTRAST * 2 ** truth.EV
    offset = 2 ** truth.EV * (0.5 - 0.5 * truth.CONTRAST)
    # A matrix whose rows have the sum `gain` moves all colours by as much where a sum moves them.
    entry = table(truth.light_of(np.arange(256) / 255) + (offset - low) / gain)
    gray = np.tile(truth.LUMINANCE[::-1], (3, 1))
    colors = (gray + (np.eye(3) - gray) * truth.SATURATION) * gain * steps / span
    counted = low + (np.arange(steps + 1) + 0.5) * span / steps
    # Sepia's numbers may be negative, too; they are moved by another sum in each colour.
    moved, wide = 2.0, 5.0
    seen = table(truth.seen_of(counted) + moved)
    sepia = truth.SEPIA[::-1, ::-1]
    numbers = (np.arange(steps + 1)[:, None] + 0.5) * wide / steps - moved * sepia.sum(1)
    kept = table(counted * (1 - truth.INTENSITY) * steps + 0.5)
    brown = table(truth.light_of(numbers) * truth.INTENSITY * steps)
    sepia = sepia * steps / wide
    shown = table(truth.bytes_of(np.arange(steps + 1) / steps), np.uint8)

    def change(frame):
        image = pyvips.Image.new_from_memory(frame, frame.shape[1], frame.shape[0], 4, "uchar")
        light = image[0:3].maplut(entry).recomb(colors.tolist()).cast("ushort")
        tinted = light.maplut(seen).recomb(sepia.tolist()).cast("ushort").maplut(brown)
        return (light.maplut(kept) + tinted).cast("ushort").maplut(shown).bandjoin(255).write_to_memory()
    return change


def blur(threads):
    """The same curve on a screen's numbers with OpenCV."""
    import cv2
    cv2.setNumThreads(threads)
    out = None

    def change(frame):
        nonlocal out
        out = cv2.GaussianBlur(frame, (0, 0), 10, dst=out, borderType=cv2.BORDER_REPLICATE)
        return out
    return change


def noir_jpeg(source, out):
    steep = [min(255, max(0, round((level - 127.5) * truth.NOIR + 127.5))) for level in range(256)]
    ImageOps.grayscale(Image.open(source)).point(steep).save(out, quality=90)


def strip(out, sources):
    whole = Image.new("RGB", (600, 450 * len(sources) + 100), "white")
    for index, source in enumerate(sources):
        photo = Image.open(source)
        photo.draft("RGB", (600, 450))
        whole.paste(ImageOps.exif_transpose(photo).resize((600, 450)), (0, 450 * index))
    ImageDraw.Draw(whole).text((20, whole.height - 85), "A day of ours", "black", ImageFont.truetype("DejaVuSans.ttf", 60))
    whole.save(out, quality=90)


def main(name, *words):
    if name == "noir-jpeg":
        for _ in range(int(words[2])):
            timed(lambda: noir_jpeg(*words[:2]))
    elif name == "strip":
        for _ in range(int(words[1])):
            timed(lambda: strip(words[0], words[2:]))
    else:
        width, height, threads, repeats = map(int, words[1:5])
        frames = np.fromfile(words[0], np.uint8).reshape(-1, height, width, 4)
        change = pointwise() if name == "pointwise" else blur(threads)
        for index in range(repeats):
            result = timed(lambda: change(frames[index % len(frames)]))
        np.frombuffer(result, np.uint8).tofile(words[5])


main(*sys.argv[1:])
