// Smaller pictures; a part of Loops.h.

/// The same of pairs of samples.
static void halve_pairs(const fusion_plane *source, const fusion_plane *target, int first, int last) {
  int bytes = source->bytes, top = bytes - 1;
  for (int y = first; y < last; y++) {
    const uint8_t *upper = source->base + 2 * y * source->stride + top;
    const uint8_t *lower = 2 * y + 1 < source->height ? upper + source->stride : upper;
    uint8_t *restrict row = target->base + y * target->stride;
    for (int x = 0; x < target->width; x++) {
      int left = 4 * x * bytes, right = 2 * x + 1 < source->width ? left + 2 * bytes : left;
      row[2 * x] = (uint8_t)((upper[left] + upper[right] + lower[left] + lower[right] + 2) >> 2);
      row[2 * x + 1] =
          (uint8_t)((upper[left + bytes] + upper[right + bytes] + lower[left + bytes] + lower[right + bytes] + 2) >> 2);
    }
  }
}

static void halve(const fusion_plane *source, const fusion_plane *target, int first, int last) {
  if (source->step == 2) return halve_pairs(source, target, first, last);
  for (int y = first; y < last; y++) {
    const uint8_t *upper = source->base + 2 * y * source->stride;
    const uint8_t *lower = 2 * y + 1 < source->height ? upper + source->stride : upper;
    uint8_t *restrict row = target->base + y * target->stride;
    int pairs = source->width / 2;
    if (source->bytes == 2) {
      // The upper bytes alone, as if the source had been narrowed before.
      for (int x = 0; x < pairs; x++) {
        uint16_t a[2], b[2];
        memcpy(a, upper + 4 * x, 4);
        memcpy(b, lower + 4 * x, 4);
        row[x] = (uint8_t)(((a[0] >> 8) + (a[1] >> 8) + (b[0] >> 8) + (b[1] >> 8) + 2) >> 2);
      }
      if (pairs < target->width) row[pairs] = (uint8_t)((upper[4 * pairs + 1] + lower[4 * pairs + 1] + 1) >> 1);
      continue;
    }
    for (int x = 0; x < pairs; x++) {
      uint16_t a, b;
      memcpy(&a, upper + 2 * x, 2);
      memcpy(&b, lower + 2 * x, 2);
      row[x] = (uint8_t)(((a & 255) + (a >> 8) + (b & 255) + (b >> 8) + 2) >> 2);
    }
    if (pairs < target->width) row[pairs] = (uint8_t)((upper[2 * pairs] + lower[2 * pairs] + 1) >> 1);
  }
}

static void narrow(const fusion_plane *source, const fusion_plane *target, int first, int last) {
  for (int y = first; y < last; y++) {
    const uint8_t *from = source->base + y * source->stride;
    uint8_t *restrict row = target->base + y * target->stride;
    for (int x = 0; x < target->width; x++) {
      uint16_t a;
      memcpy(&a, from + 2 * x, 2);
      row[x] = (uint8_t)(a >> 8);
    }
  }
}
