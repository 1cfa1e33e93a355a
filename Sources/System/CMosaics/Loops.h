// The loops themselves, once for each variant.
#include "Variants.h"
#include <math.h>

static void code(const uint16_t *restrict numbers, const float *restrict even, const float *restrict odd, uint16_t limit, float *restrict row, size_t count) {
  for (size_t x = 0; x + 1 < count; x += 2) {
    uint16_t a = numbers[x], b = numbers[x + 1];
    row[x] = even[a < limit ? a : limit];
    row[x + 1] = odd[b < limit ? b : limit];
  }
  if (count & 1) {
    uint16_t a = numbers[count - 1];
    row[count - 1] = even[a < limit ? a : limit];
  }
  ptrdiff_t last = (ptrdiff_t)count - 1;
  for (ptrdiff_t x = 1; x <= MOSAICS_EDGE; x++) {
    // A mirror keeps the columns' order; in very narrow pictures it stands at the other end, too.
    ptrdiff_t inner = last > 0 ? x % (2 * last) : 0;
    if (inner > last) inner = 2 * last - inner;
    row[-x] = row[inner];
    row[last + x] = row[last - inner];
  }
}

static void unpack10(const uint8_t *restrict bytes, uint16_t *restrict numbers, size_t count) {
  for (size_t group = 0; group < count / 4; group++) {
    const uint8_t *from = bytes + 5 * group;
    uint16_t *to = numbers + 4 * group;
    uint16_t low = from[4];
    for (size_t index = 0; index < 4; index++) to[index] = (uint16_t)(from[index] << 2 | (low >> (2 * index) & 3));
  }
  for (size_t x = count & ~(size_t)3; x < count; x++) {
    const uint8_t *from = bytes + 5 * (x / 4);
    numbers[x] = (uint16_t)(from[x & 3] << 2 | (from[4] >> (2 * (x & 3)) & 3));
  }
}

static void unpack12(const uint8_t *restrict bytes, uint16_t *restrict numbers, size_t count) {
  for (size_t pair = 0; pair < count / 2; pair++) {
    const uint8_t *from = bytes + 3 * pair;
    numbers[2 * pair] = (uint16_t)(from[0] << 4 | (from[2] & 15));
    numbers[2 * pair + 1] = (uint16_t)(from[1] << 4 | from[2] >> 4);
  }
  if (count & 1) {
    const uint8_t *from = bytes + 3 * (count / 2);
    numbers[count - 1] = (uint16_t)(from[0] << 4 | (from[2] & 15));
  }
}

static void unpack14(const uint8_t *restrict bytes, uint16_t *restrict numbers, size_t count) {
  for (size_t x = 0; x < count; x++) {
    const uint8_t *from = bytes + 7 * (x / 4);
    uint32_t low = (uint32_t)from[4] | (uint32_t)from[5] << 8 | (uint32_t)from[6] << 16;
    numbers[x] = (uint16_t)(from[x & 3] << 6 | (low >> (6 * (x & 3)) & 63));
  }
}

static void unpack8(const uint8_t *restrict bytes, uint16_t *restrict numbers, size_t count) {
  for (size_t x = 0; x < count; x++) numbers[x] = bytes[x];
}

static void changes(const float *const rows[5], float *restrict across, float *restrict down, size_t count) {
  const float *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3], *restrict e = rows[4];
  // Two places more at each end: green is found one place further, of three changes.
  for (ptrdiff_t x = -2; x <= (ptrdiff_t)count + 1; x++) {
    float twice = 2 * c[x];
    across[x] = fabsf(c[x - 1] - c[x + 1]) + fabsf(twice - c[x - 2] - c[x + 2]);
    down[x] = fabsf(b[x] - d[x]) + fabsf(twice - a[x] - e[x]);
  }
}

static void green(const float *const rows[5], const float *const across[3], const float *const down[3], size_t first, float *restrict result, float *restrict excess, size_t count) {
  const float *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3], *restrict e = rows[4];
  const float *restrict a0 = across[0], *restrict a1 = across[1], *restrict a2 = across[2];
  const float *restrict d0 = down[0], *restrict d1 = down[1], *restrict d2 = down[2];
  // One place more at each end, for the colours.
  for (ptrdiff_t x = -1; x <= (ptrdiff_t)count; x++) {
    float own = c[x];
    float along = (c[x - 1] + c[x + 1]) * 0.5f + (2 * own - c[x - 2] - c[x + 2]) * 0.25f;
    float upright = (b[x] + d[x]) * 0.5f + (2 * own - a[x] - e[x]) * 0.25f;
    float h = a0[x - 1] + a0[x] + a0[x + 1] + a1[x - 1] + 2 * a1[x] + a1[x + 1] + a2[x - 1] + a2[x] + a2[x + 1] + 1e-3f;
    float v = d0[x - 1] + d0[x] + d0[x + 1] + d1[x - 1] + 2 * d1[x] + d1[x + 1] + d2[x - 1] + d2[x] + d2[x + 1] + 1e-3f;
    h *= h;
    v *= v;
    h *= h;
    v *= v;
    float found = (along * v + upright * h) / (h + v);
    int isGreen = ((size_t)(x + 2) & 1) != first;
    result[x] = isGreen ? own : found;
    excess[x] = isGreen ? 0 : own - found;
  }
}

static void colors(const float *restrict green, const float *const excess[3], int32_t own, float offset, const float matrix[9], float *const result[3], size_t count) {
  const float *restrict above = excess[0], *restrict here = excess[1], *restrict below = excess[2];
  float *restrict red = result[0], *restrict middle = result[1], *restrict blue = result[2];
  float m[9];
  // The loop's two colours are the row's own and the other one.
  for (int row = 0; row < 3; row++) {
    m[3 * row] = matrix[3 * row + (own == 0 ? 0 : 2)];
    m[3 * row + 1] = matrix[3 * row + 1];
    m[3 * row + 2] = matrix[3 * row + (own == 0 ? 2 : 0)];
  }
  for (ptrdiff_t x = 0; x < (ptrdiff_t)count; x++) {
    float g = green[x];
    float p = g + here[x] + (here[x - 1] + here[x + 1]) * 0.5f;
    float q = g + (above[x] + below[x]) * 0.5f + (above[x - 1] + below[x - 1] + above[x + 1] + below[x + 1]) * 0.25f;
    // Below no light there is only noise; a root of less is none.
    p = p > 0 ? p : 0;
    q = q > 0 ? q : 0;
    g = g > 0 ? g : 0;
    p = p * p - offset;
    g = g * g - offset;
    q = q * q - offset;
    p = p < 1 ? p : 1;
    g = g < 1 ? g : 1;
    q = q < 1 ? q : 1;
    red[x] = m[0] * p + m[1] * g + m[2] * q;
    middle[x] = m[3] * p + m[4] * g + m[5] * q;
    blue[x] = m[6] * p + m[7] * g + m[8] * q;
  }
}

static inline uint32_t place(float value) {
  float bounded = value > 0 ? value : 0;
  return (uint32_t)(int32_t)((bounded < 1 ? bounded : 1) * 16383 + 0.5f);
}

static void bytes_of(const float *const colors[3], const uint8_t *restrict table, uint8_t *restrict bytes, size_t count) {
  const float *restrict red = colors[0], *restrict green = colors[1], *restrict blue = colors[2];
  for (size_t x = 0; x < count; x++) {
    bytes[4 * x] = table[place(blue[x])];
    bytes[4 * x + 1] = table[place(green[x])];
    bytes[4 * x + 2] = table[place(red[x])];
    bytes[4 * x + 3] = 255;
  }
}

static void floats(const float *const colors[3], float *restrict pixels, size_t count) {
  for (size_t x = 0; x < count; x++) {
    pixels[4 * x] = colors[0][x];
    pixels[4 * x + 1] = colors[1][x];
    pixels[4 * x + 2] = colors[2][x];
    pixels[4 * x + 3] = 1;
  }
}
