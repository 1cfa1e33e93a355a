import Foundation

/// A measurement that ``Bench`` can make.
enum BenchPart: String, CaseIterable {
  /// From the start to the first picture; always measured.
  case start
  /// From presses to their thumbnails.
  case press
  /// The processor's time for the preview, and the main loop meanwhile.
  case preview
  /// The main loop while the library is scrolled from end to end, with the camera running.
  case scroll
  /// The program's memory after hundreds of photos and thousands of thumbnails.
  case memory
  /// The program's memory while it stays open for minutes, with a photo every three seconds.
  case stay
}

/// The folder of a measured program's photos and settings: never one of the user's own.
struct BenchFolder {
  let url: URL
  private let isKept: Bool

  /// The folder that `OBSCURA_BENCH_FOLDER` names, which stays; else one that goes when the program ends.
  init() {
    let named = ProcessInfo.processInfo.environment["OBSCURA_BENCH_FOLDER"].map { URL(fileURLWithPath: $0) }
    isKept = named != nil
    url =
      named
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("obscura-bench-\(getpid())")
    setenv("OBSCURA_LIBRARY", url.appendingPathComponent("Library").path, 1)
    setenv("XDG_CACHE_HOME", url.appendingPathComponent("cache").path, 1)
  }

  func end() { if !isKept { try? FileManager.default.removeItem(at: url) } }
}
