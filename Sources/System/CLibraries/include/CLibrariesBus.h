#ifndef CLIBRARIES_BUS_H
#define CLIBRARIES_BUS_H

// What is called of systemd's D-Bus library, declared as its header has it, so that its package is not needed to build. Tests compare the
// two.

#include <stdint.h>

// Unless the header is there, too.
#ifndef foosdbushfoo
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct {
  const char *name;
  const char *message;
  int _need_free;
} sd_bus_error;
#endif

// What every module calls that speaks to a bus. One line for each function: result, name without `sd_bus_`, parameters.
#define CAM_BUS_FUNCTIONS(X)                                                                               \
  X(int, new, (sd_bus **))                                                                                 \
  X(int, set_address, (sd_bus *, const char *))                                                            \
  X(int, set_bus_client, (sd_bus *, int))                                                                  \
  X(int, start, (sd_bus *))                                                                                \
  X(int, match_signal, (sd_bus *, sd_bus_slot **, const char *, const char *, const char *, const char *,  \
                        int (*)(sd_bus_message *, void *, sd_bus_error *), void *))                        \
  X(int, call_method, (sd_bus *, const char *, const char *, const char *, const char *,                   \
                       sd_bus_error *, sd_bus_message **, const char *, ...))                              \
  X(int, message_read_basic, (sd_bus_message *, char, void *))                                             \
  X(sd_bus_message *, message_unref, (sd_bus_message *))                                                   \
  X(int, process, (sd_bus *, sd_bus_message **))                                                           \
  X(int, get_fd, (sd_bus *))                                                                               \
  X(int, get_events, (sd_bus *))                                                                           \
  X(int, get_timeout, (sd_bus *, uint64_t *))

#endif
