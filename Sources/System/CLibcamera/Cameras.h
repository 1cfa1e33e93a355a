#pragma once

#include <libcamera/camera.h>

#include <memory>

#include "CLibcamera.h"

struct cam_libcamera_camera {
  std::shared_ptr<libcamera::Camera> camera;
};

/// The configuration that these streams ask for, validated, with what they would be written to them; null where they cannot be had.
std::unique_ptr<libcamera::CameraConfiguration> validated(libcamera::Camera &camera, cam_libcamera_stream *streams, size_t count);
