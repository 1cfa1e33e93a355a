package import CoreVideo
package import Foundation

/// Recognizes hand gestures in the pictures of a stream.
///
/// Searches the whole picture for palms five times a second, or twice while two hands are tracked, and reads the landmarks of tracked hands
/// ten times a second; other pictures cost nothing. One object for each stream; one call at a time; a call takes up to some 30 ms.
package final class LiveGestureFinder {
  private let finder: HandFinder
  private var recognizer = GestureRecognizer()
  private var tracker = Tracker(timeout: 3)
  private var known: [TurnedSquare] = []
  private var lastReading: Int64?
  private var lastSearch: Int64?

  /// The hands in the last picture that was processed.
  package private(set) var hands: [LiveHandFinder.Tracked] = []

  /// The most hands that are tracked, those of two people.
  private static let limit = 4
  private static let readingInterval: Int64 = 100_000_000
  private static let searchInterval: Int64 = 200_000_000
  /// While two hands are tracked, further ones belong to other people.
  private static let rareSearchInterval: Int64 = 500_000_000
  /// The jitter of timestamps.
  private static let slack: Int64 = 10_000_000

  /// A finder for one stream; see ``HandFinder/init(_:)``.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    finder = try HandFinder(folder)
  }

  /// The gesture that is recognized in the next picture; `nil` for most pictures.
  ///
  /// - Parameters:
  ///   - pixels: The picture, in any format.
  ///   - part: The region in which hands' centres must lie, in pixels of the picture.
  ///   - faces: The bounding boxes of faces, in pixels of the picture; hands in front of them are ignored.
  ///   - up: The upward direction in the picture.
  ///   - nanoseconds: The picture's timestamp.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func gesture(
    in pixels: CVPixelBuffer, part: CGRect, faces: [CGRect] = [], up: CGPoint = HandSign.upright,
    at nanoseconds: Int64
  ) throws -> GestureRecognizer.Gesture? {
    if let last = lastReading, nanoseconds < last { forget() }
    let searches = isDue(
      since: lastSearch, known.count < 2 ? Self.searchInterval : Self.rareSearchInterval, nanoseconds)
    guard searches || !known.isEmpty && isDue(since: lastReading, Self.readingInterval, nanoseconds) else {
      return nil
    }
    var seen: [HandReading] = []
    func read(_ squares: [TurnedSquare]) throws {
      for square in squares where seen.count < Self.limit {
        guard let one = try finder.hand(in: square, of: pixels, part: part) else { continue }
        if !seen.map(\.hand).contains(one.hand) { seen.append(one) }
      }
    }
    try read(known)
    if searches {
      try read(finder.neighbourhoods(in: pixels, part: part))
      lastSearch = nanoseconds
    }
    lastReading = nanoseconds
    known = seen.map(\.neighbourhood)
    let found = seen.map(\.hand)
    hands = zip(tracker.update(found.map(\.bounds)), found).map { LiveHandFinder.Tracked(id: $0, hand: $1) }
    return recognizer.update(hands, faces: faces, up: up, at: nanoseconds)
  }

  /// Drops all tracked hands, for a picture that does not follow the last one.
  package func forget() {
    tracker.reset()
    recognizer.forget()
    (known, hands) = ([], [])
    (lastReading, lastSearch) = (nil, nil)
  }

  private func isDue(since last: Int64?, _ interval: Int64, _ nanoseconds: Int64) -> Bool {
    guard let last else { return true }
    return nanoseconds - last >= interval - Self.slack
  }
}
