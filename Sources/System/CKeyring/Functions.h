#include <CLibrariesBus.h>

// What is called of systemd's D-Bus library to read the keyring.
#define KEYRING_FUNCTIONS(X)                                                                              \
  CAM_BUS_FUNCTIONS(X)                                                                                    \
  X(void, error_free, (sd_bus_error *))                                                                   \
  X(int, open_user, (sd_bus **))                                                                          \
  X(sd_bus *, close_unref, (sd_bus *))                                                                    \
  X(int, set_method_call_timeout, (sd_bus *, uint64_t))                                                   \
  X(int, message_enter_container, (sd_bus_message *, char, const char *))                                 \
  X(int, message_skip, (sd_bus_message *, const char *))                                                  \
  X(int, message_read_array, (sd_bus_message *, char, const void **, size_t *))
