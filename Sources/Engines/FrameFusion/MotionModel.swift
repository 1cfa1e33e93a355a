/// The motion of everything that stands still, as the camera moved: six numbers, an affine map.
struct MotionModel {
  /// In 1/64 pixels at the origin, and for each pixel to the right and down.
  private var x: (Double, Double, Double)
  private var y: (Double, Double, Double)

  /// The same motion everywhere.
  init(_ motion: Motion) {
    x = (Double(motion.x), 0, 0)
    y = (Double(motion.y), 0, 0)
  }

  /// The motion of pixel (`px`, `py`).
  func motion(_ px: Int, _ py: Int) -> Motion {
    let (u, v) = (Double(px), Double(py))
    return Motion(
      x: Int32((x.0 + x.1 * u + x.2 * v).rounded()), y: Int32((y.0 + y.1 * u + y.2 * v).rounded()))
  }

  /// The same motion in a picture of `times` the size.
  func enlarged(_ times: Double) -> MotionModel {
    var model = self
    (model.x.0, model.y.0) = (x.0 * times, y.0 * times)
    return model
  }

  /// A tile's measured motion, and how firmly its texture holds it (the matrix of the gradients' products).
  struct Sample {
    var px: Double
    var py: Double
    var motion: Motion
    var xx: Double
    var xy: Double
    var yy: Double
  }

  /// The map that most of the samples follow: least squares, weighted anew by Cauchy's rule (Holland & Welsch 1977).
  ///
  /// With few samples, only a shift.
  init(_ samples: [Sample]) {
    let middle = Motion(
      x: Self.median(samples.map(\.motion.x)), y: Self.median(samples.map(\.motion.y)))
    self.init(middle)
    guard samples.count >= 3 else { return }
    // Columns and rows around the middle, in hundreds of pixels: sums of like size.
    let center = (
      x: samples.reduce(0) { $0 + $1.px } / Double(samples.count),
      y: samples.reduce(0) { $0 + $1.py } / Double(samples.count)
    )
    let unit = 256.0
    let isShift = samples.count < 40
    var solution = [Double(middle.x), 0, 0, Double(middle.y), 0, 0]
    for round in 0..<12 {
      // Sixty-fourths of a pixel; a wide net first.
      let scale = max(6, 128 / Double(1 << min(round, 5)))
      var matrix = [Double](repeating: 0, count: 36)
      var right = [Double](repeating: 0, count: 6)
      for sample in samples {
        let basis = isShift ? [1, 0, 0] : [1, (sample.px - center.x) / unit, (sample.py - center.y) / unit]
        let dx = Double(sample.motion.x) - (0..<3).reduce(0) { $0 + solution[$1] * basis[$1] }
        let dy = Double(sample.motion.y) - (0..<3).reduce(0) { $0 + solution[3 + $1] * basis[$1] }
        // Along an edge a tile says nothing: only the part of the error counts that its texture holds.
        let total = sample.xx + sample.yy + 1
        let error = (sample.xx * dx * dx + 2 * sample.xy * dx * dy + sample.yy * dy * dy) / total
        let weight = 1 / total.squareRoot() / (1 + max(0, error) / (scale * scale))
        for i in 0..<3 {
          for j in 0..<3 {
            let product = weight * basis[i] * basis[j]
            matrix[i * 6 + j] += product * sample.xx
            matrix[i * 6 + 3 + j] += product * sample.xy
            matrix[(3 + i) * 6 + j] += product * sample.xy
            matrix[(3 + i) * 6 + 3 + j] += product * sample.yy
          }
          right[i] +=
            weight * basis[i] * (sample.xx * Double(sample.motion.x) + sample.xy * Double(sample.motion.y))
          right[3 + i] +=
            weight * basis[i] * (sample.xy * Double(sample.motion.x) + sample.yy * Double(sample.motion.y))
        }
      }
      for i in 0..<6 where isShift && i % 3 != 0 { matrix[i * 7] = 1 }
      guard let next = Self.solved(matrix, right) else { return }
      solution = next
    }
    let (a, b) = (solution[1] / unit, solution[2] / unit)
    let (c, d) = (solution[4] / unit, solution[5] / unit)
    x = (solution[0] - a * center.x - b * center.y, a, b)
    y = (solution[3] - c * center.x - d * center.y, c, d)
  }

  private static func median(_ values: [Int32]) -> Int32 {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  /// Gauss's elimination with pivots; `nil` where the matrix is singular.
  private static func solved(_ matrix: [Double], _ right: [Double]) -> [Double]? {
    let count = right.count
    var (a, b) = (matrix, right)
    let largest = a.map(abs).max() ?? 0
    for column in 0..<count {
      let pivot = (column..<count).max { abs(a[$0 * count + column]) < abs(a[$1 * count + column]) } ?? column
      guard abs(a[pivot * count + column]) > largest * 1e-12 else { return nil }
      if pivot != column {
        for k in 0..<count { a.swapAt(pivot * count + k, column * count + k) }
        b.swapAt(pivot, column)
      }
      for row in column + 1..<count {
        let factor = a[row * count + column] / a[column * count + column]
        if factor == 0 { continue }
        for k in column..<count { a[row * count + k] -= factor * a[column * count + k] }
        b[row] -= factor * b[column]
      }
    }
    for row in stride(from: count - 1, through: 0, by: -1) {
      for k in row + 1..<count { b[row] -= a[row * count + k] * b[k] }
      b[row] /= a[row * count + row]
    }
    return b
  }
}
