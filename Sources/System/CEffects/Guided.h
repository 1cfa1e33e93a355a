// The guided filter over three colours, in windows of nine cells; a part of Loops.h.

enum { kReach = 4, kMargin = 8, kSums = 13 };

/// One of the sums over a column of the window, with margins of 0.
INLINE float *column(float *room, int index, int width) {
  return room + (ptrdiff_t)index * (width + 4 * kMargin) + kMargin;
}

/// The mean over a row of nine.
INLINE eight across(const float *p, eight share) {
  eight sum = read8(p - 4);
  for (int k = -3; k <= 4; k++) sum += read8(p + k);
  return sum * share;
}

/// One over the cells of the windows around eight cells.
INLINE eight shares(int x, int y, int width, int height) {
  const int rows = (y + kReach < height ? y + kReach : height - 1) - (y > kReach ? y - kReach : 0) + 1;
  eight a;
  for (int k = 0; k < 8; k++) {
    int left = x + k > kReach ? x + k - kReach : 0, right = x + k + kReach < width ? x + k + kReach : width - 1;
    int count = right - left + 1;
    a[k] = 1 / (float)((count > 0 ? count : 1) * rows);
  }
  return a;
}

/// Adds a row to the sums, or takes it away.
static void add_products(const effects_colors *c, const effects_field *mask, int y, float sign, int width, float *room) {
  const float *py = cells(&c->luma, y), *pu = cells(&c->blue, y), *pv = cells(&c->red, y), *pm = cells(mask, y);
  float *s[kSums];
  for (int k = 0; k < kSums; k++) s[k] = column(room, k, width);
  for (int x = 0; x < width; x += 8) {
    const eight a = read8(py + x), b = read8(pu + x), d = read8(pv + x), m = read8(pm + x);
    const eight sa = a * sign, sb = b * sign, sd = d * sign, sm = m * sign;
    const eight all[kSums] = {sa, sb, sd, sm, sa * a, sa * b, sa * d, sb * b, sb * d, sd * d, sa * m, sb * m, sd * m};
    for (int k = 0; k < kSums; k++) write8(s[k] + x, read8(s[k] + x) + all[k]);
  }
}

static void fit(const effects_colors *c, const effects_field *mask, float variance, const effects_lines *lines, int32_t first,
                int32_t last, float *room) {
  const int width = mask->width, height = mask->height;
  memset(room, 0, sizeof(float) * kSums * (size_t)(width + 4 * kMargin));
  for (int y = first - kReach; y < first + kReach; y++)
    if (y >= 0 && y < height) add_products(c, mask, y, 1, width, room);
  const float *s[kSums];
  for (int k = 0; k < kSums; k++) s[k] = column(room, k, width);
  for (int y = first; y < last; y++) {
    if (y + kReach < height) add_products(c, mask, y + kReach, 1, width, room);
    float *oy = cells(&lines->slopes.luma, y), *ou = cells(&lines->slopes.blue, y), *ov = cells(&lines->slopes.red, y);
    float *ob = cells(&lines->base, y);
    const eight middle = shares(kReach, y, 2 * kReach + 8, height);
    for (int x = 0; x < width; x += 8) {
      const eight share = x >= kReach && x + 7 + kReach < width ? middle : shares(x, y, width, height);
      eight m[kSums];
      for (int k = 0; k < kSums; k++) m[k] = across(s[k] + x, share);
      const eight yy = m[4] - m[0] * m[0] + variance, yu = m[5] - m[0] * m[1], yv = m[6] - m[0] * m[2];
      // Chroma varies less than luma does.
      const eight uu = m[7] - m[1] * m[1] + variance / 4, uv = m[8] - m[1] * m[2], vv = m[9] - m[2] * m[2] + variance / 4;
      const eight ym = m[10] - m[0] * m[3], um = m[11] - m[1] * m[3], vm = m[12] - m[2] * m[3];
      const eight c00 = uu * vv - uv * uv, c01 = uv * yv - yu * vv, c02 = yu * uv - uu * yv;
      const eight c11 = yy * vv - yv * yv, c12 = yu * yv - yy * uv, c22 = yy * uu - yu * yu;
      const eight one = 1 / (yy * c00 + yu * c01 + yv * c02);
      const eight ay = (c00 * ym + c01 * um + c02 * vm) * one, au = (c01 * ym + c11 * um + c12 * vm) * one;
      const eight av = (c02 * ym + c12 * um + c22 * vm) * one;
      write8(oy + x, ay);
      write8(ou + x, au);
      write8(ov + x, av);
      write8(ob + x, m[3] - ay * m[0] - au * m[1] - av * m[2]);
    }
    // What lies beyond the width counts as nothing in the means.
    for (int x = width; x < (width + 7) / 8 * 8; x++) oy[x] = ou[x] = ov[x] = ob[x] = 0;
    if (y >= kReach) add_products(c, mask, y - kReach, -1, width, room);
  }
}

static void add_row(const effects_field *f, int y, float sign, float *sums) {
  const float *p = cells(f, y);
  for (int x = 0; x < f->width; x += 8) write8(sums + x, read8(sums + x) + read8(p + x) * sign);
}

static void mean(const effects_field *f, const effects_field *out, int32_t first, int32_t last, float *room) {
  const int width = f->width, height = f->height;
  memset(room, 0, sizeof(float) * (size_t)(width + 4 * kMargin));
  float *s = column(room, 0, width);
  for (int y = first - kReach; y < first + kReach; y++)
    if (y >= 0 && y < height) add_row(f, y, 1, s);
  for (int y = first; y < last; y++) {
    if (y + kReach < height) add_row(f, y + kReach, 1, s);
    float *o = cells(out, y);
    const eight middle = shares(kReach, y, 2 * kReach + 8, height);
    for (int x = 0; x < width; x += 8)
      write8(o + x, across(s + x, x >= kReach && x + 7 + kReach < width ? middle : shares(x, y, width, height)));
    for (int x = width; x < (width + 7) / 8 * 8; x++) o[x] = 0;
    if (y >= kReach) add_row(f, y - kReach, -1, s);
  }
}

INLINE eight stretched(eight a, const effects_lines *l) { return smooth(unit((a - l->low) * (1 / (l->high - l->low)))); }

static void cut(const effects_lines *l, const effects_colors *c, const effects_field *centered, uint8_t *mask, int32_t first,
                int32_t last) {
  const int width = l->base.width;
  for (int y = first; y < last; y++) {
    const float *py = cells(&c->luma, y), *pu = cells(&c->blue, y), *pv = cells(&c->red, y), *b = cells(&l->base, y);
    const float *ay = cells(&l->slopes.luma, y), *au = cells(&l->slopes.blue, y), *av = cells(&l->slopes.red, y);
    float *out = cells(centered, y);
    for (int x = 0; x < width; x += 8) {
      const eight from = read8(au + x) * read8(pu + x) + read8(av + x) * read8(pv + x) + read8(b + x);
      const eight value = read8(ay + x) * read8(py + x) + from;
      write8(out + x, from);
      write_bytes(mask + (ptrdiff_t)y * width + x, stretched(value, l) * 255 + 0.5f, width - x);
    }
  }
}
