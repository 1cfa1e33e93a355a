// Differences of whole samples; a part of Loops.h.

static inline int block_sad(const uint8_t *a, ptrdiff_t aStride, const uint8_t *b, ptrdiff_t bStride) {
#if defined(WIDE)
  __m256i total = _mm256_setzero_si256();
  for (int y = 0; y < 16; y += 2) {
    __m256i p = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(a + y * aStride))),
                                        _mm_loadu_si128((const __m128i *)(a + (y + 1) * aStride)), 1);
    __m256i q = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(b + y * bStride))),
                                        _mm_loadu_si128((const __m128i *)(b + (y + 1) * bStride)), 1);
    total = _mm256_add_epi64(total, _mm256_sad_epu8(p, q));
  }
  __m128i two = _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
  return _mm_cvtsi128_si32(_mm_add_epi64(two, _mm_srli_si128(two, 8)));
#else
  int total = 0;
  for (int y = 0; y < 16; y++) {
    for (int x = 0; x < 16; x++) {
      int d = a[y * aStride + x] - b[y * bStride + x];
      total += d < 0 ? -d : d;
    }
  }
  return total;
#endif
}

/// A window in bytes: of two-byte samples the upper ones.
static const uint8_t *byte_window(const fusion_plane *p, int x, int y, int w, int h, uint8_t *room, ptrdiff_t *stride) {
  if (p->bytes == 1) return window(p, x, y, w, h, room, stride);
  uint8_t words[WINDOW];
  const uint8_t *from = window(p, x, y, w, h, words, stride);
  for (int row = 0; row < h; row++) {
    for (int column = 0; column < w; column++) room[row * w + column] = from[row * *stride + 2 * column + 1];
  }
  *stride = w;
  return room;
}

static void search(const fusion_plane *reference, const fusion_plane *plane, int x, int y, int dx, int dy, int radius,
                   int penalty, fusion_match *best) {
  uint8_t room[WINDOW], own[WINDOW];
  ptrdiff_t stride, ownStride;
  if (radius > 11) radius = 11;
  const uint8_t *tile = byte_window(reference, x, y, 16, 16, own, &ownStride);
  const uint8_t *base = byte_window(plane, x + dx - radius, y + dy - radius, 16 + 2 * radius, 16 + 2 * radius, room, &stride);
  best->dx = dx;
  best->dy = dy;
  best->sad = block_sad(tile, ownStride, base + radius * stride + radius, stride);
  for (int v = -radius; v <= radius; v++) {
    for (int u = -radius; u <= radius; u++) {
      if (u == 0 && v == 0) continue;
      int far = (u < 0 ? -u : u) + (v < 0 ? -v : v);
      int sad = block_sad(tile, ownStride, base + (radius + v) * stride + radius + u, stride) + penalty * far;
      if (sad < best->sad) {
        best->sad = sad;
        best->dx = dx + u;
        best->dy = dy + v;
      }
    }
  }
}

static int64_t plane_sad(const fusion_plane *reference, const fusion_plane *plane, int dx, int dy, int rowStep,
                         int64_t *count) {
  int left = dx < 0 ? -dx : 0, right = reference->width < plane->width - dx ? reference->width : plane->width - dx;
  int top = dy < 0 ? -dy : 0, bottom = reference->height < plane->height - dy ? reference->height : plane->height - dy;
  int64_t total = 0;
  *count = 0;
  if (left >= right) return 0;
  for (int y = top; y < bottom; y += rowStep) {
    const uint8_t *a = reference->base + y * reference->stride;
    const uint8_t *b = plane->base + (y + dy) * plane->stride + dx;
    int32_t row = 0;
    for (int x = left; x < right; x++) {
      int d = a[x] - b[x];
      row += d < 0 ? -d : d;
    }
    total += row;
    *count += right - left;
  }
  return total;
}
