#pragma once
#include "CPixels.h"

/// The loops of one variant.
typedef struct {
  void (*affine)(float *, size_t, const float *);
  size_t (*curves)(float *, size_t, const float *, const float *, const float *);
  size_t (*gray_curve)(float *, size_t, const float *);
  void (*towards)(float *, const float *, float, size_t);
  int32_t (*are_opaque)(const float *, size_t);
  void (*cube)(float *, size_t, const float *, int32_t, int32_t);
  size_t (*read)(const uint8_t *, int32_t, int32_t, const float *, float *, size_t);
  size_t (*write)(const float *, const uint8_t *, const int32_t *, uint8_t *, size_t);
  void (*halve_rows)(const float *, const float *, const float *, const float *, float *, size_t);
  void (*halve)(const float *, float *, size_t);
  void (*double_rows)(const float *, const float *, float *, size_t);
  void (*double_pixels)(const float *, float *, size_t);
  void (*mean)(const float *, ptrdiff_t, const float *, size_t, float *, size_t);
} pixels_loops;

#define ALL_LOOPS {affine, curves, gray_curve, towards, are_opaque, cube, read_bytes, write_bytes, halve_rows, halve, double_rows, double_pixels, mean}

extern const pixels_loops pixels_plain_loops;
#if defined(__x86_64__)
extern const pixels_loops pixels_wide_loops;
#endif
