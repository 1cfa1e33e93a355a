import DrawingCore
import Foundation
import GraphicsCore
import QuartzCore
import Testing

@Suite("Layers drawn into bitmaps")
struct CALayerDrawingTests {
  /// A bitmap that layers are drawn into, counted from the upper left corner.
  private struct Bitmap {
    let context: CGContext

    init(_ width: Int, _ height: Int, _ layer: CALayer) throws {
      context = try #require(
        CGContext(
          data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
      context.translateBy(x: 0, y: CGFloat(height))
      context.scaleBy(x: 1, y: -1)
      layer.render(in: context)
    }

    subscript(x: Int, y: Int) -> [Int] {
      guard let data = context.data else { return [] }
      return (0..<4).map {
        Int(data.load(fromByteOffset: y * context.bytesPerRow + 4 * x + $0, as: UInt8.self))
      }
    }

    var inkCount: Int {
      (0..<context.height).reduce(0) { sum, y in sum + (0..<context.width).count { self[$0, y][3] > 0 } }
    }
  }

  private func layer(_ frame: CGRect, _ color: UIColor? = nil) -> CALayer {
    let layer = CALayer()
    layer.frame = frame
    layer.backgroundColor = color?.cgColor
    return layer
  }

  @Test func `background, corner radius and border are drawn`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 30, height: 30), .red)
    top.cornerRadius = 10
    top.borderWidth = 3
    top.borderColor = UIColor.blue.cgColor
    let bitmap = try Bitmap(30, 30, top)
    #expect(
      bitmap[15, 15] == [255, 0, 0, 255] && bitmap[15, 1] == [0, 0, 255, 255]
        && bitmap[1, 15] == [0, 0, 255, 255])
    #expect(bitmap[0, 0][3] == 0 && bitmap[1, 1][3] == 0)
  }

  @Test func `sublayers lie at their places, turned, by depth, hidden ones not`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 40, height: 40))
    let below = layer(CGRect(x: 5, y: 10, width: 20, height: 4), .red)
    let above = layer(CGRect(x: 5, y: 10, width: 4, height: 4), .green)
    above.zPosition = 1
    let turned = layer(CGRect(x: 25, y: 25, width: 10, height: 2), .blue)
    turned.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
    let hidden = layer(CGRect(x: 0, y: 0, width: 40, height: 40), .white)
    hidden.isHidden = true
    top.sublayers = [above, below, turned, hidden]
    let bitmap = try Bitmap(40, 40, top)
    #expect(bitmap[6, 11] == [0, 255, 0, 255] && bitmap[15, 11] == [255, 0, 0, 255])
    #expect(bitmap[30, 22] == [0, 0, 255, 255] && bitmap[26, 26][3] == 0)
  }

  @Test func `contents lie the right way up, by gravity, and are cut off where the layer says`() throws {
    let context = try #require(
      CGContext(
        data: nil, width: 4, height: 8, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    context.setFillColor(UIColor.red.cgColor)
    context.fill(CGRect(x: 0, y: 4, width: 4, height: 4))
    context.setFillColor(UIColor.blue.cgColor)
    context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
    let top = layer(CGRect(x: 0, y: 0, width: 20, height: 20))
    top.contents = context.makeImage()
    top.contentsGravity = .resizeAspect
    let fitted = try Bitmap(20, 20, top)
    #expect(
      fitted[10, 2] == [255, 0, 0, 255] && fitted[10, 17] == [0, 0, 255, 255] && fitted[2, 10][3] == 0)
    top.contentsGravity = .topLeft
    top.bounds.size = CGSize(width: 20, height: 6)
    let cut = try Bitmap(20, 20, top)
    #expect(cut[1, 1] == [255, 0, 0, 255] && cut[1, 7] == [0, 0, 255, 255])
    top.masksToBounds = true
    #expect(try Bitmap(20, 20, top)[1, 7][3] == 0)
  }

  @Test func `opacity counts for the layer with all in it`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 10, height: 10), .red)
    top.addSublayer(layer(CGRect(x: 0, y: 0, width: 5, height: 10), .blue))
    top.opacity = 0.5
    let bitmap = try Bitmap(10, 10, top)
    #expect(bitmap[2, 5][0] == 0 && abs(bitmap[2, 5][3] - 128) <= 1 && abs(bitmap[7, 5][0] - 128) <= 1)
  }

  @Test func `a shadow lies off the layer, and one that cuts off has none`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 40, height: 40))
    let card = layer(CGRect(x: 10, y: 10, width: 10, height: 10), .white)
    card.shadowOpacity = 1
    card.shadowRadius = 0
    card.shadowColor = UIColor.red.cgColor
    card.shadowOffset = CGSize(width: 5, height: 8)
    top.addSublayer(card)
    let bitmap = try Bitmap(40, 40, top)
    #expect(
      bitmap[15, 15] == [255, 255, 255, 255] && bitmap[22, 25] == [255, 0, 0, 255] && bitmap[26, 25][3] == 0)
    card.shadowRadius = 2
    #expect(try Bitmap(40, 40, top).inkCount > bitmap.inkCount + 30)
    card.masksToBounds = true
    #expect(try Bitmap(40, 40, top).inkCount == 100)
  }

  @Test func `a mask lets through what it covers`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 20, height: 20), .green)
    let mask = layer(CGRect(x: 5, y: 5, width: 10, height: 10), .black)
    mask.cornerRadius = 5
    top.mask = mask
    let bitmap = try Bitmap(20, 20, top)
    #expect(bitmap[10, 10] == [0, 255, 0, 255] && bitmap[1, 10][3] == 0 && bitmap[5, 5][3] < 80)
  }

  @Test func `a mask lets through of a shadow, too, what it covers, and lays its sublayers out`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 40, height: 40))
    let card = layer(CGRect(x: 10, y: 10, width: 10, height: 10), .green)
    card.shadowOpacity = 1
    card.shadowRadius = 0
    card.shadowColor = UIColor.red.cgColor
    card.shadowOffset = CGSize(width: 10, height: 0)
    top.addSublayer(card)
    let mask = Halved()
    mask.frame = CGRect(x: 0, y: 0, width: 20, height: 10)
    mask.addSublayer(layer(.zero, .black))
    card.mask = mask
    let bitmap = try Bitmap(40, 40, top)
    #expect(bitmap[12, 12] == [0, 255, 0, 255] && bitmap[22, 12] == [255, 0, 0, 255])
    #expect(bitmap[12, 17][3] == 0 && bitmap[22, 17][3] == 0 && bitmap.inkCount == 100)
  }

  /// A layer whose sublayer takes its upper half.
  private final class Halved: CALayer {
    override func layoutSublayers() {
      sublayers?.first?.frame = CGRect(x: 0, y: 0, width: bounds.width, height: bounds.height / 2)
    }
  }

  @Test func `text is drawn in its colour, aligned, and at the bitmap's size`() throws {
    let text = CATextLayer()
    text.frame = CGRect(x: 0, y: 0, width: 200, height: 60)
    text.string = "셋, 둘, 하나"
    text.fontSize = 30
    text.foregroundColor = UIColor.orange.cgColor
    text.alignmentMode = .right
    let bitmap = try Bitmap(200, 60, text)
    let columns = (0..<200).filter { x in (0..<60).contains { bitmap[x, $0][3] > 0 } }
    #expect(bitmap.inkCount > 200 && (columns.last ?? 0) > 185)
    #expect((0..<60).contains { y in (0..<200).contains { bitmap[$0, y] == [255, 128, 0, 255] } })
    text.string = nil
    #expect(try Bitmap(200, 60, text).inkCount == 0)
  }

  @Test func `a text layer makes contents for hosts, as sharp as it is told`() throws {
    let text = CATextLayer()
    text.frame = CGRect(x: 0, y: 0, width: 50, height: 20)
    text.contentsScale = 2
    text.string = NSAttributedString(string: "obscura", attributes: [.foregroundColor: UIColor.red])
    #expect(text.needsDisplay() && text.contents == nil)
    text.displayIfNeeded()
    let picture = try #require(text.contents as? CGImage)
    #expect(picture.width == 100 && picture.height == 40 && !text.needsDisplay())
    let copy = CATextLayer(layer: text)
    #expect((copy.string as? NSAttributedString)?.string == "obscura")
  }

  @Test func `a plain layer keeps its contents when it is to be displayed anew`() throws {
    let top = layer(CGRect(x: 0, y: 0, width: 4, height: 4))
    top.contents = try Bitmap(4, 4, layer(CGRect(x: 0, y: 0, width: 4, height: 4), .red)).context.makeImage()
    top.setNeedsDisplay()
    #expect(try Bitmap(4, 4, top)[1, 1] == [255, 0, 0, 255])
  }

  @Test func `a delegate draws what a layer shows once that is asked for`() throws {
    final class Painter: CALayerDelegate {
      func draw(_ layer: CALayer, in ctx: CGContext) {
        ctx.setFillColor(UIColor.blue.cgColor)
        ctx.fill(CGRect(x: 0, y: 0, width: 5, height: 2))
      }
    }
    let painter = Painter()
    let top = layer(CGRect(x: 0, y: 0, width: 10, height: 10))
    top.delegate = painter
    #expect(try Bitmap(10, 10, top).inkCount == 0)
    top.setNeedsDisplay()
    let bitmap = try Bitmap(10, 10, top)
    #expect(bitmap[1, 1] == [0, 0, 255, 255] && bitmap[1, 4][3] == 0)
  }
}
