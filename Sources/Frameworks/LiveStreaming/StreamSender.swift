internal import CoreMedia
internal import Foundation
internal import Linux
internal import MediaStreaming

/// Connects to a stream's server, sends what waits, and connects again.
///
/// One thread runs it. Thread-safe.
final class StreamSender: Sendable {
  private struct State {
    var statistics = LiveStream.Statistics()
    /// When it was stopped.
    var stopped: MonotonicInstant?
    var isStopped: Bool { stopped != nil }
    var hasEnded = false
    /// When the network last took something.
    var progress = MonotonicInstant.now
  }

  private static let firstPause: Int64 = 500_000_000
  private static let longestPause: Int64 = 10_000_000_000
  /// How long the network may take nothing.
  private static let timeout: Int64 = 5_000_000_000
  /// How long the farewell (RTSP's TEARDOWN, the trailer) may take once the stream is stopped, in nanoseconds.
  private static let farewell: Int64 = 800_000_000
  /// How long the first audio is waited for where a session has a microphone.
  private static let audioTimeout: Int64 = 2_000_000_000

  private let address: StreamAddress
  private let encoders: StreamEncoders
  private let queue: StreamQueue
  private let hasAudio: @Sendable () -> Bool
  private let report: @Sendable (LiveStream.Report) -> Void
  private let state = Monitor(State())

  init(
    _ address: StreamAddress, _ encoders: StreamEncoders, _ queue: StreamQueue,
    hasAudio: @escaping @Sendable () -> Bool, report: @escaping @Sendable (LiveStream.Report) -> Void
  ) {
    self.address = address
    self.encoders = encoders
    self.queue = queue
    self.hasAudio = hasAudio
    self.report = report
  }

  var statistics: LiveStream.Statistics {
    var statistics = state.withLock { $0.statistics }
    statistics.droppedFrames = queue.dropped
    statistics.lateFrames = queue.late
    return statistics
  }

  func stop() {
    state.withLock { $0.stopped = $0.stopped ?? .now }
    queue.end()
    encoders.formats.withLock { _ in }
  }

  /// Waits until nothing is sent any more, for a second at most.
  func waitForEnd() {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 1_000_000_000)
    _ = state.wait(until: deadline, for: { $0.hasEnded }, then: { _ in })
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Sends until it is stopped.
  func run() {
    defer { state.withLock { $0.hasEnded = true } }
    guard let formats = awaitFormats() else { return }
    var pause = Self.firstPause
    while !isStopped {
      do throws(NetworkProblem) {
        state.withLock { $0.progress = .now }
        let output = try NetworkOutput(
          address.whole, container: address.container, options: address.options, formats: formats
        ) { [state] in
          state.withLock { state in
            let now = MonotonicInstant.now.nanoseconds
            // After a stop the farewell still goes out, within its time limit.
            if let stopped = state.stopped { return now - stopped.nanoseconds > Self.farewell }
            return now - state.progress.nanoseconds > Self.timeout
          }
        }
        pause = Self.firstPause
        state.withLock { $0.statistics.connections += 1 }
        queue.setOpen(true)
        report(.connected)
        try send(to: output, tracks: formats.count)
        output.finish()
      } catch {
        queue.setOpen(false)
        guard !isStopped else { return }
        guard address.comesBack else { return report(.ended) }
        let reason = error.kind == .over ? "the network takes nothing" : error.description
        report(.disconnected(reason: reason, retryAfter: Double(pause) / 1e9))
        _ = state.wait(
          until: .now.advanced(byNanoseconds: pause), for: { $0.isStopped }, then: { _ in })
        pause = min(2 * pause, Self.longestPause)
      }
    }
    queue.setOpen(false)
  }

  /// The formats of video and, where there is any, audio; `nil` when it was stopped before.
  private func awaitFormats() -> [CMFormatDescription]? {
    while !isStopped {
      let soon = MonotonicInstant.now.advanced(byNanoseconds: 100_000_000)
      let video = encoders.formats.wait(until: soon, for: { $0.video != nil }, then: { $0.video }) ?? nil
      guard let video else { continue }
      guard hasAudio() else { return [video] }
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: Self.audioTimeout)
      let audio = encoders.formats.wait(until: deadline, for: { $0.audio != nil }, then: { $0.audio }) ?? nil
      return [video] + (audio.map { [$0] } ?? [])
    }
    return nil
  }

  private func send(to output: NetworkOutput, tracks: Int) throws(NetworkProblem) {
    var start: CMTime?
    while !isStopped {
      guard let item = queue.take(until: .now.advanced(byNanoseconds: 200_000_000)) else {
        if address.isHungUp { throw NetworkProblem(.ended, "the reader hung up") }
        continue
      }
      guard item.track < tracks else { continue }
      let began = start ?? item.sample.presentationTimeStamp
      start = began
      // Audio of before the first picture has no place.
      guard item.sample.presentationTimeStamp >= began else { continue }
      state.withLock { $0.progress = .now }
      try output.send(item.sample, track: item.track, at: began)
      state.withLock { state in
        state.progress = .now
        state.statistics.bytes += Int64(item.sample.totalSampleSize)
        if item.track == 0 { state.statistics.frames += 1 }
      }
    }
  }
}
