internal import CaptureDevice
internal import Linux
internal import StreamParts

/// One camera's stream, as an open device has it: starts and stops its runs, and takes what clients ask of it.
final class VideoEngine: StreamEngine {
  private let camera: CameraParts
  private let settings: Locked<StreamConfiguration>
  private let maker: FrameMaker
  private let stills: StillPictures
  /// `nil` for a stream without depth.
  private let depth: DepthMaker?
  private let runs = TickedRun()
  /// The latest one.
  private let run = Locked<VideoRun?>(nil)

  init(_ camera: CameraParts, _ configuration: StreamConfiguration) {
    self.camera = camera
    settings = Locked(configuration)
    maker = FrameMaker(camera, configuration)
    stills = StillPictures(camera, maker)
    depth = configuration.depth.map {
      DepthMaker(configuration, $0, camera)
    }
  }

  var configuration: StreamConfiguration { settings.withLock { $0 } }
  var statistics: StreamStatistics { run.withLock { $0 }?.counts.withLock { $0 } ?? StreamStatistics() }
  var depthStatistics: StreamStatistics { run.withLock { $0 }?.depthCounts ?? StreamStatistics() }

  func start(_ receiver: @escaping StreamRun.Receiver) throws(CaptureDeviceError) {
    let now = camera.world.clock.now
    let stream = try runs.begin(camera.name, receiver)
    camera.controls.begin(configuration, at: now)
    stills.open()
    let video = VideoRun(
      camera, stream, at: now.advanced(by: camera.faults.startDelay), settings, maker, stills, depth)
    let former = run.withLock { run in
      defer { run = video }
      return run
    }
    withExtendedLifetime(former) {}
    do throws(CaptureDeviceError) {
      try runs.tick(stream, name: "sim-camera", clock: camera.world.clock, first: video.firstArrival()) {
        [weak video] in video?.tick()
      }
    } catch {
      finish(error)
      throw error
    }
  }

  func stop() {
    guard runs.stop() else { return }
    finish(
      camera.error(.noFrames, "was stopped before it took the picture; start the stream and try again."))
  }

  func fail(_ error: CaptureDeviceError) {
    if runs.fail(error) { finish(error) }
  }

  private func finish(_ error: CaptureDeviceError) {
    camera.controls.end(at: camera.world.clock.now)
    stills.close(error)
  }

  var isBehind: Bool { runs.isBehind }

  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    try settings.withLock { settings throws(CaptureDeviceError) in
      guard settings.format.frameDurations.contains(where: { $0.contains(duration) }) else {
        throw camera.error(
          .formatUnsupported,
          "cannot stream \(settings.format.size) at \(duration.rate) frames a second; "
            + "choose a rate of the format.")
      }
      settings.frameDuration = duration
      return duration
    }
  }

  func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError) {
    try settings.withLock { settings throws(CaptureDeviceError) in
      guard mode == .off || settings.format.stabilizationModes.contains(mode) else {
        throw camera.error(
          .formatUnsupported,
          "cannot steady \(settings.format.size) in that way; choose one of the format's modes.")
      }
      settings.stabilization = mode
    }
  }

  func addBuffers() -> Int {
    let (added, count) = settings.withLock { settings in
      defer { settings.laterBufferCount = 0 }
      settings.bufferCount += settings.laterBufferCount
      return (settings.laterBufferCount, settings.bufferCount)
    }
    maker.addBuffers(added)
    return count
  }

  var lookAhead: Int {
    max(
      Stabilization(settings.withLock { $0.stabilization }).lookAhead,
      run.withLock { $0 }?.keptBack.withLock { $0 } ?? 0)
  }

  func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    let format = configuration.format
    let isFull = format.fullStillSizes.contains(request.size)
    guard isFull || format.stillSizes.contains(request.size) else {
      let sizes = (format.stillSizes + format.fullStillSizes).map(\.description).joined(separator: ", ")
      return completion(
        .failure(
          camera.error(.formatUnsupported, "takes no picture of \(request.size) now; choose one of \(sizes).")
        ))
    }
    guard !isFull || (request.frame == nil && !request.wantsMosaic) else {
      return completion(
        .failure(
          camera.error(
            .formatUnsupported,
            "reads all its photosites for \(request.size) of the next exposure alone, and without a mosaic; ask for \(format.stillSizes.last ?? format.size)."
          )))
    }
    do throws(CaptureDeviceError) {
      try camera.controls.check(request, format: format)
    } catch {
      return completion(.failure(error))
    }
    stills.take(request, run: runs.current, completion: completion)
  }
}
