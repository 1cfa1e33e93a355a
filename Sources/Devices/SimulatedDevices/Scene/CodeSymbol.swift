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
struct CodeSymbol: Drawing {
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

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    guard u >= 0, v >= 0, u <= 1, v <= 1 else { return .zero }
    // Four samples smooth a module's edge over one output pixel.
    let columns = Float(modules.width + 2 * quiet)
    let tall = pixel * columns / Float(rows)
    var light: Float = 0
    for (x, y): (Float, Float) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
      let isDark = isDark(column: Int((u + x * pixel) * columns), row: Int((v + y * tall) * Float(rows)))
      light += isDark ? 0.06 : 0.95
    }
    return SIMD4(light / 4, light / 4, light / 4, 1)
  }

  private func isDark(column: Int, row: Int) -> Bool {
    let (x, y) = (column - quiet, row - quiet)
    guard x >= 0, y >= 0, x < modules.width, y < rows - 2 * quiet else { return false }
    return modules.isDark[(isLinear ? 0 : y) * modules.width + x]
  }
}
