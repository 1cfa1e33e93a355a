"""Frames and photographs to filter: mosaics of scikit-image's photographs, as Benchmarks/Fusion/bursts.py makes them, with fixed seeds."""
import os
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fusion"))
import bursts

WIDTH, HEIGHT, FRAMES = 1920, 1080, 4
PHOTO = (4032, 3024)
PHOTOS = 4


def picture(width, height, seed, sources):
    """Bytes of red, green and blue from black to white, with the noise of a good sensor."""
    random = np.random.Generator(np.random.PCG64(seed))
    scene = bursts.mosaic(width, height, sources, random)
    scene = (scene[bursts.MARGIN:-bursts.MARGIN, bursts.MARGIN:-bursts.MARGIN] - 0.005) / 0.9
    noise = random.standard_normal(scene.shape, dtype=np.float32)
    return np.clip(np.rint(bursts.coded(scene) * 255 + noise), 0, 255).astype(np.uint8)


def made(folder, seed):
    """The paths of the frames, one after another as BGRA, and of the photographs; the last one lies on its side."""
    frames = os.path.join(folder, f"frames-{seed}.raw")
    photos = [os.path.join(folder, f"photo-{seed}-{index}.jpg") for index in range(PHOTOS)]
    if all(map(os.path.exists, [frames, *photos])):
        return frames, photos
    sources = list(bursts.photographs())
    for index, path in enumerate(photos):
        exif = Image.Exif()
        exif[0x0112] = 6 if index == PHOTOS - 1 else 1
        Image.fromarray(picture(*PHOTO, seed + 100 + index, sources)).save(path, quality=92, exif=exif)
    with open(frames + ".part", "wb") as file:
        for index in range(FRAMES):
            rgb = picture(WIDTH, HEIGHT, seed + index, sources)
            file.write(np.dstack([rgb[..., ::-1], np.full((HEIGHT, WIDTH), 255, np.uint8)]).tobytes())
    os.replace(frames + ".part", frames)
    return frames, photos
