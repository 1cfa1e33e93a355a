// Reducing pictures to fields, and averaging fields over time; a part of Loops.h.

enum { kColumns = 2048 };

/// Adds `rows` rows of bytes.
static void add_rows(const uint8_t *p, ptrdiff_t stride, int rows, int count, uint16_t *sums) {
  for (int x = 0; x < count; x++) sums[x] = p[x];
  for (int y = 1; y < rows; y++) {
    const uint8_t *q = p + y * stride;
    for (int x = 0; x < count; x++) sums[x] = (uint16_t)(sums[x] + q[x]);
  }
}

/// Means of `factor` sums, of which each is of `rows` samples; `step` apart.
INLINE void means(const uint16_t *sums, int step, int factor, int rows, int count, float *out) {
  const float scale = 1 / (float)(factor * rows);
  for (int i = 0; i < count; i++) {
    int sum = 0;
    for (int k = 0; k < factor; k++) sum += sums[(i * factor + k) * step];
    out[i] = (float)sum * scale;
  }
}

INLINE void some_means(const uint16_t *sums, int step, int factor, int rows, int count, float *out) {
  switch (factor) {
  case 1: return means(sums, step, 1, rows, count, out);
  case 2: return means(sums, step, 2, rows, count, out);
  case 4: return means(sums, step, 4, rows, count, out);
  default: return means(sums, step, factor, rows, count, out);
  }
}

/// One row of cells from rows of samples, `step` to a pixel: of each kind of sample a field.
static void reduce_row(const uint8_t *p, ptrdiff_t stride, int step, int width, int rows, int factor,
                       const effects_field *a, const effects_field *b, int y) {
  uint16_t sums[2 * kColumns];
  float *outA = cells(a, y), *outB = b ? cells(b, y) : NULL;
  const int most = kColumns / factor, whole = width / factor;
  for (int from = 0; from < whole; from += most) {
    const int count = whole - from < most ? whole - from : most;
    add_rows(p + (ptrdiff_t)from * factor * step, stride, rows, count * factor * step, sums);
    some_means(sums, step, factor, rows, count, outA + from);
    if (b) some_means(sums + 1, step, factor, rows, count, outB + from);
  }
  const int rest = width - whole * factor;
  if (rest && whole < a->width) {
    add_rows(p + (ptrdiff_t)whole * factor * step, stride, rows, rest * step, sums);
    means(sums, step, rest, rows, 1, outA + whole);
    if (b) means(sums + 1, step, rest, rows, 1, outB + whole);
  }
}

static void reduce(const effects_picture *p, int32_t factor, const effects_colors *c, int32_t first, int32_t last) {
  const int half = factor / 2, wide = (p->width + 1) / 2, high = (p->height + 1) / 2;
  for (int y = first; y < last; y++) {
    int rows = p->height - y * factor < factor ? p->height - y * factor : factor;
    reduce_row(p->luma + (ptrdiff_t)y * factor * p->lumaStride, p->lumaStride, 1, p->width, rows, factor, &c->luma, NULL, y);
    rows = high - y * half < half ? high - y * half : half;
    reduce_row(p->chroma + (ptrdiff_t)y * half * p->chromaStride, p->chromaStride, 2, wide, rows, half, &c->blue, &c->red, y);
  }
}

static void changes(const effects_colors *a, const effects_colors *b, const effects_field *out, int32_t first, int32_t last) {
  for (int y = first; y < last; y++) {
    const float *ay = cells(&a->luma, y), *au = cells(&a->blue, y), *av = cells(&a->red, y);
    const float *by = cells(&b->luma, y), *bu = cells(&b->blue, y), *bv = cells(&b->red, y);
    float *o = cells(out, y);
    for (int x = 0; x < out->width; x += 8)
      write8(o + x, size_of(read8(ay + x) - read8(by + x)) + size_of(read8(au + x) - read8(bu + x))
                      + size_of(read8(av + x) - read8(bv + x)));
  }
}

static void approach(const effects_field *a, const effects_field *now, const effects_field *share, float same,
                     const effects_field *target, int32_t first, int32_t last) {
  for (int y = first; y < last; y++) {
    float *o = cells(target, y);
    const float *p = cells(a, y), *n = cells(now, y), *s = share ? cells(share, y) : NULL;
    for (int x = 0; x < a->width; x += 8) {
      eight before = read8(p + x);
      write8(o + x, before + (read8(n + x) - before) * (s ? read8(s + x) : (eight)same));
    }
  }
}

static void write_colors(const effects_colors *c, const effects_picture *p, int32_t first, int32_t last) {
  const int wide = (p->width + 1) / 2;
  for (int y = first; y < last; y++) {
    const float *luma = cells(&c->luma, y), *blue = cells(&c->blue, y), *red = cells(&c->red, y);
    for (int x = 0; x < p->width; x += 8) write_bytes(p->luma + y * p->lumaStride + x, read8(luma + x) + 0.5f, p->width - x);
    if (y % 2) continue;
    // A pair has the colour of the first of its four cells.
    uint8_t *to = p->chroma + y / 2 * p->chromaStride;
    for (int x = 0; x < wide; x++) {
      to[2 * x] = (uint8_t)(blue[2 * x] + 0.5f);
      to[2 * x + 1] = (uint8_t)(red[2 * x] + 0.5f);
    }
  }
}

static void settle(const effects_field *d, float few, float enough, float more, const effects_colors *a,
                   const effects_colors *now, const effects_field *share, int32_t first, int32_t last) {
  const float slope = 1 / (more - enough);
  for (int y = first; y < last; y++) {
    const float *r[3];
    for (int k = 0; k < 3; k++) r[k] = cells(d, inside(y + k - 1, d->height));
    float *o = cells(share, y);
    for (int x = 0; x < d->width; x += 8) {
      // Of the cell and those right and left of it, above and below; at the left edge those on the right count twice.
      const int left = x ? x - 1 : 0;
      eight sum = 0;
      for (int k = 0; k < 3; k++) sum += read8(r[k] + x) + read8(r[k] + left) + read8(r[k] + x + 1);
      write8(o + x, least((eight)few + most((sum / 9 - enough) * slope, (eight)0), (eight)1));
    }
  }
  approach(&a->luma, &now->luma, share, 0, &a->luma, first, last);
  approach(&a->blue, &now->blue, share, 0, &a->blue, first, last);
  approach(&a->red, &now->red, share, 0, &a->red, first, last);
}

static void glow(const effects_field *f, const float *across, const float *down, int32_t first, int32_t last) {
  for (int y = first; y < last; y++) {
    float *o = cells(f, y);
    for (int x = 0; x < f->width; x++) o[x] += across[x] * down[y];
  }
}

static void place(const uint8_t *mask, int32_t width, int32_t height, float scaleX, float shiftX, float scaleY, float shiftY,
                  float low, float high, const effects_field *f, int32_t first, int32_t last, float *room) {
  const float slope = 1 / (high - low);
  float *across = room + width, *line = across + f->width;
  int32_t *lefts = (int32_t *)(void *)(line + f->width);
  // Where the cells of a row lie; those beyond the mask keep 0.
  int begin = 0, end = f->width;
  while (begin < end && (float)begin * scaleX + shiftX < -0.5f) begin++;
  while (end > begin && (float)(end - 1) * scaleX + shiftX > (float)width - 0.5f) end--;
  for (int x = begin; x < end; x++) {
    const float u = (float)x * scaleX + shiftX;
    lefts[x] = inside((int)(u < 0 ? 0 : u), width - 1);
    across[x] = u < 0 ? 0 : u > (float)(width - 1) ? 1 : u - (float)lefts[x];
  }
  for (int y = first; y < last; y++) {
    float *o = cells(f, y);
    const float v = (float)y * scaleY + shiftY;
    memset(o, 0, (size_t)f->width * sizeof(float));
    if (v < -0.5f || v > (float)height - 0.5f) continue;
    const int top = v < 0 ? 0 : (int)v, bottom = inside(top + 1, height);
    const float down = v < 0 ? 0 : v - (float)top;
    const uint8_t *a = mask + (ptrdiff_t)top * width, *b = mask + (ptrdiff_t)bottom * width;
    for (int x = 0; x < width; x++) room[x] = ((float)a[x] * (1 - down) + (float)b[x] * down) / 255;
    for (int x = begin; x < end; x++) {
      const float *p = room + lefts[x];
      line[x] = ((p[0] * (1 - across[x]) + p[1] * across[x]) - low) * slope;
    }
    for (int x = begin; x < end; x++) o[x] = line[x] < 0 ? 0 : line[x] > 1 ? 1 : line[x];
  }
}
