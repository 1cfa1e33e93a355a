import CoreGraphics
import Foundation
import Testing

@Suite("CoreGraphics: the face")
struct CoreGraphicsFaceTests {
  @Test func `a test that imports it beside Testing compiles and sees images`() throws {
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    #expect(space.numberOfComponents == 3)
    let turned = CGPoint(x: 1, y: 0).applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(abs(turned.x) < 1e-12 && abs(turned.y - 1) < 1e-12)
  }
}
