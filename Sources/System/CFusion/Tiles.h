// Tiles at fractions of samples; a part of Loops.h.

INLINE float summed(sums s) {
  int32_t each[8];
  write_sums(each, s);
  int64_t total = 0;
  for (int i = 0; i < 8; i++) total += each[i];
  return (float)total;
}

static void read_tile(const fusion_plane *plane, int x, int y, fusion_tile *tile) {
  uint8_t room[WINDOW];
  ptrdiff_t stride;
  int bytes = plane->bytes, pixel = bytes * plane->step;
  const uint8_t *base = window(plane, x - 1, y - 1, 16 / plane->step + 2, 18, room, &stride) + stride + pixel;
  sums xx = none(), xy = none(), yy = none();
  int32_t each[8];
  sums mean = none();
  for (int row = 0; row < 16; row++) {
    const uint8_t *p = base + row * stride;
    lanes center = read_samples(p, bytes);
    write16(tile->samples + 16 * row, center);
    mean = add_products(mean, center, all(1));
    if (plane->step != 1) continue;
    // Eighths of a level: 14 bits carry sixty-fourths, the Sobel sums have four times two of these.
    lanes left = plus(shifted(read_samples(p - stride - pixel, bytes), 2),
                      shifted(read_samples(p + stride - pixel, bytes), 2));
    lanes right = plus(shifted(read_samples(p - stride + pixel, bytes), 2),
                       shifted(read_samples(p + stride + pixel, bytes), 2));
    lanes above = plus(shifted(read_samples(p - stride - pixel, bytes), 2),
                       shifted(read_samples(p - stride + pixel, bytes), 2));
    lanes below = plus(shifted(read_samples(p + stride - pixel, bytes), 2),
                       shifted(read_samples(p + stride + pixel, bytes), 2));
    lanes gx = minus(plus(right, shifted(read_samples(p + pixel, bytes), 1)),
                     plus(left, shifted(read_samples(p - pixel, bytes), 1)));
    lanes gy = minus(plus(below, shifted(read_samples(p + stride, bytes), 1)),
                     plus(above, shifted(read_samples(p - stride, bytes), 1)));
    gx = shifted(gx, 4);
    gy = shifted(gy, 4);
    write16(tile->dx + 16 * row, gx);
    write16(tile->dy + 16 * row, gy);
    xx = add_products(xx, gx, gx);
    xy = add_products(xy, gx, gy);
    yy = add_products(yy, gy, gy);
  }
  tile->xx = summed(xx);
  tile->xy = summed(xy);
  tile->yy = summed(yy);
  write_sums(each, mean);
  int total = 0;
  for (int i = 0; i < 8; i++) total += each[i];
  tile->mean = total / (256 * 64);
}

static void compare(const fusion_tile *tile, const fusion_plane *plane, int x, int y, int mx, int my,
                    fusion_residual *result) {
  int16_t block[FUSION_BLOCK] __attribute__((aligned(32)));
  predict(plane, x, y, mx, my, 16, block);
  sums energy = none(), bx = none(), by = none();
  for (int row = 0; row < 16; row++) {
    lanes d = shifted(minus(read16(block + 16 * row), read16(tile->samples + 16 * row)), 3);
    energy = add_products(energy, d, d);
    if (plane->step != 1) continue;
    bx = add_products(bx, d, read16(tile->dx + 16 * row));
    by = add_products(by, d, read16(tile->dy + 16 * row));
  }
  result->energy = summed(energy);
  result->bx = summed(bx);
  result->by = summed(by);
}
