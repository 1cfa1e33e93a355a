public import DrawingCore
public import Foundation
internal import FoundationExtras
public import GraphicsCore

/// A rectangle in a tree of rectangles: geometry and appearance of what a host puts on the screen.
///
/// A host (`LayerView` of GTKLayers) walks ``sublayers`` and draws what it finds on the screen, ``render(in:)`` draws into a
/// bitmap. Changes take effect at once, because there are no implicit animations; others are added with ``add(_:forKey:)``. The y axis points down, as in a host's window.
///
/// Thread-bound: a tree belongs to one thread at a time, by custom the main thread.
open class CALayer: NSObject {
  // MARK: Geometry

  /// The layer's own coordinates: the origin they start at and the size.
  open var bounds = CGRect.zero {
    didSet {
      if bounds.size != oldValue.size, !animations.isApplied { setNeedsLayout() }
      noteChange()
    }
  }

  /// Where the ``anchorPoint`` lies, in the superlayer's coordinates.
  open var position = CGPoint.zero { didSet { noteChange() } }

  /// How near the viewer the layer lies among its siblings; greater is nearer, equal follows ``sublayers``.
  open var zPosition: CGFloat = 0 { didSet { noteChange() } }

  /// The point of the layer that ``position`` places and ``transform`` turns about, as a share of the bounds.
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5) { didSet { noteChange() } }

  /// The anchor's depth, in points.
  open var anchorPointZ: CGFloat = 0 { didSet { noteChange() } }

  /// What is done to the layer about its anchor before it is placed.
  open var transform = CATransform3DIdentity { didSet { noteChange() } }

  /// What is done to every sublayer about the middle of the bounds; the place for a perspective.
  open var sublayerTransform = CATransform3DIdentity { didSet { noteChange() } }

  /// The smallest upright rectangle around the layer, in the superlayer's coordinates.
  ///
  /// Setting it changes ``bounds``' size and ``position``. Under a ``transform`` that turns by other than quarter
  /// turns no size gives every frame; then the middle is right and the size the nearest sensible one.
  open var frame: CGRect {
    get { placement.boundingBox(of: bounds) }
    set {
      let affine = affineTransform()
      let determinant = affine.a * affine.d - affine.b * affine.c
      var size = newValue.standardized.size
      if determinant != 0 {
        let back = affine.inverted()
        size = CGSize(
          width: abs(back.a) * size.width + abs(back.c) * size.height,
          height: abs(back.b) * size.width + abs(back.d) * size.height)
      }
      bounds.size = size
      let box = placement.boundingBox(of: bounds)
      let wanted = newValue.standardized
      position.x += wanted.midX - box.midX
      position.y += wanted.midY - box.midY
    }
  }

  /// The part of ``transform`` that changes x and y.
  open func affineTransform() -> CGAffineTransform {
    CATransform3DGetAffineTransform(transform)
  }

  /// Makes ``transform`` do to x and y what `m` does.
  open func setAffineTransform(_ m: CGAffineTransform) {
    transform = CATransform3DMakeAffineTransform(m)
  }

  // MARK: Appearance

  /// Whether the layer and all in it are left out.
  open var isHidden = false { didSet { noteChange() } }
  /// From 0, nothing of it is seen, to 1.
  open var opacity: Float = 1 { didSet { noteChange() } }
  /// Whether what sticks out of the bounds is cut off.
  open var masksToBounds = false { didSet { noteChange() } }
  /// The colour behind everything in the layer.
  open var backgroundColor: CGColor? { didSet { noteChange() } }
  /// The radius of the background's corners, in points.
  open var cornerRadius: CGFloat = 0 { didSet { noteChange() } }
  /// The width of the border inside the bounds, in points.
  open var borderWidth: CGFloat = 0 { didSet { noteChange() } }
  /// The border's colour; black unless set.
  open var borderColor: CGColor? = CGColor.black { didSet { noteChange() } }
  /// Pixels per point that the host should draw with.
  open var contentsScale: CGFloat = 1 { didSet { noteChange() } }
  /// What the layer shows over its background: a `CGImage`, or what else its host draws; `nil` for nothing.
  open var contents: Any? { didSet { noteChange() } }
  /// Where in the bounds the contents lie, and whether they are stretched.
  open var contentsGravity = CALayerContentsGravity.resize { didSet { noteChange() } }
  /// The colour of the shadow; black unless set.
  open var shadowColor: CGColor? = CGColor.black { didSet { noteChange() } }
  /// How dark the shadow is, from 0, there is none, to 1.
  ///
  /// A layer that cuts off what sticks out has no shadow.
  open var shadowOpacity: Float = 0 { didSet { noteChange() } }
  /// How far the shadow lies off, in the layer's coordinates; 3 points above the layer unless set.
  open var shadowOffset = CGSize(width: 0, height: -3) { didSet { noteChange() } }
  /// How far the shadow's edge is spread, in points.
  open var shadowRadius: CGFloat = 3 { didSet { noteChange() } }
  /// A layer whose opacity says where this one, its shadow included, is seen; it lies in this layer's coordinates, and in no other
  /// layer.
  ///
  /// A layer that lies in another one, or that this one is a part of, is a programming mistake without effect. Another layer whose
  /// mask it was has none then. Apple: `CALayer.mask`.
  open var mask: CALayer? {
    get { maskLayer }
    set {
      guard newValue?.superlayer == nil, !(newValue.map(isPart) ?? false) else {
        return ProgrammingMistake.report(
          rule:
            "A layer that lies in another one, or the layer itself, cannot be its mask; remove it from there first."
        )
      }
      newValue?.masked?.maskLayer = nil
      maskLayer?.masked = nil
      newValue?.masked = self
      maskLayer = newValue
    }
  }
  private var maskLayer: CALayer? { didSet { noteChange() } }
  /// The layer whose mask this one is.
  weak var masked: CALayer?

  // MARK: Identity and tree

  /// The layer's name for its owner; it need not be unique.
  open var name: String?
  /// Who answers for the layer; not retained.
  open weak var delegate: (any CALayerDelegate)?
  /// The layer this one lies in; `nil` for the top of a tree.
  open internal(set) weak var superlayer: CALayer?

  /// What draws the tree of which this is the top; not retained.
  package weak var host: (any CALayerHost)?

  let animations = LayerAnimations()
  private var children: [CALayer] = []
  private var layoutIsDue = false
  private var displayIsDue = false

  /// A layer of no size at the origin.
  public override init() {
    super.init()
  }

  /// A layer with the geometry and appearance of `layer`, but neither its place in a tree nor its sublayers.
  ///
  /// - Parameter layer: A `CALayer`; anything else gives a fresh layer.
  public init(layer: Any) {
    super.init()
    guard let layer = layer as? CALayer else { return }
    bounds = layer.bounds
    position = layer.position
    zPosition = layer.zPosition
    anchorPoint = layer.anchorPoint
    anchorPointZ = layer.anchorPointZ
    transform = layer.transform
    sublayerTransform = layer.sublayerTransform
    isHidden = layer.isHidden
    opacity = layer.opacity
    masksToBounds = layer.masksToBounds
    backgroundColor = layer.backgroundColor
    cornerRadius = layer.cornerRadius
    borderWidth = layer.borderWidth
    borderColor = layer.borderColor
    shadowColor = layer.shadowColor
    shadowOpacity = layer.shadowOpacity
    shadowOffset = layer.shadowOffset
    shadowRadius = layer.shadowRadius
    contentsScale = layer.contentsScale
    contents = layer.contents
    contentsGravity = layer.contentsGravity
    name = layer.name
    layoutIsDue = false
  }

  /// A copy with the present values, for ``presentation()``; subclasses give one of their own type.
  func shownCopy() -> CALayer { CALayer(layer: self) }

  // MARK: Layout

  /// Places the sublayers by asking the ``delegate``; override it to place them yourself.
  open func layoutSublayers() {
    delegate?.layoutSublayers(of: self)
  }

  /// Says that the sublayers' places are out of date.
  ///
  /// They are renewed by ``layoutIfNeeded()``, which the host calls before it draws, and at the end of the
  /// outermost `CATransaction` of the calling thread.
  open func setNeedsLayout() {
    layoutIsDue = true
    CATransaction.noteLayout(of: self)
    noteChange()
  }

  /// Whether ``setNeedsLayout()`` was called since the last layout.
  open func needsLayout() -> Bool {
    layoutIsDue
  }

  /// Renews the places in all of the tree this layer belongs to, from the top down, where they are out of date.
  open func layoutIfNeeded() {
    top.layoutTree()
  }

  private func layoutTree() {
    if layoutIsDue {
      layoutIsDue = false
      layoutSublayers()
    }
    for child in children { child.layoutTree() }
    maskLayer?.layoutTree()
  }

  // MARK: Drawing

  /// Draws what the layer shows, for ``display()``; asks the ``delegate`` unless overridden.
  ///
  /// - Parameter ctx: A context in the layer's coordinates.
  open func draw(in ctx: CGContext) {
    delegate?.draw(self, in: ctx)
  }

  /// Makes ``contents`` of what ``draw(in:)`` draws, ``contentsScale`` pixels to a point.
  ///
  /// A plain layer without a delegate keeps the contents that it has.
  open func display() {
    displayIsDue = false
    if delegate == nil, type(of: self) == CALayer.self { return }
    if let drawing = picture(drawnBy: { draw(in: $0) }) { contents = drawing }
  }

  /// Says that ``contents`` are out of date: they are drawn anew by ``displayIfNeeded()``, which hosts and ``render(in:)`` call.
  open func setNeedsDisplay() {
    displayIsDue = true
    noteChange()
  }

  /// Whether ``setNeedsDisplay()`` was called since the last drawing.
  open func needsDisplay() -> Bool {
    displayIsDue
  }

  /// Draws ``contents`` where they are out of date.
  open func displayIfNeeded() {
    if displayIsDue { display() }
  }

  /// Draws the layer and all in it: background, contents, sublayers, border, with shadows, masks and opacity.
  ///
  /// The layer's own place and transform do not count; of sublayers' transforms what they do in the plane. What video layers show is
  /// not in it.
  ///
  /// - Parameter ctx: A context in the layer's coordinates, whose y axis points down: flip a plain `CGContext` first.
  open func render(in ctx: CGContext) {
    layoutIfNeeded()
    LayerRendering(context: ctx).draw(self)
  }

  /// What the layer shows in its coordinates, ``contents`` and all, and where, for hosts that draw pictures; `nil` for contents alone.
  package var pictureBeyondBounds: (picture: CGImage, place: CGRect)? { nil }

  /// Draws ``contents``; layers that can draw better at any size do so here.
  package func drawContents(in context: CGContext) {
    displayIfNeeded()
    LayerRendering(context: context).drawContents(of: self)
  }

  /// Draws what lies in the layer's coordinates, over ``contents`` and under the sublayers, whichever way the y axis points.
  package func drawShape(in context: CGContext) {}

  // MARK: Tree

  /// The layers in this one, from the bottom up; `nil` when there are none.
  ///
  /// Setting it removes layers that are not in the new list and adds the others in its order.
  open var sublayers: [CALayer]? {
    get { children.isEmpty ? nil : children }
    set {
      let wanted = newValue ?? []
      for child in children where !wanted.contains(where: { $0 === child }) { child.removeFromSuperlayer() }
      for layer in wanted { addSublayer(layer) }
    }
  }

  /// Puts `layer` on top of the others in this one, out of where it was before.
  open func addSublayer(_ layer: CALayer) {
    guard mayAdopt(layer) else { return }
    layer.removeFromSuperlayer()
    adopt(layer, at: children.count)
  }

  /// Puts `layer` at place `idx` from the bottom; places beyond the ends count as the ends.
  open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
    guard mayAdopt(layer) else { return }
    layer.removeFromSuperlayer()
    adopt(layer, at: min(Int(idx), children.count))
  }

  /// Puts `layer` right below `sibling`; at the bottom when there is no such sibling.
  open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
    guard mayAdopt(layer) else { return }
    layer.removeFromSuperlayer()
    adopt(layer, at: children.firstIndex { $0 === sibling } ?? 0)
  }

  /// Puts `layer` right above `sibling`; on top when there is no such sibling.
  open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
    guard mayAdopt(layer) else { return }
    layer.removeFromSuperlayer()
    adopt(layer, at: children.firstIndex { $0 === sibling }.map { $0 + 1 } ?? children.count)
  }

  /// Puts `newLayer` where `oldLayer` is; does nothing when `oldLayer` is not in this layer.
  open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
    guard oldLayer !== newLayer, oldLayer.superlayer === self, mayAdopt(newLayer) else { return }
    newLayer.removeFromSuperlayer()
    guard let place = children.firstIndex(where: { $0 === oldLayer }) else { return }
    oldLayer.removeFromSuperlayer()
    adopt(newLayer, at: place)
  }

  /// Takes the layer, with all in it, out of its superlayer.
  open func removeFromSuperlayer() {
    guard let superlayer else { return }
    superlayer.children.removeAll { $0 === self }
    self.superlayer = nil
    superlayer.setNeedsLayout()
  }

  private func adopt(_ layer: CALayer, at place: Int) {
    children.insert(layer, at: place)
    layer.superlayer = self
    setNeedsLayout()
  }

  // MARK: Conversion

  /// The point `p` of `l`'s coordinates in this layer's; `nil` stands for the space around the tree.
  open func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint {
    if let l { return l === self ? p : l.way(to: self).applied(to: p) }
    return placementInTree.inverted?.applied(to: p) ?? p
  }

  /// The point `p` of this layer's coordinates in `l`'s; `nil` stands for the space around the tree.
  open func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
    l === self ? p : way(to: l).applied(to: p)
  }

  /// The smallest upright rectangle around `r` of `l`'s coordinates in this layer's.
  open func convert(_ r: CGRect, from l: CALayer?) -> CGRect {
    if let l { return l === self ? r : l.way(to: self).boundingBox(of: r) }
    return placementInTree.inverted?.boundingBox(of: r) ?? r
  }

  /// The smallest upright rectangle around `r` of this layer's coordinates in `l`'s.
  open func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
    l === self ? r : way(to: l).boundingBox(of: r)
  }

  /// Whether `p`, in this layer's coordinates, lies in its bounds.
  open func contains(_ p: CGPoint) -> Bool {
    bounds.contains(p)
  }

  /// The deepest and nearest layer of the tree below this one, itself included, that contains `p`.
  ///
  /// - Parameter p: A point in the *superlayer's* coordinates.
  /// - Returns: `nil` when the point lies outside, or this layer is hidden.
  open func hitTest(_ p: CGPoint) -> CALayer? {
    if isHidden { return nil }
    guard let own = placement.inverted?.applied(to: p) else { return nil }
    let isInside = contains(own)
    if masksToBounds && !isInside { return nil }
    let fromTop = children.enumerated().sorted { left, right in
      (left.element.zPosition, left.offset) > (right.element.zPosition, right.offset)
    }
    for (_, child) in fromTop {
      if let hit = child.hitTest(own) { return hit }
    }
    return isInside ? self : nil
  }
}
