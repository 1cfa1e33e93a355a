public import CoreVideo
public import Foundation
internal import GraphicsCore

/// The pixels that a processor reads, as long as its call lasts.
///
/// Apple: `CIImageProcessorInput`.
public protocol CIImageProcessorInput {
  /// Where the pixels lie in the input image: what the processor asked for; clear beyond the image.
  ///
  /// Apple: `CIImageProcessorInput.region`.
  var region: CGRect { get }
  /// The bytes from one row to the next.
  ///
  /// Apple: `CIImageProcessorInput.bytesPerRow`.
  var bytesPerRow: Int { get }
  /// How the pixels are stored, colours times alpha: as the processor asked for.
  ///
  /// Apple: `CIImageProcessorInput.format`.
  var format: CIFormat { get }
  /// The first pixel of the top row.
  ///
  /// Apple: `CIImageProcessorInput.baseAddress`.
  var baseAddress: UnsafeRawPointer { get }
  /// The same pixels as a buffer; `nil` in `.RGBAf`.
  ///
  /// Apple: `CIImageProcessorInput.pixelBuffer`.
  var pixelBuffer: CVPixelBuffer? { get }
}

/// The pixels that a processor writes, as long as its call lasts; clear before.
///
/// Apple: `CIImageProcessorOutput`.
public protocol CIImageProcessorOutput {
  /// Where the pixels lie in the output image.
  ///
  /// Apple: `CIImageProcessorOutput.region`.
  var region: CGRect { get }
  /// The bytes from one row to the next.
  ///
  /// Apple: `CIImageProcessorOutput.bytesPerRow`.
  var bytesPerRow: Int { get }
  /// How the pixels are stored, colours times alpha: as the processor asked for.
  ///
  /// Apple: `CIImageProcessorOutput.format`.
  var format: CIFormat { get }
  /// The first pixel of the top row.
  ///
  /// Apple: `CIImageProcessorOutput.baseAddress`.
  var baseAddress: UnsafeMutableRawPointer { get }
  /// The same pixels as a buffer; `nil` in `.RGBAf`.
  ///
  /// Apple: `CIImageProcessorOutput.pixelBuffer`.
  var pixelBuffer: CVPixelBuffer? { get }
}

/// The reason why a processor makes no image.
public struct ImageProcessorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence: what failed, why, what to do.
  public let description: String

  static let formatUnsupported = ImageProcessorError(
    description: "A processor cannot read or write this format; choose BGRA8, RGBA8 or RGBAf.")
  static let processMissing = ImageProcessorError(
    description: "A processor makes no pixels of its own; override process(with:arguments:output:).")
  static let regionEndless = ImageProcessorError(
    description:
      "A processor asked for an input without end; return a rectangle from roi(forInput:arguments:outputRect:)."
  )
}

/// A client's own code that makes pixels out of those of other images: subclass it, and override what differs.
///
/// No instances are made: the class's methods are called for each part of an image that is rendered, on several threads at once.
/// Numbers are those of the context's working space, linear light unless it names another.
///
/// A processor that asks for much more of an input than it is to write is called once for all of its image, which takes
/// memory for all of it.
///
/// - Note: Unlike Core Image, formats are `.BGRA8`, `.RGBA8` and `.RGBAf`; there is one output, and no texture.
///
/// Apple: `CIImageProcessorKernel`.
open class CIImageProcessorKernel: NSObject {
  /// Writes the pixels of `output`; what is thrown is logged, and the part stays clear.
  ///
  /// - Parameters:
  ///   - inputs: One for each input image; `nil` without any.
  ///   - arguments: Those of ``apply(withExtent:inputs:arguments:)``.
  ///
  /// Apple: `CIImageProcessorKernel.process(with:arguments:output:)`.
  open class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    throw ImageProcessorError.processMissing
  }

  /// The part of an input that a part of the output is made of; the same part unless overridden.
  ///
  /// - Parameter outputRect: The part of the output, whole pixels.
  ///
  /// Apple: `CIImageProcessorKernel.roi(forInput:arguments:outputRect:)`.
  open class func roi(forInput inputIndex: Int32, arguments: [String: Any]?, outputRect: CGRect) -> CGRect {
    outputRect
  }

  /// How an input's pixels shall be stored; 0, which is `.RGBAf`, unless overridden.
  ///
  /// Apple: `CIImageProcessorKernel.formatForInput(at:)`.
  open class func formatForInput(at inputIndex: Int32) -> CIFormat { CIFormat(rawValue: 0) }

  /// How the output's pixels are stored; 0, which is `.RGBAf`, unless overridden.
  ///
  /// Apple: `CIImageProcessorKernel.outputFormat`.
  open class var outputFormat: CIFormat { CIFormat(rawValue: 0) }

  /// Whether all pixels of the output are opaque; `false` unless overridden.
  ///
  /// Apple: `CIImageProcessorKernel.outputIsOpaque`.
  open class var outputIsOpaque: Bool { false }

  /// The image that the processor makes, computed when it is rendered; an empty one where `extent` is empty.
  ///
  /// - Parameters:
  ///   - extent: Where the processor can make pixels.
  ///   - inputs: What it reads.
  ///   - arguments: What else it needs: values that do not change any more, for they are read on several threads.
  /// - Throws: ``ImageProcessorError`` where a format is none of those that there are.
  ///
  /// Apple: `CIImageProcessorKernel.apply(withExtent:inputs:arguments:)`.
  public class func apply(withExtent extent: CGRect, inputs: [CIImage]?, arguments: [String: Any]?) throws
    -> CIImage
  {
    let images = inputs ?? []
    let formats = try images.indices.map { try usable(formatForInput(at: Int32($0))) }
    let work = ProcessorWork(
      kernel: self, arguments: arguments, inputs: images.map(\.recipe), formats: formats,
      outputFormat: try usable(outputFormat), extent: extent.standardized)
    if extent.isNull || extent.isEmpty { return .empty() }
    return CIImage(.work(work, extent: extent.standardized))
  }

  private static func usable(_ format: CIFormat) throws -> CIFormat {
    if format.rawValue == 0 { return .RGBAf }
    guard [.BGRA8, .RGBA8, .RGBAf].contains(format) else { throw ImageProcessorError.formatUnsupported }
    return format
  }
}
