public import Foundation
internal import FoundationExtras

/// Returns the part of an image that a kernel needs for a part of its output, both in pixels of their extents.
///
/// Its arguments are the index of the image among the kernel's images, from 0, and the part of the output. It is called on the
/// threads that render, several at once.
///
/// Apple: `CIKernelROICallback`.
public typealias CIKernelROICallback = (Int32, CGRect) -> CGRect

/// A client's own pixels, written in the Core Image Kernel Language: `kernel vec4 name(sampler image, float amount) { … }`.
///
/// Pixels come and go premultiplied, in the context's working space: linear light unless it names another. A sampler's coordinates
/// are the image's own, in pixels; between two pixels it interpolates linearly, and beyond the image it is clear. Cost: the source
/// is compiled once; a kernel then works on 128 pixels at a time, on all cores. Immutable; thread-safe.
///
/// - Note: Unlike Core Image, Metal libraries are not read, and the language has no matrices and no `out` parameters.
///
/// Source: [Core Image Kernel Language
/// Reference](https://developer.apple.com/library/archive/documentation/GraphicsImaging/Reference/CIKernelLangRef/ci_gslang_ext.html).
///
/// Apple: `CIKernel`.
open class CIKernel: NSObject, @unchecked Sendable {  // Safe: its one property is constant.
  let program: KernelProgram

  /// The first kernel of `source`; `nil` where it does not compile or is of another kind, which a line in the log explains.
  ///
  /// Apple: `CIKernel.init(source:)`.
  public init?(source: String) {
    guard let programs = Self.programs(source) else { return nil }
    guard let program = programs.first else {
      RenderLog.report("A kernel's source has no function that is marked 'kernel'.")
      return nil
    }
    if let reason = Self.refusal(program) {
      RenderLog.report("'\(program.name)' is no \(Self.self): \(reason)")
      return nil
    }
    self.program = program
    super.init()
  }

  init(_ program: KernelProgram) {
    self.program = program
  }

  /// The reason why a program is no kernel of this class; `nil` where it is one.
  class func refusal(_ program: KernelProgram) -> String? {
    program.resultWidth == 4 ? nil : "it does not return a vec4."
  }

  /// All kernels of `source`: each a ``CIColorKernel`` or a ``CIWarpKernel`` where it can be one.
  ///
  /// - Returns: `nil` where the source does not compile; a line in the log gives the reason.
  ///
  /// Apple: `CIKernel.makeKernels(source:)`.
  public class func makeKernels(source: String) -> [CIKernel]? {
    programs(source)?.compactMap { program in
      if CIColorKernel.refusal(program) == nil { return CIColorKernel(program) }
      if CIWarpKernel.refusal(program) == nil { return CIWarpKernel(program) }
      return CIKernel.refusal(program) == nil ? CIKernel(program) : nil
    }
  }

  /// Compiles a source; `nil` and a line in the log where that fails.
  private static func programs(_ source: String) -> [KernelProgram]? {
    do throws(KernelError) { return try KernelCompiler(source).programs() } catch {
      RenderLog.report("A kernel does not compile, \(error)")
      return nil
    }
  }

  /// The kernel's name in its source.
  ///
  /// Apple: `CIKernel.name`.
  open var name: String { program.name }

  /// The kernel's output as an image, computed when it is rendered.
  ///
  /// - Parameters:
  ///   - extent: Its extent, in pixels.
  ///   - callback: Returns the part of each sampler's image that a part of the output needs.
  ///   - arguments: One for each parameter, in their order: a number for `float`, `int` and `bool`, a `CIVector` for vectors, a
  ///     `CIColor` for `__color`, a `CIImage` for `sampler` and `__sample`. Others are a programming mistake.
  /// - Returns: `nil` where the arguments do not fit.
  ///
  /// Apple: `CIKernel.apply(extent:roiCallback:arguments:)`.
  open func apply(extent: CGRect, roiCallback callback: @escaping CIKernelROICallback, arguments args: [Any]?)
    -> CIImage?
  {
    applied(extent, KernelWork.Region(callback: callback), args)
  }

  func applied(_ extent: CGRect, _ region: KernelWork.Region?, _ arguments: [Any]?) -> CIImage? {
    guard let (work, extent) = work(extent, region, arguments) else { return nil }
    if extent.isNull || extent.isEmpty { return .empty() }
    return CIImage(.work(work, extent: extent))
  }

  func work(_ extent: CGRect, _ region: KernelWork.Region?, _ given: [Any]?) -> (KernelWork, CGRect)? {
    let given = given ?? []
    guard given.count == program.parameters.count else {
      ProgrammingMistake.report(
        rule: "The kernel '\(name)' takes \(program.parameters.count) arguments; given were \(given.count).")
      return nil
    }
    var (arguments, images): ([KernelArgument], [Recipe]) = ([], [])
    for (parameter, value) in zip(program.parameters, given) {
      guard let argument = parameter.argument(value) else {
        ProgrammingMistake.report(
          rule: "The kernel '\(name)' cannot take \(type(of: value)) as argument \(arguments.count + 1).")
        return nil
      }
      arguments.append(argument)
      if let image = value as? CIImage { images.append(image.recipe) }
    }
    let extent = extent.standardized
    return (KernelWork(program, arguments, images: images, region: region, extent: extent), extent)
  }
}

extension KernelProgram.Parameter {
  /// A client's value for the parameter; `nil` where it does not fit.
  fileprivate func argument(_ value: Any) -> KernelArgument? {
    switch self {
    case .sample, .sampler: return value is CIImage ? .image : nil
    case .color: return (value as? CIColor).map(KernelArgument.color)
    case .number(let width):
      if width == 1 { return LooseNumber.double(value).map { .number(SIMD4(repeating: Float($0))) } }
      if let color = value as? CIColor, width >= 3 {
        return .number(SIMD4(Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)))
      }
      guard let vector = value as? CIVector, vector.count >= width else { return nil }
      var numbers = SIMD4<Float>.zero
      for place in 0..<width { numbers[place] = Float(vector.value(at: place)) }
      return .number(numbers)
    }
  }
}
