package import Foundation
package import PixelTransforms

/// Plans which part of a camera's pictures is shown, so that everyone in view is seen well.
///
/// For one stream, one call at a time; times are those of the pictures, on any clock. While people only move a little the part stays as
/// it is. When they move more, it follows until they are at rest; when a face is about to be cut off, or someone comes into view, it
/// follows quickly. Who is out of sight counts for 1.5 s more, and without anyone it slowly widens to the whole picture. Its acceleration
/// is bounded, 4 picture widths a second squared at most.
package final class CenterStage {
  /// What does not follow from the people in view.
  package struct Frame: Sendable, Equatable {
    /// The part of what is made in which the people are shown; the rest is black.
    ///
    /// Of the picture as it is stored, from its top left.
    package var rectOfInterest: CGRect
    /// The clockwise turn with which viewers see the picture.
    package var turn: QuarterTurn

    /// A frame; without arguments all of an upright picture.
    package init(
      rectOfInterest: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1), turn: QuarterTurn = .none
    ) {
      self.rectOfInterest = rectOfInterest
      self.turn = turn
    }

    /// The shape of what is shown, upright.
    fileprivate var shape: FramingWindow.Shape {
      let (width, height) = (max(rectOfInterest.width, 0.01), max(rectOfInterest.height, 0.01))
      return turn.isTransposing
        ? FramingWindow.Shape(width: height, height: width)
        : FramingWindow.Shape(width: width, height: height)
    }
  }

  /// The most that a picture is enlarged.
  package static let mostZoom = 2.0

  private var frame: Frame?
  private var people = FramedPeople()
  private var motion: FramingMotion?
  private var aim = FramingWindow(x: 0.5, y: 0.5, side: 1)
  /// Whether the window follows; otherwise it stays where it is.
  private var follows = false
  private var isQuick = false
  /// Since when people have been where the window does not show them well, and since when the window has been at its aim.
  private var unwellSince: Int64?
  private var restSince: Int64?
  private var time: Int64?
  /// The windows of the newest pictures, for stills of them.
  private var history: [(time: Int64, rect: CGRect)] = []
  private let startsWhole: Bool

  /// How far a window may be from the best one without moving: in its own sides, and times.
  private static let deadZone = 0.1
  private static let deadZoom = 1.18
  /// After which time of that it begins to follow, and after which time at rest it stays, in nanoseconds.
  private static let calmNanoseconds: Int64 = 400_000_000
  private static let restNanoseconds: Int64 = 500_000_000
  /// After a gap of this length nothing is followed.
  private static let longestGap: Int64 = 1_000_000_000
  private static let mostHistory = 256

  /// - Parameter startsWhole: Whether the first pictures show all, and the window then goes to the people: for a stream that is being
  ///   watched already. Otherwise it begins with them.
  package init(startsWhole: Bool) {
    self.startsWhole = startsWhole
  }

  /// The part to show of the stream's next picture, in its own width and height from the top left, in the shape of the frame's rectangle.
  ///
  /// - Parameters:
  ///   - faces: All that were found in the picture, from the hairline to the chin, in the same measure.
  ///   - nanoseconds: When the picture was taken. Earlier than the one before, or a second later, it begins anew.
  package func follow(_ faces: [CGRect], _ frame: Frame, at nanoseconds: Int64) -> CGRect {
    let faces = faces.map { $0.turned(frame.turn) }
    let shape = frame.shape
    let passed = time.map { nanoseconds - $0 }
    defer { time = nanoseconds }
    guard let passed, passed >= 0, passed < Self.longestGap, frame == self.frame, motion != nil else {
      let isFirst = time == nil
      self.frame = frame
      people = FramedPeople()
      people.see(faces, at: nanoseconds, isFirst: true)
      let best = best(shape)
      let first = isFirst && startsWhole ? .whole(shape) : best
      motion = FramingMotion(at: first)
      (aim, follows, isQuick, unwellSince, restSince) = (best, first != best, false, nil, nil)
      return keep(first, frame, nanoseconds)
    }
    people.see(faces, at: nanoseconds, isFirst: false)
    plan(best(shape), shape, nanoseconds)
    motion?.advance(to: aim, isQuick ? .quick : .calm, by: Double(passed) / 1e9)
    return keep((motion?.window ?? aim).inside(shape), frame, nanoseconds)
  }

  /// The part to show of a still: as the stream's picture of that time, or the newest before it; of a still without a stream what
  /// shows these faces well.
  package func window(at nanoseconds: Int64, _ frame: Frame, faces: [CGRect]) -> CGRect {
    if let known = history.last(where: { $0.time <= nanoseconds }) ?? history.first { return known.rect }
    return Self.window(showing: faces, frame)
  }

  /// The part of a picture that shows faces well; all of it without any.
  package static func window(showing faces: [CGRect], _ frame: Frame) -> CGRect {
    let shape = frame.shape
    let faces = faces.map { $0.turned(frame.turn) }
    return best(showing: faces, shape).rect(shape).turned(frame.turn.opposite)
  }

  // MARK: Planning

  private func best(_ shape: FramingWindow.Shape) -> FramingWindow {
    Self.best(showing: people.faces, shape)
  }

  private static func best(showing faces: [CGRect], _ shape: FramingWindow.Shape) -> FramingWindow {
    faces.isEmpty
      ? .whole(shape)
      : FramingWindow(showing: faces, shape, leastSide: min(1 / mostZoom, shape.mostSide))
  }

  /// Decides whether the window follows, and how fast.
  private func plan(_ best: FramingWindow, _ shape: FramingWindow.Shape, _ nanoseconds: Int64) {
    let window = motion?.window ?? best
    let isCutOff = people.faces.contains { !window.holds($0, shape) && best.holds($0, shape) }
    if isCutOff {
      (follows, isQuick) = (true, true)
    } else if isQuick, window.distance(to: best) < Self.deadZone * best.side {
      isQuick = false
    }
    let way = window.distance(to: FramingWindow(x: best.x, y: best.y, side: window.side))
    let zoom = max(window.side / best.side, best.side / window.side)
    let isWell = way < Self.deadZone * window.side && zoom < Self.deadZoom
    unwellSince = isWell ? nil : unwellSince ?? nanoseconds
    if let unwellSince, nanoseconds - unwellSince >= Self.calmNanoseconds { follows = true }
    guard follows else { return }
    aim = best
    let isThere = window.distance(to: best) < 0.02 * best.side
    restSince = isThere ? restSince ?? nanoseconds : nil
    if let restSince, nanoseconds - restSince >= Self.restNanoseconds {
      (follows, isQuick) = (false, false)
      self.restSince = nil
    }
  }

  private func keep(_ window: FramingWindow, _ frame: Frame, _ nanoseconds: Int64) -> CGRect {
    let rect = window.rect(frame.shape).turned(frame.turn.opposite)
    if let last = history.last, last.time >= nanoseconds { history = [] }
    history.append((nanoseconds, rect))
    if history.count > Self.mostHistory { history.removeFirst(history.count - Self.mostHistory) }
    return rect
  }
}

extension CGRect {
  /// Where the rectangle of a picture, in its width and height from the top left, is after a clockwise turn.
  func turned(_ turn: QuarterTurn) -> CGRect {
    switch turn {
    case .none: self
    case .clockwise90: CGRect(x: 1 - maxY, y: minX, width: height, height: width)
    case .half: CGRect(x: 1 - maxX, y: 1 - maxY, width: width, height: height)
    case .clockwise270: CGRect(x: minY, y: 1 - maxX, width: height, height: width)
    }
  }
}

extension QuarterTurn {
  fileprivate var opposite: QuarterTurn {
    switch self {
    case .none, .half: self
    case .clockwise90: .clockwise270
    case .clockwise270: .clockwise90
    }
  }
}
