#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "Functions.h"

// What is declared here of the library is what its header says.
#define SAME(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(pw_##name), result parameters), #name);
PIPEWIRE_FUNCTIONS(SAME)

#define PREFIX "pw_"

pipewire_functions cam_pipewire_library;
static char obstacle[500];

static void open_library(void) {
  const char *const files[] = {"libpipewire-0.3.so.0", NULL},
                    *const names[] = {PIPEWIRE_FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  char reason[300];
  if (cam_library_open(files, names, &LIBRARY, reason, sizeof reason)) {
    LIBRARY.init(NULL, NULL);
    return;
  }
  snprintf(
    obstacle, sizeof obstacle,
    "PipeWire's library cannot be used (%s); install the package libpipewire-0.3-0 for cameras of PipeWire.", reason);
}

const char *cam_pipewire_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

static void core_done(void *data, uint32_t id, int sequence) {
  if (id == PW_ID_CORE) cam_watch_done(data, sequence);
}

static void core_error(void *data, uint32_t id, int sequence, int result, const char *message) {
  (void)sequence;
  cam_pipewire *connection = data;
  if (id == PW_ID_CORE && result == -EPIPE) {
    connection->error = EPIPE;
  } else if (connection->stream) {
    cam_stream_fail(connection->stream, message ? message : "");
  }
}

static const struct pw_core_events core_events = {
  PW_VERSION_CORE_EVENTS,
  .done = core_done,
  .error = core_error,
};

static void woken(void *data, int descriptor, uint32_t mask) {
  (void)data;
  (void)descriptor;
  (void)mask;
}

cam_pipewire *cam_pipewire_connect(int descriptor, int wake, int *error) {
  *error = ENOMEM;
  cam_pipewire *connection = NULL;
  if (cam_pipewire_obstacle()) {
    *error = ELIBACC;
  } else {
    connection = calloc(1, sizeof *connection);
  }
  if (!connection) {
    close(descriptor);
    return NULL;
  }
  connection->loop = LIBRARY.loop_new(NULL);
  if (connection->loop) connection->context = LIBRARY.context_new(connection->loop, NULL, 0);
  if (connection->context) {
    pw_loop_enter(connection->loop);
    connection->core = LIBRARY.context_connect_fd(connection->context, descriptor, NULL, 0);
    if (!connection->core) *error = errno != 0 ? errno : EIO;
  } else {
    close(descriptor);
  }
  if (connection->core) {
    pw_core_add_listener(connection->core, &connection->core_listener, &core_events, connection);
    connection->wake = pw_loop_add_io(connection->loop, wake, SPA_IO_IN, false, woken, NULL);
    if (connection->wake) {
      *error = 0;
      return connection;
    }
    *error = errno != 0 ? errno : EIO;
  }
  cam_pipewire_close(connection);
  return NULL;
}

int cam_pipewire_turn(cam_pipewire *connection, int milliseconds) {
  if (connection->error == 0) {
    int result = pw_loop_iterate(connection->loop, milliseconds);
    if (result < 0 && result != -EINTR && connection->error == 0) connection->error = -result;
  }
  return connection->error;
}

void cam_pipewire_close(cam_pipewire *connection) {
  if (!connection) return;
  if (connection->wake) pw_loop_destroy_source(connection->loop, connection->wake);
  if (connection->core) {
    cam_watch_end(connection);
    spa_hook_remove(&connection->core_listener);
    LIBRARY.core_disconnect(connection->core);
  }
  if (connection->context) {
    pw_loop_leave(connection->loop);
    LIBRARY.context_destroy(connection->context);
  }
  if (connection->loop) LIBRARY.loop_destroy(connection->loop);
  free(connection);
}
