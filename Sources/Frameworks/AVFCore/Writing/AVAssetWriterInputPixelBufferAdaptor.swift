public import CoreMedia
public import CoreVideo
public import Foundation
internal import FoundationExtras
internal import Linux

/// Appends pixel buffers to an input, and has a pool to make them.
///
/// Thread-safe. Apple: `AVAssetWriterInputPixelBufferAdaptor`.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The input.
  ///
  /// Apple: `AVAssetWriterInputPixelBufferAdaptor.assetWriterInput`.
  public let assetWriterInput: AVAssetWriterInput
  /// What the pool's buffers are.
  ///
  /// Apple: `AVAssetWriterInputPixelBufferAdaptor.sourcePixelBufferAttributes`.
  public let sourcePixelBufferAttributes: [String: Any]?
  private let pool = Locked<CVPixelBufferPool?>(nil)
  private let format = Locked<CMFormatDescription?>(nil)

  /// An adaptor for an input of pictures whose writer has not started, and that has no adaptor yet; else it is a programming mistake.
  ///
  /// - Parameter sourcePixelBufferAttributes: What the pool's buffers are; sizes that are left out are those of the settings.
  ///
  /// Apple: `AVAssetWriterInputPixelBufferAdaptor.init(assetWriterInput:sourcePixelBufferAttributes:)`.
  public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
    assetWriterInput = input
    self.sourcePixelBufferAttributes = sourcePixelBufferAttributes
    super.init()
    input.adopt(self, "AVAssetWriterInputPixelBufferAdaptor")
  }

  /// Makes buffers as the attributes say; `nil` before the writer is writing, and without a size.
  ///
  /// Apple: `AVAssetWriterInputPixelBufferAdaptor.pixelBufferPool`.
  open var pixelBufferPool: CVPixelBufferPool? {
    guard assetWriterInput.isWriting else { return nil }
    if let known = pool.withLock({ $0 }) { return known }
    var attributes = sourcePixelBufferAttributes ?? [:]
    let settings = assetWriterInput.outputSettings ?? [:]
    attributes[kCVPixelBufferWidthKey] = attributes[kCVPixelBufferWidthKey] ?? settings[AVVideoWidthKey]
    attributes[kCVPixelBufferHeightKey] = attributes[kCVPixelBufferHeightKey] ?? settings[AVVideoHeightKey]
    attributes[kCVPixelBufferPixelFormatTypeKey] =
      attributes[kCVPixelBufferPixelFormatTypeKey] ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    var made: CVPixelBufferPool?
    CVPixelBufferPoolCreate(nil, nil, attributes, &made)
    return pool.withLock { pool in
      if pool == nil { pool = made }
      return pool
    }
  }

  /// Appends a pixel buffer, shown at a time until the next one is.
  ///
  /// - Returns: Whether it was taken, as ``AVAssetWriterInput/append(_:)``.
  ///
  /// Apple: `AVAssetWriterInputPixelBufferAdaptor.append(_:withPresentationTime:)`.
  @discardableResult
  open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
    guard let description = description(of: pixelBuffer) else { return false }
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: presentationTime, decodeTimeStamp: .invalid)
    return assetWriterInput.append(
      CMSampleBuffer(picture: pixelBuffer, formatDescription: description, timing: timing))
  }

  /// Made anew only when a buffer differs from the one before.
  private func description(of pixelBuffer: CVPixelBuffer) -> CMFormatDescription? {
    if let known = format.withLock({ $0 }),
      CMVideoFormatDescriptionMatchesImageBuffer(known, imageBuffer: pixelBuffer)
    {
      return known
    }
    var made: CMFormatDescription?
    _ = CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: nil, imageBuffer: pixelBuffer, formatDescriptionOut: &made)
    let fresh = made
    let old = format.withLock { format in
      defer { format = fresh }
      return format
    }
    withExtendedLifetime(old) {}
    return fresh
  }
}

extension AVAssetWriterInput {
  /// Takes the adaptor that appends to it; one that comes second or late is a mistake.
  func adopt(_ adaptor: AnyObject, _ name: String) {
    let (known, rule) = state.withLock { state -> (AnyObject?, String?) in
      let known = state.adaptor
      if state.isWriting { return (known, "needs an input whose writer has not started.") }
      if known != nil { return (known, "needs an input without an adaptor.") }
      state.adaptor = adaptor
      return (nil, nil)
    }
    withExtendedLifetime(known) {}
    if let rule { ProgrammingMistake.report(rule: "\(name) \(rule)") }
  }
}
