// Sixteen 16-bit numbers, and eight 32-bit ones: plain C, or AVX2 where WIDE is defined. Both give the same bits.
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(WIDE)
#include <immintrin.h>
typedef __m256i lanes;
typedef __m256i sums;

INLINE lanes read16(const int16_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
INLINE void write16(int16_t *p, lanes a) { _mm256_storeu_si256((__m256i *)p, a); }
/// 14 bits of sixteen bytes.
INLINE lanes read_bytes(const uint8_t *p) {
  return _mm256_slli_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p)), 6);
}
/// 14 bits of sixteen numbers with their bits on top.
INLINE lanes read_words(const uint8_t *p) { return _mm256_srli_epi16(_mm256_loadu_si256((const __m256i *)p), 2); }
INLINE lanes all(int16_t a) { return _mm256_set1_epi16(a); }
INLINE lanes plus(lanes a, lanes b) { return _mm256_adds_epi16(a, b); }
INLINE lanes minus(lanes a, lanes b) { return _mm256_subs_epi16(a, b); }
INLINE lanes least(lanes a, lanes b) { return _mm256_min_epi16(a, b); }
INLINE lanes most(lanes a, lanes b) { return _mm256_max_epi16(a, b); }
INLINE lanes flipped(lanes a, lanes b) { return _mm256_xor_si256(a, b); }
/// (a * b + 0x4000) >> 15
INLINE lanes times(lanes a, lanes b) { return _mm256_mulhrs_epi16(a, b); }
#define shifted(a, n) _mm256_srai_epi16(a, n)
INLINE sums none(void) { return _mm256_setzero_si256(); }
/// Adds the products of neighbours.
INLINE sums add_products(sums s, lanes a, lanes b) { return _mm256_add_epi32(s, _mm256_madd_epi16(a, b)); }
INLINE void write_sums(int32_t *p, sums s) { _mm256_storeu_si256((__m256i *)p, s); }
/// Four copies of each of four weights.
INLINE lanes spread(const int16_t *p) {
  int64_t four;
  memcpy(&four, p, 8);
  const __m256i order = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5, 4, 5, 4, 5, 6, 7, 6, 7,
                                         6, 7, 6, 7);
  return _mm256_shuffle_epi8(_mm256_set1_epi64x(four), order);
}

#else

typedef int16_t half __attribute__((ext_vector_type(8)));
typedef uint16_t whole __attribute__((ext_vector_type(8)));
typedef int32_t words __attribute__((ext_vector_type(8)));
typedef struct {
  half a, b;
} lanes;
typedef struct {
  int32_t each[8];
} sums;

INLINE lanes read16(const int16_t *p) {
  lanes r;
  memcpy(&r.a, p, 16);
  memcpy(&r.b, p + 8, 16);
  return r;
}
INLINE void write16(int16_t *p, lanes r) {
  memcpy(p, &r.a, 16);
  memcpy(p + 8, &r.b, 16);
}
INLINE lanes read_bytes(const uint8_t *p) {
  typedef uint8_t eight __attribute__((ext_vector_type(8)));
  eight a, b;
  memcpy(&a, p, 8);
  memcpy(&b, p + 8, 8);
  return (lanes){__builtin_convertvector(a, half) << 6, __builtin_convertvector(b, half) << 6};
}
INLINE lanes read_words(const uint8_t *p) {
  whole a, b;
  memcpy(&a, p, 16);
  memcpy(&b, p + 16, 16);
  return (lanes){(half)(a >> 2), (half)(b >> 2)};
}
INLINE lanes all(int16_t a) { return (lanes){(half)a, (half)a}; }
INLINE lanes plus(lanes x, lanes y) {
  return (lanes){__builtin_elementwise_add_sat(x.a, y.a), __builtin_elementwise_add_sat(x.b, y.b)};
}
INLINE lanes minus(lanes x, lanes y) {
  return (lanes){__builtin_elementwise_sub_sat(x.a, y.a), __builtin_elementwise_sub_sat(x.b, y.b)};
}
INLINE lanes least(lanes x, lanes y) {
  return (lanes){__builtin_elementwise_min(x.a, y.a), __builtin_elementwise_min(x.b, y.b)};
}
INLINE lanes most(lanes x, lanes y) {
  return (lanes){__builtin_elementwise_max(x.a, y.a), __builtin_elementwise_max(x.b, y.b)};
}
INLINE lanes flipped(lanes x, lanes y) { return (lanes){x.a ^ y.a, x.b ^ y.b}; }
INLINE half half_times(half x, half y) {
  words product = __builtin_convertvector(x, words) * __builtin_convertvector(y, words);
  return __builtin_convertvector((product + 0x4000) >> 15, half);
}
INLINE lanes times(lanes x, lanes y) { return (lanes){half_times(x.a, y.a), half_times(x.b, y.b)}; }
#define shifted(x, n) ((lanes){(x).a >> (n), (x).b >> (n)})
INLINE sums none(void) { return (sums){{0}}; }
INLINE sums add_products(sums s, lanes x, lanes y) {
  words a = __builtin_convertvector(x.a, words) * __builtin_convertvector(y.a, words);
  words b = __builtin_convertvector(x.b, words) * __builtin_convertvector(y.b, words);
  for (int i = 0; i < 4; i++) {
    s.each[i] += a[2 * i] + a[2 * i + 1];
    s.each[i + 4] += b[2 * i] + b[2 * i + 1];
  }
  return s;
}
INLINE void write_sums(int32_t *p, sums s) { memcpy(p, s.each, 32); }
INLINE lanes spread(const int16_t *p) {
  return (lanes){(half){p[0], p[0], p[0], p[0], p[1], p[1], p[1], p[1]},
                 (half){p[2], p[2], p[2], p[2], p[3], p[3], p[3], p[3]}};
}
#endif
