#include "CVideo4Linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
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
  // What this process sets through another descriptor is reported too.
  return cam_v4l2_ioctl(descriptor, VIDIOC_SUBSCRIBE_EVENT, &subscription);
}

int cam_v4l2_take_event(int descriptor) {
  struct v4l2_event event;
  memset(&event, 0, sizeof event);
  return cam_v4l2_ioctl(descriptor, VIDIOC_DQEVENT, &event);
}

static uint32_t entity_of_pad(const struct media_v2_pad *pads, uint32_t count, uint32_t pad) {
  for (uint32_t i = 0; i < count; i++)
    if (pads[i].id == pad) return pads[i].entity_id;
  return 0;
}

int cam_media_graph(
    int descriptor, uint32_t major, uint32_t minor, uint32_t *node, struct cam_media_entity *entities,
    uint32_t *entity_count, struct cam_media_flow *flows, uint32_t *flow_count) {
  struct media_v2_topology topology;
  memset(&topology, 0, sizeof topology);
  int failure = cam_v4l2_ioctl(descriptor, MEDIA_IOC_G_TOPOLOGY, &topology);
  if (failure) return failure;
  if (topology.num_entities > *entity_count || topology.num_links > *flow_count) return ENOSPC;
  struct media_v2_entity *found = calloc(topology.num_entities + 1, sizeof *found);
  struct media_v2_interface *interfaces = calloc(topology.num_interfaces + 1, sizeof *interfaces);
  struct media_v2_pad *pads = calloc(topology.num_pads + 1, sizeof *pads);
  struct media_v2_link *links = calloc(topology.num_links + 1, sizeof *links);
  *node = *entity_count = *flow_count = 0;
  if (!found || !interfaces || !pads || !links) {
    failure = ENOMEM;
  } else {
    topology.ptr_entities = (uintptr_t)found;
    topology.ptr_interfaces = (uintptr_t)interfaces;
    topology.ptr_pads = (uintptr_t)pads;
    topology.ptr_links = (uintptr_t)links;
    // A graph that has grown between the two calls is refused with ENOSPC.
    failure = cam_v4l2_ioctl(descriptor, MEDIA_IOC_G_TOPOLOGY, &topology);
  }
  if (!failure) {
    uint32_t interface = 0;
    for (uint32_t i = 0; i < topology.num_interfaces; i++)
      if (interfaces[i].intf_type == MEDIA_INTF_T_V4L_VIDEO && interfaces[i].devnode.major == major &&
          interfaces[i].devnode.minor == minor)
        interface = interfaces[i].id;
    for (uint32_t i = 0; i < topology.num_entities; i++) {
      entities[i].identifier = found[i].id;
      entities[i].function = found[i].function;
    }
    *entity_count = topology.num_entities;
    for (uint32_t i = 0; i < topology.num_links; i++) {
      uint32_t kind = links[i].flags & MEDIA_LNK_FL_LINK_TYPE;
      if (kind == MEDIA_LNK_FL_INTERFACE_LINK) {
        if (interface && links[i].source_id == interface) *node = links[i].sink_id;
      } else if (kind == MEDIA_LNK_FL_DATA_LINK) {
        flows[*flow_count].source = entity_of_pad(pads, topology.num_pads, links[i].source_id);
        flows[*flow_count].sink = entity_of_pad(pads, topology.num_pads, links[i].sink_id);
        ++*flow_count;
      }
    }
  }
  free(found);
  free(interfaces);
  free(pads);
  free(links);
  return failure;
}
