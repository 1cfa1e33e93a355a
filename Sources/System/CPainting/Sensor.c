// What the hand, the white balance and the sensor make of noise-free rows.

#include "Vectors.h"

#pragma STDC FP_CONTRACT OFF

// MARK: The hand

INLINE uint8_t mixed(
    const struct painting_shift *shift, const uint8_t *upper, const uint8_t *lower, long left, long right) {
  long above = (long)upper[left] * (256 - shift->x) + (long)upper[right] * shift->x;
  long below = (long)lower[left] * (256 - shift->x) + (long)lower[right] * shift->x;
  return (uint8_t)((above * (256 - shift->y) + below * shift->y + 32768) >> 16);
}

INLINE long held_to(long x, long last) { return x < 0 ? 0 : x > last ? last : x; }

INLINE u4 words(const uint8_t *bytes) {
  b4 four;
  __builtin_memcpy(&four, bytes, 4);
  return __builtin_convertvector(four, u4);
}

void painting_shift_row(
    const struct painting_shift *shift, const uint8_t *upper, const uint8_t *lower, long columns, long step,
    uint8_t *target) {
  long first = held_to(-shift->column, columns), end = held_to(columns - 1 - shift->column, columns);
  if (end < first) end = first;
  for (long column = 0; column < columns; column += 1) {
    if (column == first) column = end;
    if (column == columns) break;
    long left = held_to(column + shift->column, columns - 1) * step;
    long right = held_to(column + shift->column + 1, columns - 1) * step;
    for (long part = 0; part < step; part += 1) {
      target[column * step + part] = mixed(shift, upper, lower, left + part, right + part);
    }
  }
  long index = first * step, offset = shift->column * step;
  uint32_t x = (uint32_t)shift->x, y = (uint32_t)shift->y;
  for (; index + 4 <= end * step; index += 4) {
    const uint8_t *high = upper + index + offset, *low = lower + index + offset;
    u4 above = words(high) * (256 - x) + words(high + step) * x;
    u4 below = words(low) * (256 - x) + words(low + step) * x;
    b4 four = __builtin_convertvector((above * (256 - y) + below * y + 32768) >> 16, b4);
    __builtin_memcpy(target + index, &four, 4);
  }
  for (; index < end * step; index += 1) {
    target[index] = mixed(shift, upper, lower, index + offset, index + offset + step);
  }
}

// MARK: White balance

INLINE float toned(const float *tones, float value) {
  return tones[(int)((value < 0 ? 0 : value > 255 ? 255 : value) * 4 + 0.5f)];
}

void painting_balance_rows(
    const struct painting_balance *balance, uint8_t *luma, uint8_t *next_luma, uint8_t *chroma, long count) {
  const struct painting_matrix *matrix = &balance->matrix;
  for (long column = 0; column < count; column += 2) {
    float cb = (float)chroma[column] - 128, cr = (float)chroma[column + 1] - 128;
    float to_red = balance->red_from_cr * cr;
    float to_green = balance->green_from_cb * cb + balance->green_from_cr * cr;
    float to_blue = balance->blue_from_cb * cb;
    float sum_cb = 0, sum_cr = 0;
    for (int line = 0; line < 2; line += 1) {
      uint8_t *bytes = line ? next_luma : luma;
      for (long x = column; x < column + 2; x += 1) {
        float y = (float)bytes[x];
        float r = toned(balance->red, y + to_red), g = toned(balance->green, y + to_green);
        float b = toned(balance->blue, y + to_blue);
        float bright = matrix->red * r + matrix->green * g + matrix->blue * b;
        bytes[x] = byte(bright);
        sum_cb += (b - bright) * matrix->cb;
        sum_cr += (r - bright) * matrix->cr;
      }
    }
    chroma[column] = byte(sum_cb / 4 + 128);
    chroma[column + 1] = byte(sum_cr / 4 + 128);
  }
}

// MARK: Noise

static const uint64_t golden = 0x9E3779B97F4A7C15;

/// SplitMix64.
INLINE uint64_t mix(uint64_t value) {
  uint64_t z = value + golden;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

#define PICK(index) (uint64_t) table[(uint32_t)source[index] << 8 | (uint8_t)(chance >> 8 * index)] << 8 * index

void painting_expose_luma(const uint8_t *source, const uint8_t *table, uint64_t noise, long count, uint8_t *target) {
  uint64_t state = mix(noise), chance;
  for (; count >= 8; count -= 8) {
    state += golden;
    chance = mix(state);
    uint64_t eight = PICK(0) | PICK(1) | PICK(2) | PICK(3) | PICK(4) | PICK(5) | PICK(6) | PICK(7);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    __builtin_memcpy(target, &eight, 8);
    source += 8;
    target += 8;
  }
  chance = mix(state + golden);
  for (; count > 0; count -= 1) {
    *target++ = table[(uint32_t)*source++ << 8 | (uint8_t)chance];
    chance >>= 8;
  }
}

void painting_expose_chroma(
    const uint8_t *source, const uint8_t *luma, const int32_t *gains, const int32_t *noises, const int32_t *quantiles,
    uint64_t noise, long count, uint8_t *target) {
  // Another constant than luma's, so that a row of differences does not repeat a row of luma.
  uint64_t state = mix(noise ^ 0xC0FFEE0000000000);
  for (long column = 0; column < count; column += 4) {
    state += golden;
    uint64_t chance = noises ? mix(state) : 0;
    long end = column + 4 < count ? column + 4 : count;
    for (long index = column; index < end; index += 2) {
      // Two pairs at once; what is read beyond an odd count is the first again.
      long next = index + 1 < end ? index + 1 : index;
      uint8_t first_light = luma[index * 2], next_light = luma[next * 2];
      i4 values = {source[index * 2], source[index * 2 + 1], source[next * 2], source[next * 2 + 1]};
      i4 sums = (values - 128) * (i4){gains[first_light], gains[first_light], gains[next_light], gains[next_light]} + 32896;
      if (noises) {
        i4 random = (i4){noises[first_light], noises[first_light], noises[next_light], noises[next_light]} *
                    ((i4){
                         quantiles[chance & 0xFF], quantiles[chance >> 8 & 0xFF], quantiles[chance >> 16 & 0xFF],
                         quantiles[chance >> 24 & 0xFF]} >>
                     8);
        sums += random;
        chance >>= 32;
      }
      sums >>= 8;
      b4 four = __builtin_convertvector(sums < 0 ? (i4)0 : sums > 255 ? (i4)255 : sums, b4);
      __builtin_memcpy(target + index * 2, &four, next == index ? 2 : 4);
    }
  }
}

// MARK: Mosaics

void painting_mosaic_row(const struct painting_sensor *sensor, const uint8_t *luma, const uint8_t *chroma, long row, uint64_t noise, long count, uint16_t *target) {
  uint64_t state = mix(noise ^ 0x5EED000000000000), chance = 0;
  for (long column = 0; column < count; column += 1) {
    if ((column & 7) == 0) chance = mix(state += golden);
    float y = (float)luma[column];
    float cb = (float)chroma[column & ~1L] - 128, cr = (float)chroma[column | 1] - 128;
    const float *weights = sensor->weights + 3 * sensor->colors[(row & 1) * 2 + (column & 1)];
    float light = weights[0] * sensor->to_linear[byte(y + sensor->red_from_cr * cr)];
    light += weights[1] * sensor->to_linear[byte(y + sensor->green_from_cb * cb + sensor->green_from_cr * cr)];
    light += weights[2] * sensor->to_linear[byte(y + sensor->blue_from_cb * cb)];
    float bound = light < 1 ? light : 1;
    float deviation = __builtin_sqrtf(sensor->shot * (bound > 0 ? bound : 0) + sensor->read);
    light += deviation * (float)sensor->quantiles[(uint8_t)chance] / 256;
    chance >>= 8;
    float number = sensor->black + light * (sensor->white - sensor->black) + 0.5f;
    number = number > 0 ? number : 0;
    target[column] = (uint16_t)(number < sensor->white ? number : sensor->white);
  }
}
