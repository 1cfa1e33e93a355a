// A separable filter: first the rows of the source that make one row of the target, then its columns. The first step
// reads every source byte once and is what costs; sums of 8-bit samples weighted to 256 fit 16 bits, so it runs eight
// or sixteen samples at a time.

#include "CYUV.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
__attribute__((target("avx2"))) static void wideRow(const uint8_t *row, uint16_t *sum, int count, int weight,
                                                    int isFirst) {
  const __m256i factor = _mm256_set1_epi16((short)weight);
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i value = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + i)));
    value = _mm256_mullo_epi16(value, factor);
    if (!isFirst) value = _mm256_add_epi16(value, _mm256_loadu_si256((const __m256i *)(sum + i)));
    _mm256_storeu_si256((__m256i *)(sum + i), value);
  }
  for (; i < count; i++) sum[i] = (uint16_t)((isFirst ? 0 : sum[i]) + row[i] * weight);
}
#endif

static void addRow(const uint8_t *row, uint16_t *sum, int count, int weight, int isFirst) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    wideRow(row, sum, count, weight, isFirst);
    return;
  }
#endif
  if (isFirst) {
    for (int i = 0; i < count; i++) sum[i] = (uint16_t)(row[i] * weight);
  } else {
    for (int i = 0; i < count; i++) sum[i] = (uint16_t)(sum[i] + row[i] * weight);
  }
}

// Sums have 16 bits and lose the last one, so that pairs of them can be multiplied as signed numbers; every
// implementation does the same.
static uint8_t rounded(int32_t sum) { return (uint8_t)((sum + (1 << 20)) >> 21); }

#if defined(__SSE2__)
#include <emmintrin.h>

static void columns1(const uint16_t *scratch, uint8_t *out, int width, const cam_filter_tap *columns,
                     const uint16_t *weights) {
  for (int x = 0; x < width; x++) {
    const uint16_t *value = scratch + columns[x].first, *weight = weights + columns[x].offset;
    const int count = columns[x].count;
    __m128i sum = _mm_setzero_si128();
    int k = 0;
    for (; k + 8 <= count; k += 8) {
      __m128i v = _mm_srli_epi16(_mm_loadu_si128((const __m128i *)(value + k)), 1);
      sum = _mm_add_epi32(sum, _mm_madd_epi16(v, _mm_loadu_si128((const __m128i *)(weight + k))));
    }
    if (k < count) {
      __m128i v = _mm_srli_epi16(_mm_loadl_epi64((const __m128i *)(value + k)), 1);
      sum = _mm_add_epi32(sum, _mm_madd_epi16(v, _mm_loadl_epi64((const __m128i *)(weight + k))));
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    out[x] = rounded(_mm_cvtsi128_si32(sum));
  }
}

static void columns2(const uint16_t *scratch, uint8_t *out, int width, const cam_filter_tap *columns,
                     const uint16_t *weights) {
  for (int x = 0; x < width; x++) {
    const uint16_t *value = scratch + 2 * columns[x].first, *weight = weights + columns[x].offset;
    __m128i sum = _mm_setzero_si128();
    for (int k = 0; k < columns[x].count; k += 4) {
      __m128i v = _mm_srli_epi16(_mm_loadu_si128((const __m128i *)(value + 2 * k)), 1);
      v = _mm_shufflelo_epi16(v, _MM_SHUFFLE(3, 1, 2, 0));
      v = _mm_shufflehi_epi16(v, _MM_SHUFFLE(3, 1, 2, 0));
      __m128i w = _mm_loadl_epi64((const __m128i *)(weight + k));
      sum = _mm_add_epi32(sum, _mm_madd_epi16(v, _mm_unpacklo_epi32(w, w)));
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    out[2 * x] = rounded(_mm_cvtsi128_si32(sum));
    out[2 * x + 1] = rounded(_mm_cvtsi128_si32(_mm_shuffle_epi32(sum, 1)));
  }
}

static void columns4(const uint16_t *scratch, uint8_t *out, int width, const cam_filter_tap *columns,
                     const uint16_t *weights) {
  const __m128i half = _mm_set1_epi32(1 << 20);
  for (int x = 0; x < width; x++) {
    const uint16_t *value = scratch + 4 * columns[x].first, *weight = weights + columns[x].offset;
    __m128i sum = half;
    for (int k = 0; k < columns[x].count; k += 2) {
      __m128i v = _mm_srli_epi16(_mm_loadu_si128((const __m128i *)(value + 4 * k)), 1);
      v = _mm_unpacklo_epi16(v, _mm_srli_si128(v, 8));
      int pair;
      memcpy(&pair, weight + k, sizeof pair);
      sum = _mm_add_epi32(sum, _mm_madd_epi16(v, _mm_set1_epi32(pair)));
    }
    sum = _mm_srli_epi32(sum, 21);
    sum = _mm_packs_epi32(sum, sum);
    const int pixel = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    memcpy(out + 4 * x, &pixel, sizeof pixel);
  }
}
#else
static void columnsOf(int channels, const uint16_t *scratch, uint8_t *out, int width, const cam_filter_tap *columns,
                      const uint16_t *weights) {
  for (int x = 0; x < width; x++) {
    const uint16_t *value = scratch + channels * columns[x].first, *weight = weights + columns[x].offset;
    for (int c = 0; c < channels; c++) {
      int32_t sum = 0;
      for (int k = 0; k < columns[x].count; k++) sum += (value[k * channels + c] >> 1) * weight[k];
      out[x * channels + c] = rounded(sum);
    }
  }
}
static void columns1(const uint16_t *s, uint8_t *o, int w, const cam_filter_tap *c, const uint16_t *weights) {
  columnsOf(1, s, o, w, c, weights);
}
static void columns2(const uint16_t *s, uint8_t *o, int w, const cam_filter_tap *c, const uint16_t *weights) {
  columnsOf(2, s, o, w, c, weights);
}
static void columns4(const uint16_t *s, uint8_t *o, int w, const cam_filter_tap *c, const uint16_t *weights) {
  columnsOf(4, s, o, w, c, weights);
}
#endif

void cam_scale_rows_8(const uint8_t *source, ptrdiff_t sourceStride, int sourceWidth, uint8_t *target,
                      ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                      const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                      const uint16_t *rowWeights, uint16_t *scratch) {
  // Taps of weight 0 may lie past the row.
  memset(scratch + sourceWidth * channels, 0, 4 * channels * sizeof *scratch);
  for (int y = firstRow; y < lastRow; y++) {
    const cam_filter_tap rowTap = rows[y];
    for (int k = 0; k < rowTap.count; k++)
      addRow(source + (rowTap.first + k) * sourceStride, scratch, sourceWidth * channels,
             rowWeights[rowTap.offset + k], k == 0);
    uint8_t *out = target + y * targetStride;
    switch (channels) {
      case 1:
        columns1(scratch, out, targetWidth, columns, columnWeights);
        break;
      case 2:
        columns2(scratch, out, targetWidth, columns, columnWeights);
        break;
      default:
        columns4(scratch, out, targetWidth, columns, columnWeights);
        break;
    }
  }
}

#define COLUMNS(CHANNELS)                                                                             \
  for (int x = 0; x < targetWidth; x++) {                                                             \
    const cam_filter_tap tap = columns[x];                                                            \
    const uint16_t *weight = columnWeights + tap.offset;                                              \
    uint64_t sum[CHANNELS];                                                                           \
    for (int c = 0; c < CHANNELS; c++) sum[c] = 1u << 21;                                             \
    for (int k = 0; k < tap.count; k++)                                                               \
      for (int c = 0; c < CHANNELS; c++)                                                              \
        sum[c] += (uint64_t)scratch[(tap.first + k) * CHANNELS + c] * weight[k];                      \
    for (int c = 0; c < CHANNELS; c++) out[x * CHANNELS + c] = (uint16_t)(sum[c] >> 22);              \
  }

void cam_scale_rows_16(const uint16_t *source, ptrdiff_t sourceStride, int sourceWidth, uint16_t *target,
                       ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                       const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                       const uint16_t *rowWeights, uint32_t *scratch) {
  const int count = sourceWidth * channels;
  memset(scratch + count, 0, 4 * channels * sizeof *scratch);
  for (int y = firstRow; y < lastRow; y++) {
    const cam_filter_tap rowTap = rows[y];
    for (int k = 0; k < rowTap.count; k++) {
      const uint16_t *row = (const uint16_t *)((const uint8_t *)source + (rowTap.first + k) * sourceStride);
      const uint32_t weight = rowWeights[rowTap.offset + k];
      if (k == 0) {
        for (int i = 0; i < count; i++) scratch[i] = row[i] * weight;
      } else {
        for (int i = 0; i < count; i++) scratch[i] += row[i] * weight;
      }
    }
    uint16_t *out = (uint16_t *)((uint8_t *)target + y * targetStride);
    if (channels == 1) {
      COLUMNS(1)
    } else {
      COLUMNS(2)
    }
  }
}
