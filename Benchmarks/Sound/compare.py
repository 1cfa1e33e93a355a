"""Gives sounds another tempo with the engine and with FFmpeg's filters, in turn, and prints a table beside the bars.

Usage: compare.py ENGINE FOLDER [--tempo N …] [--seconds N] [--rounds N]
`spectrum` is what exports and readers do by default, beside FFmpeg's `rubberband` (the library Rubber Band); `waveform` is what players do,
beside FFmpeg's `atempo`. Exits 1 when a bar is missed. CPU times are ratios of the medians of rounds in turn; FFmpeg's own start, and its
reading and writing, are taken off: those of a run with the filter `anull`.
"""
import argparse
import os
import re
import resource
import subprocess
import sys

import numpy as np

RATE = 48000
CHORD = [220.0, 277.18, 329.63, 440.0, 1000.0]
BARS = {"time": {"spectrum": 1.0, "waveform": 1.2}, "partials": {"spectrum": 0.01, "waveform": 0.01},
        "onsets": {"spectrum": 0.010, "waveform": 0.010}}
PEERS = {"spectrum": "rubberband=tempo={tempo}", "waveform": "{atempo}"}
missed = []


def chord(seconds):
    time = np.arange(int(seconds * RATE)) / RATE
    return sum(0.15 * np.sin(2 * np.pi * tone * time) for tone in CHORD).astype(np.float32)


def strikes(seconds, every=0.4):
    """Dying bursts of noise, and where they are."""
    samples, places = np.zeros(int(seconds * RATE), np.float32), np.arange(every, seconds - every, every)
    noise = np.random.default_rng(45).uniform(-1, 1, RATE // 10)
    burst = (0.5 * noise * np.exp(-np.arange(RATE // 10) / (0.006 * RATE))).astype(np.float32)
    for place in places:
        start = int(place * RATE)
        samples[start:start + len(burst)] += burst
    return samples, places


def worst_partial(sound):
    """The largest share by which a partial lies beside its own frequency, in the middle half."""
    part = sound[len(sound) // 4:len(sound) * 3 // 4]
    size = 1 << (8 * len(part) - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part)), size))
    worst = 0.0
    for tone in CHORD:
        low, high = (int(tone * factor * size / RATE) for factor in (0.96, 1.04))
        found = (low + int(np.argmax(spectrum[low:high]))) * RATE / size
        worst = max(worst, abs(found / tone - 1))
    return worst


def worst_onset(sound, places, tempo):
    """The farthest that a strike is heard from where it belongs, in seconds."""
    worst = 0.0
    for place in places / tempo:
        near = np.abs(sound[int((place - 0.15) * RATE):int((place + 0.15) * RATE)])
        first = int(np.argmax(near > 0.3 * near.max()))
        worst = max(worst, abs(first / RATE - 0.15))
    return worst


def ours(program, source, method, tempo, out):
    run = subprocess.run([program, source, method, str(tempo), str(RATE), out, "1"], capture_output=True, text=True, check=True)
    return float(re.search(r"cpu ([\d.]+)", run.stdout)[1])


def atempo(tempo):
    """One filter takes half to a hundred times the tempo."""
    filters = []
    while tempo < 0.5:
        filters.append("atempo=0.5")
        tempo /= 0.5
    return ",".join(filters + [f"atempo={tempo}"])


def ffmpeg(source, filters, out):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    raw = ["-f", "f32le", "-ar", str(RATE)]
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1", *raw, "-ac", "1", "-i", source, "-af", filters, *raw, out],
                   check=True)
    return 1000 * (used() - before)


def bar(name, value, limit, text):
    if value > limit:
        missed.append(f"{name} is {text(value)}, above {text(limit)}")
    return f"{text(value)} (≤ {text(limit)})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("folder")
    parser.add_argument("--tempo", type=float, nargs="+", default=[0.5, 2.0, 0.25])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    paths = {name: os.path.join(options.folder, f"{name}.f32") for name in ("chord", "strikes", "ours", "peer")}
    chord(options.seconds).tofile(paths["chord"])
    struck, places = strikes(options.seconds)
    struck.tofile(paths["strikes"])

    for tempo in options.tempo:
        for method, template in PEERS.items():
            filters = template.format(tempo=tempo, atempo=atempo(tempo))
            label = f"{method} {tempo:g}"
            times = {"ours": [], "peer": [], "none": []}
            for _ in range(options.rounds):
                times["ours"].append(ours(options.engine, paths["strikes"], method, tempo, paths["ours"]))
                times["peer"].append(ffmpeg(paths["strikes"], filters, paths["peer"]))
                times["none"].append(ffmpeg(paths["strikes"], "anull", os.path.join(options.folder, "none.f32")))
            own, peer, none = (float(np.median(times[name])) for name in ("ours", "peer", "none"))
            figures = {name: [worst_onset(np.fromfile(paths[name], np.float32), places, tempo)] for name in ("ours", "peer")}
            ours(options.engine, paths["chord"], method, tempo, paths["ours"])
            ffmpeg(paths["chord"], filters, paths["peer"])
            for name in figures:
                figures[name].append(worst_partial(np.fromfile(paths[name], np.float32)))
            print(f"\n{label}, beside {filters}")
            print("  CPU time: " + bar(f"{label} time", own / max(1.0, peer - none), BARS["time"][method], lambda value: f"{value:.2f}")
                  + f"; {own:.0f} ms and {peer - none:.0f} ms for {options.seconds:g} s")
            print("  onsets:   " + bar(f"{label} onsets", figures["ours"][0], BARS["onsets"][method], lambda value: f"{1000 * value:.1f} ms")
                  + f"; the peer's {1000 * figures['peer'][0]:.1f} ms")
            print("  partials: " + bar(f"{label} partials", figures["ours"][1], BARS["partials"][method], lambda value: f"{100 * value:.2f} %")
                  + f"; the peer's {100 * figures['peer'][1]:.2f} %")
    for sentence in missed:
        print(f"sound: {sentence}", file=sys.stderr)
    sys.exit(1 if missed else 0)


main()
