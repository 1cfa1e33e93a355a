internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import Linux
internal import SimulatedDevices
internal import StillCodecs

/// Presses the shutter of a simulated camera again and again, and reads from the stamps which frame each photo is of.
struct ShutterLagBench {
  /// In real time at 12 megapixels as JPEG, or on a manual clock in small uncompressed pictures.
  var isLive: Bool
  var takesPast: Bool

  private static let frameNanoseconds: Int64 = 33_333_334
  /// The timeout of a photo on a slow machine.
  private static let timeoutNanoseconds: Int64 = 30_000_000_000

  func run(presses: Int, say: (String) -> Void) throws -> ShutterLag {
    let stage = try Stage(isLive: isLive, takesPast: takesPast)
    defer { stage.session.stopAndWait() }
    stage.session.startAndWait()
    stage.pass(frames: 10)
    // A slow machine takes longer to its first frames, and without one on show there is nothing to measure from.
    let limit = MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds)
    while isLive, stage.viewfinder.state.withLock({ $0.frames }) < 10, MonotonicInstant.now < limit {
      stage.pass(frames: 1)
    }
    let start = (MonotonicInstant.now, stage.viewfinder.state.withLock { $0.frames })
    var lags: [Int] = []
    var captured: [Double] = []
    var delivered: [Double] = []
    // The same presses on every machine; in real time at any phase of a frame.
    var random = SplitMix(state: 1)
    for index in 0..<presses {
      stage.pass(frames: 1, andNanoseconds: Int64(random.next() % UInt64(Self.frameNanoseconds)))
      let press = try stage.press()
      lags.append(press.lag)
      captured.append(press.captured)
      delivered.append(press.delivered)
      if index % 100 == 99 { say("\(index + 1) of \(presses) presses") }
    }
    let seconds = Double(MonotonicInstant.now.nanoseconds - start.0.nanoseconds) / 1e9
    let end = stage.viewfinder.state.withLock { $0 }
    return ShutterLag(
      clock: isLive ? "real" : "manual", zeroShutterLag: takesPast, width: stage.size.width,
      height: stage.size.height, rate: isLive ? Double(end.frames - start.1) / seconds : 30, presses: presses,
      earliest: lags.min() ?? 0, latest: lags.max() ?? 0,
      lags: Dictionary(lags.map { (String($0), 1) }, uniquingKeysWith: +),
      laterThanViewfinder: lags.count { $0 > 0 }, tooEarly: lags.count { $0 < -1 },
      viewfinderDrops: end.drops, captured: .init(captured), delivered: .init(delivered))
  }

  /// A camera, its session and who listens.
  private final class Stage {
    let isLive: Bool
    let clock: SimulatedClock
    let session = AVCaptureSession()
    let photos = AVCapturePhotoOutput()
    let viewfinder = Viewfinder()
    let size: FrameSize

    init(isLive: Bool, takesPast: Bool) throws {
      self.isLive = isLive
      clock = isLive ? .real : SimulatedClock()
      var scene = Scene(isNoisy: false)
      let small = SimulatedDeviceModel.camera(stillSizes: nil)
      if !isLive { scene.devices = [small] }
      let id = isLive ? "simulated.back.wide" : small.facts.uniqueID
      SimulatedDevices.install(scene: scene, clock: clock)
      guard let camera = AVCaptureDevice(uniqueID: id) else {
        throw CommandError(
          .noSuchCamera, "The simulated camera \(id) is missing; reinstall obscura.")
      }
      let output = AVCaptureVideoDataOutput()
      output.setSampleBufferDelegate(viewfinder, queue: DispatchQueue(label: "obscura.viewfinder"))
      session.beginConfiguration()
      session.sessionPreset = .photo
      session.addInput(try AVCaptureDeviceInput(device: camera))
      session.addOutput(output)
      session.addOutput(photos)
      // As large as the photos.
      output.automaticallyConfiguresOutputBufferDimensions = false
      output.deliversPreviewSizedOutputBuffers = false
      photos.isZeroShutterLagEnabled = takesPast
      session.commitConfiguration()
      let dimensions = photos.maxPhotoDimensions
      size = FrameSize(width: Int(dimensions.width), height: Int(dimensions.height))
    }

    func pass(frames: Int, andNanoseconds nanoseconds: Int64 = 0) {
      let duration = Int64(frames) * ShutterLagBench.frameNanoseconds + nanoseconds
      if isLive {
        MonotonicInstant.now.advanced(byNanoseconds: duration).sleepUntil()
      } else {
        clock.advance(by: .nanoseconds(duration))
      }
    }

    func press() throws -> (lag: Int, captured: Double, delivered: Double) {
      let settings =
        isLive
        ? AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        : AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ])
      settings.photoQualityPrioritization = .speed
      let listener = Listener()
      let before = viewfinder.newest
      let start = MonotonicInstant.now
      photos.capturePhoto(with: settings, delegate: listener)
      let after = viewfinder.newest
      // A clock that is moved by hand brings the next exposure only when it is moved.
      if !isLive, !photos.isZeroShutterLagEnabled { pass(frames: 2) }
      let progress = listener.progress.wait(
        until: start.advanced(byNanoseconds: ShutterLagBench.timeoutNanoseconds), for: { $0.isOver },
        then: { $0 })
      guard let progress, let photo = progress.photo, let number = try Self.stamp(of: photo) else {
        throw CommandError(
          .otherFailure,
          "A photo did not come within \(ShutterLagBench.timeoutNanoseconds / 1_000_000_000) s, failed, or carries no stamp; end other programs and try again."
        )
      }
      let (stamp, first, last) = (Int(number), Int(before ?? 0), Int(after ?? 0))
      let lag = stamp < first ? stamp - first : max(stamp - last, 0)
      func milliseconds(_ time: MonotonicInstant?) -> Double {
        Double((time ?? start).nanoseconds - start.nanoseconds) / 1e6
      }
      return (lag, milliseconds(progress.captured), milliseconds(progress.delivered))
    }

    private static func stamp(of photo: AVCapturePhoto) throws -> UInt32? {
      if let pixels = photo.pixelBuffer { return FrameStamp.read(from: pixels) }
      return try photo.cgImageRepresentation().flatMap { FrameStamp.read(from: try $0.makePixelBuffer()) }
    }
  }
}

/// Notes the number in each frame that it is given.
private final class Viewfinder: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  struct State {
    var newest: UInt32?
    var frames = 0
    var drops = 0
  }

  let state = Locked(State())

  var newest: UInt32? { state.withLock { $0.newest } }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    // Not from the stamp, which is the same number and takes a while to read: from here on the frame is on show.
    let number =
      CMGetAttachment(sampleBuffer, key: FrameAttachments.sequenceNumber, attachmentModeOut: nil) as? UInt32
    state.withLock { state in
      state.newest = number ?? state.newest
      state.frames += 1
    }
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    state.withLock { $0.drops += 1 }
  }
}

/// Notes when a photo was captured and delivered.
private final class Listener: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  struct Progress {
    var captured: MonotonicInstant?
    var delivered: MonotonicInstant?
    var photo: AVCapturePhoto?
    var error: (any Error)?
    var isOver = false
  }

  let progress = Monitor(Progress())

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    progress.withLock { $0.captured = .now }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    progress.withLock { progress in
      progress.delivered = .now
      if error == nil { progress.photo = photo }
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    progress.withLock { progress in
      progress.error = error
      progress.isOver = true
    }
  }
}

/// Numbers that look random and are the same every time; Steele, Lea, Flood: "Fast Splittable Pseudorandom Number
/// Generators" (2014).
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
