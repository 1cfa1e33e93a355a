// From colours to luma and colour differences, and what moves over them.

#include "Vectors.h"

#pragma STDC FP_CONTRACT OFF

// MARK: Matrix

/// What a table of 1024 steps from 0 to 1 has for three parts of a colour.
INLINE f4 looked_up(const float *table, f4 x) {
  f4 place = held(x, 0, 1) * 1024;
  i4 step = __builtin_convertvector(place, i4);
  f4 low = {table[step.x], table[step.y], table[step.z], 0};
  f4 high = {table[step.x + 1], table[step.y + 1], table[step.z + 1], 0};
  return low + (high - low) * (place - __builtin_convertvector(step, f4));
}

/// The same colour in P3 coordinates; the matrix of sRGB to Display P3 in linear light, both with white D65.
static f4 wide(const struct painting_matrix *matrix, f4 color) {
  float alpha = color.w > 1e-6f ? color.w : 1e-6f;
  f4 light = looked_up(matrix->to_linear, color / alpha);
  float r = light.x, g = light.y, b = light.z;
  f4 mixed = {
      0.822462f * r + 0.177538f * g, 0.033194f * r + 0.966806f * g, 0.017083f * r + 0.072397f * g + 0.910520f * b, 0};
  // The steepest part of the curve is at black; the root spreads it over the table.
  f4 coded = looked_up(matrix->to_coded, ROOT(most(mixed, (f4)0))) * alpha;
  coded.w = color.w;
  return coded;
}

INLINE f4 planar(const struct painting_matrix *matrix, f4 color) {
  float luma = matrix->red * color.x + matrix->green * color.y + matrix->blue * color.z;
  f4 parts = {luma, (color.z - luma) * matrix->cb, (color.x - luma) * matrix->cr, 0};
  parts *= 255;
  parts.w = color.w;
  return parts;
}

void painting_planar(const struct painting_matrix *matrix, void *colors, long count) {
  f4 *all = colors;
  if (matrix->to_linear) {
    for (long index = 0; index < count; index += 1) all[index] = wide(matrix, all[index]);
  }
  float red = matrix->red, green = matrix->green, blue = matrix->blue, to_cb = matrix->cb, to_cr = matrix->cr;
  long index = 0;
  for (; index + 4 <= count; index += 4) {
    f4 c0 = all[index], c1 = all[index + 1], c2 = all[index + 2], c3 = all[index + 3];
    f4 low_rg = __builtin_shufflevector(c0, c1, 0, 4, 1, 5), high_rg = __builtin_shufflevector(c2, c3, 0, 4, 1, 5);
    f4 low_ba = __builtin_shufflevector(c0, c1, 2, 6, 3, 7), high_ba = __builtin_shufflevector(c2, c3, 2, 6, 3, 7);
    f4 r = __builtin_shufflevector(low_rg, high_rg, 0, 1, 4, 5), g = __builtin_shufflevector(low_rg, high_rg, 2, 3, 6, 7);
    f4 b = __builtin_shufflevector(low_ba, high_ba, 0, 1, 4, 5), a = __builtin_shufflevector(low_ba, high_ba, 2, 3, 6, 7);
    f4 luma = red * r + green * g + blue * b;
    f4 cb = (b - luma) * to_cb * 255, cr = (r - luma) * to_cr * 255;
    luma *= 255;
    f4 low = __builtin_shufflevector(luma, cb, 0, 4, 1, 5), high = __builtin_shufflevector(luma, cb, 2, 6, 3, 7);
    f4 low_a = __builtin_shufflevector(cr, a, 0, 4, 1, 5), high_a = __builtin_shufflevector(cr, a, 2, 6, 3, 7);
    all[index] = __builtin_shufflevector(low, low_a, 0, 1, 4, 5);
    all[index + 1] = __builtin_shufflevector(low, low_a, 2, 3, 6, 7);
    all[index + 2] = __builtin_shufflevector(high, high_a, 0, 1, 4, 5);
    all[index + 3] = __builtin_shufflevector(high, high_a, 2, 3, 6, 7);
  }
  for (; index < count; index += 1) all[index] = planar(matrix, all[index]);
}

void painting_luma(const void *planar, uint8_t *luma, long count) {
  const f4 *from = planar;
  long index = 0;
  for (; index + 4 <= count; index += 4) {
    f4 y = {from[index].x, from[index + 1].x, from[index + 2].x, from[index + 3].x};
    b4 four = bytes(y + 0.5f);
    __builtin_memcpy(luma + index, &four, 4);
  }
  for (; index < count; index += 1) luma[index] = byte(from[index].x);
}

void painting_chroma(const void *top, const void *bottom, uint8_t *chroma, long count) {
  const f4 *upper = top, *lower = bottom;
  long index = 0;
  for (; index + 4 <= count; index += 4) {
    f4 left = upper[index] + upper[index + 1] + lower[index] + lower[index + 1];
    f4 right = upper[index + 2] + upper[index + 3] + lower[index + 2] + lower[index + 3];
    b4 four = bytes(__builtin_shufflevector(left, right, 1, 2, 5, 6) / 4 + 128 + 0.5f);
    __builtin_memcpy(chroma + index, &four, 4);
  }
  for (; index < count; index += 2) {
    f4 sum = upper[index] + upper[index + 1] + lower[index] + lower[index + 1];
    chroma[index] = byte(sum.y / 4 + 128);
    chroma[index + 1] = byte(sum.z / 4 + 128);
  }
}

void painting_lay_rows(
    const void *top, const void *bottom, long pairs, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma) {
  const f4 *upper = top, *lower = bottom;
  for (long index = 0; index < 2 * pairs; index += 2) {
    f4 sum = upper[index] + upper[index + 1] + lower[index] + lower[index + 1];
    if (!(sum.w > 0)) continue;
    f4 lumas = {upper[index].x, upper[index + 1].x, lower[index].x, lower[index + 1].x};
    f4 alphas = {upper[index].w, upper[index + 1].w, lower[index].w, lower[index + 1].w};
    f4 under = {(float)luma[index], (float)luma[index + 1], (float)next_luma[index], (float)next_luma[index + 1]};
    b4 result = bytes(lumas + under * (1 - alphas) + 0.5f);
    luma[index] = result.x, luma[index + 1] = result.y;
    next_luma[index] = result.z, next_luma[index + 1] = result.w;
    float keep = 1 - sum.w / 4;
    chroma[index] = byte(sum.y / 4 + ((float)chroma[index] - 128) * keep + 128);
    chroma[index + 1] = byte(sum.z / 4 + ((float)chroma[index + 1] - 128) * keep + 128);
  }
}

// MARK: Sprites

INLINE f4 sprite_pixel(const struct painting_sprite *sprite, long x, long y) {
  if (x < 0 || y < 0 || x >= sprite->width || y >= sprite->height) return (f4)0;
  return ((const f4 *)sprite->pixels)[y * sprite->width + x];
}

/// The sprite's value at a whole pixel of the frame, between its own pixels.
INLINE f4 sprite_value(const struct painting_sprite *sprite, long x, long y) {
  f4 upper = sprite_pixel(sprite, x - 1, y - 1) * sprite->x + sprite_pixel(sprite, x, y - 1) * (1 - sprite->x);
  f4 lower = sprite_pixel(sprite, x - 1, y) * sprite->x + sprite_pixel(sprite, x, y) * (1 - sprite->x);
  return upper * sprite->y + lower * (1 - sprite->y);
}

void painting_lay_sprite(
    const struct painting_sprite *sprite, long row, long width, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma) {
  long first = (sprite->left > 0 ? sprite->left : 0) / 2 * 2;
  long last = sprite->left + sprite->width + 1 < width ? sprite->left + sprite->width + 1 : width;
  long y = row - sprite->top;
  for (long column = first; column < last; column += 2) {
    f4 sum = 0;
    for (long line = 0; line < 2; line += 1) {
      uint8_t *bytes = line ? next_luma : luma;
      for (long x = column; x < column + 2; x += 1) {
        f4 color = sprite_value(sprite, x - sprite->left, y + line);
        sum += color;
        if (color.w > 0 && x < width) bytes[x] = byte(color.x + (float)bytes[x] * (1 - color.w));
      }
    }
    if (!(sum.w > 0)) continue;
    float keep = 1 - sum.w / 4;
    chroma[column] = byte(sum.y / 4 + ((float)chroma[column] - 128) * keep + 128);
    chroma[column + 1] = byte(sum.z / 4 + ((float)chroma[column + 1] - 128) * keep + 128);
  }
}
