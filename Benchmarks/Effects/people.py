"""Frames of a person who moves a little, as a camera gives them: a photograph of Tests/Portraits, enlarged, with the noise of a good sensor."""
import math
import os

import cv2
import numpy as np

WIDTH, HEIGHT, FRAMES = 1920, 1080, 60
# The middle of the part that is seen, from head to chest, and its width, as shares of the photograph's width.
VIEWS = {"astronaut": (0.44, 0.33, 0.86), "admiral": (0.44, 0.46, 0.86), "president": (0.43, 0.37, 0.86)}
PORTRAITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Tests", "Portraits", "Pictures")


def frame(photograph, view, index, random):
    """Red, green and blue of a frame; the last one is followed by the first."""
    phase = 2 * math.pi * index / FRAMES
    side = photograph.shape[1]
    width = side * view[2] * (1 - 0.02 * math.sin(phase))
    left = side * (view[0] + 0.012 * math.sin(phase)) - width / 2
    top = side * (view[1] + 0.004 * math.sin(2 * phase)) - width * HEIGHT / WIDTH / 2
    scale = width / WIDTH
    place = np.array([[scale, 0, left], [0, scale, top]])
    enlarged = cv2.warpAffine(photograph, place, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT)
    noise = random.standard_normal((HEIGHT, WIDTH, 3), dtype=np.float32) * 2
    return np.clip(np.rint(enlarged + noise), 0, 255).astype(np.uint8)


def raw(rgb):
    """The bytes of 420v: luma, then pairs of blue and red."""
    planes = cv2.cvtColor(rgb, cv2.COLOR_RGB2YUV_I420)
    chroma = planes[HEIGHT:].reshape(2, HEIGHT // 2, WIDTH // 2)
    return np.concatenate([planes[:HEIGHT].ravel(), np.moveaxis(chroma, 0, -1).ravel()])


def rgb(data):
    """Red, green and blue of the bytes of a frame of 420v."""
    return cv2.cvtColor(np.frombuffer(data, np.uint8).reshape(HEIGHT * 3 // 2, WIDTH), cv2.COLOR_YUV2RGB_NV12)


def made(folder, person):
    """The path of the frames, one after another."""
    path = os.path.join(folder, f"{person}.nv12")
    if not os.path.exists(path):
        photograph = cv2.cvtColor(cv2.imread(os.path.join(PORTRAITS, f"{person}.jpg")), cv2.COLOR_BGR2RGB)
        random = np.random.Generator(np.random.PCG64(20240601))
        with open(path + ".part", "wb") as file:
            for index in range(FRAMES):
                raw(frame(photograph, VIEWS[person], index, random)).tofile(file)
        os.replace(path + ".part", path)
    return path
