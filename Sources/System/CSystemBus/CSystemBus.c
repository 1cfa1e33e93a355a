#include "CSystemBus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

#define LOGIND "org.freedesktop.login1"
#define LOGIND_PATH "/org/freedesktop/login1"
#define LOGIND_MANAGER "org.freedesktop.login1.Manager"

struct cam_bus {
  sd_bus *bus;
  void (*report)(void *context, int is_before);
  void *context;
};

int cam_bus_open(const char *address, cam_bus **result) {
  cam_bus *opened = calloc(1, sizeof *opened);
  if (!opened) return -ENOMEM;
  int error;
  if (address) {
    error = sd_bus_new(&opened->bus);
    if (error >= 0) error = sd_bus_set_address(opened->bus, address);
    if (error >= 0) error = sd_bus_set_bus_client(opened->bus, 1);
    if (error >= 0) error = sd_bus_start(opened->bus);
  } else {
    error = sd_bus_open_system(&opened->bus);
  }
  if (error < 0) {
    cam_bus_close(opened);
    return error;
  }
  *result = opened;
  return 0;
}

void cam_bus_close(cam_bus *bus) {
  sd_bus_close_unref(bus->bus);
  free(bus);
}

static int heard(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  cam_bus *bus = context;
  int is_before = 0;
  if (sd_bus_message_read_basic(message, SD_BUS_TYPE_BOOLEAN, &is_before) > 0) bus->report(bus->context, is_before);
  return 0;
}

int cam_bus_hear_sleep(cam_bus *bus, void (*report)(void *, int), void *context) {
  bus->report = report;
  bus->context = context;
  int error = sd_bus_match_signal(bus->bus, NULL, LOGIND, LOGIND_PATH, LOGIND_MANAGER, "PrepareForSleep", heard, bus);
  return error < 0 ? error : 0;
}

int cam_bus_delay_sleep(cam_bus *bus, const char *who, const char *why) {
  sd_bus_message *answer = NULL;
  int error = sd_bus_call_method(
      bus->bus, LOGIND, LOGIND_PATH, LOGIND_MANAGER, "Inhibit", NULL, &answer, "ssss", "sleep", who, why, "delay");
  int descriptor = -1;
  if (error >= 0) error = sd_bus_message_read_basic(answer, SD_BUS_TYPE_UNIX_FD, &descriptor);
  // The message owns its descriptor and closes it.
  if (error > 0) error = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (error == -1) error = -errno;
  sd_bus_message_unref(answer);
  return error == 0 ? -EBADMSG : error;
}

int cam_bus_process(cam_bus *bus) { return sd_bus_process(bus->bus, NULL); }

int cam_bus_waiting(cam_bus *bus, int *descriptor, short *events, unsigned long long *microseconds) {
  int found = sd_bus_get_fd(bus->bus);
  if (found < 0) return found;
  *descriptor = found;
  int wanted = sd_bus_get_events(bus->bus);
  if (wanted < 0) return wanted;
  *events = (short)wanted;
  uint64_t moment = UINT64_MAX;
  int error = sd_bus_get_timeout(bus->bus, &moment);
  *microseconds = moment;
  return error < 0 ? error : 0;
}
