#ifdef LIBCAMERA_DEVICES

#include "Cameras.h"

#include <libcamera/camera_manager.h>
#include <libcamera/logging.h>
#include <libcamera/property_ids.h>
#include <libcamera/version.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

using namespace libcamera;

namespace {

std::mutex starting;
/// Never freed: the library allows one, and cameras outlive their last user here by moments that nothing bounds.
CameraManager *manager = nullptr;
void (*listener)(void) = nullptr;

void noteChange(std::shared_ptr<Camera>) { listener(); }

void copy(char *room, size_t size, const std::string &text) {
  size_t count = std::min(size - 1, text.size());
  std::memcpy(room, text.data(), count);
  room[count] = 0;
}

StreamRole role(uint32_t number) {
  switch (number) {
  case cam_role_still: return StreamRole::StillCapture;
  case cam_role_raw: return StreamRole::Raw;
  default: return StreamRole::Viewfinder;
  }
}

void tell(const StreamConfiguration &configuration, cam_libcamera_stream &stream) {
  stream.fourcc = configuration.pixelFormat.fourcc();
  stream.modifier = configuration.pixelFormat.modifier();
  stream.width = configuration.size.width;
  stream.height = configuration.size.height;
  stream.stride = configuration.stride;
  stream.buffers = configuration.bufferCount;
  stream.matrix = 0;
  stream.is_full_range = 0;
  if (!configuration.colorSpace) return;
  switch (configuration.colorSpace->ycbcrEncoding) {
  case ColorSpace::YcbcrEncoding::Rec601: stream.matrix = 601; break;
  case ColorSpace::YcbcrEncoding::Rec709: stream.matrix = 709; break;
  case ColorSpace::YcbcrEncoding::Rec2020: stream.matrix = 2020; break;
  default: break;
  }
  stream.is_full_range = configuration.colorSpace->range == ColorSpace::Range::Full;
}

/// Whether the library hands pictures on as they should stand, as far as it says.
bool isUpright(const CameraConfiguration &configuration) {
#if LIBCAMERA_VERSION_MAJOR == 0 && LIBCAMERA_VERSION_MINOR < 2
  return configuration.transform == Transform::Identity;
#else
  return configuration.orientation == Orientation::Rotate0;
#endif
}

} // namespace

const char *cam_libcamera_version(void) { return CameraManager::version().c_str(); }

int cam_libcamera_start(void (*changed)(void)) {
  std::lock_guard<std::mutex> guard(starting);
  if (manager) return 0;
  // It talks on the standard error, which is the program's, unless its own variables ask for that.
  if (!std::getenv("LIBCAMERA_LOG_LEVELS") && !std::getenv("LIBCAMERA_LOG_FILE")) logSetTarget(LoggingTargetNone);
  CameraManager *fresh = new CameraManager();
  int result = fresh->start();
  if (result < 0) {
    delete fresh;
    return -result;
  }
  manager = fresh;
  listener = changed;
  fresh->cameraAdded.connect(noteChange);
  fresh->cameraRemoved.connect(noteChange);
  return 0;
}

size_t cam_libcamera_cameras(cam_libcamera_camera **cameras, size_t room) {
  std::lock_guard<std::mutex> guard(starting);
  if (!manager) return 0;
  size_t count = 0;
  for (const std::shared_ptr<Camera> &camera : manager->cameras()) {
    if (count < room) cameras[count++] = new cam_libcamera_camera{camera};
  }
  return count;
}

void cam_libcamera_camera_release(cam_libcamera_camera *camera) { delete camera; }

int cam_libcamera_camera_equals(const cam_libcamera_camera *left, const cam_libcamera_camera *right) { return left->camera == right->camera; }

void cam_libcamera_camera_read(cam_libcamera_camera *camera, cam_libcamera_camera_facts *facts) {
  *facts = {};
  const ControlList &properties = camera->camera->properties();
  copy(facts->id, sizeof facts->id, camera->camera->id());
  if (auto model = properties.get(properties::Model)) copy(facts->model, sizeof facts->model, std::string(*model));
  if (auto location = properties.get(properties::Location)) {
    switch (*location) {
    case properties::CameraLocationFront: facts->location = cam_location_front; break;
    case properties::CameraLocationBack: facts->location = cam_location_back; break;
    case properties::CameraLocationExternal: facts->location = cam_location_external; break;
    }
  }
  if (auto size = properties.get(properties::PixelArraySize)) {
    facts->sensor_width = size->width;
    facts->sensor_height = size->height;
  }
  auto rotation = properties.get(properties::Rotation);
  if (!rotation || *rotation == 0) return;
  std::unique_ptr<CameraConfiguration> configuration = camera->camera->generateConfiguration({StreamRole::Viewfinder});
  bool stands = configuration && configuration->validate() != CameraConfiguration::Invalid && isUpright(*configuration);
  if (!stands) facts->rotation = uint32_t((*rotation % 360 + 360) % 360);
}

size_t cam_libcamera_camera_nodes(cam_libcamera_camera *camera, uint64_t *numbers, size_t asked) {
  size_t found = 0;
#if LIBCAMERA_VERSION_MAJOR == 0 && LIBCAMERA_VERSION_MINOR < 1
  for (size_t index = 0; index < asked; index++) {
    std::shared_ptr<Camera> other = manager->get(dev_t(numbers[index]));
    if (other == camera->camera) numbers[found++] = numbers[index];
  }
#else
  auto own = camera->camera->properties().get(properties::SystemDevices);
  for (size_t index = 0; own && index < asked; index++) {
    if (std::find(own->begin(), own->end(), int64_t(numbers[index])) != own->end()) numbers[found++] = numbers[index];
  }
#endif
  return found;
}

size_t cam_libcamera_camera_formats(cam_libcamera_camera *camera, uint32_t number, cam_libcamera_stream *formats, size_t room) {
  std::unique_ptr<CameraConfiguration> configuration = camera->camera->generateConfiguration({role(number)});
  if (!configuration || configuration->size() != 1) return 0;
  const StreamFormats &offered = configuration->at(0).formats();
  size_t count = 0;
  auto add = [&](const PixelFormat &format, const Size &size) {
    if (count == room) return;
    cam_libcamera_stream &stream = formats[count++];
    stream = {};
    stream.role = number;
    stream.fourcc = format.fourcc();
    stream.modifier = format.modifier();
    stream.width = size.width;
    stream.height = size.height;
  };
  // What the library would take unasked comes first.
  PixelFormat proposed = configuration->at(0).pixelFormat;
  add(proposed, configuration->at(0).size);
  for (const PixelFormat &format : offered.pixelformats()) {
    for (const Size &size : offered.sizes(format)) add(format, size);
    // A range's largest size may be none of the usual ones.
    add(format, offered.range(format).max);
  }
  return count;
}

std::unique_ptr<CameraConfiguration> validated(Camera &camera, cam_libcamera_stream *streams, size_t count) {
  std::vector<StreamRole> roles;
  for (size_t index = 0; index < count; index++) roles.push_back(role(streams[index].role));
  std::unique_ptr<CameraConfiguration> configuration = camera.generateConfiguration(roles);
  if (!configuration || configuration->size() != count) return nullptr;
  for (size_t index = 0; index < count; index++) {
    StreamConfiguration &wanted = configuration->at(index);
    const cam_libcamera_stream &stream = streams[index];
    if (stream.fourcc) wanted.pixelFormat = PixelFormat(stream.fourcc, stream.modifier);
    if (stream.width) wanted.size = Size(stream.width, stream.height);
    if (stream.buffers) wanted.bufferCount = stream.buffers;
  }
  if (configuration->validate() == CameraConfiguration::Invalid || configuration->size() != count) return nullptr;
  for (size_t index = 0; index < count; index++) tell(configuration->at(index), streams[index]);
  return configuration;
}

int cam_libcamera_camera_check(cam_libcamera_camera *camera, cam_libcamera_stream *streams, size_t count) {
  return validated(*camera->camera, streams, count) ? 0 : EINVAL;
}

#endif
