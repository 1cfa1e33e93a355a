#include "CSystemBus.h"

#include <CLibraries.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "Functions.h"

#define LOGIND "org.freedesktop.login1"
#define LOGIND_PATH "/org/freedesktop/login1"
#define LOGIND_MANAGER "org.freedesktop.login1.Manager"

// Source: feedbackd's interface files, org.sigxcpu.Feedback.xml and org.sigxcpu.Feedback.Haptic.xml.
#define FEEDBACK "org.sigxcpu.Feedback"
#define FEEDBACK_PATH "/org/sigxcpu/Feedback"
#define FEEDBACK_HAPTIC "org.sigxcpu.Feedback.Haptic"

#define PREFIX "sd_bus_"
enum { kBoolean = 'b', kDescriptor = 'h' };

static struct {
  BUS_FUNCTIONS(CAM_FUNCTION_FIELD)
} library;
static char obstacle[500];

static void open_library(void) {
  const char *const files[] = {"libsystemd.so.0", NULL}, *const names[] = {BUS_FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  char reason[300];
  if (cam_library_open(files, names, &library, reason, sizeof reason)) return;
  snprintf(obstacle, sizeof obstacle,
           "The machine's sleep is not heard of, because systemd's library cannot be used (%s); install the package libsystemd0.",
           reason);
}

const char *cam_bus_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

struct cam_bus {
  sd_bus *bus;
  void (*report)(void *context, int is_before);
  void *context;
};

static int keep(sd_bus *bus, int error, cam_bus **result) {
  cam_bus *opened = error < 0 ? NULL : calloc(1, sizeof *opened);
  if (!opened) {
    library.close_unref(bus);
    return error < 0 ? error : -ENOMEM;
  }
  opened->bus = bus;
  *result = opened;
  return 0;
}

int cam_bus_open(const char *address, cam_bus **result) {
  if (cam_bus_obstacle()) return -ELIBACC;
  sd_bus *bus = NULL;
  int error;
  if (address) {
    error = library.new(&bus);
    if (error >= 0) error = library.set_address(bus, address);
    if (error >= 0) error = library.set_bus_client(bus, 1);
    if (error >= 0) error = library.start(bus);
  } else {
    error = library.open_system(&bus);
  }
  return keep(bus, error, result);
}

int cam_bus_open_user(cam_bus **result) {
  if (cam_bus_obstacle()) return -ELIBACC;
  sd_bus *bus = NULL;
  int error = library.open_user(&bus);
  return keep(bus, error, result);
}

void cam_bus_close(cam_bus *bus) {
  library.close_unref(bus->bus);
  free(bus);
}

static int heard(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  cam_bus *bus = context;
  int is_before = 0;
  if (library.message_read_basic(message, kBoolean, &is_before) > 0) bus->report(bus->context, is_before);
  return 0;
}

int cam_bus_hear_sleep(cam_bus *bus, void (*report)(void *, int), void *context) {
  bus->report = report;
  bus->context = context;
  int error = library.match_signal(bus->bus, NULL, LOGIND, LOGIND_PATH, LOGIND_MANAGER, "PrepareForSleep", heard, bus);
  return error < 0 ? error : 0;
}

int cam_bus_delay_sleep(cam_bus *bus, const char *who, const char *why) {
  sd_bus_message *answer = NULL;
  int error = library.call_method(
      bus->bus, LOGIND, LOGIND_PATH, LOGIND_MANAGER, "Inhibit", NULL, &answer, "ssss", "sleep", who, why, "delay");
  int descriptor = -1;
  if (error >= 0) error = library.message_read_basic(answer, kDescriptor, &descriptor);
  // The message owns its descriptor and closes it.
  if (error > 0 && (error = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) < 0) error = -errno;
  library.message_unref(answer);
  return error == 0 ? -EBADMSG : error;
}

int cam_bus_vibrate(cam_bus *bus, const char *program, unsigned milliseconds) {
  sd_bus_message *answer = NULL;
  int is_done = 0;
  // A pattern of one vibration at full strength.
  int error = library.call_method(
      bus->bus, FEEDBACK, FEEDBACK_PATH, FEEDBACK_HAPTIC, "Vibrate", NULL, &answer, "sa(du)", program, 1, 1.0, milliseconds);
  if (error >= 0) error = library.message_read_basic(answer, kBoolean, &is_done);
  library.message_unref(answer);
  if (error > 0) return is_done ? 0 : -EBUSY;
  if (error != -EBADR) return error == 0 ? -EBADMSG : error;
  // No such interface; the profile leaves sounds out.
  error = library.call_method(
      bus->bus, FEEDBACK, FEEDBACK_PATH, FEEDBACK, "TriggerFeedback", NULL, NULL, "ssa{sv}i", program, "message-new-instant", 1,
      "profile", "s", "quiet", -1);
  return error < 0 ? error : 0;
}

int cam_bus_process(cam_bus *bus) { return library.process(bus->bus, NULL); }

int cam_bus_waiting(cam_bus *bus, int *descriptor, short *events, unsigned long long *microseconds) {
  int found = library.get_fd(bus->bus);
  if (found < 0) return found;
  *descriptor = found;
  int wanted = library.get_events(bus->bus);
  if (wanted < 0) return wanted;
  *events = (short)wanted;
  uint64_t moment = UINT64_MAX;
  int error = library.get_timeout(bus->bus, &moment);
  *microseconds = moment;
  return error < 0 ? error : 0;
}
