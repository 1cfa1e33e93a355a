// Rows of chroma as the decoder writes them into its target.
#ifndef jpeg_chroma_h
#define jpeg_chroma_h

#include <string.h>

#include "cam_jpeg.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

static void join_pairs(const uint8_t *first, const uint8_t *second, uint8_t *pairs, int count) {
  int x = 0;
#if defined(__SSE2__)
  for (; x + 16 <= count; x += 16) {
    __m128i a = _mm_loadu_si128((const __m128i *)(first + x));
    __m128i b = _mm_loadu_si128((const __m128i *)(second + x));
    _mm_storeu_si128((__m128i *)(pairs + 2 * x), _mm_unpacklo_epi8(a, b));
    _mm_storeu_si128((__m128i *)(pairs + 2 * x + 16), _mm_unpackhi_epi8(a, b));
  }
#elif defined(__ARM_NEON)
  for (; x + 16 <= count; x += 16) {
    uint8x16x2_t both = {{vld1q_u8(first + x), vld1q_u8(second + x)}};
    vst2q_u8(pairs + 2 * x, both);
  }
#endif
  for (; x < count; x++) {
    pairs[2 * x] = first[x];
    pairs[2 * x + 1] = second[x];
  }
}

static void average(uint8_t *into, const uint8_t *other, int count) {
  int x = 0;
#if defined(__SSE2__)
  for (; x + 16 <= count; x += 16) {
    __m128i a = _mm_loadu_si128((const __m128i *)(into + x));
    __m128i b = _mm_loadu_si128((const __m128i *)(other + x));
    _mm_storeu_si128((__m128i *)(into + x), _mm_avg_epu8(a, b));
  }
#elif defined(__ARM_NEON)
  for (; x + 16 <= count; x += 16) vst1q_u8(into + x, vrhaddq_u8(vld1q_u8(into + x), vld1q_u8(other + x)));
#endif
  for (; x < count; x++) into[x] = (uint8_t)((into[x] + other[x] + 1) >> 1);
}

static void write_chroma(const cam_jpeg_target *to, int y, const uint8_t *cb, const uint8_t *cr) {
  int count = (to->width + 1) / 2;
  uint8_t *first = to->planes[1] + (size_t)y * to->strides[1];
  uint8_t *second = to->planes[2] + (size_t)y * to->strides[2];
  if (to->chroma_step == 2) {
    if (second > first) join_pairs(cb, cr, first, count);
    else join_pairs(cr, cb, second, count);
  } else {
    memcpy(first, cb, (size_t)count);
    memcpy(second, cr, (size_t)count);
  }
}

static void write_neutral_chroma(const cam_jpeg_target *to, int y) {
  size_t count = (size_t)(to->width + 1) / 2;
  if (to->chroma_step == 2) {
    uint8_t *first = to->planes[1] < to->planes[2] ? to->planes[1] : to->planes[2];
    memset(first + (size_t)y * to->strides[1], 128, 2 * count);
  } else {
    memset(to->planes[1] + (size_t)y * to->strides[1], 128, count);
    memset(to->planes[2] + (size_t)y * to->strides[2], 128, count);
  }
}

#endif
