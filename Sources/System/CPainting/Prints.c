// What is printed in the built-in scene, and what a scene file may name.

#include "Grain.h"

#pragma STDC FP_CONTRACT OFF

// MARK: Chart

static const uint32_t patches[24] = {
    0x735244, 0xC29682, 0x627A9D, 0x576C43, 0x8580B1, 0x67BDAA, 0xD67E2C, 0x505BA6, 0xC15A63, 0x5E3C6C, 0x9DBC40, 0xE0A32E,
    0x383D96, 0x469449, 0xAF363C, 0xE7C71F, 0xBB5695, 0x0885A1, 0xF3F3F2, 0xC8C8C8, 0xA0A0A0, 0x7A7A79, 0x555555, 0x343434};

static f4 chart(float u, float v, float pixel) {
  float across = __builtin_fabsf(u - 0.5f) - 0.5f, along = (__builtin_fabsf(v - 0.5f) - 0.5f) * 0.68f;
  float alpha = coverage1(across > along ? across : along, pixel);
  if (alpha <= 0) return (f4)0;
  f4 board = {0.1f, 0.1f, 0.1f, 1};
  float x = (u - 0.03f) / 0.94f * 6, y = (v - 0.045f) / 0.91f * 4;
  if (!(x >= 0 && y >= 0 && x < 6 && y < 4)) return board * alpha;
  int column = (int)x, row = (int)y;
  float dx = __builtin_fabsf(x - (float)column - 0.5f), dy = __builtin_fabsf(y - (float)row - 0.5f);
  float inner = coverage1((dx > dy ? dx : dy) - 0.42f, pixel * 6);
  uint32_t hex = patches[row * 6 + column];
  f4 patch = {(float)(hex >> 16 & 0xFF) / 255, (float)(hex >> 8 & 0xFF) / 255, (float)(hex & 0xFF) / 255, 1};
  return (board * (1 - inner) + patch * inner) * alpha;
}

void painting_chart(struct painting_run run, void *colors, long count) {
  f4 *over = colors;
  for (long index = 0; index < count; index += 1) {
    lay_color(chart(run.u + run.du * (float)index, run.v + run.dv * (float)index, run.pixel), over + index);
  }
}

// MARK: Landscape

static shade hills(shade c, f4 u, f4 y, float pixel) {
  static const float bases[3] = {0.62f, 0.74f, 0.88f}, heights[3] = {0.1f, 0.08f, 0.06f};
  static const f4 shades[3] = {{0.55f, 0.48f, 0.58f, 1}, {0.36f, 0.4f, 0.46f, 1}, {0.2f, 0.29f, 0.27f, 1}};
  for (int index = 0; index < 3; index += 1) {
    float base = bases[index];
    f4 ridge = base - heights[index] * (grain(u * 4 + base * 40, (f4)(base * 9)) + 0.3f * grain(u * 17, (f4)(base * 5)));
    c = laid(c, shades[index].x, shades[index].y, shades[index].z, coverage(ridge - y, pixel));
  }
  return c;
}

static shade landscape(f4 u, f4 v, float pixel) {
  f4 y = v * 1.25f;
  f4 edge = most(ABS(u - 0.5f) - 0.5f, ABS(y - 0.625f) - 0.625f);
  f4 alpha = coverage(edge, pixel);
  shade c = {0, 0, 0, 0};
  if (!ANY(alpha > 0)) return c;
  i4 is_frame = edge > -0.055f, is_mount = (edge > -0.12f) & ~is_frame;
  if (!ALL(is_frame | is_mount)) {
    c = (shade){0.95f, 0.72f - 0.25f * (0.7f - y), 0.5f + 0.35f * (0.7f - y), 1};
    f4 sun = coverage(ROOT((u - 0.62f) * (u - 0.62f) + (y - 0.48f) * (y - 0.48f)) - 0.09f, pixel);
    c = hills(laid(c, 1, 0.9f, 0.62f, sun), u, y, pixel);
  }
  f4 bevel = ((edge > -0.015f) | (edge < -0.045f)) ? (f4)0.7f : (f4)1;
  c.r = is_frame ? 0.36f * bevel * alpha : is_mount ? (f4)0.93f : c.r;
  c.g = is_frame ? 0.24f * bevel * alpha : is_mount ? (f4)0.92f : c.g;
  c.b = is_frame ? 0.14f * bevel * alpha : is_mount ? (f4)0.88f : c.b;
  c.a = is_frame ? alpha : is_mount ? (f4)1 : c.a;
  return c;
}

void painting_landscape(struct painting_run run, void *colors, long count) {
  PAINT_ROW(landscape(u, v, run.pixel))
}

// MARK: Page

struct line {
  const uint8_t *columns;
  int count;
};

INLINE float dot(struct line line, int column, int row) {
  return column >= 0 && column < line.count && row >= 0 && row < 8 && (line.columns[column] >> row & 1) ? 1.0f : 0.0f;
}

/// How much ink lies `x` dots from a line's left end and `y` below the letters' top.
static float ink(struct line line, float x, float y, float pixel) {
  if (!(x > -1 && y > -1 && y < 9 && x < (float)line.count)) return 0;
  float left = __builtin_floorf(x - 0.5f), top = __builtin_floorf(y - 0.5f);
  float fx = x - 0.5f - left, fy = y - 0.5f - top;
  int column = (int)left, row = (int)top;
  float upper = dot(line, column, row) * (1 - fx) + dot(line, column + 1, row) * fx;
  float lower = dot(line, column, row + 1) * (1 - fx) + dot(line, column + 1, row + 1) * fx;
  float value = upper * (1 - fy) + lower * fy;
  // Between dots the value falls from 1 to 0 over one dot: cutting it at a half rounds the letters.
  float softness = pixel > 0.05f ? pixel : 0.05f;
  float share = (value - 0.45f) / softness + 0.5f;
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

static f4 page_color(const struct painting_sheet *page, float u, float v, float pixel) {
  float across = __builtin_fabsf(u - 0.5f) - 0.5f;
  float along = (__builtin_fabsf(v - 0.5f) - 0.5f) * page->height / page->width;
  float alpha = coverage1(across > along ? across : along, pixel);
  if (alpha <= 0) return (f4)0;
  float x = u * page->width - page->margin, y = v * page->height - page->margin;
  float dark = 0, dot = pixel * page->width;
  if (y < 24) {
    struct line line = {page->columns + page->starts[0], page->counts[0]};
    dark = ink(line, x / 2, y / 2, dot / 2);
  } else {
    int row = (int)((y - 24) / page->line_height);
    if (row + 1 < page->lines) {
      struct line line = {page->columns + page->starts[row + 1], page->counts[row + 1]};
      dark = ink(line, x, y - 24 - (float)row * page->line_height, dot);
    }
  }
  f4 paper = (f4){0.95f, 0.94f, 0.9f, 1} * (1 - 0.05f * v);
  f4 color = paper * (1 - dark) + (f4){0.13f, 0.13f, 0.16f, 1} * dark;
  color.w = 1;
  return color * alpha;
}

void painting_page(struct painting_run run, const struct painting_sheet *page, void *colors, long count) {
  f4 *over = colors;
  for (long index = 0; index < count; index += 1) {
    lay_color(page_color(page, run.u + run.du * (float)index, run.v + run.dv * (float)index, run.pixel), over + index);
  }
}

// MARK: Code

struct code {
  const uint8_t *modules;
  int size, quiet;
};

INLINE float module_light(struct code code, float x, float y) {
  int column = (int)x - code.quiet, row = (int)y - code.quiet;
  bool is_dark = column >= 0 && row >= 0 && column < code.size && row < code.size && code.modules[row * code.size + column];
  return is_dark ? 0.06f : 0.95f;
}

void painting_code(
    struct painting_run run, const uint8_t *modules, int size, int quiet, void *colors, long count) {
  f4 *over = colors;
  struct code code = {modules, size, quiet};
  float side = (float)(size + 2 * quiet);
  // A module's edge is smoothed over one output pixel: four samples are enough for a reader and the eye.
  float far = 0.25f * run.pixel, near = -0.25f * run.pixel;
  for (long index = 0; index < count; index += 1) {
    float u = run.u + run.du * (float)index, v = run.v + run.dv * (float)index;
    if (!(u >= 0 && v >= 0 && u <= 1 && v <= 1)) continue;
    float left = (u + near) * side, right = (u + far) * side, top = (v + near) * side, bottom = (v + far) * side;
    float light = module_light(code, left, top);
    light += module_light(code, right, top);
    light += module_light(code, left, bottom);
    light += module_light(code, right, bottom);
    float value = light / 4;
    over[index] = (f4){value, value, value, 1};
  }
}

// MARK: Plain ones

static shade plain(f4 u, f4 v, float pixel, f4 color) {
  // Both edges of a pixel that they cross count: a line thinner than a pixel is not lost.
  f4 alpha = coverage(ABS(u - 0.5f) - 0.5f, pixel) * coverage(ABS(v - 0.5f) - 0.5f, pixel);
  return (shade){color.x * alpha, color.y * alpha, color.z * alpha, alpha};
}

void painting_plain(
    struct painting_run run, float red, float green, float blue, bool is_endless, void *colors, long count) {
  f4 *over = colors, color = {red, green, blue, 1};
  if (is_endless) {
    for (long index = 0; index < count; index += 1) over[index] = color;
  } else {
    PAINT_ROW(plain(u, v, run.pixel, color))
  }
}

static shade disc(f4 u, f4 v, float pixel) {
  f4 x = u * 2 - 1, y = v * 2 - 1;
  f4 radius = ROOT(x * x + y * y);
  f4 alpha = coverage((radius - 1) / 2, pixel);
  f4 light = 1 - 0.25f * radius * radius;
  return (shade){0.86f * light * alpha, 0.68f * light * alpha, 0.56f * light * alpha, alpha};
}

void painting_disc(struct painting_run run, void *colors, long count) { PAINT_ROW(disc(u, v, run.pixel)) }

// MARK: Pictures

INLINE f4 between(b4 left, b4 right, float fx) {
  return __builtin_convertvector(left, f4) * (1 - fx) + __builtin_convertvector(right, f4) * fx;
}

void painting_picture(
    struct painting_run run, const void *pixels, int width, int height, bool goes_on, void *colors, long count) {
  f4 *over = colors;
  const b4 *all = pixels;
  for (long index = 0; index < count; index += 1) {
    float u = run.u + run.du * (float)index, v = run.v + run.dv * (float)index;
    if (goes_on) {
      u = u < 0 ? 0 : u > 1 ? 1 : u;
      v = v < 0 ? 0 : v > 1 ? 1 : v;
    }
    // Half a pixel outside still shows: the edge is where the picture ends, not the middle of its last pixel.
    if (!(u >= 0 && v >= 0 && u <= 1 && v <= 1)) continue;
    float x = u * (float)width - 0.5f, y = v * (float)height - 0.5f;
    x = x < 0 ? 0 : x > (float)(width - 1) ? (float)(width - 1) : x;
    y = y < 0 ? 0 : y > (float)(height - 1) ? (float)(height - 1) : y;
    int last_column = width > 1 ? width - 2 : 0, last_row = height > 1 ? height - 2 : 0;
    int column = (int)x < last_column ? (int)x : last_column, row = (int)y < last_row ? (int)y : last_row;
    int right = column + 1 < width ? column + 1 : width - 1, below = row + 1 < height ? row + 1 : height - 1;
    float fx = x - (float)column, fy = y - (float)row;
    const b4 *upper = all + (long)row * width, *lower = all + (long)below * width;
    f4 color = (between(upper[column], upper[right], fx) * (1 - fy) + between(lower[column], lower[right], fx) * fy) * (1.0f / 255);
    over[index] = color.w >= 1 ? color : color + over[index] * (1 - color.w);
  }
}
