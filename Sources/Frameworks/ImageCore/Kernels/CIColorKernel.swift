public import Foundation

/// A kernel whose output depends on each image's pixel at the same position: `kernel vec4 name(__sample pixel, float amount) { … }`.
///
/// `destCoord()` is the position. Pixels, errors and cost are as of ``CIKernel``.
///
/// Apple: `CIColorKernel`.
open class CIColorKernel: CIKernel, @unchecked Sendable {
  /// The first kernel of `source`; `nil` where it does not compile, has a `sampler` or returns no `vec4`.
  ///
  /// Apple: `CIColorKernel.init(source:)`.
  public override init?(source: String) { super.init(source: source) }

  override init(_ program: KernelProgram) { super.init(program) }

  override class func refusal(_ program: KernelProgram) -> String? {
    if program.hasSamplers { return "it has a sampler; use a __sample, or a CIKernel." }
    return super.refusal(program)
  }

  /// The kernel's output as an image, computed when it is rendered.
  ///
  /// - Parameters:
  ///   - extent: Its extent, in pixels.
  ///   - arguments: As of ``CIKernel/apply(extent:roiCallback:arguments:)``.
  /// - Returns: `nil` where arguments do not fit.
  ///
  /// Apple: `CIColorKernel.apply(extent:arguments:)`.
  open func apply(extent: CGRect, arguments args: [Any]?) -> CIImage? {
    applied(extent, nil, args)
  }
}
