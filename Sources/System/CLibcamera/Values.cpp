#ifdef LIBCAMERA_DEVICES

#include "Values.h"

#include <libcamera/control_ids.h>
#include <libcamera/property_ids.h>
#include <libcamera/version.h>

#include <algorithm>
#include <cstring>
#include <optional>

using namespace libcamera;

namespace {

/// A control of the library's, under our number.
struct Known {
  uint32_t control;
  const ControlId *id;
  bool isArray;
};

const Known known[] = {
    {cam_control_ae_enable, &controls::AeEnable, false},
#if LIBCAMERA_VERSION_MAJOR == 0 && LIBCAMERA_VERSION_MINOR < 5
    {cam_control_ae_locked, &controls::AeLocked, false},
    {cam_control_ae_state, &controls::draft::AeState, false},
#else
    {cam_control_ae_state, &controls::AeState, false},
#endif
    {cam_control_ae_metering, &controls::AeMeteringMode, false},
    {cam_control_ae_constraint, &controls::AeConstraintMode, false},
    {cam_control_ae_exposure_mode, &controls::AeExposureMode, false},
    {cam_control_exposure_value, &controls::ExposureValue, false},
    {cam_control_exposure_time, &controls::ExposureTime, false},
    {cam_control_analogue_gain, &controls::AnalogueGain, false},
    {cam_control_digital_gain, &controls::DigitalGain, false},
    {cam_control_lux, &controls::Lux, false},
    {cam_control_awb_enable, &controls::AwbEnable, false},
    {cam_control_awb_mode, &controls::AwbMode, false},
    {cam_control_awb_locked, &controls::AwbLocked, false},
    {cam_control_awb_state, &controls::draft::AwbState, false},
    {cam_control_colour_gains, &controls::ColourGains, true},
    {cam_control_colour_temperature, &controls::ColourTemperature, false},
    {cam_control_brightness, &controls::Brightness, false},
    {cam_control_contrast, &controls::Contrast, false},
    {cam_control_saturation, &controls::Saturation, false},
    {cam_control_sharpness, &controls::Sharpness, false},
    {cam_control_noise_reduction, &controls::draft::NoiseReductionMode, false},
    {cam_control_scaler_crop, &controls::ScalerCrop, false},
    {cam_control_frame_duration, &controls::FrameDuration, false},
    {cam_control_frame_duration_limits, &controls::FrameDurationLimits, true},
    {cam_control_sensor_temperature, &controls::SensorTemperature, false},
    {cam_control_black_levels, &controls::SensorBlackLevels, true},
    {cam_control_focus_measure, &controls::FocusFoM, false},
    {cam_control_af_mode, &controls::AfMode, false},
    {cam_control_af_range, &controls::AfRange, false},
    {cam_control_af_speed, &controls::AfSpeed, false},
    {cam_control_af_metering, &controls::AfMetering, false},
    {cam_control_af_windows, &controls::AfWindows, true},
    {cam_control_af_trigger, &controls::AfTrigger, false},
    {cam_control_lens_position, &controls::LensPosition, false},
    {cam_control_af_state, &controls::AfState, false},
};

template <typename Number> Number numberAt(const ControlValue &value, size_t index) {
  Number number;
  std::memcpy(&number, value.data().data() + index * sizeof(Number), sizeof(Number));
  return number;
}

/// The value as numbers, at most four; how many.
uint32_t read(const ControlValue &value, double numbers[4]) {
  if (value.isNone()) return 0;
  // Of several rectangles, the first.
  if (value.type() == ControlTypeRectangle) {
    if (value.numElements() < 1) return 0;
    Rectangle rectangle = numberAt<Rectangle>(value, 0);
    numbers[0] = rectangle.x, numbers[1] = rectangle.y, numbers[2] = rectangle.width, numbers[3] = rectangle.height;
    return 4;
  }
  uint32_t count = std::min<size_t>(value.numElements(), 4);
  for (uint32_t index = 0; index < count; index++) {
    switch (value.type()) {
    case ControlTypeBool:
    case ControlTypeByte: numbers[index] = numberAt<uint8_t>(value, index); break;
    case ControlTypeInteger32: numbers[index] = numberAt<int32_t>(value, index); break;
    case ControlTypeInteger64: numbers[index] = double(numberAt<int64_t>(value, index)); break;
    case ControlTypeFloat: numbers[index] = numberAt<float>(value, index); break;
    default: return 0;
    }
  }
  return count;
}

template <typename Number> void put(ControlValue &value, size_t index, Number number) {
  std::memcpy(value.data().data() + index * sizeof(Number), &number, sizeof(Number));
}

ControlValue made(const Known &kind, const cam_libcamera_value &told) {
  ControlValue value;
  if (kind.id->type() == ControlTypeRectangle) {
    if (told.count < 4) return value;
    value.reserve(ControlTypeRectangle, kind.isArray, 1);
    put(value, 0, Rectangle(int(told.numbers[0]), int(told.numbers[1]), unsigned(told.numbers[2]), unsigned(told.numbers[3])));
    return value;
  }
  uint32_t count = kind.isArray ? std::min(told.count, 4u) : 1;
  if (told.count < 1) return value;
  value.reserve(kind.id->type(), kind.isArray, count);
  for (uint32_t index = 0; index < count; index++) {
    double number = told.numbers[index];
    switch (kind.id->type()) {
    case ControlTypeBool: put<uint8_t>(value, index, number != 0); break;
    case ControlTypeByte: put<uint8_t>(value, index, uint8_t(number)); break;
    case ControlTypeInteger32: put<int32_t>(value, index, int32_t(number)); break;
    case ControlTypeInteger64: put<int64_t>(value, index, int64_t(number)); break;
    case ControlTypeFloat: put<float>(value, index, float(number)); break;
    default: return ControlValue();
    }
  }
  return value;
}

} // namespace

void readValues(const ControlList &list, cam_libcamera_completion &completion) {
  for (const Known &kind : known) {
    if (!list.contains(kind.id->id())) continue;
    cam_libcamera_value &value = completion.values[completion.value_count];
    value.control = kind.control;
    value.count = read(list.get(kind.id->id()), value.numbers);
    if (value.count > 0) completion.value_count++;
  }
  completion.sensor_time = list.get(controls::SensorTimestamp).value_or(0);
}

void setValues(ControlList &list, const ControlInfoMap &taken, const cam_libcamera_value *values, size_t count) {
  for (size_t index = 0; index < count; index++) {
    for (const Known &kind : known) {
      if (kind.control != values[index].control || taken.find(kind.id->id()) == taken.end()) continue;
      ControlValue value = made(kind, values[index]);
      if (!value.isNone()) list.set(kind.id->id(), value);
    }
  }
}

size_t readRanges(const ControlInfoMap &taken, const ControlList &properties, cam_libcamera_range *ranges, size_t room) {
  size_t found = 0;
  for (const Known &kind : known) {
    auto entry = taken.find(kind.id->id());
    if (entry == taken.end() || found == room) continue;
    const ControlInfo &info = entry->second;
    cam_libcamera_range range = {};
    range.control = kind.control;
    uint32_t least = read(info.min(), range.least);
    uint32_t greatest = read(info.max(), range.greatest);
    range.count = std::min(least, greatest);
    std::optional<Rectangle> whole = properties.get(properties::ScalerCropMaximum);
    if (kind.control == cam_control_scaler_crop && whole && whole->width > 0) read(ControlValue(*whole), range.greatest);
    range.usual_count = read(info.def(), range.usual);
    for (const ControlValue &value : info.values()) {
      double numbers[4] = {};
      if (range.value_count < 16 && read(value, numbers) > 0) range.values[range.value_count++] = numbers[0];
    }
    ranges[found++] = range;
  }
  return found;
}

#endif
