import DrawingCore
import Foundation
import GraphicsCore
import Testing

@Suite("Blending and shadows")
struct BlendingTests {
  /// The formulas of Compositing and Blending Level 1, for opaque colours.
  private static func mixed(_ mode: CGBlendMode, _ below: Double, _ above: Double) -> Double? {
    switch mode {
    case .normal, .copy: above
    case .multiply: below * above
    case .screen: below + above - below * above
    case .darken: min(below, above)
    case .lighten: max(below, above)
    case .difference: abs(below - above)
    case .exclusion: below + above - 2 * below * above
    case .hardLight: above <= 0.5 ? 2 * below * above : 1 - 2 * (1 - below) * (1 - above)
    case .overlay: below <= 0.5 ? 2 * below * above : 1 - 2 * (1 - below) * (1 - above)
    case .colorDodge: above < 1 ? min(1, below / (1 - above)) : 1
    case .colorBurn: above > 0 ? 1 - min(1, (1 - below) / above) : 0
    case .plusLighter: min(1, below + above)
    default: nil
    }
  }

  @Test(
    arguments: [
      CGBlendMode.normal, .copy, .multiply, .screen, .darken, .lighten, .difference, .exclusion, .hardLight,
      .overlay, .colorDodge, .colorBurn, .plusLighter,
    ], [true, false])
  func `each component is mixed by its formula`(mode: CGBlendMode, isRedFirst: Bool) throws {
    let canvas = Canvas(2, 2, isRedFirst: isRedFirst)
    canvas.context.setFillColor(CGColor(srgbRed: 0.8, green: 0.4, blue: 0.2, alpha: 1))
    canvas.context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
    canvas.context.setBlendMode(mode)
    canvas.context.setFillColor(CGColor(srgbRed: 0.6, green: 0.2, blue: 0.9, alpha: 1))
    canvas.context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
    let found = canvas[0, 0]
    for (index, pair) in [(0.8, 0.6), (0.4, 0.2), (0.2, 0.9)].enumerated() {
      let right = try #require(Self.mixed(mode, pair.0, pair.1))
      #expect(abs(Double(found[index]) - right * 255) <= 2, "\(mode) \(found)")
    }
  }

  @Test(arguments: [CGBlendMode.hue, .saturation, .color, .luminosity])
  func `hue, saturation and luminosity do not depend on the order of bytes`(mode: CGBlendMode) {
    let pixels = [true, false].map { isRedFirst in
      let canvas = Canvas(2, 2, isRedFirst: isRedFirst)
      canvas.context.setFillColor(CGColor(srgbRed: 0.9, green: 0.3, blue: 0.1, alpha: 1))
      canvas.context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
      canvas.context.setBlendMode(mode)
      canvas.context.setFillColor(CGColor(srgbRed: 0.1, green: 0.5, blue: 0.6, alpha: 1))
      canvas.context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
      return canvas[0, 0]
    }
    for (one, other) in zip(pixels[0], pixels[1]) { #expect(abs(one - other) <= 1) }
    func luma(_ pixel: [Int]) -> Double {
      0.3 * Double(pixel[0]) + 0.59 * Double(pixel[1]) + 0.11 * Double(pixel[2])
    }
    let (below, above) = (luma([230, 77, 26]), luma([26, 128, 153]))
    #expect(abs(luma(pixels[0]) - (mode == .luminosity ? above : below)) < 3)
  }

  @Test func `what asks for what is there leaves the surroundings alone`() {
    for (mode, inside) in [
      (CGBlendMode.sourceIn, 255), (.sourceOut, 0), (.destinationIn, 255), (.destinationOut, 0), (.clear, 0),
    ] {
      let canvas = Canvas(8, 4)
      canvas.context.fill(CGRect(x: 0, y: 0, width: 8, height: 4))
      canvas.context.setBlendMode(mode)
      canvas.context.fill(CGRect(x: 2, y: 0, width: 2, height: 4))
      #expect(canvas[2, 2][3] == inside && canvas[0, 2][3] == 255 && canvas[6, 2][3] == 255, "\(mode)")
    }
  }

  @Test func `alpha multiplies colours and pictures`() {
    let canvas = Canvas(2, 1)
    canvas.context.setAlpha(0.5)
    canvas.context.setFillColor(CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 0.5))
    canvas.context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
    canvas.context.draw(.fields([[(0, 255, 0, 255)]]), in: CGRect(x: 1, y: 0, width: 1, height: 1))
    #expect(abs(canvas[0, 0][3] - 64) <= 1 && abs(canvas[0, 0][0] - 64) <= 1)
    #expect(abs(canvas[1, 0][3] - 128) <= 1 && abs(canvas[1, 0][1] - 128) <= 1)
  }

  @Test func `a layer is mixed as one picture`() {
    let canvas = Canvas(4, 1)
    let context = canvas.context
    context.setAlpha(0.5)
    context.beginTransparencyLayer(auxiliaryInfo: nil)
    context.setFillColor(CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    context.fill(CGRect(x: 0, y: 0, width: 3, height: 1))
    context.setFillColor(CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1))
    context.fill(CGRect(x: 1, y: 0, width: 3, height: 1))
    context.endTransparencyLayer()
    #expect(abs(canvas[0, 0][0] - 128) <= 1)
    // Where both lie only the upper one is seen.
    #expect(canvas[1, 0][0] == 0 && abs(canvas[1, 0][2] - 128) <= 1 && abs(canvas[1, 0][3] - 128) <= 1)
  }

  @Test(arguments: [true, false])
  func `a shadow lies where its offset says, in its colour, whatever the transform`(isRedFirst: Bool) {
    let canvas = Canvas(20, 20, isRedFirst: isRedFirst)
    let context = canvas.context
    context.scaleBy(x: 2, y: 2)
    context.setShadow(
      offset: CGSize(width: 5, height: -6), blur: 0, color: CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    context.setFillColor(CGColor(srgbRed: 0, green: 1, blue: 0, alpha: 1))
    context.fill(CGRect(x: 2, y: 5, width: 2, height: 2))
    // The fill covers 4…8 and, from the top, 6…10; its shadow lies five to the right and six below.
    #expect(canvas[5, 8] == [0, 255, 0, 255])
    #expect(canvas[11, 14] == [255, 0, 0, 255] && canvas[8, 12][3] == 0 && canvas[13, 14][3] == 0)
    context.setShadow(offset: .zero, blur: 0, color: nil)
    context.fill(CGRect(x: 8, y: 8, width: 1, height: 1))
    #expect(canvas[17, 3][3] == 255 && canvas[18, 4][3] == 0)
  }

  @Test func `the context's alpha counts once for a shadow, also for that of a layer`() {
    for isLayer in [false, true] {
      let canvas = Canvas(20, 10)
      let context = canvas.context
      context.setAlpha(0.5)
      context.setShadow(offset: CGSize(width: 10, height: 0), blur: 0, color: CGColor(gray: 0, alpha: 1))
      if isLayer { context.beginTransparencyLayer(auxiliaryInfo: nil) }
      context.fill(CGRect(x: 0, y: 0, width: 10, height: 10))
      if isLayer { context.endTransparencyLayer() }
      #expect(abs(canvas[5, 5][3] - 128) <= 1 && abs(canvas[15, 5][3] - 128) <= 1)
    }
  }

  @Test func `a blurred shadow keeps its weight and fades`() {
    let canvas = Canvas(60, 60)
    let context = canvas.context
    context.setShadow(offset: CGSize(width: 30, height: 0), blur: 8, color: CGColor(gray: 0, alpha: 1))
    context.fill(CGRect(x: 5, y: 25, width: 10, height: 10))
    let shadow = (25..<60).reduce(0) { sum, x in sum + (0..<60).reduce(0) { $0 + canvas[x, $1][3] } }
    #expect(abs(Double(shadow) / 255 - 100) < 8, "\(shadow / 255)")
    let line = (30..<60).map { canvas[$0, 30][3] }
    #expect(line.max() == canvas[40, 30][3] || line.max() == canvas[39, 30][3])
    #expect(canvas[34, 30][3] > canvas[31, 30][3] && canvas[31, 30][3] > canvas[28, 30][3])
  }
}
