// Samples of the same colours put in another order or width. The plain C is the definition.

#include "CYUV.h"
#include "Wide.h"

#if defined(__x86_64__)
WIDE static int wideUnpack(const uint8_t *source, uint8_t *luma, uint8_t *chroma, int width, int lumaFirst) {
  const __m256i low = _mm256_set1_epi16(0xff);
  int x = 0;
  for (; x + 32 <= width; x += 32) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(source + 2 * x));
    __m256i b = _mm256_loadu_si256((const __m256i *)(source + 2 * x + 32));
    __m256i even = _mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
    __m256i odd = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
    even = _mm256_permute4x64_epi64(even, 0xd8);
    odd = _mm256_permute4x64_epi64(odd, 0xd8);
    _mm256_storeu_si256((__m256i *)(luma + x), lumaFirst ? even : odd);
    _mm256_storeu_si256((__m256i *)(chroma + x), lumaFirst ? odd : even);
  }
  return x;
}
#endif

void cam_yuv_unpack_422(const uint8_t *source, uint8_t *luma, uint8_t *chroma, int width, int lumaFirst) {
  const int samples = (width + 1) & ~1;
  const uint8_t *y = source + (lumaFirst ? 0 : 1), *c = source + (lumaFirst ? 1 : 0);
  int start = 0;
#if defined(__x86_64__)
  if (hasAVX2()) start = wideUnpack(source, luma, chroma, width, lumaFirst);
#endif
  for (int x = start; x < width; x++) luma[x] = y[2 * x];
  for (int x = start; x < samples; x++) chroma[x] = c[2 * x];
}

void cam_yuv_pack_422(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width, int lumaFirst) {
  const int even = width & ~1;
  if (lumaFirst) {
    for (int x = 0; x < even; x++) {
      target[2 * x] = luma[x];
      target[2 * x + 1] = chroma[x];
    }
  } else {
    for (int x = 0; x < even; x++) {
      target[2 * x] = chroma[x];
      target[2 * x + 1] = luma[x];
    }
  }
  if (width & 1) {
    uint8_t *last = target + 2 * even;
    const int y = lumaFirst ? 0 : 1, c = lumaFirst ? 1 : 0;
    last[y] = last[y + 2] = luma[even];
    last[c] = chroma[even];
    last[c + 2] = chroma[even + 1];
  }
}

void cam_yuv_narrow(const uint16_t *source, uint8_t *target, int count) {
  for (int i = 0; i < count; i++) {
    unsigned value = ((unsigned)source[i] + 128u) >> 8;
    target[i] = (uint8_t)(value > 255u ? 255u : value);
  }
}

void cam_yuv_widen(const uint8_t *source, uint16_t *target, int count) {
  for (int i = 0; i < count; i++) target[i] = (uint16_t)(source[i] << 8);
}

void cam_yuv_interleave(const uint8_t *cb, const uint8_t *cr, uint8_t *target, int pairs) {
  for (int i = 0; i < pairs; i++) {
    target[2 * i] = cb[i];
    target[2 * i + 1] = cr[i];
  }
}

void cam_yuv_split(const uint8_t *source, uint8_t *cb, uint8_t *cr, int pairs) {
  for (int i = 0; i < pairs; i++) {
    cb[i] = source[2 * i];
    cr[i] = source[2 * i + 1];
  }
}

void cam_yuv_average(const uint8_t *upper, const uint8_t *lower, uint8_t *target, int count) {
  for (int i = 0; i < count; i++) target[i] = (uint8_t)((upper[i] + lower[i] + 1) >> 1);
}
