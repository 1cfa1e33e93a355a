#include "CVideo4Linux.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

int cam_v4l2_ioctl(int descriptor, unsigned long request, void *argument) {
  int result;
  do {
    result = ioctl(descriptor, request, argument);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? errno : 0;
}

int cam_v4l2_open(const char *path) {
  int result;
  do {
    result = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : result;
}

static int interval(
    int descriptor, unsigned long request, uint32_t *numerator, uint32_t *denominator) {
  struct v4l2_streamparm parameters;
  memset(&parameters, 0, sizeof parameters);
  parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  parameters.parm.capture.timeperframe.numerator = *numerator;
  parameters.parm.capture.timeperframe.denominator = *denominator;
  int failure = cam_v4l2_ioctl(descriptor, request, &parameters);
  if (failure) return failure;
  if (!(parameters.parm.capture.capability & V4L2_CAP_TIMEPERFRAME)) return EOPNOTSUPP;
  *numerator = parameters.parm.capture.timeperframe.numerator;
  *denominator = parameters.parm.capture.timeperframe.denominator;
  return 0;
}

int cam_v4l2_set_interval(int descriptor, uint32_t *numerator, uint32_t *denominator) {
  return interval(descriptor, VIDIOC_S_PARM, numerator, denominator);
}

int cam_v4l2_get_interval(int descriptor, uint32_t *numerator, uint32_t *denominator) {
  *numerator = 0;
  *denominator = 0;
  return interval(descriptor, VIDIOC_G_PARM, numerator, denominator);
}

int cam_v4l2_query_menu(int descriptor, uint32_t control, uint32_t index, int64_t *value, char *name) {
  struct v4l2_querymenu menu;
  memset(&menu, 0, sizeof menu);
  menu.id = control;
  menu.index = index;
  int failure = cam_v4l2_ioctl(descriptor, VIDIOC_QUERYMENU, &menu);
  if (failure) return failure;
  *value = menu.value;  // Overlays the name; callers know which of the two a control has.
  memcpy(name, menu.name, sizeof menu.name);
  name[sizeof menu.name] = 0;
  return 0;
}

static int extended(int descriptor, unsigned long request, struct v4l2_ext_control *control) {
  struct v4l2_ext_controls controls;
  memset(&controls, 0, sizeof controls);
  controls.which = V4L2_CTRL_WHICH_CUR_VAL;
  controls.count = 1;
  controls.controls = control;
  return cam_v4l2_ioctl(descriptor, request, &controls);
}

int cam_v4l2_get_wide(int descriptor, uint32_t identifier, int64_t *value) {
  struct v4l2_ext_control control;
  memset(&control, 0, sizeof control);
  control.id = identifier;
  int failure = extended(descriptor, VIDIOC_G_EXT_CTRLS, &control);
  if (!failure) *value = control.value64;
  return failure;
}

int cam_v4l2_set_wide(int descriptor, uint32_t identifier, int64_t value) {
  struct v4l2_ext_control control;
  memset(&control, 0, sizeof control);
  control.id = identifier;
  control.value64 = value;
  return extended(descriptor, VIDIOC_S_EXT_CTRLS, &control);
}

int cam_v4l2_get_text(int descriptor, uint32_t identifier, char *text, uint32_t size) {
  struct v4l2_ext_control control;
  memset(&control, 0, sizeof control);
  control.id = identifier;
  control.size = size;
  control.string = text;
  return extended(descriptor, VIDIOC_G_EXT_CTRLS, &control);
}

int cam_v4l2_set_text(int descriptor, uint32_t identifier, char *text, uint32_t size) {
  struct v4l2_ext_control control;
  memset(&control, 0, sizeof control);
  control.id = identifier;
  control.size = size;
  control.string = text;
  return extended(descriptor, VIDIOC_S_EXT_CTRLS, &control);
}

int cam_v4l2_subscribe_control(int descriptor, uint32_t identifier) {
  struct v4l2_event_subscription subscription;
  memset(&subscription, 0, sizeof subscription);
  subscription.type = V4L2_EVENT_CTRL;
  subscription.id = identifier;
  // What this process sets through another descriptor is told too.
  return cam_v4l2_ioctl(descriptor, VIDIOC_SUBSCRIBE_EVENT, &subscription);
}

int cam_v4l2_take_event(int descriptor) {
  struct v4l2_event event;
  memset(&event, 0, sizeof event);
  return cam_v4l2_ioctl(descriptor, VIDIOC_DQEVENT, &event);
}
