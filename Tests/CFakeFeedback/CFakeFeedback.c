#include "CFakeFeedback.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define PATH "/org/sigxcpu/Feedback"

struct fake_feedback {
  sd_bus *bus;
  pthread_t thread;
  pthread_mutex_t mutex;
  enum fake_feedback_kind kind;
  char last[300];
  char asker[64];
  int wake[2];
  int is_ending;
};

static int vibrate(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  fake_feedback *feedback = context;
  const char *program = "";
  double strength = 0;
  unsigned milliseconds = 0;
  int result = sd_bus_message_read(message, "sa(du)", &program, 1, &strength, &milliseconds);
  if (result < 0) return result;
  pthread_mutex_lock(&feedback->mutex);
  snprintf(feedback->last, sizeof feedback->last, "%s %.1f %u", program, strength, milliseconds);
  snprintf(feedback->asker, sizeof feedback->asker, "%s", sd_bus_message_get_sender(message));
  pthread_mutex_unlock(&feedback->mutex);
  return sd_bus_reply_method_return(message, "b", feedback->kind != kFeedbackSilent);
}

static int trigger(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  fake_feedback *feedback = context;
  const char *program = "", *event = "", *key = "", *profile = "";
  int timeout = 0;
  int result = sd_bus_message_read(message, "ssa{sv}i", &program, &event, 1, &key, "s", &profile, &timeout);
  if (result < 0) return result;
  pthread_mutex_lock(&feedback->mutex);
  snprintf(feedback->last, sizeof feedback->last, "%s %s %s=%s %d", program, event, key, profile, timeout);
  snprintf(feedback->asker, sizeof feedback->asker, "%s", sd_bus_message_get_sender(message));
  pthread_mutex_unlock(&feedback->mutex);
  return sd_bus_reply_method_return(message, "u", 1);
}

static const sd_bus_vtable patterns[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("Vibrate", "sa(du)", "b", vibrate, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END};
static const sd_bus_vtable events[] = {
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("TriggerFeedback", "ssa{sv}i", "u", trigger, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

static void *run(void *argument) {
  fake_feedback *feedback = argument;
  while (1) {
    pthread_mutex_lock(&feedback->mutex);
    int is_ending = feedback->is_ending;
    pthread_mutex_unlock(&feedback->mutex);
    if (is_ending) return NULL;
    int more = sd_bus_process(feedback->bus, NULL);
    if (more < 0) return NULL;
    if (more > 0) continue;
    struct pollfd descriptors[2] = {
        {.fd = sd_bus_get_fd(feedback->bus), .events = (short)sd_bus_get_events(feedback->bus)},
        {.fd = feedback->wake[0], .events = POLLIN}};
    poll(descriptors, 2, 1000);
  }
}

fake_feedback *fake_feedback_start(const char *address, enum fake_feedback_kind kind) {
  fake_feedback *feedback = calloc(1, sizeof *feedback);
  if (!feedback) return NULL;
  pthread_mutex_init(&feedback->mutex, NULL);
  feedback->kind = kind;
  feedback->wake[0] = feedback->wake[1] = -1;
  if (pipe2(feedback->wake, O_CLOEXEC | O_NONBLOCK) != 0 || sd_bus_new(&feedback->bus) < 0 ||
      sd_bus_set_address(feedback->bus, address) < 0 || sd_bus_set_bus_client(feedback->bus, 1) < 0 ||
      sd_bus_start(feedback->bus) < 0 ||
      sd_bus_add_object_vtable(feedback->bus, NULL, PATH, "org.sigxcpu.Feedback", events, feedback) < 0 ||
      (kind != kFeedbackOfEvents &&
       sd_bus_add_object_vtable(feedback->bus, NULL, PATH, "org.sigxcpu.Feedback.Haptic", patterns, feedback) < 0) ||
      sd_bus_request_name(feedback->bus, "org.sigxcpu.Feedback", 0) < 0 ||
      pthread_create(&feedback->thread, NULL, run, feedback) != 0) {
    sd_bus_close_unref(feedback->bus);
    close(feedback->wake[0]);
    close(feedback->wake[1]);
    free(feedback);
    return NULL;
  }
  return feedback;
}

void fake_feedback_stop(fake_feedback *feedback) {
  pthread_mutex_lock(&feedback->mutex);
  feedback->is_ending = 1;
  pthread_mutex_unlock(&feedback->mutex);
  char byte = 0;
  if (write(feedback->wake[1], &byte, 1) == 1) pthread_join(feedback->thread, NULL);
  sd_bus_flush_close_unref(feedback->bus);
  close(feedback->wake[0]);
  close(feedback->wake[1]);
  pthread_mutex_destroy(&feedback->mutex);
  free(feedback);
}

void fake_feedback_last(fake_feedback *feedback, char *words, int size) {
  pthread_mutex_lock(&feedback->mutex);
  snprintf(words, (size_t)size, "%s", feedback->last);
  pthread_mutex_unlock(&feedback->mutex);
}

int fake_feedback_asker_is_there(fake_feedback *feedback, const char *address) {
  char asker[sizeof feedback->asker];
  pthread_mutex_lock(&feedback->mutex);
  memcpy(asker, feedback->asker, sizeof asker);
  pthread_mutex_unlock(&feedback->mutex);
  sd_bus *bus = NULL;
  sd_bus_message *answer = NULL;
  int is_there = 0;
  // A connection of its own: the other one is its thread's.
  int result = sd_bus_new(&bus);
  if (result >= 0) result = sd_bus_set_address(bus, address);
  if (result >= 0) result = sd_bus_set_bus_client(bus, 1);
  if (result >= 0) result = sd_bus_start(bus);
  if (result >= 0)
    result = sd_bus_call_method(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", NULL, &answer, "s", asker);
  if (result >= 0) result = sd_bus_message_read(answer, "b", &is_there);
  sd_bus_message_unref(answer);
  sd_bus_flush_close_unref(bus);
  return result < 0 ? result : is_there;
}
