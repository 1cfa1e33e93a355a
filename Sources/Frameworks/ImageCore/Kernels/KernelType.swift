internal import Foundation

/// The types of the kernel language that are supported.
enum KernelType: Equatable, Sendable {
  case void, bool, int, float
  case vector(Int)
  case sampler

  init?(_ name: String) {
    switch name {
    case "void": self = .void
    case "bool": self = .bool
    case "int": self = .int
    case "float": self = .float
    case "vec2": self = .vector(2)
    case "vec3": self = .vector(3)
    case "vec4", "__color", "__sample": self = .vector(4)
    case "sampler": self = .sampler
    default: return nil
    }
  }

  /// The number of its components; 0 for what no register holds.
  var width: Int {
    switch self {
    case .void, .sampler: 0
    case .bool, .int, .float: 1
    case .vector(let width): width
    }
  }

  var isScalar: Bool { self == .int || self == .float }

  static func of(width: Int) -> KernelType { width == 1 ? .float : .vector(width) }

  /// As the language spells it.
  var name: String {
    switch self {
    case .void: "void"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .vector(let width): "vec\(width)"
    case .sampler: "sampler"
    }
  }
}

/// A function of a source; its body is inlined at each call.
struct KernelRoutine: Sendable {
  struct Parameter: Sendable {
    let name: String
    let type: KernelType
    /// The type's name in the source: `__color`, `__sample` and `vec4` are all vectors of four.
    let spelling: String
  }

  let name: String
  let isKernel: Bool
  let result: KernelType
  let parameters: [Parameter]
  /// The position of the token after the body's opening brace.
  let body: Int
}
