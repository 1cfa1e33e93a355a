import Foundation
import FoundationExtras
import GraphicsCore
import SeededNumbers
import Testing

@Suite("CGAffineTransform")
struct CGAffineTransformTests {
  private func near(_ a: CGPoint, _ b: CGPoint) -> Bool { abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9 }

  @Test func `each operation does what its name says`() {
    let point = CGPoint(x: 3, y: 5)
    #expect(point.applying(.identity) == point)
    #expect(point.applying(CGAffineTransform(translationX: 2, y: -1)) == CGPoint(x: 5, y: 4))
    #expect(point.applying(CGAffineTransform(scaleX: 2, y: 3)) == CGPoint(x: 6, y: 15))
    #expect(near(point.applying(CGAffineTransform(rotationAngle: .pi / 2)), CGPoint(x: -5, y: 3)))
    #expect(
      CGSize(width: 2, height: 3).applying(CGAffineTransform(1, 0, 0, -1, 9, 9))
        == CGSize(width: 2, height: -3))
  }

  @Test func `concatenating does the receiver first`() {
    let both = CGAffineTransform(scaleX: 2, y: 2).concatenating(CGAffineTransform(translationX: 10, y: 0))
    #expect(CGPoint(x: 1, y: 1).applying(both) == CGPoint(x: 12, y: 2))
  }

  @Test func `translatedBy, scaledBy and rotated happen before`() {
    let move = CGAffineTransform(translationX: 10, y: 0)
    #expect(CGPoint(x: 1, y: 1).applying(move.scaledBy(x: 2, y: 2)) == CGPoint(x: 12, y: 2))
    #expect(
      CGPoint(x: 1, y: 1).applying(CGAffineTransform(scaleX: 2, y: 2).translatedBy(x: 10, y: 0))
        == CGPoint(x: 22, y: 2))
    #expect(near(CGPoint(x: 1, y: 0).applying(move.rotated(by: .pi)), CGPoint(x: 9, y: 0)))
  }

  @Test func `the inverse undoes, and a flat transform is its own`() {
    var dice = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      func any() -> CGFloat { CGFloat.random(in: -5...5, using: &dice) }
      let transform = CGAffineTransform(any(), any(), any(), any(), any(), any())
      guard abs(transform.a * transform.d - transform.b * transform.c) > 0.01 else { continue }
      let point = CGPoint(x: any(), y: any())
      let back = point.applying(transform).applying(transform.inverted())
      #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6)
    }
    let flat = CGAffineTransform(scaleX: 0, y: 1)
    #expect(flat.inverted() == flat)
  }

  @Test func `taking apart and composing gives the same transform`() {
    for transform in [
      CGAffineTransform(rotationAngle: 0.3).scaledBy(x: 2, y: -3).translatedBy(x: 4, y: 5),
      CGAffineTransform(1, 0.5, -0.25, 2, 7, 8), CGAffineTransform.identity,
    ] {
      let back = CGAffineTransform(transform.decomposed())
      for (a, b) in [
        (transform.a, back.a), (transform.b, back.b), (transform.c, back.c), (transform.d, back.d),
        (transform.tx, back.tx), (transform.ty, back.ty),
      ] { #expect(abs(a - b) < 1e-9) }
    }
  }

  @Test func `a rectangle becomes the box around its corners`() {
    let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
    let turned = rect.applying(CGAffineTransform(0, 1, -1, 0, 0, 0))
    #expect(turned == CGRect(x: -6, y: 1, width: 4, height: 3))
    #expect(CGRect.null.applying(CGAffineTransform(scaleX: 2, y: 2)).isNull)
    #expect(CGRect.infinite.applying(CGAffineTransform(scaleX: 2, y: 2)).isInfinite)
  }

  @Test func `dictionaries bring geometry back`() {
    let rect = CGRect(x: 1.5, y: -2, width: 3, height: 4)
    #expect(CGRect(dictionaryRepresentation: rect.dictionaryRepresentation) == rect)
    #expect(CGPoint(dictionaryRepresentation: ["X": 1, "Y": 2.5]) == CGPoint(x: 1, y: 2.5))
    #expect(CGSize(dictionaryRepresentation: ["Width": 1]) == nil)
  }
}
