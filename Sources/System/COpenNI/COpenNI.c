#include "COpenNI.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "Library.h"

CALL(list, FIELDS(cam_openni_info *all; int count, status), in->status = cam_openni_note(cam_openni_library.GetDeviceList(&in->all, &in->count)))
CALL(forget_list, cam_openni_info *all, cam_openni_library.ReleaseDeviceList(in->all))
CALL(watch, FIELDS(callbacks_t callbacks; int status; void *handle),
     in->status = cam_openni_note(cam_openni_library.RegisterDeviceCallbacks(&in->callbacks, NULL, &in->handle)))
CALL(open, FIELDS(const char *uri; void *device; int status), in->status = cam_openni_note(cam_openni_library.DeviceOpen(in->uri, &in->device)))
CALL(close, void *device, cam_openni_library.DeviceClose(in->device))
CALL(sensor, FIELDS(void *device; int kind; const sensor_t *info), in->info = cam_openni_library.DeviceGetSensorInfo(in->device, in->kind))
CALL(can_register, FIELDS(void *device; int answer),
     in->answer = cam_openni_library.DeviceIsImageRegistrationModeSupported(in->device, kDepthToColor))
CALL(make_stream, FIELDS(void *device; int kind; void *stream; int status),
     in->status = cam_openni_note(cam_openni_library.DeviceCreateStream(in->device, in->kind, &in->stream)))
CALL(hear, FIELDS(void *stream; void (*arrived)(void *, void *); void *context; void *handle; int status),
     in->status = cam_openni_note(cam_openni_library.StreamRegisterNewFrameCallback(in->stream, in->arrived, in->context, &in->handle)))
CALL(destroy, void *stream, cam_openni_library.StreamDestroy(in->stream))
CALL(start, FIELDS(void *stream; int status), in->status = cam_openni_note(cam_openni_library.StreamStart(in->stream)))
CALL(stop, void *stream, cam_openni_library.StreamStop(in->stream))
CALL(wait, FIELDS(void *stream; int index, status), in->status = cam_openni_note(cam_openni_library.WaitForAnyStream(&in->stream, 1, &in->index, 0)))
CALL(read, FIELDS(void *stream; cam_openni_frame *frame; int status), in->status = cam_openni_note(cam_openni_library.StreamReadFrame(in->stream, &in->frame)))
CALL(release, cam_openni_frame *frame, cam_openni_library.FrameRelease(in->frame))

// Properties of a device or a stream, all of them alike.
typedef struct {
  void *object;
  int property, size, status;
  void *value;
} property_t;

static void device_set_call(void *arguments) {
  property_t *in = arguments;
  in->status = cam_openni_note(cam_openni_library.DeviceSetProperty(in->object, in->property, in->value, in->size));
}

static void device_get_call(void *arguments) {
  property_t *in = arguments;
  in->status = cam_openni_note(cam_openni_library.DeviceGetProperty(in->object, in->property, in->value, &in->size));
}

static void stream_set_call(void *arguments) {
  property_t *in = arguments;
  in->status = cam_openni_note(cam_openni_library.StreamSetProperty(in->object, in->property, in->value, in->size));
}

static void stream_get_call(void *arguments) {
  property_t *in = arguments;
  in->status = cam_openni_note(cam_openni_library.StreamGetProperty(in->object, in->property, in->value, &in->size));
}

static int property(call_t call, void *object, int property, void *value, int size) {
  property_t arguments = {object, property, size, 0, value};
  cam_openni_hand(call, &arguments);
  return arguments.status;
}

int cam_openni_devices(cam_openni_info *devices, int count) {
  list_job found = {NULL, 0, 0};
  HAND(list, &found);
  if (found.status != 0) return -1;
  for (int index = 0; index < found.count && index < count; index++) devices[index] = found.all[index];
  forget_list_job gone = {found.all};
  HAND(forget_list, &gone);
  return found.count;
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
  watch_job arguments = {{connected, disconnected, changed}, 0, NULL};
  HAND(watch, &arguments);
  return arguments.status;
}

int cam_openni_open(const char *uri, void **device) {
  open_job arguments = {uri, NULL, 0};
  HAND(open, &arguments);
  *device = arguments.device;
  return arguments.status;
}

void cam_openni_close(void *device) {
  close_job arguments = {device};
  HAND(close, &arguments);
}

void cam_openni_serial(void *device, char *text) {
  memset(text, 0, 256);
  if (property(device_get_call, device, kSerialNumber, text, 255) != 0) text[0] = 0;
}

int cam_openni_modes(void *device, int sensor, cam_openni_mode *modes, int count) {
  sensor_job arguments = {device, sensor, NULL};
  HAND(sensor, &arguments);
  const sensor_t *info = arguments.info;
  if (info == NULL) return 0;
  for (int index = 0; index < info->count && index < count; index++) modes[index] = info->modes[index];
  return info->count;
}

int cam_openni_can_register(void *device) {
  can_register_job arguments = {device, 0};
  HAND(can_register, &arguments);
  return arguments.answer != 0;
}

int cam_openni_register(void *device, int is_on) {
  int mode = is_on ? kDepthToColor : 0;
  property(device_set_call, device, kRegistration, &mode, sizeof mode);
  mode = 0;
  return property(device_get_call, device, kRegistration, &mode, sizeof mode) == 0 && mode == kDepthToColor;
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
  make_stream_job arguments = {device, sensor, NULL, 0};
  HAND(make_stream, &arguments);
  if (arguments.status != 0) {
    free(made);
    return arguments.status;
  }
  made->handle = arguments.stream;
  hear_job hearing = {made->handle, note, made, NULL, 0};
  HAND(hear, &hearing);
  if (hearing.status != 0) {
    cam_openni_destroy(made);
    return hearing.status;
  }
  *stream = made;
  return 0;
}

void cam_openni_destroy(void *stream) {
  stream_t *gone = stream;
  destroy_job arguments = {gone->handle};
  HAND(destroy, &arguments);
  free(gone);
}

int cam_openni_mode_of(void *stream, cam_openni_mode *mode) {
  return property(stream_get_call, ((stream_t *)stream)->handle, kVideoMode, mode, sizeof *mode);
}

int cam_openni_set_mode(void *stream, cam_openni_mode mode) {
  return property(stream_set_call, ((stream_t *)stream)->handle, kVideoMode, &mode, sizeof mode);
}

int cam_openni_stop_mirroring(void *stream) {
  void *handle = ((stream_t *)stream)->handle;
  int is_on = 0;
  property(stream_set_call, handle, kMirroring, &is_on, sizeof is_on);
  return property(stream_get_call, handle, kMirroring, &is_on, sizeof is_on) == 0 && is_on != 0;
}

float cam_openni_field_of_view(void *stream) {
  float radians = 0;
  return property(stream_get_call, ((stream_t *)stream)->handle, kHorizontalView, &radians, sizeof radians) == 0 ? radians : 0;
}

int cam_openni_start(void *stream) {
  take(stream);
  start_job arguments = {((stream_t *)stream)->handle, 0};
  HAND(start, &arguments);
  return arguments.status;
}

void cam_openni_stop(void *stream) {
  stop_job arguments = {((stream_t *)stream)->handle};
  HAND(stop, &arguments);
  take(stream);
}

int cam_openni_wait(void **streams, int count, int *index, int milliseconds) {
  struct timespec limit;
  clock_gettime(CLOCK_MONOTONIC, &limit);
  long nanoseconds = limit.tv_nsec + milliseconds % 1000 * 1000000L;
  limit.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
  limit.tv_nsec = nanoseconds % 1000000000;
  int status = 0;
  *index = -1;
  pthread_mutex_lock(&lock);
  while (*index < 0 && status == 0) {
    for (int each = 0; each < count && *index < 0; each++)
      if (((stream_t *)streams[each])->is_ready) *index = each;
    if (*index < 0) status = pthread_cond_clockwait(&arrival, &lock, CLOCK_MONOTONIC, &limit);
  }
  pthread_mutex_unlock(&lock);
  return *index < 0 ? cam_openni_timed_out : 0;
}

int cam_openni_read(void *stream, cam_openni_frame **frame) {
  stream_t *from = stream;
  take(from);
  // To read where nothing is would wait for ever.
  wait_job waiting = {from->handle, -1, 0};
  HAND(wait, &waiting);
  if (waiting.status != 0) return waiting.status;
  read_job reading = {from->handle, NULL, 0};
  HAND(read, &reading);
  *frame = reading.frame;
  return reading.status;
}

void cam_openni_release(cam_openni_frame *frame) {
  release_job arguments = {frame};
  HAND(release, &arguments);
}
