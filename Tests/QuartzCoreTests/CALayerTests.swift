import Foundation
import FoundationExtras
import GraphicsCore
import QuartzCore
import SeededNumbers
import Testing

private func layer(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CALayer {
  let layer = CALayer()
  layer.frame = CGRect(x: x, y: y, width: width, height: height)
  return layer
}

private func isClose(_ a: CGRect, _ b: CGRect) -> Bool {
  abs(a.minX - b.minX) < 1e-9 && abs(a.minY - b.minY) < 1e-9 && abs(a.width - b.width) < 1e-9
    && abs(a.height - b.height) < 1e-9
}

@Suite("CALayer: geometry")
struct CALayerGeometryTests {
  @Test func `a new layer has Apple's defaults`() {
    let layer = CALayer()
    #expect(layer.frame == .zero && layer.bounds == .zero && layer.position == .zero)
    #expect(layer.anchorPoint == CGPoint(x: 0.5, y: 0.5))
    #expect(layer.opacity == 1 && !layer.isHidden && !layer.masksToBounds)
    #expect(layer.sublayers == nil && layer.superlayer == nil && layer.contentsScale == 1)
    #expect(layer.backgroundColor == nil && layer.cornerRadius == 0 && layer.borderWidth == 0)
  }

  @Test func `the frame sets bounds and position about the anchor`() {
    let layer = CALayer()
    layer.anchorPoint = CGPoint(x: 0, y: 1)
    layer.frame = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(layer.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
    #expect(layer.position == CGPoint(x: 10, y: 60))
    layer.anchorPoint = CGPoint(x: 0.5, y: 0.5)
    #expect(layer.frame == CGRect(x: -5, y: 40, width: 30, height: 40))
  }

  @Test func `a frame of negative size is the same rectangle`() {
    #expect(layer(10, 10, -4, -6).frame == CGRect(x: 6, y: 4, width: 4, height: 6))
  }

  @Test func `a quarter turn exchanges the frame's sides and can be set`() {
    let layer = layer(0, 0, 40, 20)
    layer.setAffineTransform(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(isClose(layer.frame, CGRect(x: 10, y: -10, width: 20, height: 40)))
    layer.frame = CGRect(x: 100, y: 100, width: 50, height: 80)
    #expect(isClose(layer.frame, CGRect(x: 100, y: 100, width: 50, height: 80)))
    #expect(abs(layer.bounds.width - 80) < 1e-9 && abs(layer.bounds.height - 50) < 1e-9)
  }

  @Test func `scaling is part of the frame, not of the bounds`() {
    let layer = layer(0, 0, 10, 10)
    layer.transform = CATransform3DMakeScale(2, 3, 1)
    #expect(isClose(layer.frame, CGRect(x: -5, y: -10, width: 20, height: 30)))
    #expect(layer.bounds.size == CGSize(width: 10, height: 10))
  }
}

@Suite("CALayer: tree")
struct CALayerTreeTests {
  @Test func `sublayers keep the order they were put in`() {
    let top = CALayer()
    let a = CALayer()
    let b = CALayer()
    let c = CALayer()
    let d = CALayer()
    top.addSublayer(a)
    top.insertSublayer(b, at: 0)
    top.insertSublayer(c, above: b)
    top.insertSublayer(d, below: a)
    #expect(top.sublayers == [b, c, d, a])
    #expect(a.superlayer === top)
    top.addSublayer(b)
    #expect(top.sublayers == [c, d, a, b])
    top.insertSublayer(a, at: 99)
    #expect(top.sublayers == [c, d, b, a])
  }

  @Test func `a layer moves out of its old tree`() {
    let old = CALayer()
    let new = CALayer()
    let child = CALayer()
    old.addSublayer(child)
    new.addSublayer(child)
    #expect(old.sublayers == nil && new.sublayers == [child] && child.superlayer === new)
  }

  @Test func `replacing keeps the place`() {
    let top = CALayer()
    let layers = (0..<3).map { _ in CALayer() }
    top.sublayers = layers
    let fresh = CALayer()
    top.replaceSublayer(layers[1], with: fresh)
    #expect(top.sublayers == [layers[0], fresh, layers[2]])
    #expect(layers[1].superlayer == nil)
    top.replaceSublayer(layers[1], with: CALayer())
    #expect(top.sublayers == [layers[0], fresh, layers[2]])
    top.replaceSublayer(layers[0], with: layers[2])
    #expect(top.sublayers == [layers[2], fresh])
  }

  @Test func `a new list lets go of the layers it leaves out`() {
    let top = CALayer()
    let a = CALayer()
    let b = CALayer()
    top.sublayers = [a, b]
    top.sublayers = [b]
    #expect(a.superlayer == nil && top.sublayers == [b])
    top.sublayers = nil
    #expect(b.superlayer == nil && top.sublayers == nil)
  }

  @Test func `a layer is not put into itself`() {
    let top = CALayer()
    let child = CALayer()
    top.addSublayer(child)
    let mistakes = ProgrammingMistake.collect {
      child.addSublayer(top)
      top.addSublayer(top)
    }
    #expect(mistakes.count == 2)
    #expect(child.sublayers == nil && top.sublayers == [child])
  }

  @Test func `a superlayer owns its sublayers and not the reverse`() {
    weak var gone: CALayer?
    let child = CALayer()
    do {
      let top = CALayer()
      gone = top
      top.addSublayer(child)
    }
    #expect(gone == nil && child.superlayer == nil)
  }
}

@Suite("CALayer: conversion")
struct CALayerConversionTests {
  @Test func `points and rectangles travel through frames and bounds`() {
    let top = layer(100, 100, 200, 200)
    let middle = layer(10, 20, 100, 100)
    let leaf = layer(5, 5, 10, 10)
    top.addSublayer(middle)
    middle.addSublayer(leaf)
    middle.bounds.origin = CGPoint(x: 3, y: 4)
    #expect(leaf.convert(CGPoint(x: 1, y: 1), to: top) == CGPoint(x: 13, y: 22))
    #expect(leaf.convert(CGPoint(x: 13, y: 22), from: top) == CGPoint(x: 1, y: 1))
    #expect(
      top.convert(CGRect(x: 0, y: 0, width: 10, height: 10), from: leaf)
        == CGRect(x: 12, y: 21, width: 10, height: 10))
    #expect(leaf.convert(CGPoint.zero, to: nil) == CGPoint(x: 112, y: 121))
    #expect(leaf.convert(CGPoint(x: 112, y: 121), from: nil) == .zero)
  }

  @Test func `siblings and strangers convert over what they share`() {
    let top = layer(0, 0, 100, 100)
    let left = layer(0, 0, 50, 100)
    let right = layer(50, 0, 50, 100)
    top.sublayers = [left, right]
    #expect(left.convert(CGPoint(x: 60, y: 7), to: right) == CGPoint(x: 10, y: 7))
    let stranger = layer(1, 2, 3, 4)
    #expect(left.convert(CGPoint(x: 5, y: 5), to: stranger) == CGPoint(x: 4, y: 3))
    #expect(left.convert(CGPoint(x: 5, y: 5), to: left) == CGPoint(x: 5, y: 5))
  }

  @Test(arguments: 0..<50)
  func `there and back is where one was`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(_ range: ClosedRange<CGFloat>) -> CGFloat { CGFloat.random(in: range, using: &random) }
    let top = layer(number(-50...50), number(-50...50), 200, 200)
    top.sublayerTransform.m34 = -1 / 800
    var last = top
    for _ in 0..<4 {
      let next = layer(number(-20...20), number(-20...20), number(10...60), number(10...60))
      next.transform = CATransform3DMakeRotation(number(-1...1), number(-1...1), number(-1...1), 1)
      next.zPosition = number(-5...5)
      next.bounds.origin = CGPoint(x: number(-5...5), y: number(-5...5))
      last.addSublayer(next)
      last = next
    }
    let point = CGPoint(x: number(0...10), y: number(0...10))
    let back = last.convert(last.convert(point, to: top), from: top)
    #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6)
  }

  @Test func `a perspective draws what is far towards the middle`() {
    let top = layer(0, 0, 100, 100)
    top.sublayerTransform.m34 = -1 / 100
    let far = layer(0, 0, 100, 100)
    far.zPosition = -100
    top.addSublayer(far)
    #expect(isClose(far.frame, CGRect(x: 25, y: 25, width: 50, height: 50)))
  }

  @Test func `a hit finds the nearest and deepest visible layer`() {
    let top = layer(10, 10, 100, 100)
    let back = layer(0, 0, 50, 50)
    let front = layer(25, 25, 50, 50)
    let inner = layer(5, 5, 10, 10)
    top.sublayers = [back, front]
    front.addSublayer(inner)
    #expect(top.hitTest(CGPoint(x: 42, y: 42)) === inner)
    #expect(top.hitTest(CGPoint(x: 37, y: 37)) === front)
    back.zPosition = 1
    #expect(top.hitTest(CGPoint(x: 42, y: 42)) === back)
    back.isHidden = true
    #expect(top.hitTest(CGPoint(x: 12, y: 12)) === top)
    #expect(top.hitTest(CGPoint(x: 5, y: 5)) == nil)
    let outside = layer(95, 0, 20, 20)
    top.addSublayer(outside)
    #expect(top.hitTest(CGPoint(x: 120, y: 15)) === outside)
    top.masksToBounds = true
    #expect(top.hitTest(CGPoint(x: 120, y: 15)) == nil)
  }
}

private final class Placer: NSObject, CALayerDelegate {
  var count = 0
  func layoutSublayers(of layer: CALayer) {
    count += 1
    for child in layer.sublayers ?? [] { child.frame = layer.bounds }
  }
}

@Suite("CALayer: layout")
struct CALayerLayoutTests {
  @Test func `layout runs once, when asked, from the top of the tree`() {
    let placer = Placer()
    let top = CALayer()
    let child = CALayer()
    top.delegate = placer
    top.addSublayer(child)
    top.bounds = CGRect(x: 0, y: 0, width: 30, height: 20)
    #expect(top.needsLayout() && placer.count == 0)
    child.layoutIfNeeded()
    #expect(placer.count == 1 && child.frame == top.bounds)
    top.layoutIfNeeded()
    #expect(placer.count == 1)
    top.position = CGPoint(x: 5, y: 5)
    #expect(!top.needsLayout())
  }

  @Test func `the outermost commit lays out what changed and then reports`() {
    let placer = Placer()
    let top = CALayer()
    top.delegate = placer
    let reported = Counter()
    CATransaction.begin()
    CATransaction.setDisableActions(true)
    CATransaction.setCompletionBlock { reported.add() }
    CATransaction.begin()
    #expect(CATransaction.disableActions())
    top.bounds.size = CGSize(width: 5, height: 5)
    CATransaction.commit()
    #expect(placer.count == 0 && reported.value == 0)
    CATransaction.commit()
    #expect(placer.count == 1 && reported.value == 1)
    #expect(!CATransaction.disableActions())
    CATransaction.commit()
    CATransaction.setCompletionBlock { reported.add() }
    #expect(reported.value == 2)
  }

  @Test func `a copy takes geometry and appearance and leaves the tree`() {
    let original = layer(1, 2, 3, 4)
    original.opacity = 0.5
    original.name = "preview"
    original.addSublayer(CALayer())
    let copy = CALayer(layer: original)
    #expect(copy.frame == original.frame && copy.opacity == 0.5 && copy.name == "preview")
    #expect(copy.sublayers == nil && copy.superlayer == nil)
  }
}

private final class Counter: @unchecked Sendable {  // Safe because these tests use it on one thread.
  var value = 0
  func add() { value += 1 }
}

@Suite("CALayer: leaving a tree")
struct CALayerLeavingTests {
  @Test func `a layer that is taken out has no parent and keeps its look`() {
    let (parent, child) = (CALayer(), CALayer())
    parent.addSublayer(child)
    child.borderColor = CGColor.white
    child.removeFromSuperlayer()
    #expect(parent.sublayers?.isEmpty ?? true)
    #expect(child.superlayer == nil && child.borderColor == CGColor.white)
  }
}

@Suite("CALayer: contents and mask")
struct CALayerContentsTests {
  @Test func `contents and their gravity go into a copy`() {
    let layer = CALayer()
    #expect(layer.contents == nil)
    #expect(layer.contentsGravity == .resize)
    layer.contents = "picture"
    layer.contentsGravity = .resizeAspectFill
    let copy = CALayer(layer: layer)
    #expect(copy.contents as? String == "picture")
    #expect(copy.contentsGravity.rawValue == "resizeAspectFill")
  }

  @Test func `a mask lies in no other layer`() {
    let layer = CALayer(), mask = CALayer(), parent = CALayer()
    layer.mask = mask
    #expect(layer.mask === mask)
    #expect(mask.superlayer == nil)
    let lying = CALayer()
    parent.addSublayer(lying)
    #expect(ProgrammingMistake.collect { layer.mask = lying }.count == 1)
    #expect(ProgrammingMistake.collect { layer.mask = layer }.count == 1)
    #expect(layer.mask === mask)
    #expect(ProgrammingMistake.collect { parent.addSublayer(mask) }.count == 1)
    #expect(mask.superlayer == nil)
    lying.mask = mask
    #expect(lying.mask === mask && layer.mask == nil)
    lying.mask = nil
    #expect(lying.mask == nil)
    parent.addSublayer(mask)
    #expect(mask.superlayer === parent)
  }

  @Test func `a layer is no part of its own mask`() {
    let layer = CALayer(), mask = CALayer(), inner = CALayer(), parent = CALayer()
    parent.addSublayer(layer)
    mask.addSublayer(inner)
    layer.mask = mask
    #expect(ProgrammingMistake.collect { inner.mask = parent }.count == 1)
    #expect(ProgrammingMistake.collect { mask.addSublayer(parent) }.count == 1)
    #expect(inner.mask == nil && parent.superlayer == nil)
  }
}
