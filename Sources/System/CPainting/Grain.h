#ifndef CPAINTING_GRAIN_H
#define CPAINTING_GRAIN_H

#include "Vectors.h"

/// Smooth chance in two dimensions: about 0 to 1, one bump for each unit.
INLINE f4 grain_corner(i4 x, i4 y) {
  u4 bits = (u4)(x)*374761393u + (u4)(y)*668265263u;
  bits = (bits ^ (bits >> 13)) * 1274126177u;
  return __builtin_convertvector((i4)((bits ^ (bits >> 16)) & 0xFFFF), f4) / 65535.0f;
}

static f4 grain(f4 x, f4 y) {
  f4 left = rounded_down(x), top = rounded_down(y);
  f4 fx = x - left, fy = y - top;
  f4 sx = fx * fx * (3 - 2 * fx), sy = fy * fy * (3 - 2 * fy);
  i4 column = __builtin_convertvector(left, i4), row = __builtin_convertvector(top, i4);
  f4 upper = grain_corner(column, row) * (1 - sx) + grain_corner(column + 1, row) * sx;
  f4 lower = grain_corner(column, row + 1) * (1 - sx) + grain_corner(column + 1, row + 1) * sx;
  return upper * (1 - sy) + lower * sy;
}

#endif
