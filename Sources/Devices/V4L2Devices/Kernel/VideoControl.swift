internal import CVideo4Linux

/// A control of a device, by its number.
///
/// C: `V4L2_CID_…`.
package struct VideoControl: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32

  /// The control of that number.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A menu of ``VideoExposureMenu``.
  ///
  /// C: `V4L2_CID_EXPOSURE_AUTO`.
  package static let exposureAuto = VideoControl(rawValue: cam_v4l2_CID_EXPOSURE_AUTO)
  /// In 100 µs.
  ///
  /// C: `V4L2_CID_EXPOSURE_ABSOLUTE`.
  package static let exposureAbsolute = VideoControl(rawValue: cam_v4l2_CID_EXPOSURE_ABSOLUTE)
  /// A menu of thousandths of a stop.
  ///
  /// C: `V4L2_CID_AUTO_EXPOSURE_BIAS`.
  package static let exposureBias = VideoControl(rawValue: cam_v4l2_CID_AUTO_EXPOSURE_BIAS)
  /// A menu of ISO values times 1000.
  ///
  /// C: `V4L2_CID_ISO_SENSITIVITY`.
  package static let isoSensitivity = VideoControl(rawValue: cam_v4l2_CID_ISO_SENSITIVITY)
  /// A menu: 0 is manual, 1 automatic.
  ///
  /// C: `V4L2_CID_ISO_SENSITIVITY_AUTO`.
  package static let isoSensitivityAuto = VideoControl(rawValue: cam_v4l2_CID_ISO_SENSITIVITY_AUTO)
  /// Whether the gain is the camera's choice.
  ///
  /// C: `V4L2_CID_AUTOGAIN`.
  package static let autoGain = VideoControl(rawValue: cam_v4l2_CID_AUTOGAIN)
  /// A gain without a unit.
  ///
  /// C: `V4L2_CID_GAIN`.
  package static let gain = VideoControl(rawValue: cam_v4l2_CID_GAIN)
  /// Whether white balance is continuous.
  ///
  /// C: `V4L2_CID_AUTO_WHITE_BALANCE`.
  package static let autoWhiteBalance = VideoControl(rawValue: cam_v4l2_CID_AUTO_WHITE_BALANCE)
  /// A button: balances once and holds.
  ///
  /// C: `V4L2_CID_DO_WHITE_BALANCE`.
  package static let doWhiteBalance = VideoControl(rawValue: cam_v4l2_CID_DO_WHITE_BALANCE)
  /// In kelvins.
  ///
  /// C: `V4L2_CID_WHITE_BALANCE_TEMPERATURE`.
  package static let whiteBalanceTemperature = VideoControl(rawValue: cam_v4l2_CID_WHITE_BALANCE_TEMPERATURE)
  /// Whether auto focus is continuous.
  ///
  /// C: `V4L2_CID_FOCUS_AUTO`.
  package static let focusAuto = VideoControl(rawValue: cam_v4l2_CID_FOCUS_AUTO)
  /// Without a unit; greater is nearer.
  ///
  /// C: `V4L2_CID_FOCUS_ABSOLUTE`.
  package static let focusAbsolute = VideoControl(rawValue: cam_v4l2_CID_FOCUS_ABSOLUTE)
  /// A button: focuses once.
  ///
  /// C: `V4L2_CID_AUTO_FOCUS_START`.
  package static let autoFocusStart = VideoControl(rawValue: cam_v4l2_CID_AUTO_FOCUS_START)
  /// A button: ends what ``autoFocusStart`` began.
  ///
  /// C: `V4L2_CID_AUTO_FOCUS_STOP`.
  package static let autoFocusStop = VideoControl(rawValue: cam_v4l2_CID_AUTO_FOCUS_STOP)
  /// Bits: 1 is busy, 2 reached, 4 failed.
  ///
  /// C: `V4L2_CID_AUTO_FOCUS_STATUS`.
  package static let autoFocusStatus = VideoControl(rawValue: cam_v4l2_CID_AUTO_FOCUS_STATUS)
  /// A menu: 0 is everywhere, 1 normal distances, 2 close ones, 3 infinity.
  ///
  /// C: `V4L2_CID_AUTO_FOCUS_RANGE`.
  package static let autoFocusRange = VideoControl(rawValue: cam_v4l2_CID_AUTO_FOCUS_RANGE)
  /// Without a unit; greater is closer.
  ///
  /// C: `V4L2_CID_ZOOM_ABSOLUTE`.
  package static let zoomAbsolute = VideoControl(rawValue: cam_v4l2_CID_ZOOM_ABSOLUTE)
  /// Whether the camera sends no pictures for its user's privacy.
  ///
  /// C: `V4L2_CID_PRIVACY`.
  package static let privacy = VideoControl(rawValue: cam_v4l2_CID_PRIVACY)
  /// Bits: 1 locks exposure, 2 white balance, 4 focus.
  ///
  /// C: `V4L2_CID_3A_LOCK`.
  package static let lock3A = VideoControl(rawValue: cam_v4l2_CID_3A_LOCK)
  /// Whether the sensor takes a wider dynamic range.
  ///
  /// C: `V4L2_CID_WIDE_DYNAMIC_RANGE`.
  package static let wideDynamicRange = VideoControl(rawValue: cam_v4l2_CID_WIDE_DYNAMIC_RANGE)
  /// Whether the camera steadies its pictures.
  ///
  /// C: `V4L2_CID_IMAGE_STABILIZATION`.
  package static let imageStabilization = VideoControl(rawValue: cam_v4l2_CID_IMAGE_STABILIZATION)
  /// A button: makes the next frame of H.264 a key frame.
  ///
  /// C: `V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME`.
  package static let forceKeyFrame = VideoControl(rawValue: cam_v4l2_CID_MPEG_VIDEO_FORCE_KEY_FRAME)
  /// A menu: 0 is dark, 1 flash, 2 torch.
  ///
  /// C: `V4L2_CID_FLASH_LED_MODE`.
  package static let flashLEDMode = VideoControl(rawValue: cam_v4l2_CID_FLASH_LED_MODE)
  /// In the lamp's own unit.
  ///
  /// C: `V4L2_CID_FLASH_TORCH_INTENSITY`.
  package static let flashTorchIntensity = VideoControl(rawValue: cam_v4l2_CID_FLASH_TORCH_INTENSITY)
  /// A menu: 0 is the front of the machine, 1 its back, 2 a camera that can be moved.
  ///
  /// C: `V4L2_CID_CAMERA_ORIENTATION`.
  package static let orientation = VideoControl(rawValue: cam_v4l2_CID_CAMERA_ORIENTATION)
  /// Degrees counter-clockwise by which pictures must turn to stand upright.
  ///
  /// C: `V4L2_CID_CAMERA_SENSOR_ROTATION`.
  package static let sensorRotation = VideoControl(rawValue: cam_v4l2_CID_CAMERA_SENSOR_ROTATION)

  /// The controls that have a meaning in the device contract.
  package static let meaningful: [VideoControl] = [
    .exposureAuto, .exposureAbsolute, .exposureBias, .isoSensitivity, .isoSensitivityAuto, .autoGain, .gain,
    .autoWhiteBalance, .doWhiteBalance, .whiteBalanceTemperature, .focusAuto, .focusAbsolute, .autoFocusStart,
    .autoFocusStop, .autoFocusStatus, .autoFocusRange, .zoomAbsolute, .privacy, .lock3A, .wideDynamicRange,
    .imageStabilization, .flashLEDMode, .flashTorchIntensity, .orientation, .sensorRotation,
  ]
}

/// Entries of ``VideoControl/exposureAuto``.
///
/// C: `v4l2_exposure_auto_type`.
package enum VideoExposureMenu: Int64, Sendable, CaseIterable {
  case auto = 0
  case manual = 1
  case shutterPriority = 2
  case aperturePriority = 3
}

/// The kind of values that a control takes.
///
/// C: `v4l2_ctrl_type`.
package enum VideoControlKind: Sendable, Hashable {
  case integer, boolean, menu, button, wideInteger, text, bits, integerMenu
  /// A heading of the driver's list.
  case heading
  /// An array or a struct, which nothing here reads.
  case compound
}

/// The current flags of a control; they may change when another control is set.
///
/// C: `V4L2_CTRL_FLAG_…`.
package struct VideoControlFlags: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  /// A set by C's bits.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The device lacks it after all.
  package static let disabled = VideoControlFlags(rawValue: 0x1)
  /// Cannot be set now, because the device streams.
  package static let grabbed = VideoControlFlags(rawValue: 0x2)
  package static let readOnly = VideoControlFlags(rawValue: 0x4)
  /// Has no effect now, because of what another control stands at.
  package static let inactive = VideoControlFlags(rawValue: 0x10)
  package static let writeOnly = VideoControlFlags(rawValue: 0x40)
  /// The device moves it by itself.
  package static let volatile = VideoControlFlags(rawValue: 0x80)
}

/// A control as its driver describes it.
///
/// C: `v4l2_query_ext_ctrl`.
package struct VideoControlDescription: Sendable, Hashable {
  /// As in `White Balance Temperature`.
  package var name: String
  package var kind: VideoControlKind
  package var minimum: Int64
  package var maximum: Int64
  /// At least 1.
  package var step: Int64
  package var defaultValue: Int64
  package var flags: VideoControlFlags

  /// A control that takes `minimum` to `maximum`.
  package init(
    _ minimum: Int64, _ maximum: Int64, step: Int64 = 1, default defaultValue: Int64? = nil,
    kind: VideoControlKind = .integer, name: String = "", flags: VideoControlFlags = []
  ) {
    self.name = name
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue ?? minimum
    self.flags = flags
  }

  /// Whether it can be set at all.
  package var isWritable: Bool { flags.isDisjoint(with: [.readOnly, .disabled]) }
  /// Whether it can be read at all.
  package var isReadable: Bool { flags.isDisjoint(with: [.writeOnly, .disabled]) && kind != .button }

  /// The value on the control's steps that lies nearest.
  package func nearest(to value: Double) -> Int64 {
    let steps = ((value - Double(minimum)) / Double(step)).rounded()
    let last = (maximum - minimum) / step
    return minimum + step * Int64(min(max(steps, 0), Double(last)))
  }
}

/// One entry of a menu.
package struct VideoMenuEntry: Sendable, Hashable {
  /// Empty in menus of integers.
  package var name: String
  /// The number behind the entry; 0 in menus of names.
  package var value: Int64

  /// An entry with a name.
  package init(_ name: String) {
    self.name = name
    value = 0
  }

  /// An entry that stands for a number.
  package init(_ value: Int64) {
    name = ""
    self.value = value
  }
}
