internal import Dispatch
internal import Foundation

/// Work on big pictures in parts, side by side on the processor's cores.
public enum Tiles {
  /// The threads that the process may use at once: the processor's cores, at least 1.
  public static let threads = max(1, ProcessInfo.processInfo.activeProcessorCount)

  /// Runs `body` for 0 ..< `count`, up to ``threads`` of them at once, and returns when all have ended.
  ///
  /// With a count of 1 it runs on the caller's thread without any hand-over. `body` must not wait for another part.
  public static func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count <= 0 { return }
    if count == 1 { return body(0) }
    DispatchQueue.concurrentPerform(iterations: count, execute: body)
  }

  /// Cuts `rows` rows into at most `parts` strips whose limits are multiples of `multiple`.
  ///
  /// No strip is shorter than `minimum` rows unless there is only one.
  public static func strips(rows: Int, parts: Int = threads, multipleOf multiple: Int = 2, minimum: Int = 64)
    -> [Range<Int>]
  {
    guard rows > 0 else { return [] }
    let count = max(1, min(parts, rows / max(1, minimum)))
    var strips: [Range<Int>] = []
    var start = 0
    for index in 0..<count {
      let ideal = rows * (index + 1) / count
      let end = index == count - 1 ? rows : ideal / multiple * multiple
      if end > start { strips.append(start..<end) }
      start = max(start, end)
    }
    return strips
  }

  /// Runs `body` on strips of a picture of `rows` rows; one strip when the work is under `pixels` < 300 000.
  ///
  /// Handing a strip to another core costs some 20 µs, which smaller pictures would not win back.
  public static func forEachStrip(
    rows: Int, pixels: Int, multipleOf multiple: Int = 2, threads: Int = threads,
    _ body: @Sendable (Range<Int>) -> Void
  ) {
    let strips = strips(rows: rows, parts: pixels < 300_000 ? 1 : threads, multipleOf: multiple)
    forEach(strips.count) { body(strips[$0]) }
  }
}
