// Tone mapping of a part of the picture, before it is rounded; a part of Loops.h.
//
// Y' = Y + L Y (1 - Y), with Y from 0 (black) to 1 (white): the darkest grows by 1 + L, black and white stay where they are, and for
// L up to 1 the order of brightness stays. Colour differences grow by the same factor, so that hue and saturation stay. L is a line
// over the pixel's own luma, L = a Y + b (He, Sun & Tang 2013, "Guided image filtering", equation 8), between the lines of the cells
// around; or one curve for all.

INLINE lanes eightfold(lanes a) {
  a = plus(a, a);
  a = plus(a, a);
  return plus(a, a);
}

/// The factor less one, in 1/32768, of what has this luma.
INLINE lanes lift_of(lanes luma, const int16_t *slopes, const int16_t *offsets, const fusion_tone *tone) {
  lanes y = least(most(minus(luma, all(tone->black)), all(0)), all(tone->span));
  lanes share = times(y, all(tone->unit));  // Y, in 1/8192
  lanes lift = all(tone->most);
  if (slopes) {
    lift = least(most(plus(times(y, read16(slopes)), read16(offsets)), all(0)), lift);
  } else {
    // One smooth step down, from black to the middle: 1 - t t (3 - 2 t).
    lanes t = eightfold(share);
    lanes quarter = times(times(t, t), minus(all(24576), shifted(t, 1)));
    quarter = plus(quarter, quarter);
    lift = minus(lift, times(lift, plus(quarter, quarter)));
  }
  lanes product = times(eightfold(lift), most(minus(all(8192), share), all(0)));
  product = plus(product, product);
  return plus(product, product);
}

/// The luma of `pairs` pairs of chroma from (x, y) of their plane on, twice each.
static void read_pair_luma(const fusion_plane *p, int x, int y, int pairs, int sharesRows, int16_t *out) {
  int top = sharesRows ? 2 * y : y, bottom = sharesRows && 2 * y + 1 < p->height ? top + 1 : top;
  const uint8_t *a = p->base + top * p->stride, *b = p->base + bottom * p->stride;
  int whole = p->width / 2 - x < pairs ? p->width / 2 - x : pairs;
  int i = 0;
  if (p->bytes == 1) {
    for (; i < whole; i++) {
      int from = 2 * (x + i);
      out[2 * i] = out[2 * i + 1] = (int16_t)((a[from] + a[from + 1] + b[from] + b[from + 1]) << 4);
    }
    // The last pair of an odd width has one.
    for (; i < pairs; i++) out[2 * i] = out[2 * i + 1] = (int16_t)((a[p->width - 1] + b[p->width - 1]) << 5);
    return;
  }
  const uint16_t *c = (const uint16_t *)(const void *)a, *d = (const uint16_t *)(const void *)b;
  for (; i < whole; i++) {
    int from = 2 * (x + i);
    out[2 * i] = out[2 * i + 1] = (int16_t)((c[from] + c[from + 1] + d[from] + d[from + 1]) >> 4);
  }
  for (; i < pairs; i++) out[2 * i] = out[2 * i + 1] = (int16_t)((c[p->width - 1] + d[p->width - 1]) >> 3);
}

/// Maps a developed part, which lies at (x, y) of its plane, in place.
static void map_tones(const fusion_tone *tone, int step, int x, int y, int samples, int height, int columns, int rows, int tall,
                      field part) {
  int16_t slopes[FUSION_DEVELOP_WIDTH], offsets[FUSION_DEVELOP_WIDTH], luma[FUSION_DEVELOP_WIDTH + 16];
  lanes middle = all(8192);
  for (int row = 0; row < height; row++) {
    int16_t *line = part.base + row * part.stride;
    if (tone->slopes) {
      read_cells(tone->slopes, columns, rows, tall, x * step, y + row, samples, slopes);
      read_cells(tone->offsets, columns, rows, tall, x * step, y + row, samples, offsets);
    }
    if (step == 2) {
      read_pair_luma(&tone->luma, x, y + row, samples / 2, tall == 8, luma);
      for (int i = samples; i % 16 != 0; i++) luma[i] = luma[samples - 1];
    }
    for (int i = 0; i < samples; i += 16) {
      const int16_t *slope = tone->slopes ? slopes + i : 0;
      lanes value = read16(line + i);
      if (step == 2) {
        lanes lift = lift_of(read16(luma + i), slope, offsets + i, tone);
        value = plus(value, times(minus(value, middle), lift));
      } else {
        lanes lift = lift_of(value, slope, offsets + i, tone);
        value = plus(value, times(most(minus(value, all(tone->black)), all(0)), lift));
      }
      write16(line + i, value);
    }
  }
}
