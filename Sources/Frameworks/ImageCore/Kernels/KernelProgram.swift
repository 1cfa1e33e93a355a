internal import Foundation

/// A compiled kernel: steps on registers, each of which holds a vector of four for every pixel of a run.
///
/// A scalar or a bool is repeated in all four components, so that a scalar multiplies a vector directly.
struct KernelProgram: Sendable {
  typealias Register = Int

  /// One operation for all pixels of a run; its first register is the one that it writes.
  indirect enum Step: Sendable {
    case constant(Register, SIMD4<Float>)
    /// The pixel's center: `destCoord()`.
    case position(Register)
    /// The components of a register in another order.
    case swizzle(Register, Register, SIMD4<UInt8>)
    /// Copies component `place` of `from` to component `at`.
    case insert(Register, at: Int, from: Register, place: Int)
    case function(Register, KernelFunction, [Register], width: Int)
    /// The image at the position that a register holds.
    case sample(Register, image: Int, Register)
    /// Origin and size of an image.
    case extent(Register, image: Int)
    /// An assignment, to the active pixels alone.
    case store(Register, Register)
    /// The first steps for the active pixels whose condition holds, the second for the other active ones.
    case branch(Register, [Step], [Step])
    /// Repeats `body` for the active pixels whose condition holds; `test` computes it.
    case loop(condition: Register, test: [Step], body: [Step], testsFirst: Bool)
    /// An inlined function; pixels that return are inactive until its end.
    case call([Step])
    /// Makes the active pixels inactive: `return`.
    case finish
  }

  /// The kind of a kernel's parameter.
  enum Parameter: Sendable {
    case number(width: Int)
    /// A colour, converted to the working space.
    case color
    /// An image's pixel at the position of the output's.
    case sample
    /// An image that is sampled at any position.
    case sampler
  }

  let name: String
  /// Components of the result: 4 for a colour, 2 for a position.
  let resultWidth: Int
  let parameters: [Parameter]
  /// One for each parameter, in their order; filled before the first step, but for samplers.
  let parameterRegisters: [Register]
  let steps: [Step]
  let result: Register
  let registerCount: Int

  /// Whether it samples an image at any position.
  var hasSamplers: Bool { parameters.contains { if case .sampler = $0 { true } else { false } } }
}
