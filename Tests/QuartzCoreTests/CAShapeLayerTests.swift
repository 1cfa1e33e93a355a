import DrawingCore
import Foundation
import FoundationExtras
import GraphicsCore
import QuartzCore
import Testing

@MainActor @Suite("CAShapeLayer")
struct CAShapeLayerTests {
  /// The red, green, blue and alpha of a bitmap that a layer is drawn into, counted from the upper left corner.
  private struct Bitmap {
    let context: CGContext

    @MainActor init(
      _ layer: CALayer, _ width: Int = 40, _ height: Int = 40, inFilm: Bool = false
    ) throws {
      context = try #require(
        CGContext(
          data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
      if inFilm {
        layer.render(in: context, atMovieTime: 0)
      } else {
        context.translateBy(x: 0, y: CGFloat(height))
        context.scaleBy(x: 1, y: -1)
        layer.render(in: context)
      }
    }

    subscript(x: Int, y: Int) -> [Int] {
      guard let data = context.data else { return [] }
      return (0..<4).map {
        Int(data.load(fromByteOffset: y * context.bytesPerRow + 4 * x + $0, as: UInt8.self))
      }
    }
  }

  private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
  private let blue = CGColor(red: 0, green: 0, blue: 1, alpha: 1)

  private func square(_ x: CGFloat = 10, _ y: CGFloat = 10, _ edge: CGFloat = 20) -> CGPath {
    CGPath(rect: CGRect(x: x, y: y, width: edge, height: edge), transform: nil)
  }

  @Test func `a path is filled in black and has no line, until both have colours`() throws {
    let layer = CAShapeLayer()
    #expect(try Bitmap(layer)[20, 20] == [0, 0, 0, 0])
    layer.path = square()
    // It lies beyond the bounds, which are empty.
    #expect(try Bitmap(layer)[20, 20] == [0, 0, 0, 255] && Bitmap(layer)[8, 20][3] == 0)
    layer.fillColor = red
    layer.strokeColor = blue
    layer.lineWidth = 4
    let bitmap = try Bitmap(layer)
    #expect(bitmap[20, 20] == [255, 0, 0, 255] && bitmap[9, 20] == [0, 0, 255, 255])
    #expect(bitmap[11, 20] == [0, 0, 255, 255] && bitmap[7, 20][3] == 0)
    layer.fillColor = nil
    #expect(try Bitmap(layer)[20, 20][3] == 0)
  }

  @Test func `the rule says what of overlapping parts is filled`() throws {
    let path = CGMutablePath()
    path.addPath(square())
    path.addPath(square(15, 15, 10))
    let layer = CAShapeLayer()
    layer.path = path
    #expect(try Bitmap(layer)[20, 20][3] == 255)
    layer.fillRule = .evenOdd
    #expect(try Bitmap(layer)[20, 20][3] == 0 && Bitmap(layer)[12, 20][3] == 255)
  }

  @Test func `a line goes from one share of the path's length to another`() throws {
    let path = CGMutablePath()
    path.move(to: CGPoint(x: 0, y: 10))
    path.addLine(to: CGPoint(x: 20, y: 10))
    path.addLine(to: CGPoint(x: 20, y: 30))
    let layer = CAShapeLayer()
    (layer.path, layer.fillColor, layer.strokeColor, layer.lineWidth) = (path, nil, red, 2)
    (layer.strokeStart, layer.strokeEnd) = (0.25, 0.75)
    let bitmap = try Bitmap(layer)
    #expect(bitmap[5, 10][3] == 0 && bitmap[15, 10] == [255, 0, 0, 255])
    #expect(bitmap[20, 15] == [255, 0, 0, 255] && bitmap[20, 25][3] == 0)
    layer.strokeEnd = 0.25
    #expect(try Bitmap(layer)[15, 10][3] == 0)
  }

  @Test func `half of a circle is as long as the other half`() throws {
    let layer = CAShapeLayer()
    layer.path = CGPath(ellipseIn: CGRect(x: 5, y: 5, width: 30, height: 30), transform: nil)
    (layer.fillColor, layer.strokeColor, layer.lineWidth, layer.strokeEnd) = (nil, red, 4, 0.5)
    let bitmap = try Bitmap(layer)
    let (upper, lower) = (bitmap[20, 5][3], bitmap[20, 34][3])
    #expect(Swift.max(upper, lower) == 255 && Swift.min(upper, lower) == 0)
  }

  @Test func `dashes, ends and corners are those that were asked for`() throws {
    let path = CGMutablePath()
    path.move(to: CGPoint(x: 4, y: 20))
    path.addLine(to: CGPoint(x: 24, y: 20))
    let layer = CAShapeLayer()
    (layer.path, layer.strokeColor, layer.lineWidth) = (path, red, 4)
    #expect(try Bitmap(layer)[2, 20][3] == 0)
    layer.lineCap = .square
    #expect(try Bitmap(layer)[2, 20][3] == 255)
    layer.lineCap = .butt
    layer.lineDashPattern = [5, 5]
    let dashed = try Bitmap(layer)
    #expect(dashed[6, 20][3] == 255 && dashed[11, 20][3] == 0 && dashed[16, 20][3] == 255)
    layer.lineDashPhase = 5
    #expect(try Bitmap(layer)[6, 20][3] == 0)
    let corner = CAShapeLayer()
    (corner.path, corner.fillColor, corner.strokeColor, corner.lineWidth) = (square(), nil, red, 6)
    #expect(try Bitmap(corner)[8, 8][3] == 255)
    corner.lineJoin = .bevel
    #expect(try Bitmap(corner)[7, 7][3] == 0)
  }

  @Test func `as a mask it lets through what lies inside`() throws {
    let picture = CALayer()
    picture.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    picture.backgroundColor = blue
    let mask = CAShapeLayer()
    mask.path = square()
    picture.mask = mask
    let bitmap = try Bitmap(picture)
    #expect(bitmap[20, 20] == [0, 0, 255, 255] && bitmap[5, 5][3] == 0)
  }

  @Test func `in a film, where y points up, it lies where its path says, and so does a mask`() throws {
    let shape = CAShapeLayer()
    shape.path = square(10, 5, 10)
    shape.fillColor = red
    let film = CALayer()
    film.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    film.addSublayer(shape)
    let bitmap = try Bitmap(film, inFilm: true)
    #expect(bitmap[15, 40 - 10] == [255, 0, 0, 255] && bitmap[15, 10][3] == 0)
    shape.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    #expect(try Bitmap(film, inFilm: true)[15, 40 - 10] == [255, 0, 0, 255])
    shape.removeFromSuperlayer()
    film.backgroundColor = blue
    film.mask = shape
    let masked = try Bitmap(film, inFilm: true)
    #expect(masked[15, 40 - 10] == [0, 0, 255, 255] && masked[15, 10][3] == 0)
  }

  @Test func `its path, colours and ends are animated`() throws {
    let layer = CAShapeLayer()
    (layer.path, layer.strokeEnd, layer.strokeColor) = (square(), 0, red)
    func add(_ path: String, _ from: Any, _ to: Any) {
      let animation = CABasicAnimation(keyPath: path)
      (animation.fromValue, animation.toValue, animation.duration) = (from, to, 2)
      LayerTime.$clock.withValue({ 100 }) { layer.add(animation, forKey: path) }
    }
    add("strokeEnd", 0, 1)
    add("path", square(), square(20, 10))
    add("strokeColor", red, blue)
    let shown = try LayerTime.$clock.withValue({ 101 }) { try #require(layer.presentation()) }
    #expect(shown.strokeEnd == 0.5 && shown.strokeColor?.components == [0.5, 0, 0.5, 1])
    #expect(shown.path?.boundingBox == CGRect(x: 15, y: 10, width: 20, height: 20))
    #expect(layer.strokeEnd == 0 && layer.path == square())
  }

  @Test func `a host that draws pictures gets one of all the path, until the layer changes`() throws {
    let layer = CAShapeLayer()
    #expect(layer.pictureBeyondBounds == nil)
    (layer.path, layer.strokeColor, layer.lineWidth, layer.lineJoin) = (square(), red, 4, .round)
    let (picture, place) = try #require(layer.pictureBeyondBounds)
    #expect(place.contains(CGRect(x: 8, y: 8, width: 24, height: 24)))
    #expect(picture.width == Int(place.width) && layer.pictureBeyondBounds?.picture === picture)
    layer.fillColor = blue
    #expect(layer.pictureBeyondBounds?.picture !== picture)
  }

  @Test func `that picture has the screen's pixels, and shows the contents under the path`() throws {
    let layer = CAShapeLayer()
    layer.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
    (layer.path, layer.fillColor) = (square(), red)
    let coarse = try #require(layer.pictureBeyondBounds)
    layer.contentsScale = 2
    let fine = try #require(layer.pictureBeyondBounds)
    #expect(fine.place == coarse.place && fine.picture.width == 2 * coarse.picture.width)
    let background = CALayer()
    (background.frame, background.backgroundColor) = (layer.frame, blue)
    layer.contents = try Bitmap(background).context.makeImage()
    layer.contentsScale = 1
    let both = try #require(layer.pictureBeyondBounds)
    #expect(both.place.contains(layer.bounds))
    let shown = CALayer()
    (shown.frame, shown.contents) = (CGRect(origin: .zero, size: both.place.size), both.picture)
    let bitmap = try Bitmap(shown)
    #expect(bitmap[20, 20] == [255, 0, 0, 255] && bitmap[5, 5] == [0, 0, 255, 255])
  }
}
