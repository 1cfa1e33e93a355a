internal import CodeReading
internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import PixelTransforms

extension FilterDefinition {
  /// Filters that draw machine-readable codes: one pixel for each module, dark on white.
  static let codeFilters: [FilterDefinition] = [
    FilterDefinition(
      "CIQRCodeGenerator", kCICategoryGenerator,
      [.message, FilterInput(key: "inputCorrectionLevel", kind: .text("M"))]
    ) { values in
      guard let message = values.data("inputMessage") else { return nil }
      let levels = ["L": 2, "M": 4, "Q": 6, "H": 8]
      guard let level = levels[values.text("inputCorrectionLevel").uppercased()],
        let code = CodeModules(.qr, message: Array(message), level: level)
      else { return nil }
      return CodeDrawing(code, margin: 1).image
    },
    FilterDefinition(
      "CICode128BarcodeGenerator", kCICategoryGenerator,
      [
        .message, .number("inputQuietSpace", 7, 0...100, limits: 0...1000),
        .number("inputBarcodeHeight", 32, 1...500, limits: 1...10_000),
      ]
    ) { values in
      // The code holds ASCII alone.
      guard let message = values.data("inputMessage"), message.allSatisfy({ $0 < 0x80 }),
        let code = CodeModules(.code128, message: Array(message))
      else { return nil }
      return CodeDrawing(
        code, margin: Int(values.number("inputQuietSpace")), height: Int(values.number("inputBarcodeHeight"))
      ).image
    },
    FilterDefinition(
      "CIPDF417BarcodeGenerator", kCICategoryGenerator,
      [.message, .number("inputCorrectionLevel", -1, 0...8, limits: -1...8)]
    ) { values in
      guard let message = values.data("inputMessage") else { return nil }
      let level = Int(values.number("inputCorrectionLevel"))
      return CodeModules(.pdf417, message: Array(message), level: level < 0 ? nil : level)
        .map { CodeDrawing($0, margin: 2).image }
    },
  ]
}

/// A code as an image.
private struct CodeDrawing {
  let code: CodeModules
  /// Light pixels on all sides.
  let margin: Int
  /// Pixels from top to bottom between the margins.
  let rows: Int

  init(_ code: CodeModules, margin: Int, height: Int? = nil) {
    self.code = code
    self.margin = margin
    rows = height ?? code.height
  }

  var image: CIImage {
    let (width, height) = (code.width + 2 * margin, rows + 2 * margin)
    var bytes = Data(repeating: 255, count: 4 * width * height)
    for y in 0..<rows {
      let row = y * code.height / rows
      for x in 0..<code.width where code.isDark[row * code.width + x] {
        let at = 4 * ((y + margin) * width + x + margin)
        for part in 0..<3 { bytes[at + part] = 0 }
      }
    }
    return CIImage(
      bitmapData: bytes, bytesPerRow: 4 * width, size: CGSize(width: width, height: height), format: .RGBA8,
      colorSpace: .standardRGB)
  }
}
