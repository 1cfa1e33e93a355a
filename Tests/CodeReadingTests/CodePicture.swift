import CodeDrawing
import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import StillCodecs
import Testing

/// A code of any kind as modules, to be painted into pictures.
struct DrawnCode {
  let width: Int
  let height: Int
  /// 0 for dark, 255 for light, with a quiet zone of four modules.
  let modules: [UInt8]

  init(_ kind: CodeKind, _ text: String) throws {
    try self.init(format: kind.drawingName, Array(text.utf8), isBinary: false)
  }

  init(_ kind: CodeKind, bytes: [UInt8]) throws {
    try self.init(format: kind.drawingName, bytes, isBinary: true)
  }

  init(format: String, _ bytes: [UInt8], isBinary: Bool) throws {
    var width: Int32 = 0
    var height: Int32 = 0
    let drawn = try #require(code_draw(format, bytes, bytes.count, isBinary ? 1 : 0, &width, &height))
    defer { free(drawn) }
    self.width = Int(width)
    self.height = Int(height)
    modules = Array(UnsafeBufferPointer(start: drawn, count: Int(width) * Int(height)))
  }
}

/// A gray picture that codes are painted into.
struct CodePicture {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(width: Int, height: Int, ground: UInt8 = 200) {
    self.width = width
    self.height = height
    pixels = Array(repeating: ground, count: width * height)
  }

  /// Paints a code with its quiet zone, `scale` pixels a module, its left top corner at (`x`, `y`).
  ///
  /// A row of bars becomes `barHeight` pixels high.
  mutating func paint(_ code: DrawnCode, x: Int, y: Int, scale: Int, barHeight: Int? = nil) {
    let rows = barHeight ?? code.height * scale
    for row in 0..<rows where y + row >= 0 && y + row < height {
      let module = barHeight == nil ? row / scale : 0
      for column in 0..<code.width * scale where x + column >= 0 && x + column < width {
        pixels[(y + row) * width + x + column] = code.modules[module * code.width + column / scale] / 2 + 60
      }
    }
  }

  /// A picture file of the tests, its red as gray.
  init(named name: String, in folder: String = "Pictures") throws {
    try self.init(
      at: #require(Bundle.module.url(forResource: name, withExtension: "png", subdirectory: folder)))
  }

  /// A PNG file, its red as gray.
  init(at url: URL) throws {
    let pixels = try PNGDecoder.decode(Data(contentsOf: url), scale: .full)
    self.init(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(pixels)).assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRow(pixels)
    for y in 0..<height {
      for x in 0..<width { self.pixels[y * width + x] = base[y * stride + 4 * x] }
    }
  }

  /// The picture turned clockwise by a quarter.
  func turned() -> CodePicture {
    var result = CodePicture(width: height, height: width)
    for y in 0..<height {
      for x in 0..<width { result.pixels[x * height + height - 1 - y] = pixels[y * width + x] }
    }
    return result
  }

  /// The picture twice on light ground, beside each other or one above the other.
  func twice(isBeside: Bool) -> CodePicture {
    let gap = 24
    let (right, down) = isBeside ? (width + gap, 0) : (0, height + gap)
    var result = CodePicture(width: width + right + 2 * gap, height: height + down + 2 * gap, ground: 255)
    for (x, y) in [(gap, gap), (gap + right, gap + down)] {
      for row in 0..<height {
        let start = (y + row) * result.width + x
        result.pixels.replaceSubrange(start..<start + width, with: pixels[row * width..<(row + 1) * width])
      }
    }
    return result
  }

  /// The picture as a buffer of `format`, gray where there is colour.
  func buffer(_ format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange) throws -> CVPixelBuffer {
    var gray: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_OneComponent8, nil, &gray)
    let target = try #require(gray)
    CVPixelBufferLockBaseAddress(target, [])
    defer { CVPixelBufferUnlockBaseAddress(target, []) }
    let base = try #require(CVPixelBufferGetBaseAddress(target)).assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRow(target)
    for y in 0..<height {
      for x in 0..<width { base[y * stride + x] = pixels[y * width + x] }
    }
    return try PixelTransformer().apply(FrameTransform(pixelFormat: format), to: target)
  }
}

extension CodeKind {
  /// The name under which the writing library knows the kind.
  var drawingName: String {
    switch self {
    case .qr: "QRCode"
    case .microQR: "MicroQRCode"
    case .aztec: "Aztec"
    case .dataMatrix: "DataMatrix"
    case .pdf417: "PDF417"
    case .microPDF417: "MicroPDF417"
    case .ean13: "EAN-13"
    case .ean8: "EAN-8"
    case .upcE: "UPC-E"
    case .code39: "Code39"
    case .code93: "Code93"
    case .code128: "Code128"
    case .itf: "ITF"
    case .codabar: "Codabar"
    case .dataBar: "DataBar"
    case .dataBarExpanded: "DataBarExpanded"
    case .dataBarLimited: "DataBarLimited"
    }
  }
}
