// Eight floats at once, for the loops.
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef float eight __attribute__((ext_vector_type(8)));
typedef float quad __attribute__((ext_vector_type(4)));
typedef int32_t whole __attribute__((ext_vector_type(8)));
typedef uint8_t octets __attribute__((ext_vector_type(8)));
typedef uint8_t pairs __attribute__((ext_vector_type(16)));
typedef int32_t places4 __attribute__((ext_vector_type(4)));
typedef uint32_t sums4 __attribute__((ext_vector_type(4)));

INLINE eight read8(const float *p) {
  eight a;
  memcpy(&a, p, 32);
  return a;
}
INLINE void write8(float *p, eight a) { memcpy(p, &a, 32); }
INLINE eight least(eight a, eight b) { return __builtin_elementwise_min(a, b); }
INLINE eight most(eight a, eight b) { return __builtin_elementwise_max(a, b); }
INLINE eight size_of(eight a) { return __builtin_elementwise_abs(a); }
INLINE eight unit(eight a) { return least(most(a, (eight)0), (eight)1); }
INLINE eight level(eight a) { return least(most(a, (eight)0), (eight)255); }
/// Rounds both ends of 0 to 1.
INLINE eight smooth(eight t) { return t * t * (3 - 2 * t); }

#define APART __attribute__((noinline, cold))
#define LIKELY(a) __builtin_expect(a, 1)

/// A row's last bytes, apart from the loops so that these stay in registers.
static APART uint64_t few_bytes(const uint8_t *p, int count) {
  uint64_t a = 0;
  if (count > 0) memcpy(&a, p, (size_t)count);
  return a;
}
static APART void put_few(uint8_t *p, uint64_t a, int count) {
  if (count > 0) memcpy(p, &a, (size_t)count);
}
INLINE uint64_t bytes_at(const uint8_t *p, int count) {
  uint64_t a;
  if (!LIKELY(count >= 8)) return few_bytes(p, count);
  memcpy(&a, p, 8);
  return a;
}
INLINE void put_bytes(uint8_t *p, uint64_t a, int count) {
  if (LIKELY(count >= 8)) memcpy(p, &a, 8);
  else put_few(p, a, count);
}

/// The first `count` of eight bytes.
INLINE eight read_bytes(const uint8_t *p, int count) {
  const uint64_t bytes = bytes_at(p, count);
  octets a;
  memcpy(&a, &bytes, 8);
  return __builtin_convertvector(a, eight);
}
INLINE void write_bytes(uint8_t *p, eight a, int count) {
  const octets b = __builtin_convertvector(__builtin_convertvector(a, whole), octets);
  uint64_t bytes;
  memcpy(&bytes, &b, 8);
  put_bytes(p, bytes, count);
}
/// The first `count` of eight pairs.
INLINE void read_pairs(const uint8_t *p, int count, eight *a, eight *b) {
  const uint64_t halves[2] = {bytes_at(p, 2 * count), bytes_at(p + 8, 2 * count - 8)};
  pairs both;
  memcpy(&both, halves, 16);
  *a = __builtin_convertvector(both.even, eight);
  *b = __builtin_convertvector(both.odd, eight);
}
INLINE void write_pairs(uint8_t *p, eight a, eight b, int count) {
  const octets c = __builtin_convertvector(__builtin_convertvector(a, whole), octets);
  const octets d = __builtin_convertvector(__builtin_convertvector(b, whole), octets);
  const pairs both = __builtin_shufflevector(c, d, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  uint64_t halves[2];
  memcpy(halves, &both, 16);
  put_bytes(p, halves[0], 2 * count);
  put_bytes(p + 8, halves[1], 2 * count - 8);
}

/// Means of two and two in both rows.
INLINE eight mean_of_pairs(const float *upper, const float *lower) {
  const eight a = read8(upper) + read8(lower), b = read8(upper + 8) + read8(lower + 8);
  return (__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15))
         * 0.25f;
}

INLINE float *cells(const effects_field *f, int y) { return f->base + y * f->stride; }
INLINE int inside(int a, int count) { return a < 0 ? 0 : a < count ? a : count - 1; }
