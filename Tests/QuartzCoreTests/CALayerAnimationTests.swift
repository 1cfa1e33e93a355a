import DrawingCore
import Foundation
import FoundationExtras
import GraphicsCore
import QuartzCore
import Testing

@MainActor @Suite("CALayer: animations")
struct CALayerAnimationTests {
  /// Does something at a time of layers.
  private func at<Result>(_ seconds: Double, _ body: () throws -> Result) rethrows -> Result {
    try LayerTime.$clock.withValue({ 100 + seconds }) { try body() }
  }

  private func shown<Value>(_ seconds: Double, _ layer: CALayer, _ value: (CALayer) -> Value) throws
    -> Value
  {
    try at(seconds) { value(try #require(layer.presentation())) }
  }

  private func basic(_ path: String, _ from: Any?, _ to: Any?, _ duration: Double = 2)
    -> CABasicAnimation
  {
    let animation = CABasicAnimation(keyPath: path)
    (animation.fromValue, animation.toValue, animation.duration) = (from, to, duration)
    return animation
  }

  private final class Delegate: NSObject, CAAnimationDelegate {
    var events: [String] = []
    func animationDidStart(_ anim: CAAnimation) { events.append("start") }
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
      events.append(flag ? "finished" : "removed")
    }
  }

  @Test func `a value goes from one to the other, and the layer's own stays`() throws {
    let layer = CALayer()
    at(0) { layer.add(basic("opacity", 0, 1), forKey: "fade") }
    #expect(try shown(0, layer, \.opacity) == 0)
    #expect(try shown(0.5, layer, \.opacity) == 0.25)
    #expect(try shown(1, layer, \.opacity) == 0.5 && layer.opacity == 1)
    #expect(try shown(2, layer, \.opacity) == 1)
    #expect(at(2) { layer.animation(forKey: "fade") } == nil, "it is removed at its end")
    layer.opacity = 0.25
    at(3) { layer.add(basic("opacity", nil, 0.75), forKey: nil) }
    #expect(try shown(4, layer, \.opacity) == 0.5, "without a first value the layer's own counts")
  }

  @Test func `points, rectangles, colours and parts of transforms are animated`() throws {
    let layer = CALayer()
    layer.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
    let end = CGRect(x: 0, y: 0, width: 30, height: 50)
    at(0) {
      layer.add(basic("position", CGPoint(x: 0, y: 0), CGPoint(x: 8, y: 4)), forKey: "a")
      layer.add(basic("bounds", layer.bounds, end), forKey: "b")
      layer.add(basic("transform.scale", 1.0, 3.0), forKey: "c")
      layer.add(basic("transform.rotation.z", 0, Double.pi), forKey: "d")
      layer.add(
        basic(
          "backgroundColor", CGColor(red: 1, green: 0, blue: 0, alpha: 1),
          CGColor(red: 0, green: 0, blue: 1, alpha: 1)), forKey: "e")
    }
    let half = try at(1) { try #require(layer.presentation()) }
    #expect(half.position == CGPoint(x: 4, y: 2))
    #expect(half.bounds.size == CGSize(width: 20, height: 30))
    #expect(half.backgroundColor?.components == [0.5, 0, 0.5, 1])
    let transform = half.affineTransform()
    #expect(abs(transform.a) < 1e-9 && abs(transform.b - 2) < 1e-9 && abs(transform.c + 2) < 1e-9)
    #expect(
      layer.animationKeys() == nil || at(1) { layer.animationKeys() } == ["a", "b", "c", "d", "e"])
    #expect(CATransform3DIsIdentity(layer.transform) && layer.backgroundColor == nil)
  }

  @Test func `a turn goes the shorter way between whole transforms`() throws {
    let layer = CALayer()
    let from = CATransform3DMakeRotation(170 * .pi / 180, 0, 0, 1)
    let to = CATransform3DMakeRotation(-170 * .pi / 180, 0, 0, 1)
    at(0) { layer.add(basic("transform", from, to), forKey: "turn") }
    let middle = try shown(1, layer) { $0.affineTransform() }
    #expect(abs(middle.a + 1) < 1e-9 && abs(middle.b) < 1e-9)
  }

  @Test func `timing bends, repeats, and goes back`() throws {
    let layer = CALayer()
    let animation = basic("opacity", 0, 1, 1)
    animation.timingFunction = CAMediaTimingFunction(name: .easeIn)
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(0.5, layer, \.opacity) < 0.4)
    animation.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
    at(0) { layer.add(animation, forKey: "x") }
    #expect(abs(try shown(0.5, layer, \.opacity) - 0.5) < 1e-6)
    animation.timingFunction = nil
    animation.autoreverses = true
    animation.repeatCount = 2
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(1.5, layer, \.opacity) == 0.5)
    #expect(try shown(2.25, layer, \.opacity) == 0.25)
    #expect(try shown(3.75, layer, \.opacity) == 0.25)
    #expect(at(4) { layer.animation(forKey: "x") } == nil)
  }

  @Test func `an animation without a duration takes the transaction's`() throws {
    let layer = CALayer()
    CATransaction.begin()
    CATransaction.setAnimationDuration(4)
    at(0) { layer.add(basic("opacity", 0, 1, 0), forKey: "x") }
    CATransaction.commit()
    #expect(try shown(1, layer, \.opacity) == 0.25)
    at(0) { layer.add(basic("opacity", 0, 1, 0), forKey: "x") }
    #expect(try shown(0.125, layer, \.opacity) == 0.5)
  }

  @Test func `what is filled is shown before the beginning and after the end`() throws {
    let layer = CALayer()
    let animation = basic("opacity", 0.25, 0.5, 1)
    animation.beginTime = 101
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(0.5, layer, \.opacity) == 1)
    animation.fillMode = .both
    animation.isRemovedOnCompletion = false
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(0.5, layer, \.opacity) == 0.25)
    #expect(try shown(9, layer, \.opacity) == 0.5)
    #expect(at(9) { layer.animation(forKey: "x") } != nil)
    layer.removeAnimation(forKey: "x")
    #expect(try shown(9, layer, \.opacity) == 1)
  }

  @Test func `key frames come at their times, in lines or in steps`() throws {
    let layer = CALayer()
    let animation = CAKeyframeAnimation(keyPath: "opacity")
    animation.values = [0, 1, 0.5]
    animation.keyTimes = [0, 0.25, 1]
    animation.duration = 4
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(0.5, layer, \.opacity) == 0.5)
    #expect(try shown(1, layer, \.opacity) == 1)
    #expect(try shown(2.5, layer, \.opacity) == 0.75)
    animation.keyTimes = nil
    animation.calculationMode = .discrete
    at(0) { layer.add(animation, forKey: "x") }
    #expect(try shown(1, layer, \.opacity) == 0)
    #expect(try shown(3.9, layer, \.opacity) == 0.5)
  }

  @Test func `a group's animations count from its beginning`() throws {
    let layer = CALayer()
    let move = basic("position.x", 0, 8, 2)
    move.beginTime = 1
    let group = CAAnimationGroup()
    group.animations = [basic("opacity", 0, 1, 0), move]
    group.duration = 4
    at(0) { layer.add(group, forKey: "both") }
    #expect(try shown(0.5, layer) { $0.position.x } == 0)
    #expect(try shown(2, layer) { $0.position.x } == 4)
    #expect(try shown(2, layer, \.opacity) == 0.5, "without a duration it takes the group's")
  }

  @Test func `a delegate hears of the beginning and of the end`() {
    let layer = CALayer()
    let delegate = Delegate()
    let animation = basic("opacity", 0, 1)
    animation.delegate = delegate
    at(0) { layer.add(animation, forKey: "x") }
    at(1.9) { layer.settleAnimations() }
    #expect(delegate.events == ["start"])
    at(2) { layer.settleAnimations() }
    #expect(delegate.events == ["start", "finished"])
    at(3) { layer.add(animation, forKey: "x") }
    at(3.5) { layer.removeAllAnimations() }
    #expect(delegate.events == ["start", "finished", "start", "removed"])
    at(9) { layer.settleAnimations() }
    #expect(delegate.events.count == 4)
  }

  @Test func `what is rendered is what is shown`() throws {
    let top = CALayer()
    top.bounds = CGRect(x: 0, y: 0, width: 20, height: 10)
    let square = CALayer()
    square.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
    square.backgroundColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    top.addSublayer(square)
    at(0) { square.add(basic("position.x", 5, 25), forKey: "move") }
    func alpha(_ seconds: Double, _ x: Int) throws -> UInt8 {
      let image = try #require(at(seconds) { top.picture { top.render(in: $0) } })
      let bytes = try #require(image.dataProvider?.data)
      return bytes[4 * image.bytesPerRow + 4 * x + 3]
    }
    #expect(try alpha(0, 2) == 255 && alpha(0, 15) == 0)
    #expect(try alpha(1, 2) == 0 && alpha(1, 15) == 255)
    #expect(square.position.x == 5)
  }
}
