"""Draws effects of video with the engines, and Portrait with MediaPipe and OpenCV, in turn, and prints CPU times and ratios beside the bars.

Usage: compare.py ENGINE FOLDER [--person NAME] [--reactions KIND …] [--rounds N] [--frames N] [--seconds N] [--pictures]
Times are CPU time of a frame, of all threads: the mean of a run, and the median of the rounds; then that of the longest frame of all. Ratios
are medians of those of each round; bars stand beside what MediaPipe's documentation does, for the dearest reaction. Exits 1 when a bar is
missed.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import cv2
import numpy as np

import people

BARS = {"portrait": 0.25, "reaction": 0.35}
REACTIONS = ["thumbsUp", "thumbsDown", "balloons", "heart", "fireworks", "rain", "confetti", "lasers"]
PEERS = {"documented": "a blur of 55 pixels, the mask cut", "soft": "a blur as wide as ours, mixed by the mask",
         "reduced": "as wide and mixed, blurred at a quarter of the size"}
missed = []


def bar(name, value, limit):
    if not value <= limit:
        missed.append(f"{name} is {value:.3f}, above {limit}")
    return f"{value:.3f} (≤ {limit})"


def run(command, threads):
    """A program on as many processors as it may use threads."""
    processors = sorted(os.sched_getaffinity(0))[:threads]
    done = subprocess.run(["taskset", "-c", ",".join(map(str, processors)), *map(str, command)], capture_output=True, text=True)
    if done.returncode:
        sys.exit((done.stderr.strip() or f"{command[0]} failed").splitlines()[-1])
    return done.stdout


class Work:
    """The engine, and the frames: in memory, so that no disk is measured."""

    def __init__(self, asked, scratch):
        self.asked, self.scratch = asked, scratch
        self.longest = {}
        self.frames = shutil.copy(people.made(asked.folder, asked.person), scratch)

    def engine(self, threads, *words):
        return run([self.asked.engine, self.frames, people.WIDTH, people.HEIGHT, threads, *words], threads)

    def time(self, name):
        """CPU time of a frame, the mean of a run; the longest of all runs is kept."""
        out = os.path.join(self.scratch, f"{name}.nv12")
        if name in PEERS:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.py")
            said = run([sys.executable, script, name, self.frames, self.asked.frames, out], 1)
        else:
            said = self.engine(1, "time", name, self.asked.frames, out)
        if self.asked.pictures:
            picture = people.rgb(np.fromfile(out, np.uint8))
            cv2.imwrite(os.path.join(self.asked.folder, f"{name}.png"), picture[..., ::-1])
        times = [float(time) for time in re.findall(r"cpu ([\d.]+)", said)]
        self.longest[name] = max(self.longest.get(name, 0), *times)
        return statistics.mean(times)


def compare(work, reactions, rounds):
    """Every effect and peer in turn, round after round."""
    times = {name: [] for name in ["portrait", *reactions, *PEERS, "center-stage", "light", "background"]}
    for _ in range(rounds):
        for name, found in times.items():
            found.append(work.time(name))

    def line(name, remark):
        print(f"  {name:12} {statistics.median(times[name]):7.2f} {work.longest[name]:8.1f}  {remark}")

    def ratio(name, peer="documented"):
        return statistics.median(ours / theirs for ours, theirs in zip(times[name], times[peer]))

    print(f"\nCPU time of a frame of {people.WIDTH}x{people.HEIGHT} in milliseconds, one thread, the median of {rounds} rounds, and of the longest frame:")
    line("portrait", "segmentation, matte and blur")
    for name in reactions:
        line(name, f"portrait and the reaction; ÷ documented: {ratio(name):.3f}")
    line("center-stage", "alone, the faces being known")
    line("light", "alone, the mask being known")
    line("background", "alone, the mask being known")
    for name, remark in PEERS.items():
        line(name, f"MediaPipe and OpenCV, {remark}; portrait ÷ it: {ratio('portrait', name):.3f}")
    dearest = max(reactions, key=lambda name: statistics.median(times[name]))
    print(f"  portrait ÷ documented: {bar('portrait', ratio('portrait'), BARS['portrait'])}")
    print(f"  portrait with {dearest} ÷ documented: {bar(f'portrait with {dearest}', ratio(dearest), BARS['reaction'])}")
    return dearest


def keep_pace(work, kind, seconds):
    said = work.engine(2, "paced", kind, seconds)
    frames, late, dropped, longest, cpu = re.search(r"frames (\d+) late (\d+) dropped (\d+) longest ([\d.]+) cpu ([\d.]+)", said).groups()
    print(f"\nPortrait with {kind} at 30 frames a second, two threads, with a look for faces in each third frame, {seconds} s:")
    print(f"  {dropped} of {frames} frames dropped, {late} took longer than 33 ms (the longest {float(longest):.1f} ms); "
          f"{100 * float(cpu):.0f} % of a processor")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("folder")
    parser.add_argument("--person", choices=people.VIEWS, default="astronaut")
    parser.add_argument("--reactions", nargs="+", choices=REACTIONS, default=REACTIONS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--frames", type=int, default=people.FRAMES, help="timed frames of a run")
    parser.add_argument("--seconds", type=int, default=10, help="of frames at their own pace; 0 is none")
    parser.add_argument("--pictures", action="store_true", help="writes a picture of each as PNG beside the frames")
    asked = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else asked.folder
    before = os.getloadavg()
    with tempfile.TemporaryDirectory(prefix="effects-", dir=memory) as scratch:
        work = Work(asked, scratch)
        dearest = compare(work, asked.reactions, asked.rounds)
        if asked.seconds:
            keep_pace(work, dearest, asked.seconds)
    print(f"\nLoad of the machine: {before[0]:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} processors.")
    print("\n".join(f"missed: {text}" for text in missed) or "All bars are held.")
    sys.exit(1 if missed else 0)


main()
