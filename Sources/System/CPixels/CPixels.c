#include "CPixels.h"
#include "Variants.h"
#include <stdatomic.h>

static _Atomic(const pixels_loops *) chosen;

static const pixels_loops *best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &pixels_wide_loops;
#endif
  return &pixels_plain_loops;
}

static const pixels_loops *loops(void) {
  const pixels_loops *now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!now) {
    now = best();
    atomic_store_explicit(&chosen, now, memory_order_relaxed);
  }
  return now;
}

int pixels_use_plain_loops(int plain) {
  const pixels_loops *now = plain ? &pixels_plain_loops : best();
  atomic_store_explicit(&chosen, now, memory_order_relaxed);
  return now != &pixels_plain_loops;
}

void pixels_affine(float *row, size_t count, const float *matrix) { loops()->affine(row, count, matrix); }

size_t pixels_curves(float *row, size_t count, const float *red, const float *green, const float *blue) {
  return loops()->curves(row, count, red, green, blue);
}

size_t pixels_gray_curve(float *row, size_t count, const float *table) { return loops()->gray_curve(row, count, table); }

void pixels_towards(float *row, const float *other, float share, size_t count) { loops()->towards(row, other, share, count); }

int32_t pixels_are_opaque(const float *row, size_t count) { return loops()->are_opaque(row, count); }

void pixels_cube(float *row, size_t count, const float *table, int32_t dimension, int32_t extrapolates) {
  loops()->cube(row, count, table, dimension, extrapolates);
}

size_t pixels_read(const uint8_t *bytes, int32_t red, int32_t opaque, const float *table, float *row, size_t count) {
  return loops()->read(bytes, red, opaque, table, row, count);
}

size_t pixels_write(const float *row, const uint8_t *table, const int32_t order[4], uint8_t *bytes, size_t count) {
  return loops()->write(row, table, order, bytes, count);
}

void pixels_halve_rows(const float *a, const float *b, const float *c, const float *d, float *result, size_t count) {
  loops()->halve_rows(a, b, c, d, result, count);
}

void pixels_halve(const float *row, float *result, size_t count) { loops()->halve(row, result, count); }

void pixels_double_rows(const float *near, const float *far, float *result, size_t count) {
  loops()->double_rows(near, far, result, count);
}

void pixels_double(const float *row, float *result, size_t count) { loops()->double_pixels(row, result, count); }

void pixels_mean(const float *row, ptrdiff_t step, const float *weights, size_t reach, float *result, size_t count) {
  loops()->mean(row, step, weights, reach, result, count);
}
