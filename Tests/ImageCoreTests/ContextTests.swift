import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import SeededNumbers
import Testing

@Suite("CIContext: rendering")
struct ContextTests {
  func buffer(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, format, nil, &made)
    return try #require(made)
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  ])
  func `a camera's buffer becomes an image in its matrix and range`(format: OSType) throws {
    for (matrix, red) in [
      (kCVImageBufferYCbCrMatrix_ITU_R_601_4, 0.299), (kCVImageBufferYCbCrMatrix_ITU_R_709_2, 0.2126),
    ] {
      let frame = try buffer(32, 16, format)
      CVBufferSetAttachment(frame, kCVImageBufferYCbCrMatrixKey, matrix, .shouldPropagate)
      let isFull = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      let (span, black, chroma) = isFull ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
      for y in 0..<16 {
        for x in 0..<32 { frame.planes[0].row(y)[x] = UInt8((0.5 * span + black).rounded()) }
      }
      for y in 0..<8 {
        for x in 0..<16 {
          frame.planes[1].row(y)[2 * x] = 128
          frame.planes[1].row(y)[2 * x + 1] = UInt8((0.2 * chroma + 128).rounded())
        }
      }
      let held = try Grid(rendering: CIImage(cvPixelBuffer: frame))
      #expect(held.pixels.allSatisfy { $0 == held.pixels[0] })
      // Cr of 0.2 is red that stands 0.2 × 2 (1 - Kr) above luma.
      let wanted = (0.5 + 0.4 * (1 - red)) * 255
      #expect(abs(Double(held[3, 3].red) - wanted) < 2.5, "\(held[3, 3]) for \(matrix)")
    }
  }

  @Test func `tiles give what the whole gives, wherever they are cut`() throws {
    let grid = Grid.asymmetric(700, 150)
    let image = try grid.image
      .transformed(by: CGAffineTransform(rotationAngle: 0.1).scaledBy(x: 0.9, y: 1.1))
      .composited(over: CIImage(color: CIColor(red: 0.2, green: 0.4, blue: 0.6, alpha: 0.5)))
    let context = CIContext()
    let bounds = CGRect(x: 10, y: 10, width: 530, height: 140)
    let whole = try Grid(rendering: image, from: bounds, in: context)
    for rect in [
      CGRect(x: 10, y: 10, width: 37, height: 29), CGRect(x: 263, y: 71, width: 200, height: 66),
      CGRect(x: 539, y: 149, width: 1, height: 1),
    ] {
      let part = try Grid(rendering: image, from: rect, in: context)
      let left = Int(rect.minX - bounds.minX)
      let top = Int(bounds.maxY - rect.maxY)
      #expect(part == Grid(width: part.width, height: part.height) { x, y in whole[left + x, top + y] })
    }
  }

  @Test func `wide colours convert to sRGB and back through light`() throws {
    let p3 = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let red = try #require(CIColor(red: 1, green: 0, blue: 0, colorSpace: p3))
    let one = CGRect(x: 0, y: 0, width: 1, height: 1)
    let image = CIImage(color: red)
    let context = CIContext()
    let wide = try #require(context.createCGImage(image, from: one, format: .RGBA8, colorSpace: p3))
    #expect(Grid(wide)[0, 0].isClose(to: Pixel(red: 255, green: 0, blue: 0)))
    #expect(wide.colorSpace == p3)
    #expect(try Grid(rendering: image, from: one)[0, 0].isClose(to: Pixel(red: 255, green: 0, blue: 0)))
    // P3's green lies outside sRGB: in floats of an extended space its red is negative.
    let green = try #require(CIColor(red: 0, green: 1, blue: 0, colorSpace: p3))
    let extended = try #require(CGColorSpace(name: CGColorSpace.extendedLinearSRGB))
    var floats = [Float](repeating: 0, count: 4)
    context.render(
      CIImage(color: green), toBitmap: &floats, rowBytes: 16, bounds: one, format: .RGBAf,
      colorSpace: extended)
    #expect(abs(floats[0] + 0.2249) < 0.001 && abs(floats[1] - 1.0421) < 0.001 && floats[3] == 1)
    var halves = [Float16](repeating: 0, count: 4)
    context.render(
      CIImage(color: green), toBitmap: &halves, rowBytes: 8, bounds: one, format: .RGBAh, colorSpace: extended
    )
    #expect(zip(halves, floats).allSatisfy { abs(Float($0) - $1) < 0.001 })
    // sRGB's own red, in P3's numbers.
    let narrow = try #require(
      context.createCGImage(CIImage(color: .red), from: one, format: .RGBA8, colorSpace: p3))
    #expect(Grid(narrow)[0, 0].isClose(to: Pixel(red: 234, green: 51, blue: 35)))
  }

  @Test(arguments: [CIFormat.RGBAh, .ABGR8, .RGBA8])
  func `pictures of halves, and of bytes in any order, are read back as they were written`(format: CIFormat)
    throws
  {
    let grid = Grid.asymmetric(6, 4)
    let context = CIContext(options: [
      .workingFormat: CIFormat.RGBAh, .allowLowPower: true, .memoryLimit: 64, .cacheIntermediates: false,
    ])
    let srgb = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = try grid.image
    let made = try #require(
      context.createCGImage(image, from: image.extent, format: format, colorSpace: srgb))
    #expect(made.bitsPerPixel == (format == .RGBAh ? 64 : 32))
    #expect(
      try Grid(rendering: CIImage(cgImage: made), from: image.extent)
        == Grid(rendering: image, from: image.extent))
    let rowBytes = 6 * made.bitsPerPixel / 8
    var bytes = Data(count: rowBytes * 4)
    bytes.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      context.render(
        image, toBitmap: base, rowBytes: rowBytes, bounds: image.extent, format: format, colorSpace: srgb)
    }
    let back = CIImage(
      bitmapData: bytes, bytesPerRow: rowBytes, size: CGSize(width: 6, height: 4), format: format,
      colorSpace: srgb)
    #expect(try Grid(rendering: back, from: image.extent) == Grid(rendering: image, from: image.extent))
  }

  @Test(arguments: [kCVPixelFormatType_128RGBAFloat, kCVPixelFormatType_64RGBAHalf])
  func `light beyond white is kept until it is written, alpha and all`(format: OSType) throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 2, 1, format, nil, &made)
    let buffer = try #require(made)
    CVBufferSetAttachment(
      buffer, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_Linear as NSString,
      .shouldPropagate)
    // Twice white; and half of nothing but red, premultiplied.
    let numbers: [Float] = [2, 2, 2, 1, 0.5, 0, 0, 0.5]
    let row = try #require(buffer.planes[0].row(0).baseAddress)
    if format == kCVPixelFormatType_128RGBAFloat {
      row.copyMemory(from: numbers, byteCount: 32)
    } else {
      let halves: [UInt16] = [0x4000, 0x4000, 0x4000, 0x3C00, 0x3800, 0, 0, 0x3800]
      row.copyMemory(from: halves, byteCount: 16)
    }
    let darker = CIFilter.exposureAdjust()
    darker.inputImage = CIImage(cvPixelBuffer: buffer)
    darker.ev = -1
    var pixels = [UInt8](repeating: 0, count: 8)
    CIContext().render(
      try #require(darker.outputImage), toBitmap: &pixels, rowBytes: 8,
      bounds: CGRect(x: 0, y: 0, width: 2, height: 1), format: .RGBA8,
      colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
    #expect(Array(pixels[0..<4]) == [255, 255, 255, 255])
    // Half of red's light is level 188, here times alpha.
    #expect(abs(Int(pixels[4]) - 94) <= 1 && pixels[5] == 0 && pixels[6] == 0)
    #expect(abs(Int(pixels[7]) - 128) <= 1)
  }

  @Test func `a buffer is read in the colours its attachments name`() throws {
    let grid = Grid(width: 2, height: 2) { _, _ in Pixel(red: 234, green: 51, blue: 35) }
    let buffer = try grid.buffer
    CVBufferSetAttachment(
      buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
    #expect(
      try Grid(rendering: CIImage(cvPixelBuffer: buffer))[0, 0].isClose(
        to: Pixel(red: 255, green: 0, blue: 0), by: 3))
    let untagged = CIImage(cvPixelBuffer: buffer, options: [.colorSpace: NSNull()])
    #expect(untagged.colorSpace == nil)
    let sRGB = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let forced = CIImage(cvPixelBuffer: buffer, options: [.colorSpace: sRGB])
    #expect(try Grid(rendering: forced)[0, 0] == Pixel(red: 234, green: 51, blue: 35))
  }

  @Test func `rows of opaque and translucent pixels come through another space as each pixel would alone`()
    throws
  {
    let sRGB = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let p3 = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let context = CIContext()
    for (from, to) in [(sRGB, p3), (p3, sRGB)] {
      func numbers(_ pixel: Pixel) throws -> [Float] {
        var numbers = [Float](repeating: 0, count: 4)
        let buffer = try Grid(width: 1, height: 1) { _, _ in pixel }.buffer
        context.render(
          CIImage(cvPixelBuffer: buffer, options: [.colorSpace: from]), toBitmap: &numbers, rowBytes: 16,
          bounds: CGRect(x: 0, y: 0, width: 1, height: 1), format: .RGBAf, colorSpace: to)
        return numbers
      }
      let grid = Grid(width: 37, height: 3) { x, y in
        let alpha = (x + y) % 11 == 4 ? 128 : 255
        return Pixel(
          red: (x * 37 + y * 11) % (alpha + 1), green: (x * 5 + y * 71) % (alpha + 1),
          blue: (x * x + y * 19) % (alpha + 1), alpha: alpha)
      }
      var bytes = [UInt8](repeating: 0, count: 4 * 37 * 3)
      context.render(
        CIImage(cvPixelBuffer: try grid.buffer, options: [.colorSpace: from]), toBitmap: &bytes,
        rowBytes: 4 * 37,
        bounds: CGRect(x: 0, y: 0, width: 37, height: 3), format: .RGBA8, colorSpace: to)
      for (index, pixel) in grid.pixels.enumerated() {
        let numbers = try numbers(pixel)
        for (byte, number) in zip(bytes[4 * index..<4 * index + 4], numbers) {
          // Bytes hold no colour beyond full.
          #expect(abs(Float(byte) - min(max(number, 0), numbers[3]) * 255) <= 1, "pixel \(index), \(pixel)")
        }
      }
    }
  }

  @Test(arguments: [CIFormat.RGBA8, .BGRA8, .ARGB8, .RGBX8, .RGBA16, .RGBAf])
  func `every format holds the same picture`(format: CIFormat) throws {
    let grid = Grid.asymmetric(20, 9)
    let image = try grid.image
    let context = CIContext()
    let held = try #require(
      context.createCGImage(
        image, from: image.extent, format: format, colorSpace: CGColorSpace(name: CGColorSpace.sRGB)))
    #expect(Grid(held).isClose(to: grid))
    let opaque = try #require(
      context.createCGImage(
        .white, from: image.extent, format: format, colorSpace: CGColorSpace(name: CGColorSpace.sRGB)))
    #expect([.noneSkipFirst, .noneSkipLast].contains(opaque.alphaInfo))
    let again = try #require(CIContext().createCGImage(CIImage(cgImage: held), from: image.extent))
    #expect(Grid(again).isClose(to: grid))
  }

  @Test func `luminance goes to one byte a pixel`() throws {
    let image = CIImage(color: CIColor(red: 0, green: 1, blue: 0))
    let held = try #require(
      CIContext().createCGImage(
        image, from: CGRect(x: 0, y: 0, width: 3, height: 2), format: .L8,
        colorSpace: CGColorSpaceCreateDeviceGray()))
    #expect(held.bitsPerPixel == 8)
    #expect(
      Grid(held)[1, 1].isClose(
        to: Pixel(red: level(0.7152), green: level(0.7152), blue: level(0.7152)), by: 2))
    #expect(
      CIContext().createCGImage(
        image, from: CGRect(x: 0, y: 0, width: 3, height: 2), format: .L8,
        colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
        == nil)
  }

  @Test func `bitmaps are images and images are bitmaps`() throws {
    let grid = Grid.asymmetric(7, 5)
    var bytes = [UInt8](repeating: 0, count: 5 * 40)
    let sRGB = CGColorSpace(name: CGColorSpace.sRGB)
    CIContext().render(
      try grid.image, toBitmap: &bytes, rowBytes: 40, bounds: CGRect(x: 0, y: 0, width: 7, height: 5),
      format: .ARGB8, colorSpace: sRGB)
    #expect(bytes[0] == 255 && Int(bytes[1]) == grid[0, 0].red && Int(bytes[40 + 7]) == grid[1, 1].blue)
    let image = CIImage(
      bitmapData: Data(bytes), bytesPerRow: 40, size: CGSize(width: 7, height: 5), format: .ARGB8,
      colorSpace: sRGB)
    #expect(try Grid(rendering: image) == grid)
    let short = CIImage(
      bitmapData: Data(bytes.prefix(50)), bytesPerRow: 40, size: CGSize(width: 7, height: 5), format: .ARGB8,
      colorSpace: sRGB)
    #expect(short.extent.isNull)
    let mistakes = ProgrammingMistake.collect {
      CIContext().render(
        .white, toBitmap: &bytes, rowBytes: 4, bounds: CGRect(x: 0, y: 0, width: 7, height: 5),
        format: .ARGB8,
        colorSpace: sRGB)
    }
    #expect(mistakes.count == 1)
  }

  @Test func `rectangles that no bitmap can have give nothing`() {
    let context = CIContext()
    for rect in [
      CGRect.null, .infinite, .zero, CGRect(x: 0, y: 0, width: 100_000, height: 2),
      CGRect(x: CGFloat.nan, y: 0, width: 2, height: 2),
      CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 2),
    ] {
      #expect(context.createCGImage(.white, from: rect) == nil)
    }
  }

  @Test func `transforms beyond all reason give nothing or a pixel, and never crash`() throws {
    let picture = try Grid.asymmetric(40, 30).image
    let context = CIContext()
    let asked = CGRect(x: 0, y: 0, width: 4, height: 4)
    let wild: [CGFloat] = [0, 1, 1e-30, 1e-9, 1e-5, 1e9, 1e30, .infinity, .nan, -1e300]
    for a in wild {
      for b in wild {
        for image in [picture, picture.clampedToExtent(), picture.composited(over: .red)] {
          let changed = image.transformed(by: CGAffineTransform(a: a, b: b, c: -b, d: a, tx: b, ty: a))
          #expect(context.createCGImage(changed, from: asked)?.width == 4)
        }
      }
    }
    // A matrix that flattens the plane to a diagonal.
    let line = picture.transformed(by: CGAffineTransform(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0))
    #expect(line.extent.isNull)
  }

  @Test func `random recipes never crash and give the size they were asked for`() throws {
    var random = SeededGenerator(seed: 5)
    let context = CIContext()
    func number(_ range: ClosedRange<CGFloat>) -> CGFloat { CGFloat.random(in: range, using: &random) }
    func rect() -> CGRect {
      CGRect(x: number(-20...20), y: number(-20...20), width: number(0...40), height: number(0...40))
    }
    let sources = [
      try Grid.asymmetric(13, 9).image, try Grid.asymmetric(1, 1).image, CIImage.red, .clear, .empty(),
      CIImage(cvPixelBuffer: try buffer(11, 7, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)),
    ]
    for _ in 0..<200 {
      var image = sources.randomElement(using: &random) ?? .red
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        switch Int.random(in: 0...9, using: &random) {
        case 0: image = image.cropped(to: rect())
        case 1:
          image = image.transformed(
            by: CGAffineTransform(
              a: number(-3...3), b: number(-3...3), c: number(-3...3), d: number(-3...3), tx: number(-9...9),
              ty: number(-9...9)))
        case 2: image = image.oriented(forExifOrientation: Int32.random(in: 0...9, using: &random))
        case 3: image = image.clampedToExtent()
        case 4: image = image.composited(over: sources.randomElement(using: &random) ?? .red)
        case 5: image = image.settingAlphaOne(in: rect())
        case 6: image = image.premultiplyingAlpha()
        case 7: image = image.unpremultiplyingAlpha()
        case 8: image = image.samplingNearest()
        default: image = image.transformed(by: CGAffineTransform(scaleX: number(0...0.2), y: number(0...0.2)))
        }
      }
      let asked = CGRect(x: Int(number(-9...9)), y: Int(number(-9...9)), width: 12, height: 10)
      let held = try #require(context.createCGImage(image, from: asked))
      #expect(held.width == 12 && held.height == 10)
    }
  }

  @Test func `one context serves many threads`() async throws {
    let context = CIContext()
    let grid = Grid.asymmetric(64, 48)
    let image = try grid.image.oriented(forExifOrientation: 5)
    let wanted = try Grid(rendering: image)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try Grid(rendering: image, in: context) == wanted }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
