#include "CFakeLogind.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

#include "../../Sources/System/CSystemBus/Functions.h"

// What the project declares of systemd's library is what its header says.
#define SAME(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(sd_bus_##name), result parameters), #name);
BUS_FUNCTIONS(SAME)

#define MOST 64

struct fake_logind {
  sd_bus *bus;
  pthread_t thread;
  pthread_mutex_t mutex;
  // Signalled with each request and each delay's end.
  pthread_cond_t changed;
  // Our ends of the pipes: the other end hangs up when the program lets sleep go on.
  int ends[MOST];
  int count;
  int requests;
  // What to say next, -1 for nothing; read by the bus's thread.
  int words[MOST];
  int said, asked;
  int wake[2];
  int is_ending;
};

static int inhibit(sd_bus_message *message, void *context, sd_bus_error *error) {
  (void)error;
  fake_logind *logind = context;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  pthread_mutex_lock(&logind->mutex);
  if (logind->count < MOST) logind->ends[logind->count++] = ends[0];
  logind->requests++;
  pthread_cond_broadcast(&logind->changed);
  pthread_mutex_unlock(&logind->mutex);
  int result = sd_bus_reply_method_return(message, "h", ends[1]);
  close(ends[1]);
  return result;
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Inhibit", "ssss", "h", inhibit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("PrepareForSleep", "b", 0),
    SD_BUS_VTABLE_END};

static void *run(void *argument) {
  fake_logind *logind = argument;
  while (1) {
    pthread_mutex_lock(&logind->mutex);
    int ending = logind->is_ending;
    while (logind->said < logind->asked) {
      int word = logind->words[logind->said++ % MOST];
      sd_bus_emit_signal(
          logind->bus, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", word);
    }
    pthread_mutex_unlock(&logind->mutex);
    if (ending) return NULL;
    int more = sd_bus_process(logind->bus, NULL);
    if (more < 0) return NULL;
    if (more > 0) continue;
    struct pollfd descriptors[2 + MOST] = {
        {.fd = sd_bus_get_fd(logind->bus), .events = (short)sd_bus_get_events(logind->bus)},
        {.fd = logind->wake[0], .events = POLLIN}};
    // Only this thread changes the ends.
    int count = logind->count;
    for (int i = 0; i < count; i++) descriptors[2 + i] = (struct pollfd){.fd = logind->ends[i], .events = 0};
    poll(descriptors, (nfds_t)(2 + count), 1000);
    pthread_mutex_lock(&logind->mutex);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (descriptors[2 + i].revents) close(logind->ends[i]);
      else logind->ends[kept++] = logind->ends[i];
    }
    logind->count = kept;
    if (kept < count) pthread_cond_broadcast(&logind->changed);
    pthread_mutex_unlock(&logind->mutex);
    char byte;
    while (read(logind->wake[0], &byte, 1) == 1) {
    }
  }
}

fake_logind *fake_logind_start(const char *address) {
  fake_logind *logind = calloc(1, sizeof *logind);
  if (!logind) return NULL;
  pthread_mutex_init(&logind->mutex, NULL);
  pthread_cond_init(&logind->changed, NULL);
  logind->wake[0] = logind->wake[1] = -1;
  if (pipe2(logind->wake, O_CLOEXEC | O_NONBLOCK) != 0 || sd_bus_new(&logind->bus) < 0 ||
      sd_bus_set_address(logind->bus, address) < 0 || sd_bus_set_bus_client(logind->bus, 1) < 0 ||
      sd_bus_start(logind->bus) < 0 ||
      sd_bus_add_object_vtable(
          logind->bus, NULL, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", table, logind) < 0 ||
      sd_bus_request_name(logind->bus, "org.freedesktop.login1", 0) < 0 ||
      pthread_create(&logind->thread, NULL, run, logind) != 0) {
    sd_bus_close_unref(logind->bus);
    close(logind->wake[0]);
    close(logind->wake[1]);
    free(logind);
    return NULL;
  }
  return logind;
}

static void wake(fake_logind *logind) {
  char byte = 0;
  if (write(logind->wake[1], &byte, 1) < 0) return;
}

void fake_logind_stop(fake_logind *logind) {
  pthread_mutex_lock(&logind->mutex);
  logind->is_ending = 1;
  pthread_mutex_unlock(&logind->mutex);
  wake(logind);
  pthread_join(logind->thread, NULL);
  sd_bus_close_unref(logind->bus);
  for (int i = 0; i < logind->count; i++) close(logind->ends[i]);
  close(logind->wake[0]);
  close(logind->wake[1]);
  free(logind);
}

void fake_logind_tell(fake_logind *logind, int is_before) {
  pthread_mutex_lock(&logind->mutex);
  logind->words[logind->asked++ % MOST] = is_before;
  pthread_mutex_unlock(&logind->mutex);
  wake(logind);
}

// Under the mutex.
static int open_ends(fake_logind *logind) {
  int open_ones = 0;
  for (int i = 0; i < logind->count; i++) {
    struct pollfd end = {.fd = logind->ends[i], .events = 0};
    if (poll(&end, 1, 0) == 0) open_ones++;
  }
  return open_ones;
}

int fake_logind_delays(fake_logind *logind) {
  pthread_mutex_lock(&logind->mutex);
  int open_ones = open_ends(logind);
  pthread_mutex_unlock(&logind->mutex);
  return open_ones;
}

int fake_logind_await(fake_logind *logind, int delays, int requests) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 30;
  pthread_mutex_lock(&logind->mutex);
  int late = 0;
  while (!late && (open_ends(logind) != delays || logind->requests != requests)) {
    late = pthread_cond_timedwait(&logind->changed, &logind->mutex, &limit);
  }
  pthread_mutex_unlock(&logind->mutex);
  return !late;
}

int fake_logind_requests(fake_logind *logind) {
  pthread_mutex_lock(&logind->mutex);
  int requests = logind->requests;
  pthread_mutex_unlock(&logind->mutex);
  return requests;
}
