// The same loops for processors with AVX2.
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define WIDE 1
#include "Loops.h"
#pragma clang attribute pop

const fusion_loops fusion_wide_loops = {halve, narrow, read_tile, compare, search, plane_sad, begin, block_means, add, finish, develop, move, transfer};
#endif
