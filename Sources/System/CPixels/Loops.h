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
/// Places of tables: without a sign, of which a processor would have to take account.
typedef uint32_t indices __attribute__((ext_vector_type(4)));

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
INLINE eight twice(four a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3, 0, 1, 2, 3); }
/// The lesser number; the second where one is none.
INLINE four least(four a, four b) { return a < b ? a : b; }
/// Between 0 and `high`; what is no number becomes 0.
INLINE four within(four a, float high) {
  four above = (four)((masks)a & (masks)(a > 0));
  return least(above, (four)high);
}

#define LANE(a, i) __builtin_shufflevector(a, a, i, i, i, i, i + 4, i + 4, i + 4, i + 4)

static void affine(float *row, size_t count, const float *matrix) {
  eight column[5];
  for (int i = 0; i < 5; i++) {
    column[i] = twice(read4(matrix + 4 * i));
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

typedef int32_t eight_places __attribute__((ext_vector_type(8)));
typedef uint32_t eight_indices __attribute__((ext_vector_type(8)));
typedef float two __attribute__((ext_vector_type(2)));

/// The number of each colour's line in its table: by the upper bits of the number's magnitude, those below 0 after the others.
INLINE eight_indices lines_of(eight a) {
  eight_places bits = (eight_places)a;
  eight_places upper = __builtin_elementwise_max((bits & 0x7fffffff) >> PIXELS_CURVE_SHIFT, (eight_places)PIXELS_CURVE_FIRST);
  return (eight_indices)(upper - PIXELS_CURVE_FIRST + ((bits >> 31) & PIXELS_CURVE_LINES));
}

/// Three lines, each by its value at 0 and its slope, at a pixel's colours.
INLINE four on_lines(const two *const tables[3], indices at, four a) {
  two r = tables[0][at.x], g = tables[1][at.y], b = tables[2][at.z];
  four rg = __builtin_shufflevector(r, g, 0, 1, 2, 3), bb = __builtin_shufflevector(b, b, 0, 1, 0, 1);
  four result = __builtin_shufflevector(rg, bb, 0, 2, 4, 6) + __builtin_shufflevector(rg, bb, 1, 3, 5, 7) * a;
  result.w = a.w;
  return result;
}

/// Whether a row's colours are all below 4, up and down; alpha takes no part.
INLINE int have_lines(const float *row, size_t count) {
  // Of what is no number, too, the bits say that it is not.
  const places colors = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0};
  places most = 0;
  for (size_t x = 0; x < count; x++) most = __builtin_elementwise_max(most, (places)read4(row + 4 * x) & colors);
  return __builtin_reduce_max(most) < 0x40800000;
}

static size_t curves(float *row, size_t count, const float *red, const float *green, const float *blue) {
  const two *const tables[3] = {(const two *)red, (const two *)green, (const two *)blue};
  size_t x = 0;
  for (; x + 8 <= count && have_lines(row + 4 * x, 8); x += 8) {
    for (size_t pair = x; pair < x + 8; pair += 2) {
      eight a = read8(row + 4 * pair);
      eight_indices at = lines_of(a);
      write4(row + 4 * pair, on_lines(tables, at.lo, a.lo));
      write4(row + 4 * pair + 4, on_lines(tables, at.hi, a.hi));
    }
  }
  for (; x < count && have_lines(row + 4 * x, 1); x++) {
    four a = read4(row + 4 * x);
    write4(row + 4 * x, on_lines(tables, lines_of(twice(a)).lo, a));
  }
  return x;
}

/// One line at the red of a gray pixel, for all its colours.
INLINE void on_gray_line(const two *table, float *pixel) {
  four a = read4(pixel);
  int32_t bits = ((places)a).x, upper = (bits & 0x7fffffff) >> PIXELS_CURVE_SHIFT;
  int32_t place = (upper < PIXELS_CURVE_FIRST ? 0 : upper - PIXELS_CURVE_FIRST) + ((bits >> 31) & PIXELS_CURVE_LINES);
  two line = table[place];
  four result = line.x + line.y * a.x;
  result.w = a.w;
  write4(pixel, result);
}

static size_t gray_curve(float *row, size_t count, const float *table) {
  const two *lines = (const two *)table;
  size_t x = 0;
  for (; x + 8 <= count && have_lines(row + 4 * x, 8); x += 8) {
    for (size_t pixel = x; pixel < x + 8; pixel++) on_gray_line(lines, row + 4 * pixel);
  }
  for (; x < count && have_lines(row + 4 * x, 1); x++) on_gray_line(lines, row + 4 * x);
  return x;
}

static void towards(float *row, const float *other, float share, size_t count) {
  for (size_t x = 0; x < count; x++) {
    four a = read4(row + 4 * x), b = read4(other + 4 * x);
    four result = a + (b - a) * share;
    result.w = a.w;
    write4(row + 4 * x, result);
  }
}

INLINE int32_t opaque_pixels(const float *row, size_t count) {
  masks all = -1;
  for (size_t x = 0; x < count; x++) all &= (masks)(read4(row + 4 * x) >= PIXELS_OPAQUE);
  return all.w != 0;
}

static int32_t are_opaque(const float *row, size_t count) { return opaque_pixels(row, count); }

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
  const uint8_t *first = bytes + red, *last = bytes + 2 - red;
  for (size_t x = 0; x < count;) {
    size_t end = x;
    // Alpha is looked at for as many pixels as two steps of the widest registers hold.
    if (opaque == 255) {
      end = count;
    } else if (x + 16 <= count) {
      uint32_t all = ~0u;
      for (size_t i = 0; i < 16; i++) {
        uint32_t pixel;
        memcpy(&pixel, bytes + 4 * (x + i), 4);
        all &= pixel;
      }
      if ((all >> 24) == 255) end = x + 16;
    }
    if (end == x) {
      if (bytes[4 * x + 3] != 255) return x;
      end = x + 1;
    }
    for (; x < end; x++) {
      four a = {table[first[4 * x]], table[bytes[4 * x + 1]], table[last[4 * x]], 1};
      write4(row + 4 * x, a);
    }
  }
  return count;
}

/// The place of each number in a table of 65 536 numbers from 0 to 1; of what is no number, the first.
INLINE eight_indices steps_of(eight a) {
  eight above = (eight)((eight_places)a & (eight_places)(a > 0));
  eight inside = above < 1 ? above : (eight)1;
  return (eight_indices)__builtin_convertvector(inside * 65535 + 0.5f, eight_places);
}

INLINE void write_pixel(const uint8_t *table, indices at, const int32_t order[4], uint8_t *pixel) {
  uint8_t red = table[at.x], green = table[at.y], blue = table[at.z];
  pixel[order[0]] = red;
  pixel[order[1]] = green;
  pixel[order[2]] = blue;
  pixel[order[3]] = 255;
}

static size_t write_bytes(const float *row, const uint8_t *table, const int32_t order[4], uint8_t *bytes, size_t count) {
  // In registers, because bytes that are written might be these.
  const int32_t own[4] = {order[0], order[1], order[2], order[3]};
  size_t x = 0;
  for (; x + 8 <= count && opaque_pixels(row + 4 * x, 8); x += 8) {
    for (size_t pair = x; pair < x + 8; pair += 2) {
      eight_indices at = steps_of(read8(row + 4 * pair));
      write_pixel(table, at.lo, own, bytes + 4 * pair);
      write_pixel(table, at.hi, own, bytes + 4 * pair + 4);
    }
  }
  for (; x < count && opaque_pixels(row + 4 * x, 1); x++) {
    write_pixel(table, steps_of(twice(read4(row + 4 * x))).lo, own, bytes + 4 * x);
  }
  return x;
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
