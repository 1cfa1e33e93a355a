// What is called of libmosquitto, declared as its header has it, so that its package is not needed to build.

#include <stdbool.h>

struct mosquitto;

// One line for each function: result, name without `mosquitto_`, parameters.
#define BROKER_FUNCTIONS(X)                                                                                  \
  X(int, lib_init, (void))                                                                                   \
  X(struct mosquitto *, new, (const char *, bool, void *))                                                   \
  X(void, destroy, (struct mosquitto *))                                                                     \
  X(int, username_pw_set, (struct mosquitto *, const char *, const char *))                                  \
  X(int, tls_set, (struct mosquitto *, const char *, const char *, const char *, const char *,               \
                   int (*)(char *, int, int, void *)))                                                       \
  X(int, will_set, (struct mosquitto *, const char *, int, const void *, int, bool))                         \
  X(int, max_inflight_messages_set, (struct mosquitto *, unsigned int))                                      \
  X(void, connect_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int)))             \
  X(void, publish_callback_set, (struct mosquitto *, void (*)(struct mosquitto *, void *, int)))             \
  X(int, connect, (struct mosquitto *, const char *, int, int))                                              \
  X(int, disconnect, (struct mosquitto *))                                                                   \
  X(int, publish, (struct mosquitto *, int *, const char *, int, const void *, int, bool))                   \
  X(int, socket, (struct mosquitto *))                                                                       \
  X(bool, want_write, (struct mosquitto *))                                                                  \
  X(int, loop_read, (struct mosquitto *, int))                                                               \
  X(int, loop_write, (struct mosquitto *, int))                                                              \
  X(int, loop_misc, (struct mosquitto *))                                                                    \
  X(const char *, strerror, (int))                                                                           \
  X(const char *, connack_string, (int))
