#ifndef CPAINTING_SURFACE_H
#define CPAINTING_SURFACE_H

#include "Grain.h"

/// What lies nearest at four pixels: depth, direction of the surface, colour, and how much of it is what.
typedef struct {
  f4 z, nx, ny, nz, r, g, b, alpha, dark, face, hair, cloth, shirt;
} surface;

INLINE f4 mixed(f4 a, f4 b, f4 share) { return a + (b - a) * share; }

INLINE void tint(surface *s, float r, float g, float b, f4 share) {
  s->r = mixed(s->r, (f4)r, share);
  s->g = mixed(s->g, (f4)g, share);
  s->b = mixed(s->b, (f4)b, share);
}

INLINE void shade_by(surface *s, f4 factor) {
  s->r *= factor;
  s->g *= factor;
  s->b *= factor;
}

/// A soft spot: 1 in the middle, 0 from the edge on.
INLINE f4 spot(f4 x, f4 y, float cx, float cy, float rx, float ry) {
  f4 dx = (x - cx) / rx, dy = (y - cy) / ry;
  f4 fall = most(1 - dx * dx - dy * dy, (f4)0);
  return fall * fall;
}

INLINE f4 disc(f4 x, f4 y, f4 cx, f4 cy, float rx, float ry, float pixel) {
  f4 dx = (x - cx) / rx, dy = (y - cy) / ry;
  return coverage((ROOT(dx * dx + dy * dy) - 1) * ry, pixel);
}

/// The place in the head's own axes.
INLINE void in_head(const struct painting_figure *figure, f4 x, f4 y, f4 z, f4 *hx, f4 *hy, f4 *hz) {
  f4 dx = x - figure->head[0], dy = y - figure->head[1], dz = z - figure->head[2];
  *hx = dx * figure->right[0] + dy * figure->right[1] + dz * figure->right[2];
  *hy = dx * figure->down[0] + dy * figure->down[1] + dz * figure->down[2];
  *hz = dx * figure->forwards[0] + dy * figure->forwards[1] + dz * figure->forwards[2];
}

#endif
