"""Every filter by its definition, in double precision: planes of pixels from planes and numbers. See every.py."""
import base64

import cv2
import numpy as np
import scipy.ndimage
from scipy.interpolate import CubicHermiteSpline, RegularGridInterpolator

from planes import Plane, box, computed, luminance, premultiplied, straight, warped
from truth import LUMINANCE, SEPIA, light_of, seen_of

ALL = {}


def filter_named(*names):
    def keep(function):
        for name in names:
            ALL["CI" + name] = function
        return function
    return keep


def gray(rgb):
    return np.repeat((rgb @ LUMINANCE)[..., None], 3, -1)


def lit(color):
    """The light of a colour of sRGB."""
    return light_of(np.array(color[:3], np.float64))


def part(share):
    """A share as the alpha of something that is added to all three colours."""
    return np.clip(share, 0, 1)[..., None]


def smooth(share):
    share = np.clip(share, 0, 1)
    return share * share * (3 - 2 * share)


def simple(name, change):
    ALL["CI" + name] = lambda inputImage, **values: inputImage.changed(lambda rgb: change(rgb, **values))


# MARK: Colours

simple("ColorControls", lambda c, inputSaturation, inputBrightness, inputContrast:
       (gray(c) + (c - gray(c)) * inputSaturation + inputBrightness - 0.5) * inputContrast + 0.5)
simple("ExposureAdjust", lambda c, inputEV: c * 2 ** inputEV)
simple("GammaAdjust", lambda c, inputPower: np.power(c, inputPower))
simple("ColorInvert", lambda c: 1 - c)
simple("SepiaTone", lambda c, inputIntensity: c + (light_of(seen_of(c) @ SEPIA.T) - c) * inputIntensity)
simple("ColorMonochrome", lambda c, inputColor, inputIntensity: c + (gray(c) * lit(inputColor) - c) * inputIntensity)
simple("FalseColor", lambda c, inputColor0, inputColor1: lit(inputColor0) + (lit(inputColor1) - lit(inputColor0)) * gray(c))
simple("ColorPosterize", lambda c, inputLevels: light_of(np.floor(seen_of(c) * (inputLevels - 1) + 0.5) / (inputLevels - 1)))
simple("MaximumComponent", lambda c: np.repeat(c.max(-1, keepdims=True), 3, -1))
simple("MinimumComponent", lambda c: np.repeat(c.min(-1, keepdims=True), 3, -1))
simple("WhitePointAdjust", lambda c, inputColor: c * lit(inputColor))
simple("ColorClamp", lambda c, inputMinComponents, inputMaxComponents: np.clip(c, inputMinComponents[:3], inputMaxComponents[:3]))


@filter_named("HueAdjust")
def hue(inputImage, inputAngle):
    # OpenCV's rotation about the axis of gray.
    turn, _ = cv2.Rodrigues(np.ones(3) / np.sqrt(3) * inputAngle)
    return inputImage.changed(lambda c: c @ turn.T)


@filter_named("Vibrance")
def vibrance(inputImage, inputAmount):
    def change(c):
        high, low = c.max(-1, keepdims=True), c.min(-1, keepdims=True)
        share = np.minimum(1, np.where(high > 0, (high - low) / np.where(high > 0, high, 1), 0))
        return gray(c) + (c - gray(c)) * (1 + inputAmount * (1 - share))
    return inputImage.changed(change)


@filter_named("ColorMatrix")
def matrix(inputImage, inputRVector, inputGVector, inputBVector, inputAVector, inputBiasVector):
    def pixels(x, y):
        found = inputImage(x, y)
        whole = np.concatenate([straight(found), found[..., 3:]], -1)
        result = whole @ np.array([inputRVector, inputGVector, inputBVector, inputAVector], np.float64).T + inputBiasVector
        return premultiplied(result[..., :3], np.clip(result[..., 3], 0, 1))
    return Plane(pixels, inputImage.extent)


@filter_named("MaskToAlpha")
def mask_to_alpha(inputImage):
    def pixels(x, y):
        found = inputImage(x, y)
        return np.repeat(luminance(premultiplied(straight(found), found[..., 3]))[..., None], 4, -1)
    return Plane(pixels, inputImage.extent)


@filter_named("TemperatureAndTint")
def temperature(inputImage, inputNeutral, inputTargetNeutral):
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])

    def white(t, tint):
        u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
        v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t) - tint / 1e4
        x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
        return np.array([x / y, 1, (1 - x - y) / y])

    gains = np.diag(bradford @ white(*inputTargetNeutral) / (bradford @ white(*inputNeutral)))
    whole = np.linalg.inv(to_xyz) @ np.linalg.inv(bradford) @ gains @ bradford @ to_xyz
    return inputImage.changed(lambda c: c @ whole.T)


@filter_named("ToneCurve")
def tone_curve(inputImage, **points):
    x, y = np.array([points[f"inputPoint{index}"] for index in range(5)]).T
    steps = np.diff(y) / np.diff(x)
    slopes = np.concatenate([steps[:1], 2 * steps[:-1] * steps[1:] / (steps[:-1] + steps[1:]), steps[-1:]])
    curve = CubicHermiteSpline(x, y, slopes)

    def change(c):
        # The points are those of a gamma of 2.
        root = np.sqrt(c)
        inner = curve(np.clip(root, x[0], x[-1]))
        shown = inner + np.minimum(0, root - x[0]) * slopes[0] + np.maximum(0, root - x[-1]) * slopes[-1]
        return shown * np.abs(shown)
    return inputImage.changed(change)


LOOKS = {
    "Mono": (0, 1, [0.06, 0.06, 0.06], [0.94, 0.94, 0.94]), "Tonal": (0, 1, [0, 0, 0], [1, 1, 1]),
    "Noir": (0, 1.45, [0, 0, 0], [1, 1, 1]), "Fade": (0.6, 1, [0.12, 0.11, 0.1], [0.93, 0.91, 0.9]),
    "Chrome": (1.35, 1.1, [0, 0, 0], [1, 1, 0.98]), "Process": (0.9, 1.1, [0, 0.03, 0.1], [0.93, 1, 0.95]),
    "Transfer": (0.9, 1.05, [0.1, 0.05, 0.02], [1, 0.95, 0.85]), "Instant": (0.75, 1, [0.12, 0.1, 0.12], [0.97, 0.93, 0.82]),
}
for look_name, look in LOOKS.items():
    def change_look(c, look=look):
        saturation, contrast, low, high = look
        seen = seen_of(np.clip(gray(c) + (c - gray(c)) * saturation, 0, 1))
        steep = np.clip((seen - 0.5) * contrast + 0.5, 0, 1)
        return light_of(np.array(low) + (np.array(high) - np.array(low)) * steep)
    simple("PhotoEffect" + look_name, change_look)

for palette_name, palette in {
    "Thermal": [[0.02, 0, 0.14], [0.1, 0.04, 0.55], [0.52, 0.05, 0.6], [0.9, 0.22, 0.28], [1, 0.62, 0.05], [1, 1, 0.75]],
    "XRay": [[0.93, 0.97, 1], [0.62, 0.74, 0.83], [0.3, 0.4, 0.5], [0.09, 0.14, 0.2], [0, 0.01, 0.03]],
}.items():
    def change_palette(c, palette=np.array(palette)):
        place = np.clip(seen_of(c @ LUMINANCE), 0, 1)
        steps = np.linspace(0, 1, len(palette))
        return light_of(np.stack([np.interp(place, steps, palette[:, lane]) for lane in range(3)], -1))
    simple(palette_name, change_palette)


def look_up(table, numbers):
    """Colours of a cube, red running fastest, linear between its places."""
    side = round(len(table) ** (1 / 3))
    cube = table.reshape(side, side, side, 4)[..., :3]
    steps = np.linspace(0, 1, side)
    inside = np.clip(numbers, 0, 1)
    return RegularGridInterpolator((steps, steps, steps), cube)(inside[..., ::-1])


@filter_named("ColorCube", "ColorCubeWithColorSpace")
def color_cube(inputImage, inputCubeDimension, inputCubeData, inputColorSpace=None):
    table = np.frombuffer(base64.b64decode(inputCubeData), np.float32).reshape(-1, 4).astype(np.float64)
    if inputColorSpace is None:
        return inputImage.changed(lambda c: look_up(table, c))
    return inputImage.changed(lambda c: light_of(look_up(table, seen_of(c))))


# MARK: Neighbours

def weighted(plane, kernel):
    """Each pixel the mean of its neighbourhood, by weights along each axis."""
    reach = len(kernel) // 2

    def pixels(x, y):
        left, low = int(x.min()), int(y.min())
        width, height = int(x.max()) - left + 1, int(y.max()) - low + 1
        grid = plane.grid(left - reach, low - reach, width + 2 * reach, height + 2 * reach)
        for axis in (0, 1):
            grid = scipy.ndimage.correlate1d(grid, kernel, axis, mode="nearest")
        return grid[y - low + reach, x - left + reach]
    return Plane(pixels, plane.extent and box(*plane.extent, reach))


def gauss(plane, sigma):
    places = np.arange(-int(6 * sigma) - 1, int(6 * sigma) + 2)
    kernel = np.exp(-places ** 2 / (2 * sigma * sigma))
    soft = weighted(plane, kernel / kernel.sum())
    return Plane(soft.pixels, plane.extent and box(*plane.extent, int(np.ceil(3 * sigma))))


@filter_named("GaussianBlur")
def blur(inputImage, inputRadius):
    return gauss(inputImage, inputRadius)


def mean_around(plane, radius):
    return weighted(plane, np.ones(2 * radius + 1) / (2 * radius + 1))


@filter_named("BoxBlur")
def box_blur(inputImage, inputRadius):
    return mean_around(inputImage, int(inputRadius))


@filter_named("Bloom")
def bloom(inputImage, inputRadius, inputIntensity):
    soft = gauss(inputImage, inputRadius)
    return Plane(lambda x, y: inputImage(x, y) + soft(x, y) * inputIntensity * (1 - np.minimum(1, inputImage(x, y))), soft.extent)


@filter_named("UnsharpMask")
def unsharp(inputImage, inputRadius, inputIntensity):
    soft = gauss(inputImage.clamped(), inputRadius)

    def pixels(x, y):
        sharp = inputImage(x, y)
        return np.concatenate([(sharp + (sharp - soft(x, y)) * inputIntensity)[..., :3], sharp[..., 3:]], -1)
    return Plane(pixels, inputImage.extent)


@filter_named("Edges")
def edges(inputImage, inputIntensity):
    around = inputImage.clamped()

    def pixels(x, y):
        falling, rising = around(x, y) - around(x + 1, y + 1), around(x + 1, y) - around(x, y + 1)
        return np.concatenate([(np.hypot(falling, rising) * inputIntensity)[..., :3], inputImage(x, y)[..., 3:]], -1)
    return Plane(pixels, inputImage.extent)


@filter_named("HighlightShadowAdjust")
def highlights(inputImage, inputRadius, inputShadowAmount, inputHighlightAmount):
    radius = int(inputRadius)

    def brightness(x, y):
        shown = np.clip(seen_of(straight(inputImage(x, y)) @ LUMINANCE), 0, 1)
        return np.stack([shown, shown * shown, 0 * shown, 0 * shown], -1)
    seen = Plane(brightness, inputImage.extent)
    around = seen
    if radius:
        means = mean_around(seen.clamped(), radius)

        def lines(x, y):
            mean, square = means(x, y)[..., 0], means(x, y)[..., 1]
            slope = (square - mean * mean) / (square - mean * mean + 0.01)
            return np.stack([slope, mean * (1 - slope), 0 * mean, 0 * mean], -1)
        fitted = mean_around(Plane(lines, inputImage.extent).clamped(), radius)
        around = Plane(lambda x, y: np.clip(fitted(x, y)[..., :1] * seen(x, y)[..., :1] + fitted(x, y)[..., 1:2], 0, 1).repeat(4, -1))

    def pixels(x, y):
        place, found = around(x, y)[..., :1], inputImage(x, y)
        stops = 2 * inputShadowAmount * (1 - smooth(place / 0.7)) - 1.25 * (1 - inputHighlightAmount) * smooth((place - 0.3) / 0.7)
        return np.concatenate([found[..., :3] * 2 ** stops, found[..., 3:]], -1)
    return Plane(pixels, inputImage.extent)


@filter_named("ComicEffect")
def comic(inputImage):
    soft = gauss(inputImage.clamped(), 1.5)

    def shown(x, y):
        return seen_of(np.clip(straight(soft(x, y)), 0, 1))

    def pixels(x, y):
        def bright(right, up):
            return shown(x + right, y + up) @ LUMINANCE
        across = bright(1, 1) + 2 * bright(1, 0) + bright(1, -1) - bright(-1, 1) - 2 * bright(-1, 0) - bright(-1, -1)
        along = bright(-1, 1) + 2 * bright(0, 1) + bright(1, 1) - bright(-1, -1) - 2 * bright(0, -1) - bright(1, -1)
        line = smooth((np.hypot(across, along) - 0.3) / 0.3)
        color, alpha = shown(x, y), inputImage(x, y)[..., 3]
        vivid = np.clip(gray(color) + (color - gray(color)) * 1.4, 0, 1)
        inks = []
        for ink, angle in enumerate(np.radians([15, 75, 0])):
            u = (x * np.cos(angle) + y * np.sin(angle)) / 6
            v = (y * np.cos(angle) - x * np.sin(angle)) / 6
            threshold = 0.5 + 0.175 * (np.cos(2 * np.pi * u) + np.cos(2 * np.pi * v))
            place = vivid[..., ink] * 3
            level = np.minimum(np.floor(place), 2)
            inks.append((level + np.clip((place - level - threshold) / 0.3 + 0.5, 0, 1)) / 3)
        return premultiplied(light_of(np.stack(inks, -1) * (1 - line[..., None])), alpha)
    return Plane(pixels, inputImage.extent)


def shaded(inputImage, factor):
    def pixels(x, y):
        found = inputImage(x, y)
        return np.concatenate([found[..., :3] * np.maximum(0, factor(x + 0.5, y + 0.5))[..., None], found[..., 3:]], -1)
    return Plane(pixels, inputImage.extent)


@filter_named("Vignette")
def vignette(inputImage, inputRadius, inputIntensity):
    left, low, width, height = inputImage.extent

    def factor(x, y):
        away = ((x - left - width / 2) ** 2 + (y - low - height / 2) ** 2) / ((width / 2) ** 2 + (height / 2) ** 2)
        fall = (2 * away / inputRadius ** 2) ** 2
        return 1 - inputIntensity * np.minimum(1, 1.25 * fall / (1 + fall))
    return shaded(inputImage, factor)


@filter_named("VignetteEffect")
def vignette_effect(inputImage, inputCenter, inputRadius, inputIntensity, inputFalloff):
    width = inputRadius * inputFalloff
    return shaded(inputImage, lambda x, y: 1 - inputIntensity * smooth(
        (np.hypot(x - inputCenter[0], y - inputCenter[1]) - inputRadius + width) / (2 * width)))
