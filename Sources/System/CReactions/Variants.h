#pragma once
#include "CReactions.h"

/// The loops of one variant.
typedef struct {
  void (*draw_luma)(const reactions_plane *, const reactions_sprite *, int32_t, int32_t, const reactions_mask *);
  void (*draw_chroma)(const reactions_plane *, const reactions_sprite *, int32_t, const reactions_mask *);
  void (*change_luma)(uint8_t *, size_t, const reactions_light *, const reactions_row *, const reactions_row *);
  void (*change_chroma)(uint8_t *, size_t, const reactions_light *, int32_t, const reactions_row *,
                        const reactions_row *);
  void (*widen)(const uint8_t *, const int32_t *, uint8_t *, size_t, int32_t);
  void (*scale)(uint8_t *, const uint16_t *, size_t);
  void (*scale_chroma)(uint8_t *, const uint16_t *, size_t);
} reactions_loops;

#define ALL_LOOPS {draw_luma, draw_chroma, change_luma, change_chroma, widen, scale, scale_chroma}

extern const reactions_loops reactions_plain_loops;
#if defined(__x86_64__)
extern const reactions_loops reactions_wide_loops;
#endif
