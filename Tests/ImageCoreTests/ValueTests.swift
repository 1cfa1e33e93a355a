import CoreVideo
import DrawingCore
import Foundation
import GraphicsCore
import ImageCore
import Testing

@Suite("CIColor and CIVector")
struct ValueTests {
  @Test func `colours read and write text`() {
    let color = CIColor(string: "1 0.5 0.25")
    #expect(color == CIColor(red: 1, green: 0.5, blue: 0.25))
    #expect(color.stringRepresentation == "1 0.5 0.25 1")
    #expect(CIColor(string: "0.1 0.2 0.3 0.4").alpha == 0.4)
    #expect(CIColor().alpha == 0 && CIColor.white.numberOfComponents == 4)
  }

  @Test func `colours come from Core Graphics with their space`() {
    #expect(
      CIColor(cgColor: CGColor(gray: 0.5, alpha: 0.25))
        == CIColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.25))
    #expect(
      CIColor(color: UIColor(red: 1, green: 0.5, blue: 0, alpha: 0.75))
        == CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.75))
    #expect(CIColor(color: .white) == .white)
    let red = CIColor(cgColor: CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    #expect(red.red == 1 && red.colorSpace.model == .rgb)
    #expect(CIColor(red: 1, green: 1, blue: 1, colorSpace: CGColorSpaceCreateDeviceGray()) == nil)
  }

  @Test func `vectors are points, rectangles and transforms`() {
    #expect(CIVector(x: 1, y: 2).cgPointValue == CGPoint(x: 1, y: 2))
    #expect(CIVector(cgRect: CGRect(x: 1, y: 2, width: 3, height: 4)).w == 4)
    let turn = CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
    #expect(CIVector(cgAffineTransform: turn).cgAffineTransformValue == turn)
    let vector = CIVector(x: 1, y: 2, z: 3)
    #expect(vector.count == 3 && vector.value(at: 3) == 0 && vector.w == 0)
    #expect(CIVector(string: vector.stringRepresentation) == vector)
    #expect(vector != CIVector(x: 1, y: 2))
    #expect(CIVector(values: [7, 8], count: 2).y == 8)
  }
}

@Suite("UIImage")
struct UIImageTests {
  @Test func `the size is the one seen, in points`() throws {
    let pixels = try #require(
      CIContext().createCGImage(.red, from: CGRect(x: 0, y: 0, width: 40, height: 30)))
    #expect(UIImage(cgImage: pixels).size == CGSize(width: 40, height: 30))
    for orientation in UIImage.Orientation.allCases {
      let image = UIImage(cgImage: pixels, scale: 2, orientation: orientation)
      let isLying = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
      #expect(image.size == (isLying ? CGSize(width: 15, height: 20) : CGSize(width: 20, height: 15)))
      #expect(image.scale == 2 && image.imageOrientation == orientation && image.cgImage === pixels)
    }
    #expect(UIImage().size == .zero && UIImage(ciImage: .red).size == .zero)
  }

  @Test func `orientations have Apple's numbers`() {
    let names: [UIImage.Orientation] = [
      .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
    ]
    #expect(names.map(\.rawValue) == Array(0...7))
  }

  @Test func `flipping twice is what it was`() throws {
    let pixels = try #require(CIContext().createCGImage(.red, from: CGRect(x: 0, y: 0, width: 4, height: 3)))
    for orientation in UIImage.Orientation.allCases {
      let image = UIImage(cgImage: pixels, scale: 1, orientation: orientation)
      #expect(image.withHorizontallyFlippedOrientation() != image)
      #expect(image.withHorizontallyFlippedOrientation().withHorizontallyFlippedOrientation() == image)
    }
  }

  @Test func `an image is a recipe of its pixels`() throws {
    let pixels = try #require(CIContext().createCGImage(.red, from: CGRect(x: 0, y: 0, width: 4, height: 3)))
    let image = UIImage(cgImage: pixels, scale: 1, orientation: .right)
    #expect(CIImage(image: image)?.extent == CGRect(x: 0, y: 0, width: 4, height: 3))
    #expect(CIImage(image: UIImage()) == nil)
    let recipe = CIImage(color: .blue)
    #expect(
      UIImage(ciImage: recipe).ciImage === recipe
        && CIImage(image: UIImage(ciImage: recipe))?.extent.isInfinite == true)
  }
}

@Suite("Image Core: other spellings")
struct SpellingTests {
  @Test func `an image buffer makes the same picture as a pixel buffer`() throws {
    let grid = Grid.asymmetric(4, 2)
    let buffer: CVImageBuffer = try grid.buffer
    let extent = CGRect(x: 0, y: 0, width: 4, height: 2)
    #expect(try Grid(rendering: CIImage(cvImageBuffer: buffer)).isClose(to: grid))
    let sharp = CIImage(cvImageBuffer: buffer, options: [.nearestSampling: true])
    let large = try Grid(rendering: sharp.transformed(by: CGAffineTransform(scaleX: 2, y: 2)))
    #expect(large.width == 8 && large[1, 1].isClose(to: grid[0, 0]) && large[7, 3].isClose(to: grid[3, 1]))
    let image = UIImage(ciImage: CIImage(cvImageBuffer: buffer))
    #expect(CIImage(image: image, options: [:])?.extent == extent)
  }

  @Test func `vectors are made of numbers and of points`() {
    let vector = CIVector(x: 1, y: 2, z: 3, w: 4)
    #expect((0..<vector.count).map { vector.value(at: $0) } == [1, 2, 3, 4])
    #expect(CIVector(cgPoint: CGPoint(x: 5, y: 6)).cgPointValue == CGPoint(x: 5, y: 6))
  }
}
