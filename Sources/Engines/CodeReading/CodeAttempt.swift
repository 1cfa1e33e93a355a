internal import CZXing
internal import Foundation

/// One search for codes: what is done to the picture first, how dark and light are separated, and how hard the library tries.
///
/// Matrix codes are searched for in black and white, made here several times faster than by the library. QR codes are found and
/// sampled here too, where three places look like their corners; the library decodes them. Bars are read from the grays.
struct CodeAttempt: Sendable, Hashable {
  var change = LumaChange.none
  /// The threshold for matrix codes; `nil` when those are not wanted.
  var threshold: LumaThreshold? = .neighbourhood
  var isInverted = false
  /// The search for QR codes; `nil` where it would find the same as an attempt before.
  var squares: Squares?
  /// The search for rows of bars; `nil` where it would find the same as an attempt before.
  var bars: Bars?

  enum Squares: Sendable, Hashable {
    /// On something flat.
    case flat
    /// Also on something crumpled, such as cloth.
    case crumpled
  }

  enum Bars: Sendable, Hashable {
    case quickly
    case thoroughly
  }

  /// The attempt that reads almost every readable code, at less than half the cost of the library's own settings.
  static let light = CodeAttempt(squares: .crumpled, bars: .quickly)

  /// The further attempts, the cheap and promising first; each reads codes that those before it do not.
  ///
  /// Chosen on the sample pictures of ZXing-C++, and on drawn codes with blur, noise, shadows, dirt and little contrast, by what each
  /// adds to those before it for its time.
  static let harder: [CodeAttempt] = [
    CodeAttempt(change: .shrunk(3), squares: .crumpled, bars: .thoroughly),
    CodeAttempt(threshold: .whole, isInverted: true, squares: .crumpled, bars: .thoroughly),
    CodeAttempt(threshold: .whole, squares: .flat, bars: .thoroughly),
    CodeAttempt(change: .shrunk(2), threshold: .mean(radius: 8), bars: .thoroughly),
    CodeAttempt(change: .shrunk(2), threshold: .mean(radius: 4)),
    CodeAttempt(change: .smoothed, threshold: .whole, squares: .flat),
    CodeAttempt(change: .sharpened(radius: 16, amount: 2), threshold: nil, bars: .thoroughly),
    CodeAttempt(change: .enlarged, threshold: .whole, squares: .flat, bars: .thoroughly),
    CodeAttempt(change: .enlarged, isInverted: true),
  ]

  /// The attempts where codes were found already, for those beside them: all lines of the picture instead of those around
  /// its middle.
  static let beside: [CodeAttempt] = [CodeAttempt(bars: .thoroughly)]

  /// Larger pictures are not enlarged: what is small in them is small to the lens, too.
  private static let enlargedLimit = 1 << 19
  /// QR codes whose corners are wider gain nothing from enlargement: three pixels a module.
  private static let smallFinder: Int32 = 21

  /// Whether the attempt is for pictures of this size.
  func isWorthwhile(for picture: LumaView) -> Bool {
    switch change {
    case .enlarged: picture.width * picture.height <= Self.enlargedLimit
    case .shrunk(let factor): min(picture.width, picture.height) >= 24 * factor
    case .none, .inverted, .smoothed, .sharpened: true
    }
  }

  /// The codes in `picture`, corners in its own pixels.
  func read(_ picture: LumaView, kinds: UInt32, limit: Int, scratch: CodeScratch) -> [RecognizedCode] {
    var work: UInt32 = 0
    if threshold != nil { work |= CodeKind.matrixBits }
    if squares == nil { work &= ~CodeKind.qr.bit }
    if bars != nil { work |= ~CodeKind.matrixBits }
    let kinds = kinds & work
    guard kinds != 0 else { return [] }
    return change.apply(to: picture, scratch.gray) { gray in
      var found = matrixCodes(in: gray, kinds: kinds & CodeKind.matrixBits, limit: limit, scratch)
      let linear = kinds & ~CodeKind.matrixBits
      if linear != 0, let bars, found.count < limit {
        let options = cam_code_options(
          kinds: linear, triesHarder: bars == .thoroughly ? 1 : 0, triesRotated: 1, isBinary: 0,
          maximumCount: Self.count(limit - found.count))
        let rows = isInverted ? LumaChange.inverted : .none
        found += rows.apply(to: gray, scratch.binary) { codes(in: $0, options) } ?? []
      }
      return found
    } ?? []
  }

  private func matrixCodes(
    in gray: LumaView, kinds: UInt32, limit: Int, _ scratch: CodeScratch
  ) -> [RecognizedCode] {
    guard kinds != 0, let threshold else { return [] }
    return threshold.apply(to: gray, scratch.binary) { target in
      let binary = LumaView(target, width: gray.width, height: gray.height)
      var others = kinds & ~CodeKind.qr.bit
      var found: [RecognizedCode] = []
      if kinds & CodeKind.qr.bit != 0, let squares {
        let codes = cam_fields_read(
          gray.luma, binary.luma,
          cam_field_options(
            isInverted: isInverted ? 1 : 0, isCrumpled: squares == .crumpled ? 1 : 0,
            widest: change == .enlarged ? 2 * Self.smallFinder : .max, maximumCount: Self.count(limit)))
        // Micro QR codes have one of the squares.
        if let codes, cam_codes_finders(codes) == 0 { others &= ~CodeKind.microQR.bit }
        found = take(codes, from: binary)
      }
      guard others != 0, found.count < limit else { return found }
      if isInverted { cam_luma_invert(binary.luma, target, binary.width) }
      return found
        + codes(
          in: binary,
          cam_code_options(
            kinds: others, triesHarder: self == .light ? 0 : 1, triesRotated: 1, isBinary: 1,
            maximumCount: Self.count(limit - found.count)))
    } ?? []
  }

  private func codes(in picture: LumaView, _ options: cam_code_options) -> [RecognizedCode] {
    take(cam_codes_read(picture.luma, options), from: picture)
  }

  /// The content of `codes`, which were read in `picture` and are freed.
  private func take(_ codes: OpaquePointer?, from picture: LumaView) -> [RecognizedCode] {
    guard let codes else { return [] }
    defer { cam_codes_free(codes) }
    return (0..<cam_codes_count(codes)).compactMap { index in
      RecognizedCode(cam_codes_at(codes, index).pointee, in: picture, scale: change.scale)
    }
  }

  private static func count(_ limit: Int) -> Int32 { Int32(min(max(limit, 1), 255)) }
}

/// The memory of one reader's attempts.
struct CodeScratch {
  /// For the changed picture.
  let gray = LumaScratch()
  /// For what is made of that: black and white, or inverted.
  let binary = LumaScratch()
}

extension CodeKind {
  /// The bits of all kinds that are fields of modules.
  static let matrixBits = allCases.reduce(UInt32(0)) { $1.isLinear ? $0 : $0 | $1.bit }
}

extension RecognizedCode {
  /// - Parameters:
  ///   - picture: What the code was read in.
  ///   - scale: Pixels of the source for each pixel of that.
  init?(_ code: cam_code, in picture: LumaView, scale: Double) {
    guard let kind = CodeKind.kind(bit: code.kind) else { return nil }
    let bytes = UnsafeBufferPointer(start: code.bytes, count: code.bytes == nil ? 0 : code.byteCount)
    let text = code.text.flatMap { start in
      String(
        validating: UnsafeBufferPointer(
          start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: code.textCount),
        as: UTF8.self)
    }
    let corner = code.corners
    let seen = [(corner.0, corner.1), (corner.2, corner.3), (corner.4, corner.5), (corner.6, corner.7)]
      .map { CGPoint(x: Double($0.0), y: Double($0.1)) }
    var points = seen.map { CGPoint(x: $0.x * scale, y: $0.y * scale) }
    // The library goes clockwise as if nothing was mirrored; a mirrored code's own right is the other way.
    if code.isMirrored != 0 { points.swapAt(1, 3) }
    self.init(kind: kind, bytes: Array(bytes), text: text, corners: points)
    symbol = CodeSymbol(code, kind: kind, in: picture, corners: seen)
  }
}

extension CodeSymbol {
  /// The symbol as the library reports it; `nil` where it does not, or not completely.
  fileprivate init?(_ code: cam_code, kind: CodeKind, in picture: LumaView, corners: [CGPoint]) {
    guard let start = code.codewords, code.codewordCount > 0 else { return nil }
    codewords = Array(UnsafeBufferPointer(start: start, count: code.codewordCount))
    switch kind {
    case .qr:
      guard code.side >= 21, code.mask >= 0, code.correctionLevel != 0 else { return nil }
      shape = .qr(
        version: Int(code.side - 17) / 4, mask: Int(code.mask),
        level: Character(Unicode.Scalar(UInt8(bitPattern: code.correctionLevel))))
    case .aztec:
      // The last byte may be filled up.
      guard let mode = AztecMode(in: picture, corners: corners, bits: 8 * codewords.count - 7) else {
        return nil
      }
      shape = .aztec(isCompact: mode.isCompact, layers: mode.layers, codewords: mode.codewords)
    case .dataMatrix:
      let sides = (0..<4).map { index in
        let (a, b) = (corners[index], corners[(index + 1) % 4])
        return hypot(a.x - b.x, a.y - b.y)
      }
      let (across, down) = (sides[0] + sides[2], sides[1] + sides[3])
      guard min(across, down) > 0,
        let shape = Self.dataMatrixShape(
          bytes: codewords.count, aspect: max(across, down) / min(across, down))
      else { return nil }
      self.shape = shape
    default: return nil
    }
  }
}
