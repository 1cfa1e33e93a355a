"""Computes filters with the engine and with other libraries, in turn, and prints tables beside the bars.

Usage: compare.py ENGINE FOLDER [--debug ENGINE] [--only NAME …] [--threads N …] [--rounds N] [--repeats N] [--seed N] [--busy]
Names are pointwise, noir, blur, cube, live, noir-jpeg, strip and orient. Exits 1 when a bar is missed. Times are medians of rounds in
turn and ratios those of the medians; CPU times stand in brackets and beside the ratios. A machine that others use, too, is measured
with --busy: all bars are for CPU times then. --debug is a debug build of the same program, whose frames are timed beside its own.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image, ImageOps

import pictures
import truth
from pictures import HEIGHT, WIDTH

BARS = {"pointwise": 1.0, "blur": 0.6, "cube": 1.0, "first": 2.0, "debug": 3.0, "noir-jpeg": 1.5, "strip": 1.0, "orient": 1.1, "error": 1.0,
        "noir-jpeg error": 1.5, "picture": 1.1}
PEERS = {"pointwise": "libvips", "blur": "OpenCV"}
PHOTO_TASKS = ["noir-jpeg", "strip", "orient"]
LUMA = np.array([0.299, 0.587, 0.114])
missed = []


def bar(name, value, limit):
    if not value <= limit:
        missed.append(f"{name} is {value:.3f}, above {limit}")
    return f"{value:.2f} (≤ {limit})"


def run(command, threads):
    """A program on as many processors as it may use threads."""
    processors = sorted(os.sched_getaffinity(0))[:threads]
    environment = dict(os.environ, VIPS_CONCURRENCY=str(threads))
    done = subprocess.run(["taskset", "-c", ",".join(map(str, processors)), *map(str, command)], capture_output=True, text=True,
                          env=environment)
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or f"{command[0]} failed").splitlines()[-1])
    return done.stdout


def times(command, threads, remark=""):
    """Wall and CPU time of each repetition."""
    return [tuple(map(float, found)) for found in re.findall(rf"wall ([\d.]+) cpu ([\d.]+) ?{remark}", run(command, threads))]


def peer(*words):
    return [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.py"), *words]


def medians(pairs):
    return tuple(float(value) for value in np.median(np.array(pairs), axis=0))


def ratios(name, ours, theirs, limit, by_cpu):
    """Both ratios, of which one has a bar."""
    wall, cpu = ours[0] / theirs[0], ours[1] / theirs[1]
    if by_cpu:
        return f"of CPU {bar(f'{name}, CPU,', cpu, limit)}, of wall {wall:.2f}"
    return f"{bar(name, wall, limit)}, of CPU {cpu:.2f}"


def shown(pair):
    return f"{pair[0]:8.1f} ({pair[1]:7.1f})"


def line(name, ours, other="", theirs=None, ratio=""):
    print(f"  {name:20} {shown(ours)}" + (f"  {other:14} {shown(theirs)}  {ratio}" if theirs else ""))


def on(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


# MARK: Frames

def errors(work, name, format_, frame):
    """The mean and the greatest distance of the engine's first frame from the definition, in levels."""
    out = os.path.join(work.scratch, "result.raw")
    run(work.engine_words(name, format_, 1, out), 2)
    if name not in work.truths:
        work.truths[name] = truth.bytes_of(truth.CHAINS[name](truth.light_of(frame[..., 2::-1] / 255)))
    data, right = np.fromfile(out, np.uint8).astype(np.float64), work.truths[name]
    if format_ == "BGRA":
        data = data.reshape(HEIGHT, WIDTH, 4)
        if (data[..., 3] != 255).any():
            missed.append(f"{name}: alpha is not 255 everywhere")
        distance = np.abs(data[..., 2::-1] - right)
    else:
        luma, chroma = truth.ycbcr(right)
        distance = np.abs(data - np.concatenate([luma.ravel(), chroma.ravel()]))
    return distance.mean(), distance.max()


def quality_of_frames(work, name):
    frame = np.fromfile(work.frames, np.uint8, count=4 * WIDTH * HEIGHT).reshape(HEIGHT, WIDTH, 4)
    cells = []
    for format_ in ("BGRA", "420v"):
        mean, most = errors(work, name, format_, frame)
        cells.append(f"{format_} {bar(f'{name} {format_} error', mean, BARS['error'])}, at most {most:.0f}")
    print(f"  {name:20} " + "; ".join(cells))


def lut3d(work, threads, filter_, count):
    """Wall and CPU time of FFmpeg with a filter, the whole run, in milliseconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(["ffmpeg", "-v", "error", "-nostdin", "-filter_threads", threads, "-stream_loop", count // pictures.FRAMES - 1, "-f", "rawvideo",
         "-pix_fmt", "bgra", "-s", f"{WIDTH}x{HEIGHT}", "-i", work.frames, "-vf", filter_, "-f", "null", "-"], threads)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * wall, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def cube_of_ffmpeg(work, threads, repeats):
    """Time of a frame by interpolation; what reading and throwing away costs is taken off."""
    count = -(-max(repeats, 8) // pictures.FRAMES) * pictures.FRAMES
    nothing = lut3d(work, threads, "null", count)
    found = {}
    for interpolation in ("tetrahedral", "trilinear"):
        whole = lut3d(work, threads, f"lut3d=file={work.cube}.cube:interp={interpolation}", count)
        found[f"lut3d {interpolation[:5]}."] = tuple(max((a - b) / count, 0.01) for a, b in zip(whole, nothing))
    return found


def speed_of_frames(work, name, threads, rounds, repeats, busy):
    label = f"{name} on {on(threads)}"
    firsts, ours, wide, slow, theirs = [], [], [], [], {}
    out = os.path.join(work.scratch, "timed.raw")
    for _ in range(rounds):
        found = times(work.engine_words(name, "BGRA", repeats + 1, out), threads)
        firsts.append(found[0])
        ours.append(medians(found[1:]))
        if name in PEERS:
            command = peer(name, work.frames, WIDTH, HEIGHT, threads, repeats + 1, os.path.join(work.scratch, "peer.raw"))
            theirs.setdefault(PEERS[name], []).append(medians(times(command, threads)[1:]))
        elif name == "cube":
            for kind, pair in cube_of_ffmpeg(work, threads, repeats).items():
                theirs.setdefault(kind, []).append(pair)
        wide.append(medians(times(work.engine_words(name, "420v", repeats + 1, out), threads)[1:]))
        if work.debug:
            slow.append(medians(times([work.debug, *work.engine_words(name, "BGRA", repeats + 1, out)[1:]], threads)[1:]))
    mine, first = medians(ours), medians(firsts)
    if not theirs:
        line(f"{name} BGRA", mine)
    for index, (kind, pairs) in enumerate(theirs.items()):
        pair = medians(pairs)
        line(f"{name} BGRA" if not index else "", mine, kind, pair,
             ratios(f"{label} beside {kind}", mine, pair, BARS[name], busy))
    line(f"{name} 420v", medians(wide))
    line("  first image", first, "later ones", mine, ratios(f"{label}, first image", first, mine, BARS["first"], busy))
    if slow:
        line("  debug build", medians(slow), "release build", mine,
             ratios(f"{label}, debug build", medians(slow), mine, BARS["debug"], busy))


# MARK: Photos

def luma_of(path):
    return np.asarray(Image.open(path).convert("RGB")) @ LUMA


def quality_of_photos(work, name):
    """Whether the pictures are what they should be: noir by its definition, the others as near to the mean of light as Pillow's."""
    ours, other = (os.path.join(work.scratch, f"{which}.jpg") for which in ("ours", "peer"))
    if name == "noir-jpeg":
        run([work.engine, name, work.photos[0], ours, 1], 2)
        rgb = np.asarray(Image.open(work.photos[0]))
        right = truth.bytes_of(truth.noir(truth.light_of(np.arange(256) / 255)[rgb])[..., 0])
        mean = np.abs(luma_of(ours) - right).mean()
        return print(f"  {name:20} {bar('noir-jpeg error', mean, BARS['noir-jpeg error'])}")
    if name == "strip":
        run([work.engine, name, ours, 1, *work.photos], 2)
        run(peer(name, other, 1, *work.photos), 2)
        right = np.concatenate([truth.smaller(np.asarray(ImageOps.exif_transpose(Image.open(path))), 600, 450)
                                for path in work.photos])
    else:
        run([work.engine, name, work.photos[-1], ours, 1], 2)
        upright = ImageOps.exif_transpose(Image.open(work.photos[-1]))
        upright.resize((900, 1200)).save(other, quality=90)
        right = truth.smaller(np.asarray(upright), 900, 1200)
    # Below the photos there may be a caption.
    found = [luma_of(path)[:right.shape[0]] for path in (ours, other)]
    if found[0].shape != found[1].shape:
        return missed.append(f"{name}: the picture is {found[0].shape[1]}x{found[0].shape[0]}")
    distances = [np.abs(luma - right @ LUMA).mean() for luma in found]
    print(f"  {name:20} {distances[0]:.2f}, Pillow {distances[1]:.2f}; "
          f"ratio {bar(f'{name} error beside Pillow', distances[0] / distances[1], BARS['picture'])}")


def speed_of_photos(work, name, threads, rounds, busy):
    label, out = f"{name} on {on(threads)}", os.path.join(work.scratch, "timed.jpg")
    ours, theirs = [], []
    words = {"noir-jpeg": (work.photos[0], out, 3), "strip": (out, 3, *work.photos), "orient": (work.photos[-1], out, 3)}[name]
    for _ in range(rounds):
        if name == "orient":
            # One process does both, in turn.
            found = times([work.engine, name, *words], threads, "(?:stored|upright)")
            theirs.append(medians(found[2::2]))
            ours.append(medians(found[3::2]))
        else:
            ours.append(medians(times([work.engine, name, *words], threads)[1:]))
            theirs.append(medians(times(peer(name, *words), threads)[1:]))
    mine, pair = medians(ours), medians(theirs)
    # Pillow has one thread: what it is measured by is work.
    line(name, mine, "not turned" if name == "orient" else "Pillow", pair,
         ratios(label, mine, pair, BARS[name], busy or name != "orient"))


# MARK: All of it

class Work:
    """The engine, and the files that it works on: in memory, so that no disk is measured."""

    def __init__(self, engine, debug, folder, scratch, seed):
        self.engine, self.debug, self.scratch, self.truths = engine, debug, scratch, {}
        frames, photos = pictures.made(folder, seed)
        self.frames, *self.photos = (shutil.copy(path, scratch) for path in [frames, *photos])
        self.cube = os.path.join(scratch, "look")
        colors = truth.table().reshape(-1, 3)
        np.concatenate([colors, np.ones((len(colors), 1), np.float32)], 1).tofile(self.cube + ".raw")
        with open(self.cube + ".cube", "w") as file:
            file.write(f"LUT_3D_SIZE {truth.SIDE}\n" + "".join("%.8f %.8f %.8f\n" % tuple(color) for color in colors))

    def engine_words(self, name, format_, repeats, out):
        return [self.engine, name, self.frames, WIDTH, HEIGHT, format_, repeats, out] + [self.cube + ".raw"] * (name == "cube")


def guarded(name, body):
    """Goes on with the rest when a part cannot be measured, which misses its bars."""
    try:
        body()
    except RuntimeError as error:
        print(f"  {name:20} {error}")
        missed.append(f"{name}: {error}")


def compare(work, asked):
    names = asked.only or [*truth.CHAINS, *PHOTO_TASKS]
    chains, tasks = ([name for name in names if (name in PHOTO_TASKS) == wanted] for wanted in (False, True))
    if chains:
        print(f"\nFrames of {WIDTH}x{HEIGHT}, mean distance from the definition in levels")
    for name in chains:
        guarded(name, lambda: quality_of_frames(work, name))
    if tasks:
        print("\nPhotographs, mean distance in levels of luma")
    for name in tasks:
        guarded(name, lambda: quality_of_photos(work, name))
    for threads in asked.threads if asked.rounds else []:
        if threads > len(os.sched_getaffinity(0)):
            print(f"\nThere are no {threads} processors.")
            continue
        print(f"\nTime in milliseconds (CPU), {on(threads)}, in turn:")
        for name in chains:
            guarded(name, lambda: speed_of_frames(work, name, threads, asked.rounds, asked.repeats, asked.busy))
        for name in tasks:
            guarded(name, lambda: speed_of_photos(work, name, threads, asked.rounds, asked.busy))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("folder")
    parser.add_argument("--debug", help="a debug build of the engine")
    parser.add_argument("--only", nargs="+", choices=[*truth.CHAINS, *PHOTO_TASKS])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="pairs of timed runs; 0 is none")
    parser.add_argument("--repeats", type=int, default=12, help="frames of each run, after the first")
    parser.add_argument("--seed", type=int, default=20240601)
    parser.add_argument("--busy", action="store_true", help="holds CPU times beside the bars instead of wall times")
    asked = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else asked.folder
    with tempfile.TemporaryDirectory(prefix="filters-", dir=memory) as scratch:
        compare(Work(asked.engine, asked.debug, asked.folder, scratch, asked.seed), asked)
    print("\n" + ("\n".join(f"missed: {text}" for text in missed) or "All bars are held."))
    sys.exit(1 if missed else 0)


main()
