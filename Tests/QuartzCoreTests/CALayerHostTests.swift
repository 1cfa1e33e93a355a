import Foundation
import GraphicsCore
import QuartzCore
import Testing

@Suite("CALayer: host")
struct CALayerHostTests {
  private final class CountingHost: CALayerHost {
    var changes = 0

    func layersChanged() { changes += 1 }
  }

  private static let changes: [(name: String, change: @Sendable (CALayer) -> Void)] = [
    ("bounds", { $0.bounds.size.width = 3 }), ("position", { $0.position.x = 3 }),
    ("frame", { $0.frame.size.width = 9 }),
    ("anchorPoint", { $0.anchorPoint.x = 0 }), ("anchorPointZ", { $0.anchorPointZ = 1 }),
    ("zPosition", { $0.zPosition = 1 }), ("transform", { $0.transform = CATransform3DMakeScale(2, 2, 1) }),
    ("sublayerTransform", { $0.sublayerTransform = CATransform3DMakeScale(2, 2, 1) }),
    ("isHidden", { $0.isHidden = true }), ("opacity", { $0.opacity = 0.5 }),
    ("masksToBounds", { $0.masksToBounds = true }), ("backgroundColor", { $0.backgroundColor = .white }),
    ("cornerRadius", { $0.cornerRadius = 2 }), ("borderWidth", { $0.borderWidth = 2 }),
    ("borderColor", { $0.borderColor = .white }), ("contentsScale", { $0.contentsScale = 2 }),
    ("contents", { $0.contents = "a picture" }), ("contentsGravity", { $0.contentsGravity = .center }),
    ("addSublayer", { $0.addSublayer(CALayer()) }), ("removeFromSuperlayer", { $0.removeFromSuperlayer() }),
    ("setNeedsLayout", { $0.setNeedsLayout() }),
  ]

  @Test(arguments: changes.map(\.name))
  func `the host of a tree is notified of a change deep in it`(name: String) throws {
    let (top, middle, layer, host) = (CALayer(), CALayer(), CALayer(), CountingHost())
    top.addSublayer(middle)
    middle.addSublayer(layer)
    top.host = host
    try #require(Self.changes.first { $0.name == name }).change(layer)
    #expect(host.changes > 0)
  }

  @Test func `a mask's changes are the masked layer's, as long as it is its mask`() {
    let (top, layer, mask, inner, host) = (CALayer(), CALayer(), CALayer(), CALayer(), CountingHost())
    top.addSublayer(layer)
    layer.mask = mask
    mask.addSublayer(inner)
    top.host = host
    inner.backgroundColor = .black
    #expect(host.changes == 1)
    layer.mask = nil
    #expect(host.changes == 2)
    inner.backgroundColor = .white
    #expect(host.changes == 2)
    // A mask that goes to another layer is seen to go.
    layer.mask = mask
    #expect(host.changes == 3)
    CALayer().mask = mask
    #expect(host.changes == 4 && layer.mask == nil)
  }

  @Test func `a layer that was taken out of a tree notifies its host no more, and a host is not kept`() {
    let (top, layer) = (CALayer(), CALayer())
    weak var gone: CountingHost?
    do {
      let host = CountingHost()
      gone = host
      top.addSublayer(layer)
      top.host = host
      layer.removeFromSuperlayer()
      let before = host.changes
      layer.opacity = 0.5
      #expect(host.changes == before)
    }
    #expect(gone == nil)
    top.opacity = 0.5
  }
}
