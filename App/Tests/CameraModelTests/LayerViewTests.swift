import AVFoundation
import GTKLayers
import Testing

/// What a view shows, read from its pictures: no window is needed for that.
@Suite(.serialized) @MainActor struct LayerViewTests {
  /// A view of sixteen by eight points with a layer of a colour.
  private func view(_ color: CGColor? = nil, scale: Double = 1) -> LayerView {
    let layer = CALayer()
    layer.bounds = CGRect(x: 0, y: 0, width: 16, height: 8)
    layer.contentsScale = scale
    layer.backgroundColor = color
    return LayerView(layer)
  }

  private func patch(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: CGColor) -> CALayer
  {
    let layer = CALayer()
    layer.frame = CGRect(x: x, y: y, width: width, height: height)
    layer.backgroundColor = color
    return layer
  }

  private let red = CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1)
  private let blue = CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1)

  @Test func `colours lie where their layers lie, those of later sublayers above those of earlier ones`()
    throws
  {
    let view = view(red)
    view.layer.addSublayer(patch(2, 1, 6, 6, blue))
    view.layer.addSublayer(patch(6, 1, 6, 6, .white))
    #expect(
      try view.colors([(0, 0), (3, 3), (7, 3), (13, 3)])
        == [[255, 0, 0], [0, 0, 255], [255, 255, 255], [255, 0, 0]])
    view.layer.sublayers?.first?.zPosition = 1
    #expect(try view.colors([(7, 3)]) == [[0, 0, 255]])
    view.layer.sublayers?.first?.isHidden = true
    #expect(try view.colors([(3, 3)]) == [[255, 0, 0]])
  }

  @Test func `a picture has the pixels of the screen, not the points`() throws {
    let view = view(red, scale: 2)
    let picture = try #require(try view.makePicture())
    #expect(CVPixelBufferGetWidth(picture) == 32 && CVPixelBufferGetHeight(picture) == 16)
    view.layer.addSublayer(patch(8, 4, 8, 4, blue))
    #expect(try view.colors([(15, 7), (16, 8), (31, 15)]) == [[255, 0, 0], [0, 0, 255], [0, 0, 255]])
  }

  @Test func `opacity, borders, round corners, clipping and turns are drawn`() throws {
    let view = view(.black)
    let layer = patch(4, 0, 8, 8, red)
    view.layer.addSublayer(layer)
    layer.opacity = 0.5
    let half = try view.colors([(8, 4)])[0]
    #expect(abs(half[0] - 128) <= 2 && half[1] == 0)
    layer.opacity = 1
    layer.borderWidth = 2
    layer.borderColor = .white
    #expect(try view.colors([(5, 4), (8, 4)]) == [[255, 255, 255], [255, 0, 0]])
    layer.borderWidth = 0
    layer.cornerRadius = 4
    #expect(try view.colors([(4, 0), (8, 4)]) == [[0, 0, 0], [255, 0, 0]])
    layer.cornerRadius = 0
    layer.addSublayer(patch(0, 3, 20, 2, blue))
    #expect(try view.colors([(14, 4)]) == [[0, 0, 255]])
    layer.masksToBounds = true
    #expect(try view.colors([(14, 4), (8, 4)]) == [[0, 0, 0], [0, 0, 255]])
    layer.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
    let turned = try view.colors([(8, 1), (5, 4)])
    #expect(turned == [[0, 0, 255], [255, 0, 0]])
    layer.setAffineTransform(CGAffineTransform(a: -1, b: 0, c: 1, d: 1, tx: 0, ty: 0))
    // Mirrored, and leaning: what lies below the middle lies farther right.
    #expect(
      try view.colors([(5, 1), (12, 1), (3, 6), (13, 6)]) == [
        [255, 0, 0], [0, 0, 0], [0, 0, 0], [255, 0, 0],
      ])
  }

  @Test func `a mask lets through what it covers, by its opacity, and a change of it is drawn`() throws {
    let view = view(.black)
    let layer = patch(2, 0, 12, 8, red)
    layer.addSublayer(patch(6, 0, 10, 8, blue))
    view.layer.addSublayer(layer)
    let mask = patch(2, 2, 8, 4, .white)
    layer.mask = mask
    #expect(
      try view.colors([(3, 4), (5, 1), (5, 4), (9, 4), (13, 4)])
        == [[0, 0, 0], [0, 0, 0], [255, 0, 0], [0, 0, 255], [0, 0, 0]])
    mask.opacity = 0.5
    let half = try view.colors([(5, 4)])[0]
    #expect(abs(half[0] - 128) <= 2 && half[1] == 0)
    mask.opacity = 1
    mask.cornerRadius = 2
    // A third of the corner's pixel lies inside the round.
    let corner = try view.colors([(4, 2)])[0]
    #expect((60...110).contains(corner[0]) && corner[1] == 0)
    #expect(try view.colors([(7, 4)]) == [[255, 0, 0]])
    // A layer's shadow is masked with it.
    layer.shadowOpacity = 1
    layer.shadowRadius = 0
    layer.shadowColor = CGColor.white
    layer.shadowOffset = CGSize(width: 0, height: 4)
    layer.bounds.size.height = 4
    mask.frame = CGRect(x: 2, y: 0, width: 8, height: 5)
    #expect(try view.colors([(7, 3), (7, 6), (7, 7)]) == [[255, 0, 0], [255, 255, 255], [0, 0, 0]])
    layer.shadowOpacity = 0
    mask.isHidden = true
    #expect(try view.colors([(5, 3)]) == [[0, 0, 0]])
    layer.mask = nil
    #expect(try view.colors([(3, 4)]) == [[255, 0, 0]])
  }

  @Test func `an image fills its layer, or lies where its gravity says`() throws {
    let bytes = Data([255, 0, 0, 255, 0, 0, 255, 255])
    let provider = try #require(CGDataProvider(data: bytes as CFData))
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let image = try #require(
      CGImage(
        width: 2, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider,
        decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    let view = view(.black)
    view.layer.contents = image
    #expect(try view.colors([(0, 0), (15, 7)]) == [[255, 0, 0], [0, 0, 255]])
    view.layer.contentsGravity = .bottomRight
    #expect(try view.colors([(0, 0), (14, 7), (15, 7)]) == [[0, 0, 0], [255, 0, 0], [0, 0, 255]])
  }

  @Test func `a view that goes lets its layer and what it shows go`() async throws {
    weak var layer: CALayer?
    do {
      let view = view(red)
      layer = view.layer
      view.layer.addSublayer(AVPlayerLayer())
      _ = try view.makePicture()
    }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(layer == nil)
  }
}
