import DrawingCore
import Foundation
import GraphicsCore
import Testing

@Suite("Pictures and gradients in contexts")
struct PictureTests {
  private static let corners = CGImage.fields([
    [(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 255), (255, 255, 255, 255)],
  ])

  @Test(arguments: [true, false])
  func `a picture's upper side lies where y is greatest`(isRedFirst: Bool) {
    let canvas = Canvas(4, 4, isRedFirst: isRedFirst)
    canvas.context.interpolationQuality = .none
    canvas.context.draw(Self.corners, in: CGRect(x: 0, y: 0, width: 4, height: 4))
    #expect(canvas[0, 0] == [255, 0, 0, 255] && canvas[3, 0] == [0, 255, 0, 255])
    #expect(canvas[0, 3] == [0, 0, 255, 255] && canvas[3, 3] == [255, 255, 255, 255])
  }

  @Test func `an enlarged picture is smooth inside and sharp at its edge`() {
    let canvas = Canvas(10, 10)
    canvas.context.draw(Self.corners, in: CGRect(x: 1, y: 1, width: 8, height: 8))
    #expect(canvas[1, 1] == [255, 0, 0, 255] && canvas[0, 0][3] == 0)
    let middle = canvas[5, 1]
    #expect(middle[0] > 60 && middle[1] > 60 && middle[3] == 255)
  }

  @Test func `of a large picture every pixel counts`() {
    let stripes = CGImage.fields(
      (0..<64).map { y in (0..<64).map { x in (x + y) % 2 == 0 ? (255, 255, 255, 255) : (0, 0, 0, 255) } })
    let canvas = Canvas(4, 4)
    canvas.context.draw(stripes, in: CGRect(x: 0, y: 0, width: 4, height: 4))
    for x in 0..<4 { #expect(abs(canvas[x, x][0] - 128) <= 2) }
  }

  @Test func `a picture that is too large along one side only keeps the other's pixels, turned, too`() {
    let stripes = CGImage.fields(
      (0..<4).map { y in
        (0..<64).map { x -> (UInt8, UInt8, UInt8, UInt8) in
          let level = UInt8(x % 2 * 255)
          return y % 2 == 0 ? (level, 0, 0, 255) : (0, 0, level, 255)
        }
      })
    let canvas = Canvas(4, 4)
    canvas.context.translateBy(x: 4, y: 0)
    canvas.context.rotate(by: .pi / 2)
    canvas.context.draw(stripes, in: CGRect(x: 0, y: 0, width: 4, height: 4))
    for y in 0..<4 {
      for (x, other) in [(0, 2), (1, 0), (2, 2), (3, 0)] {
        #expect(abs(canvas[x, y][2 - other] - 128) <= 2 && canvas[x, y][other] == 0, "\(x) \(y)")
      }
    }
  }

  @Test func `a picture and a colour in another space look as in their own`() throws {
    let wide = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let picture = CGImage.fields([[(200, 60, 40, 255)]], space: wide)
    let canvas = Canvas(2, 1)
    canvas.context.draw(picture, in: CGRect(x: 0, y: 0, width: 1, height: 1))
    let parts: [CGFloat] = [200 / 255, 60 / 255, 40 / 255, 1]
    canvas.context.setFillColor(try #require(CGColor(colorSpace: wide, components: parts)))
    canvas.context.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
    for index in 0..<3 { #expect(abs(canvas[0, 0][index] - canvas[1, 0][index]) <= 1) }
    #expect(canvas[0, 0][0] > 205)
  }

  @Test func `gray, deep, floating and straight pictures are drawn as they look`() throws {
    func image(_ bytes: [UInt8], bits: Int, pixel: Int, _ info: UInt32, _ space: CGColorSpace) throws
      -> CGImage
    {
      let provider = try #require(CGDataProvider(data: Data(bytes)))
      return try #require(
        CGImage(
          width: 1, height: 1, bitsPerComponent: bits, bitsPerPixel: pixel, bytesPerRow: pixel / 8,
          space: space,
          bitmapInfo: CGBitmapInfo(rawValue: info), provider: provider, decode: nil, shouldInterpolate: true,
          intent: .defaultIntent))
    }
    let rgb = CGColorSpaceCreateDeviceRGB()
    let half = withUnsafeBytes(of: Float(0.5)) { Array($0) }
    let one = withUnsafeBytes(of: Float(1)) { Array($0) }
    let pictures = [
      (try image([100], bits: 8, pixel: 8, 0, CGColorSpaceCreateDeviceGray()), [100, 100, 100, 255]),
      (try image([0x80, 0, 0x40, 0, 0xFF, 0xFF], bits: 16, pixel: 48, 0, rgb), [128, 64, 255, 255]),
      (
        try image(
          half + one + half + one, bits: 32, pixel: 128,
          CGImageAlphaInfo.last.rawValue | CGBitmapInfo.floatComponents.rawValue
            | CGBitmapInfo.byteOrder32Little.rawValue,
          rgb), [128, 255, 128, 255]
      ),
      (
        try image([200, 100, 0, 128], bits: 8, pixel: 32, CGImageAlphaInfo.last.rawValue, rgb),
        [100, 50, 0, 128]
      ),
    ]
    for (picture, right) in pictures {
      let canvas = Canvas(1, 1)
      canvas.context.draw(picture, in: CGRect(x: 0, y: 0, width: 1, height: 1))
      for index in 0..<4 { #expect(abs(canvas[0, 0][index] - right[index]) <= 1, "\(canvas[0, 0]) \(right)") }
    }
  }

  @Test func `tiles fill all that is not clipped`() {
    let canvas = Canvas(6, 6)
    canvas.context.interpolationQuality = .none
    canvas.context.draw(Self.corners, in: CGRect(x: 0, y: 0, width: 2, height: 2), byTiling: true)
    #expect(
      canvas[0, 0] == [255, 0, 0, 255] && canvas[4, 4] == [255, 0, 0, 255]
        && canvas[5, 5] == [255, 255, 255, 255])
  }

  @Test func `a mask lets through as much as it is opaque, where it lies`() {
    let mask = CGImage.fields([[(0, 0, 0, 255), (0, 0, 0, 128), (0, 0, 0, 0)]])
    let canvas = Canvas(4, 1)
    canvas.context.saveGState()
    canvas.context.clip(to: CGRect(x: 0, y: 0, width: 3, height: 1), mask: mask)
    canvas.context.setFillColor(CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    canvas.context.fill(CGRect(x: 0, y: 0, width: 4, height: 1))
    #expect(canvas[0, 0] == [255, 0, 0, 255] && abs(canvas[1, 0][3] - 128) <= 1)
    #expect(canvas[2, 0][3] == 0 && canvas[3, 0][3] == 0)
    canvas.context.restoreGState()
    canvas.context.fill(CGRect(x: 3, y: 0, width: 1, height: 1))
    #expect(canvas[3, 0][3] == 255)
  }

  @Test(arguments: [true, false])
  func `a gradient runs from colour to colour, and beyond its ends as asked`(isRedFirst: Bool) throws {
    let gradient = try #require(
      CGGradient(
        colorsSpace: nil,
        colors: [
          CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1), CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1),
        ],
        locations: nil))
    let canvas = Canvas(40, 3, isRedFirst: isRedFirst)
    canvas.context.drawLinearGradient(
      gradient, start: CGPoint(x: 10, y: 0), end: CGPoint(x: 30, y: 0), options: .drawsAfterEndLocation)
    #expect(canvas[5, 1][3] == 0 && canvas[11, 1][0] > 230 && canvas[35, 1] == [0, 0, 255, 255])
    #expect(abs(canvas[20, 1][0] - 124) <= 4 && abs(canvas[20, 1][2] - 131) <= 4)
    #expect(CGGradient(colorsSpace: nil, colors: [], locations: nil) == nil)
    #expect(CGGradient(colorsSpace: nil, colors: ["red"], locations: nil) == nil)
  }

  @Test func `a radial gradient runs from circle to circle`() throws {
    let numbers: [CGFloat] = [1, 1, 1, 1, 0, 0, 0, 1]
    let gradient = try #require(
      CGGradient(
        colorSpace: CGColorSpaceCreateDeviceRGB(), colorComponents: numbers, locations: nil, count: 2))
    let canvas = Canvas(21, 21)
    let middle = CGPoint(x: 10.5, y: 10.5)
    canvas.context.drawRadialGradient(
      gradient, startCenter: middle, startRadius: 0, endCenter: middle, endRadius: 10, options: [])
    #expect(
      canvas[10, 10][0] > 240 && canvas[15, 10][0] < 140 && canvas[15, 10][0] > 110 && canvas[0, 0][3] == 0)
  }
}
