#include "COpenNI.h"

#include <CLibraries.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What follows is declared as OniCAPI.h and its neighbours of OpenNI 2.2.0 have it, as far as it is used; handles are opaque there, too.

typedef struct {
  int sensor;
  int count;
  cam_openni_mode *modes;
} sensor_t;

typedef struct {
  int major, minor, maintenance, build;
} version_t;

typedef struct {
  void (*connected)(const cam_openni_info *, void *);
  void (*disconnected)(const cam_openni_info *, void *);
  void (*changed)(const cam_openni_info *, int, void *);
} callbacks_t;

enum { kInterface = 2002, kSerialNumber = 3, kRegistration = 5, kHorizontalView = 1, kVideoMode = 3, kMirroring = 7 };
enum { kDepthToColor = 1, kStateError = 1, kStateNotReady = 2 };

_Static_assert(sizeof(cam_openni_mode) == 16, "OniVideoMode");
_Static_assert(sizeof(cam_openni_info) == 772, "OniDeviceInfo");
_Static_assert(sizeof(void *) != 8 || sizeof(cam_openni_frame) == 80, "OniFrame");
_Static_assert(sizeof(void *) != 8 || offsetof(cam_openni_frame, mode) == 44, "OniFrame");

// One line for each function: result, name without `oni`, parameters.
#define FUNCTIONS(X)                                                           \
  X(int, Initialize, (int))                                                    \
  X(version_t, GetVersion, (void))                                             \
  X(const char *, GetExtendedError, (void))                                    \
  X(int, GetDeviceList, (cam_openni_info **, int *))                           \
  X(int, ReleaseDeviceList, (cam_openni_info *))                               \
  X(int, RegisterDeviceCallbacks, (callbacks_t *, void *, void **))            \
  X(int, WaitForAnyStream, (void **, int, int *, int))                         \
  X(int, StreamRegisterNewFrameCallback, (void *, void (*)(void *, void *), void *, void **)) \
  X(int, DeviceOpen, (const char *, void **))                                  \
  X(int, DeviceClose, (void *))                                                \
  X(const sensor_t *, DeviceGetSensorInfo, (void *, int))                      \
  X(int, DeviceCreateStream, (void *, int, void **))                           \
  X(int, DeviceSetProperty, (void *, int, const void *, int))                  \
  X(int, DeviceGetProperty, (void *, int, void *, int *))                      \
  X(int, DeviceIsImageRegistrationModeSupported, (void *, int))                \
  X(void, StreamDestroy, (void *))                                             \
  X(int, StreamStart, (void *))                                                \
  X(void, StreamStop, (void *))                                                \
  X(int, StreamReadFrame, (void *, cam_openni_frame **))                       \
  X(int, StreamSetProperty, (void *, int, const void *, int))                  \
  X(int, StreamGetProperty, (void *, int, void *, int *))                      \
  X(void, FrameRelease, (cam_openni_frame *))

#define PREFIX "oni"

static struct {
  FUNCTIONS(CAM_FUNCTION_FIELD)
} library;
static char obstacle[500];
static char path[4096];

// Every call of the library looks for the calling thread among those that ever called, and signals each of them: one that has ended
// crashes it. So one thread, which never ends, makes all calls; others hand them over. Arguments are integers and addresses.
typedef long (*any_t)(long, long, long, long);

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, handing = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static struct {
  any_t function;
  long arguments[4], result;
  int is_waiting;
} job;

static void *work(void *nothing) {
  pthread_mutex_lock(&handing);
  for (;;) {
    while (!job.is_waiting) pthread_cond_wait(&handed, &handing);
    job.result = job.function(job.arguments[0], job.arguments[1], job.arguments[2], job.arguments[3]);
    job.is_waiting = 0;
    pthread_cond_broadcast(&handed);
  }
  return nothing;
}

static long hand(any_t function, const long *arguments) {
  pthread_mutex_lock(&turn);
  pthread_mutex_lock(&handing);
  job.function = function;
  memcpy(job.arguments, arguments, sizeof job.arguments);
  job.is_waiting = 1;
  pthread_cond_broadcast(&handed);
  while (job.is_waiting) pthread_cond_wait(&handed, &handing);
  long result = job.result;
  pthread_mutex_unlock(&handing);
  pthread_mutex_unlock(&turn);
  return result;
}

#define ADDRESS(name, ...) hand((any_t)(void (*)(void))library.name, (const long[4]){__VA_ARGS__})
// Of an integer only the lower half is defined.
#define CALL(name, ...) ((int)ADDRESS(name, __VA_ARGS__))


static void open_library(void) {
  const char *const files[] = {"libOpenNI2.so.0", NULL}, *const names[] = {FUNCTIONS(CAM_FUNCTION_NAME) NULL};
  if (!cam_library_open(files, names, &library, obstacle, sizeof obstacle)) {
    if (obstacle[0] == 0) snprintf(obstacle, sizeof obstacle, "unknown");
    return;
  }
  Dl_info place;
  void *function;
  memcpy(&function, &library.Initialize, sizeof function);
  if (dladdr(function, &place) != 0 && place.dli_fname != NULL) snprintf(path, sizeof path, "%s", place.dli_fname);
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0) {
    snprintf(obstacle, sizeof obstacle, "it gets no thread");
    return;
  }
  pthread_detach(thread);
  if (CALL(Initialize, (long)(kInterface)) != 0) {
    snprintf(obstacle, sizeof obstacle, "it does not start: %.400s", (const char *)ADDRESS(GetExtendedError, 0));
    for (char *end = obstacle + strlen(obstacle); end > obstacle && (end[-1] == '\n' || end[-1] == ' ');) *--end = 0;
  }
}

const char *cam_openni_obstacle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return obstacle[0] != 0 ? obstacle : NULL;
}

const char *cam_openni_path(void) {
  cam_openni_obstacle();
  return path[0] != 0 ? path : NULL;
}

int cam_openni_version(void) {
  version_t version = library.GetVersion();
  return version.major * 10000 + version.minor * 100 + version.maintenance;
}

const char *cam_openni_last_error(void) {
  const char *text = (const char *)ADDRESS(GetExtendedError, 0);
  return text != NULL ? text : "";
}

int cam_openni_devices(cam_openni_info *devices, int count) {
  cam_openni_info *all = NULL;
  int found = 0;
  if (CALL(GetDeviceList, (long)&all, (long)&found) != 0) return -1;
  for (int index = 0; index < found && index < count; index++) devices[index] = all[index];
  CALL(ReleaseDeviceList, (long)(all));
  return found;
}

static void (*reported)(const char *, int);

static void connected(const cam_openni_info *device, void *context) {
  (void)context;
  reported(device->uri, 1);
}

static void disconnected(const cam_openni_info *device, void *context) {
  (void)context;
  reported(device->uri, 0);
}

static void changed(const cam_openni_info *device, int state, void *context) {
  (void)context;
  if (state == kStateError || state == kStateNotReady) reported(device->uri, 0);
}

int cam_openni_watch(void (*report)(const char *, int)) {
  reported = report;
  callbacks_t callbacks = {connected, disconnected, changed};
  void *handle = NULL;
  return CALL(RegisterDeviceCallbacks, (long)&callbacks, (long)(NULL), (long)&handle);
}

int cam_openni_open(const char *uri, void **device) { return CALL(DeviceOpen, (long)(uri), (long)(device)); }

void cam_openni_close(void *device) { CALL(DeviceClose, (long)(device)); }

void cam_openni_serial(void *device, char *text) {
  int size = 255;
  memset(text, 0, 256);
  if (CALL(DeviceGetProperty, (long)(device), (long)(kSerialNumber), (long)(text), (long)&size) != 0) text[0] = 0;
}

int cam_openni_modes(void *device, int sensor, cam_openni_mode *modes, int count) {
  const sensor_t *info = (const sensor_t *)ADDRESS(DeviceGetSensorInfo, (long)(device), (long)(sensor));
  if (info == NULL) return 0;
  for (int index = 0; index < info->count && index < count; index++) modes[index] = info->modes[index];
  return info->count;
}

int cam_openni_can_register(void *device) {
  return CALL(DeviceIsImageRegistrationModeSupported, (long)(device), (long)(kDepthToColor)) != 0;
}

int cam_openni_register(void *device, int is_on) {
  int mode = is_on ? kDepthToColor : 0;
  CALL(DeviceSetProperty, (long)(device), (long)(kRegistration), (long)&mode, (long)(sizeof mode));
  int size = sizeof mode;
  mode = 0;
  return CALL(DeviceGetProperty, (long)(device), (long)(kRegistration), (long)&mode, (long)&size) == 0 && mode == kDepthToColor;
}

typedef struct {
  void *handle;
  int is_ready;
} stream_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;

static int take(stream_t *stream) {
  pthread_mutex_lock(&lock);
  int was_ready = stream->is_ready;
  stream->is_ready = 0;
  pthread_mutex_unlock(&lock);
  return was_ready;
}

// On a thread of the stream's, which ends with it.
static void note(void *handle, void *context) {
  (void)handle;
  pthread_mutex_lock(&lock);
  ((stream_t *)context)->is_ready = 1;
  pthread_cond_broadcast(&arrival);
  pthread_mutex_unlock(&lock);
}

int cam_openni_stream(void *device, int sensor, void **stream) {
  stream_t *made = calloc(1, sizeof *made);
  if (made == NULL) return 1;
  int status = CALL(DeviceCreateStream, (long)(device), (long)(sensor), (long)&made->handle);
  if (status != 0) {
    free(made);
    return status;
  }
  void *callback = NULL;
  status = CALL(StreamRegisterNewFrameCallback, (long)(made->handle), (long)note, (long)(made), (long)&callback);
  if (status != 0) {
    CALL(StreamDestroy, (long)(made->handle));
    free(made);
    return status;
  }
  *stream = made;
  return 0;
}

void cam_openni_destroy(void *stream) {
  stream_t *gone = stream;
  CALL(StreamDestroy, (long)(gone->handle));
  free(gone);
}

int cam_openni_mode_of(void *stream, cam_openni_mode *mode) {
  int size = sizeof *mode;
  return CALL(StreamGetProperty, (long)(((stream_t *)stream)->handle), (long)(kVideoMode), (long)(mode), (long)&size);
}

int cam_openni_set_mode(void *stream, cam_openni_mode mode) {
  return CALL(StreamSetProperty, (long)(((stream_t *)stream)->handle), (long)(kVideoMode), (long)&mode, (long)(sizeof mode));
}

int cam_openni_stop_mirroring(void *stream) {
  int is_on = 0;
  CALL(StreamSetProperty, (long)(((stream_t *)stream)->handle), (long)(kMirroring), (long)&is_on, (long)(sizeof is_on));
  int size = sizeof is_on;
  return CALL(StreamGetProperty, (long)(((stream_t *)stream)->handle), (long)(kMirroring), (long)&is_on, (long)&size) == 0 && is_on != 0;
}

float cam_openni_field_of_view(void *stream) {
  float radians = 0;
  int size = sizeof radians;
  return CALL(StreamGetProperty, (long)(((stream_t *)stream)->handle), (long)(kHorizontalView), (long)&radians, (long)&size) == 0 ? radians : 0;
}

int cam_openni_start(void *stream) {
  take(stream);
  return CALL(StreamStart, (long)(((stream_t *)stream)->handle));
}

void cam_openni_stop(void *stream) {
  CALL(StreamStop, (long)(((stream_t *)stream)->handle));
  take(stream);
}

int cam_openni_wait(void **streams, int count, int *index, int milliseconds) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  long nanoseconds = limit.tv_nsec + milliseconds % 1000 * 1000000L;
  limit.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
  limit.tv_nsec = nanoseconds % 1000000000;
  int status = 0;
  *index = -1;
  pthread_mutex_lock(&lock);
  while (*index < 0 && status == 0) {
    for (int each = 0; each < count && *index < 0; each++)
      if (((stream_t *)streams[each])->is_ready) *index = each;
    if (*index < 0) status = pthread_cond_timedwait(&arrival, &lock, &limit);
  }
  pthread_mutex_unlock(&lock);
  return *index < 0 ? cam_openni_timed_out : 0;
}

int cam_openni_read(void *stream, cam_openni_frame **frame) {
  stream_t *from = stream;
  take(from);
  int index = -1;
  // To read where nothing is would wait for ever.
  int status = CALL(WaitForAnyStream, (long)&from->handle, 1, (long)&index, 0);
  return status != 0 ? status : CALL(StreamReadFrame, (long)from->handle, (long)frame);
}

void cam_openni_release(cam_openni_frame *frame) { CALL(FrameRelease, (long)(frame)); }
