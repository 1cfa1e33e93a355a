// What Swift has no word for: to ask the processor for memory without waiting for it, and where a section lies.

#ifndef CPREFETCH_H
#define CPREFETCH_H

#include <stddef.h>
#include <stdint.h>

// Asks for `count` stretches of cache lines. A stretch is the address of its first line, a multiple of 64, plus the number
// of its lines, less than 64. Nothing is read: an address need not be mapped.
static inline void prefetch_stretches(const uintptr_t *stretches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *line = (const char *)(stretches[i] & ~(uintptr_t)63);
    for (uintptr_t left = stretches[i] & 63; left > 0; left--, line += 64)
      __builtin_prefetch(line);
  }
}

// The first byte of the section `frame_path` of this program or library, and in `size` how long it is; NULL without one.
const void *frame_path_section(size_t *size);

#endif
