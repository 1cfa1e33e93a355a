// Row loops of colour conversion. The plain C is the definition; every wide variant gives the same bits.

#include "CYUV.h"
#include "Wide.h"

static inline int product(int chroma, int factor) {
  // What the `pmulhrsw` instruction computes of (chroma << 8) and factor.
  return ((chroma << 8) * factor + 0x4000) >> 15;
}

static inline int level(int value, const uint16_t gain, const int16_t offset) {
  return (int)(((uint32_t)value * 257u * gain) >> 16) + offset;
}

static inline uint8_t clamped(int sixtyFourths) {
  int value = sixtyFourths >> 6;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// MARK: - Y'CbCr to R'G'B'

#if defined(__x86_64__)
WIDE static inline __m256i picked(uint8_t name, __m256i blue, __m256i green, __m256i red, __m256i alpha) {
  return name == 0 ? blue : name == 1 ? green : name == 2 ? red : alpha;
}

WIDE static int wideToRGB(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                          const cam_yuv_to_rgb *m, const uint8_t order[4]) {
  const __m256i gain = _mm256_set1_epi16((short)m->lumaGain), offset = _mm256_set1_epi16(m->lumaOffset);
  const __m256i cbToBlue = _mm256_set1_epi16(m->cbToBlue), cbToGreen = _mm256_set1_epi16(m->cbToGreen);
  const __m256i crToGreen = _mm256_set1_epi16(m->crToGreen), crToRed = _mm256_set1_epi16(m->crToRed);
  const __m256i middle = _mm256_set1_epi8((char)0x80), alpha = _mm256_set1_epi8((char)0xff);
  const __m256i high = _mm256_set1_epi16((short)0xff00);
  int x = 0;
  for (; x + 32 <= width; x += 32) {
    // 16 chroma pairs; each 16-bit lane is one pair, so the lanes meet luma 2i (even) and 2i + 1 (odd).
    __m256i pairs = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(chroma + x)), middle);
    __m256i cb = _mm256_slli_epi16(pairs, 8), cr = _mm256_and_si256(pairs, high);
    __m256i y = _mm256_loadu_si256((const __m256i *)(luma + x));
    __m256i even = _mm256_or_si256(_mm256_slli_epi16(y, 8), _mm256_srli_epi16(_mm256_slli_epi16(y, 8), 8));
    __m256i odd = _mm256_or_si256(_mm256_and_si256(y, high), _mm256_srli_epi16(y, 8));
    even = _mm256_add_epi16(_mm256_mulhi_epu16(even, gain), offset);
    odd = _mm256_add_epi16(_mm256_mulhi_epu16(odd, gain), offset);
    __m256i b = _mm256_mulhrs_epi16(cb, cbToBlue), r = _mm256_mulhrs_epi16(cr, crToRed);
    __m256i g = _mm256_add_epi16(_mm256_mulhrs_epi16(cb, cbToGreen), _mm256_mulhrs_epi16(cr, crToGreen));
    __m256i be = _mm256_srai_epi16(_mm256_adds_epi16(even, b), 6);
    __m256i bo = _mm256_srai_epi16(_mm256_adds_epi16(odd, b), 6);
    __m256i ge = _mm256_srai_epi16(_mm256_adds_epi16(even, g), 6);
    __m256i go = _mm256_srai_epi16(_mm256_adds_epi16(odd, g), 6);
    __m256i re = _mm256_srai_epi16(_mm256_adds_epi16(even, r), 6);
    __m256i ro = _mm256_srai_epi16(_mm256_adds_epi16(odd, r), 6);
    // packus gives per lane [8 even][8 odd]; unpacking the halves against each other restores pixel order.
    __m256i bb = _mm256_packus_epi16(be, bo), gg = _mm256_packus_epi16(ge, go), rr = _mm256_packus_epi16(re, ro);
    bb = _mm256_unpacklo_epi8(bb, _mm256_srli_si256(bb, 8));
    gg = _mm256_unpacklo_epi8(gg, _mm256_srli_si256(gg, 8));
    rr = _mm256_unpacklo_epi8(rr, _mm256_srli_si256(rr, 8));
    __m256i c0 = picked(order[0], bb, gg, rr, alpha), c1 = picked(order[1], bb, gg, rr, alpha);
    __m256i c2 = picked(order[2], bb, gg, rr, alpha), c3 = picked(order[3], bb, gg, rr, alpha);
    __m256i lo01 = _mm256_unpacklo_epi8(c0, c1), hi01 = _mm256_unpackhi_epi8(c0, c1);
    __m256i lo23 = _mm256_unpacklo_epi8(c2, c3), hi23 = _mm256_unpackhi_epi8(c2, c3);
    __m256i p0 = _mm256_unpacklo_epi16(lo01, lo23), p1 = _mm256_unpackhi_epi16(lo01, lo23);
    __m256i p2 = _mm256_unpacklo_epi16(hi01, hi23), p3 = _mm256_unpackhi_epi16(hi01, hi23);
    __m256i *out = (__m256i *)(target + 4 * x);
    _mm256_storeu_si256(out + 0, _mm256_permute2x128_si256(p0, p1, 0x20));
    _mm256_storeu_si256(out + 1, _mm256_permute2x128_si256(p2, p3, 0x20));
    _mm256_storeu_si256(out + 2, _mm256_permute2x128_si256(p0, p1, 0x31));
    _mm256_storeu_si256(out + 3, _mm256_permute2x128_si256(p2, p3, 0x31));
  }
  return x;
}
#endif

void cam_yuv_row_to_rgb(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                        const cam_yuv_to_rgb *m, const uint8_t order[4]) {
  int x = 0;
#if defined(__x86_64__)
  if (hasAVX2()) x = wideToRGB(luma, chroma, target, width, m, order);
#endif
  for (; x < width; x++) {
    int cb = (int)chroma[x & ~1] - 128, cr = (int)chroma[x | 1] - 128;
    int y = level(luma[x], m->lumaGain, m->lumaOffset);
    uint8_t channel[4];
    channel[0] = clamped(y + product(cb, m->cbToBlue));
    channel[1] = clamped(y + product(cb, m->cbToGreen) + product(cr, m->crToGreen));
    channel[2] = clamped(y + product(cr, m->crToRed));
    channel[3] = 255;
    for (int i = 0; i < 4; i++) target[4 * x + i] = channel[order[i]];
  }
}

// MARK: - R'G'B' to Y'CbCr

#if defined(__x86_64__)
WIDE static int wideToLuma(const uint8_t *bgra, uint8_t *luma, int width, const cam_rgb_to_yuv *m) {
  const __m256i factors = _mm256_setr_epi16(
      m->luma[2], m->luma[1], m->luma[0], 0, m->luma[2], m->luma[1], m->luma[0], 0, m->luma[2], m->luma[1],
      m->luma[0], 0, m->luma[2], m->luma[1], m->luma[0], 0);
  const __m256i offset = _mm256_set1_epi32((m->lumaOffset << 15) + (1 << 14));
  const __m256i zero = _mm256_setzero_si256();
  int x = 0;
  for (; x + 16 <= width; x += 16) {
    __m256i a = _mm256_loadu_si256((const __m256i *)(bgra + 4 * x));
    __m256i b = _mm256_loadu_si256((const __m256i *)(bgra + 4 * x + 32));
    __m256i a0 = _mm256_madd_epi16(_mm256_unpacklo_epi8(a, zero), factors);
    __m256i a1 = _mm256_madd_epi16(_mm256_unpackhi_epi8(a, zero), factors);
    __m256i b0 = _mm256_madd_epi16(_mm256_unpacklo_epi8(b, zero), factors);
    __m256i b1 = _mm256_madd_epi16(_mm256_unpackhi_epi8(b, zero), factors);
    // Per lane: pixels 0…3 of `a` (lane 0), 4…7 (lane 1); the same of `b`.
    __m256i sa = _mm256_srai_epi32(_mm256_add_epi32(_mm256_hadd_epi32(a0, a1), offset), 15);
    __m256i sb = _mm256_srai_epi32(_mm256_add_epi32(_mm256_hadd_epi32(b0, b1), offset), 15);
    __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(sa, sb), 0xd8);
    __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
    _mm_storeu_si128((__m128i *)(luma + x), _mm256_castsi256_si128(bytes));
  }
  return x;
}
#endif

void cam_rgb_row_to_luma(const uint8_t *bgra, uint8_t *luma, int width, const cam_rgb_to_yuv *m) {
  int x = 0;
#if defined(__x86_64__)
  if (hasAVX2()) x = wideToLuma(bgra, luma, width, m);
#endif
  const int offset = (m->lumaOffset << 15) + (1 << 14);
  for (; x < width; x++) {
    const uint8_t *p = bgra + 4 * x;
    int sum = m->luma[0] * p[2] + m->luma[1] * p[1] + m->luma[2] * p[0] + offset;
    int value = sum >> 15;
    luma[x] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
  }
}

static inline uint8_t chromaLevel(const int16_t f[3], int red, int green, int blue) {
  // Sums of four pixels: two bits more than the factors' fifteen.
  int value = (f[0] * red + f[1] * green + f[2] * blue + (128 << 17) + (1 << 16)) >> 17;
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

#if defined(__x86_64__)
WIDE static inline __m256i wideChromaOf(__m256i a0, __m256i a1, __m256i b0, __m256i b1, __m256i factors) {
  // Two sums a pixel, then one a pixel, then one for two pixels: per lane c0 c1 c4 c5 and c2 c3 c6 c7.
  __m256i a = _mm256_hadd_epi32(_mm256_madd_epi16(a0, factors), _mm256_madd_epi16(a1, factors));
  __m256i b = _mm256_hadd_epi32(_mm256_madd_epi16(b0, factors), _mm256_madd_epi16(b1, factors));
  __m256i sum = _mm256_add_epi32(_mm256_hadd_epi32(a, b), _mm256_set1_epi32((128 << 17) + (1 << 16)));
  sum = _mm256_permute4x64_epi64(_mm256_srai_epi32(sum, 17), 0xd8);
  return _mm256_min_epi32(_mm256_max_epi32(sum, _mm256_setzero_si256()), _mm256_set1_epi32(255));
}

WIDE static int wideToChroma(const uint8_t *upper, const uint8_t *lower, uint8_t *chroma, int pairs,
                             const cam_rgb_to_yuv *m) {
  const __m256i toCb = _mm256_set1_epi64x((int64_t)(((uint64_t)(uint16_t)m->cb[0] << 32) |
                                                    ((uint64_t)(uint16_t)m->cb[1] << 16) | (uint16_t)m->cb[2]));
  const __m256i toCr = _mm256_set1_epi64x((int64_t)(((uint64_t)(uint16_t)m->cr[0] << 32) |
                                                    ((uint64_t)(uint16_t)m->cr[1] << 16) | (uint16_t)m->cr[2]));
  const __m256i zero = _mm256_setzero_si256();
  int i = 0;
  for (; i + 8 <= pairs; i += 8) {
    __m256i ua = _mm256_loadu_si256((const __m256i *)(upper + 8 * i));
    __m256i ub = _mm256_loadu_si256((const __m256i *)(upper + 8 * i + 32));
    __m256i la = _mm256_loadu_si256((const __m256i *)(lower + 8 * i));
    __m256i lb = _mm256_loadu_si256((const __m256i *)(lower + 8 * i + 32));
    __m256i a0 = _mm256_add_epi16(_mm256_unpacklo_epi8(ua, zero), _mm256_unpacklo_epi8(la, zero));
    __m256i a1 = _mm256_add_epi16(_mm256_unpackhi_epi8(ua, zero), _mm256_unpackhi_epi8(la, zero));
    __m256i b0 = _mm256_add_epi16(_mm256_unpacklo_epi8(ub, zero), _mm256_unpacklo_epi8(lb, zero));
    __m256i b1 = _mm256_add_epi16(_mm256_unpackhi_epi8(ub, zero), _mm256_unpackhi_epi8(lb, zero));
    __m256i cb = wideChromaOf(a0, a1, b0, b1, toCb), cr = wideChromaOf(a0, a1, b0, b1, toCr);
    __m256i words = _mm256_or_si256(cb, _mm256_slli_epi32(cr, 16));
    __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
    _mm_storeu_si128((__m128i *)(chroma + 2 * i), _mm256_castsi256_si128(bytes));
  }
  return i;
}
#endif

void cam_rgb_rows_to_chroma(const uint8_t *upper, const uint8_t *lower, uint8_t *chroma, int width,
                            const cam_rgb_to_yuv *m) {
  int pairs = width / 2;
  int i = 0;
#if defined(__x86_64__)
  if (hasAVX2()) i = wideToChroma(upper, lower, chroma, pairs, m);
#endif
  for (; i < pairs; i++) {
    const uint8_t *u = upper + 8 * i, *l = lower + 8 * i;
    int blue = u[0] + u[4] + l[0] + l[4];
    int green = u[1] + u[5] + l[1] + l[5];
    int red = u[2] + u[6] + l[2] + l[6];
    chroma[2 * i] = chromaLevel(m->cb, red, green, blue);
    chroma[2 * i + 1] = chromaLevel(m->cr, red, green, blue);
  }
  if (width & 1) {
    const uint8_t *u = upper + 8 * pairs, *l = lower + 8 * pairs;
    int blue = 2 * (u[0] + l[0]), green = 2 * (u[1] + l[1]), red = 2 * (u[2] + l[2]);
    chroma[2 * pairs] = chromaLevel(m->cb, red, green, blue);
    chroma[2 * pairs + 1] = chromaLevel(m->cr, red, green, blue);
  }
}

// MARK: - Y'CbCr to Y'CbCr

#if defined(__x86_64__)
WIDE static int wideRematrixLuma(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                                 const cam_yuv_to_yuv *m) {
  const __m256i gain = _mm256_set1_epi16((short)m->lumaGain), offset = _mm256_set1_epi16(m->lumaOffset);
  const __m256i cbToLuma = _mm256_set1_epi16(m->cbToLuma), crToLuma = _mm256_set1_epi16(m->crToLuma);
  const __m256i middle = _mm256_set1_epi8((char)0x80), high = _mm256_set1_epi16((short)0xff00);
  const int crosses = m->cbToLuma != 0 || m->crToLuma != 0;
  int x = 0;
  for (; x + 32 <= width; x += 32) {
    __m256i y = _mm256_loadu_si256((const __m256i *)(luma + x));
    __m256i even = _mm256_or_si256(_mm256_slli_epi16(y, 8), _mm256_srli_epi16(_mm256_slli_epi16(y, 8), 8));
    __m256i odd = _mm256_or_si256(_mm256_and_si256(y, high), _mm256_srli_epi16(y, 8));
    even = _mm256_add_epi16(_mm256_mulhi_epu16(even, gain), offset);
    odd = _mm256_add_epi16(_mm256_mulhi_epu16(odd, gain), offset);
    if (crosses) {
      __m256i pairs = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(chroma + x)), middle);
      __m256i shift = _mm256_add_epi16(
          _mm256_mulhrs_epi16(_mm256_slli_epi16(pairs, 8), cbToLuma),
          _mm256_mulhrs_epi16(_mm256_and_si256(pairs, high), crToLuma));
      even = _mm256_adds_epi16(even, shift);
      odd = _mm256_adds_epi16(odd, shift);
    }
    __m256i packed = _mm256_packus_epi16(_mm256_srai_epi16(even, 6), _mm256_srai_epi16(odd, 6));
    packed = _mm256_unpacklo_epi8(packed, _mm256_srli_si256(packed, 8));
    _mm256_storeu_si256((__m256i *)(target + x), packed);
  }
  return x;
}

WIDE static int wideRematrixChroma(const uint8_t *chroma, uint8_t *target, int pairs, const cam_yuv_to_yuv *m) {
  const __m256i bb = _mm256_set1_epi16(m->cbToCb), rb = _mm256_set1_epi16(m->crToCb);
  const __m256i br = _mm256_set1_epi16(m->cbToCr), rr = _mm256_set1_epi16(m->crToCr);
  const __m256i offset = _mm256_set1_epi16(128 * 64 + 32);
  const __m256i middle = _mm256_set1_epi8((char)0x80), high = _mm256_set1_epi16((short)0xff00);
  int i = 0;
  for (; i + 16 <= pairs; i += 16) {
    __m256i both = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(chroma + 2 * i)), middle);
    __m256i cb = _mm256_slli_epi16(both, 8), cr = _mm256_and_si256(both, high);
    __m256i newCb = _mm256_add_epi16(_mm256_mulhrs_epi16(cb, bb), _mm256_mulhrs_epi16(cr, rb));
    __m256i newCr = _mm256_add_epi16(_mm256_mulhrs_epi16(cb, br), _mm256_mulhrs_epi16(cr, rr));
    newCb = _mm256_srai_epi16(_mm256_adds_epi16(newCb, offset), 6);
    newCr = _mm256_srai_epi16(_mm256_adds_epi16(newCr, offset), 6);
    __m256i packed = _mm256_packus_epi16(newCb, newCr);
    packed = _mm256_unpacklo_epi8(packed, _mm256_srli_si256(packed, 8));
    _mm256_storeu_si256((__m256i *)(target + 2 * i), packed);
  }
  return i;
}
#endif

void cam_yuv_row_to_luma(const uint8_t *luma, const uint8_t *chroma, uint8_t *target, int width,
                         const cam_yuv_to_yuv *m) {
  int x = 0;
#if defined(__x86_64__)
  if (hasAVX2()) x = wideRematrixLuma(luma, chroma, target, width, m);
#endif
  if (m->cbToLuma == 0 && m->crToLuma == 0) {
    for (; x < width; x++) target[x] = clamped(level(luma[x], m->lumaGain, m->lumaOffset));
    return;
  }
  for (; x < width; x++) {
    int cb = (int)chroma[x & ~1] - 128, cr = (int)chroma[x | 1] - 128;
    target[x] = clamped(
        level(luma[x], m->lumaGain, m->lumaOffset) + product(cb, m->cbToLuma) + product(cr, m->crToLuma));
  }
}

void cam_yuv_row_to_chroma(const uint8_t *chroma, uint8_t *target, int pairs, const cam_yuv_to_yuv *m) {
  int i = 0;
#if defined(__x86_64__)
  if (hasAVX2()) i = wideRematrixChroma(chroma, target, pairs, m);
#endif
  for (; i < pairs; i++) {
    int cb = (int)chroma[2 * i] - 128, cr = (int)chroma[2 * i + 1] - 128;
    target[2 * i] = clamped(product(cb, m->cbToCb) + product(cr, m->crToCb) + 128 * 64 + 32);
    target[2 * i + 1] = clamped(product(cb, m->cbToCr) + product(cr, m->crToCr) + 128 * 64 + 32);
  }
}
