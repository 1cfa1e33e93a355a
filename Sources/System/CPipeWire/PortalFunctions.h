#include <CLibrariesBus.h>

// What is called of systemd's D-Bus library to ask the desktop's portal.
#define PORTAL_FUNCTIONS(X)                                                                               \
  CAM_BUS_FUNCTIONS(X)                                                                                    \
  X(void, error_free, (sd_bus_error *))                                                                   \
  X(int, open_user, (sd_bus **))                                                                          \
  X(sd_bus *, flush_close_unref, (sd_bus *))                                                              \
  X(int, get_unique_name, (sd_bus *, const char **))
