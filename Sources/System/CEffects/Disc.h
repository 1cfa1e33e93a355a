// Means over discs, by running sums of each row; a part of Loops.h.
//
// A disc is what a lens makes of a point that is out of focus. Row by row its sum is the difference of two running sums, so that it
// costs twice its radius, whatever its width; whole numbers make the order of adding up the same.

static void weigh(const effects_colors *c, const uint8_t *mask, const uint8_t share[256], const uint8_t gain[256],
                  int32_t margin, uint32_t *sums, int32_t first, int32_t last) {
  const int width = c->luma.width, places = width + 2 * margin + 1;
  for (int y = first; y < last; y++) {
    const float *py = cells(&c->luma, y), *pu = cells(&c->blue, y), *pv = cells(&c->red, y);
    const uint8_t *m = mask + (ptrdiff_t)y * width;
    uint32_t *out = sums + 4 * (ptrdiff_t)y * places;
    memset(out, 0, 16 * (size_t)(margin + 1));
    out += 4 * (margin + 1);
    sums4 sum = 0;
    for (int x = 0; x < width; x++, out += 4) {
      // Of luma and chroma half levels.
      const uint32_t weight = (uint32_t)share[m[x]] * gain[(int)(py[x] + 0.5f)] >> 4;
      const quad color = (quad){0.5f, py[x], pu[x], pv[x]} * 2 + 0.5f;
      sum += (sums4)__builtin_convertvector(color, places4) * weight;
      memcpy(out, &sum, 16);
    }
    for (int x = 0; x < margin; x++, out += 4) memcpy(out, &sum, 16);
  }
}

// Sums of a block fit the processor's registers.
enum { kBlock = 16 };

static void disc(const uint32_t *sums, int32_t margin, const int32_t *spans, int32_t reach, const effects_colors *c,
                 const effects_colors *out, const effects_field *weight, int32_t first, int32_t last) {
  typedef uint32_t sums8 __attribute__((ext_vector_type(8)));
  const int width = c->luma.width, height = c->luma.height, places = width + 2 * margin + 1;
  int area = 2 * spans[0] + 1;
  for (int k = 1; k <= reach; k++) area += 2 * (2 * spans[k] + 1);
  const float whole = 1 / (255 * (float)area);
  // In blocks of columns, so that the rows of a disc stay in the processor's nearest cache.
  for (int from = 0; from < width; from += kBlock) {
    const int count = width - from < kBlock ? width - from : kBlock;
    for (int y = first; y < last; y++) {
      sums8 s[kBlock / 2];
      memset(s, 0, sizeof s);
      for (int k = -reach; k <= reach; k++) {
        if (y + k < 0 || y + k >= height) continue;
        const int span = spans[k < 0 ? -k : k];
        const uint32_t *row = sums + 4 * ((ptrdiff_t)(y + k) * places + margin + from);
        const uint32_t *left = row - 4 * span, *right = row + 4 * (span + 1);
        for (int x = 0; x < kBlock / 2; x++) {
          sums8 a, b;
          memcpy(&a, right + 8 * x, 32);
          memcpy(&b, left + 8 * x, 32);
          s[x] += a - b;
        }
      }
      float *oy = cells(&out->luma, y) + from, *ou = cells(&out->blue, y) + from, *ov = cells(&out->red, y) + from;
      const float *py = cells(&c->luma, y) + from, *pu = cells(&c->blue, y) + from, *pv = cells(&c->red, y) + from;
      float *ow = weight ? cells(weight, y) + from : NULL;
      uint32_t all[4 * kBlock];
      memcpy(all, s, sizeof s);
      const float own = 0.25f;
      for (int x = 0; x < count; x++) {
        const uint32_t *p = all + 4 * x;
        const float one = 1 / ((float)p[0] + own);
        oy[x] = ((float)p[1] * 0.5f + py[x] * own) * one;
        ou[x] = ((float)p[2] * 0.5f + pu[x] * own) * one;
        ov[x] = ((float)p[3] * 0.5f + pv[x] * own) * one;
        if (ow) ow[x] = (float)p[0] * whole;
      }
    }
  }
}
