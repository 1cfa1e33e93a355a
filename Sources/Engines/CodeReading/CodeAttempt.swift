internal import CZXing
internal import Foundation

/// One way of looking for codes: what is done to the picture first, and how hard the library tries.
struct CodeAttempt: Sendable, Hashable {
  var change = LumaChange.none
  var triesHarder = false
  var usesHistogram = false

  /// What almost every readable code is read by, at less than half the cost of the library's own settings.
  static let light = CodeAttempt()

  /// What else there is to try, the cheap and promising first; each reads codes that those before it do not.
  ///
  /// Chosen on the sample pictures of ZXing-C++ by what each adds to those before it.
  static let harder: [CodeAttempt] = [
    CodeAttempt(change: .shrunk(2), triesHarder: true, usesHistogram: true),
    CodeAttempt(triesHarder: true),
    CodeAttempt(change: .inverted, triesHarder: true),
    CodeAttempt(usesHistogram: true),
    CodeAttempt(change: .sharpened(radius: 16, amount: 2), triesHarder: true),
    CodeAttempt(change: .shrunk(3), triesHarder: true, usesHistogram: true),
    CodeAttempt(change: .enlarged, triesHarder: true),
    CodeAttempt(change: .sharpened(radius: 40, amount: 2), triesHarder: true, usesHistogram: true),
  ]

  /// Larger pictures are not enlarged: what is small in them is small to the lens, too.
  private static let enlargedLimit = 1 << 19

  func isWorthwhile(for picture: LumaView) -> Bool {
    switch change {
    case .enlarged: picture.width * picture.height <= Self.enlargedLimit
    case .shrunk(let factor): min(picture.width, picture.height) >= 24 * factor
    case .none, .inverted, .sharpened: true
    }
  }

  /// The codes in `picture`, corners in its own pixels.
  func read(_ picture: LumaView, kinds: UInt32, limit: Int, scratch: LumaScratch) -> [RecognizedCode] {
    let options = cam_code_options(
      kinds: kinds, triesHarder: triesHarder ? 1 : 0, triesRotated: 1, usesHistogram: usesHistogram ? 1 : 0,
      maximumCount: Int32(min(max(limit, 1), 255)))
    let scale = change.scale
    return change.apply(to: picture, scratch) { changed in
      guard let codes = cam_codes_read(changed.luma, options) else { return [] }
      defer { cam_codes_free(codes) }
      return (0..<cam_codes_count(codes)).compactMap { index in
        RecognizedCode(cam_codes_at(codes, index).pointee, scale: scale)
      }
    } ?? []
  }
}

extension RecognizedCode {
  init?(_ code: cam_code, scale: Double) {
    guard let kind = CodeKind.kind(bit: code.kind) else { return nil }
    let bytes = UnsafeBufferPointer(start: code.bytes, count: code.bytes == nil ? 0 : code.byteCount)
    let text = code.text.flatMap { start in
      String(
        validating: UnsafeBufferPointer(
          start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: code.textCount),
        as: UTF8.self)
    }
    let corner = code.corners
    var points = [(corner.0, corner.1), (corner.2, corner.3), (corner.4, corner.5), (corner.6, corner.7)]
      .map { CGPoint(x: Double($0.0) * scale, y: Double($0.1) * scale) }
    // The library goes clockwise as if nothing was mirrored; a mirrored code's own right is the other way.
    if code.isMirrored != 0 { points.swapAt(1, 3) }
    self.init(kind: kind, bytes: Array(bytes), text: text, corners: points)
  }
}
