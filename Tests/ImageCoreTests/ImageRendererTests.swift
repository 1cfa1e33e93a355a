import DrawingCore
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import Testing

@Suite("Images drawn by closures")
struct ImageRendererTests {
  /// Four fields: red, green over blue, white.
  private static func quarters(_ side: Int = 64) -> CGImage? {
    let context = CGContext(
      data: nil, width: side, height: side, bitsPerComponent: 8, bytesPerRow: 0,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    let half = CGFloat(side) / 2
    for (index, color) in [UIColor.blue, .white, .red, .green].enumerated() {
      context?.setFillColor(color.cgColor)
      context?.fill(
        CGRect(x: CGFloat(index % 2) * half, y: CGFloat(index / 2) * half, width: half, height: half))
    }
    return context?.makeImage()
  }

  private func color(_ image: UIImage, _ x: Int, _ y: Int) throws -> [Int] {
    let pixels = try #require(image.cgImage)
    let data = try #require(pixels.dataProvider?.data)
    let place = y * pixels.bytesPerRow + 4 * x
    return [2, 1, 0, 3].map { Int(data[place + $0]) }
  }

  @Test func `what the closure draws is the image, from the upper left corner down`() throws {
    let image = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 10)).image { context in
      UIColor.red.setFill()
      context.fill(CGRect(x: 0, y: 0, width: 5, height: 5))
      #expect(UIGraphicsGetCurrentContext() === context.cgContext)
    }
    #expect(image.size == CGSize(width: 20, height: 10) && image.scale == 1)
    #expect(try color(image, 1, 1) == [255, 0, 0, 255] && color(image, 1, 8) == [0, 0, 0, 0])
    #expect(UIGraphicsGetCurrentContext() == nil)
  }

  @Test func `scale, bounds and opacity are as the format says`() throws {
    let format = UIGraphicsImageRendererFormat()
    format.scale = 3
    format.opaque = true
    let image = UIGraphicsImageRenderer(bounds: CGRect(x: 10, y: 20, width: 4, height: 2), format: format)
      .image {
        UIColor.green.setFill()
        $0.fill(CGRect(x: 10, y: 20, width: 1, height: 1))
        $0.stroke(CGRect(x: 12, y: 20, width: 2, height: 2))
      }
    #expect(image.size == CGSize(width: 4, height: 2) && image.cgImage?.width == 12)
    #expect(image.cgImage?.alphaInfo == .noneSkipFirst)
    #expect(try Array(color(image, 2, 2).prefix(3)) == [0, 255, 0])
    #expect(try Array(color(image, 4, 4).prefix(3)) == [0, 0, 0])
  }

  @Test(arguments: UIImage.Orientation.allCases)
  func `an image is drawn upright whatever its orientation`(orientation: UIImage.Orientation) throws {
    let stored = try #require(Self.quarters())
    let shown = UIImage(cgImage: stored, scale: 1, orientation: orientation)
    let drawn = UIGraphicsImageRenderer(size: shown.size).image { _ in shown.draw(at: .zero) }
    // The same turn, as Core Image does it.
    let turned = CIImage(cgImage: stored).oriented(
      forExifOrientation: [1, 3, 8, 6, 2, 4, 5, 7][orientation.rawValue])
    let right = UIImage(
      cgImage: try #require(
        CIContext().createCGImage(turned, from: turned.extent, format: .BGRA8, colorSpace: nil)))
    for (x, y) in [(10, 10), (50, 10), (10, 50), (50, 50)] {
      #expect(try color(drawn, x, y) == color(right, x, y))
    }
  }

  @Test func `a large file becomes small without its whole being decoded, and looks the same`() throws {
    let stored = try #require(Self.quarters(512))
    let file = try #require(
      UIImage(cgImage: stored, scale: 1, orientation: .right).jpegData(compressionQuality: 0.95))
    let image = try #require(UIImage(data: file))
    let small = UIGraphicsImageRenderer(size: CGSize(width: 40, height: 40)).image { _ in
      image.draw(in: CGRect(x: 0, y: 0, width: 40, height: 40))
    }
    // A quarter turn clockwise: what was lower left is upper left.
    let found = try color(small, 10, 10)
    #expect(found[2] > 240 && found[0] < 20 && found[1] < 20)
    #expect(try color(small, 30, 10)[0] > 240)
  }

  @Test func `a strip of photos with a caption is a JPEG, and text and pictures are in it`() throws {
    let photo = UIImage(cgImage: try #require(Self.quarters(200)))
    let file = UIGraphicsImageRenderer(size: CGSize(width: 220, height: 900)).jpegData(
      withCompressionQuality: 0.9
    ) {
      UIColor.white.setFill()
      $0.fill(CGRect(x: 0, y: 0, width: 220, height: 900))
      for index in 0..<4 {
        photo.draw(in: CGRect(x: 10, y: 10 + 210 * CGFloat(index), width: 200, height: 200))
      }
      "우리의 하루".draw(
        in: CGRect(x: 10, y: 850, width: 200, height: 40),
        withAttributes: [.font: UIFont.boldSystemFont(ofSize: 24)])
    }
    let strip = try #require(UIImage(data: file)?.cgImage)
    #expect(strip.width == 220 && strip.height == 900)
    let data = try #require(strip.dataProvider?.data)
    let step = strip.bitsPerPixel / 8
    func darkCount(_ rows: Range<Int>) -> Int {
      rows.reduce(0) { sum, y in sum + (10..<210).count { data[y * strip.bytesPerRow + $0 * step + 1] < 80 } }
    }
    #expect(darkCount(850..<890) > 100 && darkCount(842..<848) == 0)
  }

  @Test func `no pixels is a mistake, and the closure is not called`() {
    var calls = 0
    let mistakes = ProgrammingMistake.collect {
      #expect(UIGraphicsImageRenderer(size: .zero).image { _ in calls += 1 }.cgImage == nil)
      #expect(
        UIGraphicsImageRenderer(size: CGSize(width: 1e6, height: 1)).pngData { _ in calls += 1 }.isEmpty)
    }
    #expect(mistakes.count == 2 && calls == 0)
  }
}
