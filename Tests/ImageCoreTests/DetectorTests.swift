import CodeDrawing
import CodeReading
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import PeopleFinding
import Portraits
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
    if CodeKind.libraryVersion.hasPrefix("1.") {
      let symbol = try #require(code.symbolDescriptor)
      // Nineteen bytes need a second version, and the text begins after four bits of mode and eight of length.
      #expect(symbol.symbolVersion == 2 && symbol.errorCorrectedPayload[0] == 0x41)
    }
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

@Suite("CIDetector: rectangles and faces")
struct FeatureTests {
  static let hasModels = ModelFolder.current.obstacle(to: .faces) == nil

  @Test func `a rectangle's corners are the image's, from the lower left`() throws {
    let grid = Grid(width: 320, height: 240) { column, row in
      let isInside = (80..<240).contains(column) && (60..<160).contains(row)
      let level = isInside ? 230 : 60
      return Pixel(red: level, green: level, blue: level)
    }
    let detector = try #require(CIDetector(ofType: CIDetectorTypeRectangle, context: nil))
    let image = try grid.image
    let found = detector.features(in: image, options: [CIDetectorAspectRatio: 1.6])
    let rectangle = try #require(found.first as? CIRectangleFeature)
    #expect(found.count == 1 && rectangle.type == CIFeatureTypeRectangle)
    let expected = [
      CGPoint(x: 80, y: 180), CGPoint(x: 240, y: 180), CGPoint(x: 240, y: 80), CGPoint(x: 80, y: 80),
    ]
    let corners = [rectangle.topLeft, rectangle.topRight, rectangle.bottomRight, rectangle.bottomLeft]
    for (seen, drawn) in zip(corners, expected) {
      #expect(hypot(seen.x - drawn.x, seen.y - drawn.y) < 2, "\(seen), not \(drawn)")
    }
    #expect(abs(rectangle.bounds.width - 160) < 3 && abs(rectangle.bounds.minY - 80) < 2)
    #expect(detector.features(in: image, options: [CIDetectorMinFeatureSize: 0.9]).isEmpty)
  }

  @Test func `as many rectangles are reported as are asked for, the likest in shape before larger ones`()
    throws
  {
    let grid = Grid(width: 400, height: 300) { column, row in
      let isWide = (20..<380).contains(column) && (20..<70).contains(row)
      let isCard = (100..<260).contains(column) && (120..<220).contains(row)
      let level = isWide || isCard ? 230 : 40
      return Pixel(red: level, green: level, blue: level)
    }
    let image = try grid.image
    let one = try #require(CIDetector(ofType: CIDetectorTypeRectangle, context: nil))
    let first = one.features(in: image)
    #expect(first.count == 1 && abs((first.first?.bounds.width ?? 0) - 160) < 3)
    let several = try #require(
      CIDetector(ofType: CIDetectorTypeRectangle, context: nil, options: [CIDetectorMaxFeatureCount: 8]))
    #expect(several.features(in: image).count == 2)
  }

  @Test func `there is a detector of faces where there is a model of them`() {
    #expect((CIDetector(ofType: CIDetectorTypeFace, context: nil) != nil) == Self.hasModels)
  }

  @Test(
    .enabled(if: hasModels, "there are no models here; run scripts/setup --models"),
    arguments: [CIDetectorAccuracyLow, CIDetectorAccuracyHigh])
  func `a face lies where the photograph has it, with its eyes above its mouth`(accuracy: String) throws {
    let detector = try #require(
      CIDetector(ofType: CIDetectorTypeFace, context: nil, options: [CIDetectorAccuracy: accuracy]))
    let image = CIImage(cvPixelBuffer: try Portrait.astronaut.picture())
    let found = detector.features(in: image)
    let face = try #require(found.first as? CIFaceFeature)
    #expect(found.count == 1 && face.type == CIFeatureTypeFace)
    let marked = Portrait.astronaut.face
    let upright = CGRect(
      x: marked.minX, y: image.extent.height - marked.maxY, width: marked.width, height: marked.height)
    #expect(
      face.bounds.intersection(upright).width * face.bounds.intersection(upright).height > 0.6 * upright.width
        * upright.height)
    #expect(face.hasLeftEyePosition && face.hasRightEyePosition && face.hasMouthPosition)
    #expect(face.leftEyePosition.x < face.rightEyePosition.x)
    #expect(face.mouthPosition.y < face.leftEyePosition.y && face.mouthPosition.y < face.rightEyePosition.y)
    #expect(face.hasFaceAngle && abs(face.faceAngle) < 15)
    #expect(!face.hasTrackingID && face.trackingID == 0 && !face.hasTrackingFrameCount)
    #expect(detector.features(in: image, options: [CIDetectorMinFeatureSize: 0.5]).isEmpty)
  }

  @Test(.enabled(if: hasModels, "there are no models here; run scripts/setup --models"))
  func `a tracked face keeps its number, and its images are counted`() throws {
    let detector = try #require(
      CIDetector(
        ofType: CIDetectorTypeFace, context: nil, options: [CIDetectorTracking: NSNumber(value: true)]))
    let image = CIImage(cvPixelBuffer: try Portrait.astronaut.picture())
    let faces = (0..<3).compactMap { _ in detector.features(in: image).first as? CIFaceFeature }
    #expect(faces.map(\.hasTrackingID) == [true, true, true])
    #expect(Set(faces.map(\.trackingID)).count == 1)
    #expect(faces.map(\.trackingFrameCount) == [1, 2, 3] && faces.allSatisfy(\.hasTrackingFrameCount))
  }
}

@Suite("Descriptors of codes")
struct BarcodeDescriptorTests {
  @Test func `descriptors keep what they are made of, and refuse what no code has`() throws {
    let payload = Data([0x40, 0x56, 0x86])
    let qr = try #require(
      CIQRCodeDescriptor(payload: payload, symbolVersion: 40, maskPattern: 7, errorCorrectionLevel: .levelH))
    #expect(qr.errorCorrectedPayload == payload && qr.symbolVersion == 40 && qr.maskPattern == 7)
    #expect(qr.errorCorrectionLevel.rawValue == Int(UInt8(ascii: "H")))
    #expect(qr.copy() as? CIQRCodeDescriptor === qr)
    for (version, mask) in [(0, UInt8(0)), (41, 0), (1, 8)] {
      #expect(
        CIQRCodeDescriptor(
          payload: payload, symbolVersion: version, maskPattern: mask, errorCorrectionLevel: .levelL) == nil)
    }
    let aztec = try #require(
      CIAztecCodeDescriptor(payload: payload, isCompact: true, layerCount: 4, dataCodewordCount: 64))
    #expect(
      aztec.errorCorrectedPayload == payload && aztec.isCompact && aztec.layerCount == 4
        && aztec.dataCodewordCount == 64)
    #expect(
      CIAztecCodeDescriptor(payload: payload, isCompact: true, layerCount: 5, dataCodewordCount: 1) == nil)
    let matrix = try #require(
      CIDataMatrixCodeDescriptor(payload: payload, rowCount: 8, columnCount: 18, eccVersion: .v200))
    #expect(
      matrix.errorCorrectedPayload == payload && matrix.rowCount == 8 && matrix.columnCount == 18
        && matrix.eccVersion == .v200)
    #expect(
      CIDataMatrixCodeDescriptor(payload: payload, rowCount: 7, columnCount: 18, eccVersion: .v200) == nil)
  }
}
