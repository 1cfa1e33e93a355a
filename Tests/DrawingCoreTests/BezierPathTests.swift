import DrawingCore
import Foundation
import GraphicsCore
import Testing

@Suite("Bézier paths and colours")
struct BezierPathTests {
  @Test func `a path is filled and stroked in the current context, with its own line`() {
    let canvas = Canvas(20, 20)
    canvas.drawDown {
      UIColor.red.setFill()
      UIColor.blue.setStroke()
      let path = UIBezierPath(roundedRect: CGRect(x: 2, y: 2, width: 16, height: 8), cornerRadius: 3)
      path.lineWidth = 2
      path.fill()
      path.stroke()
    }
    #expect(
      canvas[10, 6] == [255, 0, 0, 255] && canvas[10, 2] == [0, 0, 255, 255] && canvas[10, 15][3] == 0)
    #expect(canvas[1, 1][3] < 100)
  }

  @Test func `clockwise is what a person sees where y points down`() {
    let path = UIBezierPath(
      arcCenter: CGPoint(x: 0, y: 0), radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
    #expect(path.bounds.minX > -0.01 && path.bounds.maxY > 9.9 && path.bounds.minY > -0.01)
    path.addLine(to: .zero)
    path.close()
    #expect(path.contains(CGPoint(x: 3, y: 3)) && !path.contains(CGPoint(x: -3, y: 3)))
    path.apply(CGAffineTransform(translationX: 100, y: 0))
    #expect(path.contains(CGPoint(x: 103, y: 3)))
    path.removeAllPoints()
    #expect(path.isEmpty)
  }

  @Test func `a clip lasts until the state is restored`() {
    let canvas = Canvas(10, 10)
    canvas.drawDown {
      canvas.context.saveGState()
      UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 10, height: 10)).addClip()
      UIColor.green.set()
      UIBezierPath(rect: CGRect(x: 0, y: 0, width: 10, height: 10)).fill()
      canvas.context.restoreGState()
    }
    #expect(canvas[5, 5] == [0, 255, 0, 255] && canvas[0, 0][3] < 60)
  }

  @Test func `colours tell their numbers`() {
    var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    #expect(
      UIColor(hue: 1 / 3, saturation: 1, brightness: 0.5, alpha: 0.25).getRed(
        &red, green: &green, blue: &blue, alpha: &alpha))
    #expect(abs(red) < 1e-6 && abs(green - 0.5) < 1e-6 && abs(blue) < 1e-6 && alpha == 0.25)
    #expect(UIColor.white.withAlphaComponent(0.5).cgColor.alpha == 0.5)
    #expect(UIColor.red == UIColor(red: 1, green: 0, blue: 0, alpha: 1))
  }
}
