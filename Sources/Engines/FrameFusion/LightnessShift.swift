internal import Dispatch

/// How far one picture of a scene is shifted against another, each in its own light.
///
/// Brightness says nothing here: a flash makes a near dark thing brighter than the wall behind it, so that even the sign of an edge may turn.
/// Compared are the directions of edges, as angles twice as large, by normalized correlation from small pictures to larger ones, and between
/// pixels by a parabola.
struct LightnessShift {
  /// In pixels to the right and down: what the first picture shows at a place, the second shows that much farther.
  var x: Float
  var y: Float

  static let none = LightnessShift(x: 0, y: 0)
  var isNone: Bool { x == 0 && y == 0 }

  /// The longest side that is looked at: an eighth of a pixel of it is half a pixel at twelve megapixels.
  private static let largest = 1024
  /// The longest side of the smallest pictures, and how far these are searched: 5 of 80 pixels.
  private static let smallest = 96
  private static let reach = 5
  /// The least correlation that shows the same scene.
  private static let leastLikeness: Float = 0.3
  /// The share of the smaller pictures' likeness that larger ones must have.
  private static let sharpness: Float = 0.85
  /// Shifts below this many pixels are none: the pictures are not worth an interpolation.
  private static let leastShift: Float = 0.1

  init(x: Float, y: Float) { (self.x, self.y) = (x, y) }

  /// Looks for the shift; none where the two do not show one scene, or have nothing to hold on to.
  ///
  /// - Parameters:
  ///   - first: A row of the first picture's pixels, blue, green, red and another byte each.
  ///   - second: The same of the second, which has the same size.
  init(
    width: Int, height: Int, first: @Sendable (Int) -> UnsafePointer<UInt8>,
    second: @Sendable (Int) -> UnsafePointer<UInt8>
  ) {
    self = .none
    let factor = max(1, (max(width, height) + Self.largest - 1) / Self.largest)
    guard width / factor >= 16, height / factor >= 16 else { return }
    var levels = [
      (
        Lightness(width: width, height: height, factor: factor, row: first),
        Lightness(width: width, height: height, factor: factor, row: second)
      )
    ]
    while let last = levels.last, max(last.0.width, last.0.height) > Self.smallest {
      levels.append((last.0.halved(), last.1.halved()))
    }
    var (dx, dy, reach, known) = (0, 0, Self.reach, Self.leastLikeness)
    for (index, level) in levels.enumerated().reversed() {
      let (one, other) = (level.0.edges(), level.1.edges())
      let (startX, startY) = (2 * dx, 2 * dy)
      var best: Float = -1
      for y in startY - reach...startY + reach {
        for x in startX - reach...startX + reach {
          let likeness = one.likeness(to: other, x, y)
          if likeness > best { (best, dx, dy) = (likeness, x, y) }
        }
      }
      // What is finer than the scene's details is noise.
      guard best >= max(Self.leastLikeness, Self.sharpness * known) else { break }
      (reach, known) = (1, best)
      func between(_ less: Float, _ more: Float) -> Float {
        let bend = 2 * best - less - more
        return bend > 0 ? max(-0.5, min(0.5, (more - less) / (2 * bend))) : 0
      }
      let across = between(one.likeness(to: other, dx - 1, dy), one.likeness(to: other, dx + 1, dy))
      let down = between(one.likeness(to: other, dx, dy - 1), one.likeness(to: other, dx, dy + 1))
      let scale = Float(factor << index)
      self = LightnessShift(x: (Float(dx) + across) * scale, y: (Float(dy) + down) * scale)
    }
    if max(abs(x), abs(y)) < Self.leastShift { self = .none }
  }
}

/// The brightness of a picture's places, as coded.
private struct Lightness {
  let width: Int
  let height: Int
  private var values: [Float]

  /// The squared difference in codes from which on an edge is more than noise.
  private static let noise: Float = 64

  private init(width: Int, height: Int, values: [Float]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The means of `factor` × `factor` pixels.
  init(width: Int, height: Int, factor: Int, row: @Sendable (Int) -> UnsafePointer<UInt8>) {
    let (columns, rows) = (width / factor, height / factor)
    let share = 1 / Float(4 * factor * factor)
    (self.width, self.height) = (columns, rows)
    values = [Float](unsafeUninitializedCapacity: columns * rows) { buffer, count in
      nonisolated(unsafe) let target = buffer  // Safe because each iteration writes its own row.
      DispatchQueue.concurrentPerform(iterations: rows) { line in
        for column in 0..<columns {
          var sum = 0
          for y in line * factor..<(line + 1) * factor {
            let pixels = row(y) + 4 * column * factor
            for x in 0..<factor {
              sum += Int(pixels[4 * x]) + 2 * Int(pixels[4 * x + 1]) + Int(pixels[4 * x + 2])
            }
          }
          target[line * columns + column] = Float(sum) * share
        }
      }
      count = columns * rows
    }
  }

  /// The same of half the sides.
  func halved() -> Lightness {
    let (columns, rows) = (width / 2, height / 2)
    var half = [Float](repeating: 0, count: columns * rows)
    for y in 0..<rows {
      for x in 0..<columns {
        let place = 2 * y * width + 2 * x
        half[y * columns + x] =
          (values[place] + values[place + 1] + values[place + width] + values[place + width + 1]) / 4
      }
    }
    return Lightness(width: columns, height: rows, values: half)
  }

  /// The directions of edges, each twice its angle, so that it is no matter which side is the brighter one; short where there is none.
  func edges() -> Edges {
    var edges = Edges(width: width, height: height)
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let place = y * width + x
        let across = values[place + 1] - values[place - 1]
        let down = values[place + width] - values[place - width]
        let strength = across * across + down * down
        let share = 1 / (strength + Self.noise)
        edges.values[place] = SIMD2(across * across - down * down, 2 * across * down) * share
      }
    }
    return edges
  }
}

/// The directions of the edges in a picture.
private struct Edges {
  let width: Int
  let height: Int
  var values: [SIMD2<Float>]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [SIMD2<Float>](repeating: .zero, count: width * height)
  }

  /// The correlation with another one that is shifted, from −1 to 1; 0 where one of them is plain.
  func likeness(to other: Edges, _ dx: Int, _ dy: Int) -> Float {
    let (columns, rows) = (max(0, -dx)..<min(width, width - dx), max(0, -dy)..<min(height, height - dy))
    guard columns.count >= 8, rows.count >= 8 else { return -1 }
    var (product, own, its): (Float, Float, Float) = (0, 0, 0)
    values.withUnsafeBufferPointer { values in
      other.values.withUnsafeBufferPointer { others in
        for y in rows {
          var line: (Float, Float, Float) = (0, 0, 0)
          for x in columns {
            let (a, b) = (values[y * width + x], others[(y + dy) * width + x + dx])
            line.0 += (a * b).sum()
            line.1 += (a * a).sum()
            line.2 += (b * b).sum()
          }
          product += line.0
          own += line.1
          its += line.2
        }
      }
    }
    let scale = (own * its).squareRoot()
    return scale > 0 ? product / scale : 0
  }
}
