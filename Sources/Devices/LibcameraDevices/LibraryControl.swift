internal import CLibcamera

/// A control or a value of metadata of libcamera's, under a number of this project's: the library's own differ between versions.
package struct LibraryControl: Sendable, Hashable {
  package let number: UInt32

  init(number: UInt32) {
    self.number = number
  }

  private init(_ constant: Int) {
    number = UInt32(constant)
  }

  package static let aeEnable = Self(cam_control_ae_enable)
  package static let aeLocked = Self(cam_control_ae_locked)
  package static let aeState = Self(cam_control_ae_state)
  package static let aeMetering = Self(cam_control_ae_metering)
  package static let aeConstraint = Self(cam_control_ae_constraint)
  package static let aeExposureMode = Self(cam_control_ae_exposure_mode)
  package static let exposureValue = Self(cam_control_exposure_value)
  /// Microseconds.
  package static let exposureTime = Self(cam_control_exposure_time)
  package static let analogueGain = Self(cam_control_analogue_gain)
  package static let digitalGain = Self(cam_control_digital_gain)
  package static let lux = Self(cam_control_lux)
  package static let awbEnable = Self(cam_control_awb_enable)
  package static let awbMode = Self(cam_control_awb_mode)
  package static let awbLocked = Self(cam_control_awb_locked)
  package static let awbState = Self(cam_control_awb_state)
  /// Of red and blue, where green has 1.
  package static let colourGains = Self(cam_control_colour_gains)
  package static let colourTemperature = Self(cam_control_colour_temperature)
  package static let brightness = Self(cam_control_brightness)
  package static let contrast = Self(cam_control_contrast)
  package static let saturation = Self(cam_control_saturation)
  package static let sharpness = Self(cam_control_sharpness)
  package static let noiseReduction = Self(cam_control_noise_reduction)
  /// The part of the sensor that pictures show, in its pixels.
  package static let scalerCrop = Self(cam_control_scaler_crop)
  /// Microseconds.
  package static let frameDuration = Self(cam_control_frame_duration)
  /// The shortest and the longest, in microseconds.
  package static let frameDurationLimits = Self(cam_control_frame_duration_limits)
  package static let sensorTemperature = Self(cam_control_sensor_temperature)
  /// Of sixteen bits, one for each of the upper left four pixels.
  package static let blackLevels = Self(cam_control_black_levels)
  package static let focusMeasure = Self(cam_control_focus_measure)
  package static let afMode = Self(cam_control_af_mode)
  package static let afRange = Self(cam_control_af_range)
  package static let afSpeed = Self(cam_control_af_speed)
  package static let afMetering = Self(cam_control_af_metering)
  package static let afWindows = Self(cam_control_af_windows)
  package static let afTrigger = Self(cam_control_af_trigger)
  /// Dioptres: 0 is the farthest.
  package static let lensPosition = Self(cam_control_lens_position)
  package static let afState = Self(cam_control_af_state)
}
