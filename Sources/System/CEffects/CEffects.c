// Chooses the loops once.
#include "CEffects.h"
#include "Variants.h"

#include <stdatomic.h>

static _Atomic(const effects_loops *) chosen;

static const effects_loops *best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &effects_wide_loops;
#endif
  return &effects_plain_loops;
}

static const effects_loops *loops(void) {
  const effects_loops *now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!now) {
    now = best();
    atomic_store_explicit(&chosen, now, memory_order_relaxed);
  }
  return now;
}

int effects_use_plain_loops(int plain) {
  const effects_loops *now = plain ? &effects_plain_loops : best();
  atomic_store_explicit(&chosen, now, memory_order_relaxed);
  return now != &effects_plain_loops;
}

size_t effects_room(int32_t width) { return 17 * ((size_t)width + 128); }

void effects_reduce(const effects_picture *picture, int32_t factor, const effects_colors *colors, int32_t first, int32_t last) {
  loops()->reduce(picture, factor, colors, first, last);
}
void effects_changes(const effects_colors *before, const effects_colors *now, const effects_field *changes, int32_t first,
                     int32_t last) {
  loops()->changes(before, now, changes, first, last);
}
void effects_settle(const effects_field *changes, float least, float few, float most, const effects_colors *averages,
                    const effects_colors *now, const effects_field *share, int32_t first, int32_t last) {
  loops()->settle(changes, least, few, most, averages, now, share, first, last);
}
void effects_approach(const effects_field *average, const effects_field *now, const effects_field *share, float same,
                      const effects_field *target, int32_t first, int32_t last) {
  loops()->approach(average, now, share, same, target, first, last);
}
void effects_write(const effects_colors *colors, const effects_picture *picture, int32_t first, int32_t last) {
  loops()->write(colors, picture, first, last);
}
void effects_glow(const effects_field *field, const float *across, const float *down, int32_t first, int32_t last) {
  loops()->glow(field, across, down, first, last);
}
void effects_place(const uint8_t *mask, int32_t width, int32_t height, float scaleX, float shiftX, float scaleY, float shiftY,
                   float low, float high, const effects_field *field, int32_t first, int32_t last, float *room) {
  loops()->place(mask, width, height, scaleX, shiftX, scaleY, shiftY, low, high, field, first, last, room);
}
void effects_fit(const effects_colors *colors, const effects_field *mask, float variance, const effects_lines *lines,
                 int32_t first, int32_t last, float *room) {
  loops()->fit(colors, mask, variance, lines, first, last, room);
}
void effects_mean(const effects_field *field, const effects_field *means, int32_t first, int32_t last, float *room) {
  loops()->mean(field, means, first, last, room);
}
void effects_cut(const effects_lines *lines, const effects_colors *colors, const effects_field *centered, uint8_t *mask, int32_t first,
                 int32_t last) {
  loops()->cut(lines, colors, centered, mask, first, last);
}
void effects_matte(const effects_picture *picture, int32_t factor, const effects_lines *lines, const effects_colors *colors,
                   const effects_field *share, const uint8_t *before, const effects_mask *mask, int32_t first, int32_t last,
                   float *room) {
  loops()->matte(picture, factor, lines, colors, share, before, mask, first, last, room);
}
void effects_weigh(const effects_colors *colors, const uint8_t *mask, const uint8_t share[256], const uint8_t gain[256],
                   int32_t margin, uint32_t *sums, int32_t first, int32_t last) {
  loops()->weigh(colors, mask, share, gain, margin, sums, first, last);
}
void effects_disc(const uint32_t *sums, int32_t margin, const int32_t *spans, int32_t reach, const effects_colors *colors,
                  const effects_colors *blurred, const effects_field *weight, int32_t first, int32_t last) {
  loops()->disc(sums, margin, spans, reach, colors, blurred, weight, first, last);
}
void effects_portrait(const effects_picture *source, const effects_picture *target, int32_t factor, const effects_mask *mask,
                      const effects_colors *blurred, float strength, int32_t first, int32_t last, float *room) {
  loops()->portrait(source, target, factor, mask, blurred, strength, first, last, room);
}
void effects_light(const effects_picture *source, const effects_picture *target, int32_t factor, const effects_mask *mask,
                   const effects_field *light, float dimming, float black, float span, int32_t first, int32_t last, float *room) {
  loops()->light(source, target, factor, mask, light, dimming, black, span, first, last, room);
}
void effects_replace(const effects_picture *source, const effects_picture *scenery, const effects_picture *target, int32_t factor,
                     const effects_mask *mask, const effects_surroundings *around, int32_t first, int32_t last, float *room) {
  loops()->replace(source, scenery, target, factor, mask, around, first, last, room);
}
