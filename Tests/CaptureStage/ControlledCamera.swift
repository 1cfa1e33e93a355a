package import AVFoundation
package import CaptureDevice
import CoreVideo
import Foundation
import Linux
import Testing

/// A camera that writes down which controls it was asked to change and streams a frame when the test says so.
///
/// A change shows in the frame after the next, as with real cameras, and in what `controlState` says then.
package final class ControlledCamera: CaptureDeviceDriver {
  private struct State {
    var shown = ControlState()
    /// Changes that no frame shows yet, with the frames to go.
    var coming: [(change: UInt64, frames: Int, controls: [CameraControl])] = []
    var applied: [CameraControl] = []
    var lastChange: UInt64 = 0
    var conditions = FrameConditions(ControlState())
    var receiver: (@Sendable (StreamEvent) -> Void)?
    var sequence: UInt32 = 0
    var refusal: CaptureDeviceError?
    var configuration: StreamConfiguration?
  }

  package let facts: DeviceFacts
  private let state = Locked(State())
  private let isHanging = Monitor(false)

  package static let size = FrameSize(width: 64, height: 48)

  /// A camera that can do everything.
  package static var everything: CameraCapabilities {
    var all = CameraCapabilities(exposureModes: Set(ExposureMode.allCases))
    all.focusModes = Set(FocusMode.allCases)
    all.focusSystem = .phaseDetection
    all.hasFocusPoint = true
    all.hasLensPosition = true
    all.hasFocusRange = true
    all.hasSmoothFocus = true
    all.hasFaceFocus = true
    all.hasFaceExposure = true
    all.hasExposurePoint = true
    all.exposureBias = -8...8
    all.whiteBalanceModes = Set(WhiteBalanceMode.allCases)
    all.whiteBalanceGains = 1...4
    all.torchLevel = 0.8
    all.torchModes = Set(TorchMode.allCases)
    all.flashModes = Set(FlashMode.allCases)
    all.hasLowLightBoost = true
    all.hasGlobalToneMapping = true
    all.hasDistortionCorrection = true
    all.monitorsScene = true
    return all
  }

  package init(uniqueID: String, capabilities: CameraCapabilities, constituents: [String] = []) {
    var rich = StreamFormat(
      size: Self.size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      frameDurations: [FrameDuration(1, 60)...FrameDuration(1, 1)],
      exposureNanoseconds: 100_000...500_000_000, iso: 50...1600, isPhotoQuality: true)
    rich.maxZoom = 8
    rich.zoomUpscaleThreshold = 2
    rich.supportsHDR = true
    var plain = rich
    plain.size = FrameSize(width: 96, height: 72)
    plain.stillSizes = [plain.size]
    plain.maxZoom = 4
    plain.supportsHDR = false
    facts = DeviceFacts(
      uniqueID: uniqueID, modelID: "Controlled", name: "Controlled Camera", manufacturer: "",
      kind: constituents.isEmpty ? .wideAngleCamera : .dualWideCamera, position: .back, media: [.video],
      formats: [rich, plain],
      lens: LensFacts(
        focalLength: 5, focalLengthIn35mmFilm: 26, aperture: 1.8, fieldOfView: 69, model: "test",
        minimumFocusDistance: 120), capabilities: capabilities, constituents: constituents)
    measure { state in
      // As cameras start: what their lens bends is taken back, and a virtual one stands on its widest lens.
      state.isDistortionCorrected = capabilities.hasDistortionCorrection
      state.constituent = constituents.first
    }
  }

  // MARK: What the test does

  /// The requested changes, in order.
  package var applied: [CameraControl] { state.withLock { $0.applied } }

  /// Forgets what it was asked.
  package func forget() {
    state.withLock { $0.applied = [] }
  }

  /// Refuses every change from now on; `nil` takes them again.
  package func refuse(_ error: CaptureDeviceError?) {
    state.withLock { $0.refusal = error }
  }

  /// Lets every change wait from now on, at most half a minute, or go on again.
  package func hang(_ hangs: Bool) {
    isHanging.withLock { $0 = hangs }
  }

  /// Sets what the camera measures; the next frame shows it.
  package func measure(_ change: (inout ControlState) -> Void) {
    state.withLock { state in
      change(&state.shown)
      state.conditions = FrameConditions(state.shown)
    }
  }

  /// Streams one frame and returns its timestamp.
  @discardableResult
  package func streamFrame() -> CMTime {
    let (receiver, conditions, sequence) = state.withLock { state in
      state.sequence += 1
      var isNew = false
      for index in state.coming.indices {
        state.coming[index].frames -= 1
        if state.coming[index].frames == 0 {
          for control in state.coming[index].controls { Self.take(control, &state.shown) }
          state.shown.change = state.coming[index].change
          isNew = true
        }
      }
      state.coming.removeAll { $0.frames == 0 }
      if isNew { state.conditions = FrameConditions(state.shown) }
      return (state.receiver, state.conditions, state.sequence)
    }
    let time = MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(sequence) * 33_333_333)
    let frame = failing {
      CapturedFrame(
        picture: .pixels(
          try emptyPicture(
            width: Self.size.width, height: Self.size.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)),
        timestamp: time, sequence: sequence, conditions: conditions)
    }
    if let frame { receiver?(.frame(frame)) }
    return CMTime(value: time.nanoseconds, timescale: 1_000_000_000)
  }

  private static func take(_ control: CameraControl, _ state: inout ControlState) {
    switch control {
    case .focusMode(let mode): state.focusMode = mode
    case .focusPoint(let point): state.focusPoint = point
    case .lensPosition(let position):
      state.lensPosition = position
      state.focusMode = .locked
    case .focusRange(let range): state.focusRange = range
    case .smoothFocus(let isOn): state.isSmoothFocus = isOn
    case .faceFocus(let isOn): state.isFaceFocus = isOn
    case .faceExposure(let isOn): state.isFaceExposure = isOn
    case .exposureMode(let mode): state.exposureMode = mode
    case .exposurePoint(let point): state.exposurePoint = point
    case .customExposure(let duration, let iso):
      state.exposureMode = .custom
      state.exposure.durationNanoseconds = duration ?? state.exposure.durationNanoseconds
      state.exposure.iso = iso ?? state.exposure.iso
    case .exposureBias(let bias): state.exposureBias = bias
    case .longestExposure(let longest): state.longestExposure = longest
    case .whiteBalanceMode(let mode): state.whiteBalanceMode = mode
    case .whiteBalanceGains(let gains):
      state.whiteBalanceGains = gains
      state.whiteBalanceMode = .locked
    case .zoom(let factor):
      state.zoom = factor
      state.isRampingZoom = false
    case .zoomRamp: state.isRampingZoom = true
    case .endZoomRamp: state.isRampingZoom = false
    case .torch(let mode, let level):
      state.torchMode = mode
      state.torchLevel = mode == .on ? level : 0
    case .videoHDR(let isOn): state.isHDR = isOn
    case .lowLightBoost(let isOn): state.allowsLowLightBoost = isOn
    case .globalToneMapping(let isOn): state.isGloballyToneMapped = isOn
    case .distortionCorrection(let isOn): state.isDistortionCorrected = isOn
    case .sceneMonitoring(let isOn): state.isMonitoringScene = isOn
    case .constituentChoice(let choice): state.constituentChoice = choice
    case .fallbackConstituents(let ids): state.fallbackConstituents = ids
    }
  }

  // MARK: CaptureDeviceDriver

  package var controlState: ControlState { state.withLock { $0.shown } }

  package func apply(_ controls: [CameraControl]) throws(CaptureDeviceError) -> UInt64 {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    _ = isHanging.wait(until: deadline, for: { !$0 }, then: { _ in })
    return try state.withLock { state throws(CaptureDeviceError) in
      if let refusal = state.refusal { throw refusal }
      state.applied += controls
      state.lastChange += 1
      state.coming.append((state.lastChange, 2, controls))
      return state.lastChange
    }
  }

  package func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError)
    -> any CaptureStream
  {
    HandStream(configuration) { [self] receiver in
      state.withLock { $0.receiver = receiver }
    } end: { [self] in
      state.withLock { $0.receiver = nil }
    }
  }
}

/// A session with one camera whose controls are watched, and the device before it.
///
/// Installs the process's devices: belongs in `DeviceSuites`.
package final class ControlStage {
  package final class Provider: CaptureDeviceProvider {
    package let name = "controlled"
    package let cameras: [ControlledCamera]
    private let observer = Hook<DeviceListChange>()

    package init(_ cameras: [ControlledCamera]) {
      self.cameras = cameras
    }

    package func devices() -> [any CaptureDeviceDriver] { cameras }
    package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {
      self.observer.set(observer)
    }
    package func unplug(_ camera: ControlledCamera) {
      observer.call(.disconnected(uniqueID: camera.facts.uniqueID))
    }
    package func access(for media: MediaKind) -> DeviceAccess { .granted }
    package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
      completion(.granted)
    }
  }

  package let camera: ControlledCamera
  package let provider: Provider
  package let session = AVCaptureSession()
  package let device: AVCaptureDevice

  /// A stage with a camera that can do everything but for `change`; `lenses` makes it a virtual one over as many.
  package init(lenses: Int = 0, _ change: (inout CameraCapabilities) -> Void = { _ in }) throws {
    var capabilities = ControlledCamera.everything
    change(&capabilities)
    // Of its own name, so that no stage finds the AVCaptureDevice of another.
    let name = "controlled.\(UUID().uuidString)"
    let parts = (0..<lenses).map {
      ControlledCamera(uniqueID: "\(name).\($0)", capabilities: CameraCapabilities())
    }
    camera = ControlledCamera(
      uniqueID: name, capabilities: capabilities, constituents: parts.map(\.facts.uniqueID))
    provider = Provider([camera] + parts)
    CaptureDeviceProviders.install([provider])
    device = try #require(AVCaptureDevice(uniqueID: name))
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(AVCaptureVideoDataOutput())
  }

  deinit {
    session.stopRunning()
    CaptureDeviceProviders.install(nil)
  }

  /// Locks the device, lets the test change it, and unlocks it.
  package func configure<Result>(_ body: (AVCaptureDevice) throws -> Result) throws -> Result {
    try device.lockForConfiguration()
    defer { device.unlockForConfiguration() }
    return try body(device)
  }

  /// The number of mistakes that `body` makes; the camera must not have been asked for anything.
  package func mistakes(_ body: (AVCaptureDevice) -> Void) -> Int {
    camera.forget()
    let count = ProgrammingMistake.collect { body(device) }.count
    #expect(camera.applied.isEmpty)
    return count
  }
}
