#include "CFakePortal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "../../Sources/System/CPipeWire/PortalFunctions.h"

// What the project declares of systemd's library is what its header says.
#define SAME(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(sd_bus_##name), result parameters), #name);
PORTAL_FUNCTIONS(SAME)

#define PATH "/org/freedesktop/portal/desktop"

struct fake_portal {
  sd_bus *bus;
  pthread_t thread;
  pthread_mutex_t mutex;
  void (*asked)(void *context, int count);
  void *context;
  int questions;
  // What questions are answered at once; what the one that waits is answered now, -1 for nothing.
  int answer, late;
  // The request whose answer is owed, and whether the user has allowed the cameras.
  char request[300];
  int is_allowed;
  char socket[108];
  int wake[2];
  int is_ending;
};

static int emit(fake_portal *portal, int answer) {
  portal->is_allowed = answer == 0;
  return sd_bus_emit_signal(
    portal->bus, portal->request, "org.freedesktop.portal.Request", "Response", "ua{sv}", (uint32_t)answer, 0);
}

// As xdg-desktop-portal refuses.
static int refuse(sd_bus_error *error, const char *reason) {
  return sd_bus_error_set_const(error, "org.freedesktop.portal.Error.NotAllowed", reason);
}

static int access_camera(sd_bus_message *message, void *context, sd_bus_error *error) {
  fake_portal *portal = context;
  const char *key = NULL, *token = "t";
  if (sd_bus_message_enter_container(message, 'a', "{sv}") > 0) {
    while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
      sd_bus_message_read_basic(message, 's', &key);
      if (strcmp(key, "handle_token") == 0) {
        sd_bus_message_read(message, "v", "s", &token);
      } else {
        sd_bus_message_skip(message, "v");
      }
      sd_bus_message_exit_container(message);
    }
    sd_bus_message_exit_container(message);
  }
  pthread_mutex_lock(&portal->mutex);
  snprintf(portal->request, sizeof portal->request, "%s/request/%s/%s", PATH, sd_bus_message_get_sender(message) + 1, token);
  for (char *dot = portal->request; (dot = strchr(dot, '.'));) *dot = '_';
  int count = ++portal->questions, answer = portal->answer;
  pthread_mutex_unlock(&portal->mutex);
  // Before the answer, by which a test counts the questions.
  if (portal->asked) portal->asked(portal->context, count);
  pthread_mutex_lock(&portal->mutex);
  // As some portals do, the answer comes before the reply.
  if (answer >= 0 && answer != FAKE_PORTAL_LOCKED) emit(portal, answer);
  int result = answer == FAKE_PORTAL_LOCKED ? refuse(error, "Camera access disabled")
                                            : sd_bus_reply_method_return(message, "o", portal->request);
  pthread_mutex_unlock(&portal->mutex);
  return result;
}

static int open_remote(sd_bus_message *message, void *context, sd_bus_error *error) {
  fake_portal *portal = context;
  pthread_mutex_lock(&portal->mutex);
  int is_allowed = portal->is_allowed;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", portal->socket);
  pthread_mutex_unlock(&portal->mutex);
  if (!is_allowed) return refuse(error, "Permission denied");
  int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end < 0 || connect(end, (struct sockaddr *)&address, sizeof address) != 0) {
    int reason = errno;
    if (end >= 0) close(end);
    return -reason;
  }
  int result = sd_bus_reply_method_return(message, "h", end);
  close(end);
  return result;
}

static const sd_bus_vtable table[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("AccessCamera", "a{sv}", "o", access_camera, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_METHOD("OpenPipeWireRemote", "a{sv}", "h", open_remote, SD_BUS_VTABLE_UNPRIVILEGED),
  SD_BUS_VTABLE_END};

static void *run(void *argument) {
  fake_portal *portal = argument;
  while (1) {
    pthread_mutex_lock(&portal->mutex);
    int is_ending = portal->is_ending;
    if (portal->late >= 0) emit(portal, portal->late);
    portal->late = -1;
    pthread_mutex_unlock(&portal->mutex);
    if (is_ending) return NULL;
    int more = sd_bus_process(portal->bus, NULL);
    if (more < 0) return NULL;
    if (more > 0) continue;
    struct pollfd descriptors[2] = {
      {.fd = sd_bus_get_fd(portal->bus), .events = (short)sd_bus_get_events(portal->bus)},
      {.fd = portal->wake[0], .events = POLLIN}};
    poll(descriptors, 2, 1000);
    char byte;
    while (read(portal->wake[0], &byte, 1) == 1) {
    }
  }
}

fake_portal *fake_portal_start(const char *address, void (*asked)(void *, int), void *context) {
  fake_portal *portal = calloc(1, sizeof *portal);
  if (!portal) return NULL;
  pthread_mutex_init(&portal->mutex, NULL);
  portal->asked = asked;
  portal->context = context;
  portal->late = -1;
  portal->wake[0] = portal->wake[1] = -1;
  if (pipe2(portal->wake, O_CLOEXEC | O_NONBLOCK) != 0 || sd_bus_new(&portal->bus) < 0 ||
      sd_bus_set_address(portal->bus, address) < 0 || sd_bus_set_bus_client(portal->bus, 1) < 0 ||
      sd_bus_start(portal->bus) < 0 ||
      sd_bus_add_object_vtable(portal->bus, NULL, PATH, "org.freedesktop.portal.Camera", table, portal) < 0 ||
      sd_bus_request_name(portal->bus, "org.freedesktop.portal.Desktop", 0) < 0 ||
      pthread_create(&portal->thread, NULL, run, portal) != 0) {
    sd_bus_close_unref(portal->bus);
    close(portal->wake[0]);
    close(portal->wake[1]);
    free(portal);
    return NULL;
  }
  return portal;
}

static void wake(fake_portal *portal) {
  char byte = 0;
  if (write(portal->wake[1], &byte, 1) < 0) return;
}

void fake_portal_stop(fake_portal *portal) {
  pthread_mutex_lock(&portal->mutex);
  portal->is_ending = 1;
  pthread_mutex_unlock(&portal->mutex);
  wake(portal);
  pthread_join(portal->thread, NULL);
  sd_bus_close_unref(portal->bus);
  close(portal->wake[0]);
  close(portal->wake[1]);
  free(portal);
}

void fake_portal_set_answer(fake_portal *portal, int answer) {
  pthread_mutex_lock(&portal->mutex);
  portal->answer = answer;
  pthread_mutex_unlock(&portal->mutex);
}

void fake_portal_answer(fake_portal *portal, int answer) {
  pthread_mutex_lock(&portal->mutex);
  portal->late = answer;
  pthread_mutex_unlock(&portal->mutex);
  wake(portal);
}

void fake_portal_set_socket(fake_portal *portal, const char *path) {
  pthread_mutex_lock(&portal->mutex);
  snprintf(portal->socket, sizeof portal->socket, "%s", path);
  pthread_mutex_unlock(&portal->mutex);
}
