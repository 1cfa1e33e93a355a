import CodeReading
import CoreVideo
import Foundation
import GraphicsCore
import ImageCore
import Testing

/// The codes that are read in `image`, enlarged and on white ground, as a screen shows it.
private func read(_ image: CIImage, scale: CGFloat = 8) throws -> [RecognizedCode] {
  let large = image.samplingNearest().transformed(by: CGAffineTransform(scaleX: scale, y: scale))
  let ground = large.composited(over: .white).cropped(to: large.extent.insetBy(dx: -40, dy: -40))
  let (width, height) = (Int(ground.extent.width), Int(ground.extent.height))
  var made: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
  let buffer = try #require(made)
  CIContext().render(
    ground, to: buffer, bounds: ground.extent, colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
  return try CodeReader(kinds: Set(CodeKind.readable)).codes(in: buffer, effort: .thorough)
}

@Suite("CIFilter: generators of codes")
struct CodeFilterTests {
  @Test(
    arguments: [
      ("CIQRCodeGenerator", CodeKind.qr), ("CICode128BarcodeGenerator", .code128),
      ("CIPDF417BarcodeGenerator", .pdf417),
    ])
  func `a code that a filter draws says its message`(name: String, kind: CodeKind) throws {
    let filter = try #require(CIFilter(name: name))
    #expect(filter.outputImage == nil, "without a message there is no code")
    filter.setValue(Data("Obscura 2026/11".utf8), forKey: "inputMessage")
    let codes = try read(try #require(filter.outputImage))
    #expect(codes.map(\.kind) == [kind])
    #expect(codes.first?.text == "Obscura 2026/11")
  }

  @Test func `the generators' functions draw the same codes as their names`() throws {
    let message = Data("https://example.org/키".utf8)
    let qr = CIFilter.qrCodeGenerator()
    #expect(qr.correctionLevel == "M" && qr.name == "CIQRCodeGenerator")
    qr.message = message
    qr.correctionLevel = "H"
    #expect(try read(try #require(qr.outputImage)).first?.bytes == Array(message))
    let document = CIFilter.pdf417BarcodeGenerator()
    document.message = Data("Document".utf8)
    let first = try #require(document.outputImage?.extent)
    document.correctionLevel = 6
    let second = try #require(document.outputImage)
    #expect(second.extent.width * second.extent.height > first.width * first.height)
    #expect(try read(second).first?.text == "Document")
    let bars = CIFilter.code128BarcodeGenerator()
    bars.message = Data("Bars".utf8)
    let narrow = try #require(bars.outputImage?.extent)
    bars.quietSpace = 20
    bars.barcodeHeight = 50
    let wide = try #require(bars.outputImage?.extent)
    #expect(wide.width == narrow.width + 26 && wide.height == narrow.height + 18 + 26)
  }

  @Test func `a QR code has one pixel for each module and one around, and grows with its correction`() throws
  {
    func side(_ level: String) throws -> CGFloat {
      let filter = try #require(
        CIFilter(
          name: "CIQRCodeGenerator",
          parameters: [
            "inputMessage": Data(repeating: UInt8(ascii: "a"), count: 30), "inputCorrectionLevel": level,
          ]))
      let extent = try #require(filter.outputImage?.extent)
      #expect(extent.origin == .zero && extent.width == extent.height)
      return extent.width
    }
    // ISO/IEC 18004, table 7: 30 bytes need version 2 at L, 3 at M, 4 at Q, 4 at H.
    #expect(try side("L") == 27 && side("M") == 31 && side("Q") == 31 && side("H") == 35)
  }

  @Test func `what a code cannot hold is drawn as nothing`() throws {
    #expect(
      CIFilter(name: "CIQRCodeGenerator", parameters: ["inputMessage": Data(repeating: 0, count: 3000)])?
        .outputImage == nil)
    #expect(
      CIFilter(name: "CICode128BarcodeGenerator", parameters: ["inputMessage": Data("é".utf8)])?.outputImage
        == nil)
    #expect(
      CIFilter(
        name: "CIQRCodeGenerator", parameters: ["inputMessage": Data("a".utf8), "inputCorrectionLevel": "Z"])?
        .outputImage == nil)
  }

  @Test func `a PDF417 descriptor keeps what it is made of, and refuses what no code has`() throws {
    let made = try #require(
      CIPDF417CodeDescriptor(payload: Data([1, 2]), isCompact: true, rowCount: 3, columnCount: 30))
    #expect(
      made.errorCorrectedPayload == Data([1, 2]) && made.isCompact && made.rowCount == 3
        && made.columnCount == 30)
    for (rows, columns) in [(2, 1), (91, 1), (3, 0), (3, 31)] {
      #expect(
        CIPDF417CodeDescriptor(payload: Data(), isCompact: false, rowCount: rows, columnCount: columns) == nil
      )
    }
  }
}
