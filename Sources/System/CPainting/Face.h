#ifndef CPAINTING_FACE_H
#define CPAINTING_FACE_H

#include "Surface.h"

// Eyes, brows, nose and mouth, drawn on the surface of a head, in metres from its middle.

#pragma STDC FP_CONTRACT OFF

/// One eye; returns how much of the pixels shows its ball.
static f4 eye(surface *s, const struct painting_figure *figure, f4 x, f4 y, float side, f4 on, float pixel) {
  const float half = 0.0158f;
  f4 out = x * side - 0.0318f, q = out / half;
  f4 low = y + 0.0035f + 0.0016f * q;
  f4 arch = most(1 - q * q, (f4)0);
  f4 lower = 0.0056f * arch;
  f4 upper = mixed(lower - 0.0004f, -0.0083f * arch * (1 + 0.10f * q), (f4)figure->open);
  // The hollow, and the fold above the lid.
  shade_by(s, 1 - 0.17f * on * spot(out, low, -0.002f, -0.004f, 0.030f, 0.020f));
  f4 fold = mixed(lower - 0.0004f, -0.0083f * arch, (f4)figure->open * 0.75f + 0.25f) - 0.0042f;
  f4 on_fold = coverage(ABS(low - fold) - 0.0006f, pixel + 0.0012f) * held(1.15f - q * q, 0, 1) * on;
  shade_by(s, 1 - 0.30f * on_fold);

  f4 ball = coverage(most(upper - low, low - lower), pixel) * (arch > 0 ? (f4)1 : (f4)0) * on;
  f4 under_lid = held((low - upper) / 0.006f, 0, 1);
  f4 white = 0.70f + 0.24f * under_lid - 0.10f * q * q;
  tint(s, 0, 0, 0, ball);
  s->r += white * ball;
  s->g += white * 0.975f * ball;
  s->b += white * 0.965f * ball;
  f4 ix = out - figure->gaze_x * side, iy = low - figure->gaze_y + 0.0014f;
  f4 radius = ROOT(ix * ix + iy * iy);
  f4 iris = coverage(radius - 0.0069f, pixel) * ball;
  f4 tone = (0.62f + 0.55f * held(0.5f + iy / 0.012f, 0, 1)) * (0.55f + 0.45f * under_lid);
  tone *= radius > 0.0057f ? (f4)0.62f : (f4)1;
  tint(s, 0, 0, 0, iris);
  s->r += figure->iris[0] * tone * iris;
  s->g += figure->iris[1] * tone * iris;
  s->b += figure->iris[2] * tone * iris;
  tint(s, 0.03f, 0.02f, 0.02f, coverage(radius - 0.0031f, pixel) * ball);
  f4 glint_x = -0.0022f + (f4)figure->gaze_x, glint_y = -0.0040f + (f4)figure->gaze_y;
  f4 glint = disc(out * side, low, glint_x, glint_y, 0.0016f, 0.0016f, pixel);
  tint(s, 1, 1, 1, 0.95f * glint * ball);
  f4 corner = disc(out, low, (f4)(-half + 0.0014f), (f4)0.0006f, 0.0016f, 0.0013f, pixel);
  tint(s, 0.75f, 0.42f, 0.38f, 0.7f * corner * ball);

  f4 in_lids = (arch > 0 ? (f4)1 : (f4)0) * on;
  f4 lashes = coverage(ABS(low - upper + 0.0004f) - 0.0008f - 0.0005f * held(q + 0.3f, 0, 1), pixel + 0.0004f);
  tint(s, 0.10f, 0.06f, 0.05f, 0.92f * lashes * in_lids);
  f4 lower_lashes = coverage(ABS(low - lower) - 0.0003f, pixel + 0.0008f);
  tint(s, 0.22f, 0.12f, 0.10f, 0.45f * lower_lashes * in_lids);
  return ball;
}

static void brow(surface *s, const struct painting_figure *figure, f4 x, f4 y, float side, f4 on, float pixel) {
  f4 q = (x * side - 0.0335f) / 0.0225f;
  f4 middle = -0.0262f - 0.0040f * (1 - (q - 0.25f) * (q - 0.25f));
  f4 half = 0.0027f - 0.0014f * held(q, 0, 1);
  f4 ends = held((1 - ABS(q)) * 6, 0, 1);
  f4 strands = 0.80f + 0.45f * (grain(x * side * 1500 + y * 900 + 90, y * 300 + 90) - 0.25f);
  f4 share = coverage(ABS(y - middle) - half, pixel + 0.0014f) * ends * on * held(strands, 0, 1);
  const float *hair = figure->hair;
  tint(s, hair[0] * 0.62f, hair[1] * 0.58f, hair[2] * 0.55f, 0.82f * share);
}

static void mouth(surface *s, const struct painting_figure *figure, f4 x, f4 y, f4 on, float pixel) {
  const float half = 0.0255f;
  f4 q = x / half, square = q * q, arch = most(1 - square, (f4)0);
  f4 line = 0.0630f - figure->smile * 0.0062f * square + 0.0010f * most(1 - 9 * square, (f4)0);
  f4 bow = 0.0068f * arch - 0.0016f * most(1 - 22 * square, (f4)0);
  f4 swell = 0.0094f * arch * (1 - 0.25f * square);
  shade_by(s, 1 - 0.22f * on * spot(x, y, 0, 0.0790f, 0.017f, 0.0055f));
  f4 in = on * held(arch * 12, 0, 1);
  f4 upper = coverage(most(line - bow - y, y - line), pixel + 0.0009f) * in;
  f4 lower = coverage(most(line - y, y - line - swell), pixel + 0.0009f) * in;
  const float *skin = figure->skin;
  tint(s, skin[0] * 0.78f, skin[1] * 0.50f, skin[2] * 0.52f, 0.85f * upper);
  tint(s, skin[0] * 0.88f, skin[1] * 0.58f, skin[2] * 0.59f, 0.85f * lower);
  f4 gleam = spot(x, y, -0.004f, 0.0675f, 0.011f, 0.0024f) * lower;
  tint(s, 1, 0.95f, 0.93f, 0.35f * gleam);
  f4 gap = coverage(ABS(y - line) - 0.0006f, pixel + 0.0006f) * held((1.06f - square) * 9, 0, 1) * on;
  tint(s, skin[0] * 0.40f, skin[1] * 0.14f, skin[2] * 0.14f, 0.85f * gap);
  for (float side = -1; side <= 1; side += 2) {
    float corner = 0.0630f - figure->smile * 0.0062f;
    shade_by(s, 1 - 0.25f * on * spot(x * side, y, half + 0.0015f, corner, 0.0045f, 0.0045f));
  }
}

/// Draws the features on the surface of the head; returns how much of the pixels shows the balls of the eyes.
static f4 features(surface *s, const struct painting_figure *figure, f4 x, f4 y, float pixel) {
  f4 hx, hy, hz;
  in_head(figure, x, y, s->z, &hx, &hy, &hz);
  f4 on = s->face * held((hz - 0.012f) * 40, 0, 1);
  if (!ANY(on > 0)) return (f4)0;
  f4 balls = 0;
  for (float side = -1; side <= 1; side += 2) {
    f4 blush = spot(hx * side, hy, 0.043f, 0.035f, 0.030f, 0.024f) * on;
    s->g *= 1 - 0.10f * blush;
    s->b *= 1 - 0.09f * blush;
    // From the wing of the nose to the corner of the mouth.
    f4 crease = coverage(ABS(hx * side - 0.0195f - (hy - 0.038f) * 0.55f) - 0.0004f, pixel + 0.0030f);
    f4 along = held(1 - ABS(hy - 0.047f) / 0.012f, 0, 1);
    shade_by(s, 1 - 0.16f * (0.4f + 0.6f * figure->smile) * crease * along * on);
    shade_by(s, 1 - 0.55f * on * disc(hx * side, hy, (f4)0.0078f, (f4)0.0405f, 0.0042f, 0.0021f, pixel + 0.0012f));
  }
  shade_by(s, 1 - 0.16f * on * spot(hx, hy, 0, 0.048f, 0.012f, 0.007f));
  f4 tip = spot(hx, hy, 0, 0.033f, 0.016f, 0.013f) * on;
  s->g *= 1 - 0.05f * tip;
  s->b *= 1 - 0.05f * tip;
  mouth(s, figure, hx, hy, on, pixel);
  for (float side = -1; side <= 1; side += 2) balls += eye(s, figure, hx, hy, side, on, pixel);
  for (float side = -1; side <= 1; side += 2) brow(s, figure, hx, hy, side, on, pixel);
  return balls;
}

#endif
