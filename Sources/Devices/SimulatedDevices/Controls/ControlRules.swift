internal import CaptureDevice

/// Checks changes of a simulated camera's controls against its capabilities and its format.
struct ControlRules: Sendable {
  let name: String
  let capabilities: CameraCapabilities
  /// The identifiers of the cameras under a virtual one, widest first.
  let constituents: [String]
  /// The open stream's; without one all of the camera's, for a change stays for the streams to come.
  let formats: [StreamFormat]

  init(facts: DeviceFacts, format: StreamFormat?) {
    name = facts.name
    capabilities = facts.capabilities
    constituents = facts.constituents
    formats = format.map { [$0] } ?? facts.formats
  }

  /// - Throws: `controlUnsupported` for the first control that cannot be changed so, with the reason.
  func check(_ controls: [CameraControl]) throws(CaptureDeviceError) {
    for control in controls { try check(control) }
  }

  private func check(_ control: CameraControl) throws(CaptureDeviceError) {
    switch control {
    case .focusMode(let mode):
      try require(capabilities.focusModes.contains(mode), control, "it has no such focus mode")
    case .focusPoint: try require(capabilities.hasFocusPoint, control, "it cannot focus on a point")
    case .lensPosition(let position):
      try require(capabilities.hasLensPosition, control, "its lens cannot be moved")
      try require((0...1).contains(position), control, "lens positions go from 0 to 1")
    case .focusRange: try require(capabilities.hasFocusRange, control, "its focus has one range")
    case .smoothFocus: try require(capabilities.hasSmoothFocus, control, "its focus has one speed")
    case .faceFocus(let isOn):
      try require(!isOn || capabilities.hasFaceFocus, control, "its focus does not know faces")
    case .faceExposure(let isOn):
      try require(!isOn || capabilities.hasFaceExposure, control, "its exposure does not know faces")
    case .exposureMode(let mode):
      try require(capabilities.exposureModes.contains(mode), control, "it has no such exposure mode")
    case .exposurePoint: try require(capabilities.hasExposurePoint, control, "it cannot meter a point")
    case .customExposure(let duration, let iso): try checkCustom(duration, iso, control)
    case .exposureBias(let bias): try within(capabilities.exposureBias, bias, control, "stops")
    case .longestExposure(let duration):
      try require(capabilities.exposureModes.contains(.continuousAuto), control, "it has no auto exposure")
      if let duration { try within(span(\.exposureNanoseconds), duration, control, "nanoseconds") }
    case .whiteBalanceMode(let mode):
      try require(
        capabilities.whiteBalanceModes.contains(mode), control, "it has no such white balance mode")
    case .whiteBalanceGains(let gains):
      for gain in [gains.red, gains.green, gains.blue] {
        try within(capabilities.whiteBalanceGains, gain, control, "gains")
      }
    case .zoom(let factor): try within(zooms, factor, control, "zoom factors")
    case .zoomRamp(let target, let rate):
      try within(zooms, target, control, "zoom factors")
      try require(rate > 0 && rate.isFinite, control, "a ramp's rate is above 0")
    case .endZoomRamp: try require(zooms.upperBound > zooms.lowerBound, control, "it does not zoom")
    case .torch(let mode, let level):
      try require(
        mode == .off || capabilities.torchModes.contains(mode), control, "it has no such torch mode")
      if mode == .on {
        try require(
          level > 0 && level <= capabilities.torchLevel ?? 0, control,
          "torch levels are above 0 and at most \(capabilities.torchLevel ?? 0)")
      }
    case .videoHDR(let isOn):
      try require(
        !isOn || formats.contains(where: \.supportsHDR), control, "the format has one dynamic range")
    case .lowLightBoost(let isOn):
      try require(!isOn || capabilities.hasLowLightBoost, control, "it has no such boost")
    case .globalToneMapping(let isOn):
      try require(!isOn || capabilities.hasGlobalToneMapping, control, "it has one way of tone mapping")
    case .distortionCorrection(let isOn):
      try require(!isOn || capabilities.hasDistortionCorrection, control, "its lens needs none")
    case .sceneMonitoring(let isOn):
      try require(!isOn || capabilities.monitorsScene, control, "it does not watch the scene")
    case .constituentChoice:
      try require(!capabilities.switchOverZooms.isEmpty, control, "it has one lens")
    case .fallbackConstituents(let ids):
      try require(!capabilities.switchOverZooms.isEmpty, control, "it has one lens")
      try require(
        (ids ?? []).allSatisfy(constituents.dropLast().contains), control,
        "it falls back to lenses of its own that have a longer one above them")
    }
  }

  private var zooms: ClosedRange<Double> {
    capabilities.minZoom...max(formats.map(\.maxZoom).max() ?? 1, capabilities.minZoom)
  }

  /// From the least to the most that any of the formats has.
  private func span<Value>(_ range: KeyPath<StreamFormat, ClosedRange<Value>?>) -> ClosedRange<Value>? {
    let ranges = formats.compactMap { $0[keyPath: range] }
    guard let least = ranges.map(\.lowerBound).min(), let most = ranges.map(\.upperBound).max() else {
      return nil
    }
    return least...most
  }

  private func checkCustom(_ duration: Int64?, _ iso: Float?, _ control: CameraControl)
    throws(CaptureDeviceError)
  {
    try require(capabilities.exposureModes.contains(.custom), control, "it exposes by itself only")
    if let duration { try within(span(\.exposureNanoseconds), duration, control, "nanoseconds") }
    if let iso { try within(span(\.iso), iso, control, "ISO") }
  }

  /// The checks of a still's own exposure and flash.
  func check(_ request: StillRequest) throws(CaptureDeviceError) {
    if request.flash != .off && !capabilities.flashModes.contains(request.flash) {
      throw CaptureDeviceError(.controlUnsupported, "\(name) cannot fire its flash so; choose another mode.")
    }
    if request.exposure != nil && !capabilities.exposesStillsApart {
      throw CaptureDeviceError(
        .controlUnsupported, "\(name) exposes stills only as its stream; set the camera's exposure instead.")
    }
    if request.frame != nil && (capabilities.recalledFrames == 0 || request.isOwn) {
      throw CaptureDeviceError(
        .controlUnsupported,
        "\(name) takes no picture of a past frame so; ask for the next, or leave flash and exposure as they were."
      )
    }
    if let constituent = request.constituent {
      guard capabilities.takesConstituentStills, constituents.contains(constituent) else {
        throw CaptureDeviceError(
          .controlUnsupported, "\(name) has no camera \(constituent) under it; ask for its own picture.")
      }
      guard request.exposure == nil else {
        throw CaptureDeviceError(
          .controlUnsupported,
          "\(name) gives the cameras under it no exposure of their own; leave it as it is.")
      }
    }
    switch request.exposure {
    case nil: break
    case .bias(let bias): try check(.exposureBias(bias))
    case .manual(let duration, let iso): try check(.customExposure(durationNanoseconds: duration, iso: iso))
    }
  }

  private func within<Value: Comparable & Sendable>(
    _ range: ClosedRange<Value>?, _ value: Value, _ control: CameraControl, _ unit: String
  ) throws(CaptureDeviceError) {
    guard let range else { throw refusal(control, "it has no such control") }
    try require(
      range.contains(value), control, "\(unit) go from \(range.lowerBound) to \(range.upperBound)")
  }

  private func require(_ isTrue: Bool, _ control: CameraControl, _ reason: String) throws(CaptureDeviceError)
  {
    if !isTrue { throw refusal(control, reason) }
  }

  private func refusal(_ control: CameraControl, _ reason: String) -> CaptureDeviceError {
    CaptureDeviceError(
      .controlUnsupported, "\(name) cannot change its \(control.name) so: \(reason); choose another value.")
  }
}
