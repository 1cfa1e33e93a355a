import CodeDrawing
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

@Suite("CIDetector")
struct CIDetectorTests {
  /// A picture of `size` with a QR code, its quiet zone included, whose upper left corner lies at (`x`, `y`) from the top.
  private func picture(_ text: String, width: Int = 320, height: Int = 240, x: Int, y: Int) throws -> CIImage
  {
    var side: Int32 = 0, rows: Int32 = 0
    let bytes = Array(text.utf8)
    let drawn = try #require(code_draw("QRCode", bytes, bytes.count, 0, &side, &rows))
    defer { free(drawn) }
    let modules = UnsafeBufferPointer(start: drawn, count: Int(side) * Int(rows))
    let grid = Grid(width: width, height: height) { column, row in
      let inside = column >= x && row >= y && (column - x) / 4 < Int(side) && (row - y) / 4 < Int(rows)
      let level = inside ? Int(modules[(row - y) / 4 * Int(side) + (column - x) / 4]) : 255
      return Pixel(red: level, green: level, blue: level)
    }
    return try grid.image
  }

  @Test(arguments: [CIDetectorAccuracyLow, CIDetectorAccuracyHigh])
  func `a QR code is read, and lies where the image has it`(accuracy: String) throws {
    let detector = try #require(
      CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorAccuracy: accuracy]))
    let image = try picture("https://example.org", x: 40, y: 20)
    let codes = detector.features(in: image)
    try #require(codes.count == 1)
    let code = try #require(codes[0] as? CIQRCodeFeature)
    #expect(code.messageString == "https://example.org")
    #expect(code.type == CIFeatureTypeQRCode)
    // Four modules of four pixels are the quiet zone.
    #expect(abs(code.topLeft.x - 56) < 4 && abs(code.topLeft.y - (240 - 36)) < 4)
    #expect(code.bottomLeft.y < code.topLeft.y, "from the lower left")
    #expect(code.topRight.x > code.topLeft.x && code.bottomRight.x > code.bottomLeft.x)
    #expect(code.bounds.contains(CGPoint(x: code.topLeft.x + 20, y: code.topLeft.y - 20)))
  }

  @Test func `an image that lies elsewhere has its codes there`() throws {
    let detector = try #require(CIDetector(ofType: CIDetectorTypeQRCode, context: CIContext(), options: nil))
    let image = try picture("moved", x: 40, y: 20)
    let moved = image.transformed(by: CGAffineTransform(translationX: 1000, y: -500))
    let here = try #require(detector.features(in: image).first as? CIQRCodeFeature)
    let there = try #require(detector.features(in: moved).first as? CIQRCodeFeature)
    #expect(abs(there.topLeft.x - here.topLeft.x - 1000) < 1)
    #expect(abs(there.topLeft.y - here.topLeft.y + 500) < 1)
  }

  @Test func `an image without codes, without pixels or without end has no features`() throws {
    let plain = try Grid.asymmetric(64, 64).image
    let detector = try #require(CIDetector(ofType: CIDetectorTypeQRCode, context: nil))
    #expect(detector.features(in: plain).isEmpty)
    #expect(detector.features(in: CIImage.empty()).isEmpty)
    #expect(detector.features(in: CIImage(color: CIColor(red: 1, green: 1, blue: 1))).isEmpty)
  }

  @Test func `there are no detectors of other things`() {
    #expect(CIDetector(ofType: "CIDetectorTypeText", context: nil, options: nil) == nil)
  }
}
