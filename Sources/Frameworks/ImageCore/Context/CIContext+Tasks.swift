internal import CoreVideo
public import Foundation
internal import GraphicsCore
internal import Linux
internal import PixelTransforms

/// The time and the pixels that a render took.
///
/// Apple: `CIRenderInfo`.
public final class CIRenderInfo: NSObject, Sendable {
  /// The seconds that pixels were computed for.
  ///
  /// Apple: `CIRenderInfo.kernelExecutionTime`.
  public let kernelExecutionTime: TimeInterval
  /// How often the destination was gone through: once.
  ///
  /// Apple: `CIRenderInfo.passCount`.
  public let passCount: Int
  /// How many pixels were written.
  ///
  /// Apple: `CIRenderInfo.pixelsProcessed`.
  public let pixelsProcessed: Int

  init(seconds: TimeInterval, pixels: Int) {
    kernelExecutionTime = seconds
    passCount = pixels > 0 ? 1 : 0
    pixelsProcessed = pixels
    super.init()
  }
}

/// One render into a destination.
///
/// Apple: `CIRenderTask`.
public final class CIRenderTask: NSObject, Sendable {
  private let info: CIRenderInfo

  init(_ info: CIRenderInfo) {
    self.info = info
    super.init()
  }

  /// What the render took; returns when the pixels are there, which they are from the start.
  ///
  /// Apple: `CIRenderTask.waitUntilCompleted()`.
  public func waitUntilCompleted() throws -> CIRenderInfo { info }
}

/// The reason why nothing was rendered into a destination.
public struct RenderDestinationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence: what failed, why, what to do.
  public let description: String

  static let formatUnknown = RenderDestinationError(
    description: "Nothing was rendered, because the destination's pixel format cannot be written;"
      + " choose BGRA, RGBA, 420v or 420f.")
  static let rowsShort = RenderDestinationError(
    description: "Nothing was rendered, because the destination's rows are shorter than its width;"
      + " make bytesPerRow at least the width times the bytes of a pixel.")
}

extension CIContext {
  /// Renders the part of an image within `fromRect` into a part of a destination of the same size.
  ///
  /// Nothing else of the destination changes; where there is no image, its part is cleared.
  ///
  /// - Parameters:
  ///   - fromRect: A rectangle without end puts the image's origin at `atPoint` and renders into all of the destination.
  ///   - atPoint: Where the rectangle's lower left corner comes to lie, from the destination's lower left corner.
  /// - Returns: The task, whose pixels are there.
  /// - Throws: ``RenderDestinationError`` where the destination's format cannot be written.
  /// - Note: Unlike Core Image, the call returns when the pixels are there, so that no program sees half of a picture.
  ///
  /// Apple: `CIContext.startTask(toRender:from:to:at:)`.
  @discardableResult
  public func startTask(
    toRender image: CIImage, from fromRect: CGRect, to destination: CIRenderDestination, at atPoint: CGPoint
  ) throws -> CIRenderTask {
    let rect = fromRect.standardized
    if rect.isInfiniteExtent {
      let moved = image.transformed(by: CGAffineTransform(translationX: atPoint.x, y: atPoint.y))
      return try render(moved, to: destination, destination.whole)
    }
    let moved = image.cropped(to: rect).transformed(
      by: CGAffineTransform(translationX: atPoint.x - rect.minX, y: atPoint.y - rect.minY))
    let part = CGRect(origin: atPoint, size: rect.size).pixels(within: destination.whole)
    return try render(moved, to: destination, part)
  }

  /// Renders an image into all of a destination, the origin of both at the same place.
  ///
  /// Where there is no image, the destination is cleared.
  ///
  /// - Returns: The task, whose pixels are there.
  /// - Throws: ``RenderDestinationError`` where the destination's format cannot be written.
  /// - Note: Unlike Core Image, the call returns when the pixels are there, so that no program sees half of a picture.
  ///
  /// Apple: `CIContext.startTask(toRender:to:)`.
  @discardableResult
  public func startTask(toRender image: CIImage, to destination: CIRenderDestination) throws -> CIRenderTask {
    try render(image, to: destination, destination.whole)
  }

  /// Clears a destination: to black where it stores no alpha.
  ///
  /// - Throws: ``RenderDestinationError`` where the destination's format cannot be written.
  ///
  /// Apple: `CIContext.startTask(toClear:)`.
  @discardableResult
  public func startTask(toClear destination: CIRenderDestination) throws -> CIRenderTask {
    try render(.empty(), to: destination, destination.whole)
  }

  private func render(_ image: CIImage, to destination: CIRenderDestination, _ part: GridRect) throws
    -> CIRenderTask
  {
    let start = ContinuousClock.now
    let state = destination.state.withLock { $0 }
    try checkFormat(of: destination)
    if part.isEmpty { return CIRenderTask(CIRenderInfo(seconds: 0, pixels: 0)) }
    var (image, stored) = (image, part)
    if !state.isFlipped {
      image = image.transformed(
        by: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(destination.height)))
      stored.y = destination.height - part.maxY
    }
    let bounds = CGRect(x: stored.x, y: stored.y, width: stored.width, height: stored.height)
    if state.alphaMode == .none, destination.storesAlpha,
      !image.recipe.isOpaque || !image.extent.contains(bounds)
    {
      image = image.settingAlphaOne(in: bounds)
    }
    switch destination.memory {
    case .buffer(let buffer):
      render(image, to: buffer, bounds: bounds, colorSpace: state.colorSpace)
    case .bitmap(let base, let bytesPerRow, let format):
      let row = base + (destination.height - stored.maxY) * bytesPerRow
      render(
        image, toBitmap: row + stored.x * (format.layout?.bytesPerPixel ?? 0), rowBytes: bytesPerRow,
        bounds: bounds, format: format, colorSpace: state.colorSpace)
    }
    destination.finish(stored, state)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return CIRenderTask(CIRenderInfo(seconds: seconds, pixels: part.width * part.height))
  }

  private func checkFormat(of destination: CIRenderDestination) throws {
    switch destination.memory {
    case .bitmap(_, let bytesPerRow, let format):
      guard let layout = format.layout else { throw RenderDestinationError.formatUnknown }
      if bytesPerRow < destination.width * layout.bytesPerPixel { throw RenderDestinationError.rowsShort }
    case .buffer(let buffer):
      if buffer.bytesLayout != nil { return }
      do {
        let sample = try transformer.makeBuffer(
          size: PixelSize(width: 2, height: 2), pixelFormat: kCVPixelFormatType_32BGRA)
        _ = try transformer.apply(
          FrameTransform(pixelFormat: CVPixelBufferGetPixelFormatType(buffer)), to: sample)
      } catch {
        throw RenderDestinationError.formatUnknown
      }
    }
  }
}
