// Denoising and sharpening of the merged picture; a part of Loops.h.
//
// The stationary wavelet transform "with holes" (Holschneider et al. 1989; Starck & Murtagh 1994, with the B3 spline 1 4 6 4 1):
// details of three scales are shrunk by what noise leaves in them, and what is surely more than noise is raised.

#define SCALES FUSION_SCALES
/// The pixels around that the scales look at: 2 + 4 + 8.
#define REACH 14
_Static_assert(FUSION_DEVELOP_ROOM == 5 * FUSION_DEVELOP_STRIDE * (FUSION_DEVELOP_HEIGHT + 2 * REACH), "room");

/// Reads the part at (x, y) with `REACH` pixels around it; the edges go on.
static void read_field(const fusion_plane *p, int x, int y, int width, int height, field to) {
  int step = p->step, count = (width + 2 * REACH) * step, all = p->width * step, first = (x - REACH) * step;
  int left = first < 0 ? -first : 0, right = all - first < count ? all - first : count;
  for (int row = 0; row < height + 2 * REACH; row++) {
    const uint8_t *from = p->base + held(y - REACH + row, p->height) * p->stride;
    int16_t *place = to.base + row * to.stride;
    int i = left;
    for (; i + 16 <= right; i += 16) write16(place + i, read_samples(from + (ptrdiff_t)(first + i) * p->bytes, p->bytes));
    for (; i < right; i++) {
      const uint8_t *sample = from + (ptrdiff_t)(first + i) * p->bytes;
      place[i] = p->bytes == 1 ? (int16_t)(*sample << 6) : (int16_t)((sample[0] | sample[1] << 8) >> 2);
    }
    for (i = left - 1; i >= 0; i--) place[i] = place[i + step];
    for (i = right; i < count; i++) place[i] = place[i - step];
  }
}

INLINE lanes spline(lanes a, lanes b, lanes c, lanes d, lanes e) {
  return plus(plus(times(plus(a, e), all(2048)), times(plus(b, d), all(8192))), times(c, all(12288)));
}

/// One scale of the spline, `hole` pixels between its taps, where `from` is known: within `margin` pixels of the field's edges.
/// Columns that later scales need, then rows.
static void smooth(field from, field between, field to, int step, int width, int height, int hole, int margin) {
  int side = hole * step, inner = margin + 2 * hole;
  for (int row = margin; row < height + 2 * REACH - margin; row++) {
    const int16_t *line = from.base + row * from.stride;
    for (int i = inner * step; i < (width + 2 * REACH - inner) * step; i += 16) {
      write16(between.base + row * between.stride + i,
              spline(read16(line + i - 2 * side), read16(line + i - side), read16(line + i), read16(line + i + side),
                     read16(line + i + 2 * side)));
    }
  }
  ptrdiff_t down = hole * between.stride;
  for (int row = inner; row < height + 2 * REACH - inner; row++) {
    const int16_t *line = between.base + row * between.stride;
    for (int i = inner * step; i < (width + 2 * REACH - inner) * step; i += 16) {
      write16(to.base + row * to.stride + i,
              spline(read16(line + i - 2 * down), read16(line + i - down), read16(line + i), read16(line + i + down),
                     read16(line + i + 2 * down)));
    }
  }
}

/// Rounds and writes rows of `samples` samples, 14 bits each, to (x, y) of `target`.
static void write_rows(field from, const fusion_plane *target, int x, int y, int samples, int height) {
  int narrow = target->bytes == 1, shift = narrow ? 6 : 4, half = 1 << (shift - 1), top = narrow ? 255 : 1023;
  for (int row = 0; row < height; row++) {
    const int16_t *line = from.base + row * from.stride;
    uint8_t *place = target->base + (y + row) * target->stride + (ptrdiff_t)x * target->step * target->bytes;
    for (int i = 0; i < samples; i += 16) {
      lanes value = plus(read16(line + i), all((int16_t)half));
      value = most(least(narrow ? shifted(value, 6) : shifted(value, 4), all((int16_t)top)), all(0));
      int16_t out[16];
      write16(out, value);
      int rest = samples - i < 16 ? samples - i : 16;
      if (narrow) {
        uint8_t bytes[16];
        for (int k = 0; k < 16; k++) bytes[k] = (uint8_t)out[k];
        if (rest == 16)
          memcpy(place + i, bytes, 16);
        else
          memcpy(place + i, bytes, (size_t)rest);
      } else {
        uint16_t words[16];
        for (int k = 0; k < 16; k++) words[k] = (uint16_t)(out[k] << 6);
        memcpy(place + 2 * i, words, 2 * (size_t)rest);
      }
    }
  }
}

/// One detail: without the part that noise explains, and raised where it is surely more.
INLINE lanes shaped(lanes d, lanes deviation, lanes shrink, lanes raise, lanes cap) {
  lanes size = most(d, minus(all(0), d));
  // Four times a quarter of the limit, which is up to four deviations.
  lanes limit = plus(deviation, deviation);
  limit = times(plus(limit, limit), shrink);
  // All below the limit goes, nothing above five times that: an edge keeps its contrast.
  lanes twice = plus(limit, limit);
  lanes fading = shifted(minus(plus(plus(twice, twice), limit), size), 2);
  lanes gone = most(least(least(size, limit), fading), all(0));
  lanes sure = most(minus(size, plus(deviation, deviation)), all(0));
  lanes more = least(times(sure, raise), cap);
  lanes kept = plus(minus(size, gone), more);
  // The sign of d again.
  lanes sign = shifted(d, 15);
  return minus(flipped(kept, sign), sign);
}

static void develop(const fusion_plane *source, const fusion_plane *target, int x, int y, int width, int height,
                    const fusion_development *how, const int16_t *cells, int columns, int rows, int tall,
                    const fusion_tone *tone, int16_t *room) {
  int step = source->step, samples = width * step;
  ptrdiff_t stride = FUSION_DEVELOP_STRIDE;
  ptrdiff_t size = stride * (FUSION_DEVELOP_HEIGHT + 2 * REACH);
  field now = {room, stride}, next = {room + size, stride}, between = {room + 2 * size, stride};
  field sum = {room + 3 * size, stride};
  int16_t *deviations = room + 4 * size;
  read_field(source, x, y, width, height, now);
  const lanes raise[3] = {all(how->raise[0]), all(how->raise[1]), all(how->raise[2])};
  int margin = 0;
  for (int scale = 0; scale < SCALES; scale++) {
    int hole = 1 << scale;
    smooth(now, between, next, step, width, height, hole, margin);
    lanes shrink = all(how->shrink[scale]), cap = all(how->cap), sure = all(how->gain[scale]);
    for (int row = 0; row < height; row++) {
      if (scale == 0) {
        read_cells(cells, columns, rows, tall, x * step, y + row, samples, deviations + row * stride);
      }
      const int16_t *fine = now.base + (row + REACH) * stride + REACH * step;
      const int16_t *coarse = next.base + (row + REACH) * stride + REACH * step;
      int16_t *to = sum.base + row * stride;
      for (int i = 0; i < samples; i += 16) {
        lanes deviation = times(read16(deviations + row * stride + i), sure);
        lanes d = shaped(minus(read16(fine + i), read16(coarse + i)), deviation, shrink, raise[scale], cap);
        if (scale > 0) d = plus(d, read16(to + i));
        if (scale == SCALES - 1) d = plus(d, read16(coarse + i));
        write16(to + i, d);
      }
    }
    field old = now;
    now = next;
    next = old;
    margin += 2 * hole;
  }
  if (tone) map_tones(tone, step, x, y, samples, height, columns, rows, tall, sum);
  write_rows(sum, target, x, y, samples, height);
}
