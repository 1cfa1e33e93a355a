import Foundation
import GraphicsCore
import QuartzCore
import Testing

private func isClose(_ a: CATransform3D, _ b: CATransform3D) -> Bool {
  let pairs: [(CGFloat, CGFloat)] = [
    (a.m11, b.m11), (a.m12, b.m12), (a.m13, b.m13), (a.m14, b.m14), (a.m21, b.m21), (a.m22, b.m22),
    (a.m23, b.m23), (a.m24, b.m24), (a.m31, b.m31), (a.m32, b.m32), (a.m33, b.m33), (a.m34, b.m34),
    (a.m41, b.m41), (a.m42, b.m42), (a.m43, b.m43), (a.m44, b.m44),
  ]
  return pairs.allSatisfy { abs($0 - $1) < 1e-9 }
}

@Suite("CATransform3D")
struct CATransform3DTests {
  @Test func `a turn about z is the affine turn`() {
    let turn = CATransform3DMakeRotation(0.3, 0, 0, 2)
    let affine = CATransform3DMakeAffineTransform(CGAffineTransform(rotationAngle: 0.3))
    #expect(isClose(turn, affine))
    #expect(CATransform3DIsAffine(affine))
  }

  @Test func `a quarter turn about x takes y to z and about y takes z to x`() {
    let aboutX = CATransform3DMakeRotation(.pi / 2, 1, 0, 0)
    #expect(abs(aboutX.m23 - 1) < 1e-12 && abs(aboutX.m32 + 1) < 1e-12)
    let aboutY = CATransform3DMakeRotation(.pi / 2, 0, 1, 0)
    #expect(abs(aboutY.m31 - 1) < 1e-12 && abs(aboutY.m13 + 1) < 1e-12)
  }

  @Test func `an axis without length turns nothing`() {
    #expect(CATransform3DIsIdentity(CATransform3DMakeRotation(1, 0, 0, 0)))
  }

  @Test func `translate and scale act before the transform they are given`() {
    let moved = CATransform3DTranslate(CATransform3DMakeScale(2, 3, 4), 1, 1, 1)
    #expect(moved.m41 == 2 && moved.m42 == 3 && moved.m43 == 4)
    let scaled = CATransform3DScale(CATransform3DMakeTranslation(5, 6, 7), 2, 2, 2)
    #expect(scaled.m41 == 5 && scaled.m11 == 2)
  }

  @Test func `the inverse undoes, and a singular matrix comes back as it was`() {
    var t = CATransform3DMakeRotation(0.7, 1, 2, 3)
    t = CATransform3DTranslate(t, 4, -5, 6)
    t.m34 = -1 / 500
    #expect(isClose(CATransform3DConcat(t, CATransform3DInvert(t)), CATransform3DIdentity))
    let flat = CATransform3DMakeScale(1, 0, 1)
    #expect(CATransform3DEqualToTransform(CATransform3DInvert(flat), flat))
  }

  @Test func `the media time advances with the steady clock`() {
    let first = CACurrentMediaTime()
    #expect(first > 0)
    #expect(CACurrentMediaTime() >= first)
  }
}
