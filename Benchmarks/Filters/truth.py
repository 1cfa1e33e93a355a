"""What the filters are by definition, in double precision: Sources/Frameworks/ImageCore/Filters, in linear light of sRGB.

Pictures are arrays of red, green and blue; `light` is linear, `seen` is a screen's numbers, both from 0 to 1.
"""
import cv2
import numpy as np
import scipy.ndimage

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
SATURATION, CONTRAST, EV, INTENSITY = 1.2, 1.1, 0.3, 0.6
NOIR = 1.45
SIDE = 33


def light_of(seen):
    return np.where(seen <= 0.04045, seen / 12.92, ((np.maximum(seen, 0.04045) + 0.055) / 1.055) ** 2.4)


def seen_of(light):
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055)


def bytes_of(light):
    return np.rint(seen_of(np.clip(light, 0, 1)) * 255)


def pointwise(light):
    gray = (light @ LUMINANCE)[..., None]
    controlled = (gray + (light - gray) * SATURATION - 0.5) * CONTRAST + 0.5
    exposed = controlled * 2 ** EV
    return exposed + (light_of(seen_of(exposed) @ SEPIA.T) - exposed) * INTENSITY


def noir(light):
    gray = np.clip(light @ LUMINANCE, 0, 1)
    steep = light_of(np.clip((seen_of(gray) - 0.5) * NOIR + 0.5, 0, 1))
    return np.repeat(steep[..., None], 3, -1)


def blur(light, sigma=10):
    """The whole curve, its edges going on for ever."""
    for axis in (0, 1):
        light = scipy.ndimage.gaussian_filter1d(light, sigma, axis, mode="nearest", truncate=6)
    return light


def table():
    """A look as a cube of 33³ colours, by blue, green and red."""
    steps = np.linspace(0, 1, SIDE)
    blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
    colors = np.stack([red, green, blue], -1)
    mixed = colors @ np.array([[0.90, 0.07, 0.03], [0.04, 0.92, 0.04], [0.02, 0.10, 0.88]]).T
    curved = 0.6 * mixed + 0.4 * mixed * mixed * (3 - 2 * mixed)
    return (curved * [0.98, 0.95, 0.90] + [0.01, 0.02, 0.05]).astype(np.float32)


def cube(numbers):
    """Each colour between the eight nearest of the table."""
    cells, place = table().astype(np.float64), np.clip(numbers, 0, 1) * (SIDE - 1)
    low = np.minimum(place.astype(np.intp), SIDE - 2)
    part, result = place - low, 0
    for corner in range(8):
        step = np.array([corner & 1, corner >> 1 & 1, corner >> 2 & 1])
        weight = np.where(step, part, 1 - part).prod(-1)
        red, green, blue = np.moveaxis(low + step, -1, 0)
        result = result + cells[blue, green, red] * weight[..., None]
    return result


def ycbcr(rgb):
    """Luma and chroma of bytes by BT.709 in video range, chroma the mean of four."""
    r, g, b = np.moveaxis(rgb / 255, -1, 0)
    luma = rgb @ LUMINANCE / 255
    chroma = np.stack([(b - luma) / 1.8556, (r - luma) / 1.5748], -1)
    height, width = luma.shape
    return 16 + 219 * luma, 128 + 224 * chroma.reshape(height // 2, 2, width // 2, 2, 2).mean((1, 3))


CHAINS = {"pointwise": pointwise, "noir": noir, "blur": blur, "cube": cube, "live": lambda light: blur(pointwise(light), 4)}


def smaller(rgb, width, height):
    """The mean of what each pixel covers, in light; bytes."""
    light = light_of(np.arange(256) / 255).astype(np.float32)[rgb]
    return bytes_of(cv2.resize(light, (width, height), interpolation=cv2.INTER_AREA))
