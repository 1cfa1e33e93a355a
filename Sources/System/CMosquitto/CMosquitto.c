#include "CMosquitto.h"

#include <CLibraries.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "Functions.h"

#define PREFIX "mosquitto_"
// Each message arrives at least once.
enum { kAtLeastOnce = 1, kErrno = 14 };

static struct {
  BROKER_FUNCTIONS(CAM_FUNCTION_FIELD)
} library;
static char obstacle[500];

static void open_library(void) {
  const char *const files[] = {"libmosquitto.so.1", NULL}, *const names[] = {BROKER_FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  char reason[300];
  if (cam_library_open(files, names, &library, reason, sizeof reason)) {
    library.lib_init();
    return;
  }
  snprintf(obstacle, sizeof obstacle,
           "Events cannot be published, because libmosquitto cannot be used (%s); install the package libmosquitto1.", reason);
}

const char *cam_broker_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

struct cam_broker {
  struct mosquitto *connection;
  void (*answered)(void *context, int code);
  void (*acknowledged)(void *context, int number);
  void *context;
};

static int outcome(int result) { return result == kErrno ? -(errno != 0 ? errno : EIO) : result; }

static void hear_answer(struct mosquitto *connection, void *context, int code) {
  (void)connection;
  cam_broker *broker = context;
  broker->answered(broker->context, code);
}

static void hear_acknowledgement(struct mosquitto *connection, void *context, int number) {
  (void)connection;
  cam_broker *broker = context;
  broker->acknowledged(broker->context, number);
}

cam_broker *cam_broker_new(
    const char *client, void *context, void (*answered)(void *, int), void (*acknowledged)(void *, int)) {
  if (cam_broker_obstacle()) return NULL;
  cam_broker *broker = calloc(1, sizeof *broker);
  if (!broker) return NULL;
  *broker = (cam_broker){library.new(client, true, broker), answered, acknowledged, context};
  if (!broker->connection) {
    free(broker);
    return NULL;
  }
  // The queue is ours, and so is the number of messages that wait for their acknowledgement.
  library.max_inflight_messages_set(broker->connection, 0);
  library.connect_callback_set(broker->connection, hear_answer);
  library.publish_callback_set(broker->connection, hear_acknowledgement);
  return broker;
}

void cam_broker_destroy(cam_broker *broker) {
  library.destroy(broker->connection);
  free(broker);
}

int cam_broker_set_login(cam_broker *broker, const char *user, const char *password) {
  return outcome(library.username_pw_set(broker->connection, user, password));
}

int cam_broker_set_certificates(cam_broker *broker, const char *file, const char *folder) {
  return outcome(library.tls_set(broker->connection, file, file != NULL ? NULL : folder, NULL, NULL, NULL));
}

int cam_broker_set_will(cam_broker *broker, const char *topic, const void *payload, int size) {
  return outcome(library.will_set(broker->connection, topic, size, payload, kAtLeastOnce, true));
}

int cam_broker_connect(cam_broker *broker, const char *host, int port, int keep_alive_seconds) {
  errno = 0;
  return outcome(library.connect(broker->connection, host, port, keep_alive_seconds));
}

int cam_broker_disconnect(cam_broker *broker) { return outcome(library.disconnect(broker->connection)); }

int cam_broker_publish(
    cam_broker *broker, int *number, const char *topic, const void *payload, int size, int is_kept) {
  errno = 0;
  return outcome(library.publish(broker->connection, number, topic, size, payload, kAtLeastOnce, is_kept != 0));
}

int cam_broker_socket(cam_broker *broker) { return library.socket(broker->connection); }

int cam_broker_wants_write(cam_broker *broker) { return library.want_write(broker->connection); }

int cam_broker_read(cam_broker *broker) {
  errno = 0;
  return outcome(library.loop_read(broker->connection, 1));
}

int cam_broker_write(cam_broker *broker) {
  errno = 0;
  return outcome(library.loop_write(broker->connection, 1));
}

int cam_broker_care(cam_broker *broker) {
  errno = 0;
  return outcome(library.loop_misc(broker->connection));
}

const char *cam_broker_reason(int error) { return library.strerror(error); }

const char *cam_broker_refusal(int code) { return library.connack_string(code); }
