#include <CLibraries.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CPipeWire.h"
#include "PortalFunctions.h"

// Source: the XDG desktop portal's documentation, interfaces org.freedesktop.portal.Camera and org.freedesktop.portal.Request.
#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_CAMERA "org.freedesktop.portal.Camera"
#define PORTAL_REQUEST "org.freedesktop.portal.Request"

#define PREFIX "sd_bus_"
enum { kNumber = 'u', kPath = 'o', kDescriptor = 'h' };

static struct {
  PORTAL_FUNCTIONS(CAM_FUNCTION_FIELD)
} bus_library;
static char obstacle[500];

static void open_library(void) {
  const char *const files[] = {"libsystemd.so.0", NULL}, *const names[] = {PORTAL_FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  char reason[300];
  if (cam_library_open(files, names, &bus_library, reason, sizeof reason)) return;
  snprintf(
    obstacle, sizeof obstacle,
    "The desktop cannot be asked for cameras, because systemd's library cannot be used (%s); install the package libsystemd0.",
    reason);
}

const char *cam_portal_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

struct cam_portal {
  sd_bus *bus;
  void (*answer)(void *context, uint32_t response);
  void *context;
};

int cam_portal_open(const char *address, cam_portal **result) {
  if (cam_portal_obstacle()) return ELIBACC;
  cam_portal *portal = calloc(1, sizeof *portal);
  if (!portal) return ENOMEM;
  int error;
  if (address) {
    error = bus_library.new(&portal->bus);
    if (error >= 0) error = bus_library.set_address(portal->bus, address);
    if (error >= 0) error = bus_library.set_bus_client(portal->bus, 1);
    if (error >= 0) error = bus_library.start(portal->bus);
  } else {
    error = bus_library.open_user(&portal->bus);
  }
  if (error < 0) {
    cam_portal_close(portal);
    return -error;
  }
  *result = portal;
  return 0;
}

void cam_portal_close(cam_portal *portal) {
  bus_library.flush_close_unref(portal->bus);
  free(portal);
}

static int answered(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  cam_portal *portal = context;
  uint32_t response = 2;
  if (bus_library.message_read_basic(message, kNumber, &response) <= 0) response = 2;
  portal->answer(portal->context, response);
  return 0;
}

static int listen(cam_portal *portal, const char *path) {
  return bus_library.match_signal(portal->bus, NULL, PORTAL, path, PORTAL_REQUEST, "Response", answered, portal);
}

/// The number of a refusal, which is `error` but for the names that the library does not know; the refusal is forgotten.
static int refused(int error, sd_bus_error *refusal) {
  static const char *const names[] = {
    "org.freedesktop.portal.Error.NotAllowed", "org.freedesktop.DBus.Error.AccessDenied"};
  for (size_t index = 0; error < 0 && refusal->name && index < sizeof names / sizeof *names; index++)
    if (strcmp(refusal->name, names[index]) == 0) error = -EACCES;
  bus_library.error_free(refusal);
  return error;
}

int cam_portal_ask(cam_portal *portal, const char *token, void (*answer)(void *, uint32_t), void *context) {
  portal->answer = answer;
  portal->context = context;
  const char *own = NULL;
  int error = bus_library.get_unique_name(portal->bus, &own);
  if (error < 0) return -error;
  char path[300];
  snprintf(path, sizeof path, "%s/request/%s/%s", PORTAL_PATH, own[0] == ':' ? own + 1 : own, token);
  for (char *dot = path; (dot = strchr(dot, '.'));) *dot = '_';
  // Before the question: the answer may come with it.
  error = listen(portal, path);
  if (error < 0) return -error;
  sd_bus_message *reply = NULL;
  sd_bus_error refusal = {0};
  error = bus_library.call_method(
    portal->bus, PORTAL, PORTAL_PATH, PORTAL_CAMERA, "AccessCamera", &refusal, &reply, "a{sv}", 1, "handle_token", "s", token);
  error = refused(error, &refusal);
  const char *real = NULL;
  // Portals before version 0.9 choose the path themselves.
  if (error >= 0 && bus_library.message_read_basic(reply, kPath, &real) > 0 && strcmp(real, path) != 0)
    error = listen(portal, real);
  bus_library.message_unref(reply);
  return error < 0 ? -error : 0;
}

int cam_portal_remote(cam_portal *portal) {
  sd_bus_message *reply = NULL;
  sd_bus_error refusal = {0};
  int error = bus_library.call_method(
    portal->bus, PORTAL, PORTAL_PATH, PORTAL_CAMERA, "OpenPipeWireRemote", &refusal, &reply, "a{sv}", 0);
  error = refused(error, &refusal);
  int descriptor = -1;
  if (error >= 0) error = bus_library.message_read_basic(reply, kDescriptor, &descriptor);
  // The message owns its descriptor and closes it.
  if (error > 0 && (error = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) < 0) error = -errno;
  bus_library.message_unref(reply);
  return error == 0 ? -EBADMSG : error;
}

int cam_portal_process(cam_portal *portal) { return bus_library.process(portal->bus, NULL); }

int cam_portal_waiting(cam_portal *portal, int *descriptor, short *events, unsigned long long *microseconds) {
  int found = bus_library.get_fd(portal->bus);
  if (found < 0) return found;
  *descriptor = found;
  int wanted = bus_library.get_events(portal->bus);
  if (wanted < 0) return wanted;
  *events = (short)wanted;
  uint64_t moment = UINT64_MAX;
  int error = bus_library.get_timeout(portal->bus, &moment);
  *microseconds = moment;
  return error < 0 ? error : 0;
}
