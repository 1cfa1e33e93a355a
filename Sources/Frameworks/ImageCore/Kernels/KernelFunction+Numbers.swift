internal import Foundation
internal import GraphicsCore

extension KernelFunction {
  typealias Row = UnsafeMutablePointer<SIMD4<Float>>

  /// Applies the function to `count` pixels.
  ///
  /// - Parameter width: The number of components of the widest argument.
  func apply(to: Row, _ from: [Row], _ count: Int, width: Int) {
    switch from.count {
    case 1: applyToOne(to, from[0], count, width)
    case 2: applyToTwo(to, from[0], from[1], count, width)
    default: applyToThree(to, from[0], from[1], from[2], count, width)
    }
  }

  private func applyToOne(_ to: Row, _ a: Row, _ count: Int, _ width: Int) {
    func each(_ body: (SIMD4<Float>) -> SIMD4<Float>) {
      for index in 0..<count { to[index] = body(a[index]) }
    }
    // The C library has no vector form of these.
    func places(_ body: (Float) -> Float) {
      for index in 0..<count { to[index] = a[index].mapped(width, body) }
    }
    switch self {
    case .negate: each { -$0 }
    case .not: each { $0.x == 0 ? .one : .zero }
    case .truncate: each { $0.rounded(.towardZero) }
    case .radians: each { $0 * (.pi / 180) }
    case .degrees: each { $0 * (180 / .pi) }
    case .sin: places(Foundation.sin)
    case .cos: places(Foundation.cos)
    case .tan: places(Foundation.tan)
    case .asin: places(Foundation.asin)
    case .acos: places(Foundation.acos)
    case .atan: places(Foundation.atan)
    case .exp: places(Foundation.exp)
    case .log: places(Foundation.log)
    case .exp2: places(Foundation.exp2)
    case .log2: places(Foundation.log2)
    case .sqrt: each { $0.squareRoot() }
    case .inversesqrt: each { 1 / $0.squareRoot() }
    case .abs: each { $0.replacing(with: -$0, where: $0 .< 0) }
    case .sign:
      each { SIMD4<Float>.zero.replacing(with: 1, where: $0 .> 0).replacing(with: -1, where: $0 .< 0) }
    case .floor: each { $0.rounded(.down) }
    case .ceil: each { $0.rounded(.up) }
    case .fract: each { $0 - $0.rounded(.down) }
    case .srgb_to_linear:
      // Alpha, where there is one, is no colour.
      for index in 0..<count { to[index] = a[index].curved(width) { TransferFunction.sRGB.linear($0) } }
    case .linear_to_srgb:
      for index in 0..<count { to[index] = a[index].curved(width) { TransferFunction.sRGB.stored($0) } }
    case .length: each { SIMD4(repeating: $0.dot($0, width).squareRoot()) }
    case .normalize: each { $0 / $0.dot($0, width).squareRoot() }
    case .premultiply: each { ($0 * $0.w).withAlpha($0.w) }
    case .unpremultiply: each { $0.w != 0 ? ($0 / $0.w).withAlpha($0.w) : $0 }
    case .cossin: each { SIMD4(Foundation.cos($0.x), Foundation.sin($0.x), 0, 0) }
    case .sincos: each { SIMD4(Foundation.sin($0.x), Foundation.cos($0.x), 0, 0) }
    default: preconditionFailure("\(self) takes no single argument.")
    }
  }

  private func applyToTwo(_ to: Row, _ a: Row, _ b: Row, _ count: Int, _ width: Int) {
    func each(_ body: (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>) {
      for index in 0..<count { to[index] = body(a[index], b[index]) }
    }
    func predicate(_ body: (SIMD4<Float>, SIMD4<Float>) -> Bool) { each { body($0, $1) ? .one : .zero } }
    switch self {
    case .add: each { $0 + $1 }
    case .subtract: each { $0 - $1 }
    case .multiply: each { $0 * $1 }
    case .divide: each { $0 / $1 }
    case .integerDivide: each { ($0 / $1).rounded(.towardZero) }
    case .pow: each { base, power in base.mapped(width, with: power, Foundation.pow) }
    case .atan2: each { y, x in y.mapped(width, with: x, Foundation.atan2) }
    case .mod: each { $0 - $1 * ($0 / $1).rounded(.down) }
    case .min: each { pointwiseMin($0, $1) }
    case .max: each { pointwiseMax($0, $1) }
    case .step: each { edge, x in SIMD4<Float>.one.replacing(with: 0, where: x .< edge) }
    case .less: predicate { $0.x < $1.x }
    case .lessOrEqual: predicate { $0.x <= $1.x }
    case .and: predicate { $0.x != 0 && $1.x != 0 }
    case .or: predicate { $0.x != 0 || $1.x != 0 }
    case .equal: predicate { a, b in (0..<width).allSatisfy { a[$0] == b[$0] } }
    case .distance: each { SIMD4(repeating: ($0 - $1).dot($0 - $1, width).squareRoot()) }
    case .dot: each { SIMD4(repeating: $0.dot($1, width)) }
    case .cross:
      each { a, b in
        SIMD4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0)
      }
    case .reflect: each { $0 - $1 * (2 * $1.dot($0, width)) }
    case .component: each { vector, number in SIMD4(repeating: vector[number.x.index(below: width)]) }
    default: preconditionFailure("\(self) takes no two arguments.")
    }
  }

  private func applyToThree(_ to: Row, _ a: Row, _ b: Row, _ c: Row, _ count: Int, _ width: Int) {
    func each(_ body: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>) {
      for index in 0..<count { to[index] = body(a[index], b[index], c[index]) }
    }
    switch self {
    case .clamp: each { pointwiseMin(pointwiseMax($0, $1), $2) }
    case .mix: each { $0 + ($1 - $0) * $2 }
    case .smoothstep:
      each { low, high, x in
        let share = ((x - low) / (high - low)).clamped(lowerBound: .zero, upperBound: .one)
        return share * share * (3 - 2 * share)
      }
    case .compare: each { $2.replacing(with: $1, where: $0 .< 0) }
    case .faceforward: each { $1.dot($2, width) < 0 ? $0 : -$0 }
    case .select: each { $0.x != 0 ? $1 : $2 }
    default: preconditionFailure("\(self) takes no three arguments.")
    }
  }
}

extension Float {
  /// The number as an index, clamped to 0…`count` - 1.
  fileprivate func index(below count: Int) -> Int {
    self > 0 ? (self < Float(count) ? Int(self) : count - 1) : 0
  }
}

extension SIMD4<Float> {
  /// Applies `body` to the first `width` components; a scalar's result is repeated in all four.
  fileprivate func mapped(_ width: Int, _ body: (Float) -> Float) -> SIMD4<Float> {
    if width == 1 { return SIMD4(repeating: body(x)) }
    var result = self
    for place in 0..<width { result[place] = body(self[place]) }
    return result
  }

  fileprivate func mapped(
    _ width: Int, with other: SIMD4<Float>, _ body: (Float, Float) -> Float
  ) -> SIMD4<Float> {
    if width == 1 { return SIMD4(repeating: body(x, other.x)) }
    var result = self
    for place in 0..<width { result[place] = body(self[place], other[place]) }
    return result
  }

  /// Applies a curve to the colours, mirrored for negative numbers; alpha stays as it is.
  fileprivate func curved(_ width: Int, _ curve: (Double) -> Double) -> SIMD4<Float> {
    var result = mapped(Swift.min(width, 3)) {
      $0 < 0 ? -Float(curve(-Double($0))) : Float(curve(Double($0)))
    }
    if width == 4 { result.w = w }
    return result
  }

  fileprivate func dot(_ other: SIMD4<Float>, _ width: Int) -> Float {
    let product = self * other
    let sum = width == 1 ? product.x : product.x + product.y
    if width < 3 { return sum }
    return width == 3 ? sum + product.z : sum + product.z + product.w
  }
}
