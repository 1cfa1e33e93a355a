"""Makes bursts whose truth is known: eight frames of a mosaic of real photographs, seen by a shaking hand through a sensor's noise.

The photographs come with scikit-image, at their own resolution, blurred by 0.6 pixels as a lens does. Shifts are fractions of a pixel and
exact (Fourier). A patch with soft edges goes its own way over the background, 10 pixels from frame to frame at twelve megapixels. Noise is
drawn in linear light: photons (Poisson) and reading (normal), on the line of Brooks et al. 2019, "Unprocessing images".

The oracle is the mean of eight frames that stand still: the limit of averaging in time. Everything is converted the same way: to sRGB's
curve, to Y'CbCr of BT.601 in full range, chroma halved by the mean of four.
"""
import json
import os

import cv2
import imageio.v3 as iio
import numpy as np
import scipy.fft
import skimage

NOISE = {800: (1.6e-3, 2.7e-6), 3200: (6.4e-3, 5.5e-5)}  # variance of a photon's step, and of reading
SIZES = {"2mp": (1920, 1080), "12mp": (4032, 3024)}
CELL, MARGIN, COUNT = 384, 64, 8
PHOTOGRAPHS = ["astronaut.png", "coffee.png", "chelsea.png", "rocket.jpg", "motorcycle_left.png", "retina.jpg", "hubble_deep_field.jpg",
               "ihc.png", "color.png", "camera.png", "brick.png", "grass.png", "gravel.png", "moon.png"]
TO_YCBCR = np.array([[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], np.float32)


def linear(coded):
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4).astype(np.float32)


def coded(linear_light):
    v = np.clip(linear_light, 0, 1)
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.power(v, 1 / 2.4) - 0.055).astype(np.float32)


def photographs():
    folder = os.path.join(os.path.dirname(skimage.__file__), "data")
    for name in PHOTOGRAPHS:
        picture = iio.imread(os.path.join(folder, name))
        if picture.ndim == 2:
            picture = np.stack([picture] * 3, -1)
        picture = picture[..., :3].astype(np.float32) / 255
        scale = CELL / min(picture.shape[:2])
        if scale > 1:
            picture = cv2.resize(picture, None, fx=scale * 1.001, fy=scale * 1.001, interpolation=cv2.INTER_CUBIC)
        yield picture


def mosaic(width, height, sources, random):
    wide, tall = width + 2 * MARGIN, height + 2 * MARGIN
    canvas = np.zeros((tall, wide, 3), np.float32)
    order = []
    for y in range(0, tall, CELL):
        for x in range(0, wide, CELL):
            order = order or list(random.permutation(len(sources)))
            source = sources[order.pop()]
            top = int(random.integers(0, source.shape[0] - CELL + 1))
            left = int(random.integers(0, source.shape[1] - CELL + 1))
            tile = source[top:top + CELL, left:left + CELL]
            for turn in (lambda t: t[:, ::-1], lambda t: t[::-1], lambda t: t.transpose(1, 0, 2)):
                if random.integers(2):
                    tile = turn(tile)
            canvas[y:y + CELL, x:x + CELL] = tile[:tall - y, :wide - x]
    return linear(np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.6), 0, 1)) * 0.9 + 0.005


def shifted(picture, dy, dx):
    """The content moved down and to the right, exactly."""
    height, width = picture.shape[:2]
    fy = scipy.fft.fftfreq(height).astype(np.float32)[:, None]
    fx = scipy.fft.rfftfreq(width).astype(np.float32)[None, :]
    phase = np.exp(-2j * np.pi * (fy * dy + fx * dx)).astype(np.complex64)
    channels = [scipy.fft.irfft2(scipy.fft.rfft2(picture[..., c], workers=2) * phase, s=(height, width), workers=2)
                for c in range(picture.shape[2])]
    return np.stack(channels, -1)


def seen(scene, patch, alpha, width, height, shift, place):
    frame = shifted(scene, *shift) if any(shift) else scene.copy()
    y, x = place[0] + shift[0] + MARGIN, place[1] + shift[1] + MARGIN
    top, left = int(np.floor(y)), int(np.floor(x))
    cover = shifted(alpha, y - top, x - left)
    part = frame[top:top + patch.shape[0], left:left + patch.shape[1]]
    part *= 1 - np.clip(cover, 0, 1)
    part += shifted(patch * alpha, y - top, x - left)
    return np.clip(frame[MARGIN:MARGIN + height, MARGIN:MARGIN + width], 0, 1)


def noisy(light, iso, random):
    photon, reading = NOISE[iso]
    sensed = random.poisson(light / photon).astype(np.float32) * photon
    return sensed + random.standard_normal(light.shape, dtype=np.float32) * np.float32(np.sqrt(reading))


def planes(light, bits):
    """Luma and chroma pairs as a camera stores them; ten bits on top of sixteen."""
    top = 2 ** bits - 1
    rgb = coded(light)
    chroma = rgb @ TO_YCBCR[1:].T
    height, width = rgb.shape[:2]
    chroma = chroma.reshape(height // 2, 2, width // 2, 2, 2).mean((1, 3))
    kind, shift = (np.uint8, 0) if bits == 8 else (np.uint16, 16 - bits)
    luma = np.clip(np.rint(rgb @ TO_YCBCR[0] * top), 0, top).astype(kind) << shift
    return luma, np.clip(np.rint(chroma * top + (top + 1) // 2), 0, top).astype(kind) << shift


def store(path, pictures):
    with open(path, "wb") as file:
        for luma, chroma in pictures:
            file.write(luma.tobytes())
            file.write(chroma.tobytes())


def burst(folder, size, iso, seed):
    """Writes a burst into `folder`, unless it is there."""
    described = os.path.join(folder, "burst.json")
    if os.path.exists(described):
        return json.load(open(described))
    os.makedirs(folder, exist_ok=True)
    width, height = SIZES[size]
    pace = 1.0 if size == "12mp" else 0.5
    random = np.random.Generator(np.random.PCG64(seed))  # scene and motion: the same for every ISO
    sources = list(photographs())
    scene = mosaic(width, height, sources, random)
    step = random.normal(0, 2.6 * pace, (COUNT, 2))
    step[0] = 0
    shifts = np.cumsum(step, 0)
    side = int(width * 0.10) // 2 * 2
    face = cv2.resize(sources[0][0:256, 90:346], (side, side), interpolation=cv2.INTER_AREA if side < 256 else cv2.INTER_CUBIC)
    patch = np.zeros((side + 16, side + 16, 3), np.float32)
    patch[8:-8, 8:-8] = face
    patch = linear(np.clip(patch, 0, 1)) * 0.9 + 0.005
    alpha = np.zeros(patch.shape[:2] + (1,), np.float32)
    alpha[10:-10, 10:-10] = 1
    alpha = cv2.GaussianBlur(alpha, (0, 0), 1.2)[..., None]
    first, speed = np.array([height * 0.55, width * 0.30]), np.array([-5.7, 9.3]) * pace
    grains = np.random.Generator(np.random.PCG64(seed + iso))
    frames = []
    for index in range(COUNT):
        clean = seen(scene, patch, alpha, width, height, shifts[index], first + speed * index)
        if index == 0:
            truth = clean
        light = noisy(clean, iso, grains)
        frames.append({bits: planes(light, bits) for bits in (8, 10)})
    mean = sum(noisy(truth, iso, grains) for _ in range(COUNT)) / COUNT
    for bits in (8, 10):
        store(os.path.join(folder, f"frames-{bits}.raw"), [frame[bits] for frame in frames])
        store(os.path.join(folder, f"truth-{bits}.raw"), [planes(truth, bits)])
        store(os.path.join(folder, f"oracle-{bits}.raw"), [planes(mean, bits)])
    facts = dict(width=width, height=height, count=COUNT, iso=iso, seed=seed, patch=[*first.tolist(), side + 16])
    json.dump(facts, open(described, "w"))
    return facts
