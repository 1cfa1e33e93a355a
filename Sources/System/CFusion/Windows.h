// Parts of planes as blocks of samples; a part of Loops.h.

/// The most bytes of a window that reaches outside: 16 + 2 x 8 pixels of pairs of words, and as many rows.
#define WINDOW (40 * 40 * 2)

static inline int held(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

/// The same pixel of 1, 2 or 4 bytes from `place` up to `end`.
static inline void repeat(uint8_t *place, const uint8_t *end, const uint8_t *value, int pixel) {
  // By size: a copy of a number of bytes that the compiler does not know is a call.
  switch (pixel) {
    case 1:
      for (uint8_t one = *value; place < end; place++) *place = one;
      break;
    case 2:
      for (; place < end; place += 2) memcpy(place, value, 2);
      break;
    default:
      for (; place < end; place += 4) memcpy(place, value, 4);
  }
}

/// The memory of `w` x `h` pixels at (x, y), in place, or with the edges continued in `room`.
static inline const uint8_t *window(const fusion_plane *p, int x, int y, int w, int h, uint8_t *room, ptrdiff_t *stride) {
  int pixel = p->bytes * p->step;
  if (x >= 0 && y >= 0 && x + w <= p->width && y + h <= p->height) {
    *stride = p->stride;
    return p->base + y * p->stride + (ptrdiff_t)x * pixel;
  }
  *stride = (ptrdiff_t)w * pixel;
  int left = held(-x, w + 1), right = held(p->width - x, w + 1);
  for (int row = 0; row < h; row++) {
    const uint8_t *from = p->base + held(y + row, p->height) * p->stride;
    uint8_t *place = room + row * *stride;
    if (left < right) memcpy(place + left * pixel, from + (ptrdiff_t)(x + left) * pixel, (size_t)(right - left) * pixel);
    repeat(place, place + left * pixel, from, pixel);
    repeat(place + right * pixel, place + *stride, from + (ptrdiff_t)(p->width - 1) * pixel, pixel);
  }
  return room;
}

INLINE lanes read_samples(const uint8_t *p, int bytes) { return bytes == 1 ? read_bytes(p) : read_words(p); }

INLINE void filtered(const uint8_t *base, ptrdiff_t stride, int bytes, int step, int px, int py, int rows, int16_t *block) {
  // `base` is the block's pixel itself; rows and pixels around it belong to the window.
  int16_t lines[(16 + 5) * 16] __attribute__((aligned(32)));
  const int16_t *h = fusion_constants.taps[px], *v = fusion_constants.taps[py];
  int above = py ? 2 : 0, count = py ? rows + 5 : rows;
  int16_t *out = py ? lines : block;
  base -= above * stride;
  if (px == 0) {
    for (int y = 0; y < count; y++) write16(out + 16 * y, read_samples(base + y * stride, bytes));
  } else {
    lanes t0 = all(h[0]), t1 = all(h[1]), t2 = all(h[2]), t3 = all(h[3]), t4 = all(h[4]), t5 = all(h[5]);
    int pixel = bytes * step;
    for (int y = 0; y < count; y++) {
      const uint8_t *row = base + y * stride - 2 * pixel;
      // Outer taps first, so that no partial sum leaves 16 bits.
      lanes s = plus(times(read_samples(row, bytes), t0), times(read_samples(row + 5 * pixel, bytes), t5));
      s = plus(s, plus(times(read_samples(row + pixel, bytes), t1), times(read_samples(row + 4 * pixel, bytes), t4)));
      s = plus(s, plus(times(read_samples(row + 2 * pixel, bytes), t2), times(read_samples(row + 3 * pixel, bytes), t3)));
      write16(out + 16 * y, s);
    }
  }
  if (py == 0) return;
  lanes t0 = all(v[0]), t1 = all(v[1]), t2 = all(v[2]), t3 = all(v[3]), t4 = all(v[4]), t5 = all(v[5]);
  lanes a = read16(lines), b = read16(lines + 16), c = read16(lines + 32), d = read16(lines + 48), e = read16(lines + 64);
  for (int y = 0; y < rows; y++) {
    lanes f = read16(lines + 16 * (y + 5));
    lanes s = plus(times(a, t0), times(f, t5));
    s = plus(s, plus(times(b, t1), times(e, t4)));
    s = plus(s, plus(times(c, t2), times(d, t3)));
    write16(block + 16 * y, s);
    a = b, b = c, c = d, d = e, e = f;
  }
}

static void predict(const fusion_plane *plane, int x, int y, int mx, int my, int rows, int16_t *block) {
  uint8_t room[WINDOW];
  ptrdiff_t stride;
  int width = 16 / plane->step, pixel = plane->bytes * plane->step;
  const uint8_t *base = window(plane, x + (mx >> 6) - 2, y + (my >> 6) - 2, width + 5, rows + 5, room, &stride);
  if (base != room) {
    // The next blocks of the row: so many rows are more streams than a processor foresees.
    for (int row = 0; row < rows + 5; row++) __builtin_prefetch(base + row * stride + 80);
  }
  base += 2 * stride + 2 * pixel;
  int px = mx & 63, py = my & 63;
  if (plane->bytes == 1 && plane->step == 1)
    filtered(base, stride, 1, 1, px, py, rows, block);
  else if (plane->bytes == 1)
    filtered(base, stride, 1, 2, px, py, rows, block);
  else if (plane->step == 1)
    filtered(base, stride, 2, 1, px, py, rows, block);
  else
    filtered(base, stride, 2, 2, px, py, rows, block);
}
