package import Foundation

/// Finds motion in a stream of pictures, by what differs from the picture as it has been of late.
///
/// Each cell of the picture keeps its usual brightness and how much that trembles. A factor by which the whole picture is brighter or
/// darker, the median over all cells, is no motion: so the exposure changes it. Neither is noise, the slow change of the light, a single
/// cell that changes, nor a change of nearly everything at once, which is a lamp. One call at a time; some hundred microseconds.
package struct MotionFinder: Sendable {
  /// How easily motion is found.
  package enum Sensitivity: String, CaseIterable, Sendable {
    case low, medium, high

    /// The least change of a cell, of 255.
    fileprivate var leastChange: Float {
      switch self {
      case .low: 16
      case .medium: 8
      case .high: 4
      }
    }

    /// The least number of cells, each beside others that change.
    fileprivate var leastCells: Int {
      switch self {
      case .low: 12
      case .medium: 5
      case .high: 3
      }
    }
  }

  private let sensitivity: Sensitivity
  private let region: CGRect
  private var usual: [Float] = []
  private var tremble: [Float] = []
  private var width = 0
  private var lastSeconds = 0.0
  private var firstSeconds = 0.0

  /// How long the usual picture takes to become the present one, in seconds.
  private static let settling = 1.0
  /// How long a change that stays, such as leaves in the wind, takes to become usual.
  private static let habituation = 20.0
  /// How much more than its usual trembling a cell must change.
  private static let trembles: Float = 4
  /// The share of the picture above which a change is one of the light.
  private static let mostCells = 0.7
  /// For so many seconds the first pictures are only looked at: a camera that starts, or a lamp, makes the exposure settle.
  private static let acquaintance = 2.0
  /// A cell that is darker says nothing of the picture's factor.
  private static let leastBrightness: Float = 8
  /// A pause after which nothing is known of what is usual, in seconds.
  private static let longestPause = 5.0

  /// - Parameter region: The part of the picture in which motion counts, in fractions of it.
  package init(_ sensitivity: Sensitivity, in region: CGRect) {
    self.sensitivity = sensitivity
    self.region = region
  }

  /// Begins anew: the next picture has nothing to do with the last.
  package mutating func forget() { usual = [] }

  /// The box around what moves in the next picture, in fractions of it; `nil` where nothing does.
  ///
  /// - Parameter seconds: The moment of the picture, on any clock that goes forward.
  package mutating func motion(in grid: LumaGrid, at seconds: Double) -> CGRect? {
    let pause = seconds - lastSeconds
    lastSeconds = seconds
    guard usual.count == grid.cells.count, width == grid.width, pause >= 0, pause <= Self.longestPause else {
      begin(grid, seconds)
      return nil
    }
    let factors = zip(grid.cells, usual).lazy.filter { $1 >= Self.leastBrightness }.map { $0 / $1 }.sorted()
    let factor = factors.isEmpty ? 1 : factors[factors.count / 2]
    let changes = zip(grid.cells, usual).map { abs($0 - factor * $1) }
    let isMoving = zip(changes, tremble).map { $0 > max(sensitivity.leastChange, Self.trembles * $1) }
    if Double(isMoving.count { $0 }) > Self.mostCells * Double(isMoving.count) {
      begin(grid, seconds)
      return nil
    }
    learn(grid, changes, isMoving, pause)
    guard seconds - firstSeconds >= Self.acquaintance else { return nil }
    return box(around: isMoving, grid)
  }

  private mutating func begin(_ grid: LumaGrid, _ seconds: Double) {
    firstSeconds = seconds
    usual = grid.cells
    width = grid.width
    tremble = [Float](repeating: 1, count: grid.cells.count)
  }

  private mutating func learn(_ grid: LumaGrid, _ changes: [Float], _ isMoving: [Bool], _ pause: Double) {
    let share = Float(1 - exp(-pause / Self.settling))
    let slowShare = Float(1 - exp(-pause / Self.habituation))
    for index in usual.indices {
      usual[index] += (grid.cells[index] - usual[index]) * share
      tremble[index] += (changes[index] - tremble[index]) * (isMoving[index] ? slowShare : share)
    }
  }

  private func box(around isMoving: [Bool], _ grid: LumaGrid) -> CGRect? {
    var (left, top, right, bottom, count) = (Int.max, Int.max, -1, -1, 0)
    for y in 0..<grid.height {
      for x in 0..<grid.width where isMoving[y * grid.width + x] && counts(x, y, grid) {
        guard neighbours(x, y, isMoving, grid) >= 2 else { continue }
        count += 1
        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
      }
    }
    guard count >= sensitivity.leastCells else { return nil }
    let (width, height) = (Double(grid.width), Double(grid.height))
    return CGRect(
      x: Double(left) / width, y: Double(top) / height, width: Double(right - left + 1) / width,
      height: Double(bottom - top + 1) / height)
  }

  private func counts(_ x: Int, _ y: Int, _ grid: LumaGrid) -> Bool {
    region.contains(
      CGPoint(x: (Double(x) + 0.5) / Double(grid.width), y: (Double(y) + 0.5) / Double(grid.height)))
  }

  private func neighbours(_ x: Int, _ y: Int, _ isMoving: [Bool], _ grid: LumaGrid) -> Int {
    var count = 0
    for otherY in max(0, y - 1)...min(grid.height - 1, y + 1) {
      for otherX in max(0, x - 1)...min(grid.width - 1, x + 1)
      where (otherX != x || otherY != y) && isMoving[otherY * grid.width + otherX] {
        count += 1
      }
    }
    return count
  }
}
