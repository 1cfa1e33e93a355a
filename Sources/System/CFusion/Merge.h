// The weighted sum of predictions; a part of Loops.h.

static void begin(const fusion_plane *plane, int x, int y, int rows, fusion_sum *sum) {
  uint8_t room[WINDOW];
  ptrdiff_t stride;
  const uint8_t *base = window(plane, x, y, 16 / plane->step, rows, room, &stride);
  for (int row = 0; row < rows; row++) {
    write16(sum->samples + 16 * row, read_samples(base + row * stride, plane->bytes));
    write16(sum->sum + 16 * row, all(0));
    write16(sum->weight + 16 * row, all(0));
  }
}

static void block_means(const fusion_sum *sum, uint8_t means[16]) {
  for (int row = 0; row < 4; row++) {
    sums total = none();
    for (int y = 0; y < 4; y++) total = add_products(total, read16(sum->samples + 16 * (4 * row + y)), all(1));
    int32_t each[8];
    write_sums(each, total);
    for (int i = 0; i < 4; i++) means[4 * row + i] = (uint8_t)((each[2 * i] + each[2 * i + 1]) / (16 * 64));
  }
}

/// The difference of a prediction from the reference in place, and its energy in each of 4 x 4 blocks.
INLINE void difference(int16_t *block, const fusion_sum *sum, int tall, float energies[16]) {
  for (int row = 0; row < 4; row++) {
    sums total = none();
    for (int y = row * tall; y < (row + 1) * tall; y++) {
      lanes d = minus(read16(block + 16 * y), read16(sum->samples + 16 * y));
      write16(block + 16 * y, d);
      d = shifted(d, 3);
      total = add_products(total, d, d);
    }
    int32_t each[8];
    write_sums(each, total);
    for (int i = 0; i < 4; i++) energies[4 * row + i] = (float)(each[2 * i] + each[2 * i + 1]);
  }
}

typedef float four __attribute__((ext_vector_type(4)));
typedef int32_t four_words __attribute__((ext_vector_type(4)));

INLINE void weigh(const float energies[16], const float scales[16], float scale, const fusion_law *law,
                  const int16_t *limits, int16_t weights[16]) {
  // Weighted means of three by three blocks: one block alone says little about so faint a thing as a bias below the noise.
  four own[4], wide[4];
  for (int y = 0; y < 4; y++) {
    four e, s;
    memcpy(&e, energies + 4 * y, 16);
    memcpy(&s, scales + 4 * y, 16);
    own[y] = e * (s * scale);
    wide[y] = (__builtin_shufflevector(own[y], own[y], 0, 0, 1, 2) + 2 * own[y])
              + __builtin_shufflevector(own[y], own[y], 1, 2, 3, 3);
  }
  for (int y = 0; y < 4; y++) {
    four mean = ((wide[y ? y - 1 : 0] + 2 * wide[y]) + wide[y < 3 ? y + 1 : 3]) * (1 / 16.0f);
    four excess = mean - law->margin;
    excess = excess < 0 ? (four)0.0f : excess;
    four weight = 32767.0f / (1 + law->slope * excess);
    weight = mean > law->end ? (four)0.0f : weight;
    weight = own[y] > 2 * law->end ? (four)0.0f : weight;
    four_words value = __builtin_convertvector(weight, four_words);
    for (int x = 0; x < 4; x++) {
      int limit = limits ? limits[4 * y + x] : 32767;
      weights[4 * y + x] = (int16_t)(value[x] < limit ? value[x] : limit);
    }
  }
}

INLINE void add_plain(const int16_t *d, const int16_t weights[16], int tall, fusion_sum *sum) {
  for (int row = 0; row < 4; row++) {
    lanes w = spread(weights + 4 * row);
    lanes counted = shifted(plus(w, all(32)), 6);
    for (int y = row * tall; y < (row + 1) * tall; y++) {
      write16(sum->sum + 16 * y, plus(read16(sum->sum + 16 * y), times(read16(d + 16 * y), w)));
      write16(sum->weight + 16 * y, plus(read16(sum->weight + 16 * y), counted));
    }
  }
}

/// The same with the window of some corners; the weights are eighths.
INLINE void add_windowed(const int16_t *d, const int16_t weights[16], int corners, int tall, fusion_sum *sum) {
  const int16_t *shape = fusion_constants.window[corners];
  for (int row = 0; row < 4; row++) {
    lanes weight = spread(weights + 4 * row);
    for (int y = row * tall; y < (row + 1) * tall; y++) {
      lanes w = times(weight, read16(shape + 16 * (y * 4 / tall)));
      w = plus(w, w);
      w = plus(w, w);
      w = plus(w, w);
      write16(sum->sum + 16 * y, plus(read16(sum->sum + 16 * y), times(read16(d + 16 * y), w)));
      write16(sum->weight + 16 * y, plus(read16(sum->weight + 16 * y), shifted(plus(w, all(32)), 6)));
    }
  }
}

INLINE void add_motions(const fusion_plane *plane, int x, int y, const fusion_motion *motions, int count, int tall,
                        const float scales[16], const fusion_law *law, const int16_t *limits, int16_t *weights,
                        fusion_sum *sum) {
  int16_t blocks[FUSION_MOTIONS][FUSION_BLOCK] __attribute__((aligned(32)));
  float energies[16];
  for (int i = 0; i < count; i++) {
    predict(plane, x, y, motions[i].mx, motions[i].my, 4 * tall, blocks[i]);
    difference(blocks[i], sum, tall, energies);
    weigh(energies, scales, motions[i].scale, law, limits ? limits + 16 * i : 0, weights + 16 * i);
  }
  if (count == 1) {
    add_plain(blocks[0], weights, tall, sum);
    return;
  }
  int16_t shares[FUSION_MOTIONS][16];
  for (int b = 0; b < 16; b++) {
    // The window at the middle of the block, and what the motions that fit have of it together.
    int middle = 16 * (4 * (b / 4) + 2) + 4 * (b % 4) + 2;
    float all = 0, most = 0;
    for (int i = 0; i < count; i++) {
      float weight = (float)weights[16 * i + b];
      all += weight * (float)fusion_constants.window[motions[i].corners][middle] * (1 / 32768.0f);
      most = weight > most ? weight : most;
    }
    float factor = all > 0 ? most / all : 0;
    for (int i = 0; i < count; i++) {
      float share = (float)weights[16 * i + b] * factor * 0.125f;
      shares[i][b] = (int16_t)(share > 32767 ? 32767 : share);
    }
  }
  for (int i = 0; i < count; i++) add_windowed(blocks[i], shares[i], motions[i].corners, tall, sum);
}

static void add(const fusion_plane *plane, int x, int y, const fusion_motion *motions, int count, int rows,
                const float scales[16], const fusion_law *law, const int16_t *limits, int16_t *weights, fusion_sum *sum) {
  if (rows == 16)
    add_motions(plane, x, y, motions, count, 4, scales, law, limits, weights, sum);
  else
    add_motions(plane, x, y, motions, count, 2, scales, law, limits, weights, sum);
}

static void finish(const fusion_sum *sum, int rows, const fusion_plane *target, int x, int y) {
  int width = (target->width - x) * target->step, height = target->height - y;
  if (width > 16) width = 16;
  if (height > rows) height = rows;
  int top = target->bytes == 1 ? 255 * 64 : 1023 * 16;
  for (int row = 0; row < height; row++) {
    const int16_t *s = sum->samples + 16 * row, *d = sum->sum + 16 * row, *w = sum->weight + 16 * row;
    int32_t mean[16];
    for (int i = 0; i < 16; i++) {
      float change = (float)d[i] * 512.0f / (float)(512 + w[i]);
      // Above zero, so that truncation rounds.
      int32_t value = s[i] + (int32_t)(change + 65536.5f) - 65536;
      mean[i] = value < 0 ? 0 : value > top ? top : value;
    }
    uint8_t *place = target->base + (y + row) * target->stride + (ptrdiff_t)x * target->step * target->bytes;
    if (target->bytes == 1) {
      uint8_t out[16];
      for (int i = 0; i < 16; i++) out[i] = (uint8_t)((mean[i] + 32) >> 6);
      if (width == 16)
        memcpy(place, out, 16);
      else
        memcpy(place, out, (size_t)width);
    } else {
      uint16_t out[16];
      for (int i = 0; i < 16; i++) out[i] = (uint16_t)(((mean[i] + 8) >> 4) << 6);
      memcpy(place, out, 2 * (size_t)width);
    }
  }
}
