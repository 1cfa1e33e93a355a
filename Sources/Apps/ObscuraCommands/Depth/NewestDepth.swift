internal import AVFoundation
internal import CameraTasks
internal import DepthMaps
internal import Foundation
internal import Linux

/// Keeps the newest depth map of a camera's run.
final class NewestDepth: NSObject, AVCaptureDepthDataOutputDelegate, Sendable {
  /// A map, and what is known of it.
  struct Sighting: Sendable {
    var map: DepthMap
    /// Seconds on the camera's clock.
    var timestamp: Double
    var isFiltered: Bool
  }

  private struct State {
    var newest: (depth: AVDepthData, timestamp: Double)?
    var count = 0
  }

  private let run: CameraRun
  private let state = Monitor(State())

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
    output.setDelegate(self, callbackQueue: DispatchQueue(label: "obscura.depth"))
    run.session.addOutput(output)
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
    state.withLock { state in
      state.newest = (depthData, timestamp.seconds)
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
    var limit = MonotonicInstant.now.advanced(byNanoseconds: timeout)
    while MonotonicInstant.now < limit {
      let tick = MonotonicInstant.now.advanced(byNanoseconds: 100_000_000)
      let seen =
        state.wait(until: tick, for: { $0.count > count }) { state in
          // Its memory may be the device's.
          defer { state.newest = nil }
          return state.newest
        } ?? nil
      if let seen { return try sighting(seen.depth, seen.timestamp) }
      try run.check()
      guard self.count != seenCount || run.isWaiting else { continue }
      seenCount = self.count
      limit = MonotonicInstant.now.advanced(byNanoseconds: timeout)
    }
    throw CommandError(
      .noFramesInTime,
      run.silentCamera.sentence(
        "streams but sent no depth map within \(timeout / 1_000_000_000) s",
        remedy: "unplug it and plug it in again."))
  }

  private func sighting(_ depth: AVDepthData, _ timestamp: Double) throws -> Sighting {
    var map = DepthMap()
    try map.read(depth.depthDataMap)
    return Sighting(map: map, timestamp: timestamp, isFiltered: depth.isDepthDataFiltered)
  }
}
