// What the row loops need to choose their wide variant.
#ifndef Wide_h
#define Wide_h

#if defined(__x86_64__)
#include <immintrin.h>
#define WIDE __attribute__((target("avx2")))
static int hasAVX2(void) {
  static int known = -1;  // Racing writers store the same value.
  int now = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (now < 0) {
    now = __builtin_cpu_supports("avx2") ? 1 : 0;
    __atomic_store_n(&known, now, __ATOMIC_RELAXED);
  }
  return now;
}
#endif

#endif
