package import AVFoundation
internal import Foundation
internal import FoundationExtras
package import Linux

/// A session with one camera and one photo output, for taking photos, also several at a time.
package final class PhotoSession: Sendable {
  /// The timeout of a picture of a camera that streams, unless five of its frames take longer.
  ///
  /// The session itself ends with an error when a camera is silent; this is for one that sends frames, but no photo, on a
  /// machine that is slow and busy.
  private static let leastTimeout: Int64 = 30_000_000_000
  /// The timeout of finishing a captured photo: a small machine writes 12 MP of HEIC for half a minute.
  private static let finishingNanoseconds: Int64 = 300_000_000_000

  /// How much of the time before a press a Live Photo's movie shows.
  private static let momentsNanoseconds: Int64 = 1_500_000_000

  private let run: CameraRun
  private let plan: PhotoPlan
  private let output = AVCapturePhotoOutput()

  private var camera: AVCaptureDevice { run.camera }
  private var timeoutNanoseconds: Int64 { run.timeout(atLeast: Self.leastTimeout) }

  /// A session with `camera`, set as the plan wants it.
  ///
  /// - Parameter stop: Ends every wait when it is requested, but for that of ``finish(_:)``.
  /// - Throws: ``CameraTaskError`` when the camera may not be used, or cannot do what the plan asks.
  package init(
    camera: AVCaptureDevice, plan: PhotoPlan, stop: StopRequest = StopRequest()
  ) throws(CameraTaskError) {
    self.plan = plan
    run = try CameraRun(camera: camera, stop: stop)
    run.session.addOutput(output)
    if !plan.takesPast { output.isZeroShutterLagEnabled = false }
    try run.choose(plan.preset)
    let format = camera.activeFormat
    let size =
      plan.isLargest ? format.supportedMaxPhotoDimensions.last : plan.preset.photoSize(in: format)
    if let size { output.maxPhotoDimensions = size }
    output.maxPhotoQualityPrioritization = plan.quality.prioritization
    if plan.isLive { try Self.enableLive(output, run) }
    if plan.hasDepth { try Self.enableDepth(output, run) }
    output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported && plan.isSeries
    // Who names an interval wants that before the last bit of quality.
    output.isFastCapturePrioritizationEnabled =
      output.isFastCapturePrioritizationSupported && plan.hasInterval
    try plan.controls.check(camera, output)
    try plan.controls.set(
      on: camera, rotationAngle: Double(output.connection(with: .video)?.videoRotationAngle ?? 0),
      isImmediate: plan.isImmediate)
  }

  /// Has photos come with movies, with sound where there is a microphone.
  private static func enableLive(
    _ output: AVCapturePhotoOutput, _ run: CameraRun
  ) throws(CameraTaskError) {
    guard output.isLivePhotoCaptureSupported else {
      throw CameraTaskError(
        .formatNotSupported,
        "\(run.camera.localizedName) takes no Live Photos, or nothing here codes H.264; leave --live out.")
    }
    if AVCaptureDevice.authorizationStatus(for: .audio) != .denied,
      let microphone = AVCaptureDevice.default(for: .audio),
      let input = try? AVCaptureDeviceInput(device: microphone), run.session.canAddInput(input)
    {
      run.session.addInput(input)
    }
    output.isLivePhotoCaptureEnabled = true
  }

  /// Has photos come with depth.
  private static func enableDepth(
    _ output: AVCapturePhotoOutput, _ run: CameraRun
  ) throws(CameraTaskError) {
    guard output.isDepthDataDeliverySupported else {
      throw CameraTaskError(
        .formatNotSupported,
        "\(run.camera.localizedName) measures no depth in frames of that size; choose another --preset, or leave --depth out."
      )
    }
    output.isDepthDataDeliveryEnabled = true
  }

  /// Starts the camera.
  /// - Throws: ``CameraTaskError`` when the camera refuses: busy, gone, forbidden.
  package func start() throws(CameraTaskError) { try run.start() }

  /// Blocks until the movie of a press would show all of the time before it.
  /// - Throws: ``CameraTaskError``: what ended the run, or ``CameraTaskError/Code/stopped``.
  package func waitForMoments() throws(CameraTaskError) {
    guard plan.isLive else { return }
    try waitForFrame()
    try run.sleep(until: WorldTime.current.now.advanced(byNanoseconds: Self.momentsNanoseconds))
  }

  /// Stops the camera.
  package func stop() { run.stop() }

  /// The number of frames that the camera has delivered.
  package var deliveredFrames: Int { output.stillSource?.deliveredFrames ?? 0 }

  /// Blocks until the camera has delivered a frame.
  /// - Throws: ``CameraTaskError``: what ended the run, or ``CameraTaskError/Code/noFramesInTime`` after half a minute, or the
  ///   time of five frames.
  package func waitForFrame() throws(CameraTaskError) {
    let start = WorldTime.current.now
    while deliveredFrames == 0 {
      let timeout = isSlow ? Self.finishingNanoseconds : timeoutNanoseconds
      guard WorldTime.current.now < start.advanced(byNanoseconds: timeout) else { throw noPicture }
      try run.sleep(until: WorldTime.current.now.advanced(byNanoseconds: 20_000_000))
    }
    try run.check()
  }

  /// Blocks until exposure, focus and white balance have settled, or for as long as that is worth waiting for.
  ///
  /// Then sets the half of the exposure that follows from the light, when only the other half was asked for.
  /// - Throws: ``CameraTaskError``: what ended the run, or ``CameraTaskError/Code/stopped``.
  package func settle() throws(CameraTaskError) {
    guard !plan.isImmediate else { return }
    try run.settle()
    guard plan.controls.isExposureHalfGiven else { return }
    let isSet = Monitor(false)
    try plan.controls.setExposureFromLight(on: camera) { isSet.withLock { $0 = true } }
    let soon = WorldTime.current.now.advanced(byNanoseconds: CameraRun.settlingNanoseconds)
    _ = isSet.wait(until: soon, on: .current, for: { $0 }, then: { _ in })
    try run.check()
  }

  // MARK: Photos

  /// A photo that was pressed.
  package struct Pending: Sendable {
    fileprivate let delegate: PhotoDelegate
    fileprivate let pressed: MonotonicInstant

    /// The file of its movie, once the photo is finished, which the caller moves or removes; `nil` for a photo without one, also where
    /// it failed.
    package var film: URL? { try? delegate.film.withLock { $0 }?.get() }
    /// Why its movie failed.
    package var filmError: (any Error)? {
      if case .failure(let error)? = delegate.film.withLock({ $0 }) { error } else { nil }
    }
  }

  /// Blocks until a press begins at once, or for as long as a camera may take to show anything.
  /// - Throws: ``CameraTaskError``: what ended the run, or ``CameraTaskError/Code/stopped``.
  package func waitUntilReady() throws(CameraTaskError) {
    let readiness = Monitor(output.captureReadiness)
    let observation = output.observe(\.captureReadiness, options: .initial) { output, _ in
      readiness.withLock { $0 = output.captureReadiness }
    }
    defer { observation.invalidate() }
    let deadline = WorldTime.current.now.advanced(byNanoseconds: timeoutNanoseconds)
    while WorldTime.current.now < deadline {
      let isReady: Void? = readiness.wait(
        until: min(deadline, WorldTime.current.now.advanced(byNanoseconds: 100_000_000)), on: .current,
        for: { $0 == .ready || $0 == .sessionNotRunning }, then: { _ in })
      if isReady != nil { return }
      try run.check()
    }
  }

  /// Sleeps until `moment`.
  /// - Throws: as soon as there is something, what ended the run, or ``CameraTaskError/Code/stopped``.
  package func sleep(until moment: MonotonicInstant) throws(CameraTaskError) {
    try run.sleep(until: moment)
  }

  /// Presses; returns at once.
  /// - Throws: ``CameraTaskError``: what ended the run, or what this camera cannot write.
  package func press() throws(CameraTaskError) -> Pending {
    try run.check()
    let settings = try plan.settings(for: output)
    if plan.isLive {
      settings.livePhotoMovieFileURL = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-live-\(UUID().uuidString).mov")
    }
    let pending = Pending(delegate: PhotoDelegate(), pressed: WorldTime.current.now)
    output.capturePhoto(with: settings, delegate: pending.delegate)
    return pending
  }

  /// The pictures of a press.
  package struct Finished: Sendable {
    /// The photo; where only a raw picture was asked for, or came, that.
    package let photo: AVCapturePhoto
    /// The raw picture beside it.
    package let raw: AVCapturePhoto?
    /// Why a picture that was asked for did not come.
    package let error: CameraTaskError?
    /// The time at which the last of them was delivered.
    package let delivered: MonotonicInstant
  }

  /// Blocks until a photo is finished.
  /// - Throws: ``CameraTaskError`` when all of it failed, or did not come in time.
  package func finish(_ pending: Pending) throws(CameraTaskError) -> Finished {
    let (delegate, start) = (pending.delegate, pending.pressed)
    _ = delegate.progress.wait(
      until: start.advanced(byNanoseconds: timeoutNanoseconds), on: .current,
      for: { $0.isCaptured || $0.isFinished }, then: { _ in })
    let goesOn = delegate.progress.withLock { $0.isCaptured } || isSlow
    let progress = delegate.progress.wait(
      until: start.advanced(
        byNanoseconds: goesOn ? max(Self.finishingNanoseconds, timeoutNanoseconds) : timeoutNanoseconds),
      on: .current, for: { $0.isFinished }, then: { $0 })
    guard let progress else { throw noPicture }
    // A photo only knows that its session ended.
    let error = progress.error.map { run.cause ?? CameraTaskError($0, device: camera) }
    guard let photo = progress.processed ?? progress.raw else {
      throw error ?? CameraTaskError(AVError(.noDataCaptured), device: camera)
    }
    return Finished(
      photo: photo, raw: progress.processed == nil ? nil : progress.raw, error: error,
      delivered: progress.delivered ?? WorldTime.current.now)
  }

  /// Whether the camera is one that this machine gives no time to: slow, not silent.
  private var isSlow: Bool { output.stillSource?.isBehind ?? false }

  private var noPicture: CameraTaskError {
    let silent = SilentCamera(name: camera.localizedName, isSlow: isSlow)
    let timeout = silent.isSlow ? Self.finishingNanoseconds : timeoutNanoseconds
    return CameraTaskError(
      .noFramesInTime,
      silent.sentence(
        "runs, but no picture came within \(timeout / 1_000_000_000) s",
        remedy: "replug it, or try another format."))
  }
}
