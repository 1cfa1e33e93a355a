internal import AVFoundation
internal import CameraTasks
internal import DepthMaps
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Keeps the newest depth map of a camera's run, where it is asked for with the picture of its moment.
final class NewestDepth: NSObject, AVCaptureDepthDataOutputDelegate, AVCaptureDataOutputSynchronizerDelegate,
  @unchecked Sendable  // Safe because the synchronizer is set once, by the initializer.
{
  /// A map, and what is known of it.
  struct Sighting: Sendable {
    var map: DepthMap
    /// Seconds on the camera's clock.
    var timestamp: Double
    var isFiltered: Bool
    /// The camera that measured it; `nil` where nothing is known of its lens.
    var calibration: AVCameraCalibrationData?
    /// The picture of its moment, of `kCVPixelFormatType_32BGRA`, for a cloud.
    var picture: CVPixelBuffer?
  }

  private struct State {
    var newest: (depth: AVDepthData, timestamp: Double, picture: CVPixelBuffer?)?
    var count = 0
  }

  private let run: CameraRun
  private let state = Monitor(State())
  private var synchronizer: AVCaptureDataOutputSynchronizer?

  /// A camera that streams without a map for so long measures nothing, unless five of its frames take longer.
  private static let leastTimeout: Int64 = 10_000_000_000

  /// Adds a depth data output to a run that has not started.
  /// - Throws: ``CommandError`` with ``ExitCode/formatNotSupported`` for a preset under which the camera measures nothing.
  init(_ run: CameraRun, _ request: DepthRequest) throws {
    self.run = run
    super.init()
    let camera = run.camera
    let output = AVCaptureDepthDataOutput()
    try run.choose(request.preset)
    output.isFilteringEnabled = !request.isRaw
    let queue = DispatchQueue(label: "obscura.depth")
    run.session.addOutput(output)
    if request.wantsCloud {
      let pictures = AVCaptureVideoDataOutput()
      pictures.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
      run.session.addOutput(pictures)
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [output, pictures])
      synchronizer.setDelegate(self, queue: queue)
      self.synchronizer = synchronizer
    } else {
      output.setDelegate(self, callbackQueue: queue)
    }
    guard output.connection(with: .depthData)?.isActive == true else {
      throw CommandError(
        .formatNotSupported,
        "\(camera.localizedName) measures no depth under the preset \(request.preset.rawValue); try another --preset."
      )
    }
  }

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    note(depthData, timestamp, nil)
  }

  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    guard synchronizer.dataOutputs.count == 2,
      let depth = synchronizedDataCollection.synchronizedData(for: synchronizer.dataOutputs[0])
        as? AVCaptureSynchronizedDepthData, !depth.depthDataWasDropped,
      let frame = synchronizedDataCollection.synchronizedData(for: synchronizer.dataOutputs[1])
        as? AVCaptureSynchronizedSampleBufferData, !frame.sampleBufferWasDropped,
      let picture = CMSampleBufferGetImageBuffer(frame.sampleBuffer)
    else { return }
    note(depth.depthData, depth.timestamp, picture)
  }

  private func note(_ depth: AVDepthData, _ timestamp: CMTime, _ picture: CVPixelBuffer?) {
    state.withLock { state in
      state.newest = (depth, timestamp.seconds, picture)
      state.count += 1
    }
  }

  /// The number of maps that have come.
  var count: Int { state.withLock { $0.count } }

  /// Waits for the first map after so many, and takes it; as long as maps come, however slowly.
  /// - Throws: ``CommandError``: what ended the run, or ``ExitCode/noFramesInTime`` when no map comes.
  func next(after count: Int) throws -> Sighting {
    var seenCount = self.count
    let timeout = run.timeout(atLeast: Self.leastTimeout)
    var limit = WorldTime.current.now.advanced(byNanoseconds: timeout)
    while WorldTime.current.now < limit {
      let tick = WorldTime.current.now.advanced(byNanoseconds: 100_000_000)
      let seen =
        state.wait(until: tick, on: .current, for: { $0.count > count }) { state in
          // Its memory may be the device's.
          defer { state.newest = nil }
          return state.newest
        } ?? nil
      if let seen { return try sighting(seen.depth, seen.timestamp, seen.picture) }
      try run.check()
      guard self.count != seenCount || run.isWaiting else { continue }
      seenCount = self.count
      limit = WorldTime.current.now.advanced(byNanoseconds: timeout)
    }
    throw CommandError(
      .noFramesInTime,
      run.silentCamera.sentence(
        "streams but sent no depth map within \(timeout / 1_000_000_000) s",
        remedy: "unplug it and plug it in again."))
  }

  private func sighting(
    _ depth: AVDepthData, _ timestamp: Double, _ picture: CVPixelBuffer?
  ) throws -> Sighting {
    var map = DepthMap()
    try map.read(depth.depthDataMap)
    return Sighting(
      map: map, timestamp: timestamp, isFiltered: depth.isDepthDataFiltered,
      calibration: depth.cameraCalibrationData, picture: picture)
  }
}
