"""Blurs what is behind a person with MediaPipe and OpenCV, as their users do, and prints the time of each frame.

Usage: peers.py documented|soft|reduced FRAMES REPEATS OUT
`documented` is what MediaPipe's page of its selfie segmentation shows: a blur of 55 pixels, and a mask that is cut at 0.1. `soft` looks
more like our own effect: a blur as wide as the disc of PortraitBlur (0.04 of the height), mixed by the mask. `reduced` is the same
blurred at a quarter of the size. Frames are red, green and blue before the clock starts, as MediaPipe wants them.
"""
import sys
import time

import cv2
import mediapipe
import numpy as np

import people

# As far as a disc with this radius spreads light in each direction.
SIGMA = 0.04 * people.HEIGHT / 2
FIRST_FRAMES = 6


def documented(image, mask):
    condition = np.stack((mask,) * 3, axis=-1) > 0.1
    return np.where(condition, image, cv2.GaussianBlur(image, (55, 55), 0))


def soft(image, mask):
    return cv2.blendLinear(image, cv2.GaussianBlur(image, (0, 0), SIGMA), mask, 1 - mask)


def reduced(image, mask):
    small = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    blurred = cv2.resize(cv2.GaussianBlur(small, (0, 0), SIGMA / 4), image.shape[1::-1])
    return cv2.blendLinear(image, blurred, mask, 1 - mask)


def main(name, path, repeats, out):
    compose = {"documented": documented, "soft": soft, "reduced": reduced}[name]
    cv2.setNumThreads(1)
    frames = np.memmap(path, np.uint8, "r").reshape(people.FRAMES, -1)
    with mediapipe.solutions.selfie_segmentation.SelfieSegmentation(model_selection=1) as segmentation:
        for index in range(-FIRST_FRAMES, int(repeats)):
            image = people.rgb(frames[(index + FIRST_FRAMES) % people.FRAMES])
            image.flags.writeable = False
            cpu, wall = time.process_time(), time.perf_counter()
            result = compose(image, segmentation.process(image).segmentation_mask)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if index >= 0:
                print(f"wall {wall * 1000} cpu {cpu * 1000}")
            if index == int(repeats) // 2:
                people.raw(result).tofile(out)


main(*sys.argv[1:])
