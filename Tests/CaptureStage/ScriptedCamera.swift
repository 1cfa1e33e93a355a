package import AVFoundation
package import CaptureDevice
import CoreVideo
import Foundation
import Linux
import PhotoProcessing
package import SimulatedDevices
package import Testing
import Waiting

/// A camera that does what a test says, one exposure at a time, and writes down what it was asked for.
///
/// Its stills are grey, and their conditions say how they were exposed.
package final class ScriptedCamera: CaptureDeviceDriver {
  package typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  private struct State {
    var controls = ControlState.inGoodLight
    var receiver: (@Sendable (StreamEvent) -> Void)?
    var stills: [(StillRequest, Completion)] = []
    var requests: [StillRequest] = []
    var sequence: UInt32 = 0
  }

  package let facts: DeviceFacts
  /// Counts what follows from its frames; it shows no time of theirs and is never moved.
  package let clock = SimulatedClock()
  private let state = Monitor(State())

  package static let size = FrameSize(width: 64, height: 48)

  /// A camera of that name; with `stillMosaic` it promises raw pictures, which its stills lack.
  package init(
    uniqueID: String = "scripted", stillMosaic: StillMosaicFormat? = nil,
    _ change: (inout CameraCapabilities) -> Void = { _ in }
  ) {
    var capabilities = CameraCapabilities(exposureModes: [.locked, .auto, .continuousAuto, .custom])
    capabilities.exposureBias = -2...2
    capabilities.exposesStillsApart = true
    capabilities.flashModes = [.off, .on, .auto]
    change(&capabilities)
    var format = StreamFormat(
      size: Self.size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      frameDurations: [FrameDuration(1, 60)...FrameDuration(1, 1)],
      exposureNanoseconds: 100_000...500_000_000, iso: 50...1600, isPhotoQuality: true)
    format.stillMosaic = stillMosaic
    facts = DeviceFacts(
      uniqueID: uniqueID, modelID: "Scripted", name: "Scripted Camera", manufacturer: "",
      kind: .wideAngleCamera,
      position: .back, media: [.video], formats: [format], capabilities: capabilities)
  }

  // MARK: What the test does

  /// The requests to it, in order.
  package var requests: [StillRequest] { state.withLock { $0.requests } }

  /// Makes it as dark as an automatic flash needs, or light again, and streams a frame that says so.
  package func setDark(_ isDark: Bool) {
    state.withLock { $0.controls.isDark = isDark }
    streamFrame()
  }

  /// Streams a frame.
  ///
  /// - Parameter isOfClock: Whether it is one of a clock that is moved by hand: a Live Photo's movie goes by that.
  package func streamFrame(isOfClock: Bool = true) {
    let (receiver, controls, sequence) = state.withLock { state in
      state.sequence += 1
      return (state.receiver, state.controls, state.sequence)
    }
    guard let receiver, var frame = frame(sequence, controls) else { return }
    if !isOfClock { frame.inFlight = nil }
    receiver(.frame(frame))
  }

  /// Takes the next still, or refuses it, and waits until one is asked for: a photo that waits for another one is passed on
  /// by another thread.
  package func expose(
    refusing error: CaptureDeviceError? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if !take(refusing: error, until: .now.advanced(byNanoseconds: 30_000_000_000)) {
      Issue.record("The camera was not asked for a still.", sourceLocation: sourceLocation)
    }
  }

  /// Takes every still that was asked for.
  package func exposeAll() {
    while take(until: .now) {}
  }

  /// Takes stills as they are asked for until `isDone`; `false` when it is not, and no other is asked for.
  package func expose(until isDone: () -> Bool) -> Bool {
    repeat {
      clock.settle()
      if isDone() { return true }
    } while take(until: .now)
    return false
  }

  private func take(refusing error: CaptureDeviceError? = nil, until deadline: MonotonicInstant) -> Bool {
    let next = state.wait(until: deadline, for: { !$0.stills.isEmpty }) {
      state -> (Completion, ControlState, UInt32) in
      let (request, completion) = state.stills.removeFirst()
      state.sequence += 1
      var controls = state.controls
      controls.isFlashed = request.flash == .on
      switch request.exposure {
      case .bias(let bias): controls.exposureBias = bias
      case .manual(let duration, let iso):
        controls.exposureMode = .custom
        controls.exposure.durationNanoseconds = duration ?? 8_000_000
        controls.exposure.iso = iso ?? 100
      case nil: break
      }
      return (completion, controls, state.sequence)
    }
    guard let (completion, controls, sequence) = next else { return false }
    if let error {
      completion(.failure(error))
    } else if let frame = frame(sequence, controls) {
      completion(.success(frame))
    }
    return true
  }

  private func frame(_ sequence: UInt32, _ controls: ControlState) -> CapturedFrame? {
    failing {
      CapturedFrame(
        picture: .pixels(
          try emptyPicture(
            width: Self.size.width, height: Self.size.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)),
        timestamp: MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(sequence) * 33_333_333),
        sequence: sequence, conditions: FrameConditions(controls), inFlight: clock.token())
    }
  }

  // MARK: CaptureDeviceDriver

  package var controlState: ControlState { state.withLock { $0.controls } }

  package func openStream(_ configuration: StreamConfiguration) throws(CaptureDeviceError)
    -> any CaptureStream
  {
    Stream(camera: self, configuration: configuration)
  }

  private final class Stream: CaptureStream {
    let camera: ScriptedCamera
    let configuration: StreamConfiguration

    init(camera: ScriptedCamera, configuration: StreamConfiguration) {
      self.camera = camera
      self.configuration = configuration
    }

    func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
      camera.state.withLock { $0.receiver = receiver }
    }

    func stop() {
      let stills = camera.state.withLock { state in
        defer {
          state.stills = []
          state.receiver = nil
        }
        return state.stills
      }
      for (_, completion) in stills {
        completion(.failure(CaptureDeviceError(.noFrames, "The stream has stopped; start it.")))
      }
    }

    func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration { duration }

    func captureStill(_ request: StillRequest, completion: @escaping Completion) {
      camera.state.withLock { state in
        state.requests.append(request)
        state.stills.append((request, completion))
      }
    }
  }
}

/// A session with one scripted camera and a photo output, running.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
package final class ScriptedStage {
  package let camera: ScriptedCamera
  package let session = AVCaptureSession()
  package let output: AVCapturePhotoOutput
  package let delegate = RecordingPhotoDelegate()
  package let device: AVCaptureDevice

  /// A running session; `load` is what each picture costs beside its own work.
  package init(
    stillMosaic: StillMosaicFormat? = nil, _ change: (inout CameraCapabilities) -> Void = { _ in },
    load: PhotoPipeline.Load? = nil
  ) throws {
    output = AVCapturePhotoOutput(load: load)
    // Of its own name, so that no stage finds the AVCaptureDevice of another.
    camera = ScriptedCamera(
      uniqueID: "scripted.\(UUID().uuidString)", stillMosaic: stillMosaic, change)
    OneCamera.install(camera, name: "scripted", clock: camera.clock)
    device = try #require(AVCaptureDevice(uniqueID: camera.facts.uniqueID))
    session.sessionPreset = .photo
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
    // What is asked of the camera is what the tests look at.
    output.isZeroShutterLagEnabled = false
    session.startRunning()
  }

  deinit {
    session.stopRunning()
    OneCamera.uninstall()
  }

  /// Lets photos overlap; where no frame was streamed they are still the camera's next exposures.
  package func overlapPhotos() {
    output.isZeroShutterLagEnabled = true
    output.isResponsiveCaptureEnabled = true
  }

  /// The `uniqueID` of the settings that were pressed last.
  package private(set) var lastID: Int64?

  /// Waits for all that follows from what was exposed and done.
  package func settle() { camera.clock.settle() }

  package func press(_ settings: AVCapturePhotoSettings) {
    lastID = settings.uniqueID
    output.capturePhoto(with: settings, delegate: delegate)
  }

  /// Presses wrongly; the one mistake's rule.
  package func mistake(_ settings: AVCapturePhotoSettings) -> String? {
    let count = delegate.finishedCount.withLock { $0 }
    let mistakes = ProgrammingMistake.collect { press(settings) }
    #expect(mistakes.count == 1)
    #expect(delegate.wait(for: count + 1))
    #expect(camera.requests.isEmpty)
    return mistakes.first?.rule
  }
}

extension ControlState {
  /// In good light photos are of one frame, whatever their quality.
  fileprivate static var inGoodLight: ControlState {
    var controls = ControlState()
    controls.exposure.iso = 100
    return controls
  }
}
