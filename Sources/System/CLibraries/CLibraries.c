#include "CLibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// POSIX asks that a function's address fits where an object's does; dlsym's callers rely on it.
_Static_assert(sizeof(void *) == sizeof(void (*)(void)), "pointers to functions");

int cam_library_open(
    const char *const *files, const char *const *names, void *functions, char *reason, size_t reason_size) {
  void *library = NULL;
  for (const char *const *file = files; *file != NULL && library == NULL; file++) {
    library = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
    // Of several names the first says what the machine lacks.
    if (library == NULL && file == files) {
      const char *why = dlerror();
      snprintf(reason, reason_size, "%s", why != NULL ? why : "unknown");
    }
  }
  if (library == NULL) return 0;
  if (reason_size > 0) reason[0] = 0;
  for (size_t index = 0; names[index] != NULL; index++) {
    void *function = dlsym(library, names[index]);
    if (function == NULL) {
      snprintf(reason, reason_size, "it has no %s", names[index]);
      dlclose(library);
      return 0;
    }
    memcpy((char *)functions + index * sizeof function, &function, sizeof function);
  }
  return 1;
}
