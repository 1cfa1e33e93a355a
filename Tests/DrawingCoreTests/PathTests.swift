import DrawingCore
import Foundation
import GraphicsCore
import Testing

@Suite("Paths")
struct PathTests {
  @Test func `a path tells its steps, its current point and its boxes`() throws {
    let path = CGMutablePath()
    #expect(path.isEmpty && path.boundingBox.isNull)
    path.move(to: CGPoint(x: 1, y: 2))
    path.addLine(to: CGPoint(x: 5, y: 2))
    path.addQuadCurve(to: CGPoint(x: 9, y: 2), control: CGPoint(x: 7, y: 10))
    path.addCurve(
      to: CGPoint(x: 1, y: 2), control1: CGPoint(x: 9, y: -6), control2: CGPoint(x: 1, y: -6))
    path.closeSubpath()
    var types: [CGPathElementType] = []
    var points: [CGPoint] = []
    path.applyWithBlock { element in
      types.append(element.pointee.type)
      let count = [1, 1, 2, 3, 0][Int(element.pointee.type.rawValue)]
      points += (0..<count).map { element.pointee.points[$0] }
    }
    #expect(types == [.moveToPoint, .addLineToPoint, .addQuadCurveToPoint, .addCurveToPoint, .closeSubpath])
    #expect(points.count == 7 && points[2] == CGPoint(x: 7, y: 10))
    #expect(path.currentPoint == CGPoint(x: 1, y: 2))
    #expect(path.boundingBox == CGRect(x: 1, y: -6, width: 8, height: 16))
    // The curves reach half and three quarters of the way to their control points.
    let box = path.boundingBoxOfPath
    #expect(abs(box.maxY - 6) < 0.01 && abs(box.minY + 4) < 0.01)
  }

  @Test func `an ellipse, a rounded rectangle and an arc lie where geometry says`() {
    let ellipse = CGPath(ellipseIn: CGRect(x: 0, y: 0, width: 20, height: 10), transform: nil)
    #expect(ellipse.contains(CGPoint(x: 10, y: 5)) && !ellipse.contains(CGPoint(x: 1, y: 1)))
    let box = ellipse.boundingBoxOfPath
    #expect(abs(box.width - 20) < 0.01 && abs(box.height - 10) < 0.01)
    let round = CGPath(
      roundedRect: CGRect(x: 0, y: 0, width: 20, height: 20), cornerWidth: 5, cornerHeight: 5, transform: nil)
    #expect(round.contains(CGPoint(x: 10, y: 0.5)) && !round.contains(CGPoint(x: 0.5, y: 0.5)))
    let arc = CGMutablePath()
    arc.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
    #expect(arc.boundingBoxOfPath.minX > -0.01 && arc.boundingBoxOfPath.minY > -0.01)
    let long = CGMutablePath()
    long.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
    #expect(abs(long.boundingBoxOfPath.minX + 10) < 0.01 && abs(long.boundingBoxOfPath.minY + 10) < 0.01)
  }

  @Test func `a corner is rounded by an arc that touches both lines`() {
    let path = CGMutablePath()
    path.move(to: .zero)
    path.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 10, y: 10), radius: 4)
    #expect(abs(path.currentPoint.x - 10) < 1e-6 && abs(path.currentPoint.y - 4) < 1e-6)
    #expect(path.boundingBoxOfPath.maxX < 10.001 && path.boundingBoxOfPath.minY > -0.001)
    path.addLine(to: CGPoint(x: 0, y: 10))
    #expect(!path.contains(CGPoint(x: 9.6, y: 0.4)) && path.contains(CGPoint(x: 6, y: 3.9)))
  }

  @Test func `overlapping parts count by the rule that is asked for`() {
    let path = CGMutablePath()
    path.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
    path.addRect(CGRect(x: 3, y: 3, width: 4, height: 4))
    #expect(path.contains(CGPoint(x: 5, y: 5)) && !path.contains(CGPoint(x: 5, y: 5), using: .evenOdd))
  }

  @Test func `copies are of their own, equal paths are equal, and a transform moves all of it`() throws {
    let path = CGMutablePath()
    path.addRect(CGRect(x: 0, y: 0, width: 2, height: 2))
    let copy = try #require(path.copy())
    path.addLine(to: CGPoint(x: 9, y: 9))
    #expect(copy != path && copy == CGPath(rect: CGRect(x: 0, y: 0, width: 2, height: 2), transform: nil))
    var move = CGAffineTransform(translationX: 5, y: 0)
    #expect(copy.copy(using: &move)?.boundingBox == CGRect(x: 5, y: 0, width: 2, height: 2))
  }
}
