#include <CLibrariesBus.h>

// What is called of systemd's D-Bus library to hear of the machine.
#define BUS_FUNCTIONS(X)                                                                                  \
  CAM_BUS_FUNCTIONS(X)                                                                                    \
  X(int, open_system, (sd_bus **))                                                                        \
  X(int, open_user, (sd_bus **))                                                                          \
  X(sd_bus *, close_unref, (sd_bus *))
