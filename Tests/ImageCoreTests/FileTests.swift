import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import Testing

@Suite("CIImage, CIContext and UIImage: files")
struct FileTests {
  /// Smooth, so that lossy files stay close.
  private let grid = Grid(width: 48, height: 32) { x, y in
    Pixel(red: 40 + 4 * x, green: 60 + 5 * y, blue: 200 - 3 * x)
  }

  private func quality(_ value: Double) -> [CIImageRepresentationOption: Any] {
    [CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String): value]
  }

  private func temporary(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("imagecore-\(UUID().uuidString)-\(name)")
  }

  @Test func `PNG files hold every pixel with its alpha`() throws {
    let image = try Grid(width: 20, height: 10) { x, y in
      let alpha = x * 13
      return Pixel(red: alpha * y / 9, green: alpha / 3, blue: alpha, alpha: alpha)
    }.image
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let data = try #require(CIContext().pngRepresentation(of: image, format: .RGBA8, colorSpace: space))
    let back = try #require(CIImage(data: data))
    #expect(back.extent == image.extent)
    #expect(try Grid(rendering: back).isClose(to: Grid(rendering: image), by: 1))
  }

  @Test(arguments: [0.45, 0.24, 0.11, 0.05])
  func `a JPEG that is made smaller is what its pixels are, made smaller`(scale: Double) throws {
    // Lines and colours that a mean of coded numbers would make darker than a mean of light.
    let grid = Grid(width: 320, height: 240) { x, y in
      x < 160
        ? Pixel(red: y % 8 < 4 ? 230 : 20, green: x, blue: 120)
        : Pixel(red: y, green: 90, blue: (x + y) % 256)
    }
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let data = try #require(
      CIContext().jpegRepresentation(of: grid.image, colorSpace: space, options: quality(0.95)))
    let file = try #require(CIImage(data: data))
    let whole = try #require(CIContext().createCGImage(file, from: file.extent))
    for turn in [CGAffineTransform.identity, CGAffineTransform(rotationAngle: .pi / 2)] {
      let matrix = turn.concatenating(CGAffineTransform(scaleX: scale, y: scale))
      let wanted = CIImage(cgImage: whole).transformed(by: matrix)
      let small = file.transformed(by: matrix)
      #expect(small.extent == wanted.extent)
      let (seen, exact) = (try Grid(rendering: small), try Grid(rendering: wanted))
      let off = zip(seen.pixels, exact.pixels).map { abs($0.red - $1.red) + abs($0.green - $1.green) }
      #expect(Double(off.reduce(0, +)) / Double(off.count) < 8, "on average, of two colours")
    }
    // At full size nothing is lost by having been small before.
    #expect(try Grid(rendering: file) == Grid(whole))
  }

  @Test func `JPEG and HEIC files hold the picture and its properties`() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = try grid.image.settingProperties([
      kCGImagePropertyOrientation: 6, kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFMake: "Maker"],
    ])
    let context = CIContext()
    let files = [
      context.jpegRepresentation(of: image, colorSpace: space, options: quality(0.95)),
      context.heifRepresentation(of: image, format: .RGBA8, colorSpace: space, options: quality(0.95)),
    ]
    for (index, file) in files.enumerated() {
      let data = try #require(file)
      let back = try #require(CIImage(data: data))
      #expect(back.extent == image.extent)
      #expect(try Grid(rendering: back).isClose(to: grid, by: 14), "file \(index)")
      #expect(LooseNumber.integer(back.properties[kCGImagePropertyOrientation]) == 6)
      let tiff = back.properties[kCGImagePropertyTIFFDictionary] as? [String: Any]
      #expect(tiff?[kCGImagePropertyTIFFMake] as? String == "Maker")
      let upright = try #require(CIImage(data: data, options: [.applyOrientationProperty: true]))
      #expect(upright.extent == CGRect(x: 0, y: 0, width: 32, height: 48))
      let wanted = Grid(width: 32, height: 48) { x, y in grid[y, 31 - x] }
      #expect(try Grid(rendering: upright).isClose(to: wanted, by: 14))
      let photo = try #require(UIImage(data: data))
      #expect(photo.imageOrientation == .right && photo.size == CGSize(width: 32, height: 48))
      #expect(photo.cgImage?.width == 48)
    }
  }

  @Test func `a GIF is read as its first picture`() throws {
    let data = NSMutableData()
    let gif = try #require(CGImageDestinationCreateWithData(data, "com.compuserve.gif", 2, nil))
    for red in [250, 10] {
      let image = try Grid(width: 6, height: 4) { _, _ in Pixel(red: red, green: 20, blue: 30) }.image
      let drawn = try #require(CIContext().createCGImage(image, from: image.extent))
      CGImageDestinationAddImage(gif, drawn, nil)
    }
    try #require(CGImageDestinationFinalize(gif))
    let file = Data(referencing: data)
    let back = try #require(CIImage(data: file))
    let wanted = Grid(width: 6, height: 4) { _, _ in Pixel(red: 250, green: 20, blue: 30) }
    #expect(try Grid(rendering: back).isClose(to: wanted, by: 2))
    #expect(UIImage(data: file)?.size == CGSize(width: 6, height: 4))
    #expect(UIImage(data: file.prefix(file.count / 2)) == nil)
  }

  @Test func `a camera's frame becomes a file without a detour, and close to the one with it`() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 48, 32, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &made)
    let frame = try #require(made)
    CVBufferSetAttachment(
      frame, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
    CIContext().render(try grid.image, to: frame)
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = CIImage(cvPixelBuffer: frame).oriented(.right)
    let veil = CIImage(color: .clear).cropped(to: image.extent)
    let context = CIContext()
    let direct = try #require(
      context.jpegRepresentation(of: image, colorSpace: space, options: quality(0.95)))
    let around = try #require(
      context.jpegRepresentation(of: veil.composited(over: image), colorSpace: space, options: quality(0.95)))
    let leftImage = try #require(CIImage(data: direct))
    let left = try Grid(rendering: leftImage)
    let rightImage = try #require(CIImage(data: around))
    let right = try Grid(rendering: rightImage)
    #expect(left.width == 32 && left.isClose(to: right, by: 12))
    #expect(left.isClose(to: Grid(width: 32, height: 48) { x, y in grid[y, 31 - x] }, by: 16))
    let heic = try #require(context.heifRepresentation(of: image, format: .RGBA8, colorSpace: space))
    let heicImage = try #require(CIImage(data: heic))
    #expect(try Grid(rendering: heicImage).isClose(to: left, by: 20))
  }

  @Test func `files are written whole or not at all, with a reason`() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let url = temporary("a.jpg")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = CIContext()
    try context.writeJPEGRepresentation(of: try grid.image, to: url, colorSpace: space)
    let image = try #require(CIImage(contentsOf: url))
    #expect(image.url == url && image.extent.width == 48)
    let nowhere = URL(fileURLWithPath: "/nonexistent-folder/a.png")
    #expect(throws: (any Error).self) {
      try context.writePNGRepresentation(of: try grid.image, to: nowhere, format: .RGBA8, colorSpace: space)
    }
    #expect(throws: (any Error).self) {
      try context.writeHEIFRepresentation(of: .white, to: url, format: .RGBA8, colorSpace: space)
    }
    #expect(context.jpegRepresentation(of: .white, colorSpace: space) == nil)
    #expect(context.jpegRepresentation(of: .empty(), colorSpace: space) == nil)
    #expect(CIImage(contentsOf: nowhere) == nil && UIImage(contentsOfFile: nowhere.path) == nil)
  }

  @Test func `wide colours keep their profile`() throws {
    let p3 = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let red = try #require(CIColor(red: 1, green: 0, blue: 0, colorSpace: p3))
    let image = CIImage(color: red).cropped(to: CGRect(x: 0, y: 0, width: 16, height: 16))
    let context = CIContext()
    for data in [
      context.jpegRepresentation(of: image, colorSpace: p3),
      context.heifRepresentation(of: image, format: .RGBA8, colorSpace: p3),
      context.pngRepresentation(of: image, format: .RGBA8, colorSpace: p3),
    ] {
      let file = try #require(data)
      let back = try #require(CIImage(data: file))
      #expect(back.colorSpace?.name == CGColorSpace.displayP3)
      let wide = try #require(context.createCGImage(back, from: back.extent, format: .RGBA8, colorSpace: p3))
      #expect(Grid(wide)[8, 8].isClose(to: Pixel(red: 255, green: 0, blue: 0), by: 4))
    }
  }

  @Test func `sixteen bits go into a PNG and come back`() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = CIImage(color: CIColor(red: 0.5001, green: 0.25, blue: 0.125))
      .cropped(to: CGRect(x: 0, y: 0, width: 3, height: 2))
    let data = try #require(CIContext().pngRepresentation(of: image, format: .RGBA16, colorSpace: space))
    let back = try #require(CIImage(data: data))
    var floats = [Float](repeating: 0, count: 4)
    CIContext().render(
      back, toBitmap: &floats, rowBytes: 16, bounds: CGRect(x: 1, y: 1, width: 1, height: 1), format: .RGBAf,
      colorSpace: space)
    #expect(abs(floats[0] - 0.5001) < 0.00003 && abs(floats[2] - 0.125) < 0.00003)
  }

  @Test func `broken data is no image, and a broken body leaves it clear`() throws {
    #expect(CIImage(data: Data()) == nil && CIImage(data: Data("no picture".utf8)) == nil)
    #expect(UIImage(data: Data([0xFF, 0xD8, 0xFF])) == nil)
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let data = try #require(
      CIContext().pngRepresentation(of: try grid.image, format: .RGBA8, colorSpace: space))
    for count in stride(from: 0, to: data.count, by: 7) {
      guard let image = CIImage(data: data.prefix(count)) else { continue }
      #expect(CIContext().createCGImage(image, from: image.extent)?.width == 48)
    }
  }

  @Test func `a picture taken into files keeps its orientation, or is upright`() throws {
    let pixels = try #require(
      CIContext().createCGImage(try grid.image, from: CGRect(x: 0, y: 0, width: 48, height: 32)))
    for orientation in UIImage.Orientation.allCases {
      let image = UIImage(cgImage: pixels, scale: 1, orientation: orientation)
      let jpeg = try #require(image.jpegData(compressionQuality: 0.9).flatMap { UIImage(data: $0) })
      #expect(jpeg.imageOrientation == orientation && jpeg.size == image.size)
      let png = try #require(image.pngData().flatMap { UIImage(data: $0) })
      #expect(png.imageOrientation == .up && png.size == image.size)
    }
    let image = UIImage(cgImage: pixels, scale: 1, orientation: .rightMirrored)
    let heic = try #require(image.heicData().flatMap { UIImage(data: $0) })
    #expect(heic.imageOrientation == .rightMirrored && heic.size == image.size)
    let png = try #require(image.pngData().flatMap { CIImage(data: $0) })
    #expect(try Grid(rendering: png) == Grid(width: 32, height: 48) { x, y in grid[47 - y, 31 - x] })
    #expect(UIImage().jpegData(compressionQuality: 1) == nil && UIImage().pngData() == nil)
    #expect(UIImage(ciImage: try grid.image).pngData() != nil)
    let small = try #require(image.jpegData(compressionQuality: 0.1))
    let large = try #require(image.jpegData(compressionQuality: 1))
    #expect(small.count < large.count)
  }

  @Test func `a name says how many pixels make a point`() throws {
    let url = temporary("icon@2x.png")
    defer { try? FileManager.default.removeItem(at: url) }
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    try CIContext().writePNGRepresentation(of: try grid.image, to: url, format: .RGBA8, colorSpace: space)
    let image = try #require(UIImage(contentsOfFile: url.path))
    #expect(image.scale == 2 && image.size == CGSize(width: 24, height: 16))
  }
}
