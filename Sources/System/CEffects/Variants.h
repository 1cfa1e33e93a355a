#pragma once
#include "CEffects.h"

/// The loops of one variant.
typedef struct {
  void (*reduce)(const effects_picture *, int32_t, const effects_colors *, int32_t, int32_t);
  void (*changes)(const effects_colors *, const effects_colors *, const effects_field *, int32_t, int32_t);
  void (*settle)(const effects_field *, float, float, float, const effects_colors *, const effects_colors *, const effects_field *,
                 int32_t, int32_t);
  void (*approach)(const effects_field *, const effects_field *, const effects_field *, float, const effects_field *, int32_t, int32_t);
  void (*write)(const effects_colors *, const effects_picture *, int32_t, int32_t);
  void (*glow)(const effects_field *, const float *, const float *, int32_t, int32_t);
  void (*place)(const uint8_t *, int32_t, int32_t, float, float, float, float, float, float, const effects_field *, int32_t, int32_t,
                float *);
  void (*fit)(const effects_colors *, const effects_field *, float, const effects_lines *, int32_t, int32_t, float *);
  void (*mean)(const effects_field *, const effects_field *, int32_t, int32_t, float *);
  void (*cut)(const effects_lines *, const effects_colors *, const effects_field *, uint8_t *, int32_t, int32_t);
  void (*matte)(const effects_picture *, int32_t, const effects_lines *, const effects_colors *, const effects_field *, const uint8_t *,
                const effects_mask *, int32_t, int32_t, float *);
  void (*weigh)(const effects_colors *, const uint8_t *, const uint8_t *, const uint8_t *, int32_t, uint32_t *, int32_t, int32_t);
  void (*disc)(const uint32_t *, int32_t, const int32_t *, int32_t, const effects_colors *, const effects_colors *,
               const effects_field *, int32_t, int32_t);
  void (*portrait)(const effects_picture *, const effects_picture *, int32_t, const effects_mask *, const effects_colors *, float,
                   int32_t, int32_t, float *);
  void (*light)(const effects_picture *, const effects_picture *, int32_t, const effects_mask *, const effects_field *, float, float,
                float, int32_t, int32_t, float *);
  void (*replace)(const effects_picture *, const effects_picture *, const effects_picture *, int32_t, const effects_mask *,
                  const effects_surroundings *, int32_t, int32_t, float *);
} effects_loops;

#define ALL_LOOPS \
  {reduce, changes, settle, approach, write_colors, glow, place, fit, mean, cut, matte, weigh, disc, portrait, light, replace}

extern const effects_loops effects_plain_loops;
#if defined(__x86_64__)
extern const effects_loops effects_wide_loops;
#endif
