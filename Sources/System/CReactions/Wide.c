// The same loops for processors with AVX2, which gather texels.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "Loops.h"
#pragma clang attribute pop

const reactions_loops reactions_wide_loops = ALL_LOOPS;
#endif
