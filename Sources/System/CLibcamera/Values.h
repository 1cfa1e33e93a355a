#pragma once

#include <libcamera/controls.h>

#include "CLibcamera.h"

/// What is read of a list of metadata.
void readValues(const libcamera::ControlList &list, cam_libcamera_completion &completion);
/// Sets those that the camera takes.
void setValues(libcamera::ControlList &list, const libcamera::ControlInfoMap &taken, const cam_libcamera_value *values, size_t count);
/// What a camera takes, at most `room`; returns how many.
///
/// Its properties have the place on the sensor of the largest crop, of which the control tells the size alone.
size_t readRanges(const libcamera::ControlInfoMap &taken, const libcamera::ControlList &properties, cam_libcamera_range *ranges,
                  size_t room);
