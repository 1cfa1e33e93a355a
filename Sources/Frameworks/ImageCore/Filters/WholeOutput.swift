internal import Foundation
internal import Linux

/// All pixels of an image that is made at once, kept until each of them has been asked for.
///
/// Thread-safe: the first caller makes them, while the others wait.
final class WholeOutput: Sendable {
  private struct Pixels: @unchecked Sendable {  // Safe because nothing is written any more.
    let tile: Tile
  }

  private enum Phase {
    case empty
    case making(DispatchGroup)
    /// With how many pixels have not been asked for.
    case made(Pixels, left: Int)
  }

  private enum Step {
    case make(DispatchGroup)
    case wait(DispatchGroup)
    case take(Pixels)
  }

  private let phase = Locked(Phase.empty)

  /// The largest image that is made at once.
  private static let wholeLimit = 1 << 26
  /// For a smaller part of an input the image is not made at once.
  private static let partLimit = 1 << 16

  /// The pixels in `rect`; all of `extent` are made at once where `rect` needs much more of an input than itself.
  ///
  /// - Parameter needed: The pixels of an input that `rect` needs.
  func tile(_ rect: GridRect, needing needed: Int, of extent: CGRect, _ make: (GridRect) -> Tile) -> Tile {
    let all = extent.isInfiniteExtent ? rect : extent.allPixels
    if needed > max(Self.partLimit, 4 * rect.width * rect.height), all.area <= Self.wholeLimit {
      return tile(rect, of: all) { make(all) }
    }
    return make(rect)
  }

  /// The pixels in `rect`, a part of `all`, which `make` makes.
  private func tile(_ rect: GridRect, of all: GridRect, _ make: () -> Tile) -> Tile {
    while true {
      switch next(rect.width * rect.height) {
      case .take(let pixels):
        let tile = Tile(rect)
        tile.copy(pixels.tile)
        return tile
      case .wait(let group):
        group.wait()
      case .make(let group):
        // Not under the lock: a client's code makes them.
        let pixels = Pixels(tile: make())
        phase.withLock { $0 = .made(pixels, left: all.width * all.height) }
        group.leave()
      }
    }
  }

  private func next(_ count: Int) -> Step {
    phase.withLock { phase in
      switch phase {
      case .empty:
        let group = DispatchGroup()
        group.enter()
        phase = .making(group)
        return .make(group)
      case .making(let group):
        return .wait(group)
      case .made(let pixels, let left):
        phase = left > count ? .made(pixels, left: left - count) : .empty
        return .take(pixels)
      }
    }
  }
}
