// The same loops for processors with AVX2.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "Loops.h"
#pragma clang attribute pop

const mosaics_loops mosaics_wide_loops = ALL_LOOPS;
#endif
