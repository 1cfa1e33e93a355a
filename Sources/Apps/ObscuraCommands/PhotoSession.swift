internal import AVFoundation
internal import Foundation
internal import ImageIO
internal import Linux

/// A session with one camera and one photo output, for taking photos, also several at a time.
final class PhotoSession: Sendable {
  /// How long a camera may take to show anything before we say that nothing comes.
  private static let timeoutNanoseconds: Int64 = 10_000_000_000
  /// How long a captured photo may take to be finished: a small machine writes 12 MP of HEIC for half a minute.
  private static let finishingNanoseconds: Int64 = 300_000_000_000
  /// What has not settled by then is not going to: a flickering lamp, a moving scene.
  private static let settlingNanoseconds: Int64 = 3_000_000_000
  /// Frames after which a camera has begun to adjust, if it does.
  private static let tellingFrames = 3

  private let run: CameraRun
  private let output = AVCapturePhotoOutput()

  private var camera: AVCaptureDevice { run.camera }
  private var failure: Monitor<CommandError?> { run.failure }

  init(camera: AVCaptureDevice, request: PhotoRequest) throws {
    run = try CameraRun(camera: camera)
    let session = run.session
    session.beginConfiguration()
    session.addOutput(output)
    guard session.canSetSessionPreset(request.preset.preset) else {
      session.commitConfiguration()
      throw CommandError(
        .formatNotSupported,
        "\(camera.localizedName) has no format for the preset \(request.preset.rawValue); 'obscura devices' lists its formats."
      )
    }
    if !request.takesPast { output.isZeroShutterLagEnabled = false }
    session.sessionPreset = request.preset.preset
    session.commitConfiguration()
    if let largest = camera.activeFormat.supportedMaxPhotoDimensions.max(by: { $0.width < $1.width }) {
      output.maxPhotoDimensions = largest
    }
    output.maxPhotoQualityPrioritization = request.quality.prioritization
    output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported && request.count > 1
    // Who names an interval wants that before the last bit of quality.
    output.isFastCapturePrioritizationEnabled =
      output.isFastCapturePrioritizationSupported && request.intervalSeconds > 0
    try request.controls.check(camera, output)
    try request.controls.set(
      on: camera, rotationAngle: Double(output.connection(with: .video)?.videoRotationAngle ?? 0),
      isImmediate: request.isImmediate)
  }

  /// - Throws: ``CommandError`` when the camera refuses: busy, gone, forbidden.
  func start() throws { try run.start() }

  func stop() { run.stop() }

  /// Blocks until exposure, focus and white balance have settled, or for as long as that is worth waiting for.
  ///
  /// Then sets the half of the exposure that follows from the light, when only the other half was asked for.
  func settle(_ request: PhotoRequest) throws {
    guard !request.isImmediate else { return }
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.settlingNanoseconds)
    // With its first frames a camera tells that it adjusts at all.
    while (output.stillSource?.deliveredFrames ?? 0) < Self.tellingFrames || isAdjusting,
      MonotonicInstant.now < deadline
    {
      let next = min(deadline, MonotonicInstant.now.advanced(byNanoseconds: 20_000_000))
      if let error = failure.wait(until: next, for: { $0 != nil }, then: { $0 }) ?? nil { throw error }
    }
    guard request.controls.isExposureHalfGiven else { return }
    let isSet = Monitor(false)
    try request.controls.setExposureFromLight(on: camera) { isSet.withLock { $0 = true } }
    let soon = MonotonicInstant.now.advanced(byNanoseconds: Self.settlingNanoseconds)
    _ = isSet.wait(until: soon, for: { $0 }, then: { _ in })
    try run.checkFailure()
  }

  private var isAdjusting: Bool {
    let isExposing =
      camera.exposureMode != .locked && camera.exposureMode != .custom && camera.isAdjustingExposure
    return isExposing || camera.isAdjustingFocus || camera.isAdjustingWhiteBalance
  }

  // MARK: Photos

  /// A photo that was pressed.
  struct Pending: Sendable {
    fileprivate let delegate: PhotoDelegate
    fileprivate let pressed: MonotonicInstant
  }

  /// Blocks until a press begins at once, or for as long as a camera may take to show anything.
  func waitUntilReady() {
    let readiness = Monitor(output.captureReadiness)
    let observation = output.observe(\.captureReadiness, options: .initial) { output, _ in
      readiness.withLock { $0 = output.captureReadiness }
    }
    defer { observation.invalidate() }
    _ = readiness.wait(
      until: MonotonicInstant.now.advanced(byNanoseconds: Self.timeoutNanoseconds),
      for: { $0 == .ready || $0 == .sessionNotRunning }, then: { _ in })
  }

  /// Sleeps until `moment`.
  /// - Throws: ``CommandError`` as soon as something goes wrong with the camera.
  func sleep(until moment: MonotonicInstant) throws {
    if let error = failure.wait(until: moment, for: { $0 != nil }, then: { $0 }) ?? nil { throw error }
  }

  /// Presses; returns at once.
  func press(_ request: PhotoRequest) throws -> Pending {
    try run.checkFailure()
    let settings = try request.settings(for: output)
    let pending = Pending(delegate: PhotoDelegate(), pressed: .now)
    output.capturePhoto(with: settings, delegate: pending.delegate)
    return pending
  }

  /// Blocks until a photo is finished; the photo, and when it was delivered.
  func finish(_ pending: Pending) throws -> (photo: AVCapturePhoto, delivered: MonotonicInstant) {
    let (delegate, start) = (pending.delegate, pending.pressed)
    _ = delegate.progress.wait(
      until: start.advanced(byNanoseconds: Self.timeoutNanoseconds),
      for: { $0.isCaptured || $0.outcome != nil }, then: { _ in })
    let isCaptured = delegate.progress.withLock { $0.isCaptured }
    let outcome = delegate.progress.wait(
      until: start.advanced(byNanoseconds: isCaptured ? Self.finishingNanoseconds : Self.timeoutNanoseconds),
      for: { $0.outcome != nil }, then: { ($0.outcome, $0.delivered) })
    switch outcome?.0 {
    case .success(let photo):
      return (photo, outcome?.1 ?? .now)
    case .failure(let error):
      // A photo only knows that its session ended.
      throw run.cause ?? CommandError(error, device: camera)
    case nil:
      throw CommandError(
        .noFramesInTime,
        "\(camera.localizedName) runs, but no picture came within 10 s; replug it, or try another format.")
    }
  }
}

/// Keeps what becomes of one photo.
fileprivate final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  struct Progress {
    var isCaptured = false
    var delivered: MonotonicInstant?
    var outcome: Result<AVCapturePhoto, any Error>?
  }

  let progress = Monitor(Progress())
  private let photo = Locked<AVCapturePhoto?>(nil)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    progress.withLock { $0.isCaptured = true }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    progress.withLock { $0.delivered = .now }
    if error == nil { self.photo.withLock { $0 = photo } }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    let photo = self.photo.withLock { $0 }
    progress.withLock { progress in
      if let error {
        progress.outcome = .failure(error)
      } else if let photo {
        progress.outcome = .success(photo)
      } else {
        progress.outcome = .failure(AVError(.noDataCaptured))
      }
    }
  }
}

extension AVCapturePhoto {
  /// The photo as the bytes of a file.
  /// - Throws: ``CommandError`` when it cannot be encoded.
  func fileData(as format: PhotoRequest.Format) throws -> Data {
    switch format {
    case .jpeg, .heic:
      if let data = fileDataRepresentation() { return data }
    case .png:
      let data = NSMutableData()
      if let image = cgImageRepresentation(),
        let destination = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      {
        CGImageDestinationAddImage(destination, image, metadata as CFDictionary)
        if CGImageDestinationFinalize(destination) { return data as Data }
      }
    }
    throw CommandError(
      .otherFailure, "The photo could not be encoded as \(format.rawValue); try another --format.")
  }
}
