"""Fuses bursts with the engine and with OpenCV's optical flow, in turn, and prints a table beside the bars.

Usage: compare.py ENGINE FOLDER [--size 2mp|12mp] [--seed N …] [--bits 8|10 …] [--rounds N] [--threads N …] [--pictures]
`--peer COMMAND` times any other program, too; in the command {frames}, {width}, {height} and {threads} are replaced.
Exits 1 when a bar is missed. Times are ratios of the medians of rounds in turn; CPU times stand beside them, for a busy machine.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import time

import cv2
import numpy as np
from skimage.metrics import structural_similarity

import bursts

BARS = {"static": {3200: 0.5, 800: 2.0}, "moving": {3200: 3.0, 800: 4.5}, "ssim": 0.005, "time": {8: 0.20, 10: 0.35}}
missed = []


def kind(bits):
    return (np.uint8, 0) if bits == 8 else (np.uint16, 16 - bits)


def read(path, facts, bits, index=0):
    """Luma and chroma in 8-bit levels."""
    width, height = facts["width"], facts["height"]
    samples, (type_, shift) = width * height * 3 // 2, kind(bits)
    data = np.fromfile(path, type_, count=samples, offset=index * samples * type_().itemsize) >> shift
    scale = np.float32(255 / (2 ** bits - 1))
    return (data[:width * height].reshape(height, width) * scale,
            data[width * height:].reshape(height // 2, width // 2, 2) * scale)


def psnr(a, b, where=None):
    square = (a - b) ** 2
    return 10 * np.log10(65025 / (square[where].mean() if where is not None else square.mean()))


def bar(name, value, limit):
    if value > limit:
        missed.append(f"{name} is {value:.3f}, above {limit}")
    return f"{value:.{3 if limit < 0.5 else 2}f} (≤ {limit})"


def engine(program, folder, facts, bits, threads, development, out, repeats=1):
    frames = os.path.join(folder, f"frames-{bits}.raw")
    run = subprocess.run([program, frames, "420f" if bits == 8 else "xf20", str(facts["width"]), str(facts["height"]), str(facts["count"]),
                          out, str(threads), str(repeats), development], capture_output=True, text=True, check=True)
    return [tuple(map(float, found)) for found in re.findall(r"wall ([\d.]+) cpu ([\d.]+)", run.stdout)]


def flow_and_mean(lumas, chromas, small):
    """OpenCV's peer: dense inverse search (Kroeger et al. 2016) at its fastest, remap, mean."""
    height, width = lumas[0].shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
    luma, chroma = lumas[0].astype(np.float32), chromas[0].astype(np.float32)
    for index in range(1, len(lumas)):
        motion = flow.calc(small[0], small[index], None)
        luma += cv2.remap(lumas[index], x + motion[..., 0], y + motion[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        half = cv2.resize(motion, (width // 2, height // 2), interpolation=cv2.INTER_AREA) / 2
        chroma += cv2.remap(chromas[index], x[:height // 2, :width // 2] + half[..., 0], y[:height // 2, :width // 2] + half[..., 1],
                            cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.rint(luma / len(lumas)), np.rint(chroma / len(chromas))


def timed(body):
    def used():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime
    cpu, wall = used(), time.monotonic()
    result = body()
    return result, 1000 * (time.monotonic() - wall), 1000 * (used() - cpu)


def raw_frames(folder, facts, bits):
    width, height, (type_, _) = facts["width"], facts["height"], kind(bits)
    data = np.fromfile(os.path.join(folder, f"frames-{bits}.raw"), type_).reshape(facts["count"], -1)
    lumas = [frame[:width * height].reshape(height, width) for frame in data]
    chromas = [frame[width * height:].reshape(height // 2, width // 2, 2) for frame in data]
    return lumas, chromas, [luma if bits == 8 else (luma >> 8).astype(np.uint8) for luma in lumas]


def quality(program, folder, facts, bits, pictures):
    frames, out = os.path.join(folder, f"frames-{bits}.raw"), os.path.join(folder, f"fused-{bits}")
    engine(program, folder, facts, bits, 2, "none", out + ".raw")
    engine(program, folder, facts, bits, 2, "standard", out + "-developed.raw")
    truth, oracle = (read(os.path.join(folder, f"{name}-{bits}.raw"), facts, bits) for name in ("truth", "oracle"))
    single = read(frames, facts, bits)
    results = {"single": single, "oracle": oracle, "fused": read(out + ".raw", facts, bits),
               "developed": read(out + "-developed.raw", facts, bits)}
    flow = flow_and_mean(*raw_frames(folder, facts, bits))
    results["flow"] = tuple(plane / (256 if bits == 10 else 1) * (255 / (1023 / 4) if bits == 10 else 1) for plane in flow)
    top, left, side = (int(value) for value in facts["patch"])
    moving = np.zeros(truth[0].shape, bool)
    moving[top - 4:top + side + 4, left - 4:left + side + 4] = True
    print(f"\nISO {facts['iso']}, seed {facts['seed']}, {facts['width']}x{facts['height']}, {bits} bits")
    print(f"  {'':10} {'luma':>7} {'static':>7} {'moving':>7} {'chroma':>7} {'SSIM':>7}")
    figures = {}
    for name, (luma, chroma) in results.items():
        similar = structural_similarity(luma, truth[0], data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
        figures[name] = (psnr(luma, truth[0]), psnr(luma, truth[0], ~moving), psnr(luma, truth[0], moving), psnr(chroma, truth[1]), similar)
        print(f"  {name:10} " + " ".join(f"{value:7.2f}" for value in figures[name][:4]) + f" {similar:7.4f}")
    gap = [a - b for a, b in zip(figures["oracle"], figures["fused"])]
    label = f"ISO {facts['iso']} seed {facts['seed']} {bits} bits"
    tile = [np.sqrt(np.add.reduceat(np.add.reduceat((plane - truth[0]) ** 2, range(0, facts["height"], 16), 0), range(0, facts["width"], 16), 1))
            for plane in (results["fused"][0], single[0])]
    worse = int((tile[0] > np.maximum(tile[1], 16)).sum())
    if worse:
        missed.append(f"{label}: {worse} tiles are worse than the single frame's")
    print(f"  gap to the oracle: static {bar(label + ' static', gap[1], BARS['static'][facts['iso']])}, "
          f"moving {bar(label + ' moving', gap[2], BARS['moving'][facts['iso']])}, SSIM {bar(label + ' SSIM', gap[4], BARS['ssim'])}; "
          f"tiles worse than the single frame: {worse}")
    if pictures:
        height, width = truth[0].shape
        for name, (luma, chroma) in results.items():
            cb, cr = (cv2.resize(chroma[..., c] - 128, (width, height)) for c in (0, 1))
            bgr = np.stack([luma + 1.772 * cb, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.402 * cr], -1)
            cv2.imwrite(os.path.join(folder, f"{name}-{bits}.png"), np.clip(np.rint(bgr), 0, 255).astype(np.uint8))


def speed(program, folder, facts, bits, threads, rounds, peer):
    cv2.setNumThreads(threads)
    frames = raw_frames(folder, facts, bits)
    walls, cpus, peers = [], [], []
    for _ in range(rounds):
        ours = min(engine(program, folder, facts, bits, threads, "none", os.path.join(folder, "timed.raw"), 4)[1:])
        _, wall, cpu = min((timed(lambda: flow_and_mean(*frames)) for _ in range(2)), key=lambda run: run[1])
        walls.append((ours[0], wall))
        cpus.append((ours[1], cpu))
        if peer:
            command = peer.format(frames=os.path.join(folder, f"frames-{bits}.raw"), width=facts["width"], height=facts["height"],
                                  threads=threads)
            peers.append((ours[0], timed(lambda: subprocess.run(command, shell=True, check=True))[1]))
    ratio = float(np.median([a / b for a, b in walls]))
    print(f"  {facts['width']}x{facts['height']} x {facts['count']}, {bits} bits, {threads} threads: "
          f"{np.median([a for a, _ in walls]):.0f} ms, flow + remap + mean {np.median([b for _, b in walls]):.0f} ms; "
          f"ratio {bar(f'time of {bits} bits on {threads} threads', ratio, BARS['time'][bits])}, of CPU time "
          f"{np.median([a / b for a, b in cpus]):.3f}"
          + (f", to the peer {np.median([a / b for a, b in peers]):.3f}" if peers else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("folder")
    parser.add_argument("--size", choices=bursts.SIZES, default="2mp")
    parser.add_argument("--seed", type=int, nargs="+", default=[20240601])
    parser.add_argument("--iso", type=int, nargs="+", choices=bursts.NOISE, default=sorted(bursts.NOISE))
    parser.add_argument("--bits", type=int, nargs="+", choices=(8, 10), default=[8, 10])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="pairs of timed runs; 0 is none")
    parser.add_argument("--pictures", action="store_true", help="writes PNGs beside the bursts")
    parser.add_argument("--peer")
    asked = parser.parse_args()
    for seed in asked.seed:
        for iso in asked.iso:
            folder = os.path.join(asked.folder, f"{asked.size}-{iso}-{seed}")
            facts = bursts.burst(folder, asked.size, iso, seed)
            for bits in asked.bits:
                quality(asked.engine, folder, facts, bits, asked.pictures)
    if asked.rounds:
        print("\nTime, in turn:")
        for bits in asked.bits:
            for threads in asked.threads:
                speed(asked.engine, folder, facts, bits, threads, asked.rounds, asked.peer)
    print("\n" + ("\n".join(f"missed: {line}" for line in missed) or "All bars are held."))
    sys.exit(1 if missed else 0)


main()
