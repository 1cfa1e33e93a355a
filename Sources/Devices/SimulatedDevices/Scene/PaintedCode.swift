internal import CPainting
internal import CaptureDevice
internal import CodeReading

/// The kinds of codes that a scene can show; the raw values are those of scene files and of `obscura scan --types`.
public enum SceneCodeKind: String, Sendable, Hashable, CaseIterable {
  /// Fields of modules.
  case qr, aztec
  /// Data Matrix.
  case dataMatrix = "datamatrix"
  /// Rows of narrow bars, one above the other.
  case pdf417
  /// The codes of goods.
  case ean13, ean8
  /// The short code of goods in North America.
  case upcE = "upce"
  /// Bars for letters and digits.
  case code39, code93, code128
  /// Interleaved 2 of 5: pairs of digits.
  case itf
  /// Digits between a start and a stop letter.
  case codabar

  fileprivate var kind: CodeKind {
    switch self {
    case .qr: .qr
    case .aztec: .aztec
    case .dataMatrix: .dataMatrix
    case .pdf417: .pdf417
    case .ean13: .ean13
    case .ean8: .ean8
    case .upcE: .upcE
    case .code39: .code39
    case .code93: .code93
    case .code128: .code128
    case .itf: .itf
    case .codabar: .codabar
    }
  }
}

/// A code on light ground, drawn at any size.
struct PaintedCode: Drawing {
  private let modules: CodeModules
  /// Light modules on each side that a reader needs: ten beside bars, four around fields of modules.
  private let quiet: Int
  /// Rows of modules, the quiet zone included; of bars as many as make them half as high as wide.
  private let rows: Int
  private let isLinear: Bool

  init(_ kind: SceneCodeKind, _ text: String) throws(CaptureDeviceError) {
    guard !text.isEmpty, let modules = CodeModules(kind.kind, text) else {
      throw CaptureDeviceError(
        .invalidScene,
        "A code of the kind \(kind.rawValue) cannot hold “\(text)”; choose another kind or text.")
    }
    self.modules = modules
    isLinear = kind.kind.isLinear
    quiet = isLinear ? 10 : 4
    rows = isLinear ? modules.width / 2 + 2 * quiet : modules.height + 2 * quiet
  }

  var aspect: Double? { Double(rows) / Double(modules.width + 2 * quiet) }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    modules.isDark.withUnsafeBytes {
      var code = painting_modules(
        modules: $0.assumingMemoryBound(to: UInt8.self).baseAddress, columns: Int32(modules.width),
        rows: Int32(rows - 2 * quiet), quiet: Int32(quiet), is_linear: isLinear)
      painting_code(run, &code, colors, count)
    }
  }
}
