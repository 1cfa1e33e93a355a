public import DrawingCore
public import Foundation
internal import FoundationExtras
public import GraphicsCore

/// A layer that shows a path, filled and with a line along it.
///
/// The path lies in the layer's coordinates, over ``CALayer/contents``, and may stick out of its bounds. What draws the layer into a bitmap draws it at that bitmap's
/// size. Animations change the path (where both have the same steps), both colours, the line's width, and where it begins and ends.
/// Apple: `CAShapeLayer`.
open class CAShapeLayer: CALayer {
  /// The path; `nil` shows nothing.
  open var path: CGPath? { didSet { change() } }
  /// The colour inside the path; black unless set, and none where it is `nil`.
  open var fillColor: CGColor? = CGColor.black { didSet { change() } }
  /// The rule that says what is inside.
  open var fillRule = CAShapeLayerFillRule.nonZero { didSet { change() } }
  /// The colour of the line; none unless set.
  open var strokeColor: CGColor? { didSet { change() } }
  /// Where the line begins, as a share of the path's length from 0 to 1.
  open var strokeStart: CGFloat = 0 { didSet { change() } }
  /// Where the line ends, as a share of the path's length from 0 to 1.
  open var strokeEnd: CGFloat = 1 { didSet { change() } }
  /// The width of the line, in points; half of it lies inside the path.
  open var lineWidth: CGFloat = 1 { didSet { change() } }
  /// How many line widths a corner may stick out before it is cut off.
  open var miterLimit: CGFloat = 10 { didSet { change() } }
  /// The ends of the line.
  open var lineCap = CAShapeLayerLineCap.butt { didSet { change() } }
  /// The corners of the line.
  open var lineJoin = CAShapeLayerLineJoin.miter { didSet { change() } }
  /// Where in the pattern the line begins, in points.
  open var lineDashPhase: CGFloat = 0 { didSet { change() } }
  /// The lengths of dashes and gaps in turn, in points; `nil` for a whole line.
  open var lineDashPattern: [NSNumber]? { didSet { change() } }

  /// A layer without a path.
  public override init() {
    super.init()
  }

  /// A layer with the geometry, the appearance and the path of `layer`.
  public override init(layer: Any) {
    super.init(layer: layer)
    guard let layer = layer as? CAShapeLayer else { return }
    (path, fillColor, fillRule) = (layer.path, layer.fillColor, layer.fillRule)
    (strokeColor, strokeStart, strokeEnd) = (layer.strokeColor, layer.strokeStart, layer.strokeEnd)
    (lineWidth, miterLimit, lineCap, lineJoin) = (
      layer.lineWidth, layer.miterLimit, layer.lineCap, layer.lineJoin
    )
    (lineDashPhase, lineDashPattern) = (layer.lineDashPhase, layer.lineDashPattern)
  }

  private struct Drawing {
    let picture: CGImage
    let place: CGRect
    let scale: CGFloat
    let contents: CGImage?
  }

  private var drawn: Drawing?

  private func change() {
    drawn = nil
    noteChange()
  }

  override func shownCopy() -> CALayer { CAShapeLayer(layer: self) }

  /// The path over the contents as a picture, ``CALayer/contentsScale`` pixels to a point, for hosts that draw pictures; kept until the
  /// layer changes.
  package override var pictureBeyondBounds: (picture: CGImage, place: CGRect)? {
    guard let path, !path.isEmpty else { return nil }
    let scale = contentsScale > 0 ? contentsScale : 1
    let contents = contents as? CGImage
    // Miters stick out by as much as their limit allows.
    let reach = strokeColor == nil ? 1 : lineWidth * (lineJoin == .miter ? max(1, miterLimit) : 1.5) / 2 + 1
    var place = path.boundingBoxOfPath.insetBy(dx: -reach, dy: -reach).integral
    if contents != nil { place = place.union(bounds.integral) }
    if let drawn, drawn.place == place, drawn.scale == scale, drawn.contents === contents {
      return (drawn.picture, place)
    }
    guard let context = CGContext(bounds: place, scale: scale) else { return nil }
    LayerRendering(context: context).drawContents(of: self)
    drawShape(in: context)
    guard let picture = context.makeImage() else { return nil }
    drawn = Drawing(picture: picture, place: place, scale: scale, contents: contents)
    return (picture, place)
  }

  package override func drawShape(in context: CGContext) {
    guard let path, !path.isEmpty else { return }
    context.saveGState()
    if let fillColor {
      context.setFillColor(fillColor)
      context.beginPath()
      context.addPath(path)
      context.fillPath(using: fillRule == .evenOdd ? .evenOdd : .winding)
    }
    if let strokeColor, lineWidth > 0, let line = path.part(from: strokeStart, to: strokeEnd) {
      draw(line, strokeColor, in: context)
    }
    context.restoreGState()
  }

  private func draw(_ line: CGPath, _ color: CGColor, in context: CGContext) {
    context.setStrokeColor(color)
    context.setLineWidth(lineWidth)
    context.setMiterLimit(max(1, miterLimit))
    context.setLineCap(lineCap == .round ? .round : lineCap == .square ? .square : .butt)
    context.setLineJoin(lineJoin == .round ? .round : lineJoin == .bevel ? .bevel : .miter)
    if let lineDashPattern {
      context.setLineDash(phase: lineDashPhase, lengths: lineDashPattern.map { CGFloat($0.doubleValue) })
    }
    context.beginPath()
    context.addPath(line)
    context.strokePath()
  }
}
