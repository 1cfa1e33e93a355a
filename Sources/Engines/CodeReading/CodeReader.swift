package import CoreVideo
internal import Foundation
internal import FoundationExtras
package import PixelTransforms
internal import CZXing

/// Reads codes in pictures.
///
/// Pictures whose luma is a plane of its own (420v, 420f, three planes, gray) are read where they lie, and so is a part of
/// one; of others the part's luma is made first. One object serves one stream of pictures, one call at a time: it owns the
/// memory between steps.
package final class CodeReader {
  /// The kinds of codes to look for.
  package let kinds: Set<CodeKind>
  /// The most codes that one picture yields.
  package var limit = 32

  private let mask: UInt32
  private let scratch = CodeScratch()
  private let transformer = PixelTransformer(bufferLimit: 1)
  private var nextAttempt = 0

  /// A reader of the given kinds; those that the library does not read are never found.
  package init(kinds: Set<CodeKind>) {
    self.kinds = kinds
    mask = kinds.reduce(0) { $0 | $1.bit } & cam_codes_readable()
  }

  /// Bytes of luma made of pictures that have no plane of it: 0 where pictures are read where they lie.
  package var bytesCopied: Int { transformer.bytesWritten }

  /// The effort of a search.
  package enum Effort: Sendable, Hashable {
    /// Once, quickly.
    case light
    /// Once, quickly, and one harder attempt more: where that finds nothing, another from call to call, and else for codes beside
    /// those that were found.
    case next
    /// Everything that might help, until something is found, and then for codes beside that.
    case thorough
    /// As the library does by itself: what the others are measured against, and no more, for two equal rows of bars end the process
    /// where the library is 1.4.
    case plain
  }

  /// The codes inside a part of a picture, corners in pixels of the whole.
  ///
  /// - Parameters:
  ///   - part: Where to look, cut to the picture; `nil` for all of it. Its origin is rounded down to even pixels.
  /// - Throws: `PixelTransformError`, when the pixel format is unknown.
  package func codes(
    in pixels: CVPixelBuffer, part: PixelRect? = nil, effort: Effort
  ) throws -> [RecognizedCode] {
    guard mask != 0 else { return [] }
    let whole = PixelRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    guard let place = (part ?? whole).cut(to: whole)?.evenOrigin else { return [] }
    return try withLuma(of: pixels, place) { picture in
      codes(in: picture, effort: effort).map { code in
        var code = code
        code.corners = code.corners.map { CGPoint(x: $0.x + Double(place.x), y: $0.y + Double(place.y)) }
        return code
      }
    }
  }

  private func codes(in picture: LumaView, effort: Effort) -> [RecognizedCode] {
    if effort == .plain {
      guard let codes = cam_codes_read_default(picture.luma, mask) else { return [] }
      defer { cam_codes_free(codes) }
      return (0..<cam_codes_count(codes)).compactMap {
        RecognizedCode(cam_codes_at(codes, $0).pointee, in: picture, scale: 1)
      }
    }
    var found = read(picture, .light)
    guard effort != .light else { return found }
    if found.isEmpty {
      if effort == .next {
        if let attempt = takeAttempt(for: picture) { found = read(picture, attempt) }
        return found
      }
      for attempt in CodeAttempt.harder where found.isEmpty && attempt.isWorthwhile(for: picture) {
        found = read(picture, attempt)
      }
      guard !found.isEmpty else { return [] }
    }
    for attempt in CodeAttempt.beside where found.count < limit && attempt.isWorthwhile(for: picture) {
      let others = read(picture, attempt).filter { code in !found.contains { $0.isSeenAgain(as: code) } }
      found += others.prefix(limit - found.count)
    }
    return found
  }

  private func read(_ picture: LumaView, _ attempt: CodeAttempt) -> [RecognizedCode] {
    attempt.read(picture, kinds: mask, limit: limit, scratch: scratch)
  }

  private func takeAttempt(for picture: LumaView) -> CodeAttempt? {
    for _ in CodeAttempt.harder.indices {
      let attempt = CodeAttempt.harder[nextAttempt]
      nextAttempt = (nextAttempt + 1) % CodeAttempt.harder.count
      if attempt.isWorthwhile(for: picture) { return attempt }
    }
    return nil
  }

  // MARK: Luma

  /// Lends the luma of `place`, which lies inside the picture.
  private func withLuma<Result>(
    of pixels: CVPixelBuffer, _ place: PixelRect, _ body: (LumaView) throws -> Result
  ) throws -> Result {
    switch CVPixelBufferGetPixelFormatType(pixels) {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_OneComponent8:
      return try withFirstPlane(of: pixels, place, body)
    default:
      let luma = try transformer.apply(
        FrameTransform(crop: place, pixelFormat: kCVPixelFormatType_OneComponent8), to: pixels)
      return try withFirstPlane(
        of: luma, PixelRect(x: 0, y: 0, width: place.width, height: place.height), body)
    }
  }

  private func withFirstPlane<Result>(
    of pixels: CVPixelBuffer, _ place: PixelRect, _ body: (LumaView) throws -> Result
  ) throws -> Result {
    let locked = CVPixelBufferLockBaseAddress(pixels, .readOnly)
    guard locked == kCVReturnSuccess else { throw PixelTransformError.bufferUnavailable(locked) }
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let isPlanar = CVPixelBufferGetPlaneCount(pixels) > 0
    let base =
      isPlanar ? CVPixelBufferGetBaseAddressOfPlane(pixels, 0) : CVPixelBufferGetBaseAddress(pixels)
    let stride =
      isPlanar ? CVPixelBufferGetBytesPerRowOfPlane(pixels, 0) : CVPixelBufferGetBytesPerRow(pixels)
    guard let base else { throw PixelTransformError.bufferUnavailable(kCVReturnInvalidArgument) }
    let start = UnsafePointer(base.assumingMemoryBound(to: UInt8.self)) + place.y * stride + place.x
    return try body(LumaView(pixels: start, stride: stride, width: place.width, height: place.height))
  }
}

extension PixelRect {
  /// The part inside `bounds`; `nil` when nothing is.
  fileprivate func cut(to bounds: PixelRect) -> PixelRect? {
    let left = max(x, bounds.x)
    let top = max(y, bounds.y)
    let right = min(x + width, bounds.x + bounds.width)
    let bottom = min(y + height, bounds.y + bounds.height)
    guard right > left, bottom > top else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rectangle with its origin on a whole colour sample of every format.
  fileprivate var evenOrigin: PixelRect {
    PixelRect(x: x & ~1, y: y & ~1, width: width + x % 2, height: height + y % 2)
  }
}
