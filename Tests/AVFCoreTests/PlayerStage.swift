import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import MovieTools
import Testing

/// A clock that a test moves, and players on it.
@MainActor final class PlayerStage {
  let clock: CMClock
  let folder: String
  private let nanoseconds = Locked<Int64>(0)

  init(_ folder: String) {
    self.folder = folder
    let nanoseconds = nanoseconds
    clock = CMClock(name: "hand", movesByHand: true) {
      MonotonicInstant(nanoseconds: nanoseconds.withLock { $0 })
    }
  }

  /// Moves the clock, and waits until players and clients have done what became due.
  func move(_ seconds: Double, of player: AVPlayer) async {
    nanoseconds.withLock { $0 += Int64((seconds * 1e9).rounded()) }
    clock.timeHasJumped()
    _ = player.status
    await drain()
  }

  /// Waits until what is on the main queue has been called.
  func drain() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  /// A movie of 25 frames a second with a key frame each second and reordered frames, whose frames' lightness is their number.
  func movie(
    _ name: String = "numbers.mp4", seconds: Int = 3, _ more: [String] = [], audio: Bool = true
  ) throws -> URL {
    let path = "\(folder)/\(name)"
    let sound = ["-f", "lavfi", "-i", "sine=duration=\(seconds):sample_rate=48000", "-c:a", "aac"]
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i",
        "color=black:size=64x48:rate=25:duration=\(seconds),format=yuv420p,geq=lum='25+mod(N\\,16)*13':cb=128:cr=128",
      ] + (audio ? sound : []) + [
        "-c:v", "libx264", "-g", "25", "-bf", "2", "-sc_threshold", "0",
      ] + more)
    return URL(fileURLWithPath: path)
  }

  /// A player whose item is ready.
  func player(_ url: URL) async -> AVPlayer {
    let player = AVPlayer()
    player.sourceClock = clock
    player.replaceCurrentItem(with: AVPlayerItem(url: url))
    await ready(player.currentItem)
    return player
  }

  /// Waits until an item is ready or has failed.
  func ready(_ item: AVPlayerItem?) async {
    guard let item else { return }
    for await status in item.values(for: \.status) where status != .unknown { return }
  }

  /// Waits until an item's next pictures are there.
  func loaded(_ item: AVPlayerItem) async {
    for await keepsUp in item.values(for: \.isPlaybackLikelyToKeepUp) where keepsUp { return }
  }

  static func inFolder(_ body: (PlayerStage) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("player-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(PlayerStage(folder.path))
  }
}

func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 90_000) }

extension AVPlayerItemVideoOutput {
  /// The number of the picture on show, if it is another one than before.
  func newNumber(at time: CMTime) -> Int? {
    copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil).map { TestMovie.number(of: $0) }
  }
}

/// The values that a test's observers were called with, in order.
final class Diary<Value: Sendable>: Sendable {
  private let kept = Locked<[Value]>([])

  func note(_ value: Value) { kept.withLock { $0.append(value) } }
  var entries: [Value] { kept.withLock { $0 } }
}
