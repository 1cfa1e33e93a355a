#include "CReactions.h"
#include "Rows.h"
#include "Variants.h"
#include <stdatomic.h>

static _Atomic(const reactions_loops *) chosen;

static const reactions_loops *best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &reactions_wide_loops;
#endif
  return &reactions_plain_loops;
}

static const reactions_loops *loops(void) {
  const reactions_loops *now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!now) {
    now = best();
    atomic_store_explicit(&chosen, now, memory_order_relaxed);
  }
  return now;
}

int reactions_use_plain_loops(int plain) {
  const reactions_loops *now = plain ? &reactions_plain_loops : best();
  atomic_store_explicit(&chosen, now, memory_order_relaxed);
  return now != &reactions_plain_loops;
}

void reactions_draw_luma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight, int32_t limit,
                         const reactions_mask *mask) {
  loops()->draw_luma(plane, sprite, weight, limit, mask);
}

void reactions_draw_chroma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight,
                           const reactions_mask *mask) {
  loops()->draw_chroma(plane, sprite, weight, mask);
}

reactions_row reactions_row_of(const reactions_mask *rows, int32_t y) { return row_of(rows, y); }

void reactions_change_luma(uint8_t *row, size_t count, const reactions_light *change, const reactions_row *light,
                           const reactions_row *person) {
  loops()->change_luma(row, count, change, light, person);
}

void reactions_change_chroma(uint8_t *row, size_t count, const reactions_light *change, int32_t added_red,
                             const reactions_row *light, const reactions_row *person) {
  loops()->change_chroma(row, count, change, added_red, light, person);
}

void reactions_widen(const uint8_t *row, const int32_t *places, uint8_t *result, size_t count, int32_t channels) {
  loops()->widen(row, places, result, count, channels);
}

void reactions_scale(uint8_t *luma, const uint16_t *weights, size_t count) { loops()->scale(luma, weights, count); }

void reactions_scale_chroma(uint8_t *chroma, const uint16_t *weights, size_t count) {
  loops()->scale_chroma(chroma, weights, count);
}
