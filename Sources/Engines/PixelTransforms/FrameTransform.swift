public import CoreVideo
public import FoundationExtras

/// A quarter turn, clockwise as seen by someone who looks at the picture.
public enum QuarterTurn: Int, Sendable, Hashable, CaseIterable {
  /// As it is.
  case none = 0
  /// The top edge becomes the right edge.
  case clockwise90 = 90
  /// Upside down.
  case half = 180
  /// The top edge becomes the left edge.
  case clockwise270 = 270

  /// Whether width and height change places.
  public var isTransposing: Bool {
    self == .clockwise90 || self == .clockwise270
  }

  /// The turn by `degrees` clockwise, or `nil` when that is no multiple of 90.
  public init?(degrees: Int) {
    self.init(rawValue: ((degrees % 360) + 360) % 360)
  }
}

/// The rule for a picture whose output size has another shape.
public enum ScalingRule: Sendable, Hashable {
  /// Width and height scale on their own.
  case stretch
  /// The output is filled; what sticks out is cut off equally on both sides.
  case fill
  /// All of the picture is seen; black bars fill the rest equally on both sides.
  case fit
}

/// The transform of a frame on its way from a device to an output: crop, turn, mirror, scale, format.
///
/// The steps apply in this order, whatever order they were set in: the crop is cut from the source, turned clockwise,
/// then mirrored about the vertical axis of the *turned* picture (as `AVCaptureConnection` defines it), scaled to
/// ``size`` by ``scaling``, and written in ``pixelFormat``. Fields left at their defaults change nothing.
public struct FrameTransform: Sendable, Hashable {
  /// The part of the source to use, in source pixels; `nil` is all of it.
  ///
  /// In formats with subsampled colour the origin is rounded down to whole colour samples.
  public var crop: PixelRect?
  /// The turn after the crop.
  public var rotation: QuarterTurn
  /// Whether left and right change places after the turn.
  public var isMirrored: Bool
  /// The output's size; `nil` is the size of the turned crop.
  public var size: PixelSize?
  /// The rule for a turned crop of another shape than ``size``.
  public var scaling: ScalingRule
  /// The output's pixel format; `nil` keeps the source's.
  public var pixelFormat: OSType?
  /// The Y′CbCr matrix of the output; `nil` keeps the source's.
  ///
  /// Means nothing for R′G′B′ outputs.
  public var matrix: YCbCrMatrix?

  /// A transform; without arguments the one that changes nothing.
  public init(
    crop: PixelRect? = nil, rotation: QuarterTurn = .none, isMirrored: Bool = false, size: PixelSize? = nil,
    scaling: ScalingRule = .stretch, pixelFormat: OSType? = nil, matrix: YCbCrMatrix? = nil
  ) {
    self.crop = crop
    self.rotation = rotation
    self.isMirrored = isMirrored
    self.size = size
    self.scaling = scaling
    self.pixelFormat = pixelFormat
    self.matrix = matrix
  }

  /// Changes nothing.
  public static let identity = FrameTransform()

  /// The output's size for a source of `source` pixels.
  public func outputSize(for source: PixelSize) -> PixelSize {
    if let size { return size }
    let cut = crop?.size ?? source
    return rotation.isTransposing ? cut.transposed : cut
  }

  /// The part of a source of `source` pixels in `format` that is seen in an output of ``outputSize(for:)``: the crop, less
  /// what ``ScalingRule/fill`` cuts off, from a whole colour sample on.
  package func visiblePart(of source: PixelSize, pixelFormat format: OSType) -> PixelRect {
    var part = cut(of: source, for: outputSize(for: source))
    switch PixelLayout(format)?.kind {
    case .biplanar420, .biplanar420Deep, .planar420:
      part.x &= ~1
      part.y &= ~1
    case .packed422: part.x &= ~1
    case .rgb32, .rgb24, .gray, .grayDeep, nil: break
    }
    return part
  }

  /// The crop, less what ``ScalingRule/fill`` cuts off for an output of `target` pixels.
  func cut(of source: PixelSize, for target: PixelSize) -> PixelRect {
    let rect = crop ?? PixelRect(source)
    guard scaling == .fill else { return rect }
    let inner = PixelRect.center(of: rect.size, aspect: rotation.isTransposing ? target.transposed : target)
    return PixelRect(x: rect.x + inner.x, y: rect.y + inner.y, width: inner.width, height: inner.height)
  }

  /// Whether a source of this size, format and matrix would come out exactly as it went in.
  ///
  /// - Parameter matrix: The source's Y′CbCr matrix; `nil` for R′G′B′ and for "whatever the transform asks".
  public func isIdentity(
    for source: PixelSize, pixelFormat format: OSType, matrix sourceMatrix: YCbCrMatrix? = nil
  )
    -> Bool
  {
    if let pixelFormat, pixelFormat != format { return false }
    if let matrix, let sourceMatrix, matrix != sourceMatrix { return false }
    if rotation != .none || isMirrored { return false }
    if let crop, crop != PixelRect(source) { return false }
    if let size, size != source { return false }
    return true
  }

  /// Whether `buffer` would come out exactly as it went in, so that the very same object may be passed on.
  public func isIdentity(for buffer: CVPixelBuffer) -> Bool {
    let format = CVPixelBufferGetPixelFormatType(buffer)
    let source = PixelSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    guard isIdentity(for: source, pixelFormat: format) else { return false }
    // Attachments are looked up only when the answer depends on them: this runs for every frame.
    guard let matrix, PixelLayout(format)?.isYCbCr == true else { return true }
    return YCbCrMatrix(of: buffer) == matrix
  }
}
