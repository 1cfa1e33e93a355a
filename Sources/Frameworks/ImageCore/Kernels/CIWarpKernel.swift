public import Foundation

/// A kernel that returns the position from which each pixel of the output is taken: `kernel vec2 name(float amount) { … }`.
///
/// Positions are in pixels of the image; `destCoord()` is the output's. It has no image among its parameters. Errors and cost are as
/// of ``CIKernel``.
///
/// Apple: `CIWarpKernel`.
open class CIWarpKernel: CIKernel, @unchecked Sendable {
  /// The first kernel of `source`; `nil` where it does not compile, has an image among its parameters or returns no `vec2`.
  ///
  /// Apple: `CIWarpKernel.init(source:)`.
  public override init?(source: String) { super.init(source: source) }

  override init(_ program: KernelProgram) { super.init(program) }

  override class func refusal(_ program: KernelProgram) -> String? {
    if program.resultWidth != 2 { return "it does not return a vec2." }
    let takesImages = program.parameters.contains {
      switch $0 {
      case .sample, .sampler: true
      case .number, .color: false
      }
    }
    return takesImages
      ? "it has an image among its parameters; give it to apply(extent:roiCallback:image:arguments:)." : nil
  }

  /// The warped image, computed when it is rendered.
  ///
  /// - Parameters:
  ///   - extent: Its extent, in pixels.
  ///   - callback: Not called: the kernel's own positions say which part of the image is needed.
  ///   - image: The image to warp; beyond its extent it is clear.
  ///   - arguments: As of ``CIKernel/apply(extent:roiCallback:arguments:)``.
  /// - Returns: `nil` where arguments do not fit.
  ///
  /// Apple: `CIWarpKernel.apply(extent:roiCallback:image:arguments:)`.
  open func apply(
    extent: CGRect, roiCallback callback: @escaping CIKernelROICallback, image: CIImage,
    arguments args: [Any]?
  ) -> CIImage? {
    guard let (work, extent) = work(extent, nil, args) else { return nil }
    if extent.isNull || extent.isEmpty { return .empty() }
    return CIImage(.work(KernelWarpWork(work, source: image.recipe), extent: extent))
  }
}
