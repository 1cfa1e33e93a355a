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

#define COLUMNS(CHANNELS, SUM, SAMPLE, ROUND, SHIFT)                                                \
  for (int x = 0; x < targetWidth; x++) {                                                           \
    const cam_filter_tap tap = columns[x];                                                          \
    const uint16_t *weight = columnWeights + tap.offset;                                            \
    SUM sum[CHANNELS];                                                                              \
    for (int c = 0; c < CHANNELS; c++) sum[c] = (ROUND);                                            \
    for (int k = 0; k < tap.count; k++)                                                             \
      for (int c = 0; c < CHANNELS; c++)                                                            \
        sum[c] += (SUM)scratch[(tap.first + k) * CHANNELS + c] * weight[k];                         \
    for (int c = 0; c < CHANNELS; c++) out[x * CHANNELS + c] = (SAMPLE)(sum[c] >> (SHIFT));         \
  }

void cam_scale_rows_8(const uint8_t *source, ptrdiff_t sourceStride, int sourceWidth, uint8_t *target,
                      ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                      const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                      const uint16_t *rowWeights, uint16_t *scratch) {
  for (int y = firstRow; y < lastRow; y++) {
    const cam_filter_tap rowTap = rows[y];
    for (int k = 0; k < rowTap.count; k++)
      addRow(source + (rowTap.first + k) * sourceStride, scratch, sourceWidth * channels,
             rowWeights[rowTap.offset + k], k == 0);
    uint8_t *out = target + y * targetStride;
    switch (channels) {
      case 1:
        COLUMNS(1, uint32_t, uint8_t, 1u << 21, 22);
        break;
      case 2:
        COLUMNS(2, uint32_t, uint8_t, 1u << 21, 22);
        break;
      default:
        COLUMNS(4, uint32_t, uint8_t, 1u << 21, 22);
        break;
    }
  }
}

void cam_scale_rows_16(const uint16_t *source, ptrdiff_t sourceStride, int sourceWidth, uint16_t *target,
                       ptrdiff_t targetStride, int targetWidth, int firstRow, int lastRow, int channels,
                       const cam_filter_tap *columns, const uint16_t *columnWeights, const cam_filter_tap *rows,
                       const uint16_t *rowWeights, uint32_t *scratch) {
  const int count = sourceWidth * channels;
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
      COLUMNS(1, uint64_t, uint16_t, 1u << 21, 22);
    } else {
      COLUMNS(2, uint64_t, uint16_t, 1u << 21, 22);
    }
  }
}
