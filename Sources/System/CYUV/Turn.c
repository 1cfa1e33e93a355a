// Quarter turns of 16-bit elements.

#include "CYUV.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__SSE2__)
static void transposeBlock(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride) {
  __m128i r[8], t[8];
  for (int i = 0; i < 8; i++) r[i] = _mm_loadu_si128((const __m128i *)(source + i * sourceStride));
  for (int i = 0; i < 4; i++) {
    t[2 * i] = _mm_unpacklo_epi16(r[2 * i], r[2 * i + 1]);
    t[2 * i + 1] = _mm_unpackhi_epi16(r[2 * i], r[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    r[4 * i] = _mm_unpacklo_epi32(t[4 * i], t[4 * i + 2]);
    r[4 * i + 1] = _mm_unpackhi_epi32(t[4 * i], t[4 * i + 2]);
    r[4 * i + 2] = _mm_unpacklo_epi32(t[4 * i + 1], t[4 * i + 3]);
    r[4 * i + 3] = _mm_unpackhi_epi32(t[4 * i + 1], t[4 * i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    _mm_storeu_si128((__m128i *)(target + (2 * i) * targetStride), _mm_unpacklo_epi64(r[i], r[i + 4]));
    _mm_storeu_si128((__m128i *)(target + (2 * i + 1) * targetStride), _mm_unpackhi_epi64(r[i], r[i + 4]));
  }
}
#endif

void cam_rotate_16(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, int width,
                   int height, int degrees) {
  // A quarter turn is the transpose of the picture upside down, or upside down after the transpose.
  if (degrees == 90) {
    source += (height - 1) * sourceStride;
    sourceStride = -sourceStride;
  } else {
    target += (width - 1) * targetStride;
    targetStride = -targetStride;
  }
  int wholeRows = 0, wholeColumns = 0;
#if defined(__SSE2__)
  wholeRows = height & ~7;
  wholeColumns = width & ~7;
  for (int y = 0; y < wholeRows; y += 8)
    for (int x = 0; x < wholeColumns; x += 8)
      transposeBlock(source + y * sourceStride + 2 * x, sourceStride, target + x * targetStride + 2 * y, targetStride);
#endif
  for (int y = 0; y < height; y++) {
    const int first = y < wholeRows ? wholeColumns : 0;
    for (int x = first; x < width; x++)
      memcpy(target + x * targetStride + 2 * y, source + y * sourceStride + 2 * x, 2);
  }
}
