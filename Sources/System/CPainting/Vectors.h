#ifndef CPAINTING_VECTORS_H
#define CPAINTING_VECTORS_H

#include "CPainting.h"

// The same bytes on every machine: a product and a sum are two roundings everywhere.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

typedef float f4 __attribute__((ext_vector_type(4)));
typedef int32_t i4 __attribute__((ext_vector_type(4)));
typedef uint32_t u4 __attribute__((ext_vector_type(4)));
typedef uint8_t b4 __attribute__((ext_vector_type(4)));

#define ANY(mask) (__builtin_reduce_or(mask) != 0)
#define ALL(mask) (__builtin_reduce_and(mask) != 0)
#define ROOT(x) __builtin_elementwise_sqrt(x)
#define ABS(x) __builtin_elementwise_abs(x)

INLINE f4 least(f4 a, f4 b) { return b < a ? b : a; }
INLINE f4 most(f4 a, f4 b) { return b > a ? b : a; }
INLINE f4 held(f4 x, float low, float high) { return least(most(x, (f4)low), (f4)high); }

/// Of numbers that fit in an integer.
INLINE f4 rounded_down(f4 x) {
  f4 whole = __builtin_convertvector(__builtin_convertvector(x, i4), f4);
  return whole > x ? whole - 1.0f : whole;
}

/// How much of a pixel lies inside an edge that is `distance` away; below zero is inside.
INLINE f4 coverage(f4 distance, float pixel) {
  return held(0.5f - distance / (pixel > 1e-6f ? pixel : 1e-6f), 0, 1);
}

INLINE float coverage1(float distance, float pixel) {
  float x = 0.5f - distance / (pixel > 1e-6f ? pixel : 1e-6f);
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

INLINE b4 bytes(f4 x) { return __builtin_convertvector(__builtin_convertvector(held(x, 0, 255), i4), b4); }
INLINE uint8_t byte(float x) {
  x += 0.5f;
  return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

// MARK: Four pixels

/// The colours of four pixels, part by part.
typedef struct {
  f4 r, g, b, a;
} shade;

INLINE f4 run_u(struct painting_run run, long index) {
  return run.u + run.du * ((f4){0, 1, 2, 3} + (float)index);
}
INLINE f4 run_v(struct painting_run run, long index) {
  return run.v + run.dv * ((f4){0, 1, 2, 3} + (float)index);
}

/// Lays one colour over another.
INLINE void lay_color(f4 color, f4 *over) {
  if (color.w >= 1) {
    *over = color;
  } else if (color.w > 0) {
    *over = color + *over * (1 - color.w);
  }
}

/// Lays the first `count` of four pixels over colours.
INLINE void lay_shade(shade c, f4 *over, long count) {
  if (!ANY(c.a > 0)) return;
  f4 low_rg = __builtin_shufflevector(c.r, c.g, 0, 4, 1, 5);
  f4 low_ba = __builtin_shufflevector(c.b, c.a, 0, 4, 1, 5);
  f4 high_rg = __builtin_shufflevector(c.r, c.g, 2, 6, 3, 7);
  f4 high_ba = __builtin_shufflevector(c.b, c.a, 2, 6, 3, 7);
  lay_color(__builtin_shufflevector(low_rg, low_ba, 0, 1, 4, 5), over);
  if (count > 1) lay_color(__builtin_shufflevector(low_rg, low_ba, 2, 3, 6, 7), over + 1);
  if (count > 2) lay_color(__builtin_shufflevector(high_rg, high_ba, 0, 1, 4, 5), over + 2);
  if (count > 3) lay_color(__builtin_shufflevector(high_rg, high_ba, 2, 3, 6, 7), over + 3);
}

/// Lays a part of the drawing, `alpha` of it opaque, over what the drawing has there already.
INLINE shade laid(shade c, float r, float g, float b, f4 alpha) {
  f4 keep = 1 - alpha;
  return (shade){c.r * keep + r * alpha, c.g * keep + g * alpha, c.b * keep + b * alpha, c.a * keep + alpha};
}

/// Goes through a row, four pixels at a time; `color` is their shade at `u` and `v`.
#define PAINT_ROW(color)                                   \
  for (long index = 0; index < count; index += 4) {        \
    f4 u = run_u(run, index), v = run_v(run, index);       \
    lay_shade(color, (f4 *)colors + index, count - index); \
  }

#endif
