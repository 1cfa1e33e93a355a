internal import CaptureDevice

/// The reason why a control cannot be changed so: a phrase.
struct ControlObjection: Error, Hashable {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The state that a client has set, and how each change of it is said to the library.
struct ControlPlan: Sendable, Hashable {
  /// What is wanted; of exposure and gains, what was last set.
  var state = ControlState()
  /// What the camera takes in the present format.
  var ranges: ControlRanges
  /// The size of the stream's pictures, whose shape zoomed pictures have.
  var size: FrameSize
  /// The greatest zoom of the present format.
  var maxZoom: Double

  private var capabilities: CameraCapabilities { ranges.capabilities }

  /// Notes a change.
  ///
  /// - Parameter now: What the newest frame shows, for what a change leaves as it is.
  /// - Returns: What to set for it.
  mutating func change(_ control: CameraControl, from now: ControlState) throws(ControlObjection)
    -> [ControlValue]
  {
    switch control {
    case .focusMode, .focusPoint, .lensPosition, .focusRange, .smoothFocus: return try focus(control)
    case .exposureMode, .customExposure, .exposureBias, .longestExposure(nil):
      return try exposure(control, from: now)
    case .whiteBalanceMode, .whiteBalanceGains: return try whiteBalance(control, from: now)
    case .zoom(let factor):
      try check(factor)
      state.zoom = factor
      return crop()
    case .zoomRamp(let factor, _):
      try check(factor)
      return []
    case .endZoomRamp:
      try check(1)
      return []
    default: throw ControlObjection("libcamera has no control for that")
    }
  }

  private func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(ControlObjection) {
    if !condition { throw ControlObjection(reason()) }
  }

  // MARK: Focus

  private mutating func focus(_ control: CameraControl) throws(ControlObjection) -> [ControlValue] {
    switch control {
    case .focusMode(let mode):
      try require(capabilities.focusModes.contains(mode), "its lens has no such mode")
      state.focusMode = mode
      let number: AFMode =
        switch mode {
        case .locked: .manual
        case .auto: .auto
        case .continuousAuto: .continuous
        }
      // The trigger's 0 starts a search.
      return [ControlValue(.afMode, number.rawValue)] + window()
        + (mode == .auto ? [ControlValue(.afTrigger, 0)] : [])
    case .focusPoint(let point):
      try require(capabilities.hasFocusPoint, "its auto focus takes no point")
      state.focusPoint = point
      return []
    case .lensPosition(let position):
      try require(
        capabilities.hasLensPosition && (0...1).contains(position), "its lens cannot be put there")
      state.focusMode = .locked
      state.lensPosition = position
      return [
        ControlValue(.afMode, AFMode.manual.rawValue),
        ControlValue(.lensPosition, ranges.dioptres(at: position)),
      ]
    case .focusRange(let range):
      try require(capabilities.hasFocusRange, "its auto focus searches all distances")
      state.focusRange = range
      let number: AFRange =
        switch range {
        case .everywhere: .everywhere
        case .near: .near
        case .far: .normal
        }
      return [ControlValue(.afRange, number.rawValue)]
    case .smoothFocus(let isSmooth):
      try require(capabilities.hasSmoothFocus, "its auto focus has one speed")
      state.isSmoothFocus = isSmooth
      return [ControlValue(.afSpeed, isSmooth ? 0 : 1)]
    default: return []
    }
  }

  /// The part of the sensor in which auto focus looks: a fifth of the picture around the point.
  private func window() -> [ControlValue] {
    guard capabilities.hasFocusPoint, let whole = ranges.wholeCrop else { return [] }
    let (width, height) = ((whole.width / 5).rounded(), (whole.height / 5).rounded())
    let left = (Double(state.focusPoint.x) * whole.width - width / 2).rounded()
    let top = (Double(state.focusPoint.y) * whole.height - height / 2).rounded()
    let window = CropRectangle(
      left: whole.left + min(max(left, 0), whole.width - width),
      top: whole.top + min(max(top, 0), whole.height - height), width: width, height: height)
    return [ControlValue(.afMetering, 1), ControlValue(.afWindows, window.numbers)]
  }

  // MARK: Exposure

  private mutating func exposure(_ control: CameraControl, from now: ControlState) throws(ControlObjection)
    -> [ControlValue]
  {
    switch control {
    case .exposureMode(let mode):
      try require(capabilities.exposureModes.contains(mode), "it has no such mode")
      state.exposureMode = mode
      if mode == .custom { return try custom(nil, nil, now) }
      return [ControlValue(.aeEnable, mode == .locked ? 0 : 1)]
    case .customExposure(let duration, let iso):
      try require(capabilities.exposureModes.contains(.custom), "its exposure cannot be set")
      return try custom(duration, iso, now)
    case .exposureBias(let bias):
      guard let range = capabilities.exposureBias else {
        throw ControlObjection("its auto exposure takes no bias")
      }
      try require(range.contains(bias), "it takes \(range.lowerBound) to \(range.upperBound) stops")
      state.exposureBias = bias
      return [ControlValue(.exposureValue, Double(bias))]
    default: return []
    }
  }

  private mutating func custom(_ duration: Int64?, _ iso: Float?, _ now: ControlState)
    throws(ControlObjection) -> [ControlValue]
  {
    guard let durations = ranges.exposureNanoseconds, let isos = ranges.iso else { return [] }
    if let duration {
      try require(
        durations.contains(duration),
        "it takes \(durations.lowerBound) to \(durations.upperBound) nanoseconds")
    }
    if let iso { try require(isos.contains(iso), "it takes ISO \(isos.lowerBound) to \(isos.upperBound)") }
    state.exposureMode = .custom
    let present = (
      now.exposure.durationNanoseconds ?? durations.lowerBound, now.exposure.iso ?? isos.lowerBound
    )
    state.exposure.durationNanoseconds = duration ?? present.0
    state.exposure.iso = iso ?? present.1
    return [
      ControlValue(.aeEnable, 0), ControlValue(.exposureTime, Double(duration ?? present.0) / 1000),
      ControlValue(.analogueGain, Double((iso ?? present.1) / ControlRanges.isoOfGain)),
    ]
  }

  // MARK: White balance

  private mutating func whiteBalance(
    _ control: CameraControl, from now: ControlState
  ) throws(ControlObjection) -> [ControlValue] {
    switch control {
    case .whiteBalanceMode(let mode):
      try require(capabilities.whiteBalanceModes.contains(mode), "it has no such mode")
      state.whiteBalanceMode = mode
      return [ControlValue(.awbEnable, mode == .locked ? 0 : 1)]
    case .whiteBalanceGains(let gains):
      guard let range = capabilities.whiteBalanceGains else {
        throw ControlObjection("its gains cannot be set")
      }
      try require(
        [gains.red, gains.green, gains.blue].allSatisfy(range.contains),
        "it takes gains of 1 to \(range.upperBound)")
      state.whiteBalanceMode = .locked
      state.whiteBalanceGains = gains
      return [
        ControlValue(.awbEnable, 0),
        ControlValue(.colourGains, [Double(gains.red / gains.green), Double(gains.blue / gains.green)]),
      ]
    default: return []
    }
  }

  // MARK: Zoom

  private func check(_ factor: Double) throws(ControlObjection) {
    try require(maxZoom > 1, "it does not zoom in this format")
    try require((1...maxZoom).contains(factor), "it zooms by 1 to \(maxZoom)")
  }

  /// The part of the sensor that shows the zoom.
  func crop() -> [ControlValue] {
    ranges.wholeCrop.map {
      [ControlValue(.scalerCrop, $0.part(shapedAs: size, zoom: state.zoom).numbers)]
    } ?? []
  }

  /// Goes to another format: what that does not take is as near as it can be.
  mutating func move(to ranges: ControlRanges, _ size: FrameSize, maxZoom: Double) {
    (self.ranges, self.size, self.maxZoom) = (ranges, size, maxZoom)
    state.zoom = min(max(state.zoom, 1), maxZoom)
  }
}

extension ControlRanges {
  /// Where the lens is for a position from the nearest, 0, to the farthest, 1.
  func dioptres(at position: Float) -> Double {
    guard let range = numbers(.lensPosition) else { return 0 }
    return range.upperBound + (range.lowerBound - range.upperBound) * Double(position)
  }

  /// The position of a lens that is there.
  func position(of dioptres: Double) -> Float {
    guard let range = numbers(.lensPosition), range.upperBound > range.lowerBound else { return 1 }
    return Float(min(max((range.upperBound - dioptres) / (range.upperBound - range.lowerBound), 0), 1))
  }
}
