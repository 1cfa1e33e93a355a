// The loops, compiled once for each kind of processor. They are written for the compiler to handle many pixels at once: a pixel
// of which nothing is seen costs as much as any other, and nothing branches.
#include "CReactions.h"
#include "Rows.h"
#include "Variants.h"
#include <math.h>

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))
#define TOGETHER _Pragma("clang loop vectorize(enable) interleave(enable)")

INLINE int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
INLINE int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/// Four bytes at any address.
typedef struct __attribute__((packed)) {
  uint32_t bytes;
} any_four;

/// A straight line through a texture: where it begins, and the step for each pixel, in 1/65536 texels.
typedef struct {
  const void *texels;
  int32_t pitch;
  int32_t u, v;
  int32_t u_step, v_step;
  /// Pixels for the way of 1 in the texture's two directions; 0 where it never gets there. How far the texture reaches, with one
  /// texel more on each side: the soft edge of the shape's last pixels.
  float u_inverse, v_inverse, u_limit, v_limit;
} texture_line;

/// The pixels of a row that a sprite touches.
typedef struct {
  int32_t first, count;
} span;

/// Narrows the columns to those where `begin + x * step` lies between -limit and limit.
///
/// `inverse` is 1 / step, or 0 for a line that does not move in this direction.
INLINE void narrow(float begin, float inverse, float limit, float *low, float *high) {
  if (inverse == 0) {
    if (fabsf(begin) > limit) *high = -1;
    return;
  }
  const float one = (-limit - begin) * inverse, other = (limit - begin) * inverse;
  *low = fmaxf(*low, fminf(one, other));
  *high = fminf(*high, fmaxf(one, other));
}

/// Whether the last pixel of a line still lies inside the texture's border.
INLINE int is_inside(int32_t start, int32_t step, int32_t steps, float end) {
  const int64_t place = start + (int64_t)step * steps;
  return place >= 0 && place <= (int64_t)(end * 65536);
}

/// Row `y` of a sprite: its line through the texture; no pixels where it is not touched.
INLINE span line_of(const reactions_sprite *s, int32_t y, int32_t width, texture_line *line) {
  const float x_way = 0.5f - s->center_x, y_way = (float)y + 0.5f - s->center_y;
  const float start_x = s->across_x * x_way + s->down_x * y_way;
  const float start_y = s->across_y * x_way + s->down_y * y_way;
  float low = 0, high = (float)(width - 1);
  narrow(start_x, line->u_inverse, line->u_limit, &low, &high);
  narrow(start_y, line->v_inverse, line->v_limit, &low, &high);
  const float first = ceilf(low), last = floorf(high);
  if (!(first <= last)) return (span){0, 0};
  const float end_x = s->half_x * 2 + 2.9f, end_y = s->half_y * 2 + 2.9f;
  const float u = (start_x + s->across_x * first + 1) * s->half_x + 1.5f;
  const float v = (start_y + s->across_y * first + 1) * s->half_y + 1.5f;
  line->u = (int32_t)(fminf(fmaxf(u, 0.1f), end_x) * 65536);
  line->v = (int32_t)(fminf(fmaxf(v, 0.1f), end_y) * 65536);
  int32_t steps = (int32_t)(last - first);
  // Rounding must not lead beyond the border, however long the line is.
  while (steps > 0 && (!is_inside(line->u, line->u_step, steps, end_x) || !is_inside(line->v, line->v_step, steps, end_y)))
    steps--;
  return (span){(int32_t)first, steps + 1};
}

INLINE texture_line lines_of(const reactions_sprite *s) {
  const float u_step = s->across_x * s->half_x * 65536, v_step = s->across_y * s->half_y * 65536;
  return (texture_line){
      .texels = s->texels,
      .pitch = s->pitch,
      .u_step = (int32_t)fminf(fmaxf(u_step, -1e9f), 1e9f),
      .v_step = (int32_t)fminf(fmaxf(v_step, -1e9f), 1e9f),
      .u_inverse = fabsf(s->across_x) < 1e-7f ? 0 : 1 / s->across_x,
      .v_inverse = fabsf(s->across_y) < 1e-7f ? 0 : 1 / s->across_y,
      .u_limit = 1 + 1 / s->half_x,
      .v_limit = 1 + 1 / s->half_y,
  };
}

/// The mean of two words of bytes in bits 0 and 16; `share` is of 256.
INLINE uint32_t between(uint32_t a, uint32_t b, uint32_t share) {
  return (((a << 8) + (b - a) * share + 0x00800080) >> 8) & 0x00FF00FF;
}

/// The most texels in a row of a texture, its border included.
enum { widest = 1024 };

/// Whether a line runs along a row of texels, more slowly than they follow each other: then the mean of the two rows that it lies
/// between is made first, once for many pixels.
INLINE int is_level(const texture_line *line, int32_t count) {
  return line->v_step == 0 && count > line->pitch && line->pitch <= widest;
}

/// A luma texel with room between its two bytes.
INLINE uint32_t apart(uint32_t texel) { return (texel & 0xFF) | (texel & 0xFF00) << 8; }

INLINE void level_luma(texture_line *line, uint16_t *restrict row) {
  const uint16_t *restrict upper = (const uint16_t *)line->texels + (line->v >> 16) * line->pitch;
  const uint16_t *restrict lower = upper + line->pitch;
  const uint32_t share = (line->v >> 8) & 255;
  for (int32_t x = 0; x < line->pitch; x++) {
    const uint32_t texel = between(apart(upper[x]), apart(lower[x]), share);
    row[x] = (uint16_t)(texel | texel >> 8);
  }
  line->texels = row;
  line->v = 0;
}

INLINE void level_chroma(texture_line *line, uint32_t *restrict row) {
  const uint32_t *restrict upper = (const uint32_t *)line->texels + (line->v >> 16) * line->pitch;
  const uint32_t *restrict lower = upper + line->pitch;
  const uint32_t share = (line->v >> 8) & 255;
  for (int32_t x = 0; x < line->pitch; x++) {
    const uint32_t outer = between(upper[x] & 0x00FF00FF, lower[x] & 0x00FF00FF, share);
    const uint32_t inner = between((upper[x] >> 8) & 255, (lower[x] >> 8) & 255, share);
    row[x] = outer | inner << 8;
  }
  line->texels = row;
  line->v = 0;
}

/// What is left of a weight before a person of this alpha.
INLINE int32_t left(int32_t weight, int32_t near, int32_t far, int32_t share) {
  const int32_t alpha = (near * 128 + (far - near) * share) >> 7;
  return (weight * (256 - alpha - (alpha >> 7))) >> 8;
}

INLINE void blend_luma_row(uint8_t *restrict row, size_t count, const texture_line line, int32_t weight, int32_t limit,
                           const uint8_t *restrict near, const uint8_t *restrict far, int32_t share, int has_person,
                           int is_level) {
  const uint16_t *restrict texels = line.texels;
  const int32_t n = (int32_t)count;
  TOGETHER for (int32_t x = 0; x < n; x++) {
    const int32_t u = line.u + x * line.u_step, v = line.v + x * line.v_step;
    const int32_t index = is_level ? u >> 16 : (v >> 16) * line.pitch + (u >> 16);
    const uint32_t across = (u >> 8) & 255, down = (v >> 8) & 255;
    const uint32_t pair = ((const any_four *)(texels + index))->bytes;
    const uint32_t upper = between(apart(pair), apart(pair >> 16), across);
    const uint32_t other = is_level ? pair : ((const any_four *)(texels + index + line.pitch))->bytes;
    const uint32_t lower = is_level ? upper : between(apart(other), apart(other >> 16), across);
    const uint32_t texel = is_level ? upper : between(upper, lower, down);
    const int32_t free = has_person ? left(weight, near[x], far[x], share) : weight;
    const int32_t old = row[x];
    const int32_t sum = (old * (65280 - (int32_t)(texel >> 16) * free) + (int32_t)(texel & 255) * free * 255 + 128) >> 8;
    row[x] = (uint8_t)least(most(limit, old), (sum + 1 + (sum >> 8)) >> 8);
  }
}

static void draw_luma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight, int32_t limit,
                      const reactions_mask *mask) {
  texture_line line = lines_of(sprite);
  uint16_t texels[widest + 2];
  for (int32_t y = sprite->first_row; y < sprite->end_row; y++) {
    const span span = line_of(sprite, y, plane->width, &line);
    if (!span.count) continue;
    uint8_t *row = plane->bytes + y * plane->pitch + span.first;
    const reactions_row person = mask->bytes ? row_of(mask, y) : (reactions_row){0, 0, 0};
    const uint8_t *near = person.near + span.first, *far = person.far + span.first;
    texture_line own = line;
    if (is_level(&line, span.count)) {
      level_luma(&own, texels);
      if (mask->bytes) blend_luma_row(row, span.count, own, weight, limit, near, far, person.share, 1, 1);
      else blend_luma_row(row, span.count, own, weight, limit, 0, 0, 0, 0, 1);
    } else {
      if (mask->bytes) blend_luma_row(row, span.count, own, weight, limit, near, far, person.share, 1, 0);
      else blend_luma_row(row, span.count, own, weight, limit, 0, 0, 0, 0, 0);
    }
  }
}

INLINE int32_t chroma_sum(int32_t old, int32_t kept, int32_t color, int32_t free) {
  const int32_t sum = (old - 128) * kept + (color - 128) * free * 255;
  return least(255, most(0, 128 + ((sum + (sum >> 8) + 32768) >> 16)));
}

INLINE void blend_chroma_row(uint8_t *restrict row, size_t count, const texture_line line, int32_t weight,
                             const uint8_t *restrict near, const uint8_t *restrict far, int32_t share, int has_person,
                             int is_level) {
  const uint32_t *restrict texels = line.texels;
  const int32_t n = (int32_t)count;
  TOGETHER for (int32_t x = 0; x < n; x++) {
    const int32_t u = line.u + x * line.u_step, v = line.v + x * line.v_step;
    const int32_t index = is_level ? u >> 16 : (v >> 16) * line.pitch + (u >> 16);
    const uint32_t across = (u >> 8) & 255, down = (v >> 8) & 255;
    const uint32_t a = texels[index], b = texels[index + 1];
    // Cb and alpha are two apart and go together; Cr goes alone.
    uint32_t outer = between(a & 0x00FF00FF, b & 0x00FF00FF, across);
    uint32_t red = between((a >> 8) & 255, (b >> 8) & 255, across);
    if (!is_level) {
      const uint32_t c = texels[index + line.pitch], d = texels[index + line.pitch + 1];
      outer = between(outer, between(c & 0x00FF00FF, d & 0x00FF00FF, across), down);
      red = between(red, between((c >> 8) & 255, (d >> 8) & 255, across), down);
    }
    const int32_t free = has_person ? left(weight, near[2 * x], far[2 * x], share) : weight;
    const int32_t kept = 65280 - (int32_t)(outer >> 16) * free;
    row[2 * x] = (uint8_t)chroma_sum(row[2 * x], kept, (int32_t)(outer & 255), free);
    row[2 * x + 1] = (uint8_t)chroma_sum(row[2 * x + 1], kept, (int32_t)red, free);
  }
}

static void draw_chroma(const reactions_plane *plane, const reactions_sprite *sprite, int32_t weight,
                        const reactions_mask *mask) {
  texture_line line = lines_of(sprite);
  uint32_t texels[widest + 2];
  for (int32_t y = sprite->first_row; y < sprite->end_row; y++) {
    const span span = line_of(sprite, y, plane->width, &line);
    if (!span.count) continue;
    uint8_t *row = plane->bytes + y * plane->pitch + 2 * span.first;
    const reactions_row person = mask->bytes ? row_of(mask, least(2 * y, mask->height - 1)) : (reactions_row){0, 0, 0};
    const uint8_t *near = person.near + 2 * span.first, *far = person.far + 2 * span.first;
    texture_line own = line;
    if (is_level(&line, span.count)) {
      level_chroma(&own, texels);
      if (mask->bytes) blend_chroma_row(row, span.count, own, weight, near, far, person.share, 1, 1);
      else blend_chroma_row(row, span.count, own, weight, 0, 0, 0, 0, 1);
    } else {
      if (mask->bytes) blend_chroma_row(row, span.count, own, weight, near, far, person.share, 1, 0);
      else blend_chroma_row(row, span.count, own, weight, 0, 0, 0, 0, 0);
    }
  }
}

/// How free of the person a place is, of 128.
INLINE int16_t unmasked(int16_t near, int16_t far, int16_t share) {
  const int16_t alpha = (int16_t)(near * (128 - share) + far * share) >> 7;
  return (int16_t)(256 - alpha - (alpha >> 7)) >> 1;
}

INLINE int16_t least16(int16_t a, int16_t b) { return a < b ? a : b; }
INLINE int16_t most16(int16_t a, int16_t b) { return a > b ? a : b; }

INLINE void change_luma_row(uint8_t *restrict row, size_t count, const reactions_light change,
                            const uint8_t *restrict light_near, const uint8_t *restrict light_far, int16_t light_share,
                            const uint8_t *restrict near, const uint8_t *restrict far, int16_t share) {
  const int16_t person = (int16_t)change.person, more = (int16_t)(change.background - change.person);
  const int16_t black = (int16_t)change.black, white = (int16_t)change.white, added = (int16_t)change.added;
  TOGETHER for (size_t x = 0; x < count; x++) {
    const int16_t free = unmasked(near[x], far[x], share);
    const int16_t kept = person + ((int16_t)(more * free) >> 7);
    const int16_t old = row[x];
    const int16_t light = (int16_t)(light_near[x] * (128 - light_share) + light_far[x] * light_share) >> 7;
    const int16_t sum = black + ((int16_t)((int16_t)(old - black) * kept + 64) >> 7) +
                        ((int16_t)(least16(255, light + added) * free) >> 7);
    row[x] = (uint8_t)most16(0, least16(most16(white, old), sum));
  }
}

static void change_luma(uint8_t *row, size_t count, const reactions_light *change, const reactions_row *light,
                        const reactions_row *person) {
  change_luma_row(row, count, *change, light->near, light->far, (int16_t)light->share, person->near, person->far,
                  (int16_t)person->share);
}

INLINE void change_chroma_row(uint8_t *restrict row, size_t count, const reactions_light change, int16_t added_red,
                              const uint8_t *restrict light_near, const uint8_t *restrict light_far, int16_t light_share,
                              const uint8_t *restrict near, const uint8_t *restrict far, int16_t share) {
  const int16_t person = (int16_t)change.person, more = (int16_t)(change.background - change.person);
  const int16_t added[2] = {(int16_t)change.added, added_red};
  TOGETHER for (size_t x = 0; x < count; x++) {
    const int16_t free = unmasked(near[2 * x], far[2 * x], share);
    const int16_t kept = person + ((int16_t)(more * free) >> 7);
    for (int part = 0; part < 2; part++) {
      const int16_t old = (int16_t)(row[2 * x + part] - 128);
      const int16_t light = ((int16_t)(light_near[2 * x + part] * (128 - light_share) +
                                       light_far[2 * x + part] * light_share) >> 7) - 128;
      const int16_t sum = 128 + ((int16_t)(old * kept + 64) >> 7) + ((int16_t)(light * free) >> 7) + added[part];
      row[2 * x + part] = (uint8_t)most16(0, least16(255, sum));
    }
  }
}

static void change_chroma(uint8_t *row, size_t count, const reactions_light *change, int32_t added_red,
                          const reactions_row *light, const reactions_row *person) {
  change_chroma_row(row, count, *change, (int16_t)added_red, light->near, light->far, (int16_t)light->share,
                    person->near, person->far, (int16_t)person->share);
}

static void widen(const uint8_t *restrict row, const int32_t *restrict places, uint8_t *restrict result, size_t count,
                  int32_t channels) {
  const int32_t n = (int32_t)count;
  if (channels == 1) {
    TOGETHER for (int32_t x = 0; x < n; x++) {
      const uint32_t pixels = ((const any_four *)(row + (places[x] >> 7)))->bytes;
      const int32_t a = pixels & 255, b = (pixels >> 8) & 255;
      result[x] = (uint8_t)(a + (((b - a) * (places[x] & 127) + 64) >> 7));
    }
    return;
  }
  TOGETHER for (int32_t x = 0; x < n; x++) {
    const uint32_t pixels = ((const any_four *)(row + 2 * (places[x] >> 7)))->bytes;
    const int32_t a = pixels & 255, b = (pixels >> 16) & 255, c = (pixels >> 8) & 255, d = pixels >> 24;
    result[2 * x] = (uint8_t)(a + (((b - a) * (places[x] & 127) + 64) >> 7));
    result[2 * x + 1] = (uint8_t)(c + (((d - c) * (places[x] & 127) + 64) >> 7));
  }
}

static void scale(uint8_t *restrict luma, const uint16_t *restrict weights, size_t count) {
  TOGETHER for (size_t x = 0; x < count; x++) {
    luma[x] = (uint8_t)least(255, (luma[x] * weights[x]) >> 8);
  }
}

static void scale_chroma(uint8_t *restrict chroma, const uint16_t *restrict weights, size_t count) {
  TOGETHER for (size_t x = 0; x < count; x++) {
    chroma[2 * x] = (uint8_t)least(255, most(0, 128 + (((chroma[2 * x] - 128) * weights[x]) >> 8)));
    chroma[2 * x + 1] = (uint8_t)least(255, most(0, 128 + (((chroma[2 * x + 1] - 128) * weights[x]) >> 8)));
  }
}
