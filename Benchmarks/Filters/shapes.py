"""The rest of definitions.py: what mixes, moves, bends, draws and counts."""
import cv2
import numpy as np

from definitions import filter_named, lit, part, smooth
from planes import Plane, computed, luminance, premultiplied, straight, warped

# MARK: Mixtures, premultiplied (Porter and Duff 1984)


def union(a, b):
    if a is None or b is None:
        return None
    left, low = min(a[0], b[0]), min(a[1], b[1])
    return left, low, max(a[0] + a[2], b[0] + b[2]) - left, max(a[1] + a[3], b[1] + b[3]) - low


def mixture(name, mix):
    @filter_named(name)
    def mixed(inputImage, inputBackgroundImage):
        def pixels(x, y):
            front, back = inputImage(x, y), inputBackgroundImage(x, y)
            return mix(front, back, front[..., 3:], back[..., 3:])
        return Plane(pixels, union(inputImage.extent, inputBackgroundImage.extent))


mixture("SourceOverCompositing", lambda f, b, fa, ba: f + b * (1 - fa))
mixture("SourceInCompositing", lambda f, b, fa, ba: f * ba)
mixture("SourceOutCompositing", lambda f, b, fa, ba: f * (1 - ba))
mixture("SourceAtopCompositing", lambda f, b, fa, ba: f * ba + b * (1 - fa))
mixture("AdditionCompositing", lambda f, b, fa, ba: np.concatenate([(f + b)[..., :3], np.minimum(1, fa + ba)], -1))
mixture("MultiplyCompositing", lambda f, b, fa, ba: f * b)
mixture("MaximumCompositing", lambda f, b, fa, ba: np.maximum(f, b))
mixture("MinimumCompositing", lambda f, b, fa, ba: np.minimum(f, b))


def hard(front, back):
    return np.where(front <= 0.5, 2 * front * back, 1 - 2 * (1 - front) * (1 - back))


def soft(s, b):
    curve = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(np.maximum(b, 0)))
    return np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (curve - b))


def safely(divide, a, b):
    return divide(a, np.where(b == 0, 1, b))


# ISO 32000-1, 11.3.5.2 and 11.3.6.
BLENDS = {
    "Multiply": lambda s, b: s * b, "Screen": lambda s, b: 1 - (1 - s) * (1 - b), "Overlay": lambda s, b: hard(b, s),
    "HardLight": hard, "SoftLight": soft, "Darken": np.minimum, "Lighten": np.maximum, "Difference": lambda s, b: np.abs(s - b),
    "Exclusion": lambda s, b: s + b - 2 * s * b,
    "ColorDodge": lambda s, b: np.where(b == 0, 0, np.where(s >= 1, 1, np.minimum(1, safely(np.divide, b, 1 - s)))),
    "ColorBurn": lambda s, b: np.where(b >= 1, 1, np.where(s <= 0, 0, 1 - np.minimum(1, safely(np.divide, 1 - b, s)))),
}
for blend_name, blend in BLENDS.items():
    def blended(front, back, fa, ba, blend=blend):
        both = fa * ba * blend(straight(front), straight(back))
        rgb = front[..., :3] * (1 - ba) + back[..., :3] * (1 - fa) + both
        return np.concatenate([rgb, fa + ba - fa * ba], -1)
    mixture(blend_name + "BlendMode", blended)


def by_mask(name, share):
    @filter_named(name)
    def masked(inputImage, inputBackgroundImage, inputMaskImage):
        def pixels(x, y):
            weight = part(share(inputMaskImage(x, y)))
            return inputImage(x, y) * weight + inputBackgroundImage(x, y) * (1 - weight)
        return Plane(pixels, union(inputImage.extent, inputBackgroundImage.extent))


by_mask("BlendWithMask", luminance)
by_mask("BlendWithAlphaMask", lambda mask: mask[..., 3])


@filter_named("DissolveTransition")
def dissolve(inputImage, inputTargetImage, inputTime):
    return Plane(lambda x, y: inputImage(x, y) * (1 - inputTime) + inputTargetImage(x, y) * inputTime,
                 union(inputImage.extent, inputTargetImage.extent))


# MARK: Shapes

def moved_by(image, matrix, extent, edges_fade):
    """The image through a matrix (a, b, c, d, tx, ty) that does not shrink: between pixels, its edges covering pixels in part."""
    a, b, c, d, tx, ty = matrix
    back = np.linalg.inv(np.array([[a, c, tx], [b, d, ty], [0, 0, 1]]))
    left, low, width, height = image.extent
    source = image.clamped()

    def place(x, y):
        return back[0, 0] * x + back[0, 1] * y + back[0, 2], back[1, 0] * x + back[1, 1] * y + back[1, 2]

    def pixels(x, y):
        found = source.between(*place(x + 0.5, y + 0.5))
        if not edges_fade:
            return found
        covered = 0
        for right in (np.arange(16) + 0.5) / 16:
            for up in (np.arange(16) + 0.5) / 16:
                u, v = place(x + right, y + up)
                covered = covered + ((u >= left) & (u < left + width) & (v >= low) & (v < low + height))
        return found * (covered / 256)[..., None]
    return Plane(pixels, extent)


@filter_named("AffineTransform")
def affine(inputImage, inputTransform):
    return moved_by(inputImage, inputTransform, None, True)


@filter_named("Crop")
def crop(inputImage, inputRectangle):
    return Plane(inputImage.pixels, tuple(inputRectangle))


@filter_named("StraightenFilter")
def straighten(inputImage, inputAngle):
    left, low, width, height = inputImage.extent
    s, c = np.sin(inputAngle), np.cos(inputAngle)
    scale = max(c + abs(s) * height / width, c + abs(s) * width / height)
    x, y = left + width / 2, low + height / 2
    a, b = scale * c, scale * s
    return moved_by(inputImage, (a, b, -b, a, x - a * x + b * y, y - b * x - a * y), inputImage.extent, False)


def resampled(image, across, along, curve, reach):
    """The image scaled by a curve that is widened where the picture shrinks; weights add up to 1, edges go on."""
    left, low, width, height = image.extent
    source = image.clamped()

    def weights(scale, count):
        wide = max(1, 1 / scale)
        middle = (np.arange(count) + 0.5) / scale
        samples = np.arange(int(-reach * wide) - 2, int(count / scale + reach * wide) + 3)
        shares = curve((samples[None, :] + 0.5 - middle[:, None]) / wide)
        return samples, shares / shares.sum(1, keepdims=True)

    columns, across_weights = weights(across, round(width * across))
    rows, along_weights = weights(along, round(height * along))
    grid = source(columns[None, :] + left, rows[:, None] + low)
    result = np.einsum("ij,kl,jlc->ikc", along_weights, across_weights, grid)
    # Curves that swing must not make alpha leave its limits.
    result[..., 3] = np.clip(result[..., 3], 0, 1)
    return Plane(lambda x, y: result[np.clip(y, 0, len(result) - 1), np.clip(x, 0, result.shape[1] - 1)],
                 (0, 0, result.shape[1], len(result)))


@filter_named("LanczosScaleTransform")
def lanczos(inputImage, inputScale, inputAspectRatio):
    return resampled(inputImage, inputScale * inputAspectRatio, inputScale,
                     lambda x: np.where(abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0), 3)


@filter_named("BicubicScaleTransform")
def bicubic(inputImage, inputScale, inputAspectRatio, inputB, inputC):
    b, c = inputB, inputC

    def curve(x):
        x = abs(x)
        near = (12 - 9 * b - 6 * c) * x ** 3 + (12 * b + 6 * c - 18) * x ** 2 + 6 - 2 * b
        far = (-b - 6 * c) * x ** 3 + (6 * b + 30 * c) * x ** 2 - (12 * b + 48 * c) * x + 8 * b + 24 * c
        return np.where(x < 1, near, np.where(x < 2, far, 0)) / 6
    return resampled(inputImage, inputScale * inputAspectRatio, inputScale, curve, 2)


@filter_named("AffineClamp")
def affine_clamp(inputImage, inputTransform):
    # Only moves: what lies beyond a turned picture's edge is that of its upright box.
    return inputImage.moved(int(inputTransform[4]), int(inputTransform[5])).clamped()


@filter_named("AffineTile")
def affine_tile(inputImage, inputTransform):
    return moved_by(Plane(inputImage.repeated().pixels, (-10 ** 6, -10 ** 6, 2 * 10 ** 6, 2 * 10 ** 6)), inputTransform, None, False)


@filter_named("PerspectiveCorrection")
def perspective(inputImage, inputTopLeft, inputTopRight, inputBottomRight, inputBottomLeft):
    corners = np.array([inputTopLeft, inputTopRight, inputBottomRight, inputBottomLeft], np.float32)
    def side(a, b):
        return np.hypot(*(corners[a] - corners[b]))
    width, height = max(1, round(max(side(0, 1), side(3, 2)))), max(1, round(max(side(0, 3), side(1, 2))))
    flat = np.array([[0, height], [width, height], [width, 0], [0, 0]], np.float32)
    back = cv2.getPerspectiveTransform(flat, corners)

    def place(x, y):
        u, v, w = np.tensordot(back, np.stack([x, y, np.ones(x.shape)]), 1)
        return u / w, v / w
    return warped(inputImage, place, (0, 0, width, height))


# MARK: Bends

def around(name, bent):
    @filter_named(name)
    def bend(inputImage, inputCenter, inputRadius, **values):
        def place(x, y):
            right, up = x - inputCenter[0], y - inputCenter[1]
            distance = np.hypot(right, up)
            share = np.maximum(0, 1 - distance / inputRadius)
            turn, scale = bent(share, np.maximum(distance, 1e-9), inputRadius, **values)
            return (inputCenter[0] + scale * (right * np.cos(turn) - up * np.sin(turn)),
                    inputCenter[1] + scale * (right * np.sin(turn) + up * np.cos(turn)))
        return warped(inputImage, place, inputImage.extent)


around("TwirlDistortion", lambda share, distance, radius, inputAngle: (-inputAngle * share ** 2, 1))
around("BumpDistortion", lambda share, distance, radius, inputScale: (0, 1 - min(0.99, inputScale) * share ** 2))
around("PinchDistortion", lambda share, distance, radius, inputScale: (0, np.where(share > 0, (radius / distance) ** (inputScale * share), 1)))


@filter_named("Kaleidoscope")
def kaleidoscope(inputImage, inputCount, inputCenter, inputAngle):
    sector = 2 * np.pi / inputCount

    def place(x, y):
        right, up = x - inputCenter[0], y - inputCenter[1]
        angle = np.mod(np.arctan2(up, right) - inputAngle, sector)
        angle = np.minimum(angle, sector - angle) + inputAngle
        return inputCenter[0] + np.hypot(right, up) * np.cos(angle), inputCenter[1] + np.hypot(right, up) * np.sin(angle)
    return warped(inputImage, place, None)


@filter_named("GlassDistortion")
def glass(inputImage, inputTexture, inputCenter, inputScale):
    left, low, width, height = inputTexture.extent
    relief = inputTexture.moved(round(inputCenter[0] - left - width / 2), round(inputCenter[1] - low - height / 2)).repeated()

    def place(x, y):
        column, row = np.floor(x).astype(int), np.floor(y).astype(int)
        across = luminance(relief(column + 1, row)) - luminance(relief(column - 1, row))
        along = luminance(relief(column, row + 1)) - luminance(relief(column, row - 1))
        return x + inputScale / 2 * across, y + inputScale / 2 * along
    return warped(inputImage.clamped(), place, inputImage.extent)


@filter_named("Pixellate")
def pixellate(inputImage, inputCenter, inputScale):
    cell = int(inputScale)

    def pixels(x, y):
        left = x - np.mod(x - int(inputCenter[0]), cell)
        low = y - np.mod(y - int(inputCenter[1]), cell)
        return sum(inputImage(left + right, low + up) for right in range(cell) for up in range(cell)) / cell ** 2
    return Plane(pixels)


# MARK: Generators

def two_colors(share):
    """Two colours' light, mixed by how much of the second there is at a place."""
    def drawn(inputColor0, inputColor1, **values):
        first, second = lit(inputColor0), lit(inputColor1)
        return computed(None, lambda x, y: first + (second - first) * part(share(x, y, **values)))
    return drawn


def stripe(distance, width, sharpness):
    """How much of a place's second stripe there is: edges half of (1 - sharpness) stripes to each side."""
    place = np.mod(distance, 2 * width) / width
    # From 0 to 1 lies the first stripe, from 1 to 2 the second.
    inner = np.where(place < 1, -np.minimum(place, 1 - place), np.minimum(place - 1, 2 - place))
    return np.clip(0.5 + inner / max(1 - sharpness, 1e-6), 0, 1)


@filter_named("StripesGenerator")
def stripes(inputCenter, inputWidth, inputSharpness, **colors):
    return two_colors(lambda x, y: stripe(x - inputCenter[0], inputWidth, inputSharpness))(**colors)


@filter_named("CheckerboardGenerator")
def checkerboard(inputCenter, inputWidth, inputSharpness, **colors):
    def share(x, y):
        across, along = (stripe(v, inputWidth, inputSharpness) for v in (x - inputCenter[0], y - inputCenter[1]))
        return across + along - 2 * across * along
    return two_colors(share)(**colors)


@filter_named("LinearGradient")
def linear(inputPoint0, inputPoint1, **colors):
    (x0, y0), (x1, y1) = inputPoint0, inputPoint1
    return two_colors(lambda x, y: ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2))(**colors)


@filter_named("RadialGradient")
def radial(inputCenter, inputRadius0, inputRadius1, **colors):
    return two_colors(lambda x, y: (np.hypot(x - inputCenter[0], y - inputCenter[1]) - inputRadius0)
                      / (inputRadius1 - inputRadius0))(**colors)


@filter_named("ConstantColorGenerator")
def constant(inputColor):
    return computed(None, lambda x, y: np.broadcast_to(lit(inputColor), (*x.shape, 3)))


@filter_named("RandomGenerator")
def noise():
    def pixels(x, y):
        with np.errstate(over="ignore"):
            state = x.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) ^ y.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
            # SplitMix64's finalizer (Steele, Lea and Flood 2014).
            state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
            state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
            state ^= state >> np.uint64(31)
        lanes = [(state >> np.uint64(shift) & np.uint64(255)).astype(np.float64) / 255 for shift in (0, 8, 16, 24)]
        return premultiplied(np.stack(lanes[:3], -1), lanes[3])
    return Plane(pixels)


# MARK: Counts

def inside(image, rect):
    left, low, width, height = map(int, rect)
    x0, y0, w, h = image.extent
    left, low, right, high = max(left, x0), max(low, y0), min(left + width, x0 + w), min(low + height, y0 + h)
    return image.grid(left, low, right - left, high - low)


@filter_named("AreaAverage")
def average(inputImage, inputExtent):
    mean = inside(inputImage, inputExtent).mean((0, 1))
    return Plane(lambda x, y: np.broadcast_to(mean, (*x.shape, 4)), (0, 0, 1, 1))


@filter_named("AreaHistogram")
def histogram(inputImage, inputExtent, inputScale, inputCount):
    count = int(inputCount)
    seen = inside(inputImage, inputExtent)
    rows = [np.histogram(seen[..., lane], count, (0, 1))[0] * inputScale / seen[..., lane].size for lane in range(3)]
    row = np.stack([*rows, np.ones(count)], -1)
    return Plane(lambda x, y: row[np.clip(x, 0, count - 1)], (0, 0, count, 1))
