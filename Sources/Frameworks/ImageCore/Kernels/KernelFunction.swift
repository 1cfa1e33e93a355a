internal import Foundation

/// An operator or built-in function of the kernel language.
///
/// Source: The OpenGL Shading Language 1.10, chapter 8, and Apple's Core Image Kernel Language Reference.
enum KernelFunction: String, Sendable {
  // One argument, component by component.
  case negate, not, truncate
  case radians, degrees, sin, cos, tan, asin, acos, atan, exp, log, exp2, log2, sqrt, inversesqrt, abs, sign,
    floor, ceil,
    fract
  case srgb_to_linear, linear_to_srgb
  // One argument, all components together.
  case length, normalize, premultiply, unpremultiply, cossin, sincos
  // Two arguments, component by component.
  case add, subtract, multiply, divide, integerDivide
  case pow, mod, min, max, step, atan2
  case less, lessOrEqual, and, or
  // Two arguments, all components together.
  case equal, distance, dot, cross, reflect
  /// A vector's component by its index.
  case component
  // Three arguments.
  case clamp, mix, smoothstep, compare, faceforward, select

  /// The built-in functions by name, with the number of their arguments.
  static let named: [String: (function: KernelFunction, count: Int)] = {
    var all: [String: (KernelFunction, Int)] = [:]
    let one: [KernelFunction] = [
      .radians, .degrees, .sin, .cos, .tan, .asin, .acos, .atan, .exp, .log, .exp2, .log2, .sqrt,
      .inversesqrt, .abs,
      .sign, .floor, .ceil, .fract, .srgb_to_linear, .linear_to_srgb, .length, .normalize, .premultiply,
      .unpremultiply,
      .cossin, .sincos,
    ]
    for function in one { all[function.rawValue] = (function, 1) }
    // Apple's faster forms, for angles from -π to π.
    for function in [KernelFunction.sin, .cos, .tan, .cossin, .sincos] {
      all[function.rawValue + "_"] = (function, 1)
    }
    for function in [KernelFunction.pow, .mod, .min, .max, .step, .distance, .dot, .cross, .reflect] {
      all[function.rawValue] = (function, 2)
    }
    for function in [KernelFunction.clamp, .mix, .smoothstep, .compare, .faceforward] {
      all[function.rawValue] = (function, 3)
    }
    return all
  }()

  /// The number of the result's components, where the widest argument has `width`.
  func resultWidth(_ width: Int) -> Int {
    switch self {
    case .length, .distance, .dot, .equal, .less, .lessOrEqual, .and, .or, .not, .component: 1
    case .cossin, .sincos: 2
    default: width
    }
  }
}
