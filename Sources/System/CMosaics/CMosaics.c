#include "CMosaics.h"
#include "Variants.h"
#include <stdatomic.h>

static _Atomic(const mosaics_loops *) chosen;

static const mosaics_loops *best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &mosaics_wide_loops;
#endif
  return &mosaics_plain_loops;
}

static const mosaics_loops *loops(void) {
  const mosaics_loops *now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!now) {
    now = best();
    atomic_store_explicit(&chosen, now, memory_order_relaxed);
  }
  return now;
}

int mosaics_use_plain_loops(int plain) {
  const mosaics_loops *now = plain ? &mosaics_plain_loops : best();
  atomic_store_explicit(&chosen, now, memory_order_relaxed);
  return now != &mosaics_plain_loops;
}

void mosaics_code(const uint16_t *numbers, const float *even, const float *odd, uint16_t limit, float *row, size_t count) {
  loops()->code(numbers, even, odd, limit, row, count);
}

void mosaics_unpack10(const uint8_t *bytes, uint16_t *numbers, size_t count) { loops()->unpack10(bytes, numbers, count); }

void mosaics_unpack12(const uint8_t *bytes, uint16_t *numbers, size_t count) { loops()->unpack12(bytes, numbers, count); }

void mosaics_unpack14(const uint8_t *bytes, uint16_t *numbers, size_t count) { loops()->unpack14(bytes, numbers, count); }

void mosaics_unpack8(const uint8_t *bytes, uint16_t *numbers, size_t count) { loops()->unpack8(bytes, numbers, count); }

void mosaics_changes(const float *const rows[5], float *across, float *down, size_t count) { loops()->changes(rows, across, down, count); }

void mosaics_green(const float *const rows[5], const float *const across[3], const float *const down[3], size_t first, float *green, float *excess, size_t count) {
  loops()->green(rows, across, down, first, green, excess, count);
}

void mosaics_colors(const float *green, const float *const excess[3], int32_t own, float offset, const float matrix[9], float *const result[3], size_t count) {
  loops()->colors(green, excess, own, offset, matrix, result, count);
}

void mosaics_bytes(const float *const colors[3], const uint8_t *table, uint8_t *bytes, size_t count) { loops()->bytes_of(colors, table, bytes, count); }

void mosaics_floats(const float *const colors[3], float *pixels, size_t count) { loops()->floats(colors, pixels, count); }
