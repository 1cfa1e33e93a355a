internal import CaptureDevice

/// The metadata of one frame in the words of the rest of the library.
struct FrameReport: Sendable {
  let metadata: [LibraryControl: [Double]]

  private func number(_ control: LibraryControl) -> Double? { metadata[control]?.first }

  /// The state of the controls while the frame was exposed.
  ///
  /// - Parameter plan: What was wanted of it; what the frame itself tells wins.
  func state(_ plan: ControlPlan) -> ControlState {
    var state = plan.state
    state.exposure = FrameExposure(
      durationNanoseconds: number(.exposureTime).map { Int64($0 * 1000) }
        ?? plan.state.exposure.durationNanoseconds,
      iso: number(.analogueGain).map { Float($0) * ControlRanges.isoOfGain } ?? plan.state.exposure.iso,
      isAdjusting: [.auto, .continuousAuto].contains(state.exposureMode) && isExposureMoving == true)
    if let gains = gains { state.whiteBalanceGains = gains }
    state.isAdjustingWhiteBalance =
      [.auto, .continuousAuto].contains(state.whiteBalanceMode) && isBalanceMoving == true
    state.isAdjustingFocus = isFocusMoving == true
    if let dioptres = number(.lensPosition) {
      let position = plan.ranges.position(of: dioptres)
      let isThere = state.focusMode == .locked && abs(position - state.lensPosition) < 0.01
      if !isThere { state.lensPosition = position }
    }
    if let zoom = zoom(plan) {
      let isThere = abs(zoom - state.zoom) < 0.01 * state.zoom
      if !isThere { state.zoom = zoom }
    }
    return state
  }

  // MARK: What the camera's algorithms do

  /// Whether auto exposure looks for the light; `nil` where the camera does not tell.
  var isExposureMoving: Bool? {
    number(.aeState).map { $0 == Self.searching } ?? number(.aeLocked).map { $0 == 0 }
  }

  /// Whether white balance looks for the colour of light.
  var isBalanceMoving: Bool? {
    number(.awbState).map { $0 == Self.searching } ?? number(.awbLocked).map { $0 == 0 }
  }

  /// Whether the lens is moved to find what is sharp.
  var isFocusMoving: Bool? { number(.afState).map { $0 == Self.searching } }

  /// The same in AeState, AwbState and AfState.
  private static let searching = 1.0

  // MARK: Values

  /// The gains, of which the least is 1; libcamera's are those of red and blue beside a green of 1.
  private var gains: WhiteBalanceGains? {
    guard let numbers = metadata[.colourGains], numbers.count == 2, let least = numbers.min(), least > 0
    else { return nil }
    let unit = min(least, 1)
    return WhiteBalanceGains(
      red: Float(numbers[0] / unit), green: Float(1 / unit), blue: Float(numbers[1] / unit))
  }

  private func zoom(_ plan: ControlPlan) -> Double? {
    guard let crop = metadata[.scalerCrop].flatMap({ CropRectangle($0) }), let whole = plan.ranges.wholeCrop
    else { return nil }
    return max(whole.part(shapedAs: plan.size, zoom: 1).width / crop.width, 1)
  }

  /// Whether the frame shows what was set, as far as it tells.
  func shows(_ settings: [LibraryControl: [Double]]) -> Bool {
    [LibraryControl.exposureTime, .analogueGain, .lensPosition, .scalerCrop].allSatisfy { control in
      guard let wanted = settings[control], let found = metadata[control] else { return true }
      // Sensors count in rows and in steps of gain.
      return zip(wanted, found).allSatisfy { abs($0 - $1) <= max(0.05 * abs($0), 0.02) }
        || (control == .exposureTime && abs(wanted[0] - found[0]) <= 40)
    }
  }

  /// The name under which ``attachments`` are attached to pictures.
  static let attachmentKey = "LibcameraMetadata"

  /// What no property of a session has a word for, as it is attached to pictures.
  var attachments: [String: Double] {
    var named: [String: Double] = [:]
    for (name, control) in Self.names { named[name] = number(control) }
    return named
  }

  private static let names: [(String, LibraryControl)] = [
    ("Lux", .lux), ("ColourTemperature", .colourTemperature), ("SensorTemperature", .sensorTemperature),
    ("DigitalGain", .digitalGain), ("FocusMeasure", .focusMeasure), ("FrameDuration", .frameDuration),
  ]
}
