internal import Foundation
internal import PixelTransforms

/// A change of colours that depend on nothing but the pixel's own, as rows of pixels that are not premultiplied.
///
/// Steps are data, so that those of several filters are joined, and each runs over a row in one loop.
enum ColorStep: Sendable {
  case affine(ColorAffine)
  case curves(ColorCurves)
  case cube(ColorCube)
  /// A share of the way from a colour to what the steps make of it; alpha stays.
  indirect case partly(Float, [ColorStep])
  /// Anything else, a pixel at a time.
  case rule(keepsAlpha: Bool, @Sendable (SIMD4<Float>) -> SIMD4<Float>)

  /// Whether alpha goes through as it is.
  var keepsAlpha: Bool {
    switch self {
    case .affine(let change): change.keepsAlpha
    case .curves, .partly: true
    case .cube(let cube): cube.isOpaque
    case .rule(let keeps, _): keeps
    }
  }

  /// Whether the three colours of each pixel are equal after this step, to the bit.
  ///
  /// - Parameter isGray: Whether they are before it.
  func isGray(after isGray: Bool) -> Bool {
    switch self {
    case .affine(let change): change.makesGray
    case .curves(let curves): isGray && curves.isOne
    case .cube, .partly, .rule: false
    }
  }

  /// - Parameter isGray: Whether the three colours of each pixel are equal.
  func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, isGray: Bool = false) {
    switch self {
    case .affine(let affine): affine.change(row, count)
    case .curves(let curves): curves.change(row, count, isGray: isGray)
    case .cube(let cube): cube.change(row, count)
    case .partly(let share, let steps):
      withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { whole in
        guard let changed = whole.baseAddress else { return }
        changed.initialize(from: row, count: count)
        for step in steps { step.change(changed, count) }
        PixelRows.move(row, count, towards: changed, by: share)
      }
    case .rule(_, let change):
      for index in 0..<count { row[index] = change(row[index]) }
    }
  }
}

extension [ColorStep] {
  /// These steps and then `others`; neighbours that are one matrix each become one.
  ///
  /// Steps after one that changes alpha stand apart, because alpha is kept within its limits in between.
  func joined(with others: [ColorStep]) -> [ColorStep] {
    var result = self
    for step in others {
      if case .affine(let second) = step, case .affine(let first) = result.last, first.keepsAlpha {
        result[result.count - 1] = .affine(first.followed(by: second))
      } else {
        result.append(step)
      }
    }
    return result
  }
}

/// A matrix of four by four numbers, and what is added.
struct ColorAffine: Sendable {
  var red = SIMD4<Float>(1, 0, 0, 0)
  var green = SIMD4<Float>(0, 1, 0, 0)
  var blue = SIMD4<Float>(0, 0, 1, 0)
  var alpha = SIMD4<Float>(0, 0, 0, 1)
  var bias = SIMD4<Float>.zero

  /// Whether alpha goes through as it is.
  var keepsAlpha: Bool {
    red.w == 0 && green.w == 0 && blue.w == 0 && alpha.w == 1 && bias.w == 0
  }

  /// Whether the three colours of each result are equal, to the bit.
  var makesGray: Bool {
    [red, green, blue, alpha, bias].allSatisfy { $0.x == $0.y && $0.y == $0.z }
  }

  func applied(to pixel: SIMD4<Float>) -> SIMD4<Float> {
    red * pixel.x + green * pixel.y + (blue * pixel.z + alpha * pixel.w) + bias
  }

  func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) {
    PixelRows.multiply(row, count, by: (red, green, blue, alpha, bias))
  }

  /// One change that does this one and then `next`.
  func followed(by next: ColorAffine) -> ColorAffine {
    var result = next
    func turned(_ column: SIMD4<Float>) -> SIMD4<Float> { next.applied(to: column) - next.bias }
    (result.red, result.green, result.blue) = (turned(red), turned(green), turned(blue))
    result.alpha = turned(alpha)
    result.bias = next.applied(to: bias)
    return result
  }
}

extension ColorAffine {
  /// All colours times `factor`, and `bias` added.
  init(factor: Float, bias: Float = 0) {
    self.init(factors: SIMD3(repeating: factor), bias: SIMD3(repeating: bias))
  }

  /// Each colour times its factor, and its bias added.
  init(factors: SIMD3<Float>, bias: SIMD3<Float> = .zero) {
    self.init()
    (red.x, green.y, blue.z) = (factors.x, factors.y, factors.z)
    self.bias = SIMD4(bias, 0)
  }

  /// Every colour becomes gray of its brightness, times `color`, which is added to `bias`.
  init(luminanceTimes color: SIMD4<Float>, bias: SIMD4<Float> = .zero) {
    var color = color
    color.w = 0
    (red, green, blue) = (color * 0.2126, color * 0.7152, color * 0.0722)
    self.bias = bias
    self.bias.w = 0
  }

  /// The matrix that does to colours what `change` does, which must be linear.
  init(linear change: (SIMD3<Float>) -> SIMD3<Float>) {
    red = SIMD4(change(SIMD3(1, 0, 0)), 0)
    green = SIMD4(change(SIMD3(0, 1, 0)), 0)
    blue = SIMD4(change(SIMD3(0, 0, 1)), 0)
  }

  /// `share` of the way from each colour to what this change makes of it.
  func partly(_ share: Float) -> ColorAffine {
    // What is added and taken away again would not be the same to the bit.
    if share == 1 { return self }
    let same = ColorAffine()
    func between(_ from: SIMD4<Float>, _ to: SIMD4<Float>) -> SIMD4<Float> { from + (to - from) * share }
    return ColorAffine(
      red: between(same.red, red), green: between(same.green, green), blue: between(same.blue, blue),
      alpha: between(same.alpha, alpha), bias: between(same.bias, bias))
  }
}
