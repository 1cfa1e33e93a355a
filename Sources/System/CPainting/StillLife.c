// What stands on the table of the built-in scene. Light comes from the upper left, a little from the front.

#include "Grain.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// MARK: Room

/// Where the table's far edge is, as a fraction of the upright picture's height.
static const float edge = 0.64f;

static shade wall(f4 x, f4 y) {
  f4 from_window = ROOT((x - 0.1f) * (x - 0.1f) + (y - 0.15f) * (y - 0.15f));
  f4 light = 0.92f - 0.38f * least(from_window, (f4)1.6f);
  f4 plaster = (grain(x * 90, y * 90) - 0.5f) * 0.03f + (grain(x * 9, y * 9) - 0.5f) * 0.03f;
  f4 dark = light + plaster - 0.1f * most((f4)0, 1 - ABS(y - edge) * 14);
  f4 shown = most(dark, (f4)0.1f);
  return (shade){0.80f * shown, 0.83f * shown, 0.80f * shown, shown};
}

static shade table(f4 x, f4 y) {
  // Boards run towards the viewer: their joints meet behind the wall.
  f4 depth = 1 / most(y - edge + 0.55f, (f4)0.05f);
  f4 across = (x - 0.375f) * depth * 1.4f;
  f4 board = rounded_down(across * 2.6f);
  f4 in_board = across * 2.6f - board;
  f4 rings = grain(across * 34 + board * 7, depth * 5 + board * 3);
  f4 streaks = grain(across * 120 + board * 11, depth * 9);
  f4 joint = least(in_board, 1 - in_board) < 0.012f ? (f4)0.55f : (f4)1;
  f4 tone = 0.62f + 0.16f * (rings - 0.5f) + 0.12f * (streaks - 0.5f) + 0.05f * (grain(board, (f4)3) - 0.5f);
  f4 light = (0.72f + 0.5f * (y - edge)) * joint;
  f4 shown = tone * light * 1.45f;
  return (shade){0.86f * shown, 0.60f * shown, 0.38f * shown, shown};
}

static shade room(f4 u, f4 v, float pixel) {
  f4 x = (1 - v) * 0.75f, y = u;
  f4 is_table = coverage(edge - y, pixel);
  shade c = {0, 0, 0, 1};
  if (ANY(is_table < 1)) {
    shade part = wall(x, y);
    f4 share = 1 - is_table;
    c.r += part.r * share;
    c.g += part.g * share;
    c.b += part.b * share;
  }
  if (ANY(is_table > 0)) {
    shade part = table(x, y);
    c.r += part.r * is_table;
    c.g += part.g * is_table;
    c.b += part.b * is_table;
  }
  return c;
}

void painting_room(struct painting_run run, void *colors, long count) { PAINT_ROW(room(u, v, run.pixel)) }

void painting_room_relief(struct painting_run run, float depth, float *metres, long count) {
  for (long index = 0; index < count; index += 1) {
    float below = run.u + run.du * (float)index - edge;
    // A plane through the wall's foot: one over the distance grows evenly with the rows.
    metres[index] = below > 0 ? depth - 1 / (1 / depth + 3.6f * below) : 0;
  }
}

// MARK: Ball

// Highlights, by squaring: a power function for each pixel of a ball costs more than the rest of it.
INLINE f4 fortieth_power(f4 x) {
  f4 fourth = x * x * x * x, eighth = fourth * fourth, sixteenth = eighth * eighth;
  return sixteenth * sixteenth * eighth;
}

INLINE f4 thirtieth_power(f4 x) {
  f4 second = x * x, fourth = second * second, eighth = fourth * fourth;
  return eighth * eighth * eighth * fourth * second;
}

static shade ball(f4 u, f4 v, float pixel, f4 color, float skin, bool has_stalk) {
  f4 x = (u - 0.5f) * 2.2f, y = (v - 0.5f) * 2.2f;
  f4 radius = ROOT(x * x + y * y);
  shade c = {0, 0, 0, 0};
  f4 alpha = coverage((radius - 1) / 2.2f, pixel);
  if (ANY(alpha > 0)) {
    f4 z = ROOT(most(1 - radius * radius, (f4)0));
    f4 bump = 0;
    if (skin > 0) bump = (grain(x * 26, y * 26) - 0.5f) * skin;
    f4 light = most(-0.5f * x - 0.6f * y + 0.62f * z, (f4)0) + bump * 0.25f;
    f4 glance = most(-0.42f * x - 0.52f * y + 0.744f * z, (f4)0);
    f4 shine = fortieth_power(glance) * (skin > 0 ? 0.35f : 0.75f);
    f4 rim = 0.12f * (1 - z);
    f4 lit = 0.22f + 0.85f * light + rim;
    c.r = held(color.x * lit + shine, 0, 1) * alpha;
    c.g = held(color.y * lit + shine, 0, 1) * alpha;
    c.b = held(color.z * lit + shine, 0, 1) * alpha;
    c.a = alpha;
  }
  if (!has_stalk) return c;
  f4 bend = x - 0.06f - 0.12f * (y + 1);
  f4 stalk = coverage(most(ABS(bend) - 0.035f, ABS(y + 0.98f) - 0.16f) / 2.2f, pixel);
  return laid(c, 0.27f, 0.18f, 0.09f, stalk);
}

void painting_ball(
    struct painting_run run, float red, float green, float blue, float skin, bool has_stalk, void *colors,
    long count) {
  f4 color = {red, green, blue, 1};
  PAINT_ROW(ball(u, v, run.pixel, color, skin, has_stalk))
}

void painting_ball_relief(struct painting_run run, float *widths, long count) {
  for (long index = 0; index < count; index += 1) {
    float x = run.u + run.du * (float)index - 0.5f, y = run.v + run.dv * (float)index - 0.5f;
    float square = 1 / (2.2f * 2.2f) - x * x - y * y;
    widths[index] = square >= 0 ? sqrtf(square) : NAN;
  }
}

// MARK: Vase

static const float leans[3] = {-0.32f, 0.05f, 0.36f}, heights[3] = {0.05f, 0, 0.12f};

/// The middles of all leaves.
struct leaves {
  float x[27], y[27];
};

static struct leaves make_leaves(void) {
  struct leaves leaves;
  for (int index = 0; index < 27; index += 1) {
    float lean = leans[index / 9], height = heights[index / 9];
    float at = 0.35f + 0.08f * (float)(index % 9), side = index % 9 % 2 == 0 ? 1 : -1;
    leaves.x[index] = lean * at * at + side * 0.05f;
    leaves.y[index] = 1.05f - at * (1.05f - height);
  }
  return leaves;
}

static shade twigs(f4 x, f4 y, float pixel, const struct leaves *leaves) {
  shade c = {0, 0, 0, 0};
  // Below the vase's mouth there is none.
  if (!ANY(y < 1.05f)) return c;
  for (int index = 0; index < 27; index += 1) {
    if (index % 9 == 0) {
      float lean = leans[index / 9];
      f4 t = (1.05f - y) / (1.05f - heights[index / 9]);
      i4 grows = (t > 0) & (t < 1);
      if (ANY(grows)) {
        f4 stem = coverage(ABS(x - lean * t * t) - 0.008f, pixel);
        c = laid(c, 0.24f, 0.38f, 0.2f, grows ? stem : (f4)0);
      }
    }
    // Twenty-seven leaves would cost more than all the rest of the scene.
    f4 right = x - leaves->x[index], down = y - leaves->y[index];
    i4 is_near = (ABS(right) < 0.06f) & (ABS(down) < 0.09f);
    if (!ANY(is_near)) continue;
    float side = index % 9 % 2 == 0 ? 1 : -1, hue = (float)(index / 9);
    f4 dx = right / 0.055f, dy = (down + side * right * 0.8f) / 0.03f;
    f4 alpha = coverage((ROOT(dx * dx + dy * dy) - 1) * 0.035f, pixel);
    c = laid(c, 0.3f + 0.12f * hue, 0.52f - 0.06f * hue, 0.22f, is_near ? alpha : (f4)0);
  }
  return c;
}

static f4 vase_half(f4 s) {
  f4 angle = 0x1.921fb4p1f * least(s * 1.02f, (f4)1);
  f4 half;
  for (int lane = 0; lane < 4; lane += 1) {
    float swing = sinf(angle[lane]);
    half[lane] = powf(swing > 0 ? swing : 0, 1.3f);
  }
  return 0.1f + 0.24f * half + (s > 0.9f ? (f4)0.02f : (f4)0);
}

static shade vase(f4 u, f4 v, float pixel, const struct leaves *leaves) {
  f4 x = u - 0.5f, y = v * 2;
  shade c = twigs(x, y, pixel, leaves);
  // The body: a neck, a shoulder, a foot; nowhere wider than 0.36.
  f4 ends = most(0.95f - y, y - 1.96f);
  if (!ANY(coverage(most(ABS(x) - 0.361f, ends), pixel) > 0)) return c;
  f4 s = held((y - 0.95f) / 1.0f, 0, 1);
  f4 half = vase_half(s);
  f4 body = coverage(most(ABS(x) - half, ends), pixel);
  if (!ANY(body > 0)) return c;
  f4 across = held(x / half, -1, 1);
  f4 z = ROOT(1 - across * across);
  f4 light = 0.3f + 0.75f * most(-0.55f * across + 0.75f * z, (f4)0);
  f4 shine = thirtieth_power(most(-0.5f * across + 0.86f * z, (f4)0)) * 0.5f * (1 - ABS(s - 0.4f));
  f4 band = ((ABS(s - 0.5f) < 0.03f) | (ABS(s - 0.42f) < 0.012f)) ? (f4)1 : (f4)0;
  f4 glaze = 1 - band, glance = most(shine, (f4)0), keep = 1 - body;
  c.r = c.r * keep + held((0.16f * glaze + 0.9f * band) * light + glance, 0, 1) * body;
  c.g = c.g * keep + held((0.36f * glaze + 0.87f * band) * light + glance, 0, 1) * body;
  c.b = c.b * keep + held((0.52f * glaze + 0.78f * band) * light + glance, 0, 1) * body;
  c.a = c.a * keep + body;
  return c;
}

void painting_vase(struct painting_run run, void *colors, long count) {
  struct leaves leaves = make_leaves();
  PAINT_ROW(vase(u, v, run.pixel, &leaves))
}

// MARK: Shadow

static shade shadow(f4 u, f4 v) {
  f4 x = (u - 0.5f) * 2, y = (v - 0.5f) * 2;
  f4 radius = ROOT(x * x + y * y);
  f4 fall = 1 - radius * radius;
  return (shade){0, 0, 0, radius < 1 ? 0.6f * fall * fall : (f4)0};
}

void painting_shadow(struct painting_run run, void *colors, long count) { PAINT_ROW(shadow(u, v)) }

// MARK: Face

INLINE f4 ellipse(f4 x, f4 y, float cx, float cy, float rx, float ry, float pixel) {
  f4 dx = (x - cx) / rx, dy = (y - cy) / ry;
  return coverage((ROOT(dx * dx + dy * dy) - 1) * (rx < ry ? rx : ry) / 2, pixel);
}

INLINE shade laid_lit(shade c, float r, float g, float b, f4 light, f4 alpha) {
  f4 keep = 1 - alpha;
  return (shade){
      c.r * keep + r * light * alpha, c.g * keep + g * light * alpha, c.b * keep + b * light * alpha,
      c.a * keep + alpha};
}

static shade face(f4 u, f4 v, float pixel) {
  f4 x = (u - 0.5f) * 2, y = (v * 1.25f - 0.625f) * 2;
  shade c = {0, 0, 0, 0};
  c = laid(c, 0.23f, 0.15f, 0.1f, ellipse(x, y, 0, -0.22f, 0.86f, 0.95f, pixel));
  f4 light = 1 - 0.18f * most(x, (f4)0) - 0.08f * most(y, (f4)0);
  c = laid_lit(c, 0.89f, 0.7f, 0.58f, light, ellipse(x, y, -0.74f, 0.1f, 0.1f, 0.2f, pixel));
  c = laid_lit(c, 0.89f, 0.7f, 0.58f, light, ellipse(x, y, 0.74f, 0.1f, 0.1f, 0.2f, pixel));
  c = laid_lit(c, 0.89f, 0.7f, 0.58f, light, ellipse(x, y, 0, 0.1f, 0.72f, 1.02f, pixel));
  for (float side = -1; side <= 1; side += 2) {
    c = laid(c, 0.97f, 0.97f, 0.96f, ellipse(x, y, 0.28f * side, -0.08f, 0.15f, 0.085f, pixel));
    c = laid(c, 0.25f, 0.38f, 0.45f, ellipse(x, y, 0.28f * side, -0.08f, 0.075f, 0.08f, pixel));
    c = laid(c, 0.05f, 0.05f, 0.06f, ellipse(x, y, 0.28f * side, -0.08f, 0.035f, 0.038f, pixel));
    c = laid(c, 0.26f, 0.17f, 0.12f, ellipse(x, y, 0.28f * side, -0.26f, 0.17f, 0.032f, pixel));
  }
  c = laid_lit(c, 0.78f, 0.56f, 0.45f, light, ellipse(x, y, 0, 0.26f, 0.1f, 0.06f, pixel));
  c = laid(c, 0.72f, 0.33f, 0.33f, ellipse(x, y, 0, 0.58f, 0.27f, 0.09f, pixel));
  return laid(c, 0.95f, 0.93f, 0.9f, ellipse(x, y, 0, 0.555f, 0.2f, 0.035f, pixel));
}

void painting_face(struct painting_run run, void *colors, long count) { PAINT_ROW(face(u, v, run.pixel)) }
