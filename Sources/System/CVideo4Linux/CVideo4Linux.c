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

int cam_v4l2_query_menu(int descriptor, uint32_t control, uint32_t index, int64_t *value) {
  struct v4l2_querymenu menu;
  memset(&menu, 0, sizeof menu);
  menu.id = control;
  menu.index = index;
  int failure = cam_v4l2_ioctl(descriptor, VIDIOC_QUERYMENU, &menu);
  if (failure) return failure;
  *value = menu.value;  // Overlays the name of menus that are not of integers; callers know which they ask.
  return 0;
}
