// Chooses the loops once, and makes the tables.
#include "CFusion.h"
#include "Tables.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

fusion_tables fusion_constants;
static const fusion_loops *_Atomic loops;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static double lanczos(double x) {
  if (fabs(x) < 1e-9) return 1;
  if (fabs(x) >= 3) return 0;
  double a = M_PI * x;
  return 3 * sin(a) * sin(a / 3) / (a * a);
}

/// Lanczos of three lobes (Duchon 1979), each phase summing to one.
static void make_taps(void) {
  for (int phase = 0; phase < 64; phase++) {
    double taps[6], total = 0;
    for (int i = 0; i < 6; i++) total += taps[i] = lanczos(i - 2 - phase / 64.0);
    int sum = 0, largest = 2;
    float gain = 0;
    for (int i = 0; i < 6; i++) {
      int value = (int)lrint(taps[i] / total * 32768);
      fusion_constants.taps[phase][i] = (int16_t)(value > 32767 ? 32767 : value);
      sum += value;
      gain += (float)(taps[i] / total * taps[i] / total);
      if (fabs(taps[i]) > fabs(taps[largest])) largest = i;
    }
    if (phase != 0) fusion_constants.taps[phase][largest] += (int16_t)(32768 - sum);
    fusion_constants.gain[phase] = gain;
  }
}

/// Bilinear shares of four tiles whose centres are a block's corners; the shares of all four are one.
static void make_windows(void) {
  for (int corners = 0; corners < 16; corners++) {
    for (int i = 0; i < 256; i++) {
      int x = 2 * (i % 16) + 1, y = 2 * (i / 16) + 1;  // 1/32
      int share = (corners & 1 ? (32 - x) * (32 - y) : 0) + (corners & 2 ? x * (32 - y) : 0)
                  + (corners & 4 ? (32 - x) * y : 0) + (corners & 8 ? x * y : 0);
      // Without corners an eighth: the weights' unit, in which the full share is just reached.
      int value = corners ? share * 32 : 4096;
      fusion_constants.window[corners][i] = (int16_t)(value > 32767 ? 32767 : value);
    }
  }
}

static const fusion_loops *best(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &fusion_wide_loops;
#endif
  return &fusion_plain_loops;
}

static void choose(void) {
  make_taps();
  make_windows();
  atomic_store_explicit(&loops, best(), memory_order_release);
}

static const fusion_loops *chosen(void) {
  // Once chosen, no call: this is asked some times for every tile.
  const fusion_loops *known = atomic_load_explicit(&loops, memory_order_acquire);
  if (known) return known;
  pthread_once(&once, choose);
  return atomic_load_explicit(&loops, memory_order_relaxed);
}

int fusion_use_plain_loops(int plain) {
  chosen();
  loops = plain ? &fusion_plain_loops : best();
  return loops != &fusion_plain_loops;
}

void fusion_halve(const fusion_plane *source, const fusion_plane *target, int first, int last) {
  chosen()->halve(source, target, first, last);
}
void fusion_narrow(const fusion_plane *source, const fusion_plane *target, int first, int last) {
  chosen()->narrow(source, target, first, last);
}
void fusion_read_tile(const fusion_plane *plane, int x, int y, fusion_tile *tile) {
  chosen()->read_tile(plane, x, y, tile);
}
void fusion_compare(const fusion_tile *tile, const fusion_plane *plane, int x, int y, int mx, int my,
                    fusion_residual *result) {
  chosen()->compare(tile, plane, x, y, mx, my, result);
}
void fusion_search(const fusion_plane *reference, const fusion_plane *plane, int x, int y, int dx, int dy, int radius,
                   int penalty, fusion_match *best) {
  chosen()->search(reference, plane, x, y, dx, dy, radius, penalty, best);
}
int64_t fusion_plane_sad(const fusion_plane *reference, const fusion_plane *plane, int dx, int dy, int rowStep,
                         int64_t *count) {
  return chosen()->plane_sad(reference, plane, dx, dy, rowStep, count);
}
float fusion_noise_gain(int mx, int my) {
  chosen();
  return fusion_constants.gain[mx & 63] * fusion_constants.gain[my & 63];
}
void fusion_begin(const fusion_plane *plane, int x, int y, int rows, fusion_sum *sum) {
  chosen()->begin(plane, x, y, rows, sum);
}
void fusion_block_means(const fusion_sum *sum, uint8_t means[16]) { chosen()->block_means(sum, means); }
float fusion_mean_weight(const fusion_sum *sum, int rows) {
  int total = 0;
  for (int i = 0; i < 16 * rows; i++) total += sum->weight[i];
  return (float)total / (float)(512 * 16 * rows);
}
void fusion_add(const fusion_plane *plane, int x, int y, const fusion_motion *motions, int count, int rows,
                const float scales[16], const fusion_law *law, const int16_t *limits, int16_t *weights, fusion_sum *sum) {
  chosen()->add(plane, x, y, motions, count, rows, scales, law, limits, weights, sum);
}
void fusion_finish(const fusion_sum *sum, int rows, const fusion_plane *target, int x, int y) {
  chosen()->finish(sum, rows, target, x, y);
}

void fusion_develop(const fusion_plane *source, const fusion_plane *target, int x, int y, int width, int height,
                    const fusion_development *how, const int16_t *cells, int columns, int rows, int tall,
                    const fusion_tone *tone, int16_t *room) {
  chosen()->develop(source, target, x, y, width, height, how, cells, columns, rows, tall, tone, room);
}
void fusion_move(const fusion_plane *plane, int x, int y, int mx, int my, int rows, const fusion_plane *target) {
  chosen()->move(plane, x, y, mx, my, rows, target);
}
void fusion_transfer(const fusion_plane *picture, const fusion_plane *detail, const fusion_plane *target, int x, int y,
                     int width, int height, const int16_t *cells, int columns, int rows, int tall, int16_t *room) {
  chosen()->transfer(picture, detail, target, x, y, width, height, cells, columns, rows, tall, room);
}
float fusion_tile_noise(const fusion_tile *tile, int step) {
  // Immerkaer 1996: the difference of two Laplacians, blind to slopes and straight edges along the axes; it has 36 times the variance.
  int64_t total = 0;
  int count = 0;
  for (int y = 1; y < 15; y++) {
    for (int x = step; x < 16 - step; x++, count++) {
      const int16_t *p = tile->samples + 16 * y + x;
      int32_t value = p[-16 - step] - 2 * p[-16] + p[-16 + step] - 2 * p[-step] + 4 * p[0] - 2 * p[step] + p[16 - step]
                      - 2 * p[16] + p[16 + step];
      total += (int64_t)value * value;
    }
  }
  return (float)total / ((float)count * 36 * 64 * 64);
}

void fusion_unpack(const uint8_t *packed, ptrdiff_t stride, int lumaFirst, const fusion_plane *luma,
                   const fusion_plane *chroma, int first, int last) {
  int l = lumaFirst ? 0 : 1, c = 1 - l, pairs = chroma->width;
  for (int y = first; y < last; y++) {
    const uint8_t *from = packed + y * stride;
    uint8_t *restrict a = luma->base + y * luma->stride, *restrict b = chroma->base + y * chroma->stride;
    for (int i = 0; i < luma->width; i++) a[i] = from[2 * i + l];
    for (int i = 0; i < 2 * pairs; i++) b[i] = from[2 * i + c];
  }
}

void fusion_pack(uint8_t *packed, ptrdiff_t stride, int lumaFirst, const fusion_plane *luma, const fusion_plane *chroma,
                 int first, int last) {
  int l = lumaFirst ? 0 : 1, c = 1 - l, pairs = chroma->width, width = luma->width;
  for (int y = first; y < last; y++) {
    uint8_t *restrict to = packed + y * stride;
    const uint8_t *a = luma->base + y * luma->stride, *b = chroma->base + y * chroma->stride;
    for (int i = 0; i < 2 * pairs; i++) {
      to[2 * i + l] = a[i < width ? i : width - 1];
      to[2 * i + c] = b[i];
    }
  }
}
