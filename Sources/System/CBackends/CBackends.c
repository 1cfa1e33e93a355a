#include "CBackends.h"

typedef void (*registration)(void);

// Made by the linker from the section's name; weak, because a program without backends has no such section.
extern const registration __start_obscura_backends[] __attribute__((weak));
extern const registration __stop_obscura_backends[] __attribute__((weak));

void cam_backends_register(void) {
  for (const registration *each = __start_obscura_backends; each < __stop_obscura_backends; each++) (*each)();
}

#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)

// OPTIONAL_BACKENDS comes from the manifest.
const char *cam_backends_optional(void) { return TEXT_OF(OPTIONAL_BACKENDS); }
