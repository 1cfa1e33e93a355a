// The loops, compiled once for each kind of processor.
#include "CPixels.h"
#include "Variants.h"
#include <string.h>

#pragma STDC FP_CONTRACT OFF
// Vectors are passed between functions that are inlined, where no calling convention plays a part.
#pragma clang diagnostic ignored "-Wpsabi"

#define INLINE static inline __attribute__((always_inline))

typedef float four __attribute__((ext_vector_type(4)));
typedef float eight __attribute__((ext_vector_type(8)));
typedef int32_t places __attribute__((ext_vector_type(4)));
typedef int32_t masks __attribute__((ext_vector_type(4)));

INLINE four read4(const float *p) {
  four a;
  memcpy(&a, p, 16);
  return a;
}
INLINE void write4(float *p, four a) { memcpy(p, &a, 16); }
INLINE eight read8(const float *p) {
  eight a;
  memcpy(&a, p, 32);
  return a;
}
INLINE void write8(float *p, eight a) { memcpy(p, &a, 32); }
INLINE four least(four a, four b) { return __builtin_elementwise_min(a, b); }
INLINE four most(four a, four b) { return __builtin_elementwise_max(a, b); }
/// Between 0 and `high`; what is no number becomes 0.
INLINE four within(four a, float high) {
  four above = (four)((masks)a & (masks)(a > 0));
  return least(above, (four)high);
}

#define LANE(a, i) __builtin_shufflevector(a, a, i, i, i, i, i + 4, i + 4, i + 4, i + 4)

static void affine(float *row, size_t count, const float *matrix) {
  eight column[5];
  for (int i = 0; i < 5; i++) {
    four half = read4(matrix + 4 * i);
    column[i] = __builtin_shufflevector(half, half, 0, 1, 2, 3, 0, 1, 2, 3);
  }
  size_t x = 0;
  for (; x + 2 <= count; x += 2) {
    eight a = read8(row + 4 * x);
    write8(row + 4 * x, column[0] * LANE(a, 0) + column[1] * LANE(a, 1) + (column[2] * LANE(a, 2) + column[3] * LANE(a, 3)) + column[4]);
  }
  if (x < count) {
    float pair[8] = {0};
    memcpy(pair, row + 4 * x, 16);
    eight a = read8(pair);
    a = column[0] * LANE(a, 0) + column[1] * LANE(a, 1) + (column[2] * LANE(a, 2) + column[3] * LANE(a, 3)) + column[4];
    write8(pair, a);
    memcpy(row + 4 * x, pair, 16);
  }
}

/// The values of three curves: of each a pair of numbers, its value at a place and the way to the next.
INLINE four curve(const float *const tables[3], places at, four share) {
  typedef float two __attribute__((ext_vector_type(2)));
  two r, g, b;
  memcpy(&r, tables[0] + 2 * (ptrdiff_t)at.x, 8);
  memcpy(&g, tables[1] + 2 * (ptrdiff_t)at.y, 8);
  memcpy(&b, tables[2] + 2 * (ptrdiff_t)at.z, 8);
  four rg = __builtin_shufflevector(r, g, 0, 1, 2, 3), bb = __builtin_shufflevector(b, b, 0, 1, 0, 1);
  return __builtin_shufflevector(rg, bb, 0, 2, 4, 6) + __builtin_shufflevector(rg, bb, 1, 3, 5, 7) * share;
}

static size_t curves(float *row, size_t count, const float *red, const float *green, const float *blue) {
  const ptrdiff_t middle = PIXELS_CURVE_PLACES / 2 * 2;
  const float *const tables[3] = {red + middle, green + middle, blue + middle};
  size_t x = 0;
  for (; x < count; x++) {
    four a = read4(row + 4 * x), size = __builtin_elementwise_abs(a);
    // Alpha takes no part.
    if (!__builtin_reduce_and(__builtin_shufflevector((masks)(size < 4), (masks)(size < 4), 0, 1, 2, 2))) break;
    four place = __builtin_elementwise_copysign(__builtin_elementwise_sqrt(size), a) * PIXELS_CURVE_STEPS;
    // Rounded towards 0: below it the share is negative, and the line is that from the place to the one above, continued.
    places at = __builtin_convertvector(place, places);
    four result = curve(tables, at, place - __builtin_convertvector(at, four));
    result.w = a.w;
    write4(row + 4 * x, result);
  }
  return x;
}

static void cube(float *row, size_t count, const float *table, int32_t dimension, int32_t extrapolates) {
  const float last = dimension - 1;
  const ptrdiff_t green = 4 * (ptrdiff_t)dimension, blue = green * dimension;
  for (size_t x = 0; x < count; x++) {
    four a = read4(row + 4 * x);
    float alpha = a.w;
    four inside = within(a * last, last);
    places at = __builtin_elementwise_min(__builtin_convertvector(inside, places), (places)(dimension - 2));
    four share = (extrapolates ? a * last : inside) - __builtin_convertvector(at, four);
    const float *corner = table + 4 * (ptrdiff_t)at.x + green * at.y + blue * at.z;
    // Two neighbours in red lie side by side.
    eight c00 = read8(corner), c10 = read8(corner + green), c01 = read8(corner + blue), c11 = read8(corner + green + blue);
    eight front = c00 + (c10 - c00) * share.y, back = c01 + (c11 - c01) * share.y;
    eight both = front + (back - front) * share.z;
    four color = both.lo + (both.hi - both.lo) * share.x;
    color.w *= alpha;
    write4(row + 4 * x, color);
  }
}

static size_t read_bytes(const uint8_t *bytes, int32_t red, int32_t opaque, const float *table, float *row, size_t count) {
  for (size_t x = 0; x < count; x++) {
    const uint8_t *p = bytes + 4 * x;
    if ((p[3] | opaque) != 255) return x;
    four a = {table[p[red]], table[p[1]], table[p[2 - red]], 1};
    write4(row + 4 * x, a);
  }
  return count;
}

static size_t write_bytes(const float *row, const uint8_t *table, const int32_t order[4], uint8_t *bytes, size_t count) {
  const int32_t red = order[0], green = order[1], blue = order[2], alpha = order[3];
  for (size_t x = 0; x < count; x++) {
    four a = read4(row + 4 * x);
    if (!(a.w >= PIXELS_OPAQUE)) return x;
    places at = __builtin_convertvector(within(a, 1) * 65535 + 0.5f, places);
    uint8_t *p = bytes + 4 * x;
    p[red] = table[at.x];
    p[green] = table[at.y];
    p[blue] = table[at.z];
    p[alpha] = 255;
  }
  return count;
}

static void halve_rows(const float *a, const float *b, const float *c, const float *d, float *result, size_t count) {
  for (size_t i = 0; i < 4 * count; i++) result[i] = (a[i] + d[i]) * 0.125f + (b[i] + c[i]) * 0.375f;
}

static void halve(const float *row, float *result, size_t count) {
  for (size_t x = 0; x < count; x++) {
    const float *p = row + 8 * x;
    write4(result + 4 * x, (read4(p) + read4(p + 12)) * 0.125f + (read4(p + 4) + read4(p + 8)) * 0.375f);
  }
}

static void double_rows(const float *near, const float *far, float *result, size_t count) {
  for (size_t i = 0; i < 4 * count; i++) result[i] = near[i] * 0.75f + far[i] * 0.25f;
}

static void double_pixels(const float *row, float *result, size_t count) {
  for (size_t x = 0; x < count; x++) {
    const float *p = row + 4 * x;
    four middle = read4(p) * 0.75f;
    write4(result + 8 * x, middle + read4(p - 4) * 0.25f);
    write4(result + 8 * x + 4, middle + read4(p + 4) * 0.25f);
  }
}

static void mean(const float *row, ptrdiff_t step, const float *weights, size_t reach, float *result, size_t count) {
  const ptrdiff_t stride = 4 * step;
  size_t x = 0;
  // Eight pixels at once, whose sums stay in registers.
  for (; x + 8 <= count; x += 8) {
    const float *p = row + 4 * x;
    eight a = read8(p) * weights[0], b = read8(p + 8) * weights[0], c = read8(p + 16) * weights[0], d = read8(p + 24) * weights[0];
    const float *before = p, *after = p;
    for (size_t i = 1; i <= reach; i++) {
      before -= stride;
      after += stride;
      const float weight = weights[i];
      a += (read8(before) + read8(after)) * weight;
      b += (read8(before + 8) + read8(after + 8)) * weight;
      c += (read8(before + 16) + read8(after + 16)) * weight;
      d += (read8(before + 24) + read8(after + 24)) * weight;
    }
    write8(result + 4 * x, a);
    write8(result + 4 * x + 8, b);
    write8(result + 4 * x + 16, c);
    write8(result + 4 * x + 24, d);
  }
  for (; x < count; x++) {
    const float *p = row + 4 * x;
    four a = read4(p) * weights[0];
    for (size_t i = 1; i <= reach; i++) a += (read4(p - stride * (ptrdiff_t)i) + read4(p + stride * (ptrdiff_t)i)) * weights[i];
    write4(result + 4 * x, a);
  }
}
