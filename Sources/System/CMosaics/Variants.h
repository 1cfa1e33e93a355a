#pragma once
#include "CMosaics.h"

/// The loops of one variant.
typedef struct {
  void (*code)(const uint16_t *, const float *, const float *, uint16_t, float *, size_t);
  void (*unpack10)(const uint8_t *, uint16_t *, size_t);
  void (*unpack12)(const uint8_t *, uint16_t *, size_t);
  void (*unpack14)(const uint8_t *, uint16_t *, size_t);
  void (*unpack8)(const uint8_t *, uint16_t *, size_t);
  void (*changes)(const float *const *, float *, float *, size_t);
  void (*green)(const float *const *, const float *const *, const float *const *, size_t, float *, float *, size_t);
  void (*colors)(const float *, const float *const *, int32_t, float, const float *, float *const *, size_t);
  void (*bytes_of)(const float *const *, const uint8_t *, uint8_t *, size_t);
  void (*floats)(const float *const *, float *, size_t);
} mosaics_loops;

#define ALL_LOOPS {code, unpack10, unpack12, unpack14, unpack8, changes, green, colors, bytes_of, floats}

extern const mosaics_loops mosaics_plain_loops;
#if defined(__x86_64__)
extern const mosaics_loops mosaics_wide_loops;
#endif
