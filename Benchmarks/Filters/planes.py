"""Pictures without bounds for every.py: a plane answers the light of pixels by their whole coordinates, y upwards.

The light is premultiplied red, green, blue and alpha in double precision; beyond a picture it is clear.
"""
import numpy as np

from truth import LUMINANCE, light_of, seen_of

WIDTH, HEIGHT = 48, 36


class Plane:
    """A function of the columns and rows of pixels, and the rectangle that it is not clear in (x, y, width, height; None: everywhere)."""

    def __init__(self, pixels, extent=None):
        self.pixels, self.extent = pixels, extent

    def __call__(self, x, y):
        x, y = np.broadcast_arrays(np.asarray(x, np.int64), np.asarray(y, np.int64))
        found = self.pixels(x, y)
        if self.extent is None:
            return found
        left, low, width, height = self.extent
        inside = (x >= left) & (x < left + width) & (y >= low) & (y < low + height)
        return np.where(inside[..., None], found, 0.0)

    def grid(self, left, low, width, height):
        """The pixels of a rectangle, the lowest row first."""
        return self(np.arange(left, left + width)[None, :], np.arange(low, low + height)[:, None])

    def clamped(self):
        left, low, width, height = self.extent
        return Plane(lambda x, y: self(np.clip(x, left, left + width - 1), np.clip(y, low, low + height - 1)))

    def repeated(self):
        left, low, width, height = self.extent
        return Plane(lambda x, y: self(left + (x - left) % width, low + (y - low) % height))

    def moved(self, right, up):
        extent = self.extent and (self.extent[0] + right, self.extent[1] + up, *self.extent[2:])
        return Plane(lambda x, y: self(x - right, y - up), extent)

    def between(self, x, y):
        """The light at places of the plane, by the four nearest pixels."""
        column, row = np.floor(x - 0.5), np.floor(y - 0.5)
        right, up = (x - 0.5 - column)[..., None], (y - 0.5 - row)[..., None]
        lower = self(column, row) * (1 - right) + self(column + 1, row) * right
        upper = self(column, row + 1) * (1 - right) + self(column + 1, row + 1) * right
        return lower * (1 - up) + upper * up

    def changed(self, change, extent="same"):
        """The colours, not premultiplied, through a function of arrays of red, green and blue."""
        def pixels(x, y):
            found = self(x, y)
            return premultiplied(change(straight(found)), found[..., 3])
        return Plane(pixels, self.extent if extent == "same" else extent)


def straight(pixels):
    alpha = pixels[..., 3:]
    return np.where(alpha > 0, pixels[..., :3] / np.where(alpha > 0, alpha, 1), 0)


def premultiplied(colors, alpha):
    return np.concatenate([colors * alpha[..., None], alpha[..., None]], -1)


def warped(plane, place, extent):
    """A plane whose pixels show what `plane` is at `place` of their middles."""
    return Plane(lambda x, y: plane.between(*place(x + 0.5, y + 0.5)), extent)


def computed(extent, colors, alpha=None):
    """A plane of the numbers that `colors` makes of pixels' middles."""
    def pixels(x, y):
        rgb = colors(x + 0.5, y + 0.5)
        return premultiplied(rgb, np.ones(x.shape) if alpha is None else alpha(x + 0.5, y + 0.5))
    return Plane(pixels, extent)


def of_bytes(bytes_):
    """A plane of premultiplied bytes, rows from the top."""
    numbers = bytes_[::-1].astype(np.float64) / 255
    light = premultiplied(light_of(straight(numbers)), numbers[..., 3])
    height, width = light.shape[:2]
    return Plane(lambda x, y: light[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], (0, 0, width, height))


def to_bytes(plane):
    """Premultiplied bytes of the rectangle that is compared, rows from the top."""
    light = plane.grid(0, 0, WIDTH, HEIGHT)[::-1]
    alpha = np.clip(light[..., 3], 0, 1)
    seen = np.clip(seen_of(straight(light)), 0, 1)
    return np.rint(premultiplied(seen, alpha) * 255).astype(np.uint8)


def luminance(pixels):
    return pixels[..., :3] @ LUMINANCE


def box(x, y, width, height, radius):
    """The rectangle, larger by `radius` on every side."""
    return x - radius, y - radius, width + 2 * radius, height + 2 * radius


# MARK: The pictures that the filters are given

def colors(seed):
    """Gradients, a sharp disc, stripes, and noise of some levels: bytes, rows from the top."""
    random = np.random.Generator(np.random.PCG64(seed))
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    turn = seed * 0.7
    across, along = x / (WIDTH - 1), y / (HEIGHT - 1)
    picture = np.stack([0.1 + 0.8 * across, 0.9 - 0.75 * along, 0.5 + 0.4 * np.sin(5 * across + 4 * along + turn)], -1)
    disc = (x - 16 - 6 * seed) ** 2 + (y - 14) ** 2 < 90
    picture[disc] = [0.95, 0.85, 0.3 + 0.2 * seed]
    stripes = (y > HEIGHT * 0.72) & ((x // 3).astype(int) % 2 == seed % 2)
    picture[stripes] = [0.03, 0.05, 0.08]
    return np.clip(np.rint(picture * 255 + random.normal(0, 4, picture.shape)), 0, 255).astype(np.uint8)


def inputs():
    """The bytes of each picture by its name, premultiplied, rows from the top."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    def covered(rgb, alpha):
        alpha = np.rint(alpha * 255)
        return np.dstack([np.rint(rgb * alpha[..., None] / 255), alpha]).astype(np.uint8)
    whole = np.ones((HEIGHT, WIDTH))
    soft = np.clip(1.3 - np.hypot((x - 22) / 20, (y - 19) / 15), 0, 1)
    return {
        "picture": covered(colors(1), whole), "background": covered(colors(2), whole), "sticker": covered(colors(0), soft),
        "mask": covered(np.repeat(np.rint(255 * np.clip(x / (WIDTH - 1) * 1.4 - 0.2, 0, 1))[..., None], 3, -1), whole),
    }
