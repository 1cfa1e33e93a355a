internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Linux
internal import PhotoProcessing
internal import SimulatedDevices

/// Measures presses in a row on a small simulated camera in real time, with stages of known cost in the place of fusion.
struct BurstMeasurement: Encodable, Sendable {
  /// The figures of ten presses.
  struct Shots: Encodable, Sendable {
    /// From one finished photo to the next, mean.
    var shotToShotSeconds: Double
    /// Beside what the stages' costs allow: 1 is perfect.
    var ratio: Double
    /// The most full-size frames that photos held at once.
    var mostFramesHeld: Int
    var isInOrder: Bool
  }

  /// The figures of presses at an interval that is too short for processing at full quality.
  struct Series: Encodable, Sendable {
    var intervalSeconds: Double
    /// From press to press, mean; a press waits until the output is ready.
    var pressedEverySeconds: Double
    var ratio: Double
    /// The number of photos whose quality was lowered.
    var lowered: Int
    var presses: Int
    /// Presses after a pause until one was of full quality again.
    var calmPressesUntilQuality: Int
  }

  var schema = "obscura.bench.burst"
  var version = 1
  var developingSeconds = 0.2
  var encodingSeconds = 0.15
  /// Responsive capture: the slowest stage counts.
  var overlapping: Shots
  /// Without it: the sum counts.
  var oneByOne: Shots
  var fastCapture: Series

  /// Takes some fifteen seconds.
  /// - Throws: ``CommandError`` when a photo fails.
  init() throws {
    overlapping = try Self.shots(isResponsive: true, expected: 0.2)
    oneByOne = try Self.shots(isResponsive: false, expected: 0.35)
    fastCapture = try Self.series(interval: 0.2)
  }

  var text: String {
    func line(_ name: String, _ shots: Shots) -> String {
      String(
        format: "%@: %.0f ms from photo to photo, %.2f of what the stages allow; %d frames held at most%@",
        name,
        shots.shotToShotSeconds * 1000, shots.ratio, shots.mostFramesHeld,
        shots.isInOrder ? "" : "; NOT in order")
    }
    return [
      line("overlapping", overlapping), line("one by one", oneByOne),
      String(
        format:
          "fast capture: pressed every %.0f ms of %.0f (%.2f), %d of %d lowered, full quality at calm press %d",
        fastCapture.pressedEverySeconds * 1000, fastCapture.intervalSeconds * 1000, fastCapture.ratio,
        fastCapture.lowered, fastCapture.presses, fastCapture.calmPressesUntilQuality),
    ].joined(separator: "\n")
  }

  // MARK: Runs

  private static func shots(isResponsive: Bool, expected: Double) throws -> Shots {
    let most = Locked(0)
    let run = try PhotoRun(load: { stage, _, underWay in
      let held = underWay.photos.reduce(0) { $0 + $1.held }
      most.withLock { $0 = max($0, held) }
      Thread.sleep(forTimeInterval: stage == .developing ? 0.2 : 0.15)
    })
    defer { run.stop() }
    run.output.isResponsiveCaptureEnabled = isResponsive
    let ids = (0..<10).map { _ in run.press() }
    let photos = try run.photos(10)
    let times = photos.compactMap { $0.stages?.encoded?.nanoseconds }
    let span = Double((times.last ?? 0) - (times.first ?? 0)) / 1e9 / 9
    return Shots(
      shotToShotSeconds: span, ratio: span / expected, mostFramesHeld: most.withLock { $0 },
      isInOrder: photos.map(\.resolvedSettings.uniqueID) == ids)
  }

  private static func series(interval: Double) throws -> Series {
    let run = try PhotoRun(load: { stage, request, _ in
      guard stage == .developing else { return }
      switch request.prioritization {
      case .quality: Thread.sleep(forTimeInterval: interval * 3)
      case .balanced: Thread.sleep(forTimeInterval: interval * 1.5)
      case .speed: Thread.sleep(forTimeInterval: interval / 4)
      }
    })
    defer { run.stop() }
    run.output.isResponsiveCaptureEnabled = true
    run.output.isFastCapturePrioritizationEnabled = true
    let count = 20
    var presses: [MonotonicInstant] = []
    var due = MonotonicInstant.now
    for _ in 0..<count {
      due.sleepUntil()
      run.waitUntilReady()
      presses.append(.now)
      due = max(due, .now).advanced(byNanoseconds: Int64(interval * 1e9))
      run.press(.quality)
    }
    let lowered = try run.photos(count).count { $0.resolvedSettings.isFastCapturePrioritizationEnabled }
    var calm = 0
    var isLowered = true
    while isLowered, calm < 5 {
      calm += 1
      Thread.sleep(forTimeInterval: 1)
      run.press(.quality)
      isLowered =
        try run.photos(count + calm).last?.resolvedSettings.isFastCapturePrioritizationEnabled ?? true
    }
    let span = (presses.last ?? due).nanoseconds - (presses.first ?? due).nanoseconds
    let every = Double(span) / 1e9 / Double(count - 1)
    return Series(
      intervalSeconds: interval, pressedEverySeconds: every, ratio: every / interval, lowered: lowered,
      presses: count, calmPressesUntilQuality: calm)
  }
}
