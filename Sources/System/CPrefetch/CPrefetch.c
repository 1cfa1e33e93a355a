#include "CPrefetch.h"

// The linker's own names for the bounds of a section whose name is an identifier.
extern const char __start_frame_path[] __attribute__((weak, visibility("hidden")));
extern const char __stop_frame_path[] __attribute__((weak, visibility("hidden")));

const void *frame_path_section(size_t *size) {
  *size = (size_t)(__stop_frame_path - __start_frame_path);
  return __start_frame_path;
}
